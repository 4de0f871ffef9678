"""Dates and durations as people and programs write them, read as seconds."""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, date, datetime, timedelta, tzinfo
from math import isfinite

from msgspec.structs import replace

from tidings.core.errors import UsageError
from tidings.core.text.date_fields import ZONES, DateFields, as_zone, find_date, is_relative, place_zone

_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
_DURATION = re.compile(r"(\d+)\s*([smhdw]?)")
_MOST_S = 36525 * 86400  # a century
_LONGEST = 100  # characters of a duration; a longer one is over the limit anyway


def parse_duration(text: str, what: str = "duration") -> int:
    """Seconds of a duration written as a number and a unit: s (or none), m, h, d, w.

    Raises UsageError for anything else, and for more than a century.

    >>> parse_duration("10m"), parse_duration("90"), parse_duration("1h30m")
    (600, 90, 5400)
    """
    compact = text.strip().lower()
    parts = _DURATION.findall(compact)
    if not parts or "".join(number + unit for number, unit in parts) != compact.replace(" ", ""):
        raise UsageError(f"{what} {text!r} (expected a number and a unit, such as 90s, 10m, 1h or 1d)")
    seconds = (
        sum(int(number) * _UNITS[unit] for number, unit in parts) if len(compact) <= _LONGEST else _MOST_S + 1
    )
    if seconds > _MOST_S:
        raise UsageError(f"{what} {text[:_LONGEST]!r} (expected at most a century): 36525d")
    return seconds


def format_duration(seconds: int) -> str:
    """A duration as `parse_duration` reads it.

    >>> format_duration(5400), format_duration(600), format_duration(0)
    ('1h30m', '10m', '0s')
    """
    left, text = seconds, ""
    for unit in "wdhms":
        count, left = divmod(left, _UNITS[unit])
        if count:
            text += f"{count}{unit}"
    return text or "0s"


_LATEST = 253_402_300_799
"""The last second of the year 9999."""

_EPOCH_DAY = date(1970, 1, 1).toordinal()
_MONTH_NAMES = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"
_MONTHS = {name: number for number, name in enumerate(_MONTH_NAMES.split(), 1)}
_MAIL = re.compile(
    r"(?:[A-Za-z]{3,9},? )?(\d{1,2}) ([A-Z][a-z]{2}) (\d{4}) (\d\d):(\d\d)(?::(\d\d))? "
    r"(?:([A-Z]{1,5})|([+-])(\d\d)(\d\d))",
    re.ASCII,
)
_NUMBERS = re.compile(r"(?<![\d/.\-])\d{1,2}[/\-]\d{1,2}[/\-]\d{2,4}(?!\d)")
_DIGITS = re.compile(r"[+-]?\d+(?:\.\d+)?(?:[eE]\+?\d+)?")
_COMPACT = re.compile(
    r"(?:19[7-9]\d|20\d\d)(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d[0-5]\d(?:[0-5]\d)?)?"
)
_FIRST_SECONDS = 100_000_000
"""A number in text that is less is none of seconds: it would lie before March of 1973."""

_REMEMBERED = 4096  # times of which the words are kept, before all are forgotten


