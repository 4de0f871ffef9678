"""The stores of `tests/core/store`, for what live pages keep in one."""

from tests.core.store.conftest import any_store, made_stores, postgres_server, postgres_store, sqlite_store

__all__ = ["any_store", "made_stores", "postgres_server", "postgres_store", "sqlite_store"]
