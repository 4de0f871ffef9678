"""The inbox: what was fetched of feeds, kept until it is followed and for a while after."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import asdict
from sqlalchemy import Connection, Row, Table, delete, func, insert, select

from tidings.core import (
    Arrival,
    Document,
    InboxChange,
    InboxContents,
    KeptFeed,
    Position,
    RunLock,
    StoreError,
    bind_row,
    check_row,
    damage_error,
    explain_errors,
    inbox_feeds,
    inbox_fresh,
    inbox_hosts,
    inbox_items,
    inbox_memory,
    inbox_waiting,
    inboxes,
    insert_rows,
    place_to,
    positions,
    replace_rows,
    update_row,
    with_digest,
)

if TYPE_CHECKING:
    from tidings.core import Store

_UNCHANGED = frozenset({"id", "name"})
_PRUNED_AT_ONCE = 2000  # rows of one transaction, so that no writer waits long
_decode = msgspec.msgpack.Decoder(Document).decode


def open_inbox(store: Store, name: str, *, fetching: bool = True) -> StoredInbox:
    """The inbox of that name; made where there is none and it is opened for fetching.

    Args:
        store: that keeps it.
        name: by which the store knows it: the names of its feeds or lists of feeds, as they were given.
        fetching: whether this process fills it: only one may at a time.

    Raises:
        StoreError: another process fills it, it is damaged, or there is none and it is to be read only.
    """
    lock = None
    if fetching:
        with explain_errors(store.url):
            lock = RunLock(store.engine, store.url, f"inbox of {name}")
    try:
        with explain_errors(store.url), (store.engine if fetching else store.reader).begin() as connection:
            query = select(inboxes).where(inboxes.c.name == name)
            found = connection.execute(query).one_or_none()
            if found is None and not fetching:
                raise StoreError(f"{store}: there is no inbox of {name}; fetch first, without --offline")
            row = _insert(connection, name) if found is None else _row(found, str(store))
            if fetching:
                taken = {**row, "fence": row["fence"] + 1}
                if not _update(connection, taken, row["fence"]):
                    raise _loss(name)
                row = taken
    except BaseException:
        if lock is not None:
            lock.release()
        raise
    return StoredInbox(store, row, lock)


class StoredInbox:
    """One inbox of a store. Close it when done.

    As with runs, who fills it holds a number that each of its transactions checks.
    """

    def __init__(self, store: Store, row: dict[str, Any], lock: RunLock | None) -> None:
        self.name: str = row["name"]
        self._store, self._row, self._lock = store, row, lock
        self._fresh = 0

    def __enter__(self) -> StoredInbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let other processes fill it."""
        if self._lock is not None:
            self._lock.release()

    @property
    def last_seq(self) -> int:
        """The number of the last document that came."""
        return int(self._row["last_seq"])

    @property
    def items(self) -> int:
        """How many documents it keeps."""
        return int(self._row["items"])

    @property
    def size(self) -> int:
        """Their size in bytes."""
        return int(self._row["bytes"])

    def load(self) -> InboxContents:
        """What it remembers beside the documents; StoreError where anything of that is damaged."""
        where, own = str(self._store), self._row["id"]
        with explain_errors(self._store.url), self._store.reader.begin() as connection:
            feeds = _rows(connection, inbox_feeds, own, where)
            hosts = _rows(connection, inbox_hosts, own, where)
            waiting = _rows(connection, inbox_waiting, own, where)
            fresh = _rows(connection, inbox_fresh, own, where)
            memory = _rows(connection, inbox_memory, own, where)
        self._fresh = len(fresh)
        if [row.number for row in fresh] != list(range(1, len(fresh) + 1)):
            raise damage_error(where, f"what the inbox of {self.name} remembers")
        return InboxContents(
            feeds={
                row.url: KeptFeed(
                    url=row.url, title=row.title, next_time=row.next_time, error=row.error, state=row.state
                )
                for row in feeds
            },
            hosts={row.host: row.state for row in hosts},
            waiting={row.number: Arrival(row.feed, _decode(row.document)) for row in waiting},
            fresh=tuple(row.item for row in fresh),
            memory=memory[0].state if memory else b"",
            last_time=self._row["last_time"],
        )

    def commit(self, change: InboxChange) -> int:
        """Keep all of a change in one transaction, or none of it; the number of the last document that came.

        Raises StoreError where another process has taken the inbox over.
        """
        row, own = dict(self._row), self._row["id"]
        rows = [
            self._item(row["last_seq"] + number, arrival) for number, arrival in enumerate(change.arrivals, 1)
        ]
        row["last_seq"] += len(rows)
        row["last_time"] = max(
            [row["last_time"], change.now, *(stored["first_seen_time"] for stored in rows)]
        )
        with explain_errors(self._store.url), self._store.engine.begin() as connection:
            kept = self._read_kept(connection)
            row["items"] = kept["items"] + len(rows)
            row["bytes"] = kept["bytes"] + sum(len(stored["document"]) for stored in rows)
            _update(connection, row, row["fence"])
            self._store.check_in_place()
            insert_rows(connection, inbox_items, [bind_row(stored) for stored in rows])
            replace_rows(
                connection, inbox_feeds, [self._bind(inbox_feeds, _feed(feed)) for feed in change.feeds]
            )
            states = [{"host": host, "state": state} for host, state in change.hosts.items()]
            replace_rows(
                connection, inbox_hosts, [self._bind(inbox_hosts, host_state) for host_state in states]
            )
            held = [
                {"number": number, "feed": arrival.feed, "document": msgspec.msgpack.encode(arrival.document)}
                for number, arrival in change.waiting.items()
            ]
            replace_rows(connection, inbox_waiting, [self._bind(inbox_waiting, row) for row in held])
            before = self._fresh
            if change.memory is not None:
                connection.execute(delete(inbox_fresh).where(inbox_fresh.c.inbox_id == own))
                memory = {"number": 1, "state": change.memory}
                replace_rows(connection, inbox_memory, [self._bind(inbox_memory, memory)])
                before = 0
            fresh = [{"number": number, "item": item} for number, item in enumerate(change.fresh, before + 1)]
            insert_rows(connection, inbox_fresh, [self._bind(inbox_fresh, row) for row in fresh])
            for number in change.ready:
                here = (inbox_waiting.c.inbox_id == own, inbox_waiting.c.number == number)
                connection.execute(delete(inbox_waiting).where(*here))
        self._row, self._fresh = row, before + len(fresh)
        return int(row["last_seq"])

    def documents(self, after: int, most: int) -> Sequence[tuple[int, Document]]:
        """(number, document) for up to `most` documents after number `after`, in order."""
        query = select(inbox_items).where(
            inbox_items.c.inbox_id == self._row["id"], inbox_items.c.seq > after
        )
        with explain_errors(self._store.url), self._store.reader.begin() as connection:
            rows = connection.execute(query.order_by(inbox_items.c.seq).limit(most)).all()
        for number, row in enumerate(rows):
            check_row(inbox_items, row, str(self._store), f"document {row.seq} of the inbox of {self.name}")
            if number and row.seq != rows[number - 1].seq + 1:
                raise damage_error(
                    str(self._store), f"the inbox of {self.name} (document {row.seq - 1} is missing)"
                )
        return [(row.seq, _decode(row.document)) for row in rows]

    def first_seq(self, since: int) -> int | None:
        """The number of the oldest document that was first seen at or after that time; None where there is none."""
        query = select(func.min(inbox_items.c.seq)).where(
            inbox_items.c.inbox_id == self._row["id"], inbox_items.c.first_seen_time >= since
        )
        with explain_errors(self._store.url), self._store.reader.begin() as connection:
            return connection.execute(query).scalar()

    def number_at(self, position: Position) -> int:
        """The number of the document that a run decided on last; 0 where there is none (any more).

        A document of its id may have come again since, in the same second even, so no more documents are looked at
        than the run has read.
        """
        items = inbox_items.c
        own = items.inbox_id == self._row["id"]
        with explain_errors(self._store.url), self._store.reader.begin() as connection:
            first = connection.execute(select(func.min(items.seq)).where(own)).scalar() or 1
            query = select(func.max(items.seq)).where(
                own,
                items.document_id == position.last_id,
                items.first_seen_time == position.last_time,
                items.seq <= followed_to(position.cursor, position.read, first),
            )
            return connection.execute(query).scalar() or 0

    def prune(self, before_time: int, most_bytes: int) -> int:
        """Remove what was first seen before that time, and the oldest beyond that size; how many documents went.

        What a run of this store has not followed yet stays, and what it may read again when it goes on.
        """
        removed = 0
        while True:
            with explain_errors(self._store.url), self._store.engine.begin() as connection:
                self._row = self._read_kept(connection)
                last, freed, count = self._find_outdated(connection, before_time, most_bytes)
                if not count:
                    return removed
                row = dict(self._row)
                row["items"] -= count
                row["bytes"] -= freed
                _update(connection, row, row["fence"])
                here = (inbox_items.c.inbox_id == row["id"], inbox_items.c.seq <= last)
                connection.execute(delete(inbox_items).where(*here))
            self._row = row
            removed += count

    def _read_kept(self, connection: Connection) -> dict[str, Any]:
        """The inbox's row as it is now, for this transaction to change: another process may have pruned it since."""
        query = select(inboxes).where(inboxes.c.id == self._row["id"], inboxes.c.fence == self._row["fence"])
        row = connection.execute(query.with_for_update()).one_or_none()
        if row is None:
            raise _loss(self.name)
        return _row(row, str(self._store))

    def _find_outdated(
        self, connection: Connection, before_time: int, most_bytes: int
    ) -> tuple[int, int, int]:
        # The oldest documents that may go: number of the last of them, their bytes, how many they are.
        query = select(
            inbox_items.c.seq, inbox_items.c.first_seen_time, func.length(inbox_items.c.document)
        ).where(
            inbox_items.c.inbox_id == self._row["id"], inbox_items.c.seq <= self._read_followed(connection)
        )
        last = freed = count = 0
        for seq, time, size in connection.execute(query.order_by(inbox_items.c.seq).limit(_PRUNED_AT_ONCE)):
            if time >= before_time and self.size - freed <= most_bytes:
                break
            last, freed, count = seq, freed + size, count + 1
        return last, freed, count

    def _read_followed(self, connection: Connection) -> int:
        # The number up to which every run of this inbox has followed it, and will not read it again.
        query = select(positions).where(positions.c.source == self.name)
        followed = self.last_seq
        for row in connection.execute(query).all():
            followed = min(followed, passed_to(row.cursor))
        return followed

    def _item(self, seq: int, arrival: Arrival) -> dict[str, Any]:
        document = arrival.document
        return with_digest(
            inbox_items,
            {
                "inbox_id": self._row["id"],
                "seq": seq,
                "feed": arrival.feed,
                "document_id": document.id,
                "first_seen_time": document.published_time,
                "stated_time": document.stated_time,
                "document": msgspec.msgpack.encode(document),
            },
        )

    def _bind(self, table: Table, values: dict[str, Any]) -> tuple[Any, ...]:
        return bind_row(with_digest(table, {"inbox_id": self._row["id"], **values}))


