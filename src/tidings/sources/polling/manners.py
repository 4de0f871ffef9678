"""When what may be asked: decided from what was answered, and nothing else.

A feed is asked again after an interval that follows how often it has news,

    interval = gap / 2, from `least_s` to `most_s`,    gap: seconds from one new item to the next, smoothed,

plus up to a fifth of that by chance (drawn from the feed's address and how often it was asked, so that it is the same
at every try), and never before what its last answer asks for. After failures the interval doubles each time. A host is
asked one thing at a time, `gap_s` after its last answer, not before the time that it gave any of its feeds, and at most
`ceiling` times a day. No feed is ever given up: even one that is gone is asked once in `rare_s`.
"""

from __future__ import annotations

from collections.abc import Mapping
from zlib import crc32

from msgspec import Struct
from msgspec.structs import replace

from tidings.core import DAY_S, LONGEST_RETRY_S, asked_wait_s, fresh_until

_JITTER = 0.2  # of an interval, so that feeds are not all asked at once
_SMOOTHING = 0.3  # weight of the latest gap
_FIRST_GAP_S = 3600.0  # taken of a feed that nothing is known of
_REFUSED_S = 900  # for which a host is left alone that refuses and says no time
_LONGEST_BACK_OFF_S = DAY_S
_DOUBLINGS = 12  # beyond which waiting grows no more
_LOST_AFTER = 3  # failures after which the old address is tried again

_SLOW_DOWN = frozenset({403, 429, 503})
"""Statuses that speak for the whole host: some say 403 where they mean 429."""

_LOST = frozenset({404, 410})
_GONE = 410  # HTTP: will not come back
_NOT_MODIFIED = 304  # HTTP: as it was


class Answer(Struct, frozen=True, kw_only=True):
    """What asking for a feed brought.

    Args:
        status: of HTTP; 0 where nothing came.
        headers: their names in lower case.
        error: what was wrong, in a few words; "" for nothing.
        news: how many items none had seen before.
        gap_s: seconds between its latest items, as far as it states their times; None for unknown.
    """

    status: int
    headers: Mapping[str, str] = {}
    error: str = ""
    news: int = 0
    gap_s: float | None = None


