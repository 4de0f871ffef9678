"""A desk with the bundled event's pool and nuggets, nothing judged; and Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import browser
from tests.web.desks import People, bundled_judgments, desk_with

__all__ = ["browser", "people"]


@pytest.fixture
def people(tmp_path: Path) -> Iterator[People]:
    with desk_with(tmp_path / "desk.db", bundled_judgments(judged=False)) as made:
        yield made
