"""A store whose run is followed step by step, and a clock that tests move."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.core.store.conftest import any_store, postgres_server, postgres_store, sqlite_store
from tests.live.alarms.runs import LiveRun, live_run

__all__ = ["any_store", "postgres_server", "postgres_store", "sqlite_store"]


@pytest.fixture
def run(any_store: str) -> Iterator[LiveRun]:
    with live_run(any_store) as made:
        yield made


@pytest.fixture
def run_in_file(sqlite_store: str) -> Iterator[LiveRun]:
    with live_run(sqlite_store) as made:
        yield made
