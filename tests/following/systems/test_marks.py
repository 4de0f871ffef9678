"""Marks of readers: what resembles a marked update is held back at once; without marks nothing changes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

import pytest
from msgspec.structs import replace

from tests.sweeps import cases, every
from tidings.core.records import Event, Output, Sentence, Update
from tidings.core.records.standing import MarkKind, ReaderMark, StandingEvent
from tidings.following.systems.assembly import assemble, standing_system
from tidings.following.systems.base import SystemBase
from tidings.following.systems.decider import Decider, DecidingFollower
from tidings.following.systems.marks import MOST_MARKED, MOST_UPDATES, Likeness, Marks, MarksFollower
from tidings.following.systems.registry import make

EVENT = Event(id="ferry", title="Ferry fire", query="ferry fire")
TEXTS = tuple(cases(__file__, "texts"))
CHAFF, MORE_CHAFF = TEXTS[1], TEXTS[3]


def pushes() -> list[tuple[list[Sentence], int]]:
    return [
        (
            [Sentence(f"d{number}", 0, text, 600 * number, "Wire", language="de" if number == 6 else "en")],
            600 * number,
        )
        for number, text in enumerate(TEXTS)
    ]


def mark(text: str, kind: MarkKind = "not-about", *, withdrawn: bool = False) -> ReaderMark:
    return ReaderMark(update_id=f"d{TEXTS.index(text)}-0", text=text, mark=kind, withdrawn=withdrawn)


NUMBERS = count()


STRICT = Likeness(not_about=0.35, known=0.5, contrast=1.0)


def follower(likeness: Likeness = STRICT) -> DecidingFollower:
    return Decider(make("first:min_words=0"), (Marks(likeness=likeness),)).start(EVENT)


def marks_of(one: DecidingFollower) -> MarksFollower:
    assert one._marked[0] is not None
    return one._marked[0]


def told(one: DecidingFollower, *texts: str) -> list[str]:
    sentences = [Sentence(f"n{next(NUMBERS)}", 0, text, 9_000) for text in texts]
    return [output.text for output in one.push(sentences, 9_000) if isinstance(output, Update)]


@every("spec", ["first", "cosine", "centroid", "tidings", "random", "sumbasic"])
def test_without_marks_not_a_digit_changes(spec: str) -> None:
    plain, marked = Decider(make(spec)).start(EVENT), Decider(make(spec), (Marks(),)).start(EVENT)
    for sentences, now in pushes():
        assert list(marked.push(sentences, now)) == list(plain.push(sentences, now))
        assert marked.state() == plain.state()
    assert list(marked.finish(9_000)) == list(plain.finish(9_000))
    decider = Decider(make(spec), (Marks(),))
    assert (decider.spec, decider.interest(EVENT)) == (make(spec).spec, make(spec).interest(EVENT))


def test_what_resembles_a_marked_update_is_held_back() -> None:
    one = follower()
    assert told(one, CHAFF) == [CHAFF]
    one.mark(mark(CHAFF))
    assert told(one, *TEXTS[:6]) == [text for text in TEXTS[:6] if text not in (CHAFF, MORE_CHAFF)]
    one.mark(mark(CHAFF, withdrawn=True))
    assert told(one, *TEXTS[:6]) == list(TEXTS[:6])
    assert marks_of(one).state() == b""  # forgotten, with what was told meanwhile


def test_what_was_told_and_not_marked_speaks_for_what_resembles_it() -> None:
    chaff = "Ferry fire lottery winners celebrate champagne dinners"
    both = f"{chaff} while rescuers pulled forty survivors from cold water."
    for contrast, expected in ((0.0, True), (1.0, False)):
        likeness = Likeness(not_about=0.3, known=0.5, contrast=contrast)
        one = follower(likeness)
        one.mark(mark(CHAFF))
        assert marks_of(one).resembles(both)
        told(one, TEXTS[2])
        assert marks_of(one).resembles(both) is expected


def test_an_update_that_is_marked_speaks_for_nothing_any_more() -> None:
    one = follower()
    one.mark(mark(TEXTS[4]))
    (output,) = one.push([Sentence("chaff", 0, CHAFF, 9_000)], 9_000)
    assert isinstance(output, Update)
    one.mark(ReaderMark(update_id=output.id, text=output.text, mark="not-about"))
    assert marks_of(one).resembles(CHAFF)


def test_after_the_last_mark_is_withdrawn_nothing_is_remembered() -> None:
    one, other = follower(), follower()
    one.mark(mark(CHAFF))
    told(one, TEXTS[2])
    one.mark(mark(CHAFF, withdrawn=True))
    for each in (one, other):
        each.mark(mark(TEXTS[4]))
    assert marks_of(one).state() == marks_of(other).state()


class Waiting:
    """Tells at its end what it was given."""

    def __init__(self) -> None:
        self._texts: list[str] = []

    def push(self, sentences: Sequence[Sentence], now: int) -> list[Output]:
        self._texts += [one.text for one in sentences]
        return []

    def finish(self, now: int) -> list[Output]:
        return [Update("ferry", f"w{number}", 0, now, 1.0, text) for number, text in enumerate(self._texts)]

    def state(self) -> bytes:
        return b""

    def restore(self, data: bytes) -> None:
        return None


class Holds(SystemBase, frozen=True):
    """Of such followers."""

    name = "holds"

    def start(self, event: Event) -> Waiting:
        return Waiting()


def test_what_waited_since_before_the_mark_is_held_back_too() -> None:
    one = Decider(Holds(), (Marks(),)).start(EVENT)
    one.push([Sentence("a", 0, MORE_CHAFF, 60), Sentence("b", 0, TEXTS[5], 60)], 60)
    one.mark(mark(CHAFF))
    assert [output.text for output in one.finish(90) if isinstance(output, Update)] == [TEXTS[5]]


def test_the_event_s_own_words_make_nothing_alike() -> None:
    one = follower()
    one.mark(mark("The ferry fire killed nine passengers near the northern harbour."))
    texts = ["Fire on a ferry again", "A ferry on fire ended the summer"]
    assert told(one, *texts) == texts


def test_a_known_fact_must_resemble_more_than_what_is_not_about_it() -> None:
    strict, loose = follower(), follower()
    near = "Ferry fire: lottery winners celebrate while owners promise compensation"
    strict.mark(mark(CHAFF))
    loose.mark(mark(CHAFF, "known"))
    assert told(loose, near) == [near] and told(strict, near) == []


def test_a_marked_follower_goes_on_from_its_state() -> None:
    one = follower()
    one.mark(mark(CHAFF))
    one.mark(mark(TEXTS[4], "known"))
    for sentences, now in pushes()[:3]:
        one.push(sentences, now)
    other = follower()
    other.restore(one.state())
    for sentences, now in pushes()[3:]:
        expected: list[Output] = list(one.push(sentences, now))
        assert list(other.push(sentences, now)) == expected
        assert other.state() == one.state()
    fresh = follower()
    fresh.mark(mark(TEXTS[0]))
    fresh.restore(follower().state())
    assert fresh.state() == follower().state()


def test_memory_is_bounded_and_the_oldest_goes_first() -> None:
    one = follower()
    for number in range(MOST_MARKED + 3):
        one.mark(ReaderMark(update_id=f"m{number}", text=f"chaff{number} " * 400, mark="known"))
    for number in range(MOST_UPDATES + 3):
        told(one, f"update{number} tells something new of its own")
    for number in range(5):
        one.push([Sentence(f"x{number}", 0, f"word{number} and more", 9_000)], 9_000)
    memory = marks_of(one)
    assert len(memory._marked) == MOST_MARKED and "m2" not in memory._marked and "m3" in memory._marked
    assert len(memory._updates) <= MOST_UPDATES
    assert all(len(text) <= 1_000 for _, text in memory._marked.values())


@pytest.mark.parametrize("spec", ["cosine", "tidings"])
@pytest.mark.parametrize(("about", "then"), [("", "5/day"), ("10/day", ""), ("10/day", "5/day")])
def test_marks_stay_when_the_pace_changes(spec: str, about: str, then: str) -> None:
    before = StandingEvent(event=EVENT, system=spec, about=about)
    now = replace(before, about=then)
    one = standing_system(before).start(EVENT)
    for sentences, time in pushes():
        one.push(sentences, time)
    one.mark(mark(CHAFF))
    other = standing_system(now).start(EVENT)
    other.restore(one.state())
    late = [Sentence("late", 0, MORE_CHAFF, 9_000)]
    assert not [output for output in other.push(late, 9_000) if isinstance(output, Update)]
    other.mark(mark(CHAFF, withdrawn=True))
    assert standing_system(now).spec == plain_spec(now)


def plain_spec(standing: StandingEvent) -> str:
    return assemble(standing.system, about=standing.about).spec
