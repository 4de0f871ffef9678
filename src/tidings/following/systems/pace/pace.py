"""How much a reader wants to read: `10/day`, `2/hour`, or `30` in all."""

from __future__ import annotations

import re
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from tidings.core import UsageError

__all__ = ["DAY_S", "FREE", "HOUR_S", "Pace"]

DAY_S = 86_400
HOUR_S = 3_600
FREE = "free"
"""What `--about` says for no pace at all."""

_MOST = 1_000_000
_UP_TO = "up to "
_UNITS = {"day": DAY_S, "d": DAY_S, "hour": HOUR_S, "h": HOUR_S, "": 0}
_ABOUT = re.compile(
    r"(up to\s+)?(\d{1,9}(?:\.\d{1,9})?)\s*(?:(?:/|\bper\b|\ban?\b)\s*(day|d|hour|h))?", re.IGNORECASE
)


class Pace(Struct, frozen=True, kw_only=True):
    """About how many updates are told: in a day or an hour that has news, or in all; "" leaves it to the system.

    `up to 10/day` is a limit: the system tells what it tells by itself, but no more than that in any 24 hours.

    >>> pace = Pace(about="10 per day")
    >>> pace.about, pace.count, pace.unit_s
    ('10/day', 10.0, 86400)
    >>> Pace(about="30").is_total, Pace(about="up to 30/day").is_ceiling
    (True, True)
    >>> Pace(about="daily")
    Traceback (most recent call last):
    tidings.core.errors.UsageError: found a pace of 'daily' updates, expected such as 10/day, 2/hour, or 30 (in all)
    """

    about: Annotated[
        str,
        Meta(description="about how many updates: 10/day, 2/hour, or 30 in all; empty: the system decides"),
    ] = ""

    def __post_init__(self) -> None:
        if not self.about:
            return
        match = _ABOUT.fullmatch(self.about.strip())
        if match is None or not 0 < float(match[2]) <= _MOST:
            raise UsageError(
                f"found a pace of {self.about!r} updates, expected such as 10/day, 2/hour, or 30 (in all)"
            )
        count, unit = float(match[2]), _UNITS[(match[3] or "").lower()]
        if match[1] and (not unit or count != int(count)):
            raise UsageError(f"found a pace of {self.about!r} updates, expected such as up to 10/day")
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
