"""What a stream argument names, of whatever kind, read for its documents alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tidings.errors import Problems
from tidings.formats import read_stream
from tidings.records import Document
from tidings.sources.reading import is_foreign, open_reading

__all__ = ["read_any"]


def read_any(
    path: str | Path, *, pool: str = "sampled", problems: Problems | None = None
) -> Iterator[Document]:
    """The documents of a stream: those of feeds, pages, tables and archives in the order of their times.

    tidings' own documents come in the order of their file, and in flat memory; see `tidings.formats.read_stream`.

    >>> from tidings import bundled
    >>> next(read_any(bundled.path())).title
    "Tonight's programme in the old town"
    """
    stream = str(path)
    if is_foreign(stream):
        return iter(open_reading([stream], problems=problems, pool=pool))
    return read_stream(path, pool=pool, problems=problems)
