"""What a rule remembers between two commits."""

from __future__ import annotations

from msgspec import Struct

from tidings.core import AlarmItem

__all__ = ["DayOfEntities", "RuleMemory", "Sources", "Telling"]


class Telling(Struct, frozen=True, omit_defaults=True):
    """When the rule sent its last alarms, and what it gathered since: items, and how many beyond."""

    times: tuple[int, ...] = ()
    items: tuple[AlarmItem, ...] = ()
    more: int = 0
    last_seq: int = 0


class DayOfEntities(Struct, frozen=True, omit_defaults=True):
    """The day (YYYY-MM-DD) of an event's last ranking, its entities, and those that had an alarm."""

    date: str = ""
    entities: tuple[str, ...] = ()
    announced: tuple[str, ...] = ()


class Sources(Struct, frozen=True, omit_defaults=True):
    """What was seen of sources: number of the last item, when each gave its last one, and since when each is silent.

    `since` is from when on they were looked at without a break, and `looked_ms` when they were looked at last by the
    machine's clock.
    """

    seq: int = 0
    since: int = 0
    looked_ms: int = 0
    last: dict[str, int] = {}
    silent: dict[str, int] = {}


class RuleMemory(Struct, frozen=True, omit_defaults=True):
    """All of it; `values` are those that the rule spoke of last, by event and attribute."""

    telling: Telling = Telling()
    values: dict[str, dict[str, float]] = {}
    entities: dict[str, DayOfEntities] = {}
    sources: Sources = Sources()
