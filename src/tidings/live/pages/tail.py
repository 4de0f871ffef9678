"""The end of a run, watched once for all who read it.

Each open stream is a `Reader` with a place of its own, the number of the last output that it was sent. What came last
is kept in memory, each output encoded once; who is further behind is read to from the store. Between the two there is
no gap and nothing twice: the store is read up to where the memory begins, and no further.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import msgspec
from msgspec import Struct

from tidings.core import TidingsError
from tidings.following import output_line
from tidings.live.store import LiveOutputs, NumberedOutput, RunEnd

PING = b"event: ping\ndata: {}\n\n"
"""An event, not a remark, so that a page notices where none comes any more."""

_AT_ONCE = 500  # outputs in one piece; pieces begin at its multiples, so that readers share them
_KEPT, _KEPT_BYTES = 2000, 4 * 2**20  # outputs in memory for all readers; the store has those before
_PIECES = 32  # of earlier outputs kept, the latest used
_CHUNK_BYTES = 2**18  # sent to a reader at a time
_REST_S = 1.0  # once streams end: then one that takes nothing is cut


def line_bytes(line: dict[str, Any]) -> bytes:
    r"""An object as JSON, also where text is broken in a way that UTF-8 has no bytes for.

    >>> line_bytes({"text": "\ud800"})
    b'{"text": "\\ud800"}'
    """
    try:
        return msgspec.json.encode(line)
    except UnicodeEncodeError:
        return json.dumps(msgspec.to_builtins(line)).encode()


def message(numbered: NumberedOutput) -> bytes:
    r"""An output as a server-sent event: its number is the id, its kind the name, its line in a run file the data.

    >>> from tidings.core.records import Update
    >>> message(NumberedOutput(7, Update("storm", "d1", 0, 60, 0.5, "A storm.")))[:24]
    b'id: 7\nevent: update\ndata'
    """
    line = output_line(numbered.output)
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (numbered.seq, line["kind"].encode(), line_bytes(line))


class Message(Struct, frozen=True):
    """A message, and the event that it is about."""

    seq: int
    event_id: str
    data: bytes


class Reader:
    """One open stream: of which event (None: all), after which number of which round of the run, from which address.

    `abort` ends its connection, whatever is still to be sent; `until` is when it is to come again (None: never).
    """

    def __init__(
        self,
        event_id: str | None,
        seq: int,
        begun: int,
        address: str,
        *,
        abort: Callable[[], None] | None = None,
        until: float | None = None,
    ) -> None:
        self.event_id, self.seq, self.round, self.address = event_id, seq, begun, address
        self.abort, self.until = abort, until
        self.is_over = False
        self.active = 0.0
        self.sending_since: float | None = None
        self._news: asyncio.Future[bool] | None = None

    @property
    def is_waiting(self) -> bool:
        """Whether it has been sent all there is."""
        return self._news is not None and not self._news.done()

    async def wait(self) -> bool:
        """Wait until there is something to do; True for a ping."""
        self._news = asyncio.get_running_loop().create_future()
        try:
            return await self._news
        finally:
            self._news = None

    def wake(self, *, is_ping: bool = False) -> None:
        """Let it look."""
        if self._news is not None and not self._news.done():
            self._news.set_result(is_ping)

    def end(self) -> None:
        """Let it end after what it sends now."""
        self.is_over = True
        self.wake()


class Tail:
    """Watches the end of a run.

    Args:
        outputs: of the run.
        look_every_s: how often the store is looked at.
        ping_every_s: a stream that is silent for so long is pinged.
        cut_after_s: one that takes nothing for so long is cut: its reader comes again, and goes on after what came.
    """

    def __init__(
        self,
        outputs: LiveOutputs,
        look_every_s: float,
        *,
        ping_every_s: float = 15.0,
        cut_after_s: float = 30.0,
    ) -> None:
        self._outputs, self._look_every_s = outputs, look_every_s
        self._ping_every_s, self._cut_after_s = ping_every_s, cut_after_s
        self._readers: set[Reader] = set()
        self._of_address: Counter[str] = Counter()
        self._task: asyncio.Task[None] | None = None
        self._end = RunEnd()
        self._round = 0
        self._kept: deque[Message] = deque()
        self._kept_bytes = 0
        self._kept_after = 0
        self._chunks: dict[tuple[int, str | None], tuple[int, bytes]] = {}
        self._pieces: OrderedDict[tuple[int, int, str | None], asyncio.Task[tuple[int, bytes]]] = (
            OrderedDict()
        )
        self._tended = 0.0
        self.is_ending = False
        self.last_seq = 0

    @property
    def readers(self) -> int:
        """How many streams are open."""
        return len(self._readers)

    def readers_of(self, address: str) -> int:
        """How many of them from an address."""
        return self._of_address[address]

    async def start(self) -> None:
        """Begin with what comes from now on."""
        self.is_ending = False
        await self._begin(await asyncio.to_thread(self._outputs.end))
        self._task = asyncio.create_task(self._watch())

    async def stop(self) -> None:
        """End all streams, and the watch."""
        self.end_streams()
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    def end_streams(self) -> None:
        """End all streams, those that take nothing soon after; none is opened any more."""
        self.is_ending = True
        for reader in self._readers:
            reader.end()
        asyncio.get_running_loop().call_later(_REST_S, self._cut, -1.0)

    @contextmanager
    def reading(self, reader: Reader) -> Iterator[Reader]:
        """Count a stream as open while the block runs."""
        reader.active = _now()
        self._readers.add(reader)
        self._of_address[reader.address] += 1
        if self.is_ending:
            reader.end()
        try:
            yield reader
        finally:
            self._readers.discard(reader)
            self._of_address[reader.address] -= 1
            if not self._of_address[reader.address]:
                del self._of_address[reader.address]

    async def reader(
        self,
        event_id: str | None,
        after: int | None,
        address: str = "",
        *,
        abort: Callable[[], None] | None = None,
        until: float | None = None,
    ) -> Reader:
        """A reader that goes on after a number (None: with what comes from now on).

        A number that the run has not come to is of a run that has started over, or of a store that was put back to
        an earlier copy: then it begins at the beginning.
        """
        begun, seq = self._round, self.last_seq if after is None else after
        if seq > self.last_seq and seq > (await asyncio.to_thread(self._outputs.end)).seq:
            seq = 0
        return Reader(event_id, seq, begun, address, abort=abort, until=until)

    async def messages(self, reader: Reader) -> AsyncIterator[bytes]:
        """What is to be sent to a reader, in pieces that end with a message, until its stream is over."""
        yield b"retry: 1000\n" + self._of_run(reader.seq)
        while not reader.is_over:
            if reader.round != self._round:
                reader.round, reader.seq = self._round, 0
                yield self._of_run(0)
            elif reader.seq < self._kept_after:
                if data := await self._older(reader):
                    yield data
            elif reader.seq < self.last_seq:
                if data := self._fresh(reader):
                    yield data
            elif await reader.wait():
                yield PING

    def _of_run(self, seq: int) -> bytes:
        # It has an id too: who is cut off before the first output goes on from here.
        about = {"run": self._outputs.run, "begun": self._end.begun, "cursor": seq}
        return b"id: %d\nevent: run\ndata: %s\n\n" % (seq, line_bytes(about))

    async def _older(self, reader: Reader) -> bytes:
        # Many come again at once, from the same few places, when a server was started again: each piece is read once.
        begun, key = self._round, (self._round, reader.seq, reader.event_id)
        task = self._pieces.get(key)
        if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
            task = self._pieces[key] = asyncio.create_task(self._piece(reader.seq, reader.event_id))
            while len(self._pieces) > _PIECES:
                self._pieces.popitem(last=False)
        last, data = await asyncio.shield(task)
        if begun != self._round or begun != reader.round:
            return b""  # what was read may be of either run
        reader.seq = last
        return data

    async def _piece(self, seq: int, event_id: str | None) -> tuple[int, bytes]:
        # The store has all up to where the memory begins: read up to there as it stands now, and go on from there.
        until = self._kept_after
        if event_id is None:  # ends where those end that others read
            until = min(until, (seq // _AT_ONCE + 1) * _AT_ONCE)
        found = await asyncio.to_thread(
            self._outputs.after, seq, event_id=event_id, before=until + 1, limit=_AT_ONCE
        )
        return found[-1].seq if len(found) == _AT_ONCE else until, b"".join(map(message, found))

    def _fresh(self, reader: Reader) -> bytes:
        # Nearly all are at the same place: a piece is made once.
        key = reader.seq, reader.event_id
        if key not in self._chunks:
            parts, size, last = [], 0, self.last_seq
            for message in self._since(reader.seq):
                if reader.event_id in (None, message.event_id):
                    parts.append(message.data)
                    size += len(message.data)
                    if size >= _CHUNK_BYTES:
                        last = message.seq
                        break
            self._chunks[key] = last, b"".join(parts)
        reader.seq, data = self._chunks[key]
        return data

    def _since(self, seq: int) -> list[Message]:
        found = []
        for message in reversed(self._kept):
            if message.seq <= seq:
                break
            found.append(message)
        return found[::-1]

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(self._look_every_s)
            with suppress(TidingsError):  # a store that is locked for long is looked at again
                await self.look()
            if _now() - self._tended >= 1:
                self._tend()

    async def look(self) -> None:
        """Look once whether there is something new."""
        end = await asyncio.to_thread(self._outputs.end)
        if (end.run_id, end.begun) != (self._end.run_id, self._end.begun) or end.seq < self.last_seq:
            await self._begin(end)
            self._round += 1
            for reader in self._readers:
                reader.wake()
            return
        while self.last_seq < end.seq:
            new = await asyncio.to_thread(self._outputs.after, self.last_seq, limit=_AT_ONCE)
            if not new:
                return
            self._keep(new)
            about = {numbered.output.event_id for numbered in new}
            for reader in self._readers:
                if reader.event_id is None or reader.event_id in about:
                    reader.wake()
                elif reader.is_waiting:  # there is nothing for it up to here
                    reader.seq = max(reader.seq, self.last_seq)

    async def _begin(self, end: RunEnd) -> None:
        last = await asyncio.to_thread(self._outputs.latest, before=end.seq + 1, limit=_KEPT)
        self._end = end
        self._kept.clear()
        self._kept_bytes = 0
        self.last_seq = end.seq
        self._kept_after = last[-1].seq - 1 if last else end.seq
        self._keep(last[::-1])

    def _keep(self, new: list[NumberedOutput]) -> None:
        for numbered in new:
            kept = Message(numbered.seq, numbered.output.event_id, message(numbered))
            self._kept.append(kept)
            self._kept_bytes += len(kept.data)
            self.last_seq = max(self.last_seq, numbered.seq)
        while len(self._kept) > _KEPT or self._kept_bytes > _KEPT_BYTES:
            gone = self._kept.popleft()
            self._kept_bytes -= len(gone.data)
            self._kept_after = gone.seq
        self._chunks.clear()

    def _tend(self) -> None:
        now = self._tended = _now()
        for reader in self._readers:
            if reader.until is not None and now >= reader.until:
                reader.end()
            elif reader.is_waiting and now - reader.active >= self._ping_every_s:
                reader.wake(is_ping=True)
        self._cut(self._cut_after_s)

    def _cut(self, after_s: float) -> None:
        now = _now()
        for reader in list(self._readers):
            if reader.sending_since is not None and now - reader.sending_since > after_s:
                reader.end()
                if reader.abort is not None:
                    reader.abort()


def _now() -> float:
    return asyncio.get_running_loop().time()
