"""The log of judgments, which is the truth, and the objects' values, which are what it adds up to.

An act is written whole, in one transaction that has looked at what is there: nobody overwrites what somebody else has
changed since the page was shown, a click sent twice is one act, and an item goes to no more people than were asked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from msgspec import UNSET, Struct
from sqlalchemy import Connection, Integer, bindparam, delete, func, select

from tidings.annotation.store.objects import Claim, ObjectView, checked_entry, entry_of, give_item, object_of
from tidings.core import (
    Change,
    ConflictError,
    JudgedObject,
    LogEntry,
    Store,
    StoreError,
    UsageError,
    bound,
    check_row,
    checked,
    desk_accounts,
    desk_log,
    desk_objects,
    desk_projects,
    encode_value,
    insert_rows,
    replace_rows,
    set_columns,
    with_digest,
)

_ACT_CHARS = 100
_MANY = 50
_FEW, _PAGE = 20, 5000
_LOCKED = (
    select(
        desk_projects,
        select(desk_accounts.c.name)
        .where(desk_accounts.c.id == bindparam("account", type_=Integer))
        .scalar_subquery()
        .label("account_name"),
    )
    .where(desk_projects.c.id == bindparam("project", type_=Integer))
    .with_for_update(of=desk_projects)
)


class Act(Struct, frozen=True, kw_only=True):
    """What someone did, but for what it changes.

    Args:
        key: made in the page, unique in the project; what came before with the same key is not done again.
        operation: its name.
        topic: where.
        account_id, session_id: who; None for a program.
        made_ms: the page's clock.
        assisted: what suggested it.
        undoes: the key of the act that it takes back.
        shown, guidelines: digests of the text judged and of the guidelines.
        claim: the item that it judges, where an item may go to a number of people only.
    """

    key: str
    operation: str
    topic: int
    account_id: int | None = None
    session_id: int | None = None
    made_ms: int = 0
    assisted: str = ""
    undoes: str = ""
    shown: str = ""
    guidelines: str = ""
    claim: Claim | None = None


class Recorded(Struct, frozen=True):
    """An act that is in the log: its entries, and whether it was there before."""

    entries: tuple[LogEntry, ...]
    repeated: bool = False


class DeskLog:
    """The log of a store's projects. `clock` gives the time in seconds."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._store, self._clock = store, clock

    def record(
        self, project_id: int, act: Act, make: Callable[[ObjectView], Iterable[Change]] | Sequence[Change]
    ) -> Recorded:
        """Write what an act changes, and say what was written.

        Args:
            project_id: of whose log.
            act: who did what.
            make: the changes, or what makes them of what is there; a change to the value that an object has is left
                out. It runs in the transaction, so that it decides on what really is there.

        Raises:
            ConflictError: an object is no longer what the page showed, or the item went to enough others; UsageError:
                what `make` raises, or an act without a key. Nothing is written then.
        """
        if not act.key or len(act.key) > _ACT_CHARS:
            raise UsageError(f"an act with a key of {len(act.key)} characters (expected 1 to {_ACT_CHARS})")
        where = str(self._store)
        with self._store.writing() as connection:
            project, name = self._locked_project(connection, project_id, act.account_id)
            before = self._act(connection, project_id, act.key)
            if before:
                return Recorded(tuple(before), repeated=True)
            view = ObjectView(connection, where, project_id, act.topic)
            changes = list(make(view) if callable(make) else make)
            if act.claim is not None and act.account_id is not None:
                give_item(connection, project_id, act.topic, act.claim, act.account_id, int(self._clock()))
            rows, objects = self._rows(view, project, act, changes)
            insert_rows(connection, desk_log, [bound(with_digest(desk_log, row)) for row in rows])
            replace_rows(connection, desk_objects, [bound(with_digest(desk_objects, row)) for row in objects])
            if rows:
                set_columns(connection, desk_projects, project, last_seq=rows[-1]["seq"])
        return Recorded(tuple(entry_of({**row, "name": name}) for row in rows))

    def _rows(
        self, view: ObjectView, project: dict[str, Any], act: Act, changes: list[Change]
    ) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        rows, objects, seq = [], {}, project["last_seq"]
        now = int(self._clock() * 1000)
        if len(changes) > _MANY:
            view.load((change.layer, change.kind) for change in changes)
        else:
            wanted: dict[tuple[str, str], list[str]] = {}
            for change in changes:
                wanted.setdefault((change.layer, change.kind), []).append(change.id)
            view.fetch(wanted)
        for change in changes:
            there = view.get(change.layer, change.kind, change.id)
            # A page that was shown no judgment expects 0, whether there never was one or it was taken away.
            shown = {0} if there is None else {there.version, 0 if there.value is None else there.version}
            if change.expected is not UNSET and change.expected not in shown:
                raise ConflictError(
                    "somebody changed this since your page was shown; what is there now is shown instead",
                    there or JudgedObject(act.topic, change.layer, change.kind, change.id, 0, None),
                )
            before = None if there is None else encode_value(there.value)
            after = encode_value(change.value)
            key = (change.layer, change.kind, change.id)
            if key in objects:
                raise UsageError(f"two changes of {change.kind} {change.id} in one act (expected one)")
            if before == after:
                continue
            seq += 1
            rows.append(
                {
                    "project_id": view.project_id,
                    "seq": seq,
                    "act": act.key,
                    "operation": act.operation,
                    "topic": act.topic,
                    "layer": change.layer,
                    "kind": change.kind,
                    "object_id": change.id,
                    "before": before,
                    "after": after,
                    "account_id": act.account_id,
                    "session_id": act.session_id,
                    "recorded_ms": now,
                    "made_ms": act.made_ms,
                    "assisted": act.assisted,
                    "undoes": act.undoes,
                    "shown": act.shown,
                    "guidelines": act.guidelines,
                }
            )
            objects[key] = _object_row(rows[-1])
        return rows, list(objects.values())

    def _locked_project(
        self, connection: Connection, project_id: int, account_id: int | None = None
    ) -> tuple[dict[str, Any], str]:
        # One act of a project after the other: on a server by this row's lock, in SQLite by BEGIN IMMEDIATE. What may
        # change while the lock is waited for must not be asked for here: names never do.
        found = connection.execute(_LOCKED, {"project": project_id, "account": account_id}).one_or_none()
        if found is None:
            raise StoreError(f"{self._store}: no project {project_id} (expected one)")
        check_row(desk_projects, found[:-1], str(self._store), f"project {project_id}")  # type: ignore[arg-type]
        project = found._asdict()
        return project, project.pop("account_name") or ""

    # Asking.

    def objects(
        self,
        project_id: int,
        topic: int | None = None,
        *,
        layer: str | None = None,
        kind: str | None = None,
        ids: Collection[str] | None = None,
    ) -> list[JudgedObject]:
        """Objects that have a value, by topic, layer, kind and id; with `ids` only these."""
        table = desk_objects
        query = select(table).where(table.c.project_id == project_id, table.c.value.is_not(None))
        for column, value in ((table.c.topic, topic), (table.c.layer, layer), (table.c.kind, kind)):
            if value is not None:
                query = query.where(column == value)
        if ids is not None:
            query = query.where(table.c.object_id.in_(ids))
        query = query.order_by(table.c.topic, table.c.layer, table.c.kind, table.c.object_id)
        with self._store.asking() as connection:
            return [object_of(row, str(self._store)) for row in connection.execute(query).all()]

    def object(
        self, project_id: int, topic: int, layer: str, kind: str, object_id: str
    ) -> JudgedObject | None:
        """One object."""
        with self._store.asking() as connection:
            return ObjectView(connection, str(self._store), project_id, topic).get(layer, kind, object_id)

    def ids(self, project_id: int, topic: int, kind: str, layers: Collection[str]) -> set[str]:
        """Ids of the objects of a kind that have a value in one of these layers."""
        table = desk_objects
        query = select(table.c.object_id).where(
            table.c.project_id == project_id,
            table.c.topic == topic,
            table.c.layer.in_(layers),
            table.c.kind == kind,
            table.c.value.is_not(None),
        )
        with self._store.asking() as connection:
            return set(connection.execute(query).scalars())

    def version(self, project_id: int, topic: int, layer: str, kind: str) -> int:
        """The number of the last entry that changed an object of a kind; 0 where none did."""
        table = desk_objects
        query = select(func.max(table.c.version)).where(
            table.c.project_id == project_id,
            table.c.topic == topic,
            table.c.layer == layer,
            table.c.kind == kind,
        )
        with self._store.asking() as connection:
            return int(connection.execute(query).scalar() or 0)

    def count_objects(self, project_id: int, topic: int | None = None) -> dict[tuple[int, str, str], int]:
        """How many objects have a value, by topic, layer and kind; of one topic where it is given."""
        table = desk_objects
        places = (table.c.topic, table.c.layer, table.c.kind)
        query = (
            select(*places, func.count())
            .where(table.c.project_id == project_id, table.c.value.is_not(None))
            .group_by(*places)
        )
        if topic is not None:
            query = query.where(table.c.topic == topic)
        with self._store.asking() as connection:
            return {(topic, layer, kind): n for topic, layer, kind, n in connection.execute(query).all()}

    def first_entries(self, project_id: int, kind: str) -> dict[tuple[int, str], int]:
        """The number of the entry in which each object of a kind came to be, by topic and id, whatever the layer."""
        table = desk_log
        query = (
            select(table.c.topic, table.c.object_id, func.min(table.c.seq))
            .where(table.c.project_id == project_id, table.c.kind == kind)
            .group_by(table.c.topic, table.c.object_id)
        )
        with self._store.asking() as connection:
            return {(topic, name): seq for topic, name, seq in connection.execute(query).all()}

    def entries(
        self,
        project_id: int,
        *,
        topic: int | None = None,
        account_id: int | None = None,
        operation: str | None = None,
        after: int = 0,
        before: int | None = None,
        limit: int | None = None,
        latest_first: bool = False,
    ) -> Iterator[LogEntry]:
        """Entries of the log by number, behind `after` and in front of `before`, where it is given."""
        table = desk_log
        query = (
            select(table, desk_accounts.c.name)
            .join(desk_accounts, desk_accounts.c.id == table.c.account_id, isouter=True)
            .where(table.c.project_id == project_id)
        )
        if topic is not None:
            query = query.where(table.c.topic == topic)
        if account_id is not None:
            query = query.where(table.c.account_id == account_id)
        if operation is not None:
            query = query.where(table.c.operation == operation)
        if before is not None:
            query = query.where(table.c.seq < before)
        if after:
            query = query.where(table.c.seq > after)
        query = query.order_by(table.c.seq.desc() if latest_first else table.c.seq)
        if limit is not None:
            query = query.limit(limit)
        with self._store.asking() as connection:
            rows = connection.execute(query).all()
        for row in rows:
            yield entry_of(checked_entry(row, str(self._store)))

    def latest(self, project_id: int, topic: int, account_id: int) -> Iterator[LogEntry]:
        """An account's entries of a topic, the latest first; read a few at first, then more at a time."""
        before, limit = None, _FEW
        while True:
            page = list(
                self.entries(
                    project_id,
                    topic=topic,
                    account_id=account_id,
                    before=before,
                    limit=limit,
                    latest_first=True,
                )
            )
            yield from page
            if len(page) < limit:
                return
            before, limit = page[-1].seq, min(limit * 4, _PAGE)

    def operations(self, project_id: int) -> list[str]:
        """The names of what was done, by name."""
        table = desk_log
        query = select(table.c.operation).where(table.c.project_id == project_id).distinct()
        with self._store.asking() as connection:
            return sorted(row.operation for row in connection.execute(query).all())

    def act(self, project_id: int, key: str) -> list[LogEntry]:
        """The entries of an act."""
        with self._store.asking() as connection:
            return self._act(connection, project_id, key)

    def _act(self, connection: Connection, project_id: int, key: str) -> list[LogEntry]:
        table = desk_log
        query = (
            select(table, desk_accounts.c.name)
            .join(desk_accounts, desk_accounts.c.id == table.c.account_id, isouter=True)
            .where(table.c.project_id == project_id, table.c.act == key)
            .order_by(table.c.seq)
        )
        rows = connection.execute(query).all()
        return [entry_of(checked_entry(row, str(self._store))) for row in rows]

    def replay(self, project_id: int) -> int:
        """Make the objects of a project anew from its log; says how many there are."""
        query = select(desk_log).where(desk_log.c.project_id == project_id).order_by(desk_log.c.seq)
        with self._store.writing() as connection:
            self._locked_project(connection, project_id)
            connection.execute(delete(desk_objects).where(desk_objects.c.project_id == project_id))
            objects: dict[tuple[Any, ...], dict[str, Any]] = {}
            for row in connection.execute(query).all():
                values = checked(desk_log, row, str(self._store), f"entry {row.seq} of the log")
                made = _object_row(values)
                objects[tuple(made[name] for name in ("topic", "layer", "kind", "object_id"))] = made
            rows = [bound(with_digest(desk_objects, one)) for one in objects.values()]
            insert_rows(connection, desk_objects, rows)
        return len(objects)


