"""The stores of the store's own tests."""

from tests.core.store.conftest import postgres_server, postgres_store

__all__ = ["postgres_server", "postgres_store"]
