"""Every stage: taken up it goes on the same, a change of its options lets it alone begin anew, and the docs say so."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest
from msgspec.structs import fields, replace

from tests.following.systems.streams import FERRY, follow, stream
from tests.sweeps import every
from tidings.analysis import NamedPlace
from tidings.core import read_model, write_model_bytes
from tidings.core.errors import StoreError, UsageError
from tidings.core.records.standing import ReaderMark
from tidings.following.systems.assembly import assemble
from tidings.following.systems.decider import STAGES, Decider, DecidingFollower
from tidings.following.systems.descriptions import OPTIONAL
from tidings.following.systems.marks import Marks

ENCODER = "tests.following.systems.test_meanings:stand_in"
WHOLE = (
    f"cosine:overlap=1,encoder={ENCODER},profile=ferri 9 fire 5,profile_likeness=0,news=0.1,values=yes,entities=yes,"
    "about=30/hour,updates_per_hour=9"
)
CHANGES = {
    "updates_per_hour": ("updates_per_hour=9", "updates_per_hour=8"),
    "words_per_hour": ("updates_per_hour=9", "updates_per_hour=9,words_per_hour=40"),
    "about": ("about=30/hour", "about=up to 20/day"),
    "entities": (",entities=yes", ""),
    "values": (",values=yes", ""),
    "places": (",values=yes", ",values=yes,places=yes"),
    "encoder": (f"encoder={ENCODER}", "encoder=tests.following.systems.test_stages:another"),
    "nearness": (f"encoder={ENCODER}", f"encoder={ENCODER},nearness=0.9"),
    "across": (f"encoder={ENCODER}", f"encoder={ENCODER},across=0.6"),
    "news": ("news=0.1", "news=0.2"),
    "news_model": ("news=0.1", "news=0.1,news_model=NEWS"),
    "profile": ("profile=ferri 9 fire 5", "profile=ferri 9"),
    "profile_likeness": ("profile_likeness=0", "profile_likeness=0.3"),
}
"""Each option of a stage: how the spec has it before and after the change."""
STAGE_OF = {option.name: kind.stage for kind in OPTIONAL for option in fields(kind)}
PUSHES = list(stream(5, 24, casualties=True))


def another(texts: list[str]) -> np.ndarray:
    """A vector for each text with a place for each of its letters, which is like that of any other text."""
    return np.array([[text.count(letter) + 0.1 for letter in "abcdefghij"] for text in texts])


class Cities:
    """Where the names of the stream are."""

    def find(self, name: str) -> list[NamedPlace]:
        return [NamedPlace("Nador", "Morocco", 35.2, -2.9, 9)] if name.lower() == "nador" else []


@pytest.fixture(autouse=True)
def _data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "NEWS").write_bytes(write_model_bytes(read_model("articles")))
    monkeypatch.setattr("tidings.following.values.value_tracker.load_gazetteer", Cities)


def whole(spec: str = WHOLE) -> Decider:
    return assemble(spec, marks=True, support=True, ledger=True)


def followed(decider: Decider, count: int) -> DecidingFollower:
    follower = decider.start(FERRY)
    follow(follower, PUSHES[:count])
    follower.mark(ReaderMark(update_id="gone-0", text="Lottery winners celebrate champagne.", mark="known"))
    return follower


def memory_table() -> list[tuple[str, tuple[str, ...], str]]:
    """What a decider remembers: stage, the options on which its memory depends, and what it is."""
    return [
        (stage.stage, tuple(option.name for option in fields(stage) if stage is not Marks), stage.remembers)
        for stage in STAGES
        if stage.remembers
    ]


def memories(follower: DecidingFollower) -> dict[str, list[object]]:
    kept: dict[str, list[object]] = msgspec.msgpack.decode(follower.state())
    return kept


def test_all_stages_are_tried() -> None:
    decider = whole()
    assert tuple(type(stage) for stage in decider.stages) == STAGES
    assert set(CHANGES) == set(STAGE_OF)
    assert set(memories(followed(decider, 20))) == {*(name for name, _, _ in memory_table()), "system"}


@every("cut", (1, 7, 12, 20))
def test_taken_up_all_stages_go_on_the_same(cut: int) -> None:
    first, second = followed(whole(), cut), whole().start(FERRY)
    second.restore(first.state())
    assert second.state() == first.state()
    for sentences, now in PUSHES[cut:]:
        assert list(second.push(sentences, now)) == list(first.push(sentences, now))
    assert second.state() == first.state()
    assert list(second.finish(PUSHES[-1][1] + 60)) == list(first.finish(PUSHES[-1][1] + 60))


@every("option", tuple(CHANGES))
def test_a_change_lets_no_other_memory_go(option: str) -> None:
    stage = STAGE_OF[option]
    first, changed = followed(whole(), 20), whole(WHOLE.replace(*CHANGES[option]))
    second, fresh = changed.start(FERRY), memories(changed.start(FERRY))
    second.restore(first.state())
    before, after = memories(first), memories(second)
    assert {name: own for name, own in after.items() if name != stage} == {
        name: own for name, own in before.items() if name != stage
    }
    assert after.get(stage) == fresh.get(stage)
    later = [output for sentences, now in PUSHES[20:] for output in second.push(sentences, now)]
    assert all(output.event_id == FERRY.id for output in later)


@every("option, turned", [(option, turned) for option in CHANGES for turned in (False, True)])
def test_a_changed_option_decides_as_a_fresh_run_from_that_time(option: str, turned: bool) -> None:
    """Around a system that remembers nothing itself."""
    specs = [f"random:probability=1,overlap=1,{words.strip(',')}".rstrip(",") for words in CHANGES[option]]
    if option == "profile_likeness":
        specs = [f"{spec},profile=ferri 9 fire 5" for spec in specs]
    before, now = reversed(specs) if turned else specs
    first, changed, fresh = (assemble(spec).start(FERRY) for spec in (before, now, now))
    follow(first, PUSHES[:12])
    changed.restore(first.state())
    later = [list(changed.push(sentences, time)) for sentences, time in PUSHES[12:]]
    assert later == [list(fresh.push(sentences, time)) for sentences, time in PUSHES[12:]]
    assert any(later) or STAGE_OF[option] == "news"
    assert changed.finish(PUSHES[-1][1] + 60) == fresh.finish(PUSHES[-1][1] + 60)


def test_a_change_of_the_event_keeps_all() -> None:
    first = followed(whole(), 20)
    event = replace(FERRY, title="Another", query="ferry harbour", languages=("en", "es"))
    second = whole().start(event)
    second.restore(first.state())
    assert memories(second).keys() == memories(first).keys()
    assert {name: own for name, own in memories(second).items() if name not in ("entities", "values")} == {
        name: own for name, own in memories(first).items() if name not in ("entities", "values")
    }


def test_what_is_no_state_or_of_another_version_is_refused() -> None:
    first = followed(whole(), 5)
    kept = memories(first)
    kept["pace"][0] = 9
    with pytest.raises(StoreError, match="memory of pace of version 9"):
        whole().start(FERRY).restore(msgspec.msgpack.encode(kept))
    for data in (b"", b"\xc1", b"\x93\x01\x02\x03"):
        with pytest.raises(StoreError, match="cannot be read"):
            whole().start(FERRY).restore(data)


def test_two_paces_are_one_too_many() -> None:
    with pytest.raises(UsageError, match="one of the two"):
        assemble("cosine:about=10/day", about="11/day")


def test_the_docs_say_which_options_keep_which_memory() -> None:
    page = Path(__file__).parents[3] / "docs" / "following" / "following.md"
    rows = [
        f"| `{name}` | {', '.join(f'`{option}`' for option in options) or 'nothing'} | {what} |"
        for name, options, what in memory_table()
    ]
    assert "\n".join(rows) in page.read_text(encoding="utf-8")
