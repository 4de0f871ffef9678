"""The words of pages, scripts, messages and docs: what docs/style.md has in the left column of its table is gone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.conftest import ROOT

STYLE = ROOT / "docs" / "style.md"


def old_phrases() -> list[str]:
    """The left column of the table of the rules."""
    rows = re.findall(r"^\| (.+?) \| .+ \|$", STYLE.read_text("utf-8"), re.MULTILINE)
    return [phrase for phrase in rows if phrase != "not"]


def texts() -> Iterator[tuple[Path, str]]:
    """What people read: templates, scripts, help, docs whole; of Python what stands in quotes, but no docstrings."""
    for path in sorted((ROOT / "src" / "tidings").rglob("*")):
        if path.suffix in (".j2", ".js") or (path.suffix == ".toml" and path.parent.name == "verbs"):
            yield path, path.read_text("utf-8")
        elif path.suffix == ".py":
            yield path, "\n".join(messages(ast.parse(path.read_text("utf-8"))))
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        if path != STYLE:
            yield path, path.read_text("utf-8")


def messages(tree: ast.AST) -> Iterator[str]:
    """The strings of a module that are no docstrings."""
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            yield node.value


def test_old_phrases_stay_out() -> None:
    phrases = old_phrases()
    assert len(phrases) > 20
    found = [
        f"{path.relative_to(ROOT)}: {phrase!r} (see docs/style.md)"
        for path, text in texts()
        for phrase in phrases
        if phrase in text
    ]
    assert not found, "\n".join(found)


def test_a_phrase_in_a_message_is_found_and_one_in_a_docstring_is_not() -> None:
    tree = ast.parse(
        '"""Work again."""\n\ndef rest(name):\n    """Given up."""\n    return f"Let {name} work again"\n'
    )
    assert list(messages(tree)) == ["Let ", " work again"]
