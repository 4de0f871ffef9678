"""Who has read what: an account, or a browser without one, known by the digest of a token that only it has."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any
from zlib import crc32

from msgspec import Struct
from sqlalchemy import Connection, Row, delete, func, select, text

from tidings.core import Store, UsageError, insert_row, live_readers, row_values, set_columns

MOST_RANGES = 400
"""Ranges of numbers remembered for each reader and event; beyond, what lies between the oldest counts as seen."""

MOST_READERS = 10_000
"""Browsers without an account that are remembered; those go first that were away longest."""

PAUSE_MS = 30 * 60 * 1000
"""After so long without reading, a new visit begins."""

BROWSER = "browser "
"""What the names of readers without an account begin with."""

_SITE = ""
_LOCKS = 0x7265_6164 << 32  # "read" in ASCII, above 32 bits of the reader: no other lock of the database
_LARGEST = 2**53  # the largest whole number that JavaScript has exactly


class Ranges(Struct, frozen=True):
    """Numbers of outputs, as ranges from the first to the last with both, in order and apart.

    >>> Ranges().added(3, 9).added(1, 2).added(12, 12).written()
    '1-9,12'
    >>> 12 in Ranges.read("1-9,12"), 10 in Ranges.read("1-9,12")
    (True, False)
    """

    parts: tuple[tuple[int, int], ...] = ()

    @classmethod
    def read(cls, written: str) -> Ranges:
        """Ranges as they are written."""
        pairs = (part.partition("-") for part in written.split(",") if part)
        return cls(tuple((int(first), int(last or first)) for first, _, last in pairs))

    def written(self) -> str:
        """`1-9,12`."""
        return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in self.parts)

    def added(self, first: int, last: int) -> Ranges:
        """These and all from `first` to `last`; beyond `MOST_RANGES` the oldest two become one."""
        apart = [part for part in self.parts if part[1] < first - 1 or part[0] > last + 1]
        touching = [part for part in self.parts if not (part[1] < first - 1 or part[0] > last + 1)]
        merged = (min([first, *(part[0] for part in touching)]), max([last, *(part[1] for part in touching)]))
        parts = sorted([*apart, merged])
        while len(parts) > MOST_RANGES:
            parts[:2] = [(parts[0][0], parts[1][1])]
        return Ranges(tuple(parts))

    def __contains__(self, number: int) -> bool:
        """Whether a number is in one of them."""
        from bisect import bisect_right

        place = bisect_right(self.parts, (number, _LARGEST + 1)) - 1
        return place >= 0 and self.parts[place][1] >= number


class ReaderVisit(Struct, frozen=True):
    """When a reader was last there (milliseconds UTC), and the number of the last output when the visit before ended.

    Within a visit that is the number at the end of the one before it, so that what is new stays new while it is read.
    """

    visited_ms: int
    cursor: int


class LiveReaders:
    """The readers of a store's live pages. `clock` gives the time in seconds."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._store, self._clock = store, clock

    def note_seen(self, reader: str, event_id: str, first: int, last: int, cursor: int) -> None:
        """Note that a reader had these outputs of an event on screen, while the last one there was has this number.

        UsageError where the numbers are none that outputs can have.
        """
        if not 1 <= first <= last <= min(cursor, _LARGEST):
            raise UsageError(
                f"There are no outputs {first} to {last}: numbers go from 1 to {cursor}, the smaller one first."
            )
        now = int(self._clock() * 1000)
        with self._store.writing() as connection:
            _one_at_a_time(connection, reader)
            self._note_visit(connection, reader, cursor, now)
            self._note_event(connection, reader, event_id, first, last, now)

    def seen(self, reader: str) -> dict[str, Ranges]:
        """What a reader has seen, by event."""
        query = select(live_readers).where(live_readers.c.reader == reader, live_readers.c.event_id != _SITE)
        rows = self._store.rows(query)
        return {row.event_id: Ranges.read(self._values(row)["seen"]) for row in rows}

    def last_visit(self, reader: str) -> ReaderVisit | None:
        """The visit after which a reader was away; None for who was never there."""
        with self._store.asking() as connection:
            row = self._row(connection, reader, _SITE)
        if row is None:
            return None
        values = self._values(row)
        ended, now = _visit(values["seen"])
        is_over = int(self._clock() * 1000) - values["visited_ms"] > PAUSE_MS
        return ReaderVisit(values["visited_ms"], now if is_over else ended)

    def _note_visit(self, connection: Connection, reader: str, cursor: int, now: int) -> None:
        row = self._row(connection, reader, _SITE)
        if row is None:
            if reader.startswith(BROWSER):
                self._make_room(connection)
            self._insert(connection, reader, _SITE, f"0-{cursor}", now)
            return
        values = self._values(row)
        ended, before = _visit(values["seen"])
        if now - values["visited_ms"] > PAUSE_MS:
            ended = before
        changed = f"{ended}-{max(before, cursor)}"
        set_columns(connection, live_readers, row._asdict(), seen=changed, visited_ms=now)

    def _note_event(
        self, connection: Connection, reader: str, event_id: str, first: int, last: int, now: int
    ) -> None:
        row = self._row(connection, reader, event_id)
        if row is None:
            self._insert(connection, reader, event_id, Ranges(((first, last),)).written(), now)
            return
        seen = Ranges.read(self._values(row)["seen"]).added(first, last).written()
        set_columns(connection, live_readers, row._asdict(), seen=seen, visited_ms=now)

    def _make_room(self, connection: Connection) -> None:
        browsers = (live_readers.c.event_id == _SITE) & live_readers.c.reader.startswith(BROWSER)
        count = connection.execute(select(func.count()).where(browsers)).scalar() or 0
        if count < MOST_READERS:
            return
        oldest = (
            select(live_readers.c.reader)
            .where(browsers)
            .order_by(live_readers.c.visited_ms)
            .limit(count - MOST_READERS + 1)
        )
        names: Iterable[str] = list(connection.execute(oldest).scalars())
        connection.execute(delete(live_readers).where(live_readers.c.reader.in_(names)))

    def _insert(self, connection: Connection, reader: str, event_id: str, seen: str, now: int) -> None:
        row = {"reader": reader, "event_id": event_id, "seen": seen, "visited_ms": now}
        insert_row(connection, live_readers, row)

    def _row(self, connection: Connection, reader: str, event_id: str) -> Row[Any] | None:
        query = select(live_readers).where(
            live_readers.c.reader == reader, live_readers.c.event_id == event_id
        )
        return connection.execute(query).one_or_none()

    def _values(self, row: Row[Any]) -> dict[str, Any]:
        return row_values(live_readers, row, str(self._store), f"what {row.reader!r} has seen")


def _one_at_a_time(connection: Connection, reader: str) -> None:
    # A page says several things at once; a file of SQLite has one writer anyway.
    if connection.dialect.name == "postgresql":
        number = crc32(reader.encode("utf-8", "surrogatepass"))
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _LOCKS + number})


def _visit(written: str) -> tuple[int, int]:
    # The row of the whole site: the last output when the visit before ended, and when this one was last noted.
    ended, _, now = written.partition("-")
    return int(ended), int(now)
