"""A store in numbers, for whoever watches over it; and what its inboxes hold, and how far a run has followed them."""

from __future__ import annotations

from msgspec import Struct
from sqlalchemy import func, select

from tidings.core import (
    Store,
    inbox_feeds,
    inbox_items,
    inboxes,
    live_alarms,
    live_events,
    positions,
    run_row,
    runs,
)
from tidings.sources import followed_to


class StoreNumbers(Struct, frozen=True, kw_only=True):
    """How far a run and its inbox are; times in seconds UTC, 0 where there is none.

    `documents` came into the inbox in all, `kept` of `kept_bytes` are there; `followed` of them were followed, the last
    one first seen at `followed_time`, the last that came at `arrived_time`. `outputs` are counted by kind. `events` are
    the standing ones by state, `alarms_waiting` and `alarms_delivered` rows of the outbox.
    """

    last_commit: int = 0
    documents: int = 0
    kept: int = 0
    kept_bytes: int = 0
    arrived_time: int = 0
    followed: int = 0
    followed_time: int = 0
    outputs: dict[str, int] = {}
    events: dict[str, int] = {}
    alarms_waiting: int = 0
    alarms_delivered: int = 0

    @property
    def queue(self) -> int:
        """How many documents came and were not followed yet."""
        return max(0, self.documents - self.followed)

    @property
    def delay_s(self) -> int:
        """How far the last document that was followed is behind the last one that came; 0 where none waits or none was.

        >>> StoreNumbers(documents=5, followed=3, arrived_time=90, followed_time=60).delay_s
        30
        """
        is_known = self.queue > 0 and self.followed_time > 0
        return max(0, self.arrived_time - self.followed_time) if is_known else 0


def store_numbers(store: Store, run: str) -> StoreNumbers:
    """The numbers of a run of a store, of the inbox that it follows, and of the outbox."""
    with store.asking() as connection:
        row = connection.execute(select(runs).where(runs.c.name == run)).one_or_none()
        kept = None if row is None else run_row(row, str(store))
        place = None
        if kept is not None:
            query = (
                select(positions).where(positions.c.run_id == kept.id).order_by(positions.c.number).limit(1)
            )
            place = connection.execute(query).one_or_none()
        name = place.source if place is not None else (kept.settings_by_name.get("streams") if kept else None)
        inbox = connection.execute(select(inboxes).where(inboxes.c.name == name)).one_or_none()
        states = connection.execute(
            select(live_events.c.state, func.count()).group_by(live_events.c.state)
        ).all()
        delivered = select(func.count(live_alarms.c.delivered_ms), func.count()).select_from(live_alarms)
        done, alarms = connection.execute(delivered).one()
    followed = 0
    if place is not None and inbox is not None:
        first_seq = inbox.last_seq - inbox.items + 1
        followed = followed_to(place.cursor, place.released + place.late, first_seq)
    return StoreNumbers(
        last_commit=0 if kept is None else kept.changed_time,
        documents=0 if inbox is None else inbox.last_seq,
        kept=0 if inbox is None else inbox.items,
        kept_bytes=0 if inbox is None else inbox.bytes,
        arrived_time=0 if inbox is None else inbox.last_time,
        followed=followed,
        followed_time=0 if place is None else place.last_time,
        outputs={} if kept is None else dict(kept.counts_by_kind),
        events={str(state): int(count) for state, count in states},
        alarms_waiting=alarms - done,
        alarms_delivered=done,
    )


_LATEST = 5000  # items that the figures of feeds are counted from


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
