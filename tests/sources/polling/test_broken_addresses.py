"""Rules, links and answers that are broken: what they are about fails, and everything else goes on.

One hostile host beside a good one: the good one's items keep coming, and the health of sources tells.
"""

from __future__ import annotations

import asyncio
import gzip
import time
from collections.abc import Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from socket import socket

import pytest
from msgspec.structs import replace

from tests.sources.polling.fakes import FakeClient, FakeClock, MemoryInbox, ReadHere
from tests.sources.polling.servers import Asked, Reply, feed, serving
from tests.sources.polling.stalling_reader import ENDLESS
from tests.sweeps import every
from tidings.core.errors import StoreError
from tidings.core.files.reading import ReadingOptions
from tidings.core.network.client import Client, ClientLimits, Response, user_agent
from tidings.core.records import Item
from tidings.core.records.documents import InboxChange
from tidings.core.store import open_store
from tidings.live.hosting.feed_health import inboxes_health
from tidings.live.store import LiveStore
from tidings.sources.inbox import open_inbox
from tidings.sources.polling.filling import FileClock
from tidings.sources.polling.pages import Robots
from tidings.sources.polling.poller import Poller
from tidings.sources.polling.readers import Readers

FEED, OTHER = "http://h.example/feed", "http://other.example/feed"
PAGE = "The whole of the article, which says much more than what the feed said of it. " * 3


class PlainPages(ReadHere):
    """A page is its text; a defect may strike for one address."""

    def __init__(self, defect: str = "") -> None:
        self.defect = defect

    async def read(
        self, url: str, body: bytes, content_type: str, kind: str, options: ReadingOptions
    ) -> list[Item]:
        if url == self.defect:
            raise RecursionError("a defect\nof two lines")
        if kind == "feed":
            return await super().read(url, body, content_type, kind, options)
        return [Item(origin=url, text=body.decode())]


def poll(
    link: str = "http://pages.example",
    rules: str = "",
    defect: str = "",
    inbox: MemoryInbox | None = None,
) -> tuple[MemoryInbox, list[str], list[str]]:
    """What is kept, what is said, and what was asked, of two feeds with an item each."""

    def site(url: str, headers: Mapping[str, str], now: int) -> Response:
        if url == FEED:
            body = feed([("1", "Storm is near", "Of town 1.")], link=link)
            return Response(url=url, status=200, body=body)
        if url == OTHER:
            body = feed([("2", "Fire is out", "Of town 2.")], link="http://fine.example")
            return Response(url=url, status=200, body=body)
        if url == "http://pages.example/robots.txt":
            return Response(url=url, status=200, body=rules.encode())
        return Response(url=url, status=404 if url.endswith("robots.txt") else 200, body=PAGE.encode())

    inbox, lines = inbox or MemoryInbox(), []
    client = FakeClient(FakeClock(), site)
    reader = PlainPages(defect)
    poller = Poller([FEED, OTHER], inbox, client, client.clock, pages=True, reader=reader, say=lines.append)
    asyncio.run(poller.run(lambda: False, client.clock.now() + 1000))
    return inbox, lines, [url for _, url, _, _ in client.log]


@every(
    "rule",
    [
        "Disallow: //[",
        "Crawl-delay: ²",
        "Request-rate: ²/1",
        f"Crawl-delay: {'9' * 400}",
        f"Crawl-delay: {'9' * 5000}",
    ],
)
def test_a_rule_that_cannot_be_read_counts_for_nothing_and_the_others_hold(rule: str) -> None:
    robots, place = Robots(), "https://a.example/robots.txt"
    words = f"User-agent: *\nDisallow: /private\n{rule}\nDisallow: /secret\n\nUser-agent: bad\n{rule}\nDisallow: /"
    robots.learn(place, Response(url=place, status=200, body=words.encode()), now=0)
    allowed = [
        robots.allows(f"https://a.example{path}", now=0) for path in ("/fire", "/private/x", "/secret/x")
    ]
    assert allowed == [True, False, False]
    assert 0 <= robots.delay("https://a.example/fire") <= 600
    inbox, lines, _ = poll(rules=f"User-agent: *\n{rule}\nAllow: /\n")
    assert [arrival.document.text for arrival in inbox.arrivals] == [PAGE, PAGE]
    assert lines == []


@every("link", ["http://[bad", "http://u%5B@host.example", "http://a℀b.com"])
def test_the_page_of_a_broken_link_is_never_asked_for(link: str) -> None:
    inbox, lines, asked = poll(link=link)
    assert sorted(arrival.document.text for arrival in inbox.arrivals) == ["Of town 1.", PAGE]
    assert (inbox.waiting, lines) == ({}, [])
    assert not [url for url in asked if url.startswith(link)]
    robots = Robots()
    place = "http://host.example/robots.txt"
    robots.learn(place, Response(url=place, status=404), now=0)
    assert robots.allows(f"{link}/x", now=0) is False and robots.delay(f"{link}/x") == 0


def test_a_page_that_meets_a_defect_is_left_out_in_one_line() -> None:
    inbox, lines, asked = poll(defect="http://pages.example/1")
    assert sorted(arrival.document.text for arrival in inbox.arrivals) == ["Of town 1.", PAGE]
    assert len(lines) == 1 and lines[0].startswith("http://pages.example/1: this page is skipped")
    assert "a defect of two lines" in lines[0]
    assert asked.count("http://pages.example/1") == 1


def test_a_feed_that_meets_a_defect_fails_like_one_that_does_not_answer() -> None:
    inbox, lines, asked = poll(defect=FEED)
    assert [arrival.document.text for arrival in inbox.arrivals] == [PAGE]
    assert len(lines) == 1 and lines[0].startswith(f"{FEED}: this answer could not be stored: RecursionError")
    assert "RecursionError" in inbox.feeds[FEED].error
    assert 1 <= asked.count(FEED) <= 3  # asked again later, and ever more seldom


def test_what_cannot_be_kept_ends_the_polling() -> None:
    class Full(MemoryInbox):
        def commit(self, change: InboxChange) -> int:
            if any(arrival.feed == OTHER for arrival in change.arrivals):
                raise StoreError("the disk is full")
            return super().commit(change)

    with pytest.raises(StoreError, match="full"):
        poll(inbox=Full())


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
