"""Ids of alarms, which stay however often an alarm is made or sent."""

from __future__ import annotations

from hashlib import sha256

__all__ = ["alarm_id"]


def alarm_id(*parts: object) -> str:
    """A digest of what an alarm is by.

    >>> alarm_id(1, "live", 7) == alarm_id(1, "live", 7), alarm_id(1, "live", 7) == alarm_id(1, "live", 8)
    (True, False)
    """
    return sha256(ascii(parts).encode("ascii")).hexdigest()[:32]
