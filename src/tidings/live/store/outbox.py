"""The outbox: alarms on their way, a row for each alarm and channel.

A row is written in the transaction of what caused it. Who delivers it claims it for a while with `UPDATE … WHERE`: one
row changed means that it is theirs; where they are no more when that while is over, someone else claims it. The
alarms of an event go to a channel one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, and_, delete, exists, func, or_, select, update

from tidings.core import (
    Alarm,
    Delivery,
    Store,
    encode,
    insert_row,
    live_alarms,
    live_channels,
    row_values,
    set_columns,
    with_digest,
)
from tidings.live.store.events import in_turn

_NEVER = 2**62
"""When what was given up is tried again."""

_ERROR_CHARS = 300  # kept of why an attempt failed


class AlarmOutbox:
    """The outbox of a store. `clock` gives the time in seconds."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._store, self._clock = store, clock

    def put(
        self, connection: Connection, alarm: Alarm, channels: Iterable[int], *, rule_id: int = 0, seq: int = 0
    ) -> int:
        """In a transaction in its turn: send an alarm to those of these channels that are there and do not rest.

        Args:
            connection: of the transaction.
            alarm: one that a channel has by its id already is not sent there again.
            channels: numbers of them.
            rule_id: the rule that it is by; 0 for none.
            seq: the number of the last output that it is about.

        Returns:
            how many channels it goes to.
        """
        awake = select(live_channels.c.id).where(live_channels.c.disabled_ms.is_(None))
        there = set(connection.execute(awake).scalars())
        has_it = select(live_alarms.c.channel_id).where(live_alarms.c.alarm_id == alarm.id)
        there -= set(connection.execute(has_it).scalars())
        number = connection.execute(select(func.max(live_alarms.c.seq))).scalar() or 0
        now_ms = self._now_ms()
        chosen = [channel_id for channel_id in dict.fromkeys(channels) if channel_id in there]
        for channel_id in chosen:
            number += 1
            row = {
                "seq": number,
                "alarm_id": alarm.id,
                "channel_id": channel_id,
                "rule_id": rule_id,
                "event_id": alarm.event_id,
                "output_seq": seq,
                "body": encode(alarm),
                "created_ms": now_ms,
                "next_ms": now_ms,
                "leased_until_ms": 0,
                "attempts": 0,
                "delivered_ms": None,
                "error": "",
            }
            insert_row(connection, live_alarms, row)
        return len(chosen)

    def send(self, alarm: Alarm, channels: Iterable[int]) -> int:
        """`put` in a transaction of its own."""
        with self._store.writing() as connection:
            in_turn(connection)
            return self.put(connection, alarm, channels, seq=alarm.until_seq)

    def due(self) -> list[int]:
        """The channels to which something is to be sent now."""
        query = select(live_alarms.c.channel_id).distinct().where(*self._is_due())
        awake = select(live_channels.c.id).where(live_channels.c.disabled_ms.is_(None))
        with self._store.asking() as connection:
            return sorted(connection.execute(query.where(live_alarms.c.channel_id.in_(awake))).scalars())

    def claim(self, channel_id: int, most: int, lease_s: float) -> list[Delivery]:
        """Up to so many alarms for a channel that nobody else sends for so long.

        Of each event it is the first that has not arrived; one that is about no event alone waits for all before it,
        and all after it wait for it.
        """
        now_ms = self._now_ms()
        earlier = live_alarms.alias()
        blocked = exists().where(
            earlier.c.channel_id == channel_id,
            earlier.c.delivered_ms.is_(None),
            earlier.c.next_ms < _NEVER,
            earlier.c.seq < live_alarms.c.seq,
            or_(
                earlier.c.event_id == live_alarms.c.event_id,
                earlier.c.event_id == "",
                live_alarms.c.event_id == "",
            ),
        )
        query = select(live_alarms).where(live_alarms.c.channel_id == channel_id, *self._is_due(), ~blocked)
        rows = self._store.rows(query.order_by(live_alarms.c.seq).limit(most))
        if not rows:
            return []
        claimed = []
        with self._store.writing() as connection:
            for row in rows:
                before = self._check(row)
                changes = {
                    "leased_until_ms": now_ms + int(lease_s * 1000),
                    "attempts": before["attempts"] + 1,
                }
                if self._change(connection, before, changes):
                    claimed.append(self._delivery({**before, **changes}))
        return claimed

    def arrived(self, delivery: Delivery) -> None:
        """An alarm that was claimed has arrived."""
        with self._store.writing() as connection:
            row = self._row(connection, delivery.seq)
            if row is not None and row.delivered_ms is None:
                values = {"delivered_ms": self._now_ms(), "error": "", "leased_until_ms": 0}
                set_columns(connection, live_alarms, self._check(row), **values)

    def failed(self, delivery: Delivery, error: str, *, retry_s: float | None) -> None:
        """An alarm that was claimed has not arrived, and is sent again in so many seconds (None: never)."""
        with self._store.writing() as connection:
            row = self._row(connection, delivery.seq)
            if row is None or row.delivered_ms is not None or row.attempts != delivery.attempts:
                return  # someone else has it in the meantime
            values = {
                "next_ms": _NEVER if retry_s is None else self._now_ms() + int(retry_s * 1000),
                "leased_until_ms": 0,
                "error": error[:_ERROR_CHARS] or "failed",
            }
            set_columns(connection, live_alarms, self._check(row), **values)

    def released(self, delivery: Delivery) -> None:
        """An alarm that was claimed was not sent after all."""
        with self._store.writing() as connection:
            values = {"attempts": delivery.attempts - 1, "leased_until_ms": 0}
            row = self._row(connection, delivery.seq)
            if row is not None and row.delivered_ms is None and row.attempts == delivery.attempts:
                set_columns(connection, live_alarms, self._check(row), **values)

    def try_again(self, seq: int) -> bool:
        """Send an alarm that has not arrived now, also where it was given up; False where there is none such."""
        with self._store.writing() as connection:
            row = self._row(connection, seq)
            if row is None or row.delivered_ms is not None:
                return False
            set_columns(connection, live_alarms, self._check(row), next_ms=self._now_ms())
        return True

    def latest(self, limit: int = 100, *, channel_id: int | None = None) -> list[Delivery]:
        """The last alarms, newest first."""
        query = select(live_alarms).order_by(live_alarms.c.seq.desc()).limit(limit)
        if channel_id is not None:
            query = query.where(live_alarms.c.channel_id == channel_id)
        return [self._delivery(self._check(row)) for row in self._store.rows(query)]

    def counts(self) -> dict[int, tuple[int, int, int]]:
        """For each channel that has any: how many alarms wait, arrived, and were given up."""
        arrived = live_alarms.c.delivered_ms.is_not(None)
        given_up = and_(live_alarms.c.delivered_ms.is_(None), live_alarms.c.next_ms >= _NEVER)
        query = select(
            live_alarms.c.channel_id,
            func.count(),
            func.count().filter(arrived),
            func.count().filter(given_up),
        ).group_by(live_alarms.c.channel_id)
        rows = self._store.rows(query)
        return {channel_id: (total - done - lost, done, lost) for channel_id, total, done, lost in rows}

    def digested_until(self, channel_id: int) -> tuple[int, int]:
        """The number of the last output in a digest to a channel, and when that digest was made; 0 for none."""
        query = select(live_alarms).where(live_alarms.c.channel_id == channel_id)
        row = self._store.row(query.order_by(live_alarms.c.output_seq.desc()).limit(1))
        if row is None:
            return 0, 0
        delivery = self._delivery(self._check(row))
        return delivery.alarm.until_seq, delivery.alarm.time

    def prune(self, before_ms: int) -> int:
        """Forget what arrived, or was given up, and was made before that time, save the newest of each channel."""
        newest = select(func.max(live_alarms.c.seq)).group_by(live_alarms.c.channel_id)
        done = or_(live_alarms.c.delivered_ms.is_not(None), live_alarms.c.next_ms >= _NEVER)
        with self._store.writing() as connection:
            in_turn(connection)
            kept = list(connection.execute(newest).scalars())
            old = (live_alarms.c.created_ms < before_ms, done, live_alarms.c.seq.not_in(kept))
            return connection.execute(delete(live_alarms).where(*old)).rowcount

    def _is_due(self) -> Sequence[ColumnElement[bool]]:
        now_ms = self._now_ms()
        return (
            live_alarms.c.delivered_ms.is_(None),
            live_alarms.c.next_ms <= now_ms,
            live_alarms.c.leased_until_ms <= now_ms,
        )

    def _change(self, connection: Connection, before: dict[str, Any], changes: dict[str, Any]) -> bool:
        # True where the row is as it was when it was read, and so is changed by nobody else.
        changed = with_digest(live_alarms, {**before, **changes})
        as_before = [
            live_alarms.c[name] == before[name]
            for name in ("seq", "attempts", "next_ms", "leased_until_ms", "error")
        ]
        names = {*changes, "digest"}
        statement = update(live_alarms).where(*as_before, live_alarms.c.delivered_ms.is_(None))
        made = connection.execute(statement.values(**{name: changed[name] for name in names}))
        return made.rowcount == 1

    def _row(self, connection: Connection, seq: int) -> Row[Any] | None:
        query = select(live_alarms).where(live_alarms.c.seq == seq)
        return connection.execute(query.with_for_update()).one_or_none()

    def _check(self, row: Row[Any]) -> dict[str, Any]:
        return row_values(live_alarms, row, str(self._store), f"alarm {row.seq}")

    def _delivery(self, values: dict[str, Any]) -> Delivery:
        fields = {name: values[name] for name in Delivery.__struct_fields__ if name in values}
        alarm = msgspec.json.decode(values["body"], type=Alarm)
        is_given_up = values["delivered_ms"] is None and values["next_ms"] >= _NEVER
        return Delivery(**fields, alarm=alarm, is_given_up=is_given_up)

    def _now_ms(self) -> int:
        return int(self._clock() * 1000)
