"""What a store's inboxes hold, for whoever looks on: rows as they are, and how far a run has followed them."""

from __future__ import annotations

from msgspec import Struct
from sqlalchemy import select

from tidings.core import Store, inbox_feeds, inbox_items, inboxes, positions, runs
from tidings.sources import followed_to

__all__ = ["InboxRow", "ItemRow", "inbox_rows"]

_LATEST = 5000


class ItemRow(Struct, frozen=True):
    """A document that came: by which feed, when it was first seen, and when its outlet says that it was published."""

    feed: str
    first_seen_time: int
    stated_time: int | None


class InboxRow(Struct, frozen=True, kw_only=True):
    """An inbox.

    `feeds` are (address, title, next time, error, state), `latest` the last 5,000 documents, the newest first.
    `followed` is the number up to which the run has followed it, and `late` how many it left out as too late; None
    where it follows another inbox, or none.
    """

    name: str
    last_seq: int
    last_time: int
    items: int
    feeds: tuple[tuple[str, str, int, str, bytes], ...] = ()
    latest: tuple[ItemRow, ...] = ()
    followed: int | None = None
    late: int = 0


def inbox_rows(store: Store, run: str) -> list[InboxRow]:
    """The inboxes of a store, and how far the run of that name is in each."""
    rows = []
    with store.asking() as connection:
        of_run = select(positions).join(runs, runs.c.id == positions.c.run_id).where(runs.c.name == run)
        places = {place.source: place for place in connection.execute(of_run).all()}
        for inbox in connection.execute(select(inboxes).order_by(inboxes.c.id)).all():
            feeds = connection.execute(
                select(
                    inbox_feeds.c.url,
                    inbox_feeds.c.title,
                    inbox_feeds.c.next_time,
                    inbox_feeds.c.error,
                    inbox_feeds.c.state,
                )
                .where(inbox_feeds.c.inbox_id == inbox.id)
                .order_by(inbox_feeds.c.url)
            ).all()
            latest = connection.execute(
                select(inbox_items.c.feed, inbox_items.c.first_seen_time, inbox_items.c.stated_time)
                .where(inbox_items.c.inbox_id == inbox.id)
                .order_by(inbox_items.c.seq.desc())
                .limit(_LATEST)
            ).all()
            place = places.get(inbox.name)
            rows.append(
                InboxRow(
                    name=inbox.name,
                    last_seq=inbox.last_seq,
                    last_time=inbox.last_time,
                    items=inbox.items,
                    feeds=tuple(tuple(row) for row in feeds),
                    latest=tuple(ItemRow(*row) for row in latest),
                    followed=None
                    if place is None
                    else followed_to(
                        place.cursor, place.released + place.late, inbox.last_seq - inbox.items + 1
                    ),
                    late=0 if place is None else place.late,
                )
            )
    return rows
