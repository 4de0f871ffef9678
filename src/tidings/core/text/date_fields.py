"""One date as it is written: its year, month, day, time and zone, as far as it names them, in any language we read.

The names of months and the letters of zones stand in `date_fields.toml`. The single letters of the military were
defined one way and used the other; as RFC 5322 asks, they say nothing but UTC.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from datetime import UTC, date, timedelta, timezone, tzinfo
from functools import cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tidings.core.errors import UsageError
from tidings.core.files.data import data_beside

_DATA = data_beside(__file__)


_UNSEEN = re.compile("[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_BLANKS = re.compile(r"\s+")
_MARKS_FROM = 200
"""The class from which on combining marks are accents; those below belong to the letters of Indian scripts."""


def fold(text: str) -> str:
    """Text in lower case without accents, unseen marks and doubled blanks, its digits those of ASCII.

    >>> fold("١٧ Février  2026"), fold("２０２６年")
    ('17 fevrier 2026', '2026年')
    """
    if text.isascii():
        return _BLANKS.sub(" ", text.lower()).strip()
    apart = unicodedata.normalize("NFKD", _UNSEEN.sub("", text).lower())
    bare = "".join(
        str(unicodedata.digit(char, 0)) if char.isdecimal() else char
        for char in apart
        if unicodedata.combining(char) < _MARKS_FROM
    )
    return _BLANKS.sub(" ", unicodedata.normalize("NFC", bare)).strip()


@cache
def month_names() -> dict[str, int]:
    """The number of a month by each of its names, which are folded; blanks in a name are one blank.

    >>> names = month_names()
    >>> names["fevrier"], names[fold("März")], names[fold("ağustos")], names[fold("फ़रवरी")], names[fold("أكتوبر")]
    (2, 3, 8, 2, 10)
    """
    numbers: dict[str, int] = {}
    for months in _DATA["months"].values():
        for number, names in enumerate(months, 1):
            for name in names.split():
                numbers.setdefault(fold(name.replace("_", " ")), number)
    return numbers


_MILITARY = frozenset("abcdefghiklmnopqrstuvwxy")

ZONES: dict[str, int | str] = {
    **{name: int(hours * 3600) for names, hours in _DATA["hours"].items() for name in names.split()},
    **dict.fromkeys(_MILITARY, 0),
    **_DATA["places"],
}
"""Seconds east of Greenwich, or the IANA name of a place, by the small letters of a zone."""

_OFFSET = re.compile(r"(?:(?:gmt|utc)\s?)?([+\-−])(\d{1,2})(?::?(\d{2})(?::?(\d{2}))?)?")
_PLACE = re.compile(r"[A-Za-z]+(?:/[A-Za-z0-9_+\-]+)+")


def offset(text: str) -> int | None:
    """Seconds east of Greenwich of `+01:00`, `-0330`, `GMT+2`; None for what is no offset, or one of over 24 hours.

    >>> offset("+01:00"), offset("-0330"), offset("gmt+2"), offset("+zz:00"), offset("-99:99")
    (3600, -12600, 7200, None, None)
    """
    match = _OFFSET.fullmatch(text)
    if match is None:
        return None
    sign, hours, minutes, seconds = match.groups(default="0")
    if int(hours) > 23 or int(minutes) > 59 or int(seconds) > 59:
        return None
    length = int(hours) * 3600 + int(minutes) * 60 + int(seconds)
    return length if sign == "+" else -length


@cache
def place_zone(name: str) -> tzinfo | None:
    """The zone of an IANA name, in letters of any size; None where there is none of this name.

    >>> str(place_zone("europe/madrid")), place_zone("europe/atlantis")
    ('Europe/Madrid', None)
    """
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        wanted = name.lower()
        exact = next((zone for zone in available_timezones() if zone.lower() == wanted), None)
        return None if exact is None else ZoneInfo(exact)


def as_zone(text: str) -> tzinfo:
    """The zone that a person asks for: an IANA name, an offset or letters; "" is UTC.

    Raises:
        UsageError: it is none.

    >>> str(as_zone("Europe/Madrid")), str(as_zone("+02:00")), str(as_zone("EST")), str(as_zone(""))
    ('Europe/Madrid', 'UTC+02:00', 'UTC-05:00', 'UTC')
    >>> as_zone("Atlantis")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tidings.core.errors.UsageError: zone 'Atlantis' (expected a name such as Europe/Madrid or an ...)
    """
    bare = text.strip()
    if not bare:
        return UTC
    low = bare.lower()
    length: int | str | None = offset(low)
    if length is None and low not in _MILITARY:
        length = ZONES.get(low)
    if isinstance(length, int):
        return timezone(timedelta(seconds=length)) if length else UTC
    zone = place_zone(length or bare) if length or _PLACE.fullmatch(bare) or bare.isalpha() else None
    if zone is None:
        raise UsageError(f"zone {text!r} (expected a name such as Europe/Madrid or an offset such as +02:00)")
    return zone


_LONGEST = 200
"""Of more characters none is a date."""


class DateFields(Struct, frozen=True, kw_only=True):
    """What a date names. `zone` is in seconds east of Greenwich, or the IANA name of a place.

    `order` tells which of two numbers comes first where both are numbers: `day`, `month`, `either` (as given, the day
    came first), or "" where there is nothing to take for the other. `has_day` and `has_time` are False where the first
    day of a month and the first second of a day stand for what is not named.
    """

    year: int | None
    month: int
    day: int
    order: str = ""
    has_day: bool = True
    has_time: bool = False
    hour: int = 0
    minute: int = 0
    second: int = 0
    zone: int | str | None = None


def find_date(text: str) -> DateFields | None:
    """The first date that a text names; None where it names none, or numbers stand beside it that are no part of it.

    >>> one = find_date("Updated: Tue, 17 Feb 2026 3:04 p.m. ET")
    >>> one.year, one.month, one.day, one.hour, one.minute, one.zone
    (2026, 2, 17, 15, 4, 'America/New_York')
    >>> find_date("03/04/2026").order, find_date("17/02/2026").order, find_date("02/17/2026").order
    ('either', 'day', 'month')
    >>> find_date("soon") is None
    True
    """
    usual = _USUAL.fullmatch(text)
    if usual is not None:
        return _usual(usual)
    if len(text) > _LONGEST:
        return None
    folded = fold(text)
    for pattern, understand in _patterns():
        match = pattern.search(folded)
        fields = understand(match) if match else None
        if match is None or fields is None:
            continue
        rest = f"{folded[: match.start()]} | {folded[match.end() :]}"
        return _with_time(fields, rest, pattern.groupindex.get("tail") is not None)
    return None


def is_relative(text: str) -> bool:
    """Whether a text names a time only by how long ago it was: that depends on when it was read.

    >>> is_relative("2 hours ago"), is_relative("gestern um 8"), is_relative("17 Feb")
    (True, True, False)
    """
    return _RELATIVE.search(fold(text)) is not None


_RELATIVE = re.compile(
    r"\b(?:ago|yesterday|today|tomorrow|just now|last (?:week|night)|hours?|hrs?|minutes?|mins?|gestern|heute|vor \d+"
    r"|hace \d+|ayer|hoy|il y a|hier|aujourd'hui|fa|ieri|oggi|ha \d+|ontem|hoje|geleden|gisteren|vandaag|temu|wczoraj"
    r"|dzisiaj|назад|вчера|сегодня|once|dun|bugun|منذ|امس|اليوم|पहले|कल|आज)\b|[前昨今]|전$|어제|오늘"
)


# The date ------------------------------------------------------------------------------------------------------------


def _valid(year: int | None, month: int, day: int) -> bool:
    try:
        date(2000 if year is None else year, month, day)
    except ValueError:
        return False
    return True


def _whole_year(digits: str) -> int:
    """A year of two digits is one from 1970 to 2069."""
    number = int(digits)
    return number if len(digits) > 2 else number + (1900 if number >= 70 else 2000)


def _fields_of(year: int | None, month: int, day: int, order: str = "") -> DateFields | None:
    return DateFields(year=year, month=month, day=day, order=order) if _valid(year, month, day) else None


def _year_first(match: re.Match[str]) -> DateFields | None:
    year, month, day = match["y"], match["m"], match["d"]
    return _fields_of(_whole_year(year), int(month), int(day))


def _year_first_by_name(match: re.Match[str]) -> DateFields | None:
    return _fields_of(int(match["y"]), month_names()[match["m"]], int(match["d"]))


def _by_name(match: re.Match[str]) -> DateFields | None:
    year = match["y"]
    return _fields_of(_whole_year(year) if year else None, month_names()[match["m"]], int(match["d"]))


def _yearless(match: re.Match[str]) -> DateFields | None:
    return _fields_of(None, month_names()[match["m"]], int(match["d"]))


def _east_asian(match: re.Match[str]) -> DateFields | None:
    year = match["y"]
    return _fields_of(_whole_year(year) if year else None, int(match["m"]), int(match["d"]))


_USUAL = re.compile(
    r"(?P<a>\d{1,2})(?P<s>[/.\-])(?P<b>\d{1,2})(?P=s)(?P<y>\d{4})(?:,? (?P<h>\d{1,2}):(?P<m>\d\d)(?::(?P<t>\d\d))?)?",
    re.ASCII,
)
"""Numbers alone, which are read without a look for anything else."""


def _usual(match: re.Match[str]) -> DateFields | None:
    fields = _two_numbers(match)
    if fields is None or match["h"] is None:
        return fields
    hour, minute, second = int(match["h"]), int(match["m"]), int(match["t"] or 0)
    if hour > 23 or minute > 59 or second > 59:
        return None
    return replace(fields, has_time=True, hour=hour, minute=minute, second=second)


def _two_numbers(match: re.Match[str]) -> DateFields | None:
    one, two, year = int(match["a"]), int(match["b"]), _whole_year(match["y"])
    if match["s"] == "-" and len(match["y"]) == 2:
        # ISO 8601 of 1988 and 2000 let years have two digits, before the month.
        fields = _fields_of(_whole_year(f"{one:02}"), two, int(match["y"]))
        if fields is not None:
            return fields
    if two > 12:
        return _fields_of(year, one, two, "month")
    if one > 12 or match["s"] == ".":
        return _fields_of(year, two, one, "day" if one > 12 and match["s"] != "." else "")
    return _fields_of(year, two, one, "" if one == two else "either")


def _ordinal(match: re.Match[str]) -> DateFields | None:
    year, number = int(match["y"]), int(match["n"])
    try:
        first = date(year, 1, 1)
        moment = date.fromordinal(first.toordinal() + number - 1)
    except (ValueError, OverflowError):
        return None
    if number < 1 or moment.year != year:
        return None
    return DateFields(year=year, month=moment.month, day=moment.day)


def _week(match: re.Match[str]) -> DateFields | None:
    try:
        moment = date.fromisocalendar(int(match["y"]), int(match["w"]), int(match["d"] or 1))
    except ValueError:
        return None
    return DateFields(year=moment.year, month=moment.month, day=moment.day, has_day=match["d"] is not None)


def _month_alone(match: re.Match[str]) -> DateFields | None:
    month = int(match["m"] or 1)
    year = int(match["y"])
    return DateFields(year=year, month=month, day=1, has_day=False) if _valid(year, month, 1) else None


@cache
def _patterns() -> list[tuple[re.Pattern[str], Callable[[re.Match[str]], DateFields | None]]]:
    names = "|".join(sorted(map(re.escape, month_names()), key=len, reverse=True))
    month = rf"(?P<m>{names})"
    end = r"(?!\w)"
    apart = r"(?![\d/])(?!-\d)"
    begin = r"(?<![\d/.\-])(?<![\d][:,])"
    day = r"(?P<d>\d{1,2})"
    numbered = rf"{day}(?:st|nd|rd|th|er|\.|º|ª|°|e|o|-?го|η)?"
    year = r"(?P<y>\d{4}|'?\d{2})(?!\d|:\d|\d?h\b| ?uhr)"
    sign = r"(?:[\-/]|\. ?)"
    between = r"(?:[ ,./\-]|de\b|del\b|of\b|d')*"
    listed: list[tuple[str, Callable[[re.Match[str]], DateFields | None]]] = [
        (rf"{begin}(?P<y>\d{{4}}){sign}0?(?P<m>\d{{1,2}}){sign}(?P<d>\d{{1,2}})\.?{apart}(?P<tail>t?)", _year_first),
        (rf"{begin}(?P<y>\d{{4}})-?w(?P<w>\d\d)(?:-?(?P<d>[1-7]))?(?!\d)(?P<tail>t?)", _week),
        (rf"{begin}(?P<y>\d{{4}})-?(?P<n>\d{{3}})(?P<tail>t|$|(?= \|))", _ordinal),
        (rf"{begin}(?P<y>(?:19|20)\d\d)(?P<m>[01]\d)(?P<d>[0-3]\d)(?P<tail>t|$|(?=[ z|])|(?=[0-2]\d[0-5]\d))",
         _year_first),
        (r"(?:(?P<y>\d{4}|\d{2}) ?[年년] ?)?(?P<m>\d{1,2}) ?[月월] ?(?P<d>\d{1,2}) ?[日号號일]", _east_asian),
        (rf"(?<![\d.]){numbered}{between}(?<![^\W\d_]){month}{between}(?<![^\W\d_](?=\d\d\D))(?<!\d){year}", _by_name),
        (rf"(?<![^\W\d_]){month}[ .\-]*(?<!\d){numbered}(?!\d|:)(?:,|\s|-|de\b|del\b|of\b)+{year}", _by_name),
        (rf"{begin}(?P<y>\d{{4}})[ ,.\-/]*{month}[ .\-/]*{day}(?!\d|:)(?P<tail>t?)", _year_first_by_name),
        (rf"{begin}(?P<a>\d{{1,2}})(?P<s>[/.\-])\s?(?P<b>\d{{1,2}})(?P=s)\s?(?P<y>\d{{4}}|\d{{2}}){apart}(?P<tail>t?)",
         _two_numbers),
        (rf"(?<![\d.]){numbered}{between}(?<![^\W\d_]){month}{end}", _yearless),
        (rf"(?<![^\W\d_]){month}[ .\-]*(?<!\d){numbered}(?![\d:])", _yearless),
        (r"^(?P<y>(?:19|20)\d\d)(?:-(?P<m>\d\d))?$", _month_alone),
    ]  # fmt: skip
    return [(re.compile(pattern), understand) for pattern, understand in listed]


# The time of day and the zone ----------------------------------------------------------------------------------------

_HALVES = r"(?P<{0}>[ap]\.? ?m\b\.?|上午|下午|午前|午後|오전|오후|ص|م(?!\w))"
_CLOCK = re.compile(
    rf"(?<![\d.:])(?:{_HALVES.format('before')} ?)?(?P<h>\d{{1,2}})"
    r"(?:(?: ?[:h時时点點시] ?|\.)(?P<m>\d{2})(?!\d)"
    r"(?: ?(?:[:.m分분]|min) ?(?P<s>\d{2})(?!\d)(?:[.,:](?P<f>\d+))?)?|(?: ?(?:h|uhr|[時时点點시])| ?(?=[ap]\.? ?m\b)))"
    rf"(?: ?(?:[秒초분分]|min\b|uhr\b|h\b|hrs\b))?(?:,? ?{_HALVES.format('after')})?"
)
_PACKED = re.compile(r"(?:^|(?<=\| ))(?P<h>\d{2})(?P<m>\d{2})?(?P<s>\d{2})?(?:[.,](?P<f>\d+))?(?![\d:])")
_ZONE = re.compile(
    r" ?[(\[,]? ?(?:(?P<offset>(?:gmt|utc) ?[+\-−]\d{1,2}(?::?\d\d)?|[+\-−]\d{1,2}(?::?\d\d(?::?\d\d)?)?)|"
    r"(?P<place>[a-z]+/[a-z_]+(?:/[a-z_]+)?)|(?P<name>[^\W\d_]{1,5}))(?![\w:])[)\]]?"
)
_COMMENT = re.compile(r" ?\((?:[^()\d]*)\)| ?\[[a-z_/+\-]+\]")
_YEAR = re.compile(r"(?<![\d.:+\-])(19[7-9]\d|2\d{3})(?![\d:])")
_UNIVERSAL = re.compile(r"\| ?(?:z|gmt|utc)(?!\w)|\| ?(?P<offset>[+\-]\d\d:?\d\d)$")
_OFFSET_ALONE = re.compile(r" \| [+\-]\d\d:\d\d")
_AFTER_NOON = ("p", "下午", "午後", "오후", "م")


def _with_time(fields: DateFields, rest: str, packed: bool) -> DateFields | None:
    """The date with the time, the zone and the year that the rest of its text names; None where numbers are left."""
    found: dict[str, Any] = {}
    clock = (
        None
        if _OFFSET_ALONE.fullmatch(rest)
        else _CLOCK.search(rest) or (_PACKED.search(rest.replace("| t", "| ")) if packed else None)
    )
    if clock is None:
        universal = _UNIVERSAL.search(rest)
        if universal is not None:
            found["zone"] = offset(universal["offset"]) if universal["offset"] else 0
            rest = rest[: universal.start()]
    else:
        time = _time_of(clock)
        if time is None:
            return None
        source = clock.string
        found.update(time, has_time=True)
        after = source[clock.end() :]
        zone = _ZONE.match(after)
        named = None if zone is None else _zone_of(zone)
        if zone is not None and named is not None:
            found["zone"] = named
            after = _COMMENT.sub("", after[zone.end() :])
        rest = source[: clock.start()] + " | " + after
    year = fields.year
    if year is None:
        other = _YEAR.search(rest)
        if other is not None:
            year = int(other[1])
            rest = rest[: other.start()] + rest[other.end() :]
            if not _valid(year, fields.month, fields.day):
                return None
    if any(char.isdigit() for char in rest) and not _is_date_again(rest):
        return None
    given = {name: getattr(fields, name) for name in ("month", "day", "order", "has_day")}
    return DateFields(year=year, **given, **found)


def _is_date_again(rest: str) -> bool:
    """Whether what is left names a date of its own: published and updated, in one line."""
    return len(rest) >= 8 and find_date(rest.replace("|", " ")) is not None


def _time_of(clock: re.Match[str]) -> dict[str, int] | None:
    groups = clock.groupdict()
    hour, minute, second = int(groups["h"]), int(groups["m"] or 0), int(groups["s"] or 0)
    half = groups.get("before") or groups.get("after")
    if half and hour <= 12:
        hour = hour % 12 + (12 if half.startswith(_AFTER_NOON) else 0)
    second = min(second, 59) if second == 60 else second  # a leap second
    if minute > 59 or second > 59 or hour > 24 or (hour == 24 and (minute or second)):
        return None
    return {"hour": hour, "minute": minute, "second": second}


def _zone_of(match: re.Match[str]) -> int | str | None:
    if match["offset"]:
        return offset(match["offset"])
    if match["place"]:
        return match["place"]
    return ZONES.get(match["name"])
