"""Polling forever: what `manners` and `requests` decide is asked by the clock, and what comes is kept in the inbox."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import msgspec
from msgspec.structs import replace

from tidings.core import Arrival, Client, InboxChange, Item, KeptFeed, ReadingOptions, Response, TidingsError
from tidings.sources.inbox import StoredInbox
from tidings.sources.polling.filling import Clock
from tidings.sources.polling.manners import Answer, FeedState, HostState, Manners
from tidings.sources.polling.pages import Pages
from tidings.sources.polling.readers import Readers, TooSlowError, Understanding, UnreadableError
from tidings.sources.polling.requests import Pending, Request, host_of

_AT_ONCE = 16  # requests under way
_MOST_HOPS = 8  # redirects of one request
_PRUNE_EVERY_S = 3600
_GRACE_S = 5
"""So long after the end what is still being asked may answer."""
_SLOW_HOST_S = 900
"""So long a host is left alone of which a page took too long to read."""
_MOST_FRESH = 2000
"""After so many new items all that is remembered is written down again; until then these alone are."""

_encode_fresh = msgspec.msgpack.encode
_decode_fresh = msgspec.msgpack.Decoder(tuple[int, Item]).decode
_FEEDS = "application/rss+xml, application/atom+xml, application/feed+json, text/xml;q=0.9, */*;q=0.5"


@dataclass(slots=True)
class PollingStatus:
    """How the polling goes, for a line of progress.

    `feeds` are asked, `failing` names those that failed at the last time with what was wrong; `asked` counts requests
    and `items` the documents that came, in this process. `next_time` is when the next request is due, and `time` now.
    """

    feeds: int = 0
    failing: dict[str, str] = field(default_factory=dict)
    asked: int = 0
    items: int = 0
    next_time: int | None = None
    time: int = 0


class Poller:
    """Asks feeds, and the pages of what they bring, until it is stopped.

    Args:
        addresses: of the feeds.
        inbox: where what comes is kept, and what is remembered from one process to the next.
        client: asks.
        clock: says when.
        manners: decide when what is asked.
        options: how dates and languages are understood.
        pages: whether the page of each new document is fetched.
        keep_s, keep_bytes: how long and how much of what was followed is kept.
        say: called once for each feed that fails and for each that answers again.
        reader: reads what comes, and is closed at the end; `Readers` unless a test says otherwise.
    """

    def __init__(
        self,
        addresses: Sequence[str],
        inbox: StoredInbox,
        client: Client,
        clock: Clock,
        *,
        manners: Manners | None = None,
        options: ReadingOptions | None = None,
        pages: bool = False,
        keep_s: int = 30 * 86400,
        keep_bytes: int = 1 << 30,
        say: Callable[[str], None] = lambda line: None,
        reader: Readers | None = None,
    ) -> None:
        self._reader = reader or Readers()
        self._inbox, self._client, self._clock, self._say = inbox, client, clock, say
        self._manners = manners or Manners()
        self._keep_s, self._keep_bytes = keep_s, keep_bytes
        kept = inbox.load()
        self._last_time = kept.last_time
        self._understanding = Understanding(options or ReadingOptions(), kept.memory)
        for fresh in kept.fresh:
            seen_time, item = _decode_fresh(fresh)
            self._understanding.remember([item], seen_time)
        self._fresh = len(kept.fresh)
        now = clock.now()
        self._hosts = {
            host: self._manners.host_taken_up(msgspec.msgpack.decode(state, type=HostState), now)
            for host, state in kept.hosts.items()
        }
        self._feeds = {address: FeedState() for address in addresses}
        for address in addresses:
            if address in kept.feeds:
                state = msgspec.msgpack.decode(kept.feeds[address].state, type=FeedState)
                self._feeds[address] = self._manners.taken_up(state, now)
        self._pending = Pending(lambda host: self._manners.host_time(self._host(host), self._clock.now()))
        for address, feed in self._feeds.items():
            self._add_feed(address, feed)
        self._pages = Pages(self._pending, kept.waiting, self._reader, wanted=pages, now=now)
        self.status = PollingStatus(feeds=len(self._feeds), time=now)
        self.status.failing = {address: feed.error for address, feed in self._feeds.items() if feed.error}

    async def run(self, stop: Callable[[], bool], until: int | None = None) -> None:
        """Ask and keep until `stop` says so, or until that time.

        Raises StoreError where what came cannot be kept.
        """
        tasks: set[asyncio.Task[None]] = set()
        prune_time = self._clock.now() + _PRUNE_EVERY_S
        try:
            while not stop():
                now = self._clock.now()
                if until is not None and now >= until and (not tasks or now >= until + _GRACE_S):
                    break
                if until is None or now < until:
                    while len(tasks) < _AT_ONCE and (request := self._pending.take(now)) is not None:
                        tasks.add(asyncio.create_task(self._ask(request)))
                self._keep_overdue_pages(now)
                if now >= prune_time:
                    self._inbox.prune(now - self._keep_s, self._keep_bytes)
                    prune_time = now + _PRUNE_EVERY_S
                due = self._pending.next_time()
                self.status.time, self.status.next_time = now, due
                is_full, is_over = len(tasks) >= _AT_ONCE, until is not None and now >= until
                # What is due already, and waits for those that are being asked, is nothing to wake up for.
                wakes = (None if is_full or is_over else due, None if is_over else until, prune_time)
                times = [time for time in (*wakes, self._pages.deadline()) if time is not None]
                await self._clock.wait(tasks, max(min(times), now))
                done = {task for task in tasks if task.done()}
                tasks -= done
                for task in done:
                    task.result()
        finally:
            for task in tasks:
                task.cancel()
            self._reader.close()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _ask(self, request: Request) -> None:
        try:
            if request.kind == "feed":
                await self._ask_feed(request)
            else:
                await self._ask_page(request)
        except TidingsError:  # what came cannot be kept
            raise
        except Exception as error:  # noqa: BLE001  # whatever one answer does, the other feeds and pages go on
            self._fail(request, error)
        finally:
            self._pending.free(request.host)

    def _fail(self, request: Request, error: Exception) -> None:
        """Count a request that ended with a defect as one that failed, in one line."""
        what = " ".join(f"{type(error).__name__} {error}".split())[:200]
        if request.kind == "feed":
            wrong = f"this answer could not be stored: {what}"
            response = Response(url=request.url, error=wrong)
            self._take(request.key, self._feeds[request.key], request.host, response, [], wrong)
        else:
            self._say(f"{request.url}: this page is skipped, because it could not be stored: {what}")
            self._arrive([int(request.key)], "")

    async def _ask_feed(self, request: Request) -> None:
        address, feed = request.key, self._feeds[request.key]
        if not request.hops and feed.next_time > self._clock.now():  # put off since, by one of its pages
            self._add_feed(address, feed)
            return
        if not request.hops:
            feed = self._manners.asking(feed, self._clock.now())
        # Kept before it is asked: killed now, it is not asked again at once.
        self._keep(address, feed, self._host_states(request.host))
        headers = {"accept": _FEEDS}
        headers.update({"if-none-match": feed.etag} if feed.etag else {})
        headers.update({"if-modified-since": feed.modified} if feed.modified else {})
        response = await self._client.fetch(request.url, headers)
        now = self._clock.now()
        if response.location and (further := follow_redirect(request, response)) is not None:
            self._keep_host(request.host, Answer(status=response.status, headers=response.headers))
            self._pending.add(further, now)
            return
        items, error = await self._items(response)
        if not error and request.moved_url:
            feed = replace(feed, moved_url=request.moved_url)
        self._take(address, feed, request.host, response, items, error)

    async def _items(self, response: Response) -> tuple[list[Item], str]:
        """The items of an answer, and what is wrong with it."""
        if response.location:
            return [], "redirects without end" if host_of(response.location) else "a redirect to nowhere"
        if response.error or response.status == 304:
            return [], response.error
        if response.status != 200:
            return [], "gone for good (410)" if response.status == 410 else f"an answer {response.status}"
        options, content_type = self._understanding.options, response.headers.get("content-type", "")
        try:
            items = await self._reader.read(response.url, response.body, content_type, "feed", options)
        except UnreadableError as error:
            return [], str(error)
        return items, ""

    def _take(
        self, address: str, feed: FeedState, host: str, response: Response, items: list[Item], error: str
    ) -> None:
        # Nothing is waited for in here: what is new, what is remembered of it and the next time are kept together.
        seen_time, now = self._now(), self._clock.now()
        new = self._understanding.new(items, seen_time)
        answer = Answer(
            status=response.status,
            headers=response.headers,
            error=error,
            news=len(new.documents),
            gap_s=new.gap_s,
        )
        before, feed = feed, self._manners.answered(feed, address, answer, now)
        title = next((item.source for item in items if item.source), feed.title)
        dropped = Counter(feed.dropped)
        dropped.update(new.dropped)
        feed = replace(feed, title=title, items=feed.items + len(new.documents), dropped=dict(dropped))
        arrivals = [Arrival(address, document) for document in new.documents]
        waiting = self._pages.hold(arrivals)
        self._keep(
            address,
            feed,
            {host: self._manners.host_answered(self._host(host), answer, now)},
            arrivals=tuple(arrival for arrival in arrivals if arrival not in waiting.values())
            if waiting
            else tuple(arrivals),
            waiting=waiting,
            fresh=tuple(_encode_fresh((seen_time, item)) for item in new.items),
        )
        self._add_feed(address, feed)
        self._pages.ask(waiting, now)
        self._tell(address, before.error, feed.error)

    async def _ask_page(self, request: Request) -> None:
        pages, now = self._pages, self._clock.now()
        wanted = pages.wanted(request, now)
        if wanted is None:
            return
        self._keep_hosts(self._host_states(request.host))
        response = await self._client.fetch(wanted, {"accept": "*/*"})
        now = self._clock.now()
        if wanted != request.url:
            pages.learn_robots(wanted, response, request, now)
        answer = Answer(status=response.status, headers=response.headers, error=response.error)
        self._keep_host(request.host, answer, pages.delay(request.url))
        if wanted != request.url:
            return
        if response.location and (further := follow_redirect(request, response)) is not None:
            self._pending.add(further, now)
            return
        text = ""
        if not response.location:
            try:
                text = await pages.text(response, self._understanding.options)
            except TooSlowError as error:
                self._put_off(request, f"{error} ({request.url})")
        self._arrive([int(request.key)], text)

    def _put_off(self, request: Request, error: str) -> None:
        # Its feed has failed as if it had not answered, and the host of the page is left alone for a while.
        now, address = self._clock.now(), self._pages.feed_of(int(request.key))
        host = self._host(request.host)
        hosts = {request.host: replace(host, not_before=max(host.not_before, now + _SLOW_HOST_S))}
        feed = self._feeds.get(address)
        if feed is None:  # asked no longer
            self._keep_hosts(hosts)
            return
        failed = self._manners.answered(feed, address, Answer(status=0, error=error), now)
        self._keep(address, failed, hosts)
        self._tell(address, feed.error, error)

    def _keep_overdue_pages(self, now: int) -> None:
        if overdue := self._pages.overdue(now):
            self._arrive(overdue, "")

    def _arrive(self, numbers: Sequence[int], text: str) -> None:
        # What waited for its page comes now, with the page's text where that says more than the feed did.
        now = self._now()
        arrivals = self._pages.arrived(numbers, text, now)
        if arrivals:
            self._inbox.commit(InboxChange(now=now, arrivals=tuple(arrivals), ready=tuple(numbers)))
            self.status.items += len(arrivals)

    def _keep(
        self,
        address: str,
        feed: FeedState,
        hosts: dict[str, HostState],
        *,
        arrivals: tuple[Arrival, ...] = (),
        waiting: dict[int, Arrival] | None = None,
        fresh: tuple[bytes, ...] = (),
    ) -> None:
        self._fresh += len(fresh)
        memory = None
        if self._fresh >= _MOST_FRESH:
            memory, fresh, self._fresh = self._understanding.memory(), (), 0
        state = msgspec.msgpack.encode(feed)
        kept = KeptFeed(
            url=address, title=feed.title, next_time=feed.next_time, error=feed.error, state=state
        )
        change = InboxChange(
            now=self._now(),
            feeds=(kept,),
            hosts=_encode(hosts),
            arrivals=arrivals,
            waiting=waiting or {},
            fresh=fresh,
            memory=memory,
        )
        self._inbox.commit(change)
        self._feeds[address] = feed
        self._hosts.update(hosts)
        self.status.items += len(arrivals)

    def _host_states(self, host: str) -> dict[str, HostState]:
        self.status.asked += 1
        return {host: self._manners.host_asked(self._host(host), self._clock.now())}

    def _keep_host(self, host: str, answer: Answer, delay_s: int = 0) -> None:
        now = self._clock.now()
        state = self._manners.host_answered(self._host(host), answer, now)
        self._keep_hosts({host: replace(state, not_before=max(state.not_before, now + delay_s))})

    def _keep_hosts(self, hosts: dict[str, HostState]) -> None:
        self._inbox.commit(InboxChange(now=self._now(), hosts=_encode(hosts)))
        self._hosts.update(hosts)

    def _host(self, host: str) -> HostState:
        return self._hosts.get(host) or HostState()

    def _add_feed(self, address: str, feed: FeedState) -> None:
        self._pending.add(Request(kind="feed", key=address, url=feed.moved_url or address), feed.next_time)

    def _now(self) -> int:
        # What is first seen never goes back, even where the machine's clock does.
        self._last_time = max(self._last_time, self._clock.now())
        return self._last_time

    def _tell(self, address: str, before: str, now: str) -> None:
        if now:
            self.status.failing[address] = now
        else:
            self.status.failing.pop(address, None)
        if now and not before:
            self._say(
                f"{address}: {now}; it will be polled again later; this is not repeated until it answers"
            )
        elif before and not now:
            self._say(f"{address}: it answers again")


def follow_redirect(request: Request, response: Response) -> Request | None:
    """The request that a redirect leads to; None where it leads nowhere, in a circle, or too far."""
    location = response.location
    hops = (*request.hops, request.url)
    if location in hops or len(hops) > _MOST_HOPS or not host_of(location):
        return None
    permanent = request.permanent and response.status in (301, 308)
    return Request(
        kind=request.kind,
        key=request.key,
        url=location,
        hops=hops,
        permanent=permanent,
        moved_url=location if permanent else request.moved_url,
    )


def _encode(hosts: dict[str, HostState]) -> dict[str, bytes]:
    return {host: msgspec.msgpack.encode(state) for host, state in hosts.items()}
