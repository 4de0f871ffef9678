"""Documents of files put into an inbox as if they came now: all at once, or at their own times made quicker."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from time import monotonic

from tidings.core import Arrival, Document, InboxChange
from tidings.sources import FillingThread, StoredInbox

__all__ = ["Replay"]

_TICK_S = 0.1
_AT_ONCE = 500


class Replay(FillingThread):
    """Fills an inbox in a thread of its own while the block runs.

    Args:
        documents: gives them in the order of their times; the same each time, since a replay that was stopped passes
            over as many as the inbox has.
        inbox: where they go.
        speed: seconds of the documents' time in a second; 0 for all at once.
    """

    def __init__(
        self, documents: Callable[[], Iterable[Document]], inbox: StoredInbox, *, speed: float = 0
    ) -> None:
        super().__init__("tidings-replay")
        self._documents, self._inbox, self._speed = documents, inbox, speed
        self._clock: tuple[float, int] | None = None
        self.last_time = 0
        """Of the last document that was put there."""

    @property
    def time(self) -> int:
        """What time it is in the replay (seconds UTC); that of the last document where there is no clock."""
        if self._clock is None or not self._speed or self.is_over:
            return self.last_time
        began, first = self._clock
        return first + int((monotonic() - began) * self._speed)

    def fill(self) -> None:
        """Put them there."""
        left = islice(self._documents(), self._inbox.last_seq, None)
        waiting: list[Arrival] = []
        for document in left:
            if self._clock is None:
                self._clock = monotonic(), document.published_time
            if waiting and (len(waiting) >= _AT_ONCE or document.published_time > self.time):
                self._put(waiting)
            while self._speed and document.published_time > self.time:
                if self.stopping.wait(_TICK_S):
                    return
            if self.stopping.is_set():
                return
            waiting.append(Arrival(document.source, document))
            self.last_time = document.published_time
        self._put(waiting)

    def _put(self, waiting: list[Arrival]) -> None:
        if waiting:
            now = waiting[-1].document.published_time
            self._inbox.commit(InboxChange(now=now, arrivals=tuple(waiting)))
            waiting.clear()
