"""Keeping runs: one schema, in a SQLite file by default and in PostgreSQL by URL.

Names are looked up when first used, so that asking whether a file is a store loads no database.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import lazy_loader  # type: ignore[import-untyped]

if TYPE_CHECKING:
    from tidings.core.store.run import StoredRun as StoredRun
    from tidings.core.store.store import (
        RunInfo as RunInfo,
        Store as Store,
        open_store as open_store,
        read_stored_runs as read_stored_runs,
    )

__getattr__, _, _ = lazy_loader.attach(
    __name__,
    submod_attrs={"run": ["StoredRun"], "store": ["RunInfo", "Store", "open_store", "read_stored_runs"]},
)
_MAGIC = b"SQLite format 3\x00"
_SCHEMES = ("sqlite:", "postgresql:", "postgresql+", "postgres:")


def is_store(path_or_url: str | Path) -> bool:
    """Whether this names a store: the URL of a database, or the path of a SQLite file.

    >>> is_store("postgresql://me@host/runs"), is_store("cunlp.run.gz"), is_store("-")
    (True, False, False)
    """
    name = str(path_or_url)
    if "://" in name:
        return name.startswith(_SCHEMES)
    path = Path(name)
    if not path.is_file():  # a pipe would be read empty
        return False
    try:
        with path.open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False
