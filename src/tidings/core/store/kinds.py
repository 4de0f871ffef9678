"""Telling a store from other files, without loading what reads it."""

from __future__ import annotations

from pathlib import Path

__all__ = ["is_store"]

_MAGIC = b"SQLite format 3\x00"
_SCHEMES = ("sqlite:", "postgresql:", "postgresql+", "postgres:")


def is_store(path_or_url: str | Path) -> bool:
    """Whether this names a store: the URL of a database, or the path of a SQLite file.

    >>> is_store("postgresql://me@host/runs"), is_store("cunlp.run.gz"), is_store("-")
    (True, False, False)
    """
    name = str(path_or_url)
    if "://" in name:
        return name.startswith(_SCHEMES)
    path = Path(name)
    if not path.is_file():  # a pipe would be read empty
        return False
    try:
        with path.open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False
