"""Modeled stream utility: readers, sessions, and what is read in them."""

from __future__ import annotations

import math
from array import array
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import fmean, stdev

import pytest
from hypothesis import given, strategies as st

from tidings.core.errors import UsageError
from tidings.core.records import Event, Judgments, Match, Nugget, PooledUpdate, Run, Update
from tidings.evaluation.measures import Measure, UnknownEventError
from tidings.evaluation.measures.msu import (
    Population,
    Read,
    Sessions,
    UpdateSequence,
    prepare,
    read,
    sessions,
    users,
)
from tidings.sources import bundled
from tidings.sources.streams import read_judgments

MSU = Measure("MSU")
updates = st.lists(
    st.tuples(st.integers(0, 100), st.integers(1, 8), st.lists(st.integers(0, 4), max_size=2).map(tuple)),
    max_size=12,
)
stays = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 12)), max_size=6)


def looked_in(*pairs: tuple[float, float]) -> Sessions:
    return Sessions(array("d", [start for start, _ in pairs]), array("d", [length for _, length in pairs]))


def sessions_of(steps: list[tuple[int, int]]) -> Sessions:
    """Sessions that follow each other: (seconds away, length)."""
    now, pairs = 0, []
    for away, length in steps:
        pairs.append((now + away, length))
        now += away + length
    return looked_in(*pairs)


def slowly(rows: list, sessions: Sessions, speed: float, nugget_times: list[int], lateness: float) -> Read:
    """The user model step by step, one update at a time, as its description has it."""
    ordered = sorted(rows, key=lambda row: row[0])
    gain, count, seconds, position, known = 0.0, 0, 0.0, -1, set()
    for number, (start, length) in enumerate(zip(sessions.starts, sessions.lengths, strict=True)):
        newest = max((place for place, row in enumerate(ordered) if row[0] <= start), default=-1)
        left, place = length, newest
        while place > position:
            needed = ordered[place][1] / speed
            if needed > left:
                break
            left -= needed
            seconds += needed
            count += 1
            for nugget in ordered[place][2]:
                if nugget not in known:
                    known.add(nugget)
                    before = sum(1 for begun in sessions.starts if begun <= nugget_times[nugget])
                    gain += lateness ** max(0, number - before)
            place -= 1
        if place < newest:
            position = newest
    return Read(gain, count, seconds)


