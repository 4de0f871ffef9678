"""The log of judgments, which is the truth, and the objects' values, which are what it adds up to.

An act is written whole, in one transaction that has looked at what is there: nobody overwrites what someone else has
changed since the page was shown, a click sent twice is one act, and an item goes to no more people than were asked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from msgspec import UNSET, Struct
from sqlalchemy import Connection, Integer, bindparam, delete, func, select

from tidings.annotation.store.objects import (
    Asking,
    Claim,
    ObjectView,
    checked_entry,
    entry_of,
    give_item,
    object_of,
    object_row,
    write_entries,
)
from tidings.core import (
    Change,
    ConflictError,
    JudgedObject,
    LogEntry,
    StoreError,
    UsageError,
    check_row,
    desk_accounts,
    desk_log,
    desk_objects,
    desk_projects,
    encode_value,
    insert_rows,
    match,
    row_values,
)

_ACT_CHARS = 100  # of the key by which a page says that it sends an act again
_MANY = 50  # changes of an act, from which on whole kinds are read and not single objects
_FEW, _PAGE = 20, 5000  # entries read first, and at most at a time
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


_WITH_NAMES = select(desk_log, desk_accounts.c.name).join(
    desk_accounts, desk_accounts.c.id == desk_log.c.account_id, isouter=True
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


_OF_ACT = tuple(name for name in Act.__struct_fields__ if name not in ("key", "claim"))


class Recorded(Struct, frozen=True):
    """An act that is in the log: its entries, and whether it was there before."""

    entries: tuple[LogEntry, ...]
    repeated: bool = False


class DeskLog(Asking):
    """The log of a store's projects."""

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
            raise UsageError(f"The key of an act has {len(act.key)} characters. Use 1 to {_ACT_CHARS}.")
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
            rows = self._changed(view, project["last_seq"], act, changes)
            write_entries(connection, project, rows)
        return Recorded(tuple(entry_of({**row, "name": name}) for row in rows))

    def _changed(self, view: ObjectView, seq: int, act: Act, changes: list[Change]) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = []
        changed: set[tuple[str, str, str]] = set()
        # What each entry of the act says alike.
        alike = {name: getattr(act, name) for name in _OF_ACT} | {"act": act.key}
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
                    "Someone changed this in the meantime. The current version is shown.",
                    there or JudgedObject(act.topic, change.layer, change.kind, change.id, 0, None),
                )
            key = (change.layer, change.kind, change.id)
            if key in changed:
                raise UsageError(f"The act changes {change.kind} {change.id} twice. Change it once.")
            before = None if there is None else encode_value(there.value)
            after = encode_value(change.value)
            if before == after:
                continue
            changed.add(key)
            rows.append(
                {
                    "project_id": view.project_id,
                    "seq": seq + len(rows) + 1,
                    "layer": change.layer,
                    "kind": change.kind,
                    "object_id": change.id,
                    "before": before,
                    "after": after,
                    "recorded_ms": now,
                    **alike,
                }
            )
        return rows

    def _locked_project(
        self, connection: Connection, project_id: int, account_id: int | None = None
    ) -> tuple[dict[str, Any], str]:
        # One act of a project after the other: on a server by this row's lock, in SQLite by BEGIN IMMEDIATE. What may
        # change while the lock is waited for must not be asked for here: names never do.
        found = connection.execute(_LOCKED, {"project": project_id, "account": account_id}).one_or_none()
        if found is None:
            raise StoreError(f"{self._store}: there is no project {project_id}")
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
        chosen = match(table, project_id=project_id, topic=topic, layer=layer, kind=kind, object_id=ids)
        query = select(table).where(*chosen, table.c.value.is_not(None))
        query = query.order_by(table.c.topic, table.c.layer, table.c.kind, table.c.object_id)
        return [object_of(row, str(self._store)) for row in self._store.rows(query)]

    def object(
        self, project_id: int, topic: int, layer: str, kind: str, object_id: str
    ) -> JudgedObject | None:
        """One object."""
        with self._store.asking() as connection:
            return ObjectView(connection, str(self._store), project_id, topic).get(layer, kind, object_id)

    def ids(self, project_id: int, topic: int, kind: str, layers: Collection[str]) -> set[str]:
        """Ids of the objects of a kind that have a value in one of these layers."""
        table = desk_objects
        chosen = match(table, project_id=project_id, topic=topic, layer=layers, kind=kind)
        query = select(table.c.object_id).where(*chosen, table.c.value.is_not(None))
        return {row.object_id for row in self._store.rows(query)}

    def version(self, project_id: int, topic: int, layer: str, kind: str) -> int:
        """The number of the last entry that changed an object of a kind; 0 where none did."""
        chosen = match(desk_objects, project_id=project_id, topic=topic, layer=layer, kind=kind)
        return self._store.number(select(func.max(desk_objects.c.version)).where(*chosen))

    def count_objects(self, project_id: int, topic: int | None = None) -> dict[tuple[int, str, str], int]:
        """How many objects have a value, by topic, layer and kind; of one topic where it is given."""
        table = desk_objects
        places = (table.c.topic, table.c.layer, table.c.kind)
        chosen = match(table, project_id=project_id, topic=topic)
        query = select(*places, func.count()).where(*chosen, table.c.value.is_not(None)).group_by(*places)
        return {(topic, layer, kind): n for topic, layer, kind, n in self._store.rows(query)}

    def first_entries(self, project_id: int, kind: str) -> dict[tuple[int, str], int]:
        """The number of the entry in which each object of a kind came to be, by topic and id, whatever the layer."""
        places = (desk_log.c.topic, desk_log.c.object_id)
        chosen = match(desk_log, project_id=project_id, kind=kind)
        query = select(*places, func.min(desk_log.c.seq)).where(*chosen).group_by(*places)
        return {(topic, name): seq for topic, name, seq in self._store.rows(query)}

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
        query = _WITH_NAMES.where(
            *match(table, project_id=project_id, topic=topic, account_id=account_id, operation=operation)
        )
        if before is not None:
            query = query.where(table.c.seq < before)
        if after:
            query = query.where(table.c.seq > after)
        query = query.order_by(table.c.seq.desc() if latest_first else table.c.seq)
        if limit is not None:
            query = query.limit(limit)
        for row in self._store.rows(query):
            yield checked_entry(row, str(self._store))

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
        return sorted(row.operation for row in self._store.rows(query))

    def act(self, project_id: int, key: str) -> list[LogEntry]:
        """The entries of an act."""
        with self._store.asking() as connection:
            return self._act(connection, project_id, key)

    def _act(self, connection: Connection, project_id: int, key: str) -> list[LogEntry]:
        query = _WITH_NAMES.where(*match(desk_log, project_id=project_id, act=key)).order_by(desk_log.c.seq)
        return [checked_entry(row, str(self._store)) for row in connection.execute(query).all()]

    def replay(self, project_id: int) -> int:
        """Make the objects of a project again from its log; says how many there are."""
        query = select(desk_log).where(desk_log.c.project_id == project_id).order_by(desk_log.c.seq)
        with self._store.writing() as connection:
            self._locked_project(connection, project_id)
            connection.execute(delete(desk_objects).where(desk_objects.c.project_id == project_id))
            objects = {}
            for row in connection.execute(query).all():
                entry = row_values(desk_log, row, str(self._store), f"entry {row.seq} of the log")
                objects[row.topic, row.layer, row.kind, row.object_id] = object_row(entry)
            insert_rows(connection, desk_objects, list(objects.values()))
        return len(objects)


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
    restored = {(entry.layer, entry.kind, entry.object_id): entry for entry in since if entry.undoes}
    changes = []
    for entry in entries:
        latest = restored.get((entry.layer, entry.kind, entry.object_id), entry)
        same = latest.seq > entry.seq and latest.after == entry.after
        expected = latest.seq if same else entry.seq
        changes.append(Change(entry.layer, entry.kind, entry.object_id, entry.before, expected=expected))
    return changes
