"""How alarms are delivered; and whether a rule can work, before it is kept."""

from __future__ import annotations

from math import isfinite
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from msgspec import Struct

from tidings.core import (
    ATTRIBUTES,
    AlarmRule,
    EntityNew,
    SourceSilent,
    StorySpread,
    UpdateAbove,
    UsageError,
    ValueRose,
    format_duration,
)

FIGURES = tuple(name for name in ATTRIBUTES if name != "location")
"""The figures that a rule may name; a place does not rise."""


class DeliverySettings(Struct, frozen=True, kw_only=True):
    """How alarms are delivered.

    Args:
        allow_private: whether what is not on the public internet (this machine, its network) may be sent to.
        digests: the folder that digests are written to as files; empty where there is none.
        public_url: where readers reach the pages, for links; empty: links are paths.
        look_every_s: how often the outbox is looked at.
        lease_s: for so long an alarm is with who sends it; more than `send_s`.
        send_s: what one attempt may take.
        at_once: how many alarms are on their way to one channel at once, each about an event of its own.
        unit_s: the first attempt that failed is repeated after so long, the n-th after n⁴ times that, …
        longest_s: … at most after so long.
        give_up_s: what could not be delivered for so long is given up.
        keep_s: what was delivered, or given up, is forgotten after so long.
    """

    allow_private: bool = False
    digests: str = ""
    public_url: str = ""
    look_every_s: float = 0.5
    lease_s: float = 90.0
    send_s: float = 30.0
    at_once: int = 4
    unit_s: float = 1.0
    longest_s: float = 6 * 3600.0
    give_up_s: float = 3 * 86400.0
    keep_s: float = 30 * 86400.0


_DAY_MINUTES = 1440
_MOST_AN_HOUR = 1000
_MOST_TOP = 50
_ZONE_CHARS = 100  # more than any name of a time zone has


def check_zone(zone: str) -> None:
    """UsageError where there is no such time zone.

    >>> check_zone("Europe/Madrid")
    >>> check_zone("/".join("a" * 250))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tidings.core.errors.UsageError: There is no time zone 'a/a/... Write one such as UTC or Europe/Madrid.
    """
    try:
        if len(zone) > _ZONE_CHARS:
            raise ValueError("no time zone has such a long name")
        ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise UsageError(
            f"There is no time zone {zone[:60]!r}. Write one such as UTC or Europe/Madrid."
        ) from error


def check_rule(rule: AlarmRule) -> None:
    """UsageError where a rule cannot be held to.

    >>> check_rule(AlarmRule(name="sure", when=UpdateAbove(worth=0.5), zone="Europe/Madrid"))
    """
    check_zone(rule.zone)
    when, quiet = rule.when, rule.quiet
    if quiet is not None and not (
        0 <= quiet.start < _DAY_MINUTES and 0 <= quiet.end < _DAY_MINUTES and quiet.start != quiet.end
    ):
        raise UsageError("Quiet hours need a start and a different end, such as 22:00 and 07:00.")
    if not 0 <= rule.most_an_hour <= _MOST_AN_HOUR:
        raise UsageError(f"Enter a maximum of 1 to {_MOST_AN_HOUR} alarms per hour, or 0 for no limit.")
    if isinstance(when, UpdateAbove) and not 0 <= when.worth <= 1:
        raise UsageError(f"The confidence must be from 0 to 1, not {when.worth:g}.")
    if isinstance(when, ValueRose) and not (isfinite(when.share) and 0 <= when.share <= 100):
        raise UsageError("Enter a rise of 0 to 10000 percent.")
    if isinstance(when, ValueRose) and (unknown := [name for name in when.attributes if name not in FIGURES]):
        raise UsageError(f"There is no figure {unknown[0][:40]!r}. Enter names of {', '.join(FIGURES)}.")
    if isinstance(when, EntityNew) and not 1 <= when.top <= _MOST_TOP:
        raise UsageError(f"Enter the top 1 to {_MOST_TOP} names of a day, not {when.top}.")
    if isinstance(when, SourceSilent) and not 60 <= when.after_s <= 366 * 86400:
        raise UsageError("Enter a quiet period from 1m (a minute) to 366d (a year).")
    if isinstance(when, StorySpread):
        if not 2 <= when.outlets <= _MOST_TOP:
            raise UsageError(f"A story spreads to 2 to {_MOST_TOP} outlets, not {when.outlets}.")
        if not 60 <= when.within_s <= 2 * 86400:
            raise UsageError("A new story spreads within 1m (a minute) to 2d (two days).")


def hour(minute: int) -> str:
    """A minute of the day as people write it.

    >>> hour(425)
    '07:05'
    """
    return f"{minute // 60:02}:{minute % 60:02}"


def rule_words(rule: AlarmRule) -> str:
    """What a rule is about, in a line.

    >>> rule_words(AlarmRule(name="toll", when=ValueRose(share=0.25, attributes=("deaths",)), most_an_hour=2))
    'deaths up by 25%, at most 2 an hour'
    """
    when = rule.when
    if isinstance(when, UpdateAbove):
        words = f"updates with a confidence of {when.worth:g} or more" if when.worth else "every update"
    elif isinstance(when, ValueRose):
        words = f"{', '.join(when.attributes) or 'figures'} up by {when.share * 100:g}%"
    elif isinstance(when, EntityNew):
        words = f"new names in the top {when.top} of the day"
    elif isinstance(when, StorySpread):
        words = f"new stories with {when.outlets} outlets in {format_duration(when.within_s)}"
    else:
        words = f"nothing from {when.source or 'a feed'} for {format_duration(when.after_s)}"
    if rule.quiet is not None:
        words += f", quiet from {hour(rule.quiet.start)} to {hour(rule.quiet.end)} ({rule.zone})"
    if rule.most_an_hour:
        words += f", at most {rule.most_an_hour} an hour"
    return words
