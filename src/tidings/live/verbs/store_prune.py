"""`tidings store prune`: what is old taken out of a store, while it is used."""

from __future__ import annotations

from msgspec import Struct
from sqlalchemy import delete, func, select

from tidings.core import Store, described, inboxes, live_alarms
from tidings.sources import open_inbox

_ANY_SIZE = 1 << 62  # by age alone


class Pruned(Struct, frozen=True):
    """What went: documents and their bytes by inbox, and alarms that had been delivered."""

    documents: dict[str, int]
    sizes: dict[str, int]
    alarms: int


def prune(store: Store, before_s: int) -> Pruned:
    """Remove documents of inboxes that were first seen, and alarms that were delivered, before a time (seconds UTC).

    What a run has not followed yet stays, and what it may read again when it goes on. Updates always stay.
    """
    with store.asking() as connection:
        names = connection.execute(select(inboxes.c.name).order_by(inboxes.c.id)).scalars().all()
    documents: dict[str, int] = {}
    sizes: dict[str, int] = {}
    for name in names:
        with open_inbox(store, name, fetching=False) as inbox:
            before = inbox.size
            count = inbox.prune(before_s, _ANY_SIZE)
            if count:
                documents[name], sizes[name] = count, before - inbox.size
    with store.writing() as connection:
        # The last one stays: alarms are numbered after it.
        last = connection.execute(select(func.max(live_alarms.c.seq))).scalar() or 0
        old = delete(live_alarms).where(
            live_alarms.c.delivered_ms < before_s * 1000, live_alarms.c.seq < last
        )
        alarms = connection.execute(old).rowcount
    return Pruned(documents, sizes, alarms)


@described(__file__)
def store_prune(
    older: str,
    store: str = "tidings.db",
) -> None:
    """Remove old documents from inboxes, and old delivered alarms, even while the store is in use.

    Updates stay, and so do documents that a run has not followed yet or needs in order to continue.
    """
    import time

    from tidings.core import StoreError, file_of, open_store, parse_duration, parse_store, say

    before_s = int(time.time()) - parse_duration(older, "--older")
    file = file_of(parse_store(store))
    if file is not None and not file.exists():
        raise StoreError(f"{file}: there is no such store")
    with open_store(store) as opened:
        pruned = prune(opened, before_s)
    for name, count in pruned.documents.items():
        size = pruned.sizes[name] / 1e6
        say(f"removed {count:,} document{'' if count == 1 else 's'} ({size:,.1f} MB) of the inbox of {name}")
    if pruned.alarms:
        say(f"removed {pruned.alarms:,} delivered alarm{'' if pruned.alarms == 1 else 's'}")
    if not pruned.documents and not pruned.alarms:
        say(f"nothing is older than {older} and can be removed")