class FeedState(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is remembered of a feed from one asking to the next.

    Args:
        asked_time: when it was asked last; `answered_time` when that was over.
        next_time: when it may be asked again.
        asked: how often it was asked.
        moved_url: where it is now, as a permanent redirect said; "" where it is at its own address.
        etag, modified: the validators of its last whole answer.
        gap_s: smoothed seconds from one new item to the next; 0 before anything is known.
        news_time: when it last had news.
        failures: how many askings in a row failed.
        gone: whether it said that it is gone for good.
        error: what was wrong with it at the last time.
        title: what it calls itself.
        items: how many documents came by it.
        dropped: how many of its items gave none, by why; those that it merely still lists are not counted.
    """

    asked_time: int = 0
    answered_time: int = 0
    next_time: int = 0
    asked: int = 0
    moved_url: str = ""
    etag: str = ""
    modified: str = ""
    gap_s: float = 0.0
    news_time: int = 0
    failures: int = 0
    gone: bool = False
    error: str = ""
    title: str = ""
    items: int = 0
    dropped: dict[str, int] = {}


class HostState(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is remembered of a host.

    Args:
        last_time: when it was asked last, or when that was over.
        not_before: when it may be asked again, after it refused.
        refusals: how many times in a row it refused.
        day, asked: the day (since 1970, UTC) of its last asking, and how often it was asked on it.
    """

    last_time: int = 0
    not_before: int = 0
    refusals: int = 0
    day: int = 0
    asked: int = 0


class Manners(Struct, frozen=True, kw_only=True):
    """How politely to ask; all of it in seconds, but `ceiling`.

    Args:
        least_s, most_s: between which the interval of a feed lies that answers.
        gap_s: from one answer of a host to the next request for it.
        ceiling: requests for a host in a day (UTC).
        rare_s: the interval of a feed that says that it is gone.

    >>> manners = Manners()
    >>> feed = manners.answered(FeedState(), "https://a.example/feed", Answer(status=200, gap_s=7200), now=0)
    >>> 3600 <= feed.next_time <= 1.2 * 3600
    True
    >>> fresh = Answer(status=304, headers={"cache-control": "max-age=9000"})
    >>> manners.answered(FeedState(), "https://a.example/", fresh, now=0).next_time >= 9000
    True
    """

    least_s: int = 300
    most_s: int = 21600
    gap_s: int = 2
    ceiling: int = 2000
    rare_s: int = 7 * DAY_S

    def asking(self, feed: FeedState, now: int) -> FeedState:
        """The feed as it is while it is asked; kept before, so that one that is cut off is not asked at once again."""
        return replace(feed, asked_time=now, asked=feed.asked + 1, next_time=now + self.least_s)

    def answered(self, feed: FeedState, url: str, answer: Answer, now: int) -> FeedState:
        """The feed after an answer, or after none."""
        failed = bool(answer.error)
        failures = min(feed.failures + 1, 1000) if failed else 0
        gap_s, news_time = self._gap(feed, answer, now)
        gone = answer.status == _GONE
        interval = self.interval(gap_s)
        if failed:
            interval = min(interval << min(failures - 1, _DOUBLINGS), max(_LONGEST_BACK_OFF_S, self.most_s))
        if gone:
            interval = self.rare_s
        wanted = now + interval + self.jitter(url, feed.asked, interval)
        etag, modified = _validators(feed, answer)
        return replace(
            feed,
            answered_time=now,
            next_time=max(wanted, self._earliest(answer, now)),
            etag=etag,
            modified=modified,
            gap_s=gap_s,
            news_time=news_time,
            failures=failures,
            moved_url="" if failures >= _LOST_AFTER or answer.status in _LOST else feed.moved_url,
            gone=gone,
            error=answer.error,
        )

    def interval(self, gap_s: float) -> int:
        """Seconds between two askings of a feed that has an item in every `gap_s` seconds.

        >>> Manners().interval(7200), Manners().interval(1), Manners().interval(10**9)
        (3600, 300, 21600)
        """
        return int(min(max((gap_s or _FIRST_GAP_S) / 2, self.least_s), max(self.most_s, self.least_s)))

    def jitter(self, url: str, asked: int, interval: int) -> int:
        """What chance adds to an interval, from none to a fifth of it: the same for the same feed and asking."""
        return int(interval * _JITTER * crc32(f"{url} {asked}".encode("utf-8", "replace")) / 0x1_0000_0000)

    def host_asked(self, host: HostState, now: int) -> HostState:
        """The host as it is while it is asked."""
        day = now // DAY_S
        return replace(host, last_time=now, day=day, asked=host.asked + 1 if day == host.day else 1)

    def host_answered(self, host: HostState, answer: Answer, now: int) -> HostState:
        """The host after an answer: where it refused, none of its feeds asks again before its Retry-After.

        Without one it is left alone for a quarter of an hour, and twice as long each time that it refuses again.
        """
        asks = asked_wait_s(answer.headers, now) if not 200 <= answer.status < 300 else None
        refusals, not_before = 0, host.not_before
        if answer.status in _SLOW_DOWN:
            refusals = min(host.refusals + 1, 1000)
            if asks is None:
                asks = min(_REFUSED_S << min(refusals - 1, _DOUBLINGS), _LONGEST_BACK_OFF_S)
        elif not answer.status:
            refusals = host.refusals
        return replace(
            host,
            last_time=now,
            refusals=refusals,
            not_before=not_before if asks is None else max(not_before, now + asks),
        )

    def host_time(self, host: HostState, now: int) -> int:
        """When the host may be asked next, at the earliest."""
        earliest = max(host.last_time + self.gap_s if host.asked else 0, host.not_before)
        if host.asked >= self.ceiling and max(earliest, now) // DAY_S == host.day:
            earliest = max(earliest, (host.day + 1) * DAY_S)
        return earliest

    def taken_up(self, feed: FeedState, now: int) -> FeedState:
        """The feed as it was kept; where the clock was ahead then, it waits for no longer than it could otherwise."""
        return replace(feed, next_time=min(feed.next_time, now + LONGEST_RETRY_S))

    def host_taken_up(self, host: HostState, now: int) -> HostState:
        """The same of a host."""
        if host.last_time <= now:
            return host
        return replace(
            host, last_time=now, not_before=min(host.not_before, now + LONGEST_RETRY_S), asked=1, day=0
        )

    def _earliest(self, answer: Answer, now: int) -> int:
        # What the answer itself asks for: Retry-After where it refuses, else how long it is fresh.
        if not 200 <= answer.status < 300 and (asks := asked_wait_s(answer.headers, now)) is not None:
            return now + asks
        return fresh_until(answer.headers, now) if answer.status in (200, _NOT_MODIFIED, _GONE) else now

    def _gap(self, feed: FeedState, answer: Answer, now: int) -> tuple[float, int]:
        if answer.error:
            return feed.gap_s, feed.news_time
        if not feed.news_time:
            return answer.gap_s or _FIRST_GAP_S, now
        silent_s = max(now - feed.news_time, 1)
        if answer.news:
            seen = silent_s / answer.news
            return (1 - _SMOOTHING) * feed.gap_s + _SMOOTHING * seen, now
        # Silence says that the gap is at least as long.
        return max(feed.gap_s, float(silent_s)), feed.news_time


def _validators(feed: FeedState, answer: Answer) -> tuple[str, str]:
    # Both are taken from each whole answer, also where only one of them changed; a 304 may bring new ones.
    if answer.error:
        return _sendable(feed.etag), _sendable(feed.modified)
    before = feed if answer.status == _NOT_MODIFIED else FeedState()
    return (
        _sendable(answer.headers.get("etag", before.etag)),
        _sendable(answer.headers.get("last-modified", before.modified)),
    )


def _sendable(validator: str) -> str:
    # What HTTP cannot carry back cannot be asked with: the feed would fail forever.
    return (
        validator
        if validator.isascii() and validator.isprintable() and validator == validator.strip()
        else ""
    )
