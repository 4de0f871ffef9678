"""Objects and entries as they are read from their rows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, and_, or_, select

from tidings.core import (
    DeskItem,
    JudgedObject,
    LogEntry,
    check_row,
    checked,
    decode,
    desk_items,
    desk_log,
    desk_objects,
)

__all__ = ["ObjectView", "checked_entry", "entry_of", "object_of"]


class ObjectView:
    """The objects and items of a topic as they are in a transaction, which reads none of them twice."""

    def __init__(self, connection: Connection, where: str, project_id: int, topic: int) -> None:
        self.connection, self._where = connection, where
        self.project_id, self.topic = project_id, topic
        self._loaded: dict[tuple[str, str], dict[str, JudgedObject]] = {}
        self._read: dict[tuple[str, str, str], JudgedObject | None] = {}

    def load(self, places: Iterable[tuple[str, str]]) -> None:
        """Read all objects of these (layer, kind) at once, of which `get` then asks no more."""
        for layer, kind in set(places) - self._loaded.keys():
            rows = self.connection.execute(self._objects(layer, kind)).all()
            self._loaded[layer, kind] = {row.object_id: object_of(row, self._where) for row in rows}

    def fetch(self, wanted: Mapping[tuple[str, str], Collection[str]]) -> None:
        """Read objects by (layer, kind) and id by one statement; `get` and `some` then ask no more for these."""
        places = []
        for (layer, kind), ids in wanted.items():
            new = sorted({one for one in ids if (layer, kind, one) not in self._read})
            if new and (layer, kind) not in self._loaded:
                places.append((layer, kind, new))
        if not places:
            return
        table = desk_objects
        # The project and the topic stand in each, so that the index finds each by its whole key.
        alike = (table.c.project_id == self.project_id, table.c.topic == self.topic)
        these = [
            and_(*alike, table.c.layer == layer, table.c.kind == kind, table.c.object_id.in_(ids))
            for layer, kind, ids in places
        ]
        self._read |= {(layer, kind, one): None for layer, kind, ids in places for one in ids}
        for row in self.connection.execute(select(table).where(or_(*these))).all():
            self._read[row.layer, row.kind, row.object_id] = object_of(row, self._where)

    def get(self, layer: str, kind: str, object_id: str) -> JudgedObject | None:
        """One object; None where it was never judged. Its value is None where a judgment was taken away."""
        if (layer, kind) in self._loaded:
            return self._loaded[layer, kind].get(object_id)
        self.fetch({(layer, kind): [object_id]})
        return self._read[layer, kind, object_id]

    def value(self, layer: str, kind: str, object_id: str) -> Any:
        """An object's value; None where it has none."""
        found = self.get(layer, kind, object_id)
        return None if found is None else found.value

    def some(self, layer: str, kind: str, ids: Collection[str]) -> dict[str, JudgedObject]:
        """Those of these objects that were ever judged, by id; the value of one may be None."""
        if (layer, kind) in self._loaded:
            return {one: found for one, found in self._loaded[layer, kind].items() if one in ids}
        self.fetch({(layer, kind): ids})
        read = {one: self._read[layer, kind, one] for one in ids}
        return {name: one for name, one in read.items() if one is not None}

    def all(self, layer: str, kind: str) -> list[JudgedObject]:
        """The objects of a kind that have a value, by id."""
        query = (
            self._objects(layer, kind)
            .where(desk_objects.c.value.is_not(None))
            .order_by(desk_objects.c.object_id)
        )
        return [object_of(row, self._where) for row in self.connection.execute(query).all()]

    def in_all_layers(self, kind: str) -> list[JudgedObject]:
        """The objects of a kind that have a value, in every layer, by layer and id."""
        table = desk_objects
        query = (
            select(table)
            .where(
                table.c.project_id == self.project_id,
                table.c.topic == self.topic,
                table.c.kind == kind,
                table.c.value.is_not(None),
            )
            .order_by(table.c.layer, table.c.object_id)
        )
        return [object_of(row, self._where) for row in self.connection.execute(query).all()]

    def made_by(self, operation: str) -> set[int]:
        """The numbers of the topic's entries that acts of this operation made: objects of these versions are theirs."""
        query = select(desk_log.c.seq).where(
            desk_log.c.project_id == self.project_id,
            desk_log.c.topic == self.topic,
            desk_log.c.operation == operation,
        )
        return set(self.connection.execute(query).scalars())

    def acts_since(self, layer: str, kind: str, object_id: str, seq: int) -> list[tuple[str, str]]:
        """The acts that changed an object behind an entry of the log, in order, each with the one it takes back."""
        query = (
            select(desk_log.c.act, desk_log.c.undoes)
            .where(
                desk_log.c.project_id == self.project_id,
                desk_log.c.seq > seq,
                desk_log.c.topic == self.topic,
                desk_log.c.layer == layer,
                desk_log.c.kind == kind,
                desk_log.c.object_id == object_id,
            )
            .order_by(desk_log.c.seq)
        )
        return [(row.act, row.undoes) for row in self.connection.execute(query).all()]

    def item(self, kind: str, item_id: str) -> DeskItem | None:
        """One item."""
        table = desk_items
        query = select(table).where(
            table.c.project_id == self.project_id,
            table.c.topic == self.topic,
            table.c.kind == kind,
            table.c.item_id == item_id,
        )
        row = self.connection.execute(query).one_or_none()
        if row is None:
            return None
        values = checked(table, row, self._where, f"{kind} {item_id}")
        content = decode(values["content"])
        return DeskItem(self.project_id, self.topic, kind, item_id, values["number"], values["time"], content)

    def _objects(self, layer: str, kind: str) -> Any:
        return select(desk_objects).where(
            desk_objects.c.project_id == self.project_id,
            desk_objects.c.topic == self.topic,
            desk_objects.c.layer == layer,
            desk_objects.c.kind == kind,
        )


def object_of(found: Row[Any], where: str) -> JudgedObject:
    """An object of its row; StoreError where the row is damaged."""
    row = checked(desk_objects, found, where, f"{found.kind} {found.object_id}")
    return JudgedObject(
        row["topic"], row["layer"], row["kind"], row["object_id"], row["version"], decode(row["value"])
    )


_FIELDS = tuple(
    one.name for one in msgspec.structs.fields(LogEntry) if one.name not in {"before", "after", "account"}
)


def entry_of(row: dict[str, Any]) -> LogEntry:
    """An entry of its row and the `name` of who made it."""
    return LogEntry(
        **{name: row[name] for name in _FIELDS},
        before=decode(row["before"]),
        after=decode(row["after"]),
        account=row["name"] or "",
    )


def checked_entry(row: Row[Any], where: str) -> dict[str, Any]:
    """A row of the log with the `name` of who made it behind it; StoreError where it is damaged."""
    check_row(desk_log, row[:-1], where, f"entry {row.seq} of the log")  # type: ignore[arg-type]
    return row._asdict()
