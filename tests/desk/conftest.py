"""Stores for the desk."""

from tests.store.conftest import any_store, postgres_server, postgres_store, sqlite_store

__all__ = ["any_store", "postgres_server", "postgres_store", "sqlite_store"]