class TestReading:
    def test_newest_first_until_it_does_not_fit(self) -> None:
        """Ten words a second for a second: the two newest updates of four words each, not the oldest."""
        timeline = UpdateSequence.of([(1, 4, (0,)), (2, 4, (1,)), (3, 4, (2,))])
        got = read(timeline, looked_in((5, 1.0)), 10.0, [5, 5, 5], 0.5)
        assert got == Read(2.0, 2, 0.8)

    def test_what_was_passed_over_is_never_gone_back_to(self) -> None:
        timeline = UpdateSequence.of([(1, 4, (0,)), (2, 4, (1,)), (3, 4, (2,))])
        got = read(timeline, looked_in((5, 1.0), (10, 100.0)), 10.0, [5, 5, 5], 0.5)
        assert got.gain == 2.0

    def test_a_session_that_reads_nothing_loses_nothing(self) -> None:
        """The newest update does not fit: the next session starts from the same place."""
        timeline = UpdateSequence.of([(1, 4, (0,)), (2, 40, (1,))])
        got = read(timeline, looked_in((5, 1.0), (10, 100.0)), 10.0, [5, 5], 1.0)
        assert got.gain == 2.0

    def test_a_nugget_loses_for_each_session_it_missed(self) -> None:
        """Sessions at 0, 10, 20, 30; the nugget was known at 5, is told at 25 and read at 30: L^2."""
        timeline = UpdateSequence.of([(25, 1, (0,))])
        stays = looked_in((0, 1), (10, 1), (20, 1), (30, 1))
        assert read(timeline, stays, 10.0, [5], 0.5).gain == 0.25
        assert read(timeline, stays, 10.0, [21], 0.5).gain == 1.0
        assert read(timeline, stays, 10.0, [99], 0.5).gain == 1.0  # told before its time

    def test_what_comes_as_a_session_begins_is_read_in_it(self) -> None:
        """An update at the very second at which a reader looks in is there, and is the newest."""
        timeline = UpdateSequence.of([(5, 4, (0,)), (10, 4, (1,))])
        assert read(timeline, looked_in((10, 1.0)), 10.0, [0, 0], 1.0) == Read(2.0, 2, 0.8)
        assert read(timeline, looked_in((5, 1.0)), 10.0, [0, 0], 1.0) == Read(1.0, 1, 0.4)

    def test_a_nugget_known_as_a_session_begins_missed_that_session_no_more(self) -> None:
        """Known at 10 as the second session begins, told at 15, read at 20: it missed no session."""
        timeline = UpdateSequence.of([(15, 1, (0,))])
        stays = looked_in((0, 1), (10, 1), (20, 1))
        assert read(timeline, stays, 10.0, [10], 0.5).gain == 1.0
        assert read(timeline, stays, 10.0, [9], 0.5).gain == 0.5

    def test_a_nugget_counts_once(self) -> None:
        timeline = UpdateSequence.of([(1, 1, (0,)), (2, 1, (0, 0)), (15, 1, (0,))])
        assert read(timeline, looked_in((5, 9), (20, 9)), 10.0, [0], 0.5).gain == 1.0

    @given(updates, stays, st.sampled_from([0.5, 1.0, 4.0]), st.sampled_from([0.0, 0.25, 0.5, 1.0]))
    def test_equals_the_model_step_by_step(
        self, rows: list, steps: list, speed: float, lateness: float
    ) -> None:
        """Bisection in sums of words does what reading one update after the other does."""
        times = [3, 10, 20, 50, 90]
        fast = read(UpdateSequence.of(rows), sessions_of(steps), speed, times, lateness)
        slow = slowly(rows, sessions_of(steps), speed, times, lateness)
        assert (fast.updates, fast.gain) == (slow.updates, pytest.approx(slow.gain))
        assert fast.seconds == pytest.approx(slow.seconds)

    @given(updates, stays, st.floats(0, 1), st.floats(0, 1))
    def test_never_falls_with_a_larger_tolerance_of_lateness(
        self, rows: list, steps: list, one: float, two: float
    ) -> None:
        low, high = sorted((one, two))
        times = [3, 10, 20, 50, 90]
        timeline, stays = UpdateSequence.of(rows), sessions_of(steps)
        assert read(timeline, stays, 1.0, times, low).gain <= read(timeline, stays, 1.0, times, high).gain

    @given(updates, stays)
    def test_is_bounded_by_the_nuggets_told_and_the_time_there_was(self, rows: list, steps: list) -> None:
        got = read(UpdateSequence.of(rows), sessions_of(steps), 1.0, [0] * 5, 1.0)
        assert 0 <= got.gain <= len({nugget for row in rows for nugget in row[2]})
        assert got.updates <= len(rows)
        assert got.seconds <= sum(length for _, length in steps)


class TestReaders:
    def test_have_the_moments_of_their_population(self) -> None:
        readers = users(Population(users=4000))
        assert fmean(reader.session_s for reader in readers) == pytest.approx(120, rel=0.05)
        assert stdev(reader.session_s for reader in readers) == pytest.approx(60, rel=0.1)
        assert fmean(reader.away_s for reader in readers) == pytest.approx(10800, rel=0.05)
        assert fmean(math.log(reader.speed) for reader in readers) == pytest.approx(1.29, abs=0.03)

    def test_sessions_fit_into_the_event_and_do_not_overlap(self) -> None:
        for reader in users(Population(users=20)):
            stays = sessions(reader, 1000, 1000 + 864_000, "seed")
            ends = [start + length for start, length in zip(stays.starts, stays.lengths, strict=True)]
            assert all(end <= 1000 + 864_000 for end in ends)
            assert all(end <= start for end, start in zip(ends, stays.starts[1:], strict=False))
            assert not stays.starts or stays.starts[0] == 1000  # session first, then away

    def test_are_the_same_for_the_same_seed_on_every_machine(self) -> None:
        """Drawn once, noted here: another machine or version of Python must give the same readers."""
        reader = users(Population(users=1, seed=1))[0]
        assert (round(reader.session_s, 6), round(reader.away_s, 6), round(reader.speed, 6)) == READER
        assert users(Population(users=2, seed=2))[0] != reader

    @pytest.mark.parametrize(
        "odd",
        [{"users": 0}, {"lateness": 1.5}, {"session_s": 0.0}, {"away_s": math.nan}, {"speed_log_sd": -1.0}],
        ids=str,
    )
    def test_impossible_readers_are_refused(self, odd: dict) -> None:
        with pytest.raises(UsageError, match="expected"):
            users(Population(**odd))


READER = (182.784553, 8842.016336, 3.675254)

EVENT = Event(id="TS14.1", title="", query="", start_time=0, end_time=864_000)


