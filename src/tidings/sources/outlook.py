"""What a source still holds, seen from its times alone: how many documents, of when, and which would come too late."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

__all__ = ["NONE_YET", "Order", "Outlook", "look_ahead"]

NONE_YET = -(1 << 62)
"""Before all times."""


class Order(Struct, frozen=True, kw_only=True):
    """How far the order of a source has come: the state from which it is looked ahead.

    `place` is where in the source (empty at its beginning), `read` counts the documents before it; `latest`, `bound`
    and `floor` are the times that the order held there, `ends` where the source ended before, as a `Position` has them.
    What is older than `decided_time` was decided without, so that sorting would not bring it back.
    """

    lateness_s: int = 0
    place: bytes = b""
    read: int = 0
    latest: int = NONE_YET
    bound: int = NONE_YET
    floor: int = NONE_YET
    ends: tuple[tuple[int, int], ...] = ()
    decided_time: int = NONE_YET


class Outlook(Struct, frozen=True, kw_only=True):
    """How many documents are ahead, the first and the last time among them, and how many their disorder would lose."""

    documents: int = 0
    first_time: int | None = None
    last_time: int | None = None
    lost: int = 0


def look_ahead(times: Iterable[int], order: Order) -> Outlook:
    """What following documents of these times, in this order of coming, would meet.

    >>> look_ahead([100, 400, 300, 90, 500], Order(lateness_s=200))
    Outlook(documents=5, first_time=90, last_time=500, lost=1)
    """
    read, latest, bound, floor = order.read, order.latest, order.bound, order.floor
    ends, lateness_s, lost = dict(order.ends), order.lateness_s, 0
    first, last = None, latest
    for time in times:
        if read in ends:
            floor = ends[read]
            bound = max(bound, floor)
        read += 1
        if first is None or time < first:
            first = time
        if time < bound:
            if time >= floor and time >= order.decided_time:
                lost += 1
        elif time > latest:
            latest = last = time
            bound = max(latest - lateness_s, floor)
    number = read - order.read
    return Outlook(documents=number, first_time=first, last_time=last if number else None, lost=lost)
