"""Keeping runs: one schema, in a SQLite file by default and in PostgreSQL by URL.

Names are looked up when first used, so that asking whether a file is a store loads no database.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tidings.core.store.kinds import is_store
    from tidings.core.store.reading import read_stored_runs
    from tidings.core.store.run import StoredRun
    from tidings.core.store.store import RunInfo, Store, open_store

__all__ = ["RunInfo", "Store", "StoredRun", "is_store", "open_store", "read_stored_runs"]

_HOMES = {
    "RunInfo": "store",
    "Store": "store",
    "StoredRun": "run",
    "is_store": "kinds",
    "open_store": "store",
    "read_stored_runs": "reading",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
