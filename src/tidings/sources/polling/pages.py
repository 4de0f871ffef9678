"""Documents that wait for their pages: which page is fetched when, what robots.txt allows, what becomes of its text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit
from urllib.robotparser import RobotFileParser

from msgspec.structs import replace

from tidings.core import DAY_S, Arrival, ReadingOptions, Response
from tidings.sources.polling.feed_lists import is_address
from tidings.sources.polling.readers import Readers, TooSlowError, UnreadableError, first_seen
from tidings.sources.polling.requests import Pending, Request

_NAME = "tidings"
_MOST_BYTES = 500 * 1024  # of robots.txt, as RFC 9309 asks at the least
_MOST_HOSTS = 5000  # whose rules are kept
_LONGEST_DELAY_S = 600  # of a Crawl-delay that is heeded


def robots_url(url: str) -> str:
    """Where the rules for an address stand; "" where it is no address.

    >>> robots_url("https://news.example:8443/2026/fire?id=1"), robots_url("http://[news.example/fire")
    ('https://news.example:8443/robots.txt', '')
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}/robots.txt"


class Robots:
    """The rules of hosts, each kept for a day.

    >>> robots = Robots()
    >>> robots.allows("https://a.example/fire", now=0) is None  # not known yet: ask robots_url first
    True
    >>> answer = Response(url="https://a.example/robots.txt", status=200, body=b"User-agent: *\\nDisallow: /private")
    >>> robots.learn("https://a.example/robots.txt", answer, now=0)
    >>> robots.allows("https://a.example/fire", now=0), robots.allows("https://a.example/private/x", now=0)
    (True, False)
    """

    def __init__(self) -> None:
        self._rules: dict[str, tuple[int, RobotFileParser]] = {}

    def allows(self, url: str, now: int) -> bool | None:
        """Whether a page may be fetched; None where the rules of its host are to be fetched first.

        One whose address is broken may not.
        """
        place = robots_url(url)
        kept = self._rules.get(place)
        if place and (kept is None or kept[0] <= now):
            return None
        try:
            return kept is not None and kept[1].can_fetch(_NAME, url)
        except ValueError:  # it is no address once its escapes are undone
            return False

    def delay(self, url: str) -> int:
        """Seconds that the host asks to leave between two pages, at most ten minutes."""
        kept = self._rules.get(robots_url(url))
        delay = kept[1].crawl_delay(_NAME) if kept is not None else None
        return min(int(delay or 0), _LONGEST_DELAY_S)

    def learn(self, url: str, answer: Response, now: int) -> None:
        """Keep what asking for the rules brought.

        Without rules (4xx) all is allowed; where the server fails, nothing is, until it is asked again a day later.
        """
        words = "User-agent: *\nDisallow: /"
        if answer.status == 200 and not answer.error:
            words = answer.body[:_MOST_BYTES].decode("utf-8", "replace")
        elif 400 <= answer.status < 500:
            words = ""
        rules = _parse(words.splitlines())
        while len(self._rules) >= _MOST_HOSTS:
            del self._rules[next(iter(self._rules))]
        self._rules.pop(url, None)
        self._rules[url] = now + DAY_S, rules


def _parse(lines: list[str]) -> RobotFileParser:
    """The rules that lines state; those that cannot be read count for nothing."""
    rules = RobotFileParser()
    try:
        rules.parse(lines)
    except ValueError:
        rules = RobotFileParser()
        rules.parse([line if _is_readable(line) else "Crawl-delay:" for line in lines])
    return rules


def _is_readable(line: str) -> bool:
    try:
        RobotFileParser().parse(["User-agent: *", line])
    except ValueError:
        return False
    return True


_LONGEST_WAIT_S = 3600  # for a page, before its item is passed on without


