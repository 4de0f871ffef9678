"""The logic of the pages' scripts, tried in Node: what needs no browser to go wrong. Playwright brings Node along."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.browser
@pytest.mark.parametrize("name", sorted(path.name for path in HERE.glob("*.test.mjs")))
def test_script(name: str) -> None:
    """Each file holds tests of its own; what fails is shown as Node reports it."""
    playwright = pytest.importorskip("playwright", reason="playwright is not installed")
    node = Path(playwright.__file__).parent / "driver" / "node"
    if not node.exists():
        pytest.skip(f"no Node at {node}")
    done = subprocess.run(
        [node, "--import", "./page.mjs", "--test", "--test-reporter=spec", name],
        cwd=HERE,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ℹ pass 0\n" not in done.stdout
