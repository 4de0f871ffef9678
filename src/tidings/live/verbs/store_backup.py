"""`tidings store backup`: a store copied while it is used."""

from __future__ import annotations

from pathlib import Path

from tidings.core import described


@described(__file__)
def store_backup(
    file: Path,
    store: str = "tidings.db",
) -> None:
    """Back up a store to a file, as of one moment, even while other processes use it.

    Each row of the copy is checked against its digest before the file appears. The backup is a SQLite store, even of a
    store in PostgreSQL; `tidings store restore` restores it to either.
    """
    from tidings.core import back_up, say, waiting

    with waiting("copying the store"):
        contents = back_up(store, file)
    say(f"{store} is copied to {file}: {contents}, each row as it was written")
