"""Live pages to test with: a store in which something was told, and the application over it."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from fastapi import FastAPI
from fastapi.testclient import TestClient

from tidings.core.records import Event, Output, Update
from tidings.core.records.standing import StandingEvent
from tidings.core.store import open_store
from tidings.core.store.run import StoredRun
from tidings.live.hosting.supervision import ServiceStatus
from tidings.live.pages.app import make_app
from tidings.live.pages.settings import LiveSiteSettings
from tidings.live.store import LIVE_RUN, LiveStore
from tidings.web.serving import listening

__all__ = ["FERRY", "NOON", "STORM", "Site", "app_of", "client_of", "live_in", "served", "update"]

NOON = 1_374_667_200  # 24 Jul 2013 12:00 UTC
FERRY = Event(id="ferry", title="Ferry fire", query="ferry fire", type="accident", start_time=NOON)
STORM = Event(id="storm", title="", query="storm in the north")


class Site:
    """A live store, and the run into which outputs are told as a follower tells them."""

    def __init__(self, live: LiveStore, run: StoredRun, events: Sequence[Event]) -> None:
        self.live, self.run, self.events = live, run, tuple(events)
        self.status: ServiceStatus | None = None

    def said(self) -> ServiceStatus | None:
        """How the service goes, as the application asks for it."""
        return self.status

    def tell(self, *outputs: Output) -> list[int]:
        """Commit outputs; their numbers."""
        self.run.commit((), {}, outputs, (), events=self.events)
        return list(range(self.run.emitted - len(outputs) + 1, self.run.emitted + 1))


@contextmanager
def live_in(
    store: str, events: Sequence[Event] = (FERRY,), outputs: Iterable[Output] = (), *, clock: Any = None
) -> Iterator[Site]:
    """A store that follows these events and told these outputs; the time is an hour after noon of the ferry's day."""
    with open_store(store) as opened:
        live = LiveStore(opened, LIVE_RUN, clock or (lambda: float(NOON + 3600)))
        for event in events:
            live.events.add(StandingEvent(event=event), "test")
        with opened.begin(LIVE_RUN, {"streams": "test"}, events=events) as run:
            site = Site(live, run, events)
            if told := list(outputs):
                site.tell(*told)
            yield site


def app_of(site: Site, settings: LiveSiteSettings | None = None) -> FastAPI:
    """The application of a site; what its service says is what `site.status` is at the moment."""
    app = make_app(site.live, settings)
    app.state.status = site.said
    return app


@contextmanager
def client_of(site: Site, settings: LiveSiteSettings | None = None) -> Iterator[TestClient]:
    """A browser without a window. Redirects are not followed, and what fails answers instead of raising."""
    with TestClient(
        app_of(site, settings),
        base_url="http://127.0.0.1",
        follow_redirects=False,
        raise_server_exceptions=True,
    ) as client:
        yield client


@contextmanager
def served(site: Site, settings: LiveSiteSettings | None = None, port: int = 0) -> Iterator[str]:
    """The address of a site, served by a thread of this process until the end of the block."""
    import uvicorn

    app = app_of(site, settings)
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, lifespan="on", timeout_graceful_shutdown=1
    )

    class Server(uvicorn.Server):
        async def shutdown(self, sockets: Any = None) -> None:
            app.state.ending()
            await super().shutdown(sockets)

    server = Server(config)
    with listening("127.0.0.1", port) as listener:
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        try:
            yield address
        finally:
            server.should_exit = True
            thread.join(10)


def update(number: int, text: str = "", *, event: str = "ferry", **fields: Any) -> Update:
    """The update of a document of its own, a minute after the one before; from 12:00 on."""
    time = fields.pop("time", NOON + 60 * number)
    fields = {"source": "Coast Radio", "title": f"Article {number}", **fields}
    fields.setdefault("published_time", time)
    return Update(event, f"d{number}", 0, time, 0.9, text or f"Sentence {number}.", **fields)
