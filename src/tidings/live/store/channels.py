"""Where alarms go."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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
from tidings.live.store.numbering import in_turn

__all__ = ["AlarmChannels", "check_new_name"]

_NAME_CHARS = 64
_MOST = 100


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
            row = _row(connection, channel_id)
        return None if row is None else self._channel(row)

    def add(self, channel: AlarmChannel) -> AlarmChannel:
        """A new one; UsageError where the name is taken or no name, or there are too many."""
        with self._store.writing() as connection:
            in_turn(connection)
            names = list(connection.execute(select(live_channels.c.name)).scalars())
            if len(names) >= _MOST:
                raise UsageError(f"found {len(names)} channels already, expected at most {_MOST}")
            check_new_name("channel", channel.name, names)
            made = insert_numbered(connection, live_channels, _values(channel))
        return msgspec.structs.replace(channel, id=int(made["id"]))

    def change(self, channel: AlarmChannel) -> AlarmChannel:
        """Put a channel in the place of the one of its number; what is on its way goes where it now leads."""
        with self._store.writing() as connection:
            in_turn(connection)
            row = _row(connection, channel.id)
            if row is None:
                raise UsageError(f"found no channel {channel.id}, expected one that is there")
            others = select(live_channels.c.name).where(live_channels.c.id != channel.id)
            check_new_name("channel", channel.name, list(connection.execute(others).scalars()))
            self._channel(row)
            set_columns(connection, live_channels, row._asdict(), **_values(channel))
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
            f"found the name {name[:_NAME_CHARS]!r} of a {what}, expected 1 to {_NAME_CHARS} printable characters"
        )
    if name.casefold() in (one.casefold() for one in names):
        raise UsageError(f"found a {what} called {name!r} already, expected another name")


def _row(connection: Connection, channel_id: int) -> Row[Any] | None:
    return connection.execute(select(live_channels).where(live_channels.c.id == channel_id)).one_or_none()


def _values(channel: AlarmChannel) -> dict[str, Any]:
    return {
        "name": channel.name,
        "kind": channel.kind,
        "address": channel.address,
        "secret": channel.secret,
        "settings": encode(channel.settings),
        "disabled_ms": channel.disabled_ms,
    }
