"""What a path holds, told by names alone: the ending of a file, or the files of a folder."""

from __future__ import annotations

import os.path
import re
from pathlib import Path

from tidings.core.errors import UsageError

__all__ = [
    "COMPRESSED",
    "JSON_LINES",
    "ending",
    "find",
    "is_folder",
    "is_jsonl",
    "is_there",
    "is_url",
    "need_folder",
    "nothing_there",
    "part_files",
]

COMPRESSED = ("", ".gz", ".xz", ".zst")
JSON_LINES = (".jsonl", ".ndjson")
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]+):/+", re.IGNORECASE)


def ending(path: str | Path) -> str:
    """The last ending of a file's name in small letters, not counting the one of its compression.

    >>> ending("runs/a.JSONL.zst"), ending("a.run.gz"), ending("-")
    ('.jsonl', '.run', '')
    """
    name = Path(path)
    if name.suffix.lower() in COMPRESSED[1:]:
        name = name.with_suffix("")
    return name.suffix.lower()


def is_jsonl(path: str | Path) -> bool:
    """Whether a file's name says JSON Lines."""
    return ending(path) in JSON_LINES


def is_folder(path: str | Path) -> bool:
    """Whether there is a folder of this name; false, too, for a name that nothing can have."""
    return os.path.isdir(path)  # noqa: PTH112 (that of pathlib raises for a name that is too long)


def is_there(path: str | Path) -> bool:
    """Whether there is a file or folder of this name; false, too, for a name that nothing can have."""
    return os.path.exists(path)  # noqa: PTH110


def find(folder: str | Path, *names: str) -> Path | None:
    """The first of these files that a folder holds, compressed or not; None when there is none."""
    for name in names:
        for suffix in COMPRESSED:
            path = Path(folder) / (name + suffix)
            if path.is_file():
                return path
    return None


def part_files(folder: str | Path) -> tuple[Path, ...]:
    """The files of a folder that holds nothing but files of JSON Lines, of any names, in their order; else none.

    Files whose names begin with a point or `_` are passed over: something may still be written to them.
    """
    if not is_folder(folder):
        return ()
    paths = []
    for path in Path(folder).iterdir():
        if path.name.startswith((".", "_")):
            continue
        if not is_jsonl(path) or not path.is_file():
            return ()  # there may be millions
        paths.append(path)
    return tuple(sorted(paths))


def is_url(path: str | Path) -> bool:
    """Whether a URL stands for a path, also one that `Path` has made a path of.

    >>> is_url(Path("https://example.org/a.run")), is_url("a.run")
    (True, False)
    """
    return _SCHEME.match(str(path)) is not None


def nothing_there(path: str | Path, what: str = "file") -> UsageError:
    """The error for a path where nothing is; of a URL, also one that `Path` has made a path of, that it is one.

    >>> print(nothing_there(Path("https://example.org/a.run")))
    https://example.org/a.run: found a URL, expected a file; URLs are not read yet: download it first
    """
    if scheme := _SCHEME.match(str(path)):
        url = f"{scheme[1]}://{str(path)[scheme.end() :]}"
        return UsageError(f"{url}: found a URL, expected a {what}; URLs are not read yet: download it first")
    return UsageError(f"{path}: there is no such {what}; check the name")


def need_folder(folder: str | Path) -> Path:
    """The folder as a path; raises UsageError when it is no folder."""
    path = Path(folder)
    if is_folder(path):
        return path
    if is_there(path):
        raise UsageError(
            f"{folder}: found a file, expected a folder of judgments; name the folder that holds it"
        )
    raise nothing_there(folder, "folder")
