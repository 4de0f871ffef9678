"""Readers' marks as judgments: what was marked is no news, and what was read and not marked is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sweeps import cases, every
from tidings.cli import run as tidings
from tidings.core.records import Event, Judgments, Update
from tidings.core.records.standing import MarkKind, ReaderMark, StandingEvent
from tidings.core.store import open_store
from tidings.live.marks import judgments_of_marks
from tidings.live.store import LiveStore
from tidings.research.training.labelled_events import load_events
from tidings.sources.own.judgments import read_own_judgments

STORM = Event(id="storm", title="Storm", query="storm in the north")
FERRY = Event(id="ferry", title="Ferry", query="ferry fire")
TEXTS = cases(__file__, "texts")


def told(event: str, texts: tuple[str, ...] = TEXTS) -> list[Update]:
    return [
        Update(event, f"{event}{n}", 2, 60 * n + 5, 0.5, text, 60 * n, "Wire") for n, text in enumerate(texts)
    ]


def mark(event: str, number: int, kind: MarkKind) -> ReaderMark:
    return ReaderMark(update_id=f"{event}{number}-2", text=TEXTS[number], mark=kind)


def marked(*marks: ReaderMark) -> dict[str, dict[str, ReaderMark]]:
    return {"storm": {one.update_id: one for one in marks}}


def judged(*marks: ReaderMark, texts: tuple[str, ...] = TEXTS) -> Judgments:
    return judgments_of_marks([STORM, FERRY], [*told("ferry"), *told("storm", texts)], marked(*marks))


def matched(judgments: Judgments) -> dict[str, str]:
    """Number of the update: number of the nugget's."""
    return {match.update_id[5:-2]: match.nugget_id[5:-2] for match in judgments.matches}


def test_what_was_read_is_judged_and_no_more() -> None:
    judgments = judged(mark("storm", 2, "not-about"), mark("storm", 3, "known"))
    assert [event.id for event in judgments.events] == ["storm"]
    assert [update.text for update in judgments.pool] == list(TEXTS[:4])
    assert [update.published_time for update in judgments.pool] == [5, 60, 120, 180]
    assert [(one.text, one.time, one.importance) for one in judgments.nuggets] == [
        (TEXTS[0], 5, 1),
        (TEXTS[1], 65, 1),
    ]
    assert matched(judgments) == {"0": "0", "1": "1", "3": "0"}
    assert {(match.start, match.end) for match in judgments.matches if match.update_id == "storm3-2"} == {
        (0, len(TEXTS[3]))
    }


def test_what_was_known_of_elsewhere_matches_nothing() -> None:
    assert matched(judged(mark("storm", 0, "known"))) == {}
    assert matched(judged(mark("storm", 4, "known"))) == {str(n): str(n) for n in range(4)}


def test_what_was_told_twice_is_judged_once() -> None:
    updates = [*told("storm"), *told("storm")]
    judgments = judgments_of_marks([STORM], updates, marked(mark("storm", 1, "known")))
    assert len(judgments.pool) == 2


def test_marks_of_a_store_are_read_by_training(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, folder = str(tmp_path / "a.db"), tmp_path / "marks"
    with open_store(path) as store:
        live = LiveStore(store)
        live.events.add(StandingEvent(event=STORM), "ada")
        with store.begin("live", {}, events=[STORM, FERRY]) as run:
            run.commit([], {}, [*told("ferry"), *told("storm")], [])
        assert tidings(["store", "marks", str(folder), "--store", path]) == 2
        assert "no reader has marked an update of run 'live' yet" in capsys.readouterr().err
        live.events.mark("storm", mark("storm", 2, "not-about"), "ada")
        live.events.mark("storm", mark("storm", 3, "known"), "bo")
        live.events.mark("storm", ReaderMark(update_id="gone-0", text="", mark="known"), "bo")
    assert tidings(["store", "marks", str(folder), "--store", path]) == 0
    assert "has 4 updates of 1 event, judged by 2 marks" in capsys.readouterr().err
    assert matched(read_own_judgments(folder)) == {"0": "0", "1": "1", "3": "0"}
    (event,) = load_events([folder])
    sentences = [sentence for pushed, _ in event.pushes for sentence in pushed]
    assert [sorted(event.nuggets_of(sentence)) for sentence in sentences] == [[0], [1], [], [0]]


@every(
    "arguments, words",
    cases(__file__, "what cannot be written is said", lists=True),
)
def test_what_cannot_be_written_is_said(
    arguments: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "a").touch()
    with open_store("tidings.db") as store, store.begin("live", {}, events=[STORM]):
        pass
    assert tidings(["store", "marks", *arguments]) == 2
    assert words in capsys.readouterr().err
    assert not (tmp_path / "new").exists()
