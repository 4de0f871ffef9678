"""The examples in docstrings run, and the pages that are generated from the code are up to date."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import subprocess
import sys

import pytest

import tidings
from tests.conftest import ROOT

MODULES = sorted(module.name for module in pkgutil.walk_packages(tidings.__path__, "tidings."))


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_run(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.failed == 0


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
