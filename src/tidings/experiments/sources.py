"""A digest of the code that a system and its trainer run, so that results of other code are not taken for theirs."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

__all__ = ["code_digest"]

_ROOMS = ("text", "systems", "training")
# These only name what there is: a new line in them changes no result.
_LISTS = {
    "tidings.systems.registry",
    "tidings.systems.models",
    "tidings.training",
    "tidings.training.trainers",
}


@lru_cache(maxsize=128)
def code_digest(*modules: str) -> str:
    """SHA-256 over the source of these modules and of all of text/, systems/ and training/ that they import.

    A module outside of tidings (a plug-in) counts with its own file only.

    >>> code_digest("tidings.systems.cosine") == code_digest("tidings.systems.sumbasic")
    False
    """
    found: dict[str, bytes] = {}
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        place = _place(name)
        if place is None or name in found:
            continue
        source = place.read_bytes()
        found[name] = source
        if name in modules or _ours(name):
            waiting += [one for one in _imports(name, place, source) if _ours(one)]
    digest = hashlib.sha256()
    for name in sorted(found):
        digest.update(name.encode() + b"\0" + hashlib.sha256(found[name]).digest())
    return digest.hexdigest()


def _ours(name: str) -> bool:
    parts = name.split(".")
    return parts[0] == "tidings" and len(parts) > 1 and parts[1] in _ROOMS and name not in _LISTS


@lru_cache(maxsize=1024)
def _place(name: str) -> Path | None:
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None
    return Path(spec.origin) if spec and spec.origin and spec.origin.endswith(".py") else None


def _imports(name: str, place: Path, source: bytes) -> Iterator[str]:
    home = name if place.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(home.split(".")[: len(home.split(".")) - node.level + 1]) if node.level else ""
            module = ".".join(part for part in (base, node.module or "") if part)
            yield module
            # `from package import module` names a file too; a name that is none is left out later.
            yield from (f"{module}.{alias.name}" for alias in node.names)
