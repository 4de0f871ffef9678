"""A desk, with quick passwords: the site on which what both sites share is tried."""

from tests.annotation.pages.conftest import people, prepared_desk, quick_passwords
from tests.core.store.conftest import any_store, postgres_server, postgres_store, sqlite_store

__all__ = [
    "any_store",
    "people",
    "postgres_server",
    "postgres_store",
    "prepared_desk",
    "quick_passwords",
    "sqlite_store",
]
