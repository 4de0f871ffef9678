"""Pages of new articles: fetched as robots.txt allows, and never waited for too long."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from itertools import pairwise

import pytest

from tests.sources.polling.fakes import FakeClient, FakeClock, MemoryInbox, ReadHere
from tests.sources.polling.servers import feed
from tests.sweeps import every
from tidings.core.files.reading import ReadingOptions
from tidings.core.network.client import Response
from tidings.core.records import Item
from tidings.sources.polling.poller import Poller

FEED = "http://h.example/feed"
LONG = "The whole of the article, which says much more than what the feed said of it. " * 3


class PlainPages(ReadHere):
    """A page is its text."""

    async def read(
        self, url: str, body: bytes, content_type: str, kind: str, options: ReadingOptions
    ) -> list[Item]:
        if kind == "feed":
            return await super().read(url, body, content_type, kind, options)
        return [Item(origin=url, text=body.decode())]


class Site:
    """A feed of some items, their pages and robots.txt."""

    def __init__(self, count: int = 3, robots: Response | None = None, page: Response | None = None) -> None:
        self.count = count
        self.robots = robots or Response(url="", status=404)
        self.page = page or Response(url="", status=200, body=LONG.encode())

    def __call__(self, url: str, headers: Mapping[str, str], now: int) -> Response:
        if url == FEED:
            items = [(f"{n}", f"Storm {n} is near", f"Of town {n}.") for n in range(self.count)]
            return Response(url=url, status=200, body=feed(items, link="http://pages.example"))
        return self.robots if url.endswith("/robots.txt") else self.page


def poll(site: object, seconds: int = 1000, inbox: MemoryInbox | None = None, *, pages: bool = True):
    inbox = inbox or MemoryInbox()
    client = FakeClient(FakeClock(max(inbox.last_time, 1_700_000_000)), site)
    poller = Poller([FEED], inbox, client, client.clock, pages=pages, reader=PlainPages())
    asyncio.run(poller.run(lambda: False, client.clock.now() + seconds))
    return client, inbox


def texts(inbox: MemoryInbox) -> list[str]:
    return [arrival.document.text for arrival in inbox.arrivals]


def test_each_comes_with_the_text_of_its_page() -> None:
    client, inbox = poll(Site())
    assert texts(inbox) == [LONG] * 3
    assert inbox.waiting == {}
    asked = client.asked("pages.example")
    assert len(asked) == 4
    assert all(later - time >= 2 for time, later in pairwise(asked))
    times = [arrival.document.published_time for arrival in inbox.arrivals]
    assert times == sorted(set(times))


def test_without_being_asked_for_none_is_fetched() -> None:
    client, inbox = poll(Site(), pages=False)
    assert texts(inbox) == [f"Of town {n}." for n in range(3)]
    assert client.asked("pages.example") == []


@every(
    "page",
    [
        Response(url="", status=404),
        Response(url="", error="no answer in time"),
        Response(url="", status=200, body=b"Cookies?"),
        Response(url="", status=302, location="http://pages.example/round"),
    ],
)
def test_what_fails_leaves_the_text_of_the_feed(page: Response) -> None:
    _, inbox = poll(Site(page=page), 4000)
    assert sorted(texts(inbox)) == [f"Of town {n}." for n in range(3)]
    assert inbox.waiting == {}


@every(
    "robots, allowed",
    [
        (Response(url="", status=200, body=b"User-agent: *\nDisallow: /"), False),
        (
            Response(url="", status=200, body=b"User-agent: tidings\nDisallow: /\n\nUser-agent: *\nAllow: /"),
            False,
        ),
        (Response(url="", status=200, body=b"User-agent: other\nDisallow: /"), True),
        (Response(url="", status=200, body=b"User-agent: *\nDisallow: /private"), True),
        (Response(url="", status=200, body=b"\xff\xfe<html>"), True),
        (Response(url="", status=404), True),
        (Response(url="", status=500), False),
        (Response(url="", error="no answer in time"), False),
    ],
)
def test_robots(robots: Response, allowed: bool) -> None:
    client, inbox = poll(Site(robots=robots))
    assert len(client.asked("robots.txt")) == 1
    assert (texts(inbox) == [LONG] * 3) == allowed
    assert len(client.asked("pages.example")) == (4 if allowed else 1)
    assert len(inbox.arrivals) == 3


def test_a_delay_that_is_asked_for_is_kept() -> None:
    robots = Response(url="", status=200, body=b"User-agent: *\nCrawl-delay: 30")
    client, inbox = poll(Site(robots=robots))
    asked = client.asked("pages.example")
    assert len(asked) == 4
    assert all(later - time >= 30 for time, later in pairwise(asked))
    assert len(inbox.arrivals) == 3


def test_nothing_is_waited_for_longer_than_an_hour() -> None:
    robots = Response(url="", status=429, headers={"retry-after": "50000"})
    _, inbox = poll(Site(robots=robots), 3590)
    assert inbox.arrivals == []
    _, inbox = poll(Site(robots=robots), 3700)
    assert texts(inbox) == [f"Of town {n}." for n in range(3)]


def test_what_waited_when_the_process_ended_is_asked_for_again() -> None:
    class Stops(FakeClient):
        async def fetch(self, url, headers=None):
            if url.startswith("http://pages.example/1"):
                raise KeyboardInterrupt
            return await super().fetch(url, headers)

    inbox = MemoryInbox()
    client = Stops(FakeClock(), Site())
    poller = Poller([FEED], inbox, client, client.clock, pages=True, reader=PlainPages())
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(poller.run(lambda: False, client.clock.now() + 1000))
    assert len(inbox.arrivals) + len(inbox.waiting) == 3
    assert len(inbox.waiting) >= 2
    _, inbox = poll(Site(), inbox=inbox)
    assert texts(inbox) == [LONG] * 3
    titles = [arrival.document.title for arrival in inbox.arrivals]
    assert len(set(titles)) == 3


def test_what_waited_comes_as_it_is_where_pages_are_wanted_no_more() -> None:
    robots = Response(url="", status=429, headers={"retry-after": "50000"})
    _, inbox = poll(Site(robots=robots), 100)
    assert len(inbox.waiting) == 3
    _, inbox = poll(Site(), 100, inbox, pages=False)
    assert texts(inbox) == [f"Of town {n}." for n in range(3)]


def test_of_a_correction_no_page_is_fetched() -> None:
    site = Site(count=1)
    client, inbox = poll(site)
    assert len(client.asked("pages.example")) == 2

    def corrected(url: str, headers: Mapping[str, str], now: int) -> Response:
        if url != FEED:
            return site(url, headers, now)
        more = "Of town 0. Two men are missing since the night."
        return Response(
            url=url, status=200, body=feed([("0", "Storm 0 is near", more)], link="http://pages.example")
        )

    client, inbox = poll(corrected, 30_000, inbox)
    assert client.asked("pages.example") == []
    (sentence,) = inbox.arrivals[-1].document.sentences
    assert sentence.text == "Two men are missing since the night."
