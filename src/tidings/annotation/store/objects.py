"""Objects and entries as they are read from their rows; and queues: which items have gone to whom.

An item goes to nobody twice, and to no more people than are asked. Which item is next is decided elsewhere
(`tidings.annotation.desk.queue`), by a function that is given a `Standing` inside the transaction that writes the
claim; so what it decides on is what is there.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from msgspec import Struct, field
from sqlalchemy import ColumnElement, Connection, Row, Table, and_, delete, or_, select

from tidings.annotation.tasks import Task
from tidings.core import (
    FINAL,
    Change,
    ConflictError,
    DeskItem,
    JudgedObject,
    LogEntry,
    Store,
    bind_row,
    check_row,
    decode,
    desk_claims,
    desk_items,
    desk_log,
    desk_objects,
    desk_projects,
    insert_row,
    insert_rows,
    layer_account,
    match,
    replace_rows,
    row_values,
    set_columns,
    with_digest,
)


class Asking:
    """What asks a store. `clock` gives the time in seconds."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.time) -> None:
        self._store, self._clock = store, clock


WHOLE_TOPIC = "topic"
"""The one item of a task that is done topic by topic."""
_FOR_EVER = 2**62  # seconds: a claim that never lapses


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
        raise ConflictError(f"Already taken by {who}. Go to the next.", None)
    _insert(connection, project_id, topic, claim.task, claim.item_id, account_id, now)


class Claims(Asking):
    """The claims of a store's projects."""

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
            choice = choose(_find_standing(connection, project_id, topic, task))
            if choice is None:
                return None
            for lapsed in choice.lapsed:
                _drop(connection, project_id, topic, task.id, choice.item_id, lapsed)
            mine = _claims_of(connection, project_id, topic, task.id, [choice.item_id])
            if account_id not in mine.get(choice.item_id, {}):
                now = int(self._clock())
                _insert(connection, project_id, topic, task.id, choice.item_id, account_id, now)
            return choice.item_id

    def standing(self, project_id: int, topic: int, task: Task) -> Standing:
        """How a task of a topic stands now."""
        with self._store.asking() as connection:
            return _find_standing(connection, project_id, topic, task)

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
    keys = {"project_id": project_id, "topic": topic, "task": task}
    connection.execute(
        delete(desk_claims).where(*match(desk_claims, **keys, item_id=item_id, account_id=account_id))
    )


def _claims_of(
    connection: Connection, project_id: int, topic: int, task: str, ids: Collection[str] | None = None
) -> dict[str, dict[int, int]]:
    table = desk_claims
    query = (
        select(table.c.item_id, table.c.account_id, table.c.claimed_time)
        .where(*match(table, project_id=project_id, topic=topic, task=task, item_id=ids))
        .order_by(table.c.claimed_time, table.c.item_id, table.c.account_id)
    )
    claims: dict[str, dict[int, int]] = {}
    for row in connection.execute(query).all():
        claims.setdefault(row.item_id, {})[row.account_id] = row.claimed_time
    return claims


