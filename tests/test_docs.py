"""The examples in docstrings run, and the pages that are generated from the code are up to date."""

from __future__ import annotations

import doctest
import importlib
import linecache
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import tidings
from tests.conftest import ROOT
from tests.sweeps import every
from tidings.following.systems import registry

NEEDS_EXTRA = {"torch": "tidings.research.training.hres.", "spark": "tidings.following.engines.spark."}
"""Extras that some of these modules cannot be loaded without."""
MODULES = sorted(module.name for module in pkgutil.walk_packages(tidings.__path__, "tidings."))


@every("name", MODULES)
def test_examples_in_docstrings_run(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # A runner asks before each example whether any file of the whole program has changed, a million times in all.
    monkeypatch.setattr(linecache, "checkcache", lambda filename=None: None)
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        extra = next((extra for extra, part in NEEDS_EXTRA.items() if name.startswith(part)), None)
        if extra is None or str(error.name).partition(".")[0] not in {extra, f"py{extra}"}:
            raise
        pytest.skip(f"{error.name} is not installed (extra `{extra}`)")
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    printed: list[str] = []
    for test in doctest.DocTestFinder().find(module):
        if test.examples:
            runner.run(test, out=printed.append)
    forget_registered()
    assert not runner.failures, "".join(printed)


def forget_registered() -> None:
    """Systems that an example has registered are not there for the next."""
    registry._registered.clear()
    registry._available.cache_clear()


PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
PAGES += sorted((ROOT / "docs").rglob("*.md"))


def anchors(text: str) -> set[str]:
    """The places of a page that can be linked to, named as GitHub names them."""
    heads = re.findall(r"^#+ (.+)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


@every("page", PAGES)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"```.*?```", "", text, flags=re.DOTALL)):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        there = page.parent / path if path else page
        assert there.exists(), f"{page} links to {target}, which is not there"
        if anchor:
            assert anchor in anchors(there.read_text(encoding="utf-8")), f"{page}: no heading for {target}"


def test_generated_pages_are_up_to_date() -> None:
    """`make docs` writes them; what is committed must be what it writes."""
    script = [sys.executable, str(ROOT / "scripts" / "write_docs.py"), "--check"]
    checked = subprocess.run(script, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_import_loads_nothing_heavy() -> None:
    code = (
        "import sys, tidings; "
        "print([name for name in ('torch', 'sklearn', 'pandas', 'numpy', 'sqlalchemy', 'rich') if name in sys.modules])"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert loaded.strip() == "[]"
