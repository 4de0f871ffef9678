"""`tidings store backup`: a store copied while it is used."""

from __future__ import annotations

from pathlib import Path

from tidings.core import described


@described(__file__)
def store_backup(
    file: Path,
    store: str = "tidings.db",
) -> None:
    """Copy a store to a file, as of one moment, while others follow, serve and write it.

    Each row of the copy is held against its digest before the file appears. The copy of a store in SQLite is one, too;
    the tables of one in PostgreSQL become a store in SQLite. `tidings store restore` puts it back into either.
    """
    from tidings.core import back_up, say, waiting

    with waiting("copying the store"):
        contents = back_up(store, file)
    say(f"{store} is copied to {file}: {contents}, each row as it was written")
