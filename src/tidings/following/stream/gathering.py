"""A source read as a whole onto a pile, which gives its documents in the order of their times.

Read again, it is the same if all documents that it had then come first and as they came then; what stands behind them
is new. The new ones that are older than what was decided meanwhile are too late, as those of a source that kept its own
order are; and those that were decided on need not be sorted again.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable

import msgspec
from msgspec import Struct

from tidings.core import Document, LateDocument, Place, Position, Sorter
from tidings.sources import NONE_YET, fingerprint

__all__ = ["Gathered", "gather", "gathered_cursor", "read_gathered"]

_PAUSE = 1024


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
        note_read: told how many were read.
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
        if not read % _PAUSE:
            note_read(read)
            yield None
    if known is not None and (read < start.read or (read == start.read and digest != known)):
        return None
    found.read, found.digest = read, digest
    return found
