"""Time order: one source within a bounded lateness, and several sources merged.

A source may be a little out of order. It is put in order by holding each document back until nothing
earlier can follow, which takes one number: the *lateness*. A document is **too late** when

    its published_time < (latest published_time before it in its source) − lateness

which depends on nothing but the documents before it, so that a source read again gives the same
stream. Documents too late are left out, counted and reported; the others leave in the order of
(published_time, source, ordinal).

A source that can be read again need not lose any: where some would come too late it is gathered on a pile and sorted
as a whole (see `tidings.following.stream.gathering`). Once a source was sorted it always is: the run's position
remembers it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from heapq import heappop, heappush
from itertools import chain

from msgspec.structs import replace

from tidings.core import Document, LateDocument, Position, Sorter, StoreError
from tidings.following.stream.cursors import Cursor, Cursors, read_cursor
from tidings.following.stream.gathering import Gathered, gather, gathered_cursor, read_gathered
from tidings.sources import NONE_YET, Order, Raw, Source, difference, fingerprint

__all__ = ["Ordered", "merge"]

_PAUSE = 1024
_RESTART = "start anew with --restart"


class Ordered:
    """One source in time order, beginning after what an earlier attempt has followed.

    `position` is where that attempt stood and `floor_time` the latest time it decided on in any source.
    Iterating gives documents, and None where a live source has nothing waiting. `read`, `late` and
    `ended` tell how far it has been read; `note_late` is called for every document left out. `gathering` counts the
    documents read so far of a source that is being sorted (0: none is), `lost` those that would have come too late had
    it not been, and `total` is how many there are in all (0: unknown).

    >>> times = [100, 400, 300, 90, 500]
    >>> documents = [Document(id=f"d{time}", published_time=time) for time in times]
    >>> late = []
    >>> source = Source("example", lambda: documents)
    >>> [document.id for document in Ordered(source, lateness_s=200, note_late=late.append)]
    ['d100', 'd300', 'd400', 'd500']
    >>> late[0].ordinal, late[0].doc_id, late[0].bound_time
    (4, 'd90', 200)
    """

    def __init__(
        self,
        source: Source,
        *,
        lateness_s: int = 0,
        note_late: Callable[[LateDocument], None] = lambda late: None,
        position: Position | None = None,
        floor_time: int | None = None,
    ) -> None:
        self.source = source
        self.first_id = ""
        self.read = 0
        self.late = 0
        self.ended = False
        self.gathering = self.lost = self.total = 0
        self._found: Gathered | None = None
        self._sorted = False
        self._lateness_s = lateness_s
        self._note_late = note_late
        self._start = position or Position(source=source.name)
        self._floor_time = floor_time
        self._skipping = bool(self._start.first_id)
        self._exhausted = False
        self._cursors = Cursors()
        self.ends = self._start.ends

    def __iter__(self) -> Iterator[Document | None]:
        start = self._start
        cursor = read_cursor(start.cursor) if start.first_id else None
        if cursor is not None and cursor.released > start.released:
            cursor = None
        if self.source.pile is not None and self._is_to_be_sorted(cursor):
            return self._by_pile(self.source.pile, cursor)
        return self._as_it_comes(cursor)

    def _as_it_comes(self, cursor: Cursor | None) -> Iterator[Document | None]:
        start = self._start
        if self.source.open_at is not None and cursor is not None:
            rest = self.source.open_at(cursor.place)
            if rest is not None:
                return self._from(cursor, iter(rest))
        raw = iter(self.source.open())
        return self._from_beginning(raw) if start.first_id else self._in_order(raw)

    def _from_beginning(self, raw: Iterator[Raw]) -> Iterator[Document | None]:
        start, beginning = self._start, list[Raw]()
        for first in raw:
            if isinstance(first, Document):
                break
            if first is None:
                yield None
            else:
                beginning.append(first)
        else:
            if not self.source.live:
                raise self._changed("has no documents now")
            # Nothing came this time: what was followed before stands as it is.
            self.first_id, self.read, self.late, self.ended = start.first_id, start.read, start.late, True
            return
        whole = chain(beginning, [first], raw)
        if first.id == start.first_id or self.source.gathered is not None:
            yield from self._after(self._in_order(whole))
        elif self.source.live and first.published_time >= start.last_time:
            yield from self._continued(whole)
        else:
            raise self._changed(f"now begins with document {first.id}, then with {start.first_id}")

    @property
    def is_longer(self) -> bool:
        """Whether the source was read further than to where it once ended."""
        return self.read > (self.ends[-1][0] if self.ends else 0)

    def position(
        self, released: int, digest: int, last: tuple[str, int], *, finished: bool, decided_time: int
    ) -> Position:
        """Where the source stands once `released` documents were decided on.

        Args:
            released: how many.
            digest: that of the stream up to there.
            last: id and time of the last of them.
            finished: whether the source has ended there.
            decided_time: the latest time decided on in any source.
        """
        start, ends = self._start, self.ends
        if self._sorted and self._skipping:
            return start  # nothing of a new reading holds before it was compared
        if finished and self.is_longer:
            ends = (*ends, (self.read, decided_time))
        return Position(
            source=start.source,
            released=released,
            read=self.read if self._sorted else max(self.read, start.read),
            late=max(self.late, start.late),
            first_id=self.first_id or start.first_id,
            last_id=last[0],
            last_time=last[1],
            digest=digest,
            ends=ends,
            cursor=self.cursor(released, digest, last[1], finished),
        )

    def cursor(self, released: int, digest: int, last_time: int, finished: bool = False) -> bytes:
        """Where reading can go on then; empty where the source has no such place."""
        if self._skipping:
            return self._start.cursor
        if self._found is not None:
            return gathered_cursor(self._found.digest)
        # What waited when a source ended has left early; that must not be gone on from before its end is noted.
        all_read = released == self.read - self.late and (finished or not self._exhausted)
        return self._cursors.at(released, digest, last_time, all_read=all_read)

    def _is_to_be_sorted(self, cursor: Cursor | None) -> bool:
        start, look = self._start, self.source.look
        if look is None or read_gathered(start.cursor) is not None:
            return True
        order = Order(
            lateness_s=self._lateness_s,
            ends=self.ends,
            decided_time=NONE_YET if self._floor_time is None else self._floor_time,
        )
        ahead = None
        if cursor is not None:
            at = {name: getattr(cursor, name) for name in ("place", "read", "latest", "bound", "floor")}
            ahead = look(replace(order, **at))
        before = 0 if ahead is None or cursor is None else cursor.read
        if ahead is None:
            ahead = look(order)
        if ahead is None:
            return False
        self.total, self.lost = before + ahead.documents, ahead.lost
        return ahead.lost > 0

    def _by_pile(
        self, make: Callable[[], Sorter], cursor: Cursor | None
    ) -> Generator[Document | None, None, None]:
        start, known = self._start, read_gathered(self._start.cursor)
        self._sorted = self._skipping = True
        self.total = self.total or start.read
        pile = make()
        try:
            found = yield from self._gather(pile, known)
            if found is None:
                # Not what it was with more behind it; all that was decided on may be there still, in another order.
                pile.close()
                pile = make()
                found = yield from gather(self.source.open(), pile, self._note_gathered)
                assert found is not None
                found.ends = tuple(end for end in start.ends[-1:] if end[0] == found.read)
            if start.first_id and not found.read:
                raise self._changed("has no documents now")
            self.gathering, self._found = 0, found
            left = start.released - found.passed
            if found.passed:
                yield from self._after(
                    iter(pile), found.passed, unchecked=left, digest=start.digest, has_last=left > 0
                )
            else:
                yield from self._after(iter(pile))
            self.ended = True
            return
        except StoreError:
            if not self._skipping or known is not None or not start.late:
                raise
        finally:
            pile.close()
        # It kept its own order so far and lost some by that: so it has to go on.
        self._sorted, self._found = False, None
        yield from self._as_it_comes(cursor)

    def _gather(self, pile: Sorter, known: int | None) -> Generator[None, None, Gathered | None]:
        start = self._start
        found = yield from gather(
            self.source.open(),
            pile,
            self._note_gathered,
            start=start if start.first_id else Position(source=start.source),
            floor_time=self._floor_time,
            known=known,
        )
        return None if found is None or found.passed > start.released else found

    def _note_gathered(self, number: int) -> None:
        self.gathering = number

    def _take_found(self, found: Gathered) -> None:
        # It is what it was: what was found holds from now on.
        self.first_id, self.read, self.late = found.first_id, found.read, len(found.late)
        self.ends, self.total = found.ends, found.read - len(found.late)
        for late in found.late:
            self._note_late(late)

    def _from(self, cursor: Cursor, raw: Iterator[Raw]) -> Iterator[Document | None]:
        # What stood before the cursor is decided on; of what stands after it, some is too.
        self.first_id, self.read, self.late = self._start.first_id, cursor.read, cursor.late
        self._cursors = Cursors(cursor)
        before = cursor.read - cursor.late
        released = self._in_order(raw, cursor)
        return self._after(
            released,
            before,
            unchecked=cursor.released - before,
            digest=cursor.digest,
            has_last=cursor.latest < self._start.last_time,
        )

    def _continued(self, raw: Iterator[Raw]) -> Iterator[Document | None]:
        # A pipe that goes on where the last one stopped: number on, and let nothing in before what was decided.
        start = self._start
        self._skipping = False
        self.first_id, self.read, self.late = start.first_id, start.read, start.late
        if self._floor_time is not None and (not self.ends or self.ends[-1][0] < start.read):
            self.ends = (*self.ends, (start.read, self._floor_time))
        return self._in_order(raw)

    def _after(
        self,
        released: Iterator[Document | None],
        before: int = 0,
        *,
        unchecked: int = 0,
        digest: int = 0,
        has_last: bool = True,
    ) -> Iterator[Document | None]:
        # Skip what was decided on before, and make sure that it is the same. `before` documents stand before those
        # of `released`, and unless `has_last` the one decided on last may be among them.
        start, last_id, last_time = self._start, "", NONE_YET
        if start.digest < 0 and not digest:
            digest = -1  # nothing yet, of the former kind
        left = start.released - before
        check_from = left - unchecked
        while left:
            document = next(released, self)
            if document is self:
                raise self._changed(f"now has fewer documents than the {start.released} already followed")
            if document is None:
                yield None
                continue
            assert isinstance(document, Document)
            last_id, last_time = document.id, document.published_time
            if left <= check_from:
                digest = fingerprint(document, digest)
            left -= 1
            if not left % _PAUSE:
                yield None  # so that whoever follows can stop here
        if digest != start.digest or (has_last and last_id != start.last_id):
            raise self._changed(difference(start, last_time))
        self._skipping = False
        if self._found is not None:
            self._take_found(self._found)
        yield from released

    def _in_order(self, raw: Iterator[Raw], cursor: Cursor | None = None) -> Iterator[Document | None]:
        lateness_s, waiting = self._lateness_s, list[tuple[int, int, Document]]()
        ends, passed = dict(self.ends), self._cursors.passed
        read = self.read
        if cursor is not None:
            latest, bound, floor = cursor.latest, cursor.bound, cursor.floor
        else:
            latest = NONE_YET
            bound = floor = ends.get(read, NONE_YET)
        for document in raw:
            if not isinstance(document, Document):
                if document is None:
                    yield None
                else:
                    passed(document, Cursor(b"", read, self.late, latest, bound, floor))
                continue
            if read in ends and waiting:
                # Here the source once ended, so what waited was released.
                while waiting:
                    yield heappop(waiting)[2]
            if read in ends:
                floor = ends[read]
                bound = max(bound, floor)
            read += 1
            self.read = read
            if read == 1:
                self.first_id = document.id
            time = document.published_time
            if time < bound:
                self.late += 1
                self._note_late(LateDocument(self.source.name, read, document.id, time, bound))
                continue
            if time > latest:
                latest = time
                bound = max(latest - lateness_s, floor)
                while waiting and waiting[0][0] <= bound:
                    yield heappop(waiting)[2]
            if time <= bound:
                yield document
            else:
                heappush(waiting, (time, read, document))
        self._exhausted = True
        while waiting:
            yield heappop(waiting)[2]
        self.ended = True

    def _changed(self, how: str) -> StoreError:
        return StoreError(
            f"{self.source.name}: the stream is not the one this run began with: it {how}; "
            f"give the same stream, or {_RESTART}"
        )


def merge(sources: list[Ordered]) -> Iterator[tuple[int, Document] | None]:
    """Documents of all sources as (number of the source, document), in time order.

    Of two documents of the same time the one from the earlier source comes first. None where the source
    whose turn it is has nothing waiting.
    """
    if len(sources) == 1:
        for document in sources[0]:
            yield None if document is None else (0, document)
        return
    streams = [iter(source) for source in sources]
    heads: list[tuple[int, int, Document]] = []
    for number, stream in enumerate(streams):
        for head in stream:
            if head is not None:
                heappush(heads, (head.published_time, number, head))
                break
            yield None
    while heads:
        _, number, document = heappop(heads)
        yield number, document
        for head in streams[number]:
            if head is not None:
                heappush(heads, (head.published_time, number, head))
                break
            yield None
