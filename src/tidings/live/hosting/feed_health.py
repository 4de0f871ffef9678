"""How each source goes: when it answered, what came, how late, and what of it was dropped and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tidings.live.store import LiveStore
from tidings.live.store.numbers import InboxRow, ItemRow, inbox_rows
from tidings.sources import FeedState

_FAILING_FROM = 1  # failures in a row
_OF = "feeds of "


class FeedHealth(Struct, frozen=True, kw_only=True):
    """One feed, or one outlet of files that are replayed.

    Args:
        address: of the feed; empty for an outlet of files.
        title: what it calls itself.
        error: the last error; empty if there was none.
        failures: how many askings in a row failed; `is_gone`, whether it said that it is gone for good.
        answered_time: of its last answer, good or bad (0: it was never asked); `next_time`, when it is asked next.
        asked: how many times it was polled.
        items: documents that came from it, as far as they were counted; `latest`, those of the last 5,000 in the inbox.
        last_time: when its last document was first seen (0: none of those).
        delay_s: median seconds from when a document says that it was published to when it was first seen.
        dropped: items that gave no document, counted by reason.
    """

    address: str = ""
    title: str = ""
    error: str = ""
    failures: int = 0
    is_gone: bool = False
    answered_time: int = 0
    next_time: int = 0
    asked: int = 0
    items: int = 0
    latest: int = 0
    last_time: int = 0
    delay_s: int | None = None
    dropped: Mapping[str, int] = {}

    @property
    def shown_address(self) -> str:
        """The address without what may be a secret in it: a user's name and password, and what follows `?`.

        >>> FeedHealth(address="https://me:word@a.example/feed?key=1").shown_address
        'https://a.example/feed?…'
        """
        parts = urlsplit(self.address)
        host = parts.netloc.rpartition("@")[2]
        return f"{parts.scheme}://{host}{parts.path}{'?…' if parts.query else ''}"

    @property
    def state(self) -> str:
        """`answers`, `fails`, `gone`, `not asked yet`, or `replayed`."""
        if not self.address:
            return "replayed"
        if self.is_gone:
            return "gone"
        if self.failures >= _FAILING_FROM:
            return "fails"
        return "answers" if self.answered_time else "not asked yet"


class InboxHealth(Struct, frozen=True, kw_only=True):
    """An inbox with its feeds, those that fail first.

    `documents` are kept now, `came` came in all; `waiting` are still to be followed (None: nobody follows it), and
    `late` were left out as too late.
    """

    name: str
    documents: int = 0
    came: int = 0
    last_time: int = 0
    waiting: int | None = None
    late: int = 0
    feeds: tuple[FeedHealth, ...] = ()

    @property
    def is_asked(self) -> bool:
        """Whether it is filled by feeds that are polled."""
        return any(feed.address for feed in self.feeds)

    @property
    def called(self) -> str:
        """What readers call it: names of files without the folders that they lie in.

        >>> inbox = InboxHealth(name="feeds of /a b/c.jsonl, https://d.example/e?key=1", came=2)
        >>> inbox.called
        'Feeds of c.jsonl, https://d.example/e?…'
        """
        front, of, names = self.name.partition(_OF)
        parts = [
            FeedHealth(address=name).shown_address if "://" in name else name.rpartition("/")[2]
            for name in names.split(", ")
        ]
        if of and not any("://" in part for part in parts):
            of = "file " if len(parts) == 1 else "files "
        words = front + of + ", ".join(parts)
        return words[:1].upper() + words[1:]


def inboxes_health(live: LiveStore) -> list[InboxHealth]:
    """All inboxes of a store."""
    return [_inbox(row) for row in inbox_rows(live.store, live.run)]


def _inbox(row: InboxRow) -> InboxHealth:
    by_feed: dict[str, list[ItemRow]] = {}
    for item in row.latest:
        by_feed.setdefault(item.feed, []).append(item)
    feeds = [
        _feed(address, title, time, error, state, by_feed.pop(address, []))
        for address, title, time, error, state in row.feeds
    ]
    # What has no row of its own: the outlets of files, and feeds that are no longer asked.
    feeds += [
        _with_items(FeedHealth(title=name, items=len(items)), items)
        for name, items in sorted(by_feed.items())
    ]
    feeds.sort(key=lambda feed: (feed.state not in ("fails", "gone"), -feed.latest, feed.title, feed.address))
    return InboxHealth(
        name=row.name,
        documents=row.items,
        came=row.last_seq,
        last_time=row.last_time,
        waiting=None if row.followed is None else max(row.last_seq - row.followed, 0),
        late=row.late,
        feeds=tuple(feeds),
    )


def _feed(
    address: str, title: str, next_time: int, error: str, state: bytes, items: Sequence[ItemRow]
) -> FeedHealth:
    try:
        kept = msgspec.msgpack.decode(state, type=FeedState)
    except msgspec.MsgspecError:  # damage is for who polls to say: here it is one line among others
        kept = FeedState(error="what is remembered of it cannot be read", failures=1)
    feed = FeedHealth(
        address=address,
        title=title or kept.title,
        error=error or kept.error,
        failures=kept.failures,
        is_gone=kept.gone,
        answered_time=kept.answered_time,
        next_time=next_time,
        asked=kept.asked,
        items=max(kept.items, len(items)),
        dropped=kept.dropped,
    )
    return _with_items(feed, items)


def _with_items(feed: FeedHealth, items: Sequence[ItemRow]) -> FeedHealth:
    delays = [
        max(item.first_seen_time - item.stated_time, 0) for item in items if item.stated_time is not None
    ]
    return replace(
        feed,
        latest=len(items),
        last_time=max((item.first_seen_time for item in items), default=0),
        delay_s=int(median(delays)) if delays else None,
    )
