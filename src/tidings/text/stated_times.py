"""Dates as people and programs write them, read as seconds UTC."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

__all__ = ["StatedTimes"]


class StatedTimes:
    """Reads the dates of one file, as its zone, its missing years and its order of day and month ask for.

    Dates whose day and month could be either (03/04/2026) are decided by all dates of the file: `note` each of them
    first, then `read` them.

    >>> times = StatedTimes()
    >>> times.read("Tue, 17 Feb 2026 08:30:00 +0100"), times.read("2026-02-17"), times.read(1771313400000)
    (1771313400, 1771286400, 1771313400)
    >>> times.read("soon") is None
    True
    """

    def __init__(self, *, zone: str = "", year: int | None = None, day_first: bool | None = None) -> None:
        self.zone, self.year, self.day_first = zone, year, day_first
        self.remarks: list[str] = []

    def note(self, stated: str | int | float | None) -> None:
        """Let a date of the file be evidence of how its dates are written."""

    def read(self, stated: str | int | float | None) -> int | None:
        """Seconds UTC; None for what is no date, or one outside of 1970 to 9999."""
        if stated is None or isinstance(stated, str):
            return None if stated is None else self._parsed(stated.strip())
        seconds = stated / 1000 if stated > 100_000_000_000 else stated
        return int(seconds) if seconds >= 0 else None

    def _parsed(self, text: str) -> int | None:
        for parse in (datetime.fromisoformat, parsedate_to_datetime):
            try:
                moment = parse(text)
            except (ValueError, TypeError):
                continue
            moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
            return int(moment.timestamp())
        return None
