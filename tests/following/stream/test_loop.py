"""The follow loop: intervals, commits, resuming.

Durations and decision intervals.
"""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from tests.following.stream.fakes import Every, Memory, make_documents, make_event
from tests.sweeps import every
from tidings.core import format_duration, parse_duration
from tidings.core.errors import FormatError, Problem, StoreError, UsageError
from tidings.core.records import Document, Sentence, Update
from tidings.following.stream import loop
from tidings.following.stream.kernel import FollowerError, moment_of
from tidings.following.stream.loop import Tally, follow_stream, parse_interval
from tidings.sources import Source


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commit after every interval."""
    monkeypatch.setattr(loop, "_COMMIT_EVERY_S", 0)
    monkeypatch.setattr(loop, "_COMMIT_SHARE", 0)


def told(*args, **options) -> list[Update]:
    return [update for _, updates in follow_stream(*args, **options) for update in updates]


class TestIntervals:
    def test_by_document_each_document_is_decided_at_its_own_time(self) -> None:
        system = Every()
        list(follow_stream(make_documents([5, 5, 70]), [make_event()], system))
        assert system.calls == [
            ("e", 5, ["d0-0", "d0-1"]),
            ("e", 5, ["d1-0", "d1-1"]),
            ("e", 70, ["d2-0", "d2-1"]),
        ]

    def test_an_interval_is_decided_at_its_end_in_one_push(self) -> None:
        system = Every()
        list(
            follow_stream(
                make_documents([0, 59, 60, 200], sentences=1), [make_event()], system, interval_s=60
            )
        )
        assert system.calls == [("e", 60, ["d0-0", "d1-0"]), ("e", 120, ["d2-0"]), ("e", 240, ["d3-0"])]

    def test_sentences_of_a_push_are_ordered_by_time_document_and_index(self) -> None:
        documents = [
            Document(
                id=name, published_time=5, sentences=(Sentence(name, 1, "b", 5), Sentence(name, 0, "a", 5))
            )
            for name in ("z", "a")
        ]
        system = Every()
        list(follow_stream(documents, [make_event()], system, interval_s=60))
        assert system.calls == [("e", 60, ["a-0", "a-1", "z-0", "z-1"])]

    def test_a_document_with_sentences_out_of_order_is_put_in_order_too(self) -> None:
        documents = [
            Document(id="z", published_time=5, sentences=(Sentence("z", 1, "b", 5), Sentence("z", 0, "a", 5)))
        ]
        system = Every()
        list(follow_stream(documents, [make_event()], system))
        assert system.calls == [("e", 5, ["z-0", "z-1"])]

    def test_an_update_is_never_after_its_event_ends(self) -> None:
        events = [make_event("short", end=30), make_event("long")]
        updates = told(make_documents([10, 30, 31], sentences=1), events, Every(), interval_s=60)
        assert {(update.event_id, update.time) for update in updates} == {("short", 30), ("long", 60)}
        assert [update.doc_id for update in updates if update.event_id == "short"] == ["d0", "d1"]

    def test_text_is_cut_into_sentences(self) -> None:
        documents = [Document(id="d", published_time=5, text="A storm is near. Stay at home.")]
        assert [update.text for update in told(documents, [make_event()], Every())] == [
            "A storm is near.",
            "Stay at home.",
        ]

    def test_many_events_in_one_pass_decide_as_each_alone(self) -> None:
        events = [make_event("a", 0, 50), make_event("b", 20, 90)]
        documents = make_documents(range(0, 100, 7))
        together = told(documents, events, Every(3), interval_s=15)
        for event in events:
            alone = told(documents, [event], Every(3), interval_s=15)
            assert [update for update in together if update.event_id == event.id] == alone


class TestLate:
    def test_late_documents_are_counted_and_kept(self) -> None:
        tally, memory = Tally(), Memory()
        updates = told(
            make_documents([1000, 10, 2000, 20], sentences=1), [make_event()], Every(), memory, tally=tally
        )
        assert [update.doc_id for update in updates] == ["d0", "d2"]
        assert tally.late_count == 2
        assert [(late.ordinal, late.doc_id, late.bound_time) for late in memory.late] == [
            (2, "d1", 400),
            (4, "d3", 1400),
        ]
        assert memory.saved.positions[0].late == 2

    def test_only_the_first_thousand_are_kept_in_full(self) -> None:
        tally, memory = Tally(), Memory()
        told(make_documents([10**6] + [0] * 1200), [make_event()], Every(), memory, tally=tally)
        assert tally.late_count == 1200
        assert len(memory.late) == len(tally.late) == 1000


class TestCommit:
    def test_updates_are_given_only_after_their_commit(self) -> None:
        memory = Memory()
        for _, updates in follow_stream(make_documents(range(50)), [make_event()], Every(), memory):
            assert set(updates) <= set(memory.updates)

    def test_short_intervals_share_a_commit(self) -> None:
        memory = Memory()
        list(follow_stream(make_documents(range(200)), [make_event()], Every(), memory))
        assert memory.commits < 20

    def test_a_stream_with_nothing_waiting_is_committed_at_once(self) -> None:
        memory = Memory()
        seen = []

        def live():
            for document in make_documents([1, 2, 3], sentences=1):
                yield document
                yield None
                seen.append(len(memory.updates))

        list(follow_stream([Source("-", live, live=True)], [make_event()], Every(), memory, lateness_s=0))
        assert seen == [1, 2, 3]

    def test_states_that_did_not_change_are_not_written_again(self, often: None) -> None:
        events = [make_event("a", 0, 5), make_event("b", 0, 10)]
        memory, written = Memory(), []
        commit = memory.commit

        def noting(positions, states, updates, late, *, finished=False):
            written.append(sorted(states))
            commit(positions, states, updates, late, finished=finished)

        memory.commit = noting
        list(follow_stream(make_documents([1, 7]), events, Every(), memory, lateness_s=0))
        assert written == [["a", "b"], ["b"], []]


class TestResume:
    @given(
        st.lists(st.integers(0, 300), min_size=1, max_size=25),
        st.sampled_from([0, 60]),
        st.integers(0, 100),
        st.data(),
    )
    def test_a_run_that_fails_in_any_commit_ends_as_an_undisturbed_one(
        self, times: list[int], interval_s: int, lateness_s: int, data
    ) -> None:
        events = [make_event("a", 0, 200), make_event("b", 100, 300)]
        options = {"interval_s": interval_s, "lateness_s": lateness_s}
        whole = told(make_documents(times), events, Every(3), **options)
        memory = Memory()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(loop, "_COMMIT_EVERY_S", 0)
            patch.setattr(loop, "_COMMIT_SHARE", 0)
            for _ in range(3):
                memory.fail_in = data.draw(st.integers(0, 10))
                try:
                    list(follow_stream(make_documents(times), events, Every(3), memory, **options))
                except ConnectionError:
                    continue
            memory.fail_in = None
            list(follow_stream(make_documents(times), events, Every(3), memory, **options))
        assert memory.updates == whole
        assert memory.saved.finished

    def test_two_sources_each_go_on_where_they_were(self, often: None) -> None:
        def sources() -> list[Source]:
            return [
                Source("a", lambda: make_documents(range(0, 100, 3), "a")),
                Source("b", lambda: make_documents(range(0, 100, 5), "b")),
            ]

        whole = told(sources(), [make_event()], Every(2))
        memory = Memory()
        memory.fail_in = 9
        with pytest.raises(ConnectionError):
            list(follow_stream(sources(), [make_event()], Every(2), memory))
        memory.fail_in = None
        tally = Tally()
        list(follow_stream(sources(), [make_event()], Every(2), memory, tally=tally))
        assert memory.updates == whole
        assert tally.skipped > 0

    def test_stopping_keeps_what_was_decided(self) -> None:
        memory, tally = Memory(), Tally()
        left = iter(range(7))
        list(
            follow_stream(
                make_documents(range(50)),
                [make_event()],
                Every(),
                memory,
                lateness_s=0,
                tally=tally,
                stop=lambda: next(left, None) is None,
            )
        )
        assert not tally.complete
        assert not memory.saved.finished
        assert memory.saved.positions[0].released == 8
        list(follow_stream(make_documents(range(50)), [make_event()], Every(), memory, lateness_s=0))
        assert memory.updates == told(make_documents(range(50)), [make_event()], Every())

    def test_another_number_of_sources_is_refused(self) -> None:
        memory = Memory()
        list(follow_stream([Source("a", lambda: make_documents([1]))], [make_event()], Every(), memory))
        two = [Source(name, lambda: make_documents([1])) for name in "ab"]
        with pytest.raises(StoreError, match=r"2 sources \(expected the 1 that"):
            list(follow_stream(two, [make_event()], Every(), memory))

    def test_a_finished_run_tells_nothing_more(self) -> None:
        memory = Memory()
        first = told(make_documents(range(50)), [make_event()], Every(), memory)
        assert first
        assert told(make_documents(range(50)), [make_event()], Every(), memory) == []


class TestFailures:
    def test_a_source_that_fails_keeps_what_was_decided_and_goes_on_once_mended(self) -> None:
        documents = make_documents(range(0, 100, 10))

        def broken():
            yield from documents[:6]
            raise FormatError([Problem("s.gz", 0, "the end in mid-stream", "the rest")])

        memory = Memory()
        options = {"lateness_s": 20, "interval_s": 30}
        with pytest.raises(FormatError, match="mid-stream"):
            list(follow_stream([Source("s", broken)], [make_event()], Every(2), memory, **options))
        assert memory.updates
        assert not memory.saved.finished
        list(follow_stream([Source("s", lambda: documents)], [make_event()], Every(2), memory, **options))
        assert memory.updates == told(documents, [make_event()], Every(2), **options)

    def test_a_follower_that_raises_is_named_with_its_place(self, often: None) -> None:
        memory = Memory()
        events = [make_event("a"), make_event("b")]
        documents = make_documents(range(10))
        with pytest.raises(FollowerError) as caught:
            list(follow_stream(documents, events, Every(fail_at="d4"), memory, lateness_s=0))
        message = str(caught.value)
        for part in ("'every'", "event a", "time 4", "d4", "ValueError: no such word", "kept"):
            assert part in message
        list(follow_stream(documents, events, Every(), memory, lateness_s=0))
        assert memory.updates == told(documents, events, Every())

    def test_a_state_that_cannot_be_given_or_taken_up(self) -> None:
        memory = Memory()
        list(follow_stream(make_documents([1]), [make_event()], Every(), memory))
        memory.saved.states["e"] = b"\xc1 of another version"
        with pytest.raises(FollowerError, match=r"cannot restore its state for event e .*--restart"):
            list(follow_stream(make_documents([1]), [make_event()], Every(), memory))

        class Forgetful(Every):
            def start(self, event):
                follower = super().start(event)
                follower.state = lambda: 1 / 0
                return follower

        with pytest.raises(FollowerError, match="failed to return its state for event e"):
            list(follow_stream(make_documents([1]), [make_event()], Forgetful(), Memory()))

    def test_a_follower_that_tells_the_wrong_time_is_refused(self) -> None:
        class Liar(Every):
            def start(self, event):
                follower = super().start(event)
                push = follower.push
                follower.push = lambda sentences, now: push(sentences, now + 1)
                return follower

        with pytest.raises(FollowerError, match="expected this event and now"):
            list(follow_stream(make_documents([1]), [make_event()], Liar()))


@given(st.integers(0, 10**7))
def test_a_duration_reads_back(seconds: int) -> None:
    assert parse_duration(format_duration(seconds)) == seconds


@every("text", ["", "m", "10x", "1.5h", "-3m", "10 m x", "ten"])
def test_what_is_no_duration_is_said(text: str) -> None:
    with pytest.raises(UsageError, match="expected a number and a unit"):
        parse_duration(text, "lateness")


@every("text", ["36526d", "999999999999999999d", "9" * 5000])
def test_what_no_clock_reaches_is_said(text: str) -> None:
    assert parse_duration("36525d") == 36525 * 86400
    with pytest.raises(UsageError, match="expected at most a century"):
        parse_duration(text, "lateness")


def test_an_interval_is_document_or_at_least_a_second() -> None:
    assert parse_interval("Document") == 0
    assert parse_interval("1h") == 3600
    with pytest.raises(UsageError, match="at least 1s"):
        parse_interval("0m")


@given(st.integers(-(10**10), 10**10), st.integers(1, 10**6))
def test_an_interval_is_half_open_and_aligned_to_the_epoch(time: int, interval_s: int) -> None:
    end = moment_of(time, interval_s)
    assert end % interval_s == 0
    assert end - interval_s <= time < end
