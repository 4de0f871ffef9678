"""`tidings store restore`: a copy put back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def store_restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `tidings store backup` wrote.")],
    store: Annotated[
        str, typer.Option(metavar="URL", help="Where it goes: a path, sqlite:///… or postgresql://…")
    ] = "tidings.db",
    force: Annotated[
        bool, typer.Option("--force", help="Put it in the place of what the store has.")
    ] = False,
) -> None:
    """Put a copy of a store back, after each of its rows was held against its digest.

    What the store has is not lost without --force. Nothing may use the store meanwhile.
    """
    from tidings.core import put_back, say, waiting

    with waiting("putting the store back"):
        contents = put_back(file, store, force=force)
    say(f"the store has {contents}, each row as it was written")
