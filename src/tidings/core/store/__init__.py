"""Keeping runs: one schema, in a SQLite file by default and in PostgreSQL by URL.

Names are looked up when first used, so that asking whether a file is a store loads no database.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tidings.core.store.run import StoredRun
    from tidings.core.store.store import RunInfo, Store, open_store, read_stored_runs

__all__ = ["RunInfo", "Store", "StoredRun", "is_store", "open_store", "read_stored_runs"]

_HOMES = {
    "RunInfo": "store",
    "Store": "store",
    "StoredRun": "run",
    "open_store": "store",
    "read_stored_runs": "store",
}


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


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
