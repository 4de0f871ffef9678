"""`tidings store restore`: a copy put back."""

from __future__ import annotations

from pathlib import Path

from tidings.core import described


@described(__file__)
def store_restore(
    file: Path,
    store: str = "tidings.db",
    force: bool = False,
) -> None:
    """Put a copy of a store back, after each of its rows was held against its digest.

    What the store has is not lost without --force. Nothing may use the store meanwhile.
    """
    from tidings.core import put_back, say, waiting

    with waiting("putting the store back"):
        contents = put_back(file, store, force=force)
    say(f"the store has {contents}, each row as it was written")
