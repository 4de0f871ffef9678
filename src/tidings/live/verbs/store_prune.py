"""`tidings store prune`: what is old taken out of a store."""

from __future__ import annotations

from tidings.core import described


@described(__file__)
def store_prune(
    older: str,
    store: str = "tidings.db",
) -> None:
    """Remove old documents of inboxes and old alarms that were delivered, also while the store is used.

    Updates stay, and so do documents that a run has not followed yet or reads again when it goes on.
    """
    import time

    from tidings.core import StoreError, file_of, open_store, parse_duration, parse_store, say
    from tidings.live.store.pruning import prune

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
        say(f"nothing is older than {older} and may go")
