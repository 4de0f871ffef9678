"""Reading a stream that is still being written, without making its reader wait."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from queue import Empty, Queue

from tidings.core import Document

__all__ = ["as_it_comes"]

_WAITING = 1000
_TICK_S = 0.1


class _End:
    """The last thing in the queue: the stream ended, or reading it failed."""

    def __init__(self, error: BaseException | None = None) -> None:
        self.error = error


def as_it_comes(open_documents: Callable[[], Iterable[Document]]) -> Iterator[Document | None]:
    """Documents as they arrive, and None whenever (and every 0.1 s while) nothing is waiting.

    A thread reads ahead by at most 1,000 documents, so that the caller is told when there is nothing to
    do and can commit what it has. An error of the reading is raised here, after all that came before it.
    """
    queue: Queue[Document | _End] = Queue(_WAITING)

    def read() -> None:
        # The process may end while this thread waits for input. Python would then try to close standard
        # input, and die because the thread is using it; what the thread holds is not closed.
        held = sys.stdin  # noqa: F841
        try:
            for document in open_documents():
                queue.put(document)
        except BaseException as error:  # noqa: BLE001 - handed over to the thread that asked
            queue.put(_End(error))
        else:
            queue.put(_End())

    threading.Thread(target=read, name="tidings-live", daemon=True).start()
    while True:
        try:
            item = queue.get_nowait()
        except Empty:
            yield None
            try:
                item = queue.get(timeout=_TICK_S)
            except Empty:
                continue
        if isinstance(item, _End):
            if item.error is not None:
                raise item.error
            return
        yield item
