"""Followers begin when they are needed, and leave when their event is over."""

from __future__ import annotations

from tests.following.stream.fakes import Holding, Memory, make_documents, make_event
from tests.sweeps import every
from tidings.core.records import Sentence
from tidings.following.stream.followers import Followers
from tidings.following.stream.loop import follow_stream

SENTENCE = Sentence("d", 0, "storm", 5)
EVENTS = [make_event(name) for name in "abc"]


def test_a_follower_is_begun_when_its_event_is_first_offered_something() -> None:
    system = Holding()
    followers = Followers(system, EVENTS, {}, keeps=True)
    assert system.started == ["a"], "the first is tried at once"
    assert not followers.is_begun(0)
    followers.push(1, [SENTENCE], 5)
    followers.push(1, [SENTENCE], 5)
    followers.push(0, [SENTENCE], 5)
    assert system.started == ["a", "b"]
    assert [followers.is_begun(slot) for slot in range(3)] == [True, True, False]


def test_a_state_is_taken_up_when_it_is_needed_and_given_when_it_is_another() -> None:
    first = Followers(Holding(), EVENTS, {}, keeps=True)
    for slot in range(3):
        first.push(slot, [SENTENCE], 5)
    states = first.states()
    assert sorted(states) == ["a", "b", "c"]
    assert first.states() == {}

    system = Holding()
    again = Followers(system, EVENTS, states, keeps=True)
    assert system.started == ["a"], "the first state is tried at once"
    assert all(again.is_begun(slot) for slot in range(3))
    again.push(2, [], 6)
    assert system.started == ["a", "c"]
    assert again.states() == {}, "nothing was offered, so the state is the one that was saved"
    assert again.push(2, [SENTENCE], 7) == []
    assert again.push(2, [SENTENCE], 8)[0].confidence == 1.0
    assert sorted(again.states()) == ["c"]


@every("keeps", [True, False])
def test_a_follower_that_finished_for_good_is_let_go_and_its_last_state_given(keeps: bool) -> None:
    system = Holding(most=9)
    followers = Followers(system, EVENTS, {}, keeps=keeps)
    followers.push(0, [SENTENCE], 5)
    assert len(followers.finish(0, 9, for_good=True)) == 3
    assert followers.begun_count == 0
    if keeps:
        restored = Holding().start(EVENTS[0])
        restored.restore(followers.states()["a"])
        assert restored.waiting == [] and restored.given == 1


def test_a_state_taken_up_only_for_the_end_does_not_stay_in_memory() -> None:
    first = Followers(Holding(most=9), EVENTS, {}, keeps=True)
    for slot in range(3):
        first.push(slot, [SENTENCE], 5)
    again = Followers(Holding(most=9), EVENTS, first.states(), keeps=True)
    assert len(again.finish(2, 9, for_good=False)) == 3
    assert again.begun_count == 1, "only the one that was tried"
    assert sorted(again.states()) == ["c"]
    again.finish(0, 9, for_good=False)
    assert again.begun_count == 1


def test_ten_thousand_events_of_which_few_are_offered_anything() -> None:
    system = Holding()
    events = [make_event(str(number), 10 * number, 10 * number + 5) for number in range(10_000)]
    memory = Memory()
    list(follow_stream(make_documents([12, 50_003, 99_991]), events, system, memory, lateness_s=0))
    assert sorted(system.started) == ["0", "1", "5000", "9999"]
    assert sorted(memory.saved.states) == ["1", "5000", "9999"]
