"""The page of differences names tests; they must exist."""

from __future__ import annotations

import ast
import re
from functools import cache

from tests.conftest import ROOT
from tests.sweeps import every

PAGE = (ROOT / "docs" / "evaluation" / "differences.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`((?:tests/[\w/]+\.py::)?(?:Test\w+::)?test_\w+)`", PAGE)


@cache
def texts_of_tests() -> dict[str, str]:
    """The text of each file of tests, by its path: only those that hold a name are looked at closely."""
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    return {str(file.relative_to(ROOT)): file.read_text(encoding="utf-8") for file in files}


@cache
def names_in(path: str) -> set[str]:
    """The names of a file's tests, alone and with their class."""
    names = set()
    for node in ast.parse((ROOT / path).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.ClassDef):
            names |= {f"{node.name}::{item.name}" for item in node.body if isinstance(item, ast.FunctionDef)}
    return names


@every("name", NAMED)
def test_each_named_test_exists(name: str) -> None:
    path, _, inner = name.rpartition(".py::")
    if path:
        assert inner in names_in(f"{path}.py")
        return
    inner = name.rpartition("::")[2]
    everywhere = (names_in(path) for path, text in texts_of_tests().items() if f"def {inner}(" in text)
    assert any(known == name or known.endswith(f"::{name}") for names in everywhere for known in names)


def test_there_are_some() -> None:
    assert len(NAMED) > 20
