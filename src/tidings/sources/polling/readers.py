"""What came from the network, read in processes of their own with a limit: no page or feed can hold up the others.

    python -m tidings.sources.polling.readers

is such a process (see `tidings.core.processes`). It knows no store: it is given bytes, and gives items.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

import msgspec
from msgspec import Struct

from tidings.core import Item, OverrunError, ReadingOptions, Worker, WorkerError, serve
from tidings.sources.polling.understanding import UnreadableError, read_body

__all__ = ["Reader", "Readers", "TooSlowError", "answer_question"]

_AT_ONCE = 2
"""Processes: while one is held up by what a hostile host sends, the other reads what comes from all others."""
_MOST_S = 10.0
"""A page of usual size takes 0.02 s, the largest feed that is fetched about 2 s."""
_MOST_BYTES = 3 << 30
_MODULE = "tidings.sources.polling.readers"


class TooSlowError(UnreadableError):
    """It takes too long to read, so that nobody should try again soon."""


class Reader(Protocol):
    """Reads what came from the network."""

    async def read(
        self, url: str, body: bytes, content_type: str, kind: str, options: ReadingOptions
    ) -> list[Item]:
        """As `read_body`; raises TooSlowError too."""
        ...

    def close(self) -> None:
        """Let go of what it reads with."""
        ...


class _Question(Struct, array_like=True):
    url: str
    body: bytes
    content_type: str
    kind: str
    options: ReadingOptions


class _Answer(Struct, array_like=True):
    items: list[Item]
    trouble: str = ""


_decode_answer = msgspec.msgpack.Decoder(_Answer).decode
_decode_question = msgspec.msgpack.Decoder(_Question).decode


class Readers:
    """Reads in processes that are begun when they are first needed, used again and again, and replaced when they end.

    Args:
        at_once: so many are read at the same time.
        most_s: seconds that one may take.
        module: what is begun; this one, unless a test says otherwise.
    """

    def __init__(self, at_once: int = _AT_ONCE, most_s: float = _MOST_S, module: str = _MODULE) -> None:
        self._most_s, self._module = most_s, module
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix="tidings-reader")
        self._lock = threading.Lock()
        self._idle: list[Worker] = []
        self._busy: set[Worker] = set()
        self._is_closed = False

    async def read(
        self, url: str, body: bytes, content_type: str, kind: str, options: ReadingOptions
    ) -> list[Item]:
        """As `read_body`, while others are asked meanwhile.

        Raises:
            TooSlowError: it takes longer than it may; UnreadableError: it is of another kind, or cannot be read.
        """
        question = msgspec.msgpack.encode(_Question(url, body, content_type, kind, options))
        loop = asyncio.get_running_loop()
        answer = await loop.run_in_executor(self._threads, self._ask, question, kind)
        if answer.trouble:
            raise UnreadableError(answer.trouble)
        return answer.items

    def close(self) -> None:
        """End the processes; what is being read is given up."""
        with self._lock:
            self._is_closed = True
            workers, self._idle = self._idle, []
            for worker in self._busy:
                worker.kill()
        for worker in workers:
            worker.close()
        self._threads.shutdown()

    def _ask(self, question: bytes, kind: str) -> _Answer:
        worker = self._take()
        try:
            (answer,) = worker.ask(question, self._most_s)
        except OverrunError as error:
            self._drop(worker)
            raise TooSlowError(f"a {kind} that takes longer than {self._most_s:g} s to read") from error
        except WorkerError as error:
            self._drop(worker)
            raise UnreadableError(f"no {kind} that can be read (its reader {error})") from error
        with self._lock:
            self._busy.discard(worker)
            if not self._is_closed:
                self._idle.append(worker)
                return _decode_answer(answer)
        worker.close()
        return _decode_answer(answer)

    def _take(self) -> Worker:
        with self._lock:
            if self._is_closed:
                raise UnreadableError("nothing is read any more")
            worker = self._idle.pop() if self._idle else Worker(self._module)
            self._busy.add(worker)
            return worker

    def _drop(self, worker: Worker) -> None:
        with self._lock:
            self._busy.discard(worker)
        worker.close()


def answer_question(question: bytes, answer: Callable[[bytes], None]) -> None:
    """Read what a `Readers` asks for."""
    asked = _decode_question(question)
    try:
        items = read_body(asked.url, asked.body, asked.content_type, asked.kind, asked.options)
        answer(msgspec.msgpack.encode(_Answer(items)))
    except UnreadableError as error:
        answer(msgspec.msgpack.encode(_Answer([], str(error))))


if __name__ == "__main__":
    serve(answer_question, most_bytes=_MOST_BYTES)
