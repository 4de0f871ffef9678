"""What was assumed while dates were read, in words."""

from __future__ import annotations

import time
from collections import Counter
from datetime import UTC, datetime

from tidings.core import ReadingOptions, StatedTimes

__all__ = ["Assumptions"]

_DAY_S = 86_400
_NAMED = 3


class Assumptions:
    """Counts what was assumed of the dates of files, and says it.

    >>> times = StatedTimes()
    >>> times.read("17 Feb 2026 08:30"), times.read("03/04/2026 08:30")
    (1771317000, 1775205000)
    >>> assumptions = Assumptions(ReadingOptions()); assumptions.add("a.csv", times)
    >>> for remark in assumptions.in_words(None): print(remark)
    2 times name no zone and are read as UTC (--zone)
    a.csv: 03/04/2026 is read as 3 April in 1 date; no date of the file tells (--day-first, --month-first)
    """

    def __init__(self, options: ReadingOptions) -> None:
        self._options = options
        self._counts: Counter[str] = Counter()
        self._orders: list[str] = []
        self._tomorrow = int(time.time()) + _DAY_S
        self._future = 0

    def add(self, name: str, times: StatedTimes) -> None:
        """Count what was assumed of the dates of a file."""
        self._counts.update(times.counts)
        count = times.counts["order"]
        if count:
            day = "3 April" if times.begins_with_day else "4 March"
            self._orders.append(
                f"{name}: 03/04/2026 is read as {day} in {_several(count, 'date')}; {times.evidence} "
                "(--day-first, --month-first)"
            )

    def see(self, published_time: int) -> None:
        """Count a document's time where it is more than a day from now."""
        self._future += published_time > self._tomorrow

    def in_words(self, last_time: int | None) -> list[str]:
        """A line for each thing that was assumed; `last_time` is the latest of all documents."""
        counts, remarks = self._counts, []
        zone = self._options.zone or "UTC"
        if counts["zone"]:
            asked = "" if self._options.zone else " (--zone)"
            remarks.append(
                f"{_several(counts['zone'], 'time')} {_verb(counts['zone'], 'names', 'name')} no zone and "
                f"{_verb(counts['zone'], 'is', 'are')} read as {zone}{asked}"
            )
        if counts["year"]:
            remarks.append(
                f"{_several(counts['year'], 'date')} without a year read as of {self._options.year}"
            )
        if counts["day"]:
            remarks.append(
                f"{_several(counts['day'], 'date')} without a day read as the first of the month, week or year"
            )
        remarks += self._orders[:_NAMED]
        if len(self._orders) > _NAMED:
            more = len(self._orders) - _NAMED
            remarks.append(
                f"and {_several(more, 'other file')} with dates whose day and month could be either"
            )
        if self._future and last_time is not None:
            latest = datetime.fromtimestamp(last_time, UTC).strftime("%Y-%m-%d")
            remarks.append(
                f"{_several(self._future, 'document')} from after tomorrow, the latest of {latest}"
            )
        return remarks


def _several(count: int, name: str) -> str:
    return f"{count:,} {name}{'' if count == 1 else 's'}"


def _verb(count: int, one: str, several: str) -> str:
    return one if count == 1 else several
