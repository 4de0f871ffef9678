"""Runs of updates, wherever they are kept: a file, or a store that `tidings follow` filled."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from tidings.core import Problems, Run, UsageError, is_store


def place_of(path: str | Path, event: str) -> str:
    """The place of the first line of an event, as path:line; the path alone for what has no lines."""
    from tidings.core import read_lines

    if is_store(path):
        return printable_path(path)
    if str(path) == "-" or Path(path).is_dir():
        return str(path)
    wanted = event.encode("utf-8", "surrogateescape")
    for number, line in read_lines(path):
        if line.split(None, 1)[:1] == [wanted] or b'"' + wanted + b'"' in line:
            return f"{path}:{number}"
    return str(path)


R = TypeVar("R")


def read_runs(path: str | Path, problems: Problems | None = None) -> list[Run]:
    """All runs of a file or a store.

    Raises:
        FormatError: bad lines, all together; or no run at all.
        StoreError: the store cannot be read.
        UsageError: the store holds no run.
    """
    if not is_store(path):
        from tidings.following import read_runs as read_file

        return read_file(path, problems=problems)
    from tidings.core import read_stored_runs  # which loads the database

    runs = read_stored_runs(str(path))
    if not runs:
        raise UsageError(f"{printable_path(path)}: no run in the store, so nothing can be scored")
    return runs


def digests_of_files(paths: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """(path, SHA-256) of those of the paths that are files."""
    from hashlib import file_digest

    digests = []
    for path in map(Path, paths):
        if path.is_file():
            with path.open("rb") as file:
                digests.append((str(path), file_digest(file, "sha256").hexdigest()))
    return tuple(digests)


def files_of_runs(paths: Iterable[str]) -> list[str | Path]:
    """The files behind some runs, that no output may replace: of a TREC run its card too, of a URL the store's file.

    >>> [str(path) for path in files_of_runs(["a.jsonl", "sqlite:///b.db", "postgresql://host/c"])]
    ['a.jsonl', 'a.jsonl.card.json', 'b.db']
    """
    from tidings.following import card_path

    files: list[str | Path] = []
    for path in paths:
        if "://" not in path:
            files += [path, card_path(path)]
        else:
            from tidings.core import file_of, parse_store

            file = file_of(parse_store(path))
            files += [] if file is None else [file]
    return files


def printable_path(path: str | Path) -> str:
    """A path, or the URL of a store without its password."""
    name = str(path)
    if "://" not in name:
        return name
    from tidings.core import parse_store, printable_url

    return printable_url(parse_store(name))


def files_only(rules: str, read: Callable[[str | Path, Problems], R]) -> Callable[[str | Path, Problems], R]:
    """A reader of files that says so when it is given a store.

    Raises:
        UsageError: a store holds no runs of this kind.
    """

    def reading(path: str | Path, problems: Problems) -> R:
        if is_store(path):
            raise UsageError(
                f"{printable_path(path)}: {rules} scores no updates, so it needs a run file, not a store; "
                "rules such as trec-2014 score stores"
            )
        return read(path, problems)

    return reading
