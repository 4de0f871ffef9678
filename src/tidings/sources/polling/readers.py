"""What came from the network, read in processes of their own with a limit: no page or feed can hold up the others.

    python -m tidings.sources.polling.readers

is such a process (see `tidings.core.processes`). It knows no store: it is given bytes, and gives items. What is new
among them, in the order of the times that they state, is understood afterwards.
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b
from itertools import islice
from operator import itemgetter
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from tidings.core import (
    Content,
    Document,
    Item,
    Notes,
    OverrunError,
    ReadingOptions,
    TidingsError,
    Worker,
    WorkerError,
    serve,
)
from tidings.sources.items.documents import DocumentBuilder, stated_times
from tidings.sources.recognition import recognise

_MOST_ITEMS = 5000  # of one answer
_LATEST = 10  # times from which the gap between items is taken
_MOST_SEEN = 100_000  # items known as seen, before the oldest are forgotten


class UnreadableError(TidingsError):
    """What came is no feed."""


def read_body(url: str, body: bytes, content_type: str, kind: str, options: ReadingOptions) -> list[Item]:
    """The items of a body that is to be of that kind of format: `feed` or `page`.

    Raises:
        UnreadableError: it is of another.
    """
    content = Content(url, data=body, url=url, content_type=content_type)
    form = recognise(content)
    if form is None or form.name != kind:
        raise UnreadableError(f"no {kind}" + (f", but a {form.name}" if form is not None else ""))
    try:
        items = form.read(content, options=options, notes=Notes())
        return [_storable(item) for item in islice(items, _MOST_ITEMS)]
    except TidingsError as error:
        raise UnreadableError(" ".join(str(error).removeprefix(f"{url}: ").split())[:200]) from error
    except Exception as error:  # what one outlet sends must not end the following of others
        raise UnreadableError(f"no {kind} that can be read ({type(error).__name__})") from error


def _storable(item: Item) -> Item:
    # Half a surrogate pair, or a number beyond 64 bits, cannot be kept.
    try:
        msgspec.msgpack.encode(item)
    except (UnicodeEncodeError, OverflowError):
        fields = asdict(item)
        return Item(**{name: _mend(value) for name, value in fields.items()})
    return item


def _mend(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, tuple):
        return tuple(map(_mend, value))
    return None if isinstance(value, int) and abs(value) >= 1 << 63 else value


def stated_gap(times: list[int]) -> float | None:
    """Seconds between the latest of some times, on average; None for fewer than three.

    >>> stated_gap([0, 100, 200, 300]), stated_gap([5])
    (100.0, None)
    """
    latest = sorted(times)[-_LATEST:]
    return None if len(latest) < 3 else max((latest[-1] - latest[0]) / (len(latest) - 1), 1.0)


class New(Struct, frozen=True):
    """The documents of one answer that none had seen before, as first seen now, in the order of the times they state.

    `items` are what they were made of, for whoever has to remember them again; `gap_s` as of `stated_gap`. `dropped`
    counts the items that gave none, by why.
    """

    documents: tuple[Document, ...]
    items: tuple[Item, ...]
    gap_s: float | None
    dropped: Mapping[str, int] = {}


class Understanding:
    """Makes documents of what feeds hold, each once, whichever feed brings it.

    Args:
        options: how dates and languages are understood.
        memory: what an earlier one remembered.
    """

    def __init__(self, options: ReadingOptions, memory: bytes = b"") -> None:
        self.options = options
        self._builder = DocumentBuilder(options, Notes())
        self._seen: dict[bytes, None] = {}
        if memory:
            self._builder.restore(memory)

    def memory(self) -> bytes:
        """What tells a new document from one that came before."""
        return self._builder.state()

    def new(self, items: Sequence[Item], now: int) -> New:
        """The documents among these items that are new, or tell something new; their published_time is `now`."""
        times = stated_times(self.options)
        unseen = [item for item in items if self._is_unseen(item)]
        for item in items:
            times.note(item.published)
            times.note(item.updated)
        understood = [
            (document.published_time, item, document)
            for item in unseen
            if (document := self._builder.understood(item, times, seen_time=now)) is not None
        ]
        understood.sort(key=itemgetter(0))
        documents, made_of = [], []
        before = Counter(self._builder.repeats)
        for stated, item, document in understood:
            new = self._builder.new(document)
            if new is not None:
                documents.append(first_seen(new, now, None if is_undated(item) else stated))
                made_of.append(item)
        past = [time for time, item, _ in understood if time <= now and not is_undated(item)]
        dropped = self._builder.repeats - before
        repeated = dropped.total()
        dropped["no text"] = len(unseen) - len(understood)
        dropped["nothing but what the outlet writes into all"] = len(understood) - len(documents) - repeated
        return New(tuple(documents), tuple(made_of), stated_gap(past), +dropped)

    def _is_unseen(self, item: Item) -> bool:
        # Most of what a feed holds it held before, to the letter: that need not be understood again.
        digest = blake2b(msgspec.msgpack.encode(replace(item, origin="")), digest_size=12).digest()
        known = digest in self._seen
        self._seen.pop(digest, None)
        self._seen[digest] = None
        if len(self._seen) > _MOST_SEEN:
            del self._seen[next(iter(self._seen))]
        return not known

    def remember(self, items: Sequence[Item], now: int) -> None:
        """Remember again what was new at that time."""
        self.new(items, now)


def is_undated(item: Item) -> bool:
    """Whether an item does not say when it was published."""
    return item.published is None and item.updated is None


def first_seen(document: Document, now: int, stated_time: int | None) -> Document:
    """The document as it counts: published when it was first seen, with its stated time beside."""
    return replace(
        document,
        published_time=now,
        stated_time=stated_time,
        sentences=tuple(replace(sentence, published_time=now) for sentence in document.sentences),
    )


_AT_ONCE = 2
"""Processes: while one is held up by what a hostile host sends, the other reads what comes from all others."""
_MOST_S = 10.0
"""A page of usual size takes 0.02 s, the largest feed that is fetched about 2 s."""
_MOST_BYTES = 3 << 30  # of memory for the process that reads what strangers send
_MODULE = "tidings.sources.polling.readers"


class TooSlowError(UnreadableError):
    """It takes too long to read, so that nobody should try again soon."""


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
        """As `read_body`, while others are asked in the meantime.

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
