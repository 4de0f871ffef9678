"""A desk with the bundled event's pool and nuggets, nothing judged; and Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from shutil import copyfile

import argon2
import pytest

from tests.annotation.desk.conftest import ferry, ferry_template
from tests.annotation.pages.desks import People, bundled_judgments, desk_in, desk_with
from tests.core.store.conftest import any_store, postgres_server, postgres_store, sqlite_store

__all__ = [
    "any_store",
    "ferry",
    "ferry_template",
    "people",
    "postgres_server",
    "postgres_store",
    "prepared_desk",
    "quick_passwords",
    "sqlite_store",
]


@pytest.fixture(scope="session", autouse=True)
def quick_passwords() -> Iterator[None]:
    """Passwords are hashed with little work: these tests sign in often."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(argon2, "PasswordHasher", partial(argon2.PasswordHasher, time_cost=1, memory_cost=1024))
        yield


@pytest.fixture(scope="session")
def prepared_desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store that each test gets a copy of."""
    path = tmp_path_factory.mktemp("prepared") / "desk.db"
    with desk_with(path, bundled_judgments(judged=False)):
        pass
    return path


@pytest.fixture
def people(tmp_path: Path, prepared_desk: Path) -> Iterator[People]:
    with desk_in(copyfile(prepared_desk, tmp_path / "desk.db")) as made:
        yield made
