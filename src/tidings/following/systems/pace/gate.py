"""The gate that holds a follower near a pace: by where a score stands among the latest ones, and after silence."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import deque
from collections.abc import Sequence
from typing import Any
from zlib import crc32

import msgspec

from tidings.following.systems.pace.schedules import DAY_S, Pace, RateSchedule, TotalSchedule

LATEST = 500
"""How many of the latest scores (and of the latest maxima) a score is held against."""

BLOCK = 50
"""How many scores in order of arrival share one maximum; and so many maxima one maximum of theirs."""

_LEVELS = 4  # each holds the maxima of blocks of the level below
_LEAST_SHARE = 0.05  # a smaller one is looked up a level higher
_LEAST_BLOCKS = 10  # which that level must hold


class RecentScores:
    """The latest 500 scores, and the maxima of the latest blocks of 50, of 2,500 and of 125,000 scores.

    Among the best share p of scores is what exceeds the share 1 - (1 - p)^b of the maxima of blocks of b: so a share
    of one in 10,000 is known from some hundred numbers. Memory: four times 500 numbers.

    >>> scores = RecentScores()
    >>> for score in (0.3, 0.1, 0.2, 0.4):
    ...     scores.add(score)
    >>> scores.is_among_best(0.35, 0.5), scores.is_among_best(0.15, 0.5)
    (True, False)
    """

    def __init__(self) -> None:
        self.restore([])

    def add(self, score: float) -> None:
        """Take in the next score."""
        level = 0
        while True:
            level_state = self._levels[level]
            level_state.add(score)
            if level + 1 == _LEVELS or not level_state.ends_block(score):
                return
            score, level = level_state.take_maximum(), level + 1

    def is_among_best(self, score: float, share: float) -> bool:
        """Whether less than the `share` (0 to 1) of the latest scores, and this, are higher.

        Of equal scores, which cannot be told apart, half count as higher; so does half of the score itself, so that the
        first ones of all are not the best of everything.
        """
        if share <= 0.0:
            return False
        if share >= 1.0:
            return True
        level = 0
        while (
            share < _LEAST_SHARE
            and level + 1 < _LEVELS
            and len(self._levels[level + 1].latest) >= _LEAST_BLOCKS
        ):
            share, level = 1.0 - (1.0 - share) ** BLOCK, level + 1
        return self._levels[level].share_above(score) < share

    def state(self) -> list[Any]:
        """The scores and maxima, as plain values."""
        return [level.state() for level in self._levels]

    def restore(self, state: Sequence[Any]) -> None:
        """Become what gave `state`; nothing is known where that is empty."""
        self._levels = [_Level(*level) for level in state] or [_Level() for _ in range(_LEVELS)]


class _Level:
    def __init__(self, latest: Sequence[float] = (), highest: float = 0.0, count: int = 0) -> None:
        self.latest = deque(latest)
        self._ordered = sorted(self.latest)
        self._highest, self._count = highest, count

    def add(self, score: float) -> None:
        self.latest.append(score)
        insort(self._ordered, score)
        if len(self.latest) > LATEST:
            del self._ordered[bisect_left(self._ordered, self.latest.popleft())]

    def ends_block(self, score: float) -> bool:
        self._highest = score if not self._count else max(score, self._highest)
        self._count += 1
        return self._count == BLOCK

    def take_maximum(self) -> float:
        self._count = 0
        return self._highest

    def share_above(self, score: float) -> float:
        ordered = self._ordered
        low, high = bisect_left(ordered, score), bisect_right(ordered, score)
        return (len(ordered) - high + (high - low + 1) / 2) / (len(ordered) + 1)

    def state(self) -> tuple[list[float], float, int]:
        return list(self.latest), self._highest, self._count


_PATIENCE = 0.08  # of the days with news: so many silent ones in a row call for the best of the next
_LIMIT = 0.12  # the same, whatever was emitted before
_LEAST_DAYS = 2  # silent ones, however few days there are
_FIRST_DOCUMENTS = 2  # after which the first update is called for
_RISE = 1.5  # of the usual documents, after a silent day
_QUIET_FORGOTTEN = 0.8  # what a day leaves of the mean of documents a day


_COUNTED = ("_day", "_days", "_silent_days", "_documents", "_usual", "_spoke_today", "_is_mute")
"""What is remembered, in the order in which it is kept."""


class QuietWatch:
    """Counts days with news, of which a follower should not let too many pass in silence.

    The best of a day is called for when nothing was emitted today, and either nothing ever was (from the second
    document on), or no update came on 8 % of all days with news so far (on two at least), or today brings half as many
    documents again as a usual day and yesterday was silent. A day without documents about the event counts for nothing.

    >>> watch = QuietWatch(unit_s=86_400)
    >>> calls = []
    >>> for day in range(5):
    ...     watch.add_document(day * 86_400)
    ...     calls.append(watch.calls_for_best)
    >>> calls
    [False, False, True, True, True]
    >>> watch.note_update()
    >>> watch.calls_for_best
    False
    """

    def __init__(self, unit_s: int) -> None:
        self._unit_s = unit_s
        self._day: int | None = None
        self._days = self._silent_days = 0
        self._documents = 0
        self._usual = 0.0
        self._spoke_today = False
        self._is_mute = True

    @property
    def is_overdue(self) -> bool:
        """Whether nothing was emitted for so long that the best of today should be, whatever was emitted before."""
        return not self._spoke_today and self._silent_days >= max(2 * _LEAST_DAYS, _LIMIT * self._days)

    @property
    def calls_for_best(self) -> bool:
        """Whether the best of today should be emitted, unless too much was emitted before."""
        if self._spoke_today:
            return False
        if self._is_mute and self._documents >= _FIRST_DOCUMENTS:
            return True
        if self._silent_days >= max(_LEAST_DAYS, _PATIENCE * self._days):
            return True
        return self._silent_days >= 1 and self._documents > max(2.0, _RISE * self._usual)

    @property
    def documents_a_day(self) -> float:
        """How many documents about the event a day with news brings, by the latest ones."""
        return max(1.0, self._usual, float(self._documents))

    def add_document(self, now: int) -> None:
        """Count a document about the event."""
        day = now // self._unit_s
        if day != self._day:
            if self._day is not None:
                self._silent_days = 0 if self._spoke_today else self._silent_days + 1
                share = max(1.0 - _QUIET_FORGOTTEN, 1.0 / (self._days or 1))
                self._usual += share * (self._documents - self._usual)
            self._day, self._documents, self._spoke_today = day, 0, False
            self._days += 1
        self._documents += 1

    def note_update(self) -> None:
        """Note that something was emitted today."""
        self._spoke_today = True
        self._is_mute = False

    def state(self) -> list[Any]:
        """What was counted, as plain values."""
        return [getattr(self, name) for name in _COUNTED]

    def restore(self, state: Sequence[Any]) -> None:
        """Become what gave `state`."""
        for name, value in zip(_COUNTED, state, strict=True):
            setattr(self, name, value)


RANKS = 4
"""Ranks of candidates: 0 are those that a system looks at by itself, the last what should hardly be emitted at all."""

_USUAL_CANDIDATES = 8.0  # of a document, before any was seen
_FORGOTTEN = 0.93  # what a document leaves of the means of candidates
_BEST, _OVERDUE = 1.0, 3.0  # of a day's candidates: by these the share grows on a quiet and an overdue day
_ENOUGH = 0.6  # of the candidates of better ranks: where more is needed, worse ones are looked at
_BELOW = 1e4  # more than any score: a better rank always comes first
_JITTER = 1e-9  # less than any difference of scores: it decides between equal ones
_YIELD_PRIOR = 4.0  # updates that count as if they had been expected and admitted
_YIELD_MEMORY = 30.0  # expected updates, after which older ones fade


def _toss(seed: int, number: int) -> float:
    """A number from 0 to 1 by which equal scores are told apart: no place in the stream is favoured."""
    mixed = (seed + number * 2_654_435_761) & 0xFFFFFFFF
    return ((mixed * 2_246_822_519) >> 7 & 0xFFFFFF) / 0x1000000


class PaceGate:
    """Admits a candidate if its score is among the best share p of the latest scores, p following what is due.

        p = (due with this document / candidates of a document) (1 + (due - emitted) / slack)

    and no more than twice the pace in 24 hours (in an hour for a pace by the hour). The candidates of a document are a
    running mean. It looks at nothing but the scores, in the order of their offer, and the time.

    >>> gate = PaceGate(Pace(about="2/day"), None, None)
    >>> gate.open(60)
    >>> emitted = 0
    >>> for number in range(200):
    ...     if gate.admits(number * 37 % 101, f"document {number // 5}"):
    ...         gate.count_update()
    ...         emitted += 1
    >>> 1 <= emitted <= 4
    True

    The share is scaled by how many were expected to pass and how many did: where scores fall with time, as those of
    what is new do, fewer are among the best than their share says. It is raised, by as much as lets the best of the day
    pass, where the silence grows long while there is news (`QuietWatch`).
    """

    def __init__(self, pace: Pace, start: int | None, end: int | None) -> None:
        self._span_s = pace.unit_s or DAY_S
        self._schedule: TotalSchedule | RateSchedule
        if pace.is_total:
            assert start is not None and end is not None
            self._schedule = TotalSchedule(pace.count, start, end)
        else:
            self._schedule = RateSchedule(pace.count, pace.unit_s, start, end)
        self._scores = RecentScores()
        self._quiet = QuietWatch(self._schedule.unit_s)
        self._now = 0
        self._doc_id, self._seed = "", 0
        self._documents = 0.0
        self._documents_time = 0
        self._mean_candidates, self._candidates = _USUAL_CANDIDATES, 0
        self._emitted = 0
        self._latest: deque[tuple[int, int]] = (
            deque()
        )  # (time, updates), one for each moment of the last 24 hours
        self._latest_count = self._waiting_count = 0
        self._read_id = ""
        self._ranks, self._mean_ranks = [0] * RANKS, [_USUAL_CANDIDATES] * RANKS
        self._share, self._needed = 0.0, 1.0
        self._expected = self._admitted = 0.0

    def open(self, now: int) -> None:
        """Begin a push at `now`, which never falls; that alone changes nothing."""
        self._now = now

    def wants(self, rank: int, doc_id: str) -> bool:
        """Whether a candidate of this rank, not 0, is to be offered: where those of lower ranks do not suffice."""
        self._count_rank(rank, doc_id)
        return self._needed > _ENOUGH * sum(self._mean_ranks[:rank])

    def admits(self, score: float, doc_id: str, rank: int = 0) -> bool:
        """Whether to tell a candidate of this score, of that document; each candidate is offered once, in order."""
        if doc_id != self._doc_id or not self._candidates:
            self._begin_document(doc_id)
        if not rank:
            self._count_rank(rank, doc_id)
        self._candidates += 1
        self._forget_older(self._now - self._span_s)
        score += _JITTER * _toss(self._seed, self._candidates) - rank * _BELOW
        schedule = self._schedule
        has_room = (
            self._latest_count + self._waiting_count + 1 <= schedule.day_most
            and self._emitted + 1 <= schedule.most
        )
        admitted = has_room and self._scores.is_among_best(score, self._share)
        self._scores.add(score)
        self._expected += min(1.0, max(0.0, self._share))
        return admitted

    def _count_rank(self, rank: int, doc_id: str) -> None:
        if doc_id != self._read_id:
            if self._read_id:
                for each, count in enumerate(self._ranks):
                    self._mean_ranks[each] += (1.0 - _FORGOTTEN) * (count - self._mean_ranks[each])
            self._read_id, self._ranks = doc_id, [0] * RANKS
        self._ranks[rank] += 1

    def count_update(self, *, waits: bool = False) -> None:
        """Note that the candidate just admitted was emitted, or that it waits to be emitted."""
        self._emitted += 1
        self._admitted += 1.0
        if waits:
            self._waiting_count += 1
        else:
            self._note_told()
        self._set_share()

    def ends_waiting(self, *, is_told: bool) -> bool:
        """Let one that waits be emitted now, where twice the pace in 24 hours leaves room for it, or never."""
        if is_told:
            self._forget_older(self._now - self._span_s)
            if self._latest_count + 1 > self._schedule.day_most:
                return False
            self._note_told()
        else:
            self._emitted -= 1
        self._waiting_count -= 1
        self._set_share()
        return True

    def _note_told(self) -> None:
        self._latest_count += 1
        if self._latest and self._latest[-1][0] == self._now:
            self._latest[-1] = (self._now, self._latest[-1][1] + 1)
        else:
            self._latest.append((self._now, 1))
        self._quiet.note_update()

    def _forget_older(self, time: int) -> None:
        latest = self._latest
        while latest and latest[0][0] <= time:
            self._latest_count -= latest.popleft()[1]

    def _begin_document(self, doc_id: str) -> None:
        if self._candidates:
            self._mean_candidates += (1.0 - _FORGOTTEN) * (self._candidates - self._mean_candidates)
        self._doc_id, self._candidates = doc_id, 0
        self._seed = crc32(doc_id.encode("utf-8", "surrogatepass"))
        passed_s = self._now - self._documents_time
        count = self._documents * 0.5 ** min(1_000.0, passed_s / self._span_s)
        self._schedule.add_document(self._now, (count + 1.0) ** 0.75 - count**0.75)
        self._documents, self._documents_time = count + 1.0, self._now
        self._quiet.add_document(self._now)
        self._set_share()

    def _set_share(self) -> None:
        schedule = self._schedule
        error = schedule.due - self._emitted
        candidates = max(1.0, self._mean_candidates)
        self._needed = schedule.step * (1.0 + error / schedule.slack)
        self._share = self._needed / candidates * self._yield_factor()
        quiet = self._quiet
        if quiet.is_overdue or (quiet.calls_for_best and error > -1.0):
            self._share = max(0.0, self._share) + (_OVERDUE if quiet.is_overdue else _BEST) / (
                candidates * quiet.documents_a_day
            )

    def _yield_factor(self) -> float:
        """How much larger a share must be than wanted: scores that fall with time let less through than it says."""
        if self._expected > _YIELD_MEMORY:
            self._expected, self._admitted = self._expected / 2.0, self._admitted / 2.0
        factor = (self._expected + _YIELD_PRIOR) / (self._admitted + _YIELD_PRIOR)
        return min(3.0, max(0.5, factor))

    def state(self) -> bytes:
        """Everything remembered, as msgpack."""
        return msgspec.msgpack.encode(
            [
                self._schedule.state(),
                self._scores.state(),
                self._quiet.state(),
                self._doc_id.encode("utf-8", "surrogatepass"),
                self._documents,
                self._documents_time,
                self._mean_candidates,
                self._candidates,
                self._emitted,
                list(self._latest),
                self._share,
                self._needed,
                self._expected,
                self._admitted,
                self._read_id.encode("utf-8", "surrogatepass"),
                self._ranks,
                self._mean_ranks,
                self._waiting_count,
            ]
        )

    def restore(self, data: bytes) -> None:
        """Become the gate whose `state()` gave `data`."""
        (
            schedule,
            scores,
            quiet,
            doc_id,
            self._documents,
            self._documents_time,
            self._mean_candidates,
            self._candidates,
            self._emitted,
            latest,
            self._share,
            self._needed,
            self._expected,
            self._admitted,
            read_id,
            self._ranks,
            self._mean_ranks,
            self._waiting_count,
        ) = msgspec.msgpack.decode(data)
        self._schedule.restore(schedule)
        self._scores.restore(scores)
        self._quiet.restore(quiet)
        self._doc_id, self._seed = doc_id.decode("utf-8", "surrogatepass"), crc32(doc_id)
        self._read_id = read_id.decode("utf-8", "surrogatepass")
        self._latest = deque((time, count) for time, count in latest)
        self._latest_count = sum(count for _, count in self._latest)