def _insert(connection: Connection, name: str) -> dict[str, Any]:
    values: dict[str, Any] = {"name": name}
    values.update(dict.fromkeys(("fence", "last_seq", "last_time", "items", "bytes"), 0))
    query = insert(inboxes).values(**values, digest=0).returning(inboxes.c.id)
    return {"id": int(connection.execute(query).scalar_one()), **values}


def _row(row: Row[Any], where: str) -> dict[str, Any]:
    check_row(inboxes, row, where, f"the row of the inbox of {row.name}")
    values = row._asdict()
    del values["digest"]
    return values


def _update(connection: Connection, row: dict[str, Any], fence: int) -> bool:
    return update_row(connection, inboxes, with_digest(inboxes, row), _UNCHANGED, id=row["id"], fence=fence)


def _rows(connection: Connection, table: Table, inbox_id: int, where: str) -> Sequence[Row[Any]]:
    key = list(table.primary_key)[1]
    rows = connection.execute(select(table).where(table.c.inbox_id == inbox_id).order_by(key)).all()
    for row in rows:
        check_row(table, row, where, f"{table.name} of an inbox, {row[1]!r}")
    return rows


def _feed(feed: KeptFeed) -> dict[str, Any]:
    return asdict(feed)


def passed_to(cursor: bytes) -> int:
    """The number up to which a run's position has passed an inbox; 0 where it would read all of it again."""
    return _passed(cursor)[0]


