"""Keeping runs: one schema, in a SQLite file by default and in PostgreSQL by URL."""

from tidings.store.store import RunInfo, Store, StoredRun, open_store

__all__ = ["RunInfo", "Store", "StoredRun", "open_store"]
