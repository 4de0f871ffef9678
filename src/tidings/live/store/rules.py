"""What is worth an alarm, what each rule remembers of the outputs so far, and where alarms go."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Connection, Row, delete, select

from tidings.core import (
    AlarmChannel,
    AlarmRule,
    ChannelSettings,
    Store,
    UsageError,
    checked,
    encode,
    insert_numbered,
    live_channels,
    live_rules,
    set_columns,
)
from tidings.live.store.events import in_turn

__all__ = ["AlarmChannels", "AlarmRules", "RememberingRule", "check_new_name"]


_NAME_CHARS = 64
_MOST_CHANNELS = 100


class AlarmChannels:
    """The channels of a store. `clock` gives the time in seconds."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._store, self._clock = store, clock

    def all(self) -> list[AlarmChannel]:
        """All of them, in the order in which they were added."""
        with self._store.asking() as connection:
            rows = connection.execute(select(live_channels).order_by(live_channels.c.id)).all()
        return [self._channel(row) for row in rows]

    def find(self, channel_id: int) -> AlarmChannel | None:
        """The one of this number; None where there is none."""
        with self._store.asking() as connection:
            row = _channel_row(connection, channel_id)
        return None if row is None else self._channel(row)

    def add(self, channel: AlarmChannel) -> AlarmChannel:
        """A new one; UsageError where the name is taken or no name, or there are too many."""
        with self._store.writing() as connection:
            in_turn(connection)
            names = list(connection.execute(select(live_channels.c.name)).scalars())
            if len(names) >= _MOST_CHANNELS:
                raise UsageError(f"{len(names)} channels already (expected at most {_MOST_CHANNELS})")
            check_new_name("channel", channel.name, names)
            made = insert_numbered(connection, live_channels, _channel_values(channel))
        return msgspec.structs.replace(channel, id=int(made["id"]))

    def change(self, channel: AlarmChannel) -> AlarmChannel:
        """Put a channel in the place of the one of its number; what is on its way goes where it now leads."""
        with self._store.writing() as connection:
            in_turn(connection)
            row = _channel_row(connection, channel.id)
            if row is None:
                raise UsageError(f"no channel {channel.id} (expected one that is there)")
            others = select(live_channels.c.name).where(live_channels.c.id != channel.id)
            check_new_name("channel", channel.name, list(connection.execute(others).scalars()))
            self._channel(row)
            set_columns(connection, live_channels, row._asdict(), **_channel_values(channel))
        return channel

    def remove(self, channel_id: int) -> None:
        """Forget a channel, and what was on its way to it."""
        with self._store.writing() as connection:
            in_turn(connection)
            connection.execute(delete(live_channels).where(live_channels.c.id == channel_id))
            # A file of SQLite may give the number to the next channel, which is none of these rules'.
            for row in connection.execute(select(live_rules)).all():
                rule = msgspec.json.decode(row.settings, type=AlarmRule)
                left = tuple(one for one in rule.channels if one != channel_id)
                if left != rule.channels:
                    settings = encode(msgspec.structs.replace(rule, channels=left))
                    checked(live_rules, row, str(self._store), f"the rule {row.name!r}")
                    set_columns(connection, live_rules, row._asdict(), settings=settings)

    def _channel(self, row: Row[Any]) -> AlarmChannel:
        values = checked(live_channels, row, str(self._store), f"the channel {row.name!r}")
        return AlarmChannel(
            id=values["id"],
            name=values["name"],
            kind=values["kind"],
            address=values["address"],
            secret=values["secret"],
            settings=msgspec.json.decode(values["settings"], type=ChannelSettings),
            disabled_ms=values["disabled_ms"],
        )


def check_new_name(what: str, name: str, names: list[str]) -> None:
    """UsageError where a channel or a rule cannot be called so.

    >>> check_new_name("rule", "Deaths", ["Updates"])
    """
    if not name or len(name) > _NAME_CHARS or not name.isprintable() or name != name.strip():
        raise UsageError(
            f"the name {name[:_NAME_CHARS]!r} of a {what} (expected 1 to {_NAME_CHARS} printable characters)"
        )
    if name.casefold() in (one.casefold() for one in names):
        raise UsageError(f"a {what} called {name!r} already (expected another name)")


def _channel_row(connection: Connection, channel_id: int) -> Row[Any] | None:
    return connection.execute(select(live_channels).where(live_channels.c.id == channel_id)).one_or_none()


def _channel_values(channel: AlarmChannel) -> dict[str, Any]:
    return {
        "name": channel.name,
        "kind": channel.kind,
        "address": channel.address,
        "secret": channel.secret,
        "settings": encode(channel.settings),
        "disabled_ms": channel.disabled_ms,
    }


