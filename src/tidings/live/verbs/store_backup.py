"""`tidings store backup`: a store copied while it is used."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def store_backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where the copy goes: a new file.")],
    store: Annotated[
        str, typer.Option(metavar="URL", help="The store: a path, sqlite:///… or postgresql://…")
    ] = "tidings.db",
) -> None:
    """Copy a store to a file, as of one moment, while others follow, serve and write it.

    Each row of the copy is held against its digest before the file appears. The copy of a store in SQLite is one, too;
    the tables of one in PostgreSQL become a store in SQLite. `tidings store restore` puts it back into either.
    """
    from tidings.core import back_up, say, waiting

    with waiting("copying the store"):
        contents = back_up(store, file)
    say(f"{store} is copied to {file}: {contents}, each row as it was written")
