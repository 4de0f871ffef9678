"""How much a reader wants to read, and how many updates are due by now.

A document that offers a candidate weighs

    g = (n + 1)^.75 - n^.75,   n: such documents so far, each counting half after a day

so that the hundredth document of a day calls for less than the first one. G is the sum of g.

**In all** (`TotalSchedule`), at time t of a period from s to e, of N updates are due

    D = N G / (G + G_left),   G_left = G ((1/x)^a - 1),   x = (t - s) / (e - s)

if the growth so far goes on: a is log2 of G(t) over G at half of the time since s, within .5 to 1.3 and drawn towards
.6, that of a story that breaks and fades. What is due follows D with care, because a guess of what is left may be
wrong twice over: each document makes due half of its even share of the rest, (N - due) g / (g + G_left), and, while
less than D is due, half of what is missing, up to five even shares. So it never stands still, and ends at N.

**In a day** (`RateSchedule`), or an hour: every such unit (of UTC) with news is to have N on average. In the unit

    N c G_unit / M,   M: the mean of G over the latest units with news and this one

are due, c > 1 where less than N a unit was due so far and < 1 where more was, at least .4 N and at most 2 N. G of a
unit that is not over yet is guessed from how much of it has passed. In the first unit of a story, in which it breaks,
the share x^.25 is due when x of it has passed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import inf, log2
from typing import Any

from msgspec import Struct
from msgspec.structs import force_setattr

from tidings.core import UsageError

DAY_S = 86_400
HOUR_S = 3_600
FREE = "free"
"""What `--about` says for no pace at all."""

_MOST = 1_000_000  # updates that can be asked for
_UP_TO = "up to "
_UNITS = {"day": DAY_S, "d": DAY_S, "hour": HOUR_S, "h": HOUR_S, "": 0}
_ABOUT = re.compile(
    r"(up to\s+)?(\d{1,9}(?:\.\d{1,9})?)\s*(?:(?:/|\bper\b|\ban?\b)\s*(day|d|hour|h))?", re.IGNORECASE
)


class Pace(Struct, frozen=True, kw_only=True):
    """About how many updates are emitted: in a day or an hour that has news, or in all; "" leaves it to the system.

    `up to 10/day` is a limit: the system tells what it tells by itself, but no more than that in any 24 hours.

    >>> pace = Pace(about="10 per day")
    >>> pace.about, pace.count, pace.unit_s
    ('10/day', 10.0, 86400)
    >>> Pace(about="30").is_total, Pace(about="up to 30/day").is_ceiling
    (True, True)
    >>> Pace(about="daily")
    Traceback (most recent call last):
    tidings.core.errors.UsageError: a pace of 'daily' updates (expected such as 10/day, 2/hour, or 30 (in all))
    """

    about: str = ""

    def __post_init__(self) -> None:
        if not self.about:
            return
        match = _ABOUT.fullmatch(self.about.strip())
        if match is None or not 0 < float(match[2]) <= _MOST:
            raise UsageError(
                f"a pace of {self.about!r} updates (expected such as 10/day, 2/hour, or 30 (in all))"
            )
        count, unit = float(match[2]), _UNITS[(match[3] or "").lower()]
        if match[1] and (not unit or count != int(count)):
            raise UsageError(f"a pace of {self.about!r} updates (expected such as up to 10/day)")
        written = f"{count:.9f}".rstrip("0").rstrip(".") + {DAY_S: "/day", HOUR_S: "/hour", 0: ""}[unit]
        force_setattr(self, "about", f"{_UP_TO if match[1] else ''}{written}")

    @property
    def count(self) -> float:
        """Updates in a unit of time, or in all; 0 without a pace."""
        return float(self.about.removeprefix(_UP_TO).partition("/")[0] or 0)

    @property
    def is_ceiling(self) -> bool:
        """Whether it is a limit that the system's own decisions are held under, not a number that it is brought to."""
        return self.about.startswith(_UP_TO)

    @property
    def unit_s(self) -> int:
        """Seconds of a day or an hour; 0 for a pace in all, and without one."""
        return _UNITS[self.about.partition("/")[2]]

    @property
    def is_total(self) -> bool:
        """Whether it counts all updates of the event, so that the event's period must be known."""
        return bool(self.about) and not self.unit_s


_CELLS = 128  # into which the period is cut, to see how fast documents come
_USUAL_GROWTH = 0.6  # the exponent by which documents grow with the time passed, before they show their own
_USUAL_WEIGHT = 10.0  # of documents that this guess counts for
_SLOWEST, _FASTEST = 0.5, 1.3  # between which the exponent stays
_HASTE = 10.0  # times the even step, at most, to make up for what is behind
_FORGOTTEN = 0.6  # what a day leaves of the days before
_HORIZON = 1.5  # days over which what is missing is made up for
_LEAST = 0.4  # of the pace, on a day of few documents
_FIRST_WEIGHT = 4.0  # of documents, expected of a first day that has just begun
_EARLY = 0.5  # the exponent of growth within a day
_BREAKING = 0.25  # the same on the first day: news that breaks comes early


