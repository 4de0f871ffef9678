"""What is still to be asked, host by host: which request is next, and when."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from urllib.parse import urlsplit

from msgspec import Struct


class Request(Struct, frozen=True, kw_only=True):
    """One thing to ask.

    Args:
        kind: `feed`, `page` or `robots`.
        key: which: the feed's address, the number of a document that waits for its page, a host.
        url: what is asked; after redirects another than at first.
        hops: the addresses that led there.
        permanent: whether all redirects so far were for good; `moved_url` where the first of them that were lead.
    """

    kind: str
    key: str
    url: str
    hops: tuple[str, ...] = ()
    permanent: bool = True
    moved_url: str = ""

    @property
    def host(self) -> str:
        """Whose turn it takes."""
        return host_of(self.url)


def host_of(url: str) -> str:
    """The host of an address, in lower case and without its port; "" where there is none.

    >>> host_of("https://News.example:8443/feed"), host_of("feed.xml")
    ('news.example', '')
    """
    try:
        return (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return ""


class Pending:
    """Requests that wait for their time and for their host, of which each is asked one thing at a time.

    >>> pending = Pending(lambda host: 0)
    >>> pending.add(Request(kind="feed", key="a", url="http://x.example/a"), 5)
    >>> pending.add(Request(kind="feed", key="b", url="http://x.example/b"), 3)
    >>> pending.next_time(), pending.take(4).key, pending.take(9), pending.next_time()
    (3, 'b', None, None)
    >>> pending.free("x.example"); pending.take(9).key
    'a'

    Args:
        host_time: when a host may be asked next.
    """

    def __init__(self, host_time: Callable[[str], int]) -> None:
        self._host_time = host_time
        self._by_host: dict[str, list[tuple[int, int, Request]]] = {}
        self._busy: set[str] = set()
        self._count = 0

    def __len__(self) -> int:
        return sum(map(len, self._by_host.values()))

    def add(self, request: Request, time: int) -> None:
        """Ask this at `time`, or when its host may be asked."""
        self._count += 1
        heappush(self._by_host.setdefault(request.host, []), (time, self._count, request))

    def take(self, now: int) -> Request | None:
        """The request that is due for longest; its host is busy until `free`. None where none is due."""
        time, host = self._first()
        if host is None or time > now:
            return None
        waiting = self._by_host[host]
        request = heappop(waiting)[2]
        if not waiting:
            del self._by_host[host]
        self._busy.add(host)
        return request

    def free(self, host: str) -> None:
        """The host has answered."""
        self._busy.discard(host)

    def next_time(self) -> int | None:
        """When the next request is due, of those whose hosts are not busy; None for none."""
        time, host = self._first()
        return None if host is None else time

    def _first(self) -> tuple[int, str | None]:
        first: tuple[int, str | None] = (0, None)
        for host, waiting in self._by_host.items():
            if host not in self._busy:
                time = max(waiting[0][0], self._host_time(host))
                if first[1] is None or time < first[0]:
                    first = time, host
        return first
