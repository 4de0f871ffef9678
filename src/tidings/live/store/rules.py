"""What is worth an alarm, what each rule remembers of the outputs so far, and where alarms go."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Generic, TypeVar

import msgspec
from sqlalchemy import Connection, Row, Table, delete, select

from tidings.core import (
    AlarmChannel,
    AlarmRule,
    ChannelSettings,
    Store,
    UsageError,
    encode,
    insert_numbered,
    live_channels,
    live_rules,
    row_values,
    set_columns,
)
from tidings.live.store.events import in_turn

_NAME_CHARS = 64

Item = TypeVar("Item", AlarmChannel, AlarmRule)
Memory = TypeVar("Memory")


class _Named(ABC, Generic[Item]):
    """The channels or the rules of a store: things with a number and a name of their own."""

    _what: ClassVar[str]
    _table: ClassVar[Table]
    _most: ClassVar[int]

    def __init__(self, store: Store) -> None:
        self._store = store

    def all(self) -> list[Item]:
        """All of them, in the order in which they were added."""
        rows = self._store.rows(select(self._table).order_by(self._table.c.id))
        return [self._item(self._check(row)) for row in rows]

    def find(self, number: int) -> Item | None:
        """The one of this number; None where there is none."""
        with self._store.asking() as connection:
            row = self._row(connection, number)
        return None if row is None else self._item(self._check(row))

    def add(self, item: Item) -> Item:
        """A new one; UsageError where its name is taken or is none, or there are too many."""
        with self._store.writing() as connection:
            in_turn(connection)
            self._check_name(connection, item)
            made = insert_numbered(connection, self._table, self._values(item, None))
        return msgspec.structs.replace(item, id=int(made["id"]))

    def change(self, item: Item) -> Item:
        """Put it in the place of the one of its number."""
        with self._store.writing() as connection:
            in_turn(connection)
            row = self._row(connection, item.id)
            if row is None:
                raise UsageError(f"The {self._what} {item.id} has been removed.")
            self._check_name(connection, item)
            before = self._check(row)
            set_columns(connection, self._table, before, **self._values(item, before))
        return item

    def remove(self, number: int) -> None:
        """Forget it."""
        with self._store.writing() as connection:
            in_turn(connection)
            connection.execute(delete(self._table).where(self._table.c.id == number))
            self._after_removal(connection, number)

    def _after_removal(self, connection: Connection, number: int) -> None:
        pass

    @abstractmethod
    def _item(self, values: dict[str, Any]) -> Item: ...

    @abstractmethod
    def _values(self, item: Item, before: dict[str, Any] | None) -> dict[str, Any]: ...

    def _row(self, connection: Connection, number: int) -> Row[Any] | None:
        return connection.execute(select(self._table).where(self._table.c.id == number)).one_or_none()

    def _check(self, row: Row[Any]) -> dict[str, Any]:
        return row_values(self._table, row, str(self._store), f"the {self._what} {row.name!r}")

    def _check_name(self, connection: Connection, item: Item) -> None:
        name, query = item.name, select(self._table.c.name).where(self._table.c.id != item.id)
        others = connection.execute(query).scalars().all()
        if len(others) >= self._most:
            raise UsageError(f"There are already {len(others)} {self._what}s, the maximum. Remove one first.")
        if not name or len(name) > _NAME_CHARS or not name.isprintable() or name != name.strip():
            raise UsageError(f"Enter a name of 1 to {_NAME_CHARS} printable characters for the {self._what}.")
        if name.casefold() in (other.casefold() for other in others):
            raise UsageError(f"A {self._what} named {name!r} already exists. Choose another name.")


class AlarmChannels(_Named[AlarmChannel]):
    """The channels of a store. What is on its way to one goes where it leads once it is changed, or is forgotten."""

    _what, _table, _most = "channel", live_channels, 100

    def _after_removal(self, connection: Connection, number: int) -> None:
        # A file of SQLite may give the number to the next channel, which is none of these rules'.
        for row in connection.execute(select(live_rules)).all():
            rule = msgspec.json.decode(row.settings, type=AlarmRule)
            left = tuple(channel_id for channel_id in rule.channels if channel_id != number)
            if left != rule.channels:
                settings = encode(msgspec.structs.replace(rule, channels=left))
                before = row_values(live_rules, row, str(self._store), f"the rule {row.name!r}")
                set_columns(connection, live_rules, before, settings=settings)

    def _item(self, values: dict[str, Any]) -> AlarmChannel:
        fields = {name: values[name] for name in AlarmChannel.__struct_fields__}
        settings = msgspec.json.decode(values["settings"], type=ChannelSettings)
        return AlarmChannel(**fields | {"settings": settings})

    def _values(self, item: AlarmChannel, before: dict[str, Any] | None) -> dict[str, Any]:
        fields = {name: getattr(item, name) for name in AlarmChannel.__struct_fields__ if name != "id"}
        return fields | {"settings": encode(item.settings)}


class RememberingRule:
    """A rule in a transaction, with what it remembers."""

    def __init__(self, rule: AlarmRule, row: dict[str, Any]) -> None:
        self.rule, self._row = rule, row

    def memory(self, kind: type[Memory]) -> Memory:
        """What it remembers: `telling` is what it sent and gathered, which stays when it is changed."""
        return msgspec.json.decode(self._row["memory"], type=kind)

    def remember(self, connection: Connection, memory: object) -> None:
        """Keep this instead, where it is anything else."""
        kept = encode(memory)
        if kept != self._row["memory"]:
            self._row = set_columns(connection, live_rules, self._row, memory=kept)


class AlarmRules(_Named[AlarmRule]):
    """The rules of a store.

    A rule speaks of what comes after it was added. One that is changed to ask for something else, or that rested,
    starts over; what it gathered is sent all the same, as is what it said before it was removed.
    """

    _what, _table, _most = "rule", live_rules, 200

    def any(self, connection: Connection) -> bool:
        """Whether there are rules that do not rest."""
        query = select(live_rules.c.id).where(live_rules.c.disabled_ms.is_(None)).limit(1)
        return connection.execute(query).first() is not None

    def awake(self, connection: Connection) -> list[RememberingRule]:
        """In a transaction: the rules that do not rest, in their order."""
        query = select(live_rules).where(live_rules.c.disabled_ms.is_(None)).order_by(live_rules.c.id)
        rows = [self._check(row) for row in connection.execute(query).all()]
        return [RememberingRule(self._item(row), row) for row in rows]

    def _item(self, values: dict[str, Any]) -> AlarmRule:
        rule = msgspec.json.decode(values["settings"], type=AlarmRule)
        return msgspec.structs.replace(
            rule, id=values["id"], name=values["name"], disabled_ms=values["disabled_ms"]
        )

    def _values(self, item: AlarmRule, before: dict[str, Any] | None) -> dict[str, Any]:
        memory = "{}"
        if before is not None:
            earlier, memory = self._item(before), before["memory"]
            rested = earlier.disabled_ms is not None and item.disabled_ms is None
            if rested or (earlier.when, earlier.event_id) != (item.when, item.event_id):
                kept = msgspec.json.decode(memory, type=dict[str, Any])
                memory = encode({name: value for name, value in kept.items() if name == "telling"})
        settings = encode(msgspec.structs.replace(item, id=0, disabled_ms=None))
        return {"name": item.name, "settings": settings, "disabled_ms": item.disabled_ms, "memory": memory}