class StatedTimes:
    """Reads the dates of one file, as its zone, its missing years and its order of day and month ask for.

    Read are RFC 822, 2822 and 5322 and asctime, ISO 8601 in all its forms, seconds, milliseconds, microseconds and
    nanoseconds since 1970 (numbers or text), and dates with the names of months in some twenty languages, with words
    around them that name no number. The day of the week is not looked at. A year of two digits is one of 1970 to 2069.

    Dates whose day and month could be either (03/04/2026) are decided by all dates of the file: `note` each of them
    first, then `read` them. Where more of those that can be read one way only begin with the day, all do, and the
    other way round. Where there are none, the number that takes more different values is the day. Without any
    evidence the day comes first.

    A time without a zone is one of `zone`. In the hour that a summer time's end repeats it is the first; in the one
    that its beginning leaves out, the clock is read as it stood before. Dates before 1970 and after 9999 are not read.

    >>> times = StatedTimes()
    >>> times.read("Tue, 17 Feb 2026 08:30:00 +0100"), times.read("2026-02-17"), times.read(1771313400000)
    (1771313400, 1771286400, 1771313400)
    >>> times.read("17 février 2026 à 08h30"), times.read("2026年2月17日 8時30分"), times.read("soon")
    (1771317000, 1771317000, None)
    >>> times.why_unread("2 hours ago")
    'a date that depends on when it was read'
    >>> american = StatedTimes(zone="America/New_York")
    >>> american.note("02/17/2026"); american.read("02/03/2026 08:30") == times.read("2026-02-03T13:30Z")
    True

    Args:
        zone: of times that name none: an IANA name or an offset; "" for UTC.
        year: of dates that name none; None leaves them unread.
        day_first: whether 03/04/2026 is the 3rd of April; None decides by what was noted.
    """

    def __init__(self, *, zone: str = "", year: int | None = None, day_first: bool | None = None) -> None:
        self.zone, self.year, self.day_first = zone, year, day_first
        self._zone = as_zone(zone)
        self._is_universal = self._zone is UTC
        self._times: dict[str, tuple[int | None, tuple[str, ...]]] = {}
        self._days_first = self._months_first = 0
        self._firsts: set[int] = set()
        self._seconds: set[int] = set()
        self.counts: Counter[str] = Counter()
        """How many dates were read by an assumption: `zone`, `year`, `order`, `day`."""

    def note(self, stated: str | int | float | None) -> None:
        """Let a date of the file be evidence of how its dates are written."""
        if not isinstance(stated, str) or _NUMBERS.search(stated) is None:
            return
        fields = find_date(stated)
        if fields is None:
            return
        if fields.order == "either":
            self._firsts.add(fields.day)
            self._seconds.add(fields.month)
        self._days_first += fields.order == "day"
        self._months_first += fields.order == "month"
        self._times.clear()

    def is_open(self, stated: str | int | float | None) -> bool:
        """Whether a date's day and month could be either, so that the other dates of its file should be noted first."""
        if self.day_first is not None or not isinstance(stated, str) or _NUMBERS.search(stated) is None:
            return False
        fields = find_date(stated)
        return fields is not None and fields.order == "either"

    @property
    def evidence(self) -> str:
        """By what the order of day and month is decided, in a few words."""
        if self.day_first is not None:
            return "as asked"
        if self._days_first or self._months_first:
            return f"{self._days_first:,} dates can begin with the day only, {self._months_first:,} with the month only"
        if len(self._firsts) != len(self._seconds):
            return f"the first number takes {len(self._firsts)} values, the second {len(self._seconds)}"
        return "no date of the file tells"

    @property
    def begins_with_day(self) -> bool:
        """Whether 03/04/2026 is the 3rd of April, after what was noted so far."""
        if self.day_first is not None:
            return self.day_first
        if self._days_first != self._months_first:
            return self._days_first > self._months_first
        return len(self._firsts) >= len(self._seconds)

    def read(self, stated: str | int | float | None) -> int | None:
        """Seconds UTC; None for what is no date, or one outside of 1970 to 9999."""
        if stated is None:
            return None
        if not isinstance(stated, str):
            return self._of_number(stated)
        moment = _of_iso(stated)
        if moment is not None:
            if moment.tzinfo is None:
                return self._local(int(moment.replace(tzinfo=UTC).timestamp() // 1))
            return _in_range(int(moment.timestamp() // 1))
        time = _of_mail(stated)
        if time is not None:
            return time
        remembered = self._times.get(stated)
        if remembered is None:
            before = self.counts.copy()
            time = self._parse(stated.strip())
            if len(self._times) >= _REMEMBERED:
                self._times.clear()
            self._times[stated] = time, tuple((self.counts - before).elements())
            return time
        self.counts.update(remembered[1])
        return remembered[0]

    def why_unread(self, stated: str | int | float | None) -> str:
        """Why a date gives no time, in words that are the same for its like."""
        if stated is None or (isinstance(stated, str) and not stated.strip()):
            return "no date"
        fields = find_date(stated) if isinstance(stated, str) else None
        if fields is not None and fields.year is None and self.year is None:
            return "a date without a year"
        if fields is not None or not isinstance(stated, str):
            return "a date outside of 1970 to 9999"
        return (
            "a date that depends on when it was read" if is_relative(stated) else "a date that cannot be read"
        )

    def _of_number(self, number: float) -> int | None:
        if isinstance(number, bool) or (isinstance(number, float) and not isfinite(number)):
            return None
        if abs(number) >= 1 << 63:
            return None  # what no computer counts
        if isinstance(number, int) and _COMPACT.fullmatch(str(number)):
            return self.read(str(number))
        size = 1
        for _ in range(3):
            if abs(number) < 100_000_000_000 * size:
                break
            size *= 1000
        seconds = int(number // size)
        return seconds if 0 <= seconds <= _LATEST else None

    def _parse(self, text: str) -> int | None:
        if _DIGITS.fullmatch(text) and not (_COMPACT.fullmatch(text) or len(text) in (4, 7)):
            number = int(text) if text.lstrip("+-").isdecimal() and len(text) < 25 else float(text)
            return self._of_number(number) if number >= _FIRST_SECONDS else None
        fields = find_date(text)
        if fields is None:
            return None
        if fields.year is None:
            if self.year is None:
                return None
            self.counts["year"] += 1
            fields = replace(fields, year=self.year)
        if fields.order == "either":
            self.counts["order"] += 1
            if not self.begins_with_day:
                fields = replace(fields, month=fields.day, day=fields.month)
        self.counts["day"] += not fields.has_day
        return self._moment(fields)

    def _moment(self, fields: DateFields) -> int | None:
        try:
            day = date(fields.year or 0, fields.month, fields.day).toordinal() - _EPOCH_DAY
        except ValueError:
            return None  # the 29th of February of a year that was asked for
        seconds = day * 86400 + fields.hour * 3600 + fields.minute * 60 + fields.second
        if isinstance(fields.zone, int):
            return _in_range(seconds - fields.zone)
        place = None if fields.zone is None else place_zone(fields.zone)
        return self._local(seconds) if place is None else _in_range(_at(seconds, place))

    def _local(self, seconds: int) -> int | None:
        """Seconds UTC of seconds that a clock in the zone of this file shows."""
        self.counts["zone"] += 1
        return _in_range(seconds if self._is_universal else _at(seconds, self._zone))


def _in_range(seconds: int) -> int | None:
    return seconds if 0 <= seconds <= _LATEST else None


def _at(seconds: int, zone: tzinfo) -> int:
    try:
        clock = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
        return int(clock.replace(tzinfo=zone).timestamp())
    except (OverflowError, ValueError):
        return -1


def _of_iso(text: str) -> datetime | None:
    """The moment of a date in the usual form of ISO 8601."""
    length = len(text)
    if (
        length < 10
        or text[4] != "-"
        or text[7] != "-"
        or 10 < length < 16
        or (length > 10 and text[10] not in "T ")
    ):
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _of_mail(text: str) -> int | None:
    """The time of a date in the usual form of RFC 5322, with a zone."""
    match = _MAIL.fullmatch(text)
    if match is None:
        return None
    day, name, year, hour, minute, second, zone, sign, zone_hours, zone_minutes = match.groups()
    month = _MONTHS.get(name)
    if month is None or hour > "23" or minute > "59" or (second or "0") > "59":
        return None
    if zone is not None:
        east = ZONES.get(zone.lower())
        if not isinstance(east, int):
            return None
    elif zone_minutes > "59" or zone_hours > "23":
        return None
    else:
        east = int(sign + zone_hours) * 3600 + int(sign + zone_minutes) * 60
    try:
        days = date(int(year), month, int(day)).toordinal() - _EPOCH_DAY
    except ValueError:
        return None
    return _in_range(days * 86400 + int(hour) * 3600 + int(minute) * 60 + int(second or 0) - east)
