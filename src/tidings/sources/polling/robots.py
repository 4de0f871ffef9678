"""What robots.txt of a host lets a reader of its pages do (RFC 9309)."""

from __future__ import annotations

from urllib.parse import urlsplit
from urllib.robotparser import RobotFileParser

from tidings.sources.polling.client import Response

__all__ = ["Robots", "robots_url"]

_NAME = "tidings"
_DAY_S = 86400
_MOST_BYTES = 500 * 1024
_MOST_HOSTS = 5000
_LONGEST_DELAY_S = 600


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
        rules = _parsed(words.splitlines())
        while len(self._rules) >= _MOST_HOSTS:
            del self._rules[next(iter(self._rules))]
        self._rules.pop(url, None)
        self._rules[url] = now + _DAY_S, rules


def _parsed(lines: list[str]) -> RobotFileParser:
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
