"""The words of pages, scripts, messages and docs: what docs/style.md has in the left column of its table is gone."""

from __future__ import annotations

import ast
import re
import shlex
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.conftest import ROOT
from tidings.core import pip_install

STYLE = ROOT / "docs" / "style.md"


def old_phrases() -> list[str]:
    """The left column of the table of the rules."""
    rows = re.findall(r"^\| (.+?) \| .+ \|$", STYLE.read_text("utf-8"), re.MULTILINE)
    return [phrase for phrase in rows if phrase != "not"]


@cache
def texts() -> list[tuple[Path, str]]:
    """What people read: templates, scripts, help, docs whole; of Python what stands in quotes, but no docstrings."""
    return list(read_texts())


def read_texts() -> Iterator[tuple[Path, str]]:
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


def hints() -> Iterator[tuple[Path, str]]:
    """Every command of pip in the docs, and what `pip_install` is given in Python."""
    for path, text in texts():
        where = path.relative_to(ROOT)
        for hint in re.findall(r"[^\s`(]*pip install[^`#\n]*", text):
            yield where, hint
        if path.suffix == ".py":
            for what in re.findall(r"pip_install\(f?['\"]([^'\"]+)['\"]\)", path.read_text("utf-8")):
                yield where, pip_install(what)


def test_a_hint_at_an_extra_works_in_a_clone_and_is_quoted() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    found, wrong = set(), []
    for path, hint in hints():
        words = shlex.split(hint)
        named = re.fullmatch(r"\.\[([a-z,{}]+)\]", words[-1]) if len(words) > 2 else None
        if "[" not in hint and "tidings" not in words:
            continue  # a package that is no extra
        if named is None or words[:-1] != [".venv/bin/pip", "install", "-e"] or "'" not in hint:
            wrong.append(f"{path}: {hint}")
        elif "{" not in named[1]:
            found |= set(named[1].split(","))
    assert not wrong, "\n".join(wrong)
    assert found <= set(extras)
    assert len(found) > 10


def test_a_hint_is_made_in_one_place() -> None:
    typed = [
        path.relative_to(ROOT)
        for path, text in texts()
        if path.suffix == ".py" and "pip install" in text and path.name != "errors.py"
    ]
    assert not typed