class TotalSchedule:
    """So many updates in a period; `due` are those by now, `step` those that the document at hand made due."""

    def __init__(self, count: float, start: int, end: int) -> None:
        self._count, self._start, self._length_s = count, start, max(1, end - start)
        self._cells = [0.0] * _CELLS
        self._sum = 0.0
        self.due = self.step = 0.0

    @property
    def unit_s(self) -> int:
        """Seconds of what stands for a day: in a period of few days there are more turns than days."""
        return min(DAY_S, max(1, self._length_s // 24))

    @property
    def day_most(self) -> float:
        """Updates in any 24 hours at most."""
        return max(2.0, 2.0 * self._count * DAY_S / self._length_s, self._count / 3.0)

    @property
    def slack(self) -> float:
        """How many updates more or less than due are let pass."""
        return max(1.5, 0.05 * self._count)

    @property
    def most(self) -> float:
        """How many updates may have been emitted by now at most."""
        return self.due + max(1.0, 0.07 * self._count)

    def add_document(self, now: int, weight: float) -> None:
        """Count a document with candidates, of weight g."""
        passed = min(1.0, max(0.0, (now - self._start) / self._length_s))
        self._cells[min(_CELLS - 1, int(passed * _CELLS))] += weight
        self._sum += weight
        left = self._sum * (max(passed, 0.5 / _CELLS) ** -self._growth(passed) - 1.0)
        even = (self._count - self.due) * weight / (weight + left)
        behind = self._count * self._sum / (self._sum + left) - self.due
        self.step = 0.5 * even + 0.5 * min(max(0.0, behind), _HASTE * even)
        self.due += self.step

    def _growth(self, passed: float) -> float:
        cells = passed * _CELLS / 2
        whole = int(cells)
        half = sum(self._cells[:whole]) + self._cells[whole] * (cells - whole)
        grown: float = log2((self._sum + _USUAL_WEIGHT) / (half + _USUAL_WEIGHT * 0.5**_USUAL_GROWTH))
        return min(_FASTEST, max(_SLOWEST, grown))

    def state(self) -> list[Any]:
        """What was counted, as plain values."""
        return [self._start, self._length_s, self._cells, self._sum, self.due, self.step]

    def restore(self, state: Sequence[Any]) -> None:
        """Become what gave `state`: the period too stays as it was then."""
        self._start, self._length_s, cells, self._sum, self.due, self.step = state
        self._cells = list(cells)


_COUNTED = ("_unit", "_sum", "_past_sum", "_past_weight", "_units", "_closed", "due", "step")
"""What is remembered, in the order in which it is kept."""


class RateSchedule:
    """So many updates in a day (or an hour) with news; `due` are those by now, `step` those of the document at hand."""

    def __init__(self, count: float, unit_s: int, start: int | None, end: int | None) -> None:
        self._count, self._unit_s = count, unit_s
        self._start, self._end = start, end
        self._unit: int | None = None
        self._sum = self._past_sum = self._past_weight = 0.0
        self._units = 0
        self._closed = 0.0
        self.due = self.step = 0.0

    @property
    def unit_s(self) -> int:
        """Seconds of a day, or of an hour."""
        return self._unit_s

    @property
    def day_most(self) -> float:
        """Updates in any stretch as long as the unit at most."""
        return 2.0 * self._count

    @property
    def slack(self) -> float:
        """How many updates more or less than due are let pass."""
        return max(1.0, 0.3 * self._count)

    @property
    def most(self) -> float:
        """How many updates may have been emitted by now at most."""
        return inf

    def add_document(self, now: int, weight: float) -> None:
        """Count a document with candidates, of weight g."""
        unit = now // self._unit_s
        if unit != self._unit:
            self._close()
            self._unit = unit
        self._sum += weight
        whole = self._sum + self._left(now)
        wanted = self._wanted_updates(whole)
        self.due = max(self.due, self._closed + wanted * self._sum / whole)
        self.step = wanted * weight / whole

    def _wanted_updates(self, whole: float) -> float:
        """How many updates a unit of this weight is to have."""
        mean = (self._past_sum + whole) / (self._past_weight + 1.0)
        missing = self._units - self._closed / self._count
        factor = min(4.0, max(0.25, 1.0 + missing / _HORIZON))
        return self._count * min(2.0, max(_LEAST, factor * whole / mean))

    def _close(self) -> None:
        if self._unit is None:
            return
        whole = self._sum
        self._closed += self._wanted_updates(whole)
        self.due = max(self.due, self._closed)
        self._units += 1
        self._past_sum = self._past_sum * _FORGOTTEN + whole
        self._past_weight = self._past_weight * _FORGOTTEN + 1.0
        self._sum = 0.0

    def _left(self, now: int) -> float:
        """The weight that the unit is still to bring."""
        assert self._unit is not None
        begin, end = self._unit * self._unit_s, (self._unit + 1) * self._unit_s
        if self._start is not None:
            begin = max(begin, self._start)
        if self._end is not None:
            end = min(end, self._end)
        passed = min(1.0, max(0.0, (now - begin) / max(1, end - begin)))
        if not self._past_weight:
            return self._sum * (passed**-_BREAKING - 1.0) if passed else max(0.0, _FIRST_WEIGHT - self._sum)
        usual = self._past_sum / self._past_weight
        if not passed:
            return max(0.0, usual - self._sum)
        guess: float = max(usual, self._sum / passed**_EARLY)
        return (1.0 - passed) * guess

    def state(self) -> list[Any]:
        """What was counted, as plain values."""
        return [getattr(self, name) for name in _COUNTED]

    def restore(self, state: Sequence[Any]) -> None:
        """Become what gave `state`."""
        for name, value in zip(_COUNTED, state, strict=True):
            setattr(self, name, value)