class Pages:
    """Those that wait, and the rules of their hosts.

    A document whose page may not or cannot be fetched, or is not there after an hour, comes with its feed's own text.

    Args:
        pending: where their requests wait.
        waiting: documents by number, as they were kept.
        reader: reads them.
        wanted: whether pages are fetched at all; without, those that wait come as they are.
        now: the time.
    """

    def __init__(
        self, pending: Pending, waiting: Mapping[int, Arrival], reader: Readers, *, wanted: bool, now: int
    ) -> None:
        self._pending, self._are_wanted, self._reader = pending, wanted, reader
        self._waiting = dict(waiting)
        self._last = max(waiting, default=0)
        self._forbidden: list[int] = []
        self._robots = Robots()
        self.ask(self._waiting, now)

    def hold(self, arrivals: Sequence[Arrival]) -> dict[int, Arrival]:
        """Those of these that are to wait for their pages, each with its number."""
        held = {}
        for arrival in arrivals if self._are_wanted else ():
            # Of a later version only what is new in it is given: its page would give all of it again.
            url = arrival.document.url
            if is_address(url) and robots_url(url) and not arrival.document.sentences:
                self._last += 1
                held[self._last] = arrival
        return held

    def ask(self, held: Mapping[int, Arrival], now: int) -> None:
        """Ask for the pages of documents that are kept as waiting."""
        self._waiting.update(held)
        for number, arrival in held.items() if self._are_wanted else ():
            self._pending.add(Request(kind="page", key=str(number), url=arrival.document.url), now)

    def wanted(self, request: Request, now: int) -> str | None:
        """What to fetch first: the page, or the rules of its host; None for neither, where nothing waits for it."""
        number = int(request.key)
        if number not in self._waiting:
            return None
        allowed = self._robots.allows(request.url, now)
        if allowed is None:
            return robots_url(request.url)
        if not allowed:
            self._forbidden.append(number)
            return None
        return request.url

    def learn_robots(self, url: str, response: Response, request: Request, now: int) -> None:
        """Take the rules of a host, and ask again for the page."""
        self._robots.learn(url, response, now)
        self._pending.add(request, now)

    def delay(self, url: str) -> int:
        """Seconds that a host asks to leave between two pages."""
        return self._robots.delay(url)

    async def text(self, response: Response, options: ReadingOptions) -> str:
        """The text of a page; "" where there is none. Raises TooSlowError where it takes too long to read."""
        if response.error or response.status != 200:
            return ""
        content_type = response.headers.get("content-type", "")
        try:
            items = await self._reader.read(response.url, response.body, content_type, "page", options)
        except TooSlowError:
            raise
        except UnreadableError:
            return ""
        return items[0].text if items else ""

    def feed_of(self, number: int) -> str:
        """Which feed brought a document that waits; "" where it waits no longer."""
        arrival = self._waiting.get(number)
        return "" if arrival is None else arrival.feed

    def deadline(self) -> int | None:
        """When something has to be done about a document that waits; None where none does."""
        if self._forbidden or (self._waiting and not self._are_wanted):
            return 0
        times = (arrival.document.published_time for arrival in self._waiting.values())
        first = min(times, default=None)
        return None if first is None else first + _LONGEST_WAIT_S

    def overdue(self, now: int) -> list[int]:
        """The documents that come without their pages now."""
        forbidden, self._forbidden = self._forbidden, []
        return [
            number
            for number, arrival in self._waiting.items()
            if number in forbidden
            or not self._are_wanted
            or arrival.document.published_time + _LONGEST_WAIT_S <= now
        ]

    def arrived(self, numbers: Sequence[int], text: str, now: int) -> list[Arrival]:
        """These wait no longer: as they are to be kept, first seen now, with the page's text where it says more."""
        arrivals = []
        for number in numbers:
            arrival = self._waiting.pop(number, None)
            if arrival is not None:
                document = arrival.document
                longer = len(text) > len(document.text)
                changed = replace(document, text=text) if longer else document
                arrivals.append(Arrival(arrival.feed, first_seen(changed, now, document.stated_time)))
        return arrivals
