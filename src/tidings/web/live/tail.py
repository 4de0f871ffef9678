"""The end of a run, watched once for all who read it: what is committed goes to every open stream."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import msgspec
from msgspec import Struct

from tidings.errors import TidingsError
from tidings.store.live import LiveOutputs, NumberedOutput

__all__ = ["Reader", "Tail", "message"]

_WAITING = 256
_AT_ONCE = 500


def message(numbered: NumberedOutput) -> bytes:
    r"""An output as a server-sent event: its number is the event's id, its kind the event's name.

    >>> from tidings.records import Update
    >>> message(NumberedOutput(7, Update("storm", "d1", 0, 60, 0.5, "A storm.")))[:24]
    b'id: 7\nevent: update\ndata'
    """
    output = numbered.output
    kind = type(output).__struct_config__.tag
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (
        numbered.seq,
        str(kind).encode(),
        msgspec.json.encode(output),
    )


class Message(Struct, frozen=True):
    """A message, and the event that it is about."""

    seq: int
    event_id: str
    data: bytes


class Reader:
    """One open stream: what is to be sent next. One that is too slow is `lost`: it ends, and its reader comes again."""

    def __init__(self, event_id: str | None) -> None:
        self.event_id = event_id
        self.queue: asyncio.Queue[list[Message]] = asyncio.Queue(_WAITING)
        self.lost = False

    def give(self, messages: list[Message]) -> None:
        """Put what is new where the stream takes it from."""
        own = (
            messages if self.event_id is None else [one for one in messages if one.event_id == self.event_id]
        )
        if own:
            try:
                self.queue.put_nowait(own)
            except asyncio.QueueFull:
                self.lost = True


class Tail:
    """Watches the end of a run, from when it is started on."""

    def __init__(self, outputs: LiveOutputs, look_every_s: float) -> None:
        self._outputs, self._look_every_s = outputs, look_every_s
        self._readers: set[Reader] = set()
        self._task: asyncio.Task[None] | None = None
        self.last_seq = 0

    @property
    def readers(self) -> int:
        """How many streams are open."""
        return len(self._readers)

    async def start(self) -> None:
        """Begin with what comes from now on."""
        self.last_seq = await asyncio.to_thread(self._outputs.last_seq)
        self._task = asyncio.create_task(self._watch())

    async def stop(self) -> None:
        """End all streams."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        for reader in self._readers:
            reader.lost = True
            with suppress(asyncio.QueueFull):
                reader.queue.put_nowait([])

    @asynccontextmanager
    async def reading(self, event_id: str | None) -> AsyncIterator[Reader]:
        """A stream of one event, or of all, while the block runs."""
        reader = Reader(event_id)
        self._readers.add(reader)
        try:
            yield reader
        finally:
            self._readers.discard(reader)

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(self._look_every_s)
            with suppress(TidingsError):  # a store that is locked for long is looked at again
                await self._look()

    async def _look(self) -> None:
        while True:
            new = await asyncio.to_thread(self._outputs.after, self.last_seq, limit=_AT_ONCE)
            if not new:
                return
            messages = [Message(one.seq, one.output.event_id, message(one)) for one in new]
            self.last_seq = messages[-1].seq
            for reader in list(self._readers):
                reader.give(messages)
            if len(new) < _AT_ONCE:
                return
