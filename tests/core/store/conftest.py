"""Stores to test with: SQLite always, PostgreSQL where a server can be started."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.core.store.postgres import NoServerError, server_of_its_own
from tests.core.store.prepared import made_stores

__all__ = ["any_store", "made_stores", "postgres_server", "postgres_store", "sqlite_store"]


@pytest.fixture
def sqlite_store(tmp_path: Path) -> str:
    return str(tmp_path / "store.db")


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """A PostgreSQL server of its own, on a socket in a temporary folder; skips, saying so, without one."""
    pytest.importorskip("psycopg", reason="psycopg is not installed (pip install -e '.[postgres]')")
    try:
        with server_of_its_own(durable=False) as url:
            yield url
    except NoServerError as error:
        pytest.skip(str(error))


@pytest.fixture
def postgres_store(postgres_server: str) -> str:
    """An empty database."""
    import psycopg

    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return postgres_server


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def any_store(request: pytest.FixtureRequest) -> str:
    return str(request.getfixturevalue(f"{request.param}_store"))
