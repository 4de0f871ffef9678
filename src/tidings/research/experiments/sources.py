"""A digest of the code that a piece of work runs, so that results of other code are not taken for its own."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

_PASSED_THROUGH = (
    *(
        "core.records",
        "core.errors",
        "core.columns",
        "core.tasks",
        "core.protocols",
        "core.text",
        "core.models",
    ),
    *("core.files", "sources", "analysis"),
    *("following.stream", "following.outputs", "following.systems", "following.digests"),
    *("evaluation.measures", "evaluation.formats"),
    *("research.systems", "research.training", "research.experiments"),
)
"""The parts of the wings that a result passes through."""
_NOT_PASSED_THROUGH = ("sources.polling", "sources.inbox", "sources.bundled")
# These name what there is or which pieces there are, and both stand in the key of each: a new line in them changes no
# result.
_LISTS = {
    "tidings.following.systems.registry",
    "tidings.research.training",
    "tidings.research.training.trainers",
    "tidings.research.experiments.experiment",
    "tidings.research.experiments.jobs",
    "tidings.research.experiments.plan",
    "tidings.research.experiments.sources",
}


@lru_cache(maxsize=128)
def code_digest(*modules: str) -> str:
    """SHA-256 over the source of these modules and of all that they import of the parts that a result passes through.

    A file of words beside a module, of the same name (.toml), counts as part of it.

    Those are all but the command line, pages, stores and hosts: who reads, orders, decides and measures is in it. A
    module outside of tidings (a plug-in) counts with its own file only.

    >>> code_digest("tidings.following.systems.cosine") == code_digest("tidings.following.systems.sumbasic")
    False
    """
    source_of: dict[str, bytes] = {}
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        place = _place(name)
        if place is None or name in source_of:
            continue
        source, words = place.read_bytes(), place.with_suffix(".toml")
        source_of[name] = source + (words.read_bytes() if words.is_file() else b"")
        if name in modules or _ours(name):
            waiting += [module for module in _imports(name, place, source) if _ours(module)]
    digest = hashlib.sha256()
    for name in sorted(source_of):
        digest.update(name.encode() + b"\0" + hashlib.sha256(source_of[name]).digest())
    return digest.hexdigest()


def _ours(name: str) -> bool:
    return (
        _is_within(name, _PASSED_THROUGH) and not _is_within(name, _NOT_PASSED_THROUGH) and name not in _LISTS
    )


def _is_within(name: str, parts: tuple[str, ...]) -> bool:
    return f"{name}.".startswith(tuple(f"tidings.{part}." for part in parts))


@lru_cache(maxsize=1024)
def _place(name: str) -> Path | None:
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None
    return Path(spec.origin) if spec and spec.origin and spec.origin.endswith(".py") else None


@lru_cache(maxsize=1024)
def _imports(name: str, place: Path, source: bytes) -> tuple[str, ...]:
    return tuple(_import(name, place, source))


def _import(name: str, place: Path, source: bytes) -> Iterator[str]:
    home = name if place.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(home.split(".")[: len(home.split(".")) - node.level + 1]) if node.level else ""
            module = ".".join(part for part in (base, node.module or "") if part)
            homes = _face(module)
            yield from (homes.get(alias.name, module) for alias in node.names)
            # `from package import module` names a file too; a name that is none is left out later.
            yield from (f"{module}.{alias.name}" for alias in node.names)


@lru_cache(maxsize=64)
def _face(wing: str) -> dict[str, str]:
    """The module in which each name stands that a wing's face offers; empty for what is no wing."""
    place = _place(wing) if wing.count(".") == 1 else None
    stub = place.with_suffix(".pyi") if place is not None else None
    if stub is None or not stub.is_file():
        return {}
    return {
        alias.name: f"{wing}.{node.module}" if node.module else wing
        for node in ast.parse(stub.read_bytes()).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
