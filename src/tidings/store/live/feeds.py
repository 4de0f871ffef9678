"""What a store's inboxes remember of their feeds, for whoever looks."""

from __future__ import annotations

from sqlalchemy import select

from tidings.records.inbox import KeptFeed
from tidings.store.digests import check_row
from tidings.store.schema import inbox_feeds
from tidings.store.store import Store

__all__ = ["kept_feeds"]


def kept_feeds(store: Store) -> list[KeptFeed]:
    """The feeds of all inboxes, by address; StoreError where a row is damaged."""
    with store.asking() as connection:
        rows = connection.execute(select(inbox_feeds).order_by(inbox_feeds.c.url)).all()
    for row in rows:
        check_row(inbox_feeds, row, str(store), f"what is remembered of the feed {row.url}")
    return [KeptFeed(**{name: getattr(row, name) for name in KeptFeed.__struct_fields__}) for row in rows]
