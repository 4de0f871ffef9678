"""Time order: one source within a bounded lateness or gathered whole, several merged, and where each is read on.

A source may be a little out of order. It is put in order by holding each document back until nothing
earlier can follow, which takes one number: the *lateness*. A document is **too late** when

    its published_time < (latest published_time before it in its source) − lateness

which depends on nothing but the documents before it, so that a source read again gives the same
stream. Documents too late are left out, counted and reported; the others leave in the order of
(published_time, source, ordinal).

A source that can be read again need not lose any: where some would come too late it is gathered on a pile and sorted
as a whole (`Pile`). Once a source was sorted it always is: the run's position
remembers it.

A place can be gone on from once every document before it, but those too late, has been decided on. Read on from there
with the state that the order had (the latest time, the bound), a source gives the rest as an undisturbed reading does:
the documents before the place are missing, and all of them were decided on.

Read again, it is the same if all documents that it had then come first and as they came then; what stands behind them
is new. The new ones that are older than what was then decided are too late, as those of a source that kept its own
order are; and those that were decided on need not be sorted again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from heapq import heappop, heappush
from itertools import chain

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tidings.core import Document, LateDocument, Place, Position, Sorter, StoreError
from tidings.sources import NONE_YET, Order, Raw, Source, difference, fingerprint

_CHECKED = 256  # documents, at least, that are read again and compared after a resume
_FARTHEST = 20_000  # documents that are read again for that, at most
_MOST_PLACES = 4096  # remembered; of more every second one goes


class Cursor(Struct, frozen=True, array_like=True):
    """A place of a source, and how it was passed.

    `place` is the source's own; `read` and `late` count the documents before it, `latest`, `bound` and `floor` are the
    times that the order held. `released` and `digest` are those of the run when it took up the place: from there on
    what is read again is compared with what was decided on.
    """

    place: bytes
    read: int
    late: int
    latest: int
    bound: int
    floor: int
    released: int = 0
    digest: int = 0


def read_cursor(data: bytes) -> Cursor | None:
    """The cursor that a position holds; None for none, or one that makes no sense."""
    if not data:
        return None
    try:
        cursor = msgspec.msgpack.decode(data, type=Cursor)
    except (msgspec.MsgspecError, ValueError):
        return None
    return cursor if 0 <= cursor.late <= cursor.read <= cursor.released + cursor.late else None


class Cursors:
    """The places that were passed, and which of them a run that stands where it does can go on from.

    >>> cursors = Cursors()
    >>> cursors.passed(Place(lambda: b"here"), Cursor(b"", 3, 0, latest=70, bound=10, floor=0))
    >>> cursors.at(2, 1, last_time=70, all_read=False)  # one of the three may still be waiting
    b''
    >>> read_cursor(cursors.at(3, 2, last_time=71, all_read=False)).place
    b'here'
    """

    def __init__(self, begun: Cursor | None = None) -> None:
        self._passed: deque[tuple[Place, Cursor]] = deque()
        self._behind: tuple[Place, Cursor] | None = None
        self._older: Cursor | None = None
        self._newer = begun

    def passed(self, place: Place, cursor: Cursor) -> None:
        """Note a place, and the state in which the order passes it."""
        self._passed.append((place, cursor))
        if len(self._passed) > _MOST_PLACES:
            self._passed = deque(list(self._passed)[::2])

    def at(self, released: int, digest: int, last_time: int, *, all_read: bool) -> bytes:
        """The place to go on from, encoded; empty when there is none yet.

        Args:
            released: documents decided on.
            digest: that of the stream up to there.
            last_time: the time of the last of them. What is older was decided on too, for that is the order.
            all_read: whether all documents that were read, and were not too late, are decided on.
        """
        while self._passed and (all_read or self._passed[0][1].latest < last_time):
            self._behind = self._passed.popleft()
        if self._behind is not None and (self._newer is None or released - self._newer.released >= _CHECKED):
            (place, cursor), self._behind = self._behind, None
            if data := place.cursor():
                taken_up = replace(cursor, place=data, released=released, digest=digest)
                self._older, self._newer = self._newer, taken_up
        chosen = self._newer
        if self._older is not None and released - self._older.released <= _FARTHEST:
            chosen = self._older  # so that at least some of what was decided on is read again and compared
        return b"" if chosen is None else msgspec.msgpack.encode(chosen)


_GATHERING_PAUSE = 1024  # documents read between looks for whether to stop


class _Marker(Struct, frozen=True, array_like=True, tag="gathered"):
    # In a position: the source is gathered on a pile; `digest` is that of its documents in the order of their coming.
    digest: int


def gathered_cursor(digest: int) -> bytes:
    """What a position holds of a source that is gathered: the digest of its documents in their own order.

    >>> read_gathered(gathered_cursor(7)), read_gathered(b"")
    (7, None)
    """
    return msgspec.msgpack.encode(_Marker(digest))


def read_gathered(data: bytes) -> int | None:
    """The digest that `gathered_cursor` was given; None where a position holds no such thing."""
    if not data:
        return None
    try:
        return msgspec.msgpack.decode(data, type=_Marker).digest
    except (msgspec.MsgspecError, ValueError):
        return None


class Gathered(Struct):
    """What a reading found, the documents but those too late and those passed over being on the pile.

    `ends` are as a `Position` has them, `digest` is that of all documents in the order of their coming, and `passed`
    counts those that were not put on the pile because they had been decided on.
    """

    read: int = 0
    first_id: str = ""
    digest: int = 0
    ends: tuple[tuple[int, int], ...] = ()
    late: list[LateDocument] = []
    passed: int = 0


def gather(
    documents: Iterable[Document | Place | None],
    pile: Sorter,
    note_read: Callable[[int], None],
    *,
    start: Position | None = None,
    floor_time: int | None = None,
    known: int | None = None,
) -> Generator[None, None, Gathered | None]:
    """Put all documents of a source on a pile, with a pause now and then.

    Args:
        documents: the source from its beginning.
        pile: what puts them in order.
        note_read: called with how many were read.
        start: where a run stands that had read the source before; what is behind the documents it had read then, and
            older than `floor_time`, is too late.
        floor_time: the latest time that the run has decided on in any source.
        known: the digest of the documents that were read then. If it is given, those among them that were decided on
            are passed over; where it is another one now there is no result.
    """
    start = start or Position(source="")
    found = Gathered(ends=start.ends)
    floors, floor, digest, read = dict(start.ends), NONE_YET, 0, 0
    since = start.last_time if known is not None and start.released else NONE_YET
    for document in documents:
        if not isinstance(document, Document):
            if document is None:
                yield None
            continue
        if read == start.read and read:
            if known is not None and digest != known:
                return None
            if floor_time is not None and floor_time > floors.get(read, NONE_YET):
                floors[read] = floor_time
                found.ends = tuple(floors.items())
        if read in floors:
            floor = floors[read]
        read += 1
        if read == 1:
            found.first_id = document.id
        digest = fingerprint(document, digest)
        time = document.published_time
        if time < floor:
            found.late.append(LateDocument(start.source, read, document.id, time, floor))
        elif time < since:
            found.passed += 1
        else:
            pile.add(document)
        if not read % _GATHERING_PAUSE:
            note_read(read)
            yield None
    if known is not None and (read < start.read or (read == start.read and digest != known)):
        return None
    found.read, found.digest = read, digest
    return found


_PAUSE = 1024
_RESTART = "start over with --restart"


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
            yield from self._continue(whole)
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

    def _continue(self, raw: Iterator[Raw]) -> Iterator[Document | None]:
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
            f"{self.source.name}: the stream is not the one that this run started with: it {how}; "
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
