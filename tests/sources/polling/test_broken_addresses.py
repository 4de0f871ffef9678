"""Rules, links and answers that are broken: what they are about fails, and everything else goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

from tests.sources.polling.fakes import FakeClient, FakeClock, MemoryInbox, ReadHere
from tests.sources.polling.servers import feed
from tests.sweeps import every
from tidings.core.errors import StoreError
from tidings.core.files.reading import ReadingOptions
from tidings.core.network.client import Response
from tidings.core.records import Item
from tidings.core.records.documents import InboxChange
from tidings.sources.polling.pages import Robots
from tidings.sources.polling.poller import Poller

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
