"""Times as people read them: one clock for a whole report, its zone stated once."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo

from tidings.core.errors import UsageError

MINUTE_S = 60
HOUR_S = 3600
DAY_S = 86400

OPEN = "open"
"""What every report says of a period that has no start or no end."""


class Clock:
    """Writes integer seconds UTC as days and hours of one time zone.

    `zone` is a name of the IANA table (`Europe/Madrid`); the default is UTC. Raises `UsageError` for
    a zone that this machine does not know.

    >>> clock = Clock()
    >>> clock.day(1374691320), clock.hour(1374691320), clock.label
    ('Wednesday 24 July 2013', '18:42', 'UTC')
    """

    def __init__(self, zone: str = "UTC") -> None:
        self.label = zone
        self.zone: tzinfo = UTC if zone in {"", "UTC"} else _zone(zone)

    def at(self, time: int) -> datetime:
        """The moment as a datetime of this clock's zone; out-of-range times are held to 1–9999 AD."""
        low, high = -62135510400, 253402214400
        return datetime.fromtimestamp(min(max(time, low), high), self.zone)

    def day(self, time: int) -> str:
        """`Wednesday 24 July 2013`."""
        moment = self.at(time)
        return f"{moment:%A} {moment.day} {moment:%B} {moment.year}"

    def short_day(self, time: int) -> str:
        """`24 Jul`."""
        moment = self.at(time)
        return f"{moment.day} {moment:%b}"

    def hour(self, time: int) -> str:
        """`18:42`."""
        return f"{self.at(time):%H:%M}"

    def moment(self, time: int | None) -> str:
        """`24 Jul 2013 18:42`; `open` where there is none."""
        if time is None:
            return OPEN
        moment = self.at(time)
        return f"{moment.day} {moment:%b} {moment.year} {moment:%H:%M}"

    def period(self, start: int | None, end: int | None, dash: str = "–") -> str:
        """`24 Jul 2013 18:42 – 26 Jul 2013 18:42`; half open `from …` or `until …`, and `open` at both ends.

        >>> Clock().period(0, None), Clock().period(None, None)
        ('from 1 Jan 1970 00:00', 'open')
        """
        if start is None:
            return OPEN if end is None else f"until {self.moment(end)}"
        return (
            f"from {self.moment(start)}" if end is None else f"{self.moment(start)} {dash} {self.moment(end)}"
        )

    def iso(self, time: int) -> str:
        """`2013-07-24T18:42:00+00:00`, for machines."""
        return self.at(time).isoformat()


def _zone(name: str) -> tzinfo:
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        message = (
            f"there is no time zone {name!r}: write a name such as UTC, Europe/Madrid or America/New_York"
        )
        raise UsageError(message) from error


def duration_words(seconds: int) -> str:
    """A length of time in its two largest units.

    >>> duration_words(59), duration_words(3900), duration_words(90000)
    ('59 s', '1 h 5 min', '1 d 1 h')
    """
    seconds = abs(seconds)
    if seconds < MINUTE_S:
        return f"{seconds} s"
    if seconds < HOUR_S:
        return f"{seconds // MINUTE_S} min"
    if seconds < DAY_S:
        hours, minutes = divmod(seconds // MINUTE_S, 60)
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    days, hours = divmod(seconds // HOUR_S, 24)
    return f"{days} d {hours} h" if hours else f"{days} d"


def signed_duration(seconds: int) -> str:
    """How long after (+) or before (−) a fact's own time it was emitted.

    >>> signed_duration(300), signed_duration(-7200), signed_duration(0)
    ('+5 min', '−2 h', 'on time')
    """
    if seconds == 0:
        return "on time"
    return ("+" if seconds > 0 else "−") + duration_words(seconds)


def compact_duration(seconds: int) -> str:
    """`signed_duration` in one word, which no line break can tear apart.

    >>> compact_duration(6360), compact_duration(0)
    ('+1h46min', 'on time')
    """
    return signed_duration(seconds).replace(" ", "") if seconds else signed_duration(0)
