"""The page on differences keeps its word: behind every line stands a test that is there."""

from __future__ import annotations

import re

from tests.conftest import ROOT
from tests.sweeps import every

ROWS = [
    line
    for line in (ROOT / "docs" / "evaluation" / "differences.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("|") and not line.startswith(("|---", "| What |"))
]


def names_of_tests() -> set[str]:
    """The names of all test functions and classes."""
    definition = re.compile(r"^ *(?:async )?(?:def|class) (\w+)", re.MULTILINE)
    paths = (ROOT / "tests").rglob("*.py")
    return {name for path in paths for name in definition.findall(path.read_text(encoding="utf-8"))}


def last_cell(row: str) -> str:
    """Where a row names its test; "the same" means that of the row above."""
    return row.rstrip(" |").rpartition("|")[2].strip()


def test_there_are_lines() -> None:
    assert len(ROWS) > 30


def test_each_line_names_tests_that_are_there() -> None:
    names = names_of_tests()

    @every("number", range(len(ROWS)), ids=lambda number: ROWS[number].split("|")[1].strip())
    def check(number: int) -> None:
        while last_cell(ROWS[number]) == "the same":
            number -= 1
        cited = re.findall(r"`([^`]*test_[^`]*)`", last_cell(ROWS[number]))
        assert cited, "no test"
        for name in cited:
            assert name.rpartition("::")[2] in names or (ROOT / name).is_file(), name

    check()
