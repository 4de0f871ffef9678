"""Where in a source a run can go on without what came before: which place, and in what state of its order.

A place can be gone on from once every document before it, but those too late, has been decided on. Read on from there
with the state that the order had (the latest time, the bound), a source gives the rest as an undisturbed reading does:
the documents before the place are missing, and all of them were decided on.
"""

from __future__ import annotations

from collections import deque

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tidings.core import Place

__all__ = ["Cursor", "Cursors", "read_cursor"]

_CHECKED = 256
_FARTHEST = 20_000
_MOST_PLACES = 4096


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
