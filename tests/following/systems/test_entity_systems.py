"""What every system that ranks entities keeps to: the common suite's properties, over all of them, alone and beside."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import pytest
from msgspec.structs import replace

from tests.following.systems.streams import HOSTILE, Push, follow
from tests.following.systems.test_common import size_of
from tests.sweeps import cases, every
from tidings.core.records import EntityRanking, Event, Output, Sentence, Update
from tidings.following.hosting import DEFAULT_ENTITIES
from tidings.following.systems.entities import default_system
from tidings.following.systems.registry import available_entities, make

SPECS = [*available_entities(), f"{DEFAULT_ENTITIES}:documents=2,most=3"]
BESIDE = ["cosine:entities=yes", "lexrank:values=yes,entities=yes", "cosine:entities=yes,about=5/hour"]
FIRE = Event(id="fire", title="Ferry fire", query="ferry fire port")

_SAYINGS = tuple(cases(__file__, "sayings"))
_PEOPLE = ("Maria Rossi", "Angela Merkel", "Barack Obama", "John Miller", "Li Wei")
_BODIES = ("Red Cross", "World Bank", "Navy", "United Nations")
_PLACES = ("Genoa", "Paris", "Madrid", "Athens", "London")


def stream(seed: int, pushes: int = 24, *, gap_s: int = 14_000, hostile: bool = False) -> Iterator[Push]:
    """Pushes of one or two documents that name people, bodies and places; several a day."""
    rng = random.Random(seed)
    now = 1_400_000_000
    for push in range(pushes):
        now += rng.randint(0, gap_s)
        sentences = []
        for document in range(rng.randint(1, 2)):
            for index in range(rng.randint(1, 4)):
                text = rng.choice(_SAYINGS).format(
                    a=rng.choice(_PEOPLE), b=rng.choice(_PEOPLE), o=rng.choice(_BODIES), p=rng.choice(_PLACES)
                )
                if hostile and rng.random() < 0.5:
                    text = rng.choice(HOSTILE) + text
                sentences.append(Sentence(f"{now}-{push}-{document}", index, text, now, "Wire", title="Fire"))
        yield sentences, now


def run(spec: str, pushes: Sequence[Push]) -> list[Output]:
    follower = make(spec).start(FIRE)
    return [*follow(follower, pushes), *follower.finish(pushes[-1][1] + 60)]


def test_the_default_is_one_of_them() -> None:
    assert default_system().name == DEFAULT_ENTITIES
    assert default_system() == make(DEFAULT_ENTITIES)


@every("spec", SPECS)
def test_gives_each_day_once_with_all_that_is_known_of_it(spec: str) -> None:
    pushes = list(stream(1))
    rankings = run(spec, pushes)
    assert len(rankings) > 1
    dates = [ranking.date for ranking in rankings]
    assert dates == sorted(set(dates))
    said = {sentence.id: sentence.text for sentences, _ in pushes for sentence in sentences}
    for ranking in rankings:
        assert isinstance(ranking, EntityRanking)
        size = len(ranking.entities)
        assert 0 < size <= 20
        for beside in ("types", "scores", "salience", "informativeness", "new", "evidence", "ids"):
            assert len(getattr(ranking, beside)) == size, beside
        assert list(ranking.scores) == sorted(ranking.scores, reverse=True)
        assert set(ranking.types) <= {"PER", "ORG", "LOC"}
        assert len(set(ranking.ids)) == len(set(zip(ranking.entities, ranking.types, strict=True))) == size
        assert all(0 <= one <= 1 for one in (*ranking.salience, *ranking.informativeness))
        for name, evidence in zip(ranking.entities, ranking.evidence, strict=True):
            assert said[f"{evidence.doc_id}-{evidence.sentence_index}"] == evidence.text
            assert name.split()[-1] in evidence.text
    assert all(rankings[0].new)
    before: set[int] = set()
    for ranking in rankings:
        assert not any(one in before and new for one, new in zip(ranking.ids, ranking.new, strict=True))
        before = set(ranking.ids)
    assert not all(new for ranking in rankings[1:] for new in ranking.new)


@every("spec", ["entities", "adapter", "taer", "frequency", *BESIDE])
def test_deterministic_and_resumed_equals_undisturbed_at_every_cut(spec: str) -> None:
    system, pushes = make(spec), list(stream(2, 10))
    whole, states, outputs = system.start(FIRE), [], []
    for sentences, now in pushes:
        outputs.append(whole.push(sentences, now))
        states.append(whole.state())
    end = pushes[-1][1] + 60
    last = list(whole.finish(end))
    assert any(isinstance(output, EntityRanking) for part in [*outputs, last] for output in part)
    for cut, state in enumerate(states):
        resumed = system.start(FIRE)
        resumed.restore(state)
        assert [resumed.push(*push) for push in pushes[cut + 1 :]] == outputs[cut + 1 :]
        assert list(resumed.finish(end)) == last


@every("spec", SPECS)
def test_no_look_ahead(spec: str) -> None:
    """What is given of a day hangs on nothing that comes after it."""
    pushes = list(stream(3))
    whole = follow(make(spec).start(FIRE), pushes)
    for cut in range(2, len(pushes), 5):
        part = follow(make(spec).start(FIRE), pushes[:cut])
        assert part == whole[: len(part)]


@every("spec", [*SPECS, *BESIDE])
def test_a_stream_that_ended_may_go_on(spec: str) -> None:
    """What comes then is told as if it had never ended; what was said at the end is not said again."""
    system, pushes = make(spec), list(stream(2, 16))
    whole = follow(system.start(FIRE), pushes)
    for cut in range(1, len(pushes), 5):
        follower = system.start(FIRE)
        before = follow(follower, pushes[:cut])
        end = pushes[cut - 1][1] + 60
        last = _rankings(follower.finish(end))
        state = follower.state()
        resumed = system.start(FIRE)
        resumed.restore(state)
        assert not _rankings(resumed.finish(end))
        after = follow(resumed, pushes[cut:])
        assert after == follow(follower, pushes[cut:])
        expected = {one.date: replace(one, time=0) for one in _rankings(whole)}
        told = [replace(one, time=0) for one in _rankings([*before, *last, *after])]
        assert {one.date: one for one in told if one.date in expected} == expected
        assert all(one != other for one, other in pairwise(told))


def _rankings(outputs: Iterable[Output]) -> list[EntityRanking]:
    return [one for one in outputs if isinstance(one, EntityRanking)]


@every("spec", SPECS)
def test_hostile_text(spec: str) -> None:
    assert run(spec, list(stream(4, hostile=True)))


def test_a_given_name_that_one_document_alone_uses_is_nobody() -> None:
    start = 1_400_000_000
    texts = (
        "The ferry fire in the port of Genoa was put out, Maria Rossi said. Rossi thanked the Navy.",
        "The ferry fire in the port of Genoa killed a man, Maria Rossi said. His wife Meghan wept in Genoa.",
    )
    sentences = [
        Sentence(f"{start}-{number}", index, f"{text}.", start, "Wire", title="Ferry fire")
        for number, document in enumerate(texts)
        for index, text in enumerate(document.removesuffix(".").split(". "))
    ]
    (ranking,) = run("frequency", [(sentences, start)])
    assert isinstance(ranking, EntityRanking)
    assert "Maria Rossi" in ranking.entities
    assert "Meghan" not in ranking.entities


@every("spec", SPECS)
def test_a_stream_without_names_and_one_without_the_event(spec: str) -> None:
    nameless = [
        ([Sentence(f"d{n}", 0, "the ferry is on fire in port", n * 50_000)], n * 50_000) for n in range(4)
    ]
    assert all(not ranking.entities for ranking in run(spec, nameless))
    other = [
        ([Sentence(f"d{n}", 0, "Maria Rossi sings in Paris.", n * 50_000)], n * 50_000) for n in range(4)
    ]
    assert run(spec, other) == []


@pytest.mark.parametrize("spec", SPECS)
def test_memory_is_bounded_by_what_is_new(spec: str) -> None:
    """The same names again and again do not make a follower grow."""
    follower = make(spec).start(FIRE)
    sizes = []
    for number, (sentences, now) in enumerate(stream(5, 90)):
        follower.push(sentences, now)
        if number in (59, 89):
            sizes.append((size_of(follower), len(follower.state())))
    assert sizes[1][0] < 1.4 * sizes[0][0] + 20_000
    assert sizes[1][1] < 1.4 * sizes[0][1] + 5_000


@every("spec", BESIDE)
def test_beside_another_system_both_give_what_they_give_alone(spec: str) -> None:
    pushes = list(stream(6))
    together = run(spec, pushes)
    rankings = [output for output in together if isinstance(output, EntityRanking)]
    assert rankings == run(DEFAULT_ENTITIES, pushes)
    alone = spec.replace("entities=yes", "entities=no").replace("values=yes", "values=no")
    updates = [output for output in together if isinstance(output, Update)]
    assert updates == run(alone, pushes)
