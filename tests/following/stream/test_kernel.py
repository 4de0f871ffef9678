"""Events begin when they are needed, go on as other versions of themselves, and leave when they are over."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from tests.following.stream.fakes import Holding, Memory, make_documents, make_event
from tests.sweeps import every
from tidings.core.records import Sentence
from tidings.following.stream.kernel import FollowedEvent, FollowedEvents, gather
from tidings.following.stream.loop import follow_stream
from tidings.following.systems.decider import as_decider

SENTENCE = Sentence("d", 0, "storm", 5)
EVENTS = [make_event(name, 0, 100) for name in "abc"]


def followed(
    system: Holding, saved: Mapping[str, bytes] | None = None, *, keeps: bool = True
) -> FollowedEvents:
    decider = as_decider(system)
    return FollowedEvents(lambda event: decider, EVENTS, saved or {}, keeps=keeps)


def test_an_event_is_begun_when_it_is_first_offered_something() -> None:
    system = Holding()
    events = followed(system)
    assert system.started == ["a"], "the first is tried at once"
    events.decide(1, [SENTENCE], 5)
    events.decide(1, [SENTENCE], 5)
    events.decide(0, [SENTENCE], 5)
    assert system.started == ["a", "b"]
    assert [now for now, _ in events.end_stream(9)] == [9, 9]
    assert [event_id for event_id, _, _ in system.asked] == ["a", "b"], "the third was never offered anything"


def test_a_state_is_taken_up_when_it_is_needed_and_given_when_it_is_another() -> None:
    first = followed(Holding())
    for slot in range(3):
        first.decide(slot, [SENTENCE], 5)
    states = first.states()
    assert sorted(states) == ["a", "b", "c"]
    assert first.states() == {}

    system = Holding()
    again = followed(system, states)
    assert system.started == ["a"], "the first state is tried at once"
    again.decide(2, [], 6)
    assert system.started == ["a", "c"]
    assert again.states() == {}, "nothing was offered, so the state is the one that was saved"
    assert again.decide(2, [SENTENCE], 7) == []
    assert again.decide(2, [SENTENCE], 8)[0].confidence == 1.0
    assert sorted(again.states()) == ["c"]


@every("keeps", [True, False])
def test_an_event_that_is_over_is_let_go_and_its_last_state_given(keeps: bool) -> None:
    system = Holding(most=9)
    events = followed(system, keeps=keeps)
    events.decide(0, [SENTENCE], 5)
    assert [(now, len(outputs)) for now, outputs in events.end_before(EVENTS[0].end_time + 1)] == [
        (EVENTS[0].end_time, 3)
    ]
    assert not system.followers, "let go"
    assert not list(events.end_stream(EVENTS[0].end_time + 1))
    if keeps:
        restored = FollowedEvent(as_decider(Holding(most=9)), EVENTS[0], events.states()["a"])
        assert restored.finish(9) == []


def test_a_state_taken_up_only_for_the_end_does_not_stay_in_memory() -> None:
    first = followed(Holding(most=9))
    for slot in range(3):
        first.decide(slot, [SENTENCE], 5)
    system = Holding(most=9)
    again = followed(system, first.states())
    assert [len(outputs) for _, outputs in again.end_stream(9)] == [3, 3, 3]
    assert len(system.followers) == 1, "only the one that was tried"
    assert sorted(again.states()) == ["a", "b", "c"]


def test_a_change_goes_on_with_what_was_remembered() -> None:
    first = FollowedEvent(as_decider(Holding(most=1)), EVENTS[0])
    assert first.decide([SENTENCE], 5) == []
    kept = first.new_state()
    assert kept is not None and first.new_state() is None and first.remembers(kept)
    other = FollowedEvent(as_decider(Holding(most=1)), replace(EVENTS[0], query="other"), kept)
    assert len(other.decide([SENTENCE], 6)) == 3 and not other.remembers(other.state())


def test_what_was_offered_in_an_interval_is_decided_in_time_order() -> None:
    late, early = replace(SENTENCE, published_time=9), replace(SENTENCE, index=1)
    offered = [("b", [late]), ("a", [SENTENCE]), ("b", [early])]
    assert list(gather(offered, 60)) == [("a", [SENTENCE]), ("b", [early, late])]
    assert list(gather(offered, 0)) == offered


def test_ten_thousand_events_of_which_few_are_offered_anything() -> None:
    system = Holding()
    events = [make_event(str(number), 10 * number, 10 * number + 5) for number in range(10_000)]
    memory = Memory()
    list(follow_stream(make_documents([12, 50_003, 99_991]), events, system, memory, lateness_s=0))
    assert sorted(system.started) == ["0", "1", "5000", "9999"]
    assert sorted(memory.saved.states) == ["1", "5000", "9999"]
