"""Whether a rule may tell something now, and what it gathers while it may not.

A rule tells nothing in its quiet hours, nor more than so often within an hour. What it might not tell is gathered and
goes, with what comes next, into one message as soon as the rule may tell again.
"""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from msgspec.structs import replace

from tidings.core import AlarmItem, AlarmRule, QuietHours
from tidings.live.alarms.memory import Telling

__all__ = ["is_quiet", "may_tell", "minute_of_day", "with_item", "without_items"]

_HOUR_S = 3600
_MOST_ITEMS = 50
_TEXT_CHARS = 300


def minute_of_day(time: int, zone: str) -> int:
    """How many minutes a local day is old at a time; in UTC where there is no such zone (any more).

    >>> minute_of_day(1_700_000_000, "Europe/Berlin"), minute_of_day(1_700_000_000, "UTC")
    (1393, 1333)
    """
    try:
        local = datetime.fromtimestamp(time, ZoneInfo(zone))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        local = datetime.fromtimestamp(time, UTC)
    return local.hour * 60 + local.minute


def is_quiet(quiet: QuietHours | None, minute: int) -> bool:
    """Whether a minute of the day is one of the quiet hours, which may last over midnight.

    >>> night, noon = QuietHours(1320, 420), QuietHours(720, 780)
    >>> [is_quiet(night, one) for one in (0, 419, 420, 1319, 1320)]
    [True, True, False, False, True]
    >>> is_quiet(noon, 719), is_quiet(noon, 720), is_quiet(noon, 780), is_quiet(None, 0)
    (False, True, False, False)
    """
    if quiet is None:
        return False
    if quiet.start <= quiet.end:
        return quiet.start <= minute < quiet.end
    return minute >= quiet.start or minute < quiet.end


def may_tell(rule: AlarmRule, telling: Telling, time: int) -> bool:
    """Whether a rule may tell something at a time."""
    if is_quiet(rule.quiet, minute_of_day(time, rule.zone)):
        return False
    within = sum(1 for one in telling.times if time - _HOUR_S < one <= time)
    return not rule.most_an_hour or within < rule.most_an_hour


def with_item(telling: Telling, item: AlarmItem) -> Telling:
    """With one thing more that is to be told."""
    last_seq = max(telling.last_seq, item.seq)
    if len(telling.items) >= _MOST_ITEMS:
        return replace(telling, more=telling.more + 1, last_seq=last_seq)
    short = item.text if len(item.text) <= _TEXT_CHARS else item.text[: _TEXT_CHARS - 1] + "…"
    return replace(telling, items=(*telling.items, replace(item, text=short)), last_seq=last_seq)


def without_items(rule: AlarmRule, telling: Telling, time: int) -> Telling:
    """With what was gathered sent at a time."""
    recent = [*(one for one in telling.times if time - _HOUR_S < one), time]
    return Telling(times=tuple(recent[-rule.most_an_hour :]) if rule.most_an_hour else ())