def _object_row(entry: dict[str, Any]) -> dict[str, Any]:
    return {
        "project_id": entry["project_id"],
        "topic": entry["topic"],
        "layer": entry["layer"],
        "kind": entry["kind"],
        "object_id": entry["object_id"],
        "version": entry["seq"],
        "value": entry["after"],
    }


class StandingAct(Struct, frozen=True):
    """An act that was not taken back.

    Args:
        key: the act's.
        entries: its entries, in their order.
        since: the entries that were read behind them, in their order.
    """

    key: str
    entries: list[LogEntry]
    since: list[LogEntry]


def last_standing(
    latest: Iterable[LogEntry], counts: Callable[[LogEntry], bool] = lambda first: True
) -> StandingAct | None:
    """The last act that was not taken back and takes none back itself, nor came from a file.

    Args:
        latest: entries of the log, the latest first, of which no more are read than are needed. Those of an act stand
            together.
        counts: whether an act is looked for at all, by its first entry.
    """
    taken_back: set[str] = set()
    since: list[LogEntry] = []
    for key, group in groupby(latest, key=lambda entry: entry.act):
        entries = list(group)[::-1]
        first = entries[0]
        if first.undoes:
            taken_back.add(first.undoes)
        elif first.operation != "import" and key not in taken_back and counts(first):
            return StandingAct(key, entries, since[::-1])
        since += reversed(entries)
    return None


def undone(entries: Iterable[LogEntry], since: Iterable[LogEntry] = ()) -> list[Change]:
    """The changes that take an act's entries back; each expects that its object was not changed since.

    Args:
        entries: of the act.
        since: later entries, in their order. Those that took later acts back, and so left an object as the act had
            made it, are no changes: one can take back several acts one after the other.
    """
    restored = {(one.layer, one.kind, one.object_id): one for one in since if one.undoes}
    changes = []
    for entry in entries:
        latest = restored.get((entry.layer, entry.kind, entry.object_id), entry)
        same = latest.seq > entry.seq and latest.after == entry.after
        expected = latest.seq if same else entry.seq
        changes.append(Change(entry.layer, entry.kind, entry.object_id, entry.before, expected=expected))
    return changes
