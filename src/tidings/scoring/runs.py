"""Runs of updates, wherever they are kept: a file, or a store that `tidings follow` filled."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from tidings.errors import Problems, UsageError
from tidings.records import Run

__all__ = ["files_only", "is_store", "read_runs"]

R = TypeVar("R")


def is_store(path: str | Path) -> bool:
    """Whether a path or URL names a store rather than a file of runs."""
    from tidings import store

    look: Callable[[str | Path], bool] | None = getattr(store, "is_store", None)
    return bool(look and look(path))


def read_runs(path: str | Path, problems: Problems | None = None) -> list[Run]:
    """All runs of a file or a store.

    Raises:
        FormatError: bad lines, all together; or no update at all.
        StoreError: the store cannot be read.
    """
    if is_store(path):
        from tidings import store

        return list(store.read_runs(str(path)))  # type: ignore[attr-defined,unused-ignore]
    from tidings.formats import read_runs as read_file

    return read_file(path, problems=problems)


def files_only(rules: str, read: Callable[[Path, Problems], R]) -> Callable[[Path, Problems], R]:
    """A reader of files that says so when it is given a store.

    Raises:
        UsageError: a store holds no runs of this kind.
    """

    def reading(path: Path, problems: Problems) -> R:
        if is_store(path):
            raise UsageError(
                f"{path}: found a store, expected a run file: {rules} scores no updates; "
                "rules such as trec-2014 score what a store holds"
            )
        return read(path, problems)

    return reading
