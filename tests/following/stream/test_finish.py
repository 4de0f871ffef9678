"""What followers hold is given at their event's end and at the stream's, once, however the run got there."""

from __future__ import annotations

from itertools import groupby

import pytest
from hypothesis import given, strategies as st

from tests.following.stream.fakes import Every, Holding, Memory, make_documents, make_event
from tests.sweeps import every
from tidings.core.records import EntityRanking, Output, Update, ValueUpdate
from tidings.following.stream import loop
from tidings.following.stream.kernel import FollowerError
from tidings.following.stream.loop import Tally, follow_stream
from tidings.sources import Source


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commit after every interval."""
    monkeypatch.setattr(loop, "_COMMIT_EVERY_S", 0)
    monkeypatch.setattr(loop, "_COMMIT_SHARE", 0)


def outputs_of(*args, **options) -> list[Output]:
    return [output for _, outputs in follow_stream(*args, **options) for output in outputs]


def ids(outputs: list[Output]) -> list[tuple[str, str, int]]:
    return [(one.event_id, one.doc_id, one.time) for one in outputs if isinstance(one, Update)]


class TestAnEventsEnd:
    def test_what_is_held_is_given_when_the_stream_has_passed_it(self) -> None:
        system = Holding(most=9)
        documents = make_documents([10, 100, 101, 150], sentences=1)
        moments = list(follow_stream(documents, [make_event(end=100)], system, lateness_s=0))
        assert [now for now, _ in moments] == [100]
        assert ids(moments[0][1]) == [("e", "d0", 100), ("e", "d1", 100)]
        assert system.asked == [("e", 100, 2)]

    def test_a_document_at_the_end_itself_still_belongs_to_the_event(self) -> None:
        system = Holding(most=0)
        outputs = outputs_of(make_documents([100, 100, 101], sentences=1), [make_event(end=100)], system)
        assert ids(outputs) == [("e", "d0", 100), ("e", "d1", 100)]

    def test_several_events_finish_in_the_order_of_their_ends(self) -> None:
        system = Holding(most=9)
        events = [
            make_event("a", end=50),
            make_event("b", end=20),
            make_event("c", end=50),
            make_event("d", start=90),
        ]
        moments = list(follow_stream(make_documents([5, 60, 80], sentences=1), events, system, lateness_s=0))
        assert [now for now, _ in moments] == [20, 50, 50]
        assert sorted(system.asked) == [("a", 50, 1), ("b", 20, 1), ("c", 50, 1)]

    @every("times", [[5, 12, 14], [5, 12, 40]])
    def test_by_intervals_it_comes_after_the_last_push_of_its_event(self, times: list[int]) -> None:
        system = Holding(most=9)
        outputs = outputs_of(make_documents(times, sentences=1), [make_event(end=12)], system, interval_s=10)
        assert ids(outputs) == [("e", "d0", 12), ("e", "d1", 12)]
        assert system.asked == [("e", 12, 2)]

    def test_an_end_that_passed_between_intervals_is_told_at_its_own_time(self) -> None:
        system = Holding(most=9)
        moments = list(
            follow_stream(
                make_documents([5, 95], sentences=1),
                [make_event(end=40)],
                system,
                interval_s=10,
                lateness_s=0,
            )
        )
        assert [now for now, _ in moments] == [40]

    def test_a_follower_that_was_offered_nothing_is_not_asked(self) -> None:
        system = Holding()
        list(
            follow_stream(
                make_documents([60]), [make_event("early", 0, 50), make_event("late", 70, 90)], system
            )
        )
        assert system.asked == []

    def test_a_run_that_stopped_at_its_very_end_tells_before_what_comes_later(self) -> None:
        memory, documents = Memory(), make_documents([50, 100, 130], sentences=1)
        events = [make_event("late"), make_event("ending", end=100)]
        tally = Tally()
        options = {"lateness_s": 0, "tally": tally, "stop": lambda: tally.documents == 2}
        assert list(follow_stream(documents, events, Holding(most=2), memory, **options)) == []
        moments = list(follow_stream(documents, events, Holding(most=2), memory, lateness_s=0))
        assert [now for now, _ in moments] == [100, 130, 130]
        assert {one.event_id for one in moments[0][1]} == {"ending"}

    def test_its_outputs_are_committed_with_the_border_that_ended_it(self, often: None) -> None:
        memory, seen = Memory(), []
        commit = memory.commit

        def noting(positions, states, outputs, late, *, finished=False):
            commit(positions, states, outputs, late, finished=finished)
            seen.append((positions[0].last_time, ids(outputs), sorted(states)))

        memory.commit = noting
        list(
            follow_stream(
                make_documents([10, 90, 101, 120], sentences=1),
                [make_event(end=100)],
                Holding(),
                memory,
                lateness_s=0,
            )
        )
        assert seen == [
            (10, [], ["e"]),
            (90, [], ["e"]),
            (101, [("e", "d0", 100), ("e", "d1", 100)], ["e"]),
            (120, [], []),
            (120, [], []),
        ]


class TestTheStreamsEnd:
    def test_what_is_held_is_given_at_the_last_decision(self) -> None:
        assert ids(outputs_of(make_documents([10, 20], sentences=1), [make_event()], Holding())) == [
            ("e", "d0", 20),
            ("e", "d1", 20),
        ]
        by_interval = outputs_of(
            make_documents([10, 20], sentences=1), [make_event()], Holding(), interval_s=60
        )
        assert ids(by_interval) == [("e", "d0", 60), ("e", "d1", 60)]

    def test_never_after_the_events_end(self) -> None:
        events = [make_event("short", end=30), make_event("long")]
        outputs = outputs_of(make_documents([10], sentences=1), events, Holding(), interval_s=60)
        assert ids(outputs) == [("short", "d0", 30), ("long", "d0", 60)]

    def test_not_where_the_run_was_stopped(self) -> None:
        memory, tally, system = Memory(), Tally(), Holding(most=9)
        documents = make_documents(range(9), sentences=1)
        left = iter(range(4))
        list(
            follow_stream(
                documents,
                [make_event()],
                system,
                memory,
                lateness_s=0,
                tally=tally,
                stop=lambda: next(left, None) is None,
            )
        )
        assert system.asked == [] and memory.updates == []
        list(follow_stream(documents, [make_event()], system, memory, lateness_s=0))
        assert system.asked == [("e", 8, 9)]
        assert memory.updates == outputs_of(documents, [make_event()], Holding(most=9))

    def test_a_finished_run_is_not_asked_again_until_its_stream_has_grown(self) -> None:
        memory, system = Memory(), Holding(most=9)
        list(follow_stream(make_documents([1, 2]), [make_event()], system, memory))
        list(follow_stream(make_documents([1, 2]), [make_event()], system, memory))
        assert system.asked == [("e", 2, 4)]
        list(follow_stream(make_documents([1, 2, 5]), [make_event()], system, memory))
        assert system.asked == [("e", 2, 4), ("e", 5, 2)]

    def test_an_event_that_ended_is_not_asked_again(self) -> None:
        memory, system = Memory(), Holding(most=9)
        events = [make_event("a", end=3), make_event("b")]
        list(follow_stream(make_documents([1, 5]), events, system, memory))
        list(follow_stream(make_documents([1, 5, 7]), events, system, memory))
        assert system.asked == [("a", 3, 2), ("b", 5, 4), ("b", 7, 2)]

    def test_what_is_wrong_at_an_end_is_named_with_its_place(self) -> None:
        class Failing(Holding):
            def start(self, event):
                follower = super().start(event)
                follower.finish = lambda now: 1 / 0
                return follower

        memory = Memory()
        with pytest.raises(FollowerError, match="event e at stream time 1, at the end: ZeroDivisionError"):
            list(follow_stream(make_documents([1]), [make_event()], Failing(), memory))
        assert not memory.saved.finished
        list(follow_stream(make_documents([1]), [make_event()], Holding(), memory))
        assert len(ids(memory.updates)) == 2

    def test_a_follower_that_finishes_at_another_time_is_refused(self) -> None:
        class Liar(Holding):
            def start(self, event):
                follower = super().start(event)
                finish = follower.finish
                follower.finish = lambda now: finish(now + 1)
                return follower

        with pytest.raises(FollowerError, match="expected this event and now"):
            list(follow_stream(make_documents([1]), [make_event()], Liar()))


class TestOutputs:
    def test_every_kind_passes_and_is_counted(self) -> None:
        memory, tally = Memory(), Tally()
        given_out = outputs_of(make_documents([1, 2]), [make_event()], Holding(), memory, tally=tally)
        assert given_out == memory.updates
        assert {type(one) for one in given_out} == {Update, ValueUpdate, EntityRanking}
        assert tally.updates == {"e": len(given_out)}

    def test_nothing_is_given_before_its_commit(self, often: None) -> None:
        """Neither while the stream runs nor at an end: a reader never sees what a crash could take back."""
        memory = Memory()
        events = [make_event("a", end=20), make_event("b")]
        given_out: list[Output] = []
        for _, outputs in follow_stream(make_documents(range(50)), events, Holding(), memory):
            given_out += outputs
            assert given_out == memory.updates[: len(given_out)]
        assert given_out == memory.updates

    def test_a_commit_that_fails_gives_nothing_of_it(self, often: None) -> None:
        for fail_in in range(11):
            memory, given_out = Memory(), []
            memory.fail_in = fail_in
            with pytest.raises(ConnectionError):
                for _, outputs in follow_stream(
                    make_documents(range(10)), [make_event()], Every(), memory, lateness_s=0
                ):
                    given_out += outputs
            assert given_out == memory.updates


@given(
    st.lists(st.integers(0, 300), min_size=1, max_size=20),
    st.lists(st.integers(250, 600), max_size=8),
    st.sampled_from([0, 60]),
    st.integers(0, 100),
    st.data(),
)
def test_however_often_it_failed_a_run_ends_as_an_undisturbed_one(
    times: list[int], more: list[int], interval_s: int, lateness_s: int, data
) -> None:
    """Over a stream that ended, grew, and ended again."""
    events = [make_event("a", 0, 120), make_event("b", 100, 300), make_event("c", 0, 500)]
    options = {"interval_s": interval_s, "lateness_s": lateness_s}
    first, whole = make_documents(times), make_documents([*times, *more])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loop, "_COMMIT_EVERY_S", 0)
        patch.setattr(loop, "_COMMIT_SHARE", 0)
        undisturbed, memory = Memory(), Memory()
        for documents in (first, whole):
            sources = [Source("s", lambda documents=documents: documents)]
            list(follow_stream(sources, events, Holding(), undisturbed, **options))
            for _ in range(3):
                memory.fail_in = data.draw(st.integers(0, 10))
                try:
                    list(follow_stream(sources, events, Holding(), memory, **options))
                except ConnectionError:
                    continue
            memory.fail_in = None
            list(follow_stream(sources, events, Holding(), memory, **options))
            assert memory.updates == undisturbed.updates
            assert memory.saved.finished
    for _, own in groupby(sorted(ids(memory.updates)), key=lambda one: one[:2]):
        assert len(list(own)) <= 2  # two sentences a document, each given once
