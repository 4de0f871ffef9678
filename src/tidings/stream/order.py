"""Time order: one source within a bounded lateness, and several sources merged.

A source may be a little out of order. It is put in order by holding each document back until nothing
earlier can follow, which takes one number: the *lateness*. A document is **too late** when

    its published_time < (latest published_time before it in its source) − lateness

which depends on nothing but the documents before it, so that a source read again gives the same
stream. Documents too late are left out, counted and reported; the others leave in the order of
(published_time, source, ordinal).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TypeAlias
from zlib import crc32

from tidings.errors import StoreError
from tidings.records import Document, LateDocument, Place, Position
from tidings.stream.cursors import Cursor, Cursors, read_cursor

__all__ = ["Ordered", "Source", "fingerprint", "merge"]

Raw: TypeAlias = Document | Place | None

_PAUSE = 1024
_NONE_YET = -(1 << 62)
_RESTART = "start anew with --restart"


@dataclass(frozen=True, slots=True)
class Source:
    """Where documents come from: a name for messages, and a call that gives them from the beginning.

    `live` says that the source cannot be read again (standard input, a pipe). A live source may yield
    None to say that nothing is waiting now.

    A source that can be read on from its middle yields a `Place` between two documents now and then (each costs
    little; a few hundred documents apart is often enough) and has `open_at`, which takes what `Place.cursor()` gave
    and gives the documents and places after it, or None where the place can no longer be trusted: then the source is
    read from its beginning, and compared with what it was.
    """

    name: str
    open: Callable[[], Iterable[Raw]]
    live: bool = False
    open_at: Callable[[bytes], Iterable[Raw] | None] | None = None


def fingerprint(document: Document, digest: int) -> int:
    """The digest of a stream that goes on from `digest` with this document: its id, time, origin and words.

    A stream read again has the same one, so that a run does not go on over other words than it began with. A digest
    below 0 is of the kind that version 1 of the store kept, over id, time and words only: it goes on as that.

    >>> fingerprint(Document(id="d", published_time=1, text="A fire."), 0) == fingerprint(
    ...     Document(id="d", published_time=1, text="No fire."), 0
    ... )
    False
    """
    words = [document.id, str(document.published_time)]
    if digest >= 0:
        words += (document.source, document.title, document.url)
    words.append(document.text)
    for sentence in document.sentences:
        words.append(sentence.text)  # a fifth faster than from a comprehension
    encoded = "\x1f".join(words).encode("utf-8", "surrogatepass")
    return crc32(encoded, digest) if digest >= 0 else -1 - crc32(encoded, -1 - digest)


class Ordered:
    """One source in time order, beginning after what an earlier attempt has followed.

    `position` is where that attempt stood and `floor_time` the latest time it decided on in any source.
    Iterating gives documents, and None where a live source has nothing waiting. `read`, `late` and
    `ended` tell how far it has been read; `note_late` is called for every document left out.

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
        if start.first_id and self.source.open_at is not None:
            cursor = read_cursor(start.cursor)
            usable = cursor is not None and cursor.released <= start.released
            rest = self.source.open_at(cursor.place) if cursor is not None and usable else None
            if cursor is not None and rest is not None:
                return self._from(cursor, iter(rest))
        raw = iter(self.source.open())
        if not start.first_id:
            return self._in_order(raw)
        beginning: list[Raw] = []
        first: Document | None = None
        for item in raw:
            beginning.append(item)
            if isinstance(item, Document):
                first = item
                break
        if first is None:
            if self.source.live:
                # Nothing came this time: what was followed before stands as it is.
                self.first_id, self.read, self.late, self.ended = start.first_id, start.read, start.late, True
                return iter([None for item in beginning if item is None])
            raise self._changed("has no documents now")
        if first.id == start.first_id:
            return self._after(self._in_order(_chain(beginning, raw)))
        if self.source.live and first.published_time >= start.last_time:
            return self._continued(_chain(beginning, raw))
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
        if finished and self.is_longer:
            ends = (*ends, (self.read, decided_time))
        return Position(
            source=start.source,
            released=released,
            read=max(self.read, start.read),
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
        # What waited when a source ended has left early; that must not be gone on from before its end is noted.
        all_read = released == self.read - self.late and (finished or not self._exhausted)
        return self._cursors.at(released, digest, last_time, all_read=all_read)

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
        start, last_id = self._start, ""
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
            last_id = document.id
            if left <= check_from:
                digest = fingerprint(document, digest)
            left -= 1
            if not left % _PAUSE:
                yield None  # so that whoever follows can stop here
        if digest != start.digest or (has_last and last_id != start.last_id):
            raise self._changed(f"differs within its first {start.released} documents")
        self._skipping = False
        yield from released

    def _in_order(self, raw: Iterator[Raw], cursor: Cursor | None = None) -> Iterator[Document | None]:
        lateness_s, waiting = self._lateness_s, list[tuple[int, int, Document]]()
        ends, passed = dict(self.ends), self._cursors.passed
        read = self.read
        if cursor is not None:
            latest, bound, floor = cursor.latest, cursor.bound, cursor.floor
        else:
            latest = _NONE_YET
            bound = floor = ends.get(read, _NONE_YET)
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


def _chain(beginning: list[Raw], raw: Iterator[Raw]) -> Iterator[Raw]:
    yield from beginning
    beginning.clear()
    yield from raw


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
