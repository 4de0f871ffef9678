"""Live pages in this process, and streams of theirs that a test reads message by message."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest
import uvicorn
from fastapi import FastAPI
from msgspec import Struct

from tidings.annotation.store import Desk
from tidings.core.records import Event, Output, Update
from tidings.core.store import Store, open_store
from tidings.live.pages.app import make_app
from tidings.live.pages.settings import LiveSiteSettings
from tidings.live.pages.tail import Tail
from tidings.live.store import LIVE_RUN, LiveStore
from tidings.web.serving import listening, serve

__all__ = ["EVENTS", "Sent", "Stream", "Telling", "opened", "served", "telling_in", "update"]

NOON = 1_374_667_200
EVENTS = (
    Event(id="ferry", title="Ferry fire", query="ferry fire"),
    Event(id="storm", title="", query="storm"),
)
QUICK = LiveSiteSettings(look_every_s=0.01, requests_per_s=0)


def update(number: int, event: str = "ferry", text: str = "", **fields: Any) -> Update:
    return Update(event, f"d{number}", 0, NOON + number, 0.5, text or f"Sentence {number}.", NOON, **fields)


class Telling:
    """A run that tells what a test says."""

    def __init__(self, store: Store, *, restart: bool = False) -> None:
        self.store, self.live = store, LiveStore(store)
        self.run = store.begin(LIVE_RUN, {}, events=EVENTS, restart=restart)
        self.count = self.run.emitted

    def tell(self, *outputs: Output) -> None:
        self.run.commit([], {}, outputs, [])
        self.count += len(outputs)

    def tell_many(self, count: int, events: Sequence[str] = ("ferry",)) -> None:
        first = self.count + 1
        self.tell(*(update(n, events[n % len(events)]) for n in range(first, first + count)))

    def begin_anew(self) -> None:
        self.run.close()
        self.run = self.store.begin(LIVE_RUN, {}, events=EVENTS, restart=True)
        self.count = 0


@contextmanager
def telling_in(store: str) -> Iterator[Telling]:
    with open_store(store) as opened_store:
        telling = Telling(opened_store)
        try:
            yield telling
        finally:
            telling.run.close()


# The first request to an application takes as long as twenty others: one that is done with is left to the next test.
_idle_apps: list[FastAPI] = []


@asynccontextmanager
async def opened(telling: Telling, settings: LiveSiteSettings = QUICK) -> AsyncIterator[FastAPI]:
    """The application, started; it is ended with the block."""
    app = _idle_apps.pop() if _idle_apps else make_app(telling.live, QUICK)
    tail = Tail(telling.live.outputs, settings.look_every_s)
    app.state.live, app.state.desk, app.state.settings = telling.live, Desk(telling.store), settings
    app.state.tail, app.state.ending = tail, tail.end_streams
    await tail.start()
    try:
        yield app
    finally:
        await tail.stop()
        _idle_apps.append(app)


@contextmanager
def served(app: FastAPI, settings: LiveSiteSettings = QUICK) -> Iterator[tuple[str, int]]:
    """Host and port of an application that a thread of this process serves until the end of the block."""
    servers: list[uvicorn.Server] = []
    is_up = threading.Event()

    def remember(server: uvicorn.Server, sockets: Any = None) -> None:
        servers.append(server)
        asyncio.run(server.serve(sockets=sockets))

    with listening("127.0.0.1", 0) as listener, pytest.MonkeyPatch.context() as patch:
        patch.setattr(uvicorn.Server, "run", remember)
        thread = threading.Thread(target=serve, args=(app, listener, settings, lambda address: is_up.set()))
        thread.start()
        assert is_up.wait(120)
        try:
            yield listener.getsockname()
        finally:
            while not servers:
                time.sleep(0.01)
            servers[0].should_exit = True
            thread.join(20)
            assert not thread.is_alive()


class Sent(Struct, frozen=True):
    """A message: its id (None: it has none), its name, and its data."""

    id: int | None
    kind: str
    data: Any


class Stream:
    """One stream that is open; `stuck` is a reader that takes nothing more."""

    def __init__(self, app: FastAPI, path: str, address: str = "127.0.0.1", **headers: str) -> None:
        parts = urlsplit(path)
        self.aborted = asyncio.Event()
        self.gone = asyncio.Event()
        self.may_send = asyncio.Event()
        self.may_send.set()
        self.status, self.headers = 0, dict[str, str]()
        self._got: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._begun = asyncio.Event()
        self._text = b""
        self._messages: list[Sent] = []
        scope = {
            "type": "http",
            "method": headers.pop("method", "GET"),
            "path": parts.path,
            "raw_path": parts.path.encode(),
            "query_string": parts.query.encode(),
            "headers": [(b"host", b"127.0.0.1")]
            + [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
            "client": (address, 1),
            "server": ("127.0.0.1", 80),
            "scheme": "http",
            "http_version": "1.1",
            "root_path": "",
            "state": {"abort": self._abort},
            "app": app,
        }
        self.task = asyncio.create_task(self._run(app, scope))

    def _abort(self) -> None:
        self.aborted.set()
        self.may_send.set()
        self.gone.set()

    async def _run(self, app: FastAPI, scope: dict[str, Any]) -> None:
        is_asked = False

        async def receive() -> dict[str, Any]:
            nonlocal is_asked
            if not is_asked:
                is_asked = True
                return {"type": "http.request", "body": b"", "more_body": False}
            await self.gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            await self.may_send.wait()
            if message["type"] == "http.response.start":
                self.status = message["status"]
                self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
                self._begun.set()
            elif message.get("body"):
                self._got.put_nowait(message["body"])

        try:
            await app(scope, receive, send)
        finally:
            self._got.put_nowait(None)

    async def begun(self) -> Stream:
        await asyncio.wait_for(self._begun.wait(), 120)
        return self

    async def read(self) -> Sent | None:
        """The next message; None where the stream has ended."""
        while b"\n\n" not in self._text:
            piece = await asyncio.wait_for(self._got.get(), 120)
            if piece is None:
                return None
            self._text += piece
        said, _, self._text = self._text.partition(b"\n\n")
        fields = dict(line.split(": ", 1) for line in said.decode().split("\n"))
        number = fields.get("id")
        return Sent(None if number is None else int(number), fields["event"], json.loads(fields["data"]))

    async def numbers(self, last: int) -> list[int]:
        """The ids of what was told, up to one."""
        found: list[int] = []
        while not found or found[-1] < last:
            message = await self.read()
            assert message is not None, found
            if message.kind not in ("run", "ping"):
                assert message.id is not None
                found.append(message.id)
        return found

    async def leave(self) -> None:
        self.gone.set()
        await asyncio.wait_for(self.task, 120)
