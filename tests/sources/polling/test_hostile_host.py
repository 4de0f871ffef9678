"""One hostile host beside a good one: the good one's items keep coming, and the health of sources tells."""

from __future__ import annotations

import asyncio
import gzip
import time
from collections.abc import Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from socket import socket

from msgspec.structs import replace

from tests.sources.polling.servers import Asked, Reply, feed, serving
from tests.sources.polling.stalling_reader import ENDLESS
from tidings.core.network.client import Client, ClientLimits, Response, user_agent
from tidings.core.store import open_store
from tidings.live.hosting.feed_health import inboxes_health
from tidings.live.store import LiveStore
from tidings.sources.inbox import open_inbox
from tidings.sources.polling.filling import FileClock
from tidings.sources.polling.poller import Poller
from tidings.sources.polling.readers import Readers

START = 1_700_000_000
HOUR = 3600
LIMITS = ClientLimits(connect_s=60, read_s=60, total_s=120, most_bytes=1_000_000)
BARS = "|" * 30_000
BOMB = gzip.compress(bytes(5_000_000))


class ShortOfDrips(Client):
    """A client that has little patience with what drips, and with nothing else."""

    async def fetch(self, url: str, headers: Mapping[str, str] | None = None) -> Response:
        if not url.endswith("/drip"):
            return await super().fetch(url, headers)
        hasty = replace(LIMITS, total_s=0.3)
        async with Client(user_agent(), allow_private=True, limits=hasty) as client:
            return await client.fetch(url, headers)


def drip(connection: socket) -> None:
    """A body that never ends, a byte at a time; until whoever asked has left."""
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n<rss>")
    with suppress(OSError):
        while True:
            connection.sendall(b" ")
            time.sleep(0.01)


def hostile(asked: Asked) -> Reply:
    link = f"http://{asked.headers['host']}"
    page = f"<html><head><title>{BARS}</title></head><body><p>{{}}</p></body></html>"
    if asked.path == "/titles":
        items = [("endless-page", f"One {BARS}", "Fire."), ("bars-page", "Two", "Flood.")]
        return Reply(body=feed(items, title=BARS, link=link))
    if asked.path.startswith("/redirects"):
        return Reply(302, headers={"location": f"{asked.path}x"})
    replies = {
        "/drip": Reply(act=drip),
        "/bomb": Reply(body=BOMB, headers={"content-encoding": "gzip"}),
        "/headers": Reply(body=feed([]), headers={f"x-{number}": "x" * 60_000 for number in range(20)}),
        "/endless": Reply(body=feed([("1", "Three", ENDLESS.decode())])),
        "/endless-page": Reply(body=page.format(ENDLESS.decode()).encode()),
        "/bars-page": Reply(body=page.format("The flood has reached the town. " * 30).encode()),
    }
    return replies.get(asked.path, Reply(404))


def good(asked: Asked) -> Reply:
    count = (asked.time - START) // 600 + 1
    items = [(f"{number}", f"Storm {number}", f"The storm took {number} roofs.") for number in range(count)]
    return Reply(body=feed(items, title="A Post"))


@contextmanager
def polled(addresses: list[str], clock: Path, place: Path, until: int):
    """The store in which an inbox was filled from addresses, with real requests and a clock that jumps."""

    async def poll() -> None:
        async with ShortOfDrips(user_agent(), allow_private=True, limits=LIMITS) as client:
            readers = Readers(module="tests.sources.polling.stalling_reader", most_s=60)
            poller = Poller(addresses, inbox, client, FileClock(clock), pages=True, reader=readers)
            await poller.run(lambda: False, until)

    with open_store(str(place)) as store:
        with open_inbox(store, "feeds") as inbox:
            asyncio.run(poll())
        yield store


def test_a_hostile_host_holds_up_nobody_else_and_is_told(tmp_path: Path) -> None:
    clock = tmp_path / "clock"
    clock.write_text(str(START))
    paths = ("/titles", "/drip", "/redirects", "/bomb", "/headers", "/endless")
    with serving(good, clock) as well, serving(hostile, clock) as bad:
        addresses = [bad.url(path) for path in paths] + [well.url("/feed", "localhost")]
        with polled(addresses, clock, tmp_path / "a.db", START + 3 * HOUR // 2) as store:
            (health,) = inboxes_health(LiveStore(store))
            with open_inbox(store, "feeds", fetching=False) as inbox:
                documents = [document for _, document in inbox.documents(0, 1000)]
    feeds = {one.address.rpartition("/")[2]: one for one in health.feeds}
    assert (feeds["feed"].state, feeds["feed"].error) == ("answers", "")
    titles = [document.title for document in documents if document.title.startswith("Storm")]
    assert titles == [f"Storm {number}" for number in range(len(titles))] and len(titles) > 5
    errors = {path.removeprefix("/"): feeds[path.removeprefix("/")].error for path in paths}
    assert errors["drip"] == "no complete answer within 0.3 s"
    assert errors["redirects"] == "redirects without end"
    assert errors["bomb"] == "more than 1 MB"
    assert errors["headers"].startswith("an answer that broke off")
    assert errors["endless"] == "a feed that takes longer than 60 s to read"
    assert {feeds[path.removeprefix("/")].state for path in paths[1:]} == {"fails"}
    assert all(len(bad.asked(path)) < len(well.asked("/feed")) for path in paths[1:])  # backed off
    # Of its pages one is read; where the other is not, the document comes as the feed has it.
    texts = {document.title.partition(" ")[0]: document.text for document in documents}
    assert texts["One"] == "Fire." and texts["Two"].startswith("The flood has reached the town.")
    assert len(bad.asked("/endless-page")) == 1