def judgments(**changes: object) -> Judgments:
    fields = {
        "name": "test",
        "events": (EVENT,),
        "nuggets": (Nugget("TS14.1", "n1", 100, 3, "a"), Nugget("TS14.1", "n0", 100, 0, "b")),
        "matches": (Match("TS14.1", "d-0", "n1", 0, 1), Match("TS14.1", "d-1", "n0", 0, 1)),
        "pool": (PooledUpdate("TS14.1", "d", 0, "a b"), PooledUpdate("TS14.1", "d", 2, "a b", "d-0")),
    }
    return Judgments(**(fields | changes))  # type: ignore[arg-type]


def run(*indexes: int, event: str = "1") -> Run:
    return Run("t", "r", [Update(event, "d", index, 200) for index in indexes])


class TestRuns:
    def test_a_nugget_told_at_once_reaches_nearly_every_reader(self) -> None:
        scores = prepare(judgments()).score(run(0)).per_event["TS14.1"]
        assert 0.9 < scores[MSU] <= 1.0
        assert scores[Measure("MSU/update")] == scores[MSU]

    def test_copies_tell_what_the_copied_tells(self) -> None:
        prepared = prepare(judgments())
        assert prepared.score(run(2)).mean(MSU) == prepared.score(run(0)).mean(MSU)

    def test_unimportant_nuggets_and_silence_bring_nothing(self) -> None:
        prepared = prepare(judgments())
        assert prepared.score(run(1)).mean(MSU) == 0
        silent = prepared.score(Run("t", "r", ()))
        assert set(silent.per_event["TS14.1"].values()) == {0.0}
        assert silent.silent == ("TS14.1",)

    def test_later_is_worth_less(self) -> None:
        prepared = prepare(judgments())
        late = Run("t", "r", [Update("1", "d", 0, 500_000)])
        assert prepared.score(late).mean(MSU) < 0.1 < prepared.score(run(0)).mean(MSU)

    def test_noise_after_the_nugget_buries_it(self) -> None:
        noise = [Update("1", "x", index, 201, text="word " * 60) for index in range(200)]
        prepared = prepare(judgments(), Population(users=200))
        buried = prepared.score(Run("t", "r", [Update("1", "d", 0, 200), *noise]))
        assert buried.mean(MSU) < prepared.score(run(0)).mean(MSU)

    def test_other_events_change_nothing(self) -> None:
        """Readers of one event do not depend on which others are scored."""
        other = replace_event(judgments(), "TS14.0")
        both = Judgments(
            name="both", events=(*other.events, EVENT), nuggets=(*other.nuggets, *judgments().nuggets),
            matches=(*other.matches, *judgments().matches), pool=(*other.pool, *judgments().pool),
        )  # fmt: skip
        alone = prepare(judgments()).score(run(0)).per_event["TS14.1"]
        assert prepare(both).score(run(0)).per_event["TS14.1"] == alone

    def test_a_larger_tolerance_is_never_worse_on_the_bundled_event(self) -> None:
        own = read_judgments(Path(bundled.path()))
        draw = Random(3)
        told = [
            Update(one.event_id, one.doc_id, one.sentence_index, one.published_time + draw.randrange(20_000))
            for one in own.pool
        ]
        values = [
            prepare(own, replace(Population(users=50), lateness=lateness))
            .score(Run("t", "r", told))
            .mean(MSU)
            for lateness in (0.0, 0.25, 0.5, 0.75, 1.0)
        ]
        assert values == sorted(values)
        assert values[0] < values[-1]

    def test_an_unknown_event_is_refused(self) -> None:
        with pytest.raises(UnknownEventError, match="99"):
            prepare(judgments()).score(run(0, event="99"))

    @pytest.mark.parametrize(
        ("bad", "said"),
        [
            (judgments(nuggets=()), "no nuggets"),
            (judgments(events=()), "no such period"),
            (
                judgments(
                    events=(Event(id="TS14.1", title="", query="", start_time=0, end_time=253402300799),)
                ),
                "no such period",
            ),
        ],
        ids=["nuggets", "event", "open"],
    )
    def test_judgments_that_cannot_be_read_by_anyone_are_refused(self, bad: Judgments, said: str) -> None:
        with pytest.raises(UsageError, match=said):
            prepare(bad)


def replace_event(one: Judgments, event_id: str) -> Judgments:
    from msgspec.structs import replace as swap

    return Judgments(
        name=one.name,
        events=tuple(swap(event, id=event_id) for event in one.events),
        nuggets=tuple(swap(nugget, event_id=event_id) for nugget in one.nuggets),
        matches=tuple(swap(match, event_id=event_id) for match in one.matches),
        pool=tuple(swap(row, event_id=event_id) for row in one.pool),
    )
