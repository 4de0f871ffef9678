"""A real Chromium, headless, or a reason to skip; and how to wait for what a page does."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.sweeps import cases

CHROMIUM = Path(os.environ.get("TIDINGS_CHROMIUM", "/usr/bin/chromium"))
PAINTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""For `evaluate`: until what was loaded is painted, and all it asks for is asked for."""

PATIENCE_MS = 60_000
"""A safety net alone: what is waited for is a state."""

ARGUMENTS = cases(__file__, "arguments")


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A browser context with an empty profile, shared by the tests of one process."""
    if not CHROMIUM.exists():
        pytest.skip(f"no Chromium at {CHROMIUM}: run scripts/install_browser.sh, or set TIDINGS_CHROMIUM")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as running:
        context = running.chromium.launch_persistent_context(
            str(tmp_path_factory.mktemp("profile")),
            executable_path=str(CHROMIUM),
            headless=True,
            args=ARGUMENTS,
            viewport={"width": 1200, "height": 900},
        )
        context.set_default_timeout(PATIENCE_MS)
        yield context
        context.close()


def ready(page: Any) -> None:
    """Wait until every script of a page of ours has run to its end."""
    page.wait_for_selector("html[data-ready]", state="attached", timeout=PATIENCE_MS)


def until(page: Any, holds: Callable[[], Any]) -> None:
    """Wait until it holds; the content policy of our pages lets no test wait inside of them."""
    for _ in range(PATIENCE_MS // 25):
        if holds():
            return
        page.wait_for_timeout(25)  # which lets the page's events come in
    raise AssertionError("this never came to be")


def findings(page: Any) -> list[str]:
    """All that axe-core finds wrong with a page, with the places."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found = axe.run(page).response
    assert found["passes"]
    return [
        f"{one['id']} ({one['impact']}): {[node['html'][:160] for node in one['nodes'][:3]]}"
        for one in found["violations"]
    ]
