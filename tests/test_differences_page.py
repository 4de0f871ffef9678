"""The page on differences keeps its word: behind every line stands a test that is there."""

from __future__ import annotations

import ast
import re

import pytest

from tests.conftest import ROOT

ROWS = [
    line
    for line in (ROOT / "docs" / "differences.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("|") and not line.startswith(("|---", "| What |"))
]


def known() -> set[str]:
    """The names of all test functions and classes."""
    return {
        node.name
        for path in (ROOT / "tests").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }


KNOWN = known()


def test_there_are_lines() -> None:
    assert len(ROWS) > 30


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.split("|")[1].strip())
def test_a_line_names_a_test_that_is_there(row: str) -> None:
    named = re.findall(r"`([^`]*test_[^`]*)`", row.rstrip(" |").rpartition("|")[2])
    assert named, "no test"
    for name in named:
        assert name.rpartition("::")[2] in KNOWN or (ROOT / name).is_file(), name
