"""Queues: which items have gone to whom. An item goes to nobody twice, and to no more people than are asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct
from sqlalchemy import Connection, delete, select

from tidings.errors import ConflictError
from tidings.store.desk.rows import insert_row
from tidings.store.schema import desk_claims, desk_projects
from tidings.store.store import Store

__all__ = ["Claim", "Claims", "give_item"]


class Claim(Struct, frozen=True):
    """That an item goes to an account; `limit` is how many may have it."""

    task: str
    item_id: str
    limit: int


def give_item(
    connection: Connection, project_id: int, topic: int, claim: Claim, account_id: int, now: int
) -> None:
    """Note that the account has the item; ConflictError where as many others have it as may."""
    holders = _holders(connection, project_id, topic, claim)
    if account_id in holders:
        return
    if len(holders) >= claim.limit:
        who = f"{len(holders)} other{'s' if len(holders) > 1 else ''}"
        raise ConflictError(f"this one has gone to {who}, as many as are asked; go on with the next", None)
    row = {
        "project_id": project_id,
        "topic": topic,
        "task": claim.task,
        "item_id": claim.item_id,
        "account_id": account_id,
        "claimed_time": now,
    }
    insert_row(connection, desk_claims, row)


def _holders(connection: Connection, project_id: int, topic: int, claim: Claim) -> set[int]:
    table = desk_claims
    query = select(table.c.account_id).where(
        table.c.project_id == project_id,
        table.c.topic == topic,
        table.c.task == claim.task,
        table.c.item_id == claim.item_id,
    )
    return {row.account_id for row in connection.execute(query).all()}


class Claims:
    """The claims of a store's projects. `clock` gives the time in seconds."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._store, self._clock = store, clock

    def take_next(self, project_id: int, topic: int, claims: Iterable[Claim], account_id: int) -> str | None:
        """The first item of `claims` that may go to the account, which has it from now on; None where there is none.

        What it has already is left out, judged or not: `holders` lists it.
        """
        with self._store.writing() as connection:
            locked = select(desk_projects.c.id).where(desk_projects.c.id == project_id).with_for_update()
            connection.execute(locked)
            for claim in claims:
                holders = _holders(connection, project_id, topic, claim)
                if account_id not in holders and len(holders) < claim.limit:
                    give_item(connection, project_id, topic, claim, account_id, int(self._clock()))
                    return claim.item_id
        return None

    def holders(self, project_id: int, topic: int, task: str) -> dict[str, tuple[int, ...]]:
        """Which items of a task went to whom, in the order in which they went."""
        table = desk_claims
        query = (
            select(table)
            .where(table.c.project_id == project_id, table.c.topic == topic, table.c.task == task)
            .order_by(table.c.claimed_time, table.c.item_id, table.c.account_id)
        )
        holders: dict[str, tuple[int, ...]] = {}
        with self._store.asking() as connection:
            for row in connection.execute(query).all():
                holders[row.item_id] = (*holders.get(row.item_id, ()), row.account_id)
        return holders

    def release(self, project_id: int, topic: int, task: str, item_id: str, account_id: int) -> None:
        """Take an item back from an account."""
        table = desk_claims
        with self._store.writing() as connection:
            connection.execute(
                delete(table).where(
                    table.c.project_id == project_id,
                    table.c.topic == topic,
                    table.c.task == task,
                    table.c.item_id == item_id,
                    table.c.account_id == account_id,
                )
            )
