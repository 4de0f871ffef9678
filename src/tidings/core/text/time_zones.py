"""Zones of time as dates name them: offsets, the letters of North America and Europe, names of places.

Letters mean different zones in different countries. Here they mean what most of the news in English means by them: BST
the summer time of Britain, IST the time of India, CST that of Chicago, EST that of New York. ET, CT, MT and PT are New
York, Chicago, Denver and Los Angeles, in summer and in winter as it is there. The single letters of the military were
defined one way and used the other; as RFC 5322 asks, they say nothing but UTC.
"""

from __future__ import annotations

import re
from datetime import UTC, timedelta, timezone, tzinfo
from functools import cache

from tidings.core.errors import UsageError

__all__ = ["ZONES", "as_zone", "offset", "place_zone"]

_HOURS = {
    "ut utc gmt z zulu wet uct": 0,
    "bst cet met mez wat": 1,
    "cest mest mesz eet cat sast": 2,
    "eest msk мск trt eat idt": 3,
    "msd gst azt": 4,
    "pkt uzt": 5,
    "bdt": 6,
    "ict wib": 7,
    "hkt sgt pht myt awst wita": 8,
    "jst kst wit": 9,
    "aest": 10,
    "aedt": 11,
    "nzst": 12,
    "nzdt": 13,
    "azost": 0,
    "brst": -2,
    "brt art adt clst": -3,
    "ast edt clt bot": -4,
    "est cdt pet cot": -5,
    "cst mdt": -6,
    "mst pdt": -7,
    "pst akdt": -8,
    "akst": -9,
    "hst": -10,
}
_HALVES = {
    "ist": 5.5,
    "irst": 3.5,
    "npt": 5.75,
    "mmt": 6.5,
    "acst": 9.5,
    "acdt": 10.5,
    "nst": -3.5,
    "ndt": -2.5,
}
_PLACES = {
    "et": "America/New_York", "ct": "America/Chicago", "mt": "America/Denver", "pt": "America/Los_Angeles",
    "at": "America/Halifax", "akt": "America/Anchorage",
}  # fmt: skip
_MILITARY = frozenset("abcdefghiklmnopqrstuvwxy")

ZONES: dict[str, int | str] = {
    **{name: int(hours * 3600) for names, hours in _HOURS.items() for name in names.split()},
    **{name: int(hours * 3600) for name, hours in _HALVES.items()},
    **dict.fromkeys(_MILITARY, 0),
    **_PLACES,
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
        exact = next((one for one in available_timezones() if one.lower() == wanted), None)
        return None if exact is None else ZoneInfo(exact)


def as_zone(text: str) -> tzinfo:
    """The zone that a person asks for: an IANA name, an offset or letters; "" is UTC.

    Raises:
        UsageError: it is none.

    >>> str(as_zone("Europe/Madrid")), str(as_zone("+02:00")), str(as_zone("EST")), str(as_zone(""))
    ('Europe/Madrid', 'UTC+02:00', 'UTC-05:00', 'UTC')
    >>> as_zone("Atlantis")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tidings.core.errors.UsageError: found zone 'Atlantis', expected a name such as Europe/Madrid or an offset ...
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
        raise UsageError(
            f"found zone {text!r}, expected a name such as Europe/Madrid or an offset such as +02:00"
        )
    return zone
