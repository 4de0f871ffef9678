"""A project's log and claims taken over from another store as they were there: numbers, people, times and all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct, structs
from sqlalchemy import select

from tidings.annotation.store.objects import Asking, write_entries
from tidings.core import (
    LogEntry,
    UsageError,
    bind_row,
    desk_claims,
    desk_log,
    desk_projects,
    encode_value,
    match,
    replace_rows,
    row_values,
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


class Transfer(Asking):
    """Taking projects over, and what that needs of them."""

    def claims(self, project_id: int) -> list[GivenItem]:
        """Which items went to whom, in the order in which they went."""
        table = desk_claims
        query = select(table).where(*match(table, project_id=project_id))
        order = (table.c.topic, table.c.task, table.c.claimed_time, table.c.item_id, table.c.account_id)
        return [
            GivenItem(row.topic, row.task, row.item_id, row.account_id, row.claimed_time)
            for row in self._store.rows(query.order_by(*order))
        ]

    def judges(self, project_id: int) -> set[int]:
        """The accounts that the log names."""
        query = select(desk_log.c.account_id).where(*match(desk_log, project_id=project_id)).distinct()
        return {row.account_id for row in self._store.rows(query) if row.account_id is not None}

    def take_over(self, project_id: int, entries: Sequence[LogEntry], claims: Sequence[GivenItem]) -> int:
        """Write the entries that the log does not have yet, as they are, and claims; says how many entries came.

        All in one transaction, so that a log is never half there.

        Raises:
            UsageError: the log has entries that are not the first of these.
        """
        with self._store.writing() as connection:
            query = select(desk_projects).where(*match(desk_projects, id=project_id)).with_for_update()
            project = row_values(
                desk_projects, connection.execute(query).one(), str(self._store), f"project {project_id}"
            )
            rows = [_row(project_id, entry) for entry in entries]
            log = select(desk_log).where(*match(desk_log, project_id=project_id)).order_by(desk_log.c.seq)
            written = connection.execute(log).all()
            for place, there in enumerate(written):
                if place >= len(rows) or any(getattr(there, name) != rows[place][name] for name in _ALIKE):
                    raise UsageError(
                        f"the project {project['name']} has judgments that the file does not have, from entry "
                        f"{there.seq} of its log on; import into a project of another name"
                    )
            new = rows[len(written) :]
            write_entries(connection, project, new)
            given = [
                {"project_id": project_id, "claimed_time": claim.time, **structs.asdict(claim)}
                for claim in claims
            ]
            replace_rows(connection, desk_claims, [bind_row(with_digest(desk_claims, row)) for row in given])
        return len(new)


def _row(project_id: int, entry: LogEntry) -> dict[str, Any]:
    values = {"before": encode_value(entry.before), "after": encode_value(entry.after), "session_id": None}
    return structs.asdict(entry) | values | {"project_id": project_id}
