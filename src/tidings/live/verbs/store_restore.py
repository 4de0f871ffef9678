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
    """Restore a backup of a store, after checking each row against its digest.

    A store with contents is replaced only with --force. Nothing else may use the store in the meantime.
    """
    from tidings.core import put_back, say, waiting

    with waiting("putting the store back"):
        contents = put_back(file, store, force=force)
    say(f"the store has {contents}, each row as it was written")
