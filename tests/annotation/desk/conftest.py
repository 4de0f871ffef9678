"""Stores for the desk, and one with events to judge."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.annotation.desk.event_desks import EventDesk, copied_desk, event_desk
from tests.core.store.conftest import any_store, postgres_server, postgres_store, sqlite_store

__all__ = ["any_store", "ferry", "ferry_template", "postgres_server", "postgres_store", "sqlite_store"]


@pytest.fixture(scope="session")
def ferry_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("desk") / "desk.db"
    with event_desk(store):
        return store


@pytest.fixture
def ferry(ferry_template: Path, tmp_path: Path) -> Iterator[EventDesk]:
    with copied_desk(ferry_template, tmp_path / "desk.db") as made:
        yield made
