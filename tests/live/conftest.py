"""The stores of `tests/core/store`, for what live pages keep in one."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.core.store.conftest import any_store, made_stores, postgres_server, postgres_store, sqlite_store

__all__ = ["any_store", "made_stores", "postgres_server", "postgres_store", "sqlite_store"]


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page in Chromium; the test fails where a script of it does."""
    context = browser.browser.new_context(viewport={"width": 1100, "height": 800})
    one = context.new_page()
    faults: list[str] = []
    one.on("pageerror", lambda error: faults.append(str(error)))
    yield one
    context.close()
    assert faults == []