def _find_standing(connection: Connection, project_id: int, topic: int, task: Task) -> Standing:
    table = desk_objects
    columns = (table.c.layer, table.c.kind, table.c.object_id, table.c.version)
    there = select(*columns).where(
        *match(table, project_id=project_id, topic=topic), table.c.value.is_not(None)
    )
    opened = there.where(*match(table, layer=FINAL, kind="reopened"))
    reopened = {row.object_id: row.version for row in connection.execute(opened).all()}
    standing = Standing(holders=_claims_of(connection, project_id, topic, task.id))
    for row in connection.execute(there.where(*match(table, kind=task.kinds))).all():
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
            rows = self.connection.execute(
                select(desk_objects).where(*self._match(layer=layer, kind=kind))
            ).all()
            self._loaded[layer, kind] = {row.object_id: object_of(row, self._where) for row in rows}

    def fetch(self, wanted: Mapping[tuple[str, str], Collection[str]]) -> None:
        """Read objects by (layer, kind) and id by one statement; `get` and `some` then ask no more for these."""
        places = []
        for (layer, kind), ids in wanted.items():
            new = sorted({name for name in ids if (layer, kind, name) not in self._read})
            if new and (layer, kind) not in self._loaded:
                places.append((layer, kind, new))
        if not places:
            return
        # The project and the topic stand in each, so that the index finds each by its whole key.
        these = [and_(*self._match(layer=layer, kind=kind, object_id=ids)) for layer, kind, ids in places]
        self._read |= {(layer, kind, name): None for layer, kind, ids in places for name in ids}
        for row in self.connection.execute(select(desk_objects).where(or_(*these))).all():
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

    def judged(self, layer: str, kind: str, object_id: str) -> JudgedObject | None:
        """One object; None where it has no value."""
        found = self.get(layer, kind, object_id)
        return None if found is None or found.value is None else found

    def need_open(self, kind: str, object_id: str, words: str) -> None:
        """Raise ConflictError with these words where an object is decided."""
        final = self.judged(FINAL, kind, object_id)
        if final is not None:
            raise ConflictError(words, final)

    def some(self, layer: str, kind: str, ids: Collection[str]) -> dict[str, JudgedObject]:
        """Those of these objects that were ever judged, by id; the value of one may be None."""
        if (layer, kind) in self._loaded:
            return {name: found for name, found in self._loaded[layer, kind].items() if name in ids}
        self.fetch({(layer, kind): ids})
        read = {name: self._read[layer, kind, name] for name in ids}
        return {name: found for name, found in read.items() if found is not None}

    def all(self, layer: str, kind: str) -> list[JudgedObject]:
        """The objects of a kind that have a value, by id."""
        return self._with_values(layer=layer, kind=kind)

    def in_all_layers(self, kind: str) -> list[JudgedObject]:
        """The objects of a kind that have a value, in every layer, by layer and id."""
        return self._with_values(kind=kind)

    def _with_values(self, **where: Any) -> list[JudgedObject]:
        table = desk_objects
        query = select(table).where(*self._match(table, **where), table.c.value.is_not(None))
        rows = self.connection.execute(query.order_by(table.c.layer, table.c.object_id)).all()
        return [object_of(row, self._where) for row in rows]

    def made_by(self, operation: str) -> set[int]:
        """The numbers of the topic's entries that acts of this operation made: objects of these versions are theirs."""
        query = select(desk_log.c.seq).where(*self._match(desk_log, operation=operation))
        return set(self.connection.execute(query).scalars())

    def acts_since(self, layer: str, kind: str, object_id: str, seq: int) -> list[tuple[str, str]]:
        """The acts that changed an object behind an entry of the log, in order, each with the one it takes back."""
        its_own = self._match(desk_log, layer=layer, kind=kind, object_id=object_id)
        query = select(desk_log.c.act, desk_log.c.undoes).where(*its_own, desk_log.c.seq > seq)
        return [
            (row.act, row.undoes) for row in self.connection.execute(query.order_by(desk_log.c.seq)).all()
        ]

    def item(self, kind: str, item_id: str) -> DeskItem | None:
        """One item."""
        query = select(desk_items).where(*self._match(desk_items, kind=kind, item_id=item_id))
        row = self.connection.execute(query).one_or_none()
        return None if row is None else item_of(row, self._where)

    def _match(self, table: Table = desk_objects, **values: Any) -> list[ColumnElement[bool]]:
        return match(table, project_id=self.project_id, topic=self.topic, **values)


def item_of(found: Row[Any], where: str) -> DeskItem:
    """An item of its row; StoreError where the row is damaged."""
    check_row(desk_items, found, where, f"{found.kind} {found.item_id}")
    # Thousands are read at once: their columns are taken as they stand in the table.
    project_id, topic, kind, item_id, number, time, content, _ = tuple(found)
    return DeskItem(project_id, topic, kind, item_id, number, time, decode(content))


def change_parts(judged: JudgedObject, **parts: Any) -> Change:
    """The change of parts of an object's value, which must be as it was read."""
    return Change(judged.layer, judged.kind, judged.id, {**judged.value, **parts}, judged.version)


def object_of(found: Row[Any], where: str) -> JudgedObject:
    """An object of its row; StoreError where the row is damaged."""
    row = row_values(desk_objects, found, where, f"{found.kind} {found.object_id}")
    return JudgedObject(
        row["topic"], row["layer"], row["kind"], row["object_id"], row["version"], decode(row["value"])
    )


def entry_of(row: dict[str, Any]) -> LogEntry:
    """An entry of its row and the `name` of who made it."""
    values = {name: row[name] for name in LogEntry.__struct_fields__ if name != "account"}
    decoded = {"before": decode(row["before"]), "after": decode(row["after"])}
    return LogEntry(**values | decoded, account=row["name"] or "")


def checked_entry(row: Row[Any], where: str) -> LogEntry:
    """An entry of its row with the `name` of who made it behind; StoreError where it is damaged."""
    check_row(desk_log, row[:-1], where, f"entry {row.seq} of the log")  # type: ignore[arg-type]
    return entry_of(row._asdict())


def object_row(entry: dict[str, Any]) -> tuple[Any, ...]:
    """The row of the object that an entry's row makes, as it is written."""
    same = ("project_id", "topic", "layer", "kind", "object_id")
    row = {name: entry[name] for name in same} | {"version": entry["seq"], "value": entry["after"]}
    return bind_row(with_digest(desk_objects, row))


def write_entries(connection: Connection, project: dict[str, Any], rows: list[dict[str, Any]]) -> None:
    """Write rows of a project's log and the objects that they add up to; the last row of an object counts."""
    objects = {(row["topic"], row["layer"], row["kind"], row["object_id"]): row for row in rows}
    insert_rows(connection, desk_log, [bind_row(with_digest(desk_log, row)) for row in rows])
    replace_rows(connection, desk_objects, [object_row(row) for row in objects.values()])
    if rows:
        set_columns(connection, desk_projects, project, last_seq=rows[-1]["seq"])
