"""Politeness as a property: a month of whatever servers answer, and never a request above its rate."""

from __future__ import annotations

import asyncio
import random
from collections import Counter, defaultdict
from email.utils import formatdate
from itertools import pairwise

import msgspec
import pytest

from tests.sources.polling.fakes import FakeClient, FakeClock, MemoryInbox, ReadHere
from tests.sources.polling.servers import feed
from tests.sweeps import every
from tidings.core.network.client import Response
from tidings.core.network.headers import LONGEST_FRESH_S, LONGEST_RETRY_S, asked_wait_s, fresh_until
from tidings.sources.polling.manners import (
    Answer,
    FeedState,
    HostState,
    Manners,
)
from tidings.sources.polling.poller import Poller
from tidings.sources.polling.requests import host_of

DAY = 86400


def poll(inbox, client, addresses, seconds: int, manners: Manners | None = None, **options) -> Poller:
    poller = Poller(addresses, inbox, client, client.clock, manners=manners, reader=ReadHere(), **options)
    asyncio.run(poller.run(lambda: False, client.clock.now() + seconds))
    return poller


def erratic(seed: int):
    """A server that does what chance says."""
    chance = random.Random(seed)

    def answer(url: str, headers, now: int) -> Response:
        status = chance.choice([200, 200, 200, 304, 403, 404, 410, 429, 429, 500, 503, 0, 301, 302])
        if status == 0:
            return Response(url=url, error="no answer in time")
        given = {"date": formatdate(now + 7777, usegmt=True)}  # its clock is wrong
        if chance.random() < 0.5:
            given["cache-control"] = f"max-age={chance.choice([0, 60, 4000, 100_000])}"
        if status in (403, 429, 503, 500) and chance.random() < 0.6:
            seconds = chance.choice([1, 100, 5000, 200_000])
            given["retry-after"] = chance.choice(
                [str(seconds), formatdate(now + 7777 + seconds, usegmt=True)]
            )
        location = ""
        if status in (301, 302):
            location = chance.choice(
                [url, f"http://other{chance.randrange(3)}.example/{chance.randrange(9)}"]
            )
        items = [(f"g{now // 9000}-{n}", f"Title {now // 9000} {n} of {url}", "x") for n in range(3)]
        return Response(url=url, status=status, headers=given, location=location, body=feed(items))

    return answer


