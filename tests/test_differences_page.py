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


def last_cell(row: str) -> str:
    """Where a row names its test; "the same" means that of the row above."""
    return row.rstrip(" |").rpartition("|")[2].strip()


def test_there_are_lines() -> None:
    assert len(ROWS) > 30


@pytest.mark.parametrize("number", range(len(ROWS)), ids=lambda number: ROWS[number].split("|")[1].strip())
def test_a_line_names_a_test_that_is_there(number: int) -> None:
    while last_cell(ROWS[number]) == "the same":
        number -= 1
    named = re.findall(r"`([^`]*test_[^`]*)`", last_cell(ROWS[number]))
    assert named, "no test"
    for name in named:
        assert name.rpartition("::")[2] in KNOWN or (ROOT / name).is_file(), name