_MOST = 200

Memory = TypeVar("Memory")


class RememberingRule:
    """A rule in a transaction, with what it remembers."""

    def __init__(self, rule: AlarmRule, row: dict[str, Any]) -> None:
        self.rule, self._row = rule, row

    def memory(self, kind: type[Memory]) -> Memory:
        """What it remembers: `telling` is what it told and gathered, which stays when it is changed."""
        return msgspec.json.decode(self._row["memory"], type=kind)

    def remember(self, connection: Connection, memory: object) -> None:
        """Keep this instead, where it is anything else."""
        kept = encode(memory)
        if kept != self._row["memory"]:
            self._row = set_columns(connection, live_rules, self._row, memory=kept)


class AlarmRules:
    """The rules of a store. `clock` gives the time in seconds."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._store, self._clock = store, clock

    def all(self) -> list[AlarmRule]:
        """All of them, in the order in which they were added."""
        with self._store.asking() as connection:
            rows = connection.execute(select(live_rules).order_by(live_rules.c.id)).all()
        return [self._rule(self._checked(row)) for row in rows]

    def find(self, rule_id: int) -> AlarmRule | None:
        """The one of this number; None where there is none."""
        with self._store.asking() as connection:
            row = _row(connection, rule_id)
        return None if row is None else self._rule(self._checked(row))

    def add(self, rule: AlarmRule) -> AlarmRule:
        """A new one, which speaks of what comes from now on; UsageError where its name is taken or is none."""
        with self._store.writing() as connection:
            in_turn(connection)
            names = list(connection.execute(select(live_rules.c.name)).scalars())
            if len(names) >= _MOST:
                raise UsageError(f"{len(names)} rules already (expected at most {_MOST})")
            check_new_name("rule", rule.name, names)
            made = insert_numbered(connection, live_rules, _values(rule) | {"memory": "{}"})
        return msgspec.structs.replace(rule, id=int(made["id"]))

    def change(self, rule: AlarmRule) -> AlarmRule:
        """Put a rule in the place of the one of its number.

        One that asks for something else, or that rested, begins anew; what it gathered is told all the same.
        """
        with self._store.writing() as connection:
            in_turn(connection)
            row = _row(connection, rule.id)
            if row is None:
                raise UsageError(f"no rule {rule.id} (expected one that is there)")
            others = select(live_rules.c.name).where(live_rules.c.id != rule.id)
            check_new_name("rule", rule.name, list(connection.execute(others).scalars()))
            before = self._rule(self._checked(row))
            rested = before.disabled_ms is not None and rule.disabled_ms is None
            same = (before.when, before.event_id) == (rule.when, rule.event_id) and not rested
            memory = row.memory if same else _begun_anew(row.memory)
            set_columns(connection, live_rules, row._asdict(), **_values(rule), memory=memory)
        return rule

    def remove(self, rule_id: int) -> None:
        """Forget a rule; what it said already is still delivered."""
        with self._store.writing() as connection:
            in_turn(connection)
            connection.execute(delete(live_rules).where(live_rules.c.id == rule_id))

    def any(self, connection: Connection) -> bool:
        """Whether there are rules that do not rest."""
        query = select(live_rules.c.id).where(live_rules.c.disabled_ms.is_(None)).limit(1)
        return connection.execute(query).first() is not None

    def awake(self, connection: Connection) -> list[RememberingRule]:
        """In a transaction: the rules that do not rest, in their order."""
        query = select(live_rules).where(live_rules.c.disabled_ms.is_(None)).order_by(live_rules.c.id)
        rows = [self._checked(row) for row in connection.execute(query).all()]
        return [RememberingRule(self._rule(row), row) for row in rows]

    def _checked(self, row: Row[Any]) -> dict[str, Any]:
        return checked(live_rules, row, str(self._store), f"the rule {row.name!r}")

    def _rule(self, values: dict[str, Any]) -> AlarmRule:
        rule = msgspec.json.decode(values["settings"], type=AlarmRule)
        return msgspec.structs.replace(
            rule, id=values["id"], name=values["name"], disabled_ms=values["disabled_ms"]
        )


def _begun_anew(memory: str) -> str:
    kept = msgspec.json.decode(memory, type=dict[str, Any])
    return encode({name: value for name, value in kept.items() if name == "telling"})


def _row(connection: Connection, rule_id: int) -> Row[Any] | None:
    return connection.execute(select(live_rules).where(live_rules.c.id == rule_id)).one_or_none()


def _values(rule: AlarmRule) -> dict[str, Any]:
    return {
        "name": rule.name,
        "settings": encode(msgspec.structs.replace(rule, id=0, disabled_ms=None)),
        "disabled_ms": rule.disabled_ms,
    }
