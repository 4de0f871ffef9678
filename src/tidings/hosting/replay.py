"""Documents of files put into an inbox as if they came now: all at once, or at their own times made quicker."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from itertools import islice
from time import monotonic

from tidings.records import Document
from tidings.records.inbox import Arrival, InboxChange
from tidings.store.inbox import StoredInbox

__all__ = ["Replay"]

_TICK_S = 0.1
_AT_ONCE = 500


class Replay:
    """Fills an inbox in a thread of its own while the block runs, as `Polling` does.

    Args:
        documents: gives them in the order of their times; the same each time, since a replay that was stopped passes
            over as many as the inbox has.
        inbox: where they go.
        speed: seconds of the documents' time in a second; 0 for all at once.
        keep_s: what was followed and is older than that goes.
    """

    def __init__(
        self, documents: Callable[[], Iterable[Document]], inbox: StoredInbox, *, speed: float = 0
    ) -> None:
        self._documents, self._inbox, self._speed = documents, inbox, speed
        self._stopping, self._over = threading.Event(), threading.Event()
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._work, name="tidings-replay", daemon=True)
        self._clock: tuple[float, int] | None = None
        self.last_time = 0
        """Of the last document that was put there."""

    def __enter__(self) -> Replay:
        self._thread.start()
        return self

    def __exit__(self, *failure: object) -> None:
        self._stopping.set()
        self._thread.join()

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come."""
        return self._over.is_set()

    @property
    def time(self) -> int:
        """What time it is in the replay (seconds UTC); that of the last document where there is no clock."""
        if self._clock is None or not self._speed or self.is_over:
            return self.last_time
        began, first = self._clock
        return first + int((monotonic() - began) * self._speed)

    def wait(self, seconds: float) -> None:
        """Come back after so long, or when it is over."""
        self._over.wait(seconds)

    def check(self) -> None:
        """Raise what ended the replay, where something did."""
        if self._failure is not None:
            raise self._failure

    def _work(self) -> None:
        try:
            self._put_all()
        except BaseException as error:  # noqa: BLE001 - raised again in the thread that follows
            self._failure = error
        finally:
            self._over.set()

    def _put_all(self) -> None:
        left = islice(self._documents(), self._inbox.last_seq, None)
        waiting: list[Arrival] = []
        for document in left:
            if self._clock is None:
                self._clock = monotonic(), document.published_time
            if waiting and (len(waiting) >= _AT_ONCE or document.published_time > self.time):
                self._put(waiting)
            while self._speed and document.published_time > self.time:
                if self._stopping.wait(_TICK_S):
                    return
            if self._stopping.is_set():
                return
            waiting.append(Arrival(document.source, document))
            self.last_time = document.published_time
        self._put(waiting)

    def _put(self, waiting: list[Arrival]) -> None:
        if waiting:
            now = waiting[-1].document.published_time
            self._inbox.commit(InboxChange(now=now, arrivals=tuple(waiting)))
            waiting.clear()
