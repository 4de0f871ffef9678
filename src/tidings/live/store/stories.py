"""What pages ask of a run's outputs beside the outputs themselves: how many, when, and by whom."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, func, select

from tidings.core import Store, Support, outputs, runs
from tidings.live.store.outputs import LiveOutputs, NumberedOutput

__all__ = ["EventSummary", "Stories"]

HOUR_S, DAY_S = 3600, 86400
_LOOKED_BACK = 20_000
"""So many of the last outputs are looked at for what happens now."""
_ASKED_AT_ONCE = 200


class EventSummary(Struct, frozen=True):
    """How many updates an event has, and the number and the time of its last one."""

    updates: int
    last_seq: int
    last_time: int


class Stories:
    """Counts over the outputs of one run; of a run that is not there yet there are none."""

    def __init__(self, store: Store, lists: LiveOutputs) -> None:
        self._store, self._lists = store, lists

    def summaries(self, *, event_id: str | None = None) -> dict[str, EventSummary]:
        """Of each event that has updates (or of one), by its id."""
        with self._store.asking() as connection:
            query = (
                select(outputs.c.event_id, func.count(), func.max(outputs.c.seq), func.max(outputs.c.time))
                .where(outputs.c.run_id == self._run_id(connection), outputs.c.kind == "update")
                .group_by(outputs.c.event_id)
            )
            if event_id is not None:
                query = query.where(outputs.c.event_id == event_id)
            return {row[0]: EventSummary(*row[1:]) for row in connection.execute(query).all()}

    def by_hour(self, since: int, *, event_id: str | None = None) -> dict[str, dict[int, int]]:
        """Updates of each event by hour (since 1970, UTC), from a time on; among the last 20,000 outputs."""
        hour = (outputs.c.time // HOUR_S).label("hour")
        with self._store.asking() as connection:
            run_id = self._run_id(connection)
            last = select(func.max(outputs.c.seq)).where(outputs.c.run_id == run_id)
            from_seq = (connection.execute(last).scalar() or 0) - _LOOKED_BACK
            query = select(outputs.c.event_id, hour, func.count()).where(
                outputs.c.run_id == run_id,
                outputs.c.seq > from_seq,
                outputs.c.kind == "update",
                outputs.c.time >= since,
            )
            if event_id is not None:
                query = query.where(outputs.c.event_id == event_id)
            rows = connection.execute(query.group_by(outputs.c.event_id, hour)).all()
        counts: dict[str, dict[int, int]] = {}
        for name, number, count in rows:
            counts.setdefault(name, {})[int(number)] = count
        return counts

    def by_day(self, event_id: str) -> list[tuple[int, int]]:
        """(start of a day in seconds UTC, updates on it) for the days with updates, in order."""
        day = (outputs.c.time // DAY_S).label("day")
        with self._store.asking() as connection:
            query = select(day, func.count()).where(*self._updates_of(connection, event_id))
            rows = connection.execute(query.group_by(day).order_by(day)).all()
        return [(int(number) * DAY_S, count) for number, count in rows]

    def by_outlet(self, event_id: str) -> list[tuple[str, str, int]]:
        """(source, an address of it, updates) for each source of an event's updates, the most frequent first."""
        with self._store.asking() as connection:
            query = select(outputs.c.source, func.max(outputs.c.url), func.count()).where(
                *self._updates_of(connection, event_id), outputs.c.source != ""
            )
            named = connection.execute(query.group_by(outputs.c.source)).all()
            query = select(outputs.c.source, outputs.c.url, func.count()).where(
                *self._updates_of(connection, event_id), outputs.c.source == ""
            )
            unnamed = connection.execute(query.group_by(outputs.c.source, outputs.c.url).limit(1000)).all()
        rows = [(row[0], row[1], row[2]) for row in (*named, *unnamed)]
        return sorted(rows, key=lambda row: (-row[2], row[0], row[1]))

    def supports(self, event_id: str, update_ids: Iterable[tuple[str, int]]) -> list[Support]:
        """What supports these updates (document id, sentence's number), in the order in which it came."""
        wanted = set(update_ids)
        documents = sorted({name for name, _ in wanted})
        found: list[NumberedOutput] = []
        for first in range(0, len(documents), _ASKED_AT_ONCE):
            some = documents[first : first + _ASKED_AT_ONCE]
            found += self._lists.chosen(
                outputs.c.event_id == event_id, outputs.c.kind == "support", outputs.c.doc_id.in_(some)
            )
        return [
            one.output
            for one in found
            if isinstance(one.output, Support) and (one.output.doc_id, one.output.sentence_index) in wanted
        ]

    def _updates_of(self, connection: Connection, event_id: str) -> tuple[ColumnElement[bool], ...]:
        run_id = self._run_id(connection)
        return outputs.c.run_id == run_id, outputs.c.event_id == event_id, outputs.c.kind == "update"

    def _run_id(self, connection: Connection) -> int:
        found = connection.execute(select(runs.c.id).where(runs.c.name == self._lists.run)).scalar()
        return -1 if found is None else int(found)
