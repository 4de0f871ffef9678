"""What others are shown of a story: a summary, how it goes, and how important it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt

from msgspec import Struct

from tidings.core import DAY_S

__all__ = ["StorySummary", "importance", "state_of"]


class StorySummary(Struct, frozen=True, kw_only=True):
    """A story at a moment: what it is about, its documents in the order in which they came, and how it goes on.

    `state` is `new` (its first document came within a day), `growing` (more documents in the last day than in the day
    before), `quiet` (none for two days) or `steady`; `see_also` are ids of stories that come near to it.
    """

    story: str
    title: str
    keywords: tuple[str, ...]
    names: tuple[str, ...]
    documents: tuple[str, ...]
    outlets: tuple[str, ...]
    first_time: int
    last_time: int
    state: str
    see_also: tuple[str, ...] = ()
    language: str = ""


def importance(outlets: Iterable[str], times: Iterable[int], now: int) -> float:
    """The sum over outlets of the square root of their documents in the 48 hours before a time.

    >>> importance(["a", "b", "a", "a", "a"], [10, 20, 30, 40, 50], 100)
    3.0
    """
    counts: dict[str, int] = {}
    for outlet, time in zip(outlets, times, strict=True):
        if now - 2 * DAY_S < time <= now:
            counts[outlet] = counts.get(outlet, 0) + 1
    return sum(sqrt(count) for count in counts.values())


def state_of(times: Sequence[int], now: int) -> str:
    """How a story goes at a time, by the times of its documents: `new`, `growing`, `steady` or `quiet`.

    >>> state_of([0, 100], 200), state_of([0, 90_000, 95_000], 100_000), state_of([0], 200_000)
    ('new', 'growing', 'quiet')
    """
    if max(times) <= now - 2 * DAY_S:
        return "quiet"
    if min(times) > now - DAY_S:
        return "new"
    last_day = sum(1 for time in times if time > now - DAY_S)
    day_before = sum(1 for time in times if now - 2 * DAY_S < time <= now - DAY_S)
    return "growing" if last_day > day_before else "steady"