def followed_to(cursor: bytes, count: int, first_seq: int) -> int:
    """The number of the document up to which a run has decided on an inbox.

    Args:
        cursor: of the run's position.
        count: how many documents it has decided on or left out as too late.
        first_seq: the number of the oldest document that the inbox has.

    >>> cursor = msgspec.msgpack.encode((b"inbox 10", 4))  # the first six had gone before it began
    >>> followed_to(cursor, 9, 1), followed_to(b"", 9, 3)
    (15, 11)
    """
    # Without a cursor it has passed less than a page, and nothing went that it may read again.
    before = _before(cursor)
    return (first_seq - 1 if before is None else before) + count


def _passed(cursor: bytes) -> tuple[int, int]:
    # That number, and how many documents the run had read there. A run's cursor begins with the place that the source
    # gave, and how many were read before it.
    try:
        place, read = msgspec.msgpack.decode(cursor)[:2] if cursor else (b"", 0)
    except (msgspec.MsgspecError, LookupError, TypeError, ValueError):
        return 0, 0
    seq = place_to(place) if isinstance(place, bytes) else None
    return (0, 0) if seq is None else (seq, int(read))


def _before(cursor: bytes) -> int | None:
    # How many of the inbox's first documents had gone when the run began to read it; None where its cursor is silent.
    seq, read = _passed(cursor)
    return seq - read if seq else None


def _loss(name: str) -> StoreError:
    return StoreError(
        f"inbox of {name}: the lock on it was lost and another process has taken over; this fetch was discarded: "
        "wait until the other process is done"
    )
