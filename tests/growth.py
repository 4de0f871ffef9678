"""What is measured where a text may be hostile: every regular expression of the source, at texts that double in length.

`python -m bench.growth` prints what is measured here; `tests/text/test_growth.py` says how much is too much.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from time import process_time
from typing import Any

import tidings

__all__ = ["CALLS", "Expression", "expressions", "measure", "read_listing", "texts_of"]

SOURCE = Path(tidings.__file__).parent
LISTING = Path(__file__).with_name("regular_expressions.txt")

CALLS = ("compile", "search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn")
_MADE_WHEN_RUN = "made when it is run"


@dataclass(frozen=True)
class Expression:
    """A regular expression of the source: where it stands, how it is used, and the pattern; None: made when it is run."""

    module: str
    method: str
    written: str
    pattern: re.Pattern[Any] | None

    @property
    def line(self) -> str:
        """How the listing names it: module, digest of what is written (and of what that makes), and its beginning."""
        made = _MADE_WHEN_RUN if self.pattern is None else repr((self.pattern.pattern, self.pattern.flags))
        digest = blake2b(f"{self.method} {self.written} {made}".encode(), digest_size=6).hexdigest()
        shown = " ".join(self.written.split())
        return f"{self.module} {digest} {shown[:70]}{'…' if len(shown) > 70 else ''}"

    def run(self, text: str) -> None:
        """Use it on a text from its beginning to its end, as the source does or, compiled, may do."""
        assert self.pattern is not None
        subject: Any = text.encode("utf-8", "replace") if isinstance(self.pattern.pattern, bytes) else text
        if self.method in ("match", "fullmatch"):
            getattr(self.pattern, self.method)(subject)
            return
        for _ in self.pattern.finditer(subject):
            pass


def expressions() -> list[Expression]:
    """All of them, in the order of their files: calls of `re` with what they are given as their module sees it."""
    found: list[Expression] = []
    for path in sorted(SOURCE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "re." not in text or "import re\n" not in text:
            continue
        name = ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__")
        tree = ast.parse(text)
        for call, method in _calls(tree):
            written = ast.unparse(call)
            found.append(Expression(name, method, written, _pattern(name, call)))
    return found


def _calls(tree: ast.Module) -> Iterator[tuple[ast.Call, str]]:
    # re.compile(…).method is used as that method says; what is compiled and kept may be used in any way.
    used = {
        id(node.value): node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Call)
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.func.attr in CALLS
        ):
            own = node.func.attr
            yield node, used.get(id(node), "finditer") if own == "compile" else own


def _pattern(module: str, call: ast.Call) -> re.Pattern[Any] | None:
    flags = next((word.value for word in call.keywords if word.arg == "flags"), None)
    place = {"compile": 1, "sub": 4, "subn": 4, "split": 3}.get(call.func.attr, 2)  # type: ignore[attr-defined]
    if flags is None and len(call.args) > place:
        flags = call.args[place]
    names = vars(importlib.import_module(module))
    try:
        pattern = _evaluated(call.args[0], names)
        return re.compile(pattern, _evaluated(flags, names) if flags is not None else 0)
    except (NameError, AttributeError, TypeError):
        return None  # of something that a function is given or works out


def _evaluated(node: ast.expr, names: dict[str, Any]) -> Any:
    return eval(compile(ast.Expression(node), "<pattern>", "eval"), dict(names))  # noqa: S307 - our own source


def read_listing() -> list[str]:
    """The lines of the expressions that are known to grow no faster than their text."""
    return LISTING.read_text(encoding="utf-8").splitlines()


def texts_of(seed: str, length: int) -> Iterator[str]:
    """A seed again and again, alone and between words."""
    body = (seed * (length // len(seed) + 1))[:length]
    yield body
    yield f"a word. {body}word 1"


def measure(call: Callable[[str], object], text: str, times: int = 1) -> float:
    """The least processor time of some calls, in seconds."""
    least = float("inf")
    for _ in range(times):
        began = process_time()
        call(text)
        least = min(least, process_time() - began)
    return least
