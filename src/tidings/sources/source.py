"""Where documents come from, by what a stream is known again, and what a source still holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeAlias
from zlib import crc32

from msgspec import Struct

from tidings.core import Document, Place, Position, Sorter

NONE_YET = -(1 << 62)
"""Before all times."""


class Order(Struct, frozen=True, kw_only=True):
    """How far the order of a source has come: the state from which it is looked ahead.

    `place` is where in the source (empty at its beginning), `read` counts the documents before it; `latest`, `bound`
    and `floor` are the times that the order held there, `ends` where the source ended before, as a `Position` has them.
    What is older than `decided_time` was decided without, so that sorting would not bring it back.
    """

    lateness_s: int = 0
    place: bytes = b""
    read: int = 0
    latest: int = NONE_YET
    bound: int = NONE_YET
    floor: int = NONE_YET
    ends: tuple[tuple[int, int], ...] = ()
    decided_time: int = NONE_YET


class Outlook(Struct, frozen=True, kw_only=True):
    """How many documents are ahead, the first and the last time among them, and how many their disorder would lose."""

    documents: int = 0
    first_time: int | None = None
    last_time: int | None = None
    lost: int = 0


def look_ahead(times: Iterable[int], order: Order) -> Outlook:
    """What following documents of these times, in this order of coming, would meet.

    >>> look_ahead([100, 400, 300, 90, 500], Order(lateness_s=200))
    Outlook(documents=5, first_time=90, last_time=500, lost=1)
    """
    read, latest, bound, floor = order.read, order.latest, order.bound, order.floor
    ends, lateness_s, lost = dict(order.ends), order.lateness_s, 0
    first, last = None, latest
    for time in times:
        if read in ends:
            floor = ends[read]
            bound = max(bound, floor)
        read += 1
        if first is None or time < first:
            first = time
        if time < bound:
            if time >= floor and time >= order.decided_time:
                lost += 1
        elif time > latest:
            latest = last = time
            bound = max(latest - lateness_s, floor)
    number = read - order.read
    return Outlook(documents=number, first_time=first, last_time=last if number else None, lost=lost)


Raw: TypeAlias = Document | Place | None
"""What a source yields."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where documents come from: a name for messages, and a call that gives them from the beginning.

    `live` says that the source cannot be read again (standard input, a pipe). A live source may yield
    None to say that nothing is waiting now.

    A source that can be read on from its middle yields a `Place` between two documents now and then (each costs
    little; a few hundred documents apart is often enough) and has `open_at`, which takes what `Place.cursor()` gave
    and gives the documents and places after it, or None where the place can no longer be trusted: then the source is
    read from its beginning, and compared with what it was.

    `pile` makes what sorts the documents of a source that can be read again. Where there is `look` too, it tells what
    is ahead from an `Order` on (None where its place can no longer be trusted), and the source is sorted only if some
    of its documents would come too late; without, always. A source that gathers its documents itself before it gives
    the first (and yields None in the meantime) says in `gathered` how many it has.
    """

    name: str
    open: Callable[[], Iterable[Raw]]
    live: bool = False
    open_at: Callable[[bytes], Iterable[Raw] | None] | None = None
    pile: Callable[[], Sorter] | None = None
    look: Callable[[Order], Outlook | None] | None = None
    gathered: Callable[[], int] | None = None


def fingerprint(document: Document, digest: int) -> int:
    """The digest of a stream that goes on from `digest` with this document: its id, time, origin and words.

    A stream read again has the same one, so that a run does not go on over other words than it began with.

    >>> fingerprint(Document(id="d", published_time=1, text="A fire."), 0) == fingerprint(
    ...     Document(id="d", published_time=1, text="No fire."), 0
    ... )
    False
    """
    words = [
        document.id,
        str(document.published_time),
        document.source,
        document.title,
        document.url,
        document.text,
    ]
    for sentence in document.sentences:
        words.append(sentence.text)  # a fifth faster than from a comprehension
    return crc32("\x1f".join(words).encode("utf-8", "surrogatepass"), digest)


def difference(position: Position, last_time: int) -> str:
    """How a source differs from what was decided on of it.

    Args:
        position: how far it had been followed.
        last_time: the time of the document that now stands where the last one stood that was decided on.

    >>> difference(Position(source="s", released=2, last_time=60), 50)
    'has documents now that it had not, from before 1970-01-01T00:01:00Z, which was decided on'
    """
    if last_time < position.last_time:
        decided = f"from before {_moment(position.last_time)}, which was decided on"
        return f"has documents now that it had not, {decided}"
    return f"differs within its first {position.released} documents"


def _moment(time: int) -> str:
    try:
        return datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (OverflowError, OSError, ValueError):
        return str(time)
