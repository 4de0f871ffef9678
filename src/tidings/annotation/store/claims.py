"""Queues: which items have gone to whom. An item goes to nobody twice, and to no more people than are asked.

Which item is next is decided elsewhere (`tidings.annotation.desk.queue`), by a function that is given a `Standing`
inside the transaction that writes the claim; so what it decides on is what is there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from msgspec import Struct, field
from sqlalchemy import Connection, delete, select

from tidings.core import (
    FINAL,
    ConflictError,
    Store,
    Task,
    desk_claims,
    desk_objects,
    desk_projects,
    insert_row,
    layer_account,
)

__all__ = ["WHOLE_TOPIC", "Choice", "Claim", "Claims", "Standing", "give_item"]

WHOLE_TOPIC = "topic"
"""The one item of a task that is done topic by topic."""
_FOR_EVER = 2**62


class Standing(Struct):
    """How a task of a topic stands: who has which item since when, who has judged it, and what is decided.

    Args:
        holders: item to account to the time of its claim.
        judged: item to the accounts whose judgment stands; one that was given before the item was reopened does not.
        decided: items with a final judgment.
    """

    holders: dict[str, dict[int, int]] = field(default_factory=dict)
    judged: dict[str, set[int]] = field(default_factory=dict)
    decided: set[str] = field(default_factory=set)


class Choice(Struct, frozen=True):
    """The item that an account gets, and the claims of others on it that have lapsed."""

    item_id: str
    lapsed: tuple[int, ...] = ()


class Claim(Struct, frozen=True):
    """That an item goes to an account; `limit` is how many may have it."""

    task: str
    item_id: str
    limit: int


def give_item(
    connection: Connection, project_id: int, topic: int, claim: Claim, account_id: int, now: int
) -> None:
    """Note that the account has the item; ConflictError where as many others have it as may."""
    holders = _claims_of(connection, project_id, topic, claim.task, [claim.item_id]).get(claim.item_id, {})
    if account_id in holders:
        return
    if len(holders) >= claim.limit:
        who = f"{len(holders)} other{'s' if len(holders) > 1 else ''}"
        raise ConflictError(f"this one has gone to {who}, as many as are asked; go on with the next", None)
    _insert(connection, project_id, topic, claim.task, claim.item_id, account_id, now)


class Claims:
    """The claims of a store's projects. `clock` gives the time in seconds."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._store, self._clock = store, clock

    def take_next(self, project_id: int, topic: int, claims: Iterable[Claim], account_id: int) -> str | None:
        """The first item of `claims` that may go to the account, which has it from now on; None where there is none.

        What it has already is left out, judged or not: `holders` lists it.
        """
        held: dict[str, dict[str, dict[int, int]]] = {}
        with self._store.writing() as connection:
            _lock(connection, project_id)
            for claim in claims:
                if claim.task not in held:
                    held[claim.task] = _claims_of(connection, project_id, topic, claim.task)
                holders = held[claim.task].get(claim.item_id, {})
                if account_id not in holders and len(holders) < claim.limit:
                    give_item(connection, project_id, topic, claim, account_id, int(self._clock()))
                    return claim.item_id
        return None

    def take(
        self,
        project_id: int,
        topic: int,
        task: Task,
        account_id: int,
        choose: Callable[[Standing], Choice | None],
    ) -> str | None:
        """Give the account what `choose` says of how the task stands, and take lapsed claims back."""
        with self._store.writing() as connection:
            _lock(connection, project_id)
            choice = choose(_standing(connection, project_id, topic, task))
            if choice is None:
                return None
            for lapsed in choice.lapsed:
                _drop(connection, project_id, topic, task.id, choice.item_id, lapsed)
            mine = _claims_of(connection, project_id, topic, task.id, [choice.item_id])
            if account_id not in mine.get(choice.item_id, {}):
                _insert(
                    connection, project_id, topic, task.id, choice.item_id, account_id, int(self._clock())
                )
            return choice.item_id

    def standing(self, project_id: int, topic: int, task: Task) -> Standing:
        """How a task of a topic stands now."""
        with self._store.asking() as connection:
            return _standing(connection, project_id, topic, task)

    def holders(
        self, project_id: int, topic: int, task: str, ids: Collection[str] | None = None
    ) -> dict[str, tuple[int, ...]]:
        """Which items of a task (with `ids` only these) went to whom, in the order in which they went."""
        with self._store.asking() as connection:
            claims = _claims_of(connection, project_id, topic, task, ids)
        return {item: tuple(accounts) for item, accounts in claims.items()}

    def release(self, project_id: int, topic: int, task: str, item_id: str, account_id: int) -> None:
        """Take an item back from an account."""
        with self._store.writing() as connection:
            _drop(connection, project_id, topic, task, item_id, account_id)


def _lock(connection: Connection, project_id: int) -> None:
    connection.execute(select(desk_projects.c.id).where(desk_projects.c.id == project_id).with_for_update())


def _insert(
    connection: Connection, project_id: int, topic: int, task: str, item_id: str, account_id: int, now: int
) -> None:
    row = {
        "project_id": project_id,
        "topic": topic,
        "task": task,
        "item_id": item_id,
        "account_id": account_id,
        "claimed_time": now,
    }
    insert_row(connection, desk_claims, row)


def _drop(
    connection: Connection, project_id: int, topic: int, task: str, item_id: str, account_id: int
) -> None:
    table = desk_claims
    connection.execute(
        delete(table).where(
            table.c.project_id == project_id,
            table.c.topic == topic,
            table.c.task == task,
            table.c.item_id == item_id,
            table.c.account_id == account_id,
        )
    )


def _claims_of(
    connection: Connection, project_id: int, topic: int, task: str, ids: Collection[str] | None = None
) -> dict[str, dict[int, int]]:
    table = desk_claims
    query = (
        select(table.c.item_id, table.c.account_id, table.c.claimed_time)
        .where(table.c.project_id == project_id, table.c.topic == topic, table.c.task == task)
        .order_by(table.c.claimed_time, table.c.item_id, table.c.account_id)
    )
    if ids is not None:
        query = query.where(table.c.item_id.in_(ids))
    claims: dict[str, dict[int, int]] = {}
    for row in connection.execute(query).all():
        claims.setdefault(row.item_id, {})[row.account_id] = row.claimed_time
    return claims


def _standing(connection: Connection, project_id: int, topic: int, task: Task) -> Standing:
    table = desk_objects
    columns = (table.c.layer, table.c.kind, table.c.object_id, table.c.version)
    there = select(*columns).where(
        table.c.project_id == project_id, table.c.topic == topic, table.c.value.is_not(None)
    )
    reopened = {
        row.object_id: row.version
        for row in connection.execute(there.where(table.c.layer == FINAL, table.c.kind == "reopened")).all()
    }
    standing = Standing(holders=_claims_of(connection, project_id, topic, task.id))
    for row in connection.execute(there.where(table.c.kind.in_(task.kinds))).all():
        item = row.object_id if task.unit else WHOLE_TOPIC
        account = layer_account(row.layer)
        if row.layer == FINAL:
            standing.decided.add(item)
        elif account is not None:
            if row.version > reopened.get(f"{row.kind}|{row.object_id}", 0):
                standing.judged.setdefault(item, set()).add(account)
            else:
                # What was reopened is its judges' again, for as long as they need.
                standing.holders.setdefault(item, {}).setdefault(account, _FOR_EVER)
    return standing
