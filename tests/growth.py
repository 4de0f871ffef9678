"""What is measured where a text may be hostile: every regular expression of the source, at texts that double in length.

`python -m bench.growth` prints what is measured here; `tests/core/text/test_growth.py` says how much is too much.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from math import log
from pathlib import Path
from time import process_time
from typing import Any

from msgspec import Struct

import tidings
from tests.hostile_seeds import SEEDS

__all__ = [
    "LISTING",
    "Expression",
    "Growth",
    "expressions",
    "grows_too_fast",
    "measure",
    "read_listing",
    "texts_of",
    "worst_growth",
]

SOURCE = Path(tidings.__file__).parent
LISTING = Path(__file__).with_name("regular_expressions.txt")

_CALLS = ("compile", "search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn")
FLOOR_S = 0.02
"""What takes less processor time than this is quick enough, whatever it took for a shorter text."""

MOST = 8.0
"""How many times as long a text of four times the length may take: linear is 4, the square 16."""

_MADE_WHEN_RUN = "made when it is run"


@dataclass(frozen=True)
class Expression:
    """A regular expression: where it stands, how it is used, and its pattern (None: made as it is used)."""

    module: str
    method: str
    written: str
    pattern: re.Pattern[Any] | None

    @property
    def line(self) -> str:
        """How the listing names it: module, digest of what is written (and of what that makes), and its beginning."""
        # By its sorted characters: some are put together of a set, whose order differs from process to process.
        made = (
            _MADE_WHEN_RUN if self.pattern is None else f"{sorted(self.pattern.pattern)} {self.pattern.flags}"
        )
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
    of_functions = dict.fromkeys(one.module for one in found if one.pattern is None)
    known = {one.pattern for one in found}
    found += [one for module in of_functions for one in _kept(module) if one.pattern not in known]
    return found


def _calls(tree: ast.Module) -> Iterator[tuple[ast.Call, str]]:
    # What is compiled is used as its methods say that are asked for at once, or of the name that it is kept by.
    asked: dict[int, set[str]] = {}
    of_names: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in _CALLS:
            asked.setdefault(id(node.value), set()).add(node.attr)
            if isinstance(node.value, ast.Name):
                of_names.setdefault(node.value.id, set()).add(node.attr)
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            asked.setdefault(id(node.value), set()).update(of_names.get(node.targets[0].id, ()))
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.func.attr in _CALLS
        ):
            used = asked.get(id(node), set()) if node.func.attr == "compile" else {node.func.attr}
            yield node, used.pop() if used in ({"match"}, {"fullmatch"}) else "finditer"


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


def _kept(module: str) -> Iterator[Expression]:
    """What a module keeps that its functions made."""
    waiting, seen = (
        [value for name, value in vars(importlib.import_module(module)).items() if name != "__builtins__"],
        set(),
    )
    while waiting:
        value = waiting.pop()
        if isinstance(value, re.Pattern):
            yield Expression(module, "finditer", value.pattern, value)
        elif isinstance(value, (list, tuple)) and id(value) not in seen:
            seen.add(id(value))
            waiting += value
        elif isinstance(value, dict) and id(value) not in seen:
            seen.add(id(value))
            waiting += value.values()
        elif isinstance(value, Struct):
            waiting += [getattr(value, name) for name in value.__struct_fields__]


def _evaluated(node: ast.expr, names: dict[str, Any]) -> Any:
    return eval(compile(ast.Expression(node), "<pattern>", "eval"), dict(names))


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


def grows_too_fast(call: Callable[[str], object], length: int, seeds: Mapping[str, str] = SEEDS) -> list[str]:
    """The seeds of which a text of this length takes more than `MOST` times as long as a quarter of it."""
    fast: list[str] = []
    for name, seed in seeds.items():
        short_texts, texts = texts_of(seed, length // 4), texts_of(seed, length)
        for short, text in zip(short_texts, texts, strict=True):
            took = measure(call, text)
            if took >= FLOOR_S and measure(call, text, 2) > MOST * measure(call, short, 3):
                fast.append(name)
                break
    return fast


@dataclass(frozen=True)
class Growth:
    """The seed on which something takes longest, and its processor time at one, two and four times a length."""

    name: str
    seed: str
    times_s: tuple[float, float, float]

    @property
    def exponent(self) -> float:
        """Of the length, in the time: 1 linear, 2 the square."""
        return log(max(self.times_s[2], 1e-9) / max(self.times_s[0], 1e-9), 4)


def worst_growth(
    name: str, call: Callable[[str], object], length: int, seeds: Mapping[str, str] = SEEDS
) -> Growth:
    """How it grows on the seed that takes longest at four times the length."""
    took, seed = max(
        (max(measure(call, text) for text in texts_of(seed, 4 * length)), seed_name)
        for seed_name, seed in seeds.items()
    )
    least, middle = (
        max(measure(call, text, 2) for text in texts_of(seeds[seed], size)) for size in (length, 2 * length)
    )
    return Growth(name, seed, (least, middle, took))