@pytest.mark.parametrize(
    "seed", [1, 2, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(3, 40))]
)
def test_a_month_of_anything(seed: int) -> None:
    clock = FakeClock()
    client = FakeClient(clock, erratic(seed), takes_s=seed % 3)
    addresses = [f"http://h{number % 4}.example/{number}" for number in range(8)]
    manners = Manners(ceiling=100)
    begun = clock.now()
    poll(MemoryInbox(), client, addresses, 30 * DAY, manners)
    by_host = defaultdict(list)
    for time, url, _, response in client.log:
        by_host[host_of(url)].append((time, url, response))
    for log in by_host.values():
        free = 0
        for time, _, response in log:
            assert time >= free
            free = time + manners.gap_s
            asks = asked_wait_s(response.headers, time) if response.status >= 300 else None
            free = max(free, time + (asks or 0))
        days = Counter(time // DAY for time, _, _ in log)
        assert max(days.values()) <= manners.ceiling
    for address in addresses:
        own = [(time, response) for time, url, _, response in client.log if url == address]
        for (time, response), (later, _) in pairwise(own):
            if response.status in (200, 304):
                assert later >= fresh_until(response.headers, time)
            if not response.location:
                assert later >= time + manners.least_s
        times = [begun, *(time for time, _ in own), clock.now()]
        moved = any(response.location for _, response in own)
        assert moved or max(later - time for time, later in pairwise(times)) < 9 * DAY, "given up"


def test_retry_after_binds_the_host_and_not_one_feed() -> None:
    clock = FakeClock()

    def answer(url, headers, now):
        if url.endswith("/0"):
            return Response(url=url, status=429, headers={"retry-after": "7200"})
        return Response(url=url, status=200, body=feed([("a", "A title", "x")]))

    client = FakeClient(clock, answer)
    begun = clock.now()
    poll(MemoryInbox(), client, [f"http://one.example/{n}" for n in range(3)], 7000)
    assert client.asked() == [begun]
    client = FakeClient(clock, answer)
    poll(MemoryInbox(), client, ["http://one.example/0", "http://two.example/1"], 7000)
    assert len(client.asked("two")) > 1


@every("status", [429, 403])
def test_a_refusal_without_retry_after_slows_the_host_down_more_each_time(status: int) -> None:
    client = FakeClient(FakeClock(), lambda url, headers, now: Response(url=url, status=status))
    poll(MemoryInbox(), client, ["http://one.example/0", "http://one.example/1"], 3 * DAY)
    gaps = [later - time for time, later in pairwise(client.asked())]
    assert gaps[0] >= 900
    assert gaps[2] >= 3600
    assert len(gaps) < 12


def test_failures_are_asked_ever_less_often_and_never_given_up() -> None:
    client = FakeClient(FakeClock(), lambda url, headers, now: Response(url=url, error="no answer in time"))
    poll(MemoryInbox(), client, ["http://one.example/0"], 30 * DAY)
    gaps = [later - time for time, later in pairwise(client.asked())]
    assert gaps[0] < gaps[1] < gaps[2] < gaps[3]
    assert 1 * DAY <= max(gaps) <= 1.2 * DAY
    assert len(gaps) > 24


def test_one_that_is_gone_is_asked_once_a_week_and_said_once() -> None:
    said: list[str] = []
    client = FakeClient(FakeClock(), lambda url, headers, now: Response(url=url, status=410))
    poll(MemoryInbox(), client, ["http://one.example/0"], 30 * DAY, say=said.append)
    gaps = [later - time for time, later in pairwise(client.asked())]
    assert len(gaps) >= 3
    assert min(gaps) >= 7 * DAY
    assert len(said) == 1
    assert "gone for good (410)" in said[0]


def test_a_feed_with_more_news_is_asked_more_often() -> None:
    def answer(url, headers, now):
        pace = 1200 if "quick" in url else 40_000
        items = [(f"{n}", f"Title {n} {url}", "x") for n in range(now // pace - 9, now // pace)]
        return Response(url=url, status=200, body=feed(items))

    client = FakeClient(FakeClock(), answer)
    poll(MemoryInbox(), client, ["http://quick.example/", "http://slow.example/"], 3 * DAY)
    quick, slow = len(client.asked("quick")), len(client.asked("slow"))
    assert 200 < quick < 600
    assert 10 < slow < 30


def test_feeds_are_not_asked_in_step() -> None:
    client = FakeClient(FakeClock(), lambda url, headers, now: Response(url=url, status=304))
    poll(MemoryInbox(), client, [f"http://h{n}.example/" for n in range(20)], DAY)
    last = {url: time for time, url, _, _ in client.log}
    assert len(set(last.values())) > 15


def test_the_ceiling_of_a_day() -> None:
    client = FakeClient(FakeClock(), lambda url, headers, now: Response(url=url, status=304))
    manners = Manners(least_s=60, most_s=60, ceiling=50)
    poll(MemoryInbox(), client, ["http://h.example/a", "http://h.example/b"], 3 * DAY, manners)
    days = Counter(time // DAY for time in client.asked())
    assert set(list(days.values())[1:-1]) == {50}


class TestGoneOnWith:
    def test_nothing_is_asked_before_its_time_after_a_restart(self) -> None:
        clock, inbox = FakeClock(), MemoryInbox()

        def answer(url, headers, now):
            return Response(url=url, status=503, headers={"retry-after": "50000"})

        client = FakeClient(clock, answer)
        begun = clock.now()
        for _ in range(5):
            poll(inbox, client, ["http://h.example/a", "http://h.example/b"], 9000)
        assert client.asked() == [begun]

    def test_cut_off_while_it_asked_it_waits_for_the_least_interval(self) -> None:
        clock, inbox = FakeClock(), MemoryInbox()

        class CutOff(FakeClient):
            async def fetch(self, url, headers=None):
                self.log.append((self.clock.now(), url, {}, Response(url=url)))
                raise KeyboardInterrupt

        client = CutOff(clock, lambda url, headers, now: Response(url=url))
        with pytest.raises(KeyboardInterrupt):
            poll(inbox, client, ["http://h.example/a"], 100)
        begun = clock.now()
        client = FakeClient(clock, lambda url, headers, now: Response(url=url, status=304))
        poll(inbox, client, ["http://h.example/a"], 1000)
        assert client.asked()[0] == begun + Manners().least_s

    def test_what_is_remembered_of_items_is_remembered_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tidings.sources.polling.poller._MOST_FRESH", 25)
        clock, inbox = FakeClock(), MemoryInbox()

        def answer(url, headers, now):
            # Other guids and other links at each asking, and the same words.
            n = now // 3600
            items = [
                (f"{now}-{k}", f"Storm {k} took a roof", f"In town {k} it rained.") for k in range(n - 9, n)
            ]
            return Response(url=url, status=200, body=feed(items, link=f"http://{now}.example"))

        for _ in range(6):
            poll(inbox, FakeClient(clock, answer), ["http://h.example/a"], 10 * 3600)
        titles = [arrival.document.title for arrival in inbox.arrivals]
        assert len(titles) == len(set(titles)) > 60
        assert inbox.memory
        assert len(inbox.fresh) < 25


class TestRedirects:
    def moved(self, status: int):
        def answer(url, headers, now):
            if url.endswith("/old"):
                return Response(url=url, status=status, location="http://new.example/feed")
            return Response(url=url, status=200, body=feed([("a", "A title", "x")]))

        return answer

    @every("status, remembered", [(301, True), (308, True), (302, False), (307, False)])
    def test_one_for_good_is_remembered(self, status: int, remembered: bool) -> None:
        client, inbox = FakeClient(FakeClock(), self.moved(status)), MemoryInbox()
        poll(inbox, client, ["http://h.example/old"], DAY)
        assert len(client.asked("new")) > 5
        assert (len(client.asked("old")) == 1) == remembered
        state = msgspec.msgpack.decode(inbox.feeds["http://h.example/old"].state, type=FeedState)
        assert state.moved_url == ("http://new.example/feed" if remembered else "")
        assert [arrival.feed for arrival in inbox.arrivals] == ["http://h.example/old"]

    def test_one_that_led_astray_is_forgotten(self) -> None:
        def answer(url, headers, now):
            if url.endswith("/old") and now < 1_700_000_000 + 10:
                return Response(url=url, status=301, location="http://new.example/feed")
            status = 404 if "new" in url and now > 1_700_000_000 + 9000 else 200
            return Response(url=url, status=status, body=feed([("a", "A title", "x")]))

        client = FakeClient(FakeClock(), answer)
        poll(MemoryInbox(), client, ["http://h.example/old"], DAY)
        assert len(client.asked("old")) > 5

    def test_without_end(self) -> None:
        def answer(url, headers, now):
            return Response(url=url, status=302, location=f"{url}x")

        said: list[str] = []
        client = FakeClient(FakeClock(), answer)
        poller = poll(MemoryInbox(), client, ["http://h.example/a"], 600, say=said.append)
        assert len(client.log) <= 10
        assert poller.status.failing == {"http://h.example/a": "redirects without end"}
        assert len(said) == 1

    def test_the_other_host_is_asked_in_its_turn(self) -> None:
        def answer(url, headers, now):
            if "to." in url:
                return Response(url=url, status=429, headers={"retry-after": "5000"})
            return Response(url=url, status=302, location="http://to.example/feed")

        client = FakeClient(FakeClock(), answer)
        poll(MemoryInbox(), client, [f"http://h{n}.example/" for n in range(5)], 4000)
        assert len(client.asked("to.")) == 1


class TestMessages:
    def test_a_feed_that_fails_is_told_once_until_it_answers(self) -> None:
        said: list[str] = []

        def answer(url, headers, now):
            hour = (now - 1_700_000_000) // 3600
            return Response(url=url, status=500 if hour % 24 < 12 else 304)

        poll(MemoryInbox(), FakeClient(FakeClock(), answer), ["http://h.example/a"], 2 * DAY, say=said.append)
        assert [line.split(": ")[1].split(";")[0] for line in said][:4] == [
            "an answer 500",
            "it answers again",
            "an answer 500",
            "it answers again",
        ]


class TestValidators:
    def test_both_are_stored_each_time_and_sent(self) -> None:
        tags = iter(['"a"', 'W/"b"', '"c"', None, None, None])

        def answer(url, headers, now):
            tag = next(tags, None)
            if tag is None:
                return Response(url=url, status=304, headers={})
            given = {"etag": tag, "last-modified": "Tue, 17 Feb 2026 08:30:00 GMT"}
            return Response(url=url, status=200, headers=given, body=feed([(tag, f"Title {tag[-2]}", "x")]))

        client = FakeClient(FakeClock(), answer)
        poll(MemoryInbox(), client, ["http://h.example/a"], DAY)
        sent = [(one.get("if-none-match"), "if-modified-since" in one) for _, _, one, _ in client.log]
        assert sent[:5] == [(None, False), ('"a"', True), ('W/"b"', True), ('"c"', True), ('"c"', True)]

    def test_a_failure_leaves_them(self) -> None:
        state = FeedState(etag='"a"', modified="then")
        failed = Answer(status=500, headers={"etag": '"error"'}, error="an answer 500")
        after = Manners().answered(state, "u", failed, 0)
        assert (after.etag, after.modified) == ('"a"', "then")

    def test_a_whole_answer_without_them_takes_them_away(self) -> None:
        after = Manners().answered(FeedState(etag='"a"', modified="then"), "u", Answer(status=200), 0)
        assert (after.etag, after.modified) == ("", "")


def test_time_that_goes_back_is_not_seen() -> None:
    clock, inbox = FakeClock(), MemoryInbox()

    def answer(url, headers, now):
        count = len(inbox.changes)
        return Response(url=url, status=200, body=feed([(f"{count}", f"T {count}", "x")]))

    poll(inbox, FakeClient(clock, answer), ["http://h.example/a"], 9000)
    before, latest = len(inbox.arrivals), inbox.arrivals[-1].document.published_time
    clock.time -= 100_000
    poll(inbox, FakeClient(clock, answer), ["http://other.example/b"], 9000)
    after = [arrival.document.published_time for arrival in inbox.arrivals[before:]]
    assert len(after) > 2
    assert min(after) >= latest


def test_a_clock_that_was_years_ahead_silences_nobody() -> None:
    clock, inbox = FakeClock(), MemoryInbox()
    clock.time += 4000 * DAY

    def answer(url, headers, now):
        return Response(url=url, status=304)

    poll(inbox, FakeClient(clock, answer), ["http://h.example/a"], 9000)
    clock.time -= 4000 * DAY
    client = FakeClient(clock, answer)
    poll(inbox, client, ["http://h.example/a", "http://h.example/b"], 60 * DAY)
    assert len(client.asked("/a")) > 20
    assert client.asked("/b")[0] < clock.now() - 59 * DAY


def test_host_state_is_small() -> None:
    assert len(msgspec.msgpack.encode(HostState(last_time=1_700_000_000))) < 30


class TestTheEnd:
    """Of polling for a while, with servers that do not answer."""

    class Ticking(FakeClock):
        """Goes on a second at each look; `asleep` is how long the poller meant to sleep while it waited."""

        def __init__(self) -> None:
            super().__init__()
            self.asleep: list[int] = []

        async def wait(self, tasks, until) -> None:
            self.asleep.append(until - self.time)
            self.time += 1
            await asyncio.sleep(0)

    def polled(self, feeds: int, seconds: int) -> Ticking:
        clock = self.Ticking()

        class Hanging(FakeClient):
            async def fetch(self, url, headers=None) -> Response:
                return await asyncio.Event().wait()  # type: ignore[return-value]

        client = Hanging(clock, lambda *_: Response(url=""))
        addresses = [f"http://h{n}.example/feed" for n in range(feeds)]
        poller = Poller(addresses, MemoryInbox(), client, clock, reader=ReadHere())
        asyncio.run(asyncio.wait_for(poller.run(lambda: False, clock.now() + seconds), 20))
        return clock

    def test_does_not_wait_for_them(self) -> None:
        clock = self.polled(feeds=1, seconds=3)
        assert 3 < len(clock.asleep) < 10
        assert min(clock.asleep[4:]) > 60  # nor look all the time, once it is near

    def test_feeds_that_are_due_and_wait_for_others_wake_nobody(self) -> None:
        assert min(self.polled(feeds=17, seconds=3).asleep) > 0


def test_what_came_of_a_feed_and_what_it_dropped_is_remembered() -> None:
    def answer(url, headers, now):
        items = [
            ("a", "A ferry burns in the harbour.", "x"),
            (f"b{now}", "A ferry burns in the harbour.", "x"),
        ]
        return Response(url=url, status=200, body=feed(items))

    inbox, client = MemoryInbox(), FakeClient(FakeClock(), answer)
    poll(inbox, client, ["https://a.example/feed"], DAY)
    (kept,) = inbox.feeds.values()
    state = msgspec.msgpack.decode(kept.state, type=FeedState)
    assert state.items == len(inbox.arrivals) == 1
    assert state.asked > 2 and dict(state.dropped) == {"the same words": state.asked}


NOW = 1_700_000_000
DATE = "Tue, 14 Nov 2023 10:00:00 GMT"  # the server's clock is wrong by hours
LATER = "Tue, 14 Nov 2023 10:20:00 GMT"

RETRY = {
    "nothing": ({}, None),
    "seconds": ({"retry-after": "120"}, 120),
    "seconds with a fraction": ({"retry-after": "120.9"}, 120),
    "blanks": ({"retry-after": "  120 "}, 120),
    "none at all": ({"retry-after": "0"}, 0),
    "less than none": ({"retry-after": "-5"}, None),
    "a date by the server's clock": ({"retry-after": LATER, "date": DATE}, 1200),
    "a date that is over": ({"retry-after": DATE, "date": LATER}, 0),
    "a date without the server's": ({"retry-after": "Tue, 14 Nov 2023 23:13:20 GMT"}, 3600),
    "excessive": ({"retry-after": "99999999999999999999"}, LONGEST_RETRY_S),
    "an excessive date": ({"retry-after": "Tue, 14 Nov 9999 10:00:00 GMT", "date": DATE}, LONGEST_RETRY_S),
    "words": ({"retry-after": "tomorrow"}, None),
    "digits of another script": ({"retry-after": "١٢٠"}, None),
    "a date that is none": ({"retry-after": "Tue, 99 Nov 2023 10:00:00 GMT"}, None),
}

FRESH = {
    "nothing": ({}, 0),
    "max-age": ({"cache-control": "public, max-age=600"}, 600),
    "max-age in capitals and quotes": ({"cache-control": 'Public, MAX-AGE="600"'}, 600),
    "max-age, some of it over": ({"cache-control": "max-age=600", "age": "100"}, 500),
    "max-age, all of it over": ({"cache-control": "max-age=600", "age": "1000"}, 0),
    "max-age and no-cache": ({"cache-control": "max-age=600, no-cache"}, 0),
    "max-age and no-store": ({"cache-control": "no-store, max-age=600"}, 0),
    "no-cache before Expires": ({"cache-control": "no-cache", "expires": LATER, "date": DATE}, 0),
    "max-age that is no number": ({"cache-control": "max-age=soon"}, 0),
    "max-age before Expires": ({"cache-control": "max-age=60", "expires": LATER, "date": DATE}, 60),
    "s-maxage is for others": ({"cache-control": "s-maxage=600"}, 0),
    "Expires by the server's clock": ({"expires": LATER, "date": DATE}, 1200),
    "Expires that is over": ({"expires": DATE, "date": LATER}, 0),
    "Expires of nought": ({"expires": "0"}, 0),
    "excessive": ({"cache-control": "max-age=31536000"}, LONGEST_FRESH_S),
}


@every("case", RETRY)
def test_retry_after(case: str) -> None:
    headers, seconds = RETRY[case]
    assert asked_wait_s(headers, NOW) == seconds


@every("case", FRESH)
def test_fresh_until(case: str) -> None:
    headers, seconds = FRESH[case]
    assert fresh_until(headers, NOW) == NOW + seconds
