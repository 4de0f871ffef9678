"""A project's log and claims taken over from another store as they were there: numbers, people, times and all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from sqlalchemy import select

from tidings.core import (
    LogEntry,
    Store,
    UsageError,
    bound,
    checked,
    desk_claims,
    desk_log,
    desk_objects,
    desk_projects,
    encode_value,
    insert_rows,
    replace_rows,
    set_columns,
    with_digest,
)

_ALIKE = (
    "act",
    "operation",
    "topic",
    "layer",
    "kind",
    "object_id",
    "before",
    "after",
    "account_id",
    "recorded_ms",
)


class GivenItem(Struct, frozen=True):
    """That an item went to an account at a time."""

    topic: int
    task: str
    item_id: str
    account_id: int
    time: int


class Transfer:
    """Taking projects over, and what that needs of them."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def claims(self, project_id: int) -> list[GivenItem]:
        """Which items went to whom, in the order in which they went."""
        table = desk_claims
        query = (
            select(table)
            .where(table.c.project_id == project_id)
            .order_by(table.c.topic, table.c.task, table.c.claimed_time, table.c.item_id, table.c.account_id)
        )
        with self._store.asking() as connection:
            rows = connection.execute(query).all()
        return [GivenItem(row.topic, row.task, row.item_id, row.account_id, row.claimed_time) for row in rows]

    def judges(self, project_id: int) -> set[int]:
        """The accounts that the log names."""
        query = select(desk_log.c.account_id).where(desk_log.c.project_id == project_id).distinct()
        with self._store.asking() as connection:
            return {number for number in connection.execute(query).scalars() if number is not None}

    def take_over(self, project_id: int, entries: Sequence[LogEntry], claims: Sequence[GivenItem]) -> int:
        """Write the entries that the log does not have yet, as they are, and claims; says how many entries came.

        All in one transaction, so that a log is never half there.

        Raises:
            UsageError: the log has entries that are not the first of these.
        """
        with self._store.writing() as connection:
            query = select(desk_projects).where(desk_projects.c.id == project_id).with_for_update()
            project = checked(
                desk_projects, connection.execute(query).one(), str(self._store), f"project {project_id}"
            )
            rows = [_row(project_id, entry) for entry in entries]
            written = connection.execute(
                select(desk_log).where(desk_log.c.project_id == project_id).order_by(desk_log.c.seq)
            ).all()
            for place, there in enumerate(written):
                if place >= len(rows) or any(getattr(there, name) != rows[place][name] for name in _ALIKE):
                    raise UsageError(
                        f"judgments in the project {project['name']} that the file does not have (from the "
                        f"log's entry {there.seq} on) (expected a project that it goes on from); import into one of "
                        "another name"
                    )
            new = rows[len(written) :]
            insert_rows(connection, desk_log, [bound(with_digest(desk_log, row)) for row in new])
            objects: dict[tuple[Any, ...], dict[str, Any]] = {}
            for row in new:
                key = (row["topic"], row["layer"], row["kind"], row["object_id"])
                objects[key] = {
                    "project_id": project_id,
                    **dict(zip(("topic", "layer", "kind", "object_id"), key, strict=True)),
                    "version": row["seq"],
                    "value": row["after"],
                }
            replace_rows(
                connection, desk_objects, [bound(with_digest(desk_objects, one)) for one in objects.values()]
            )
            given = [_claim_row(project_id, claim) for claim in claims]
            replace_rows(connection, desk_claims, [bound(with_digest(desk_claims, row)) for row in given])
            if new:
                set_columns(connection, desk_projects, project, last_seq=new[-1]["seq"])
        return len(new)


def _row(project_id: int, entry: LogEntry) -> dict[str, Any]:
    return {
        "project_id": project_id,
        "seq": entry.seq,
        "act": entry.act,
        "operation": entry.operation,
        "topic": entry.topic,
        "layer": entry.layer,
        "kind": entry.kind,
        "object_id": entry.object_id,
        "before": encode_value(entry.before),
        "after": encode_value(entry.after),
        "account_id": entry.account_id,
        "session_id": None,
        "recorded_ms": entry.recorded_ms,
        "made_ms": entry.made_ms,
        "assisted": entry.assisted,
        "undoes": entry.undoes,
        "shown": entry.shown,
        "guidelines": entry.guidelines,
    }


def _claim_row(project_id: int, claim: GivenItem) -> dict[str, Any]:
    return {
        "project_id": project_id,
        "topic": claim.topic,
        "task": claim.task,
        "item_id": claim.item_id,
        "account_id": claim.account_id,
        "claimed_time": claim.time,
    }
