"""What a reader of items is given: a file, a member of an archive or what was fetched; and where it notes things."""

from __future__ import annotations

import io
from collections import Counter
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from tidings.core.errors import LimitError
from tidings.core.files.reading import LIMITS, MIB, Limits, is_regular, named, open_bytes

__all__ = ["Content", "Notes", "ReadingOptions", "as_content"]

_HEAD = 4096


class ReadingOptions(Struct, frozen=True, kw_only=True):
    """How the items of other people's files are understood.

    Args:
        zone: of times that name none: an IANA name (`Europe/Madrid`) or an offset (`+02:00`); "" for UTC.
        year: of dates that name none; None leaves these dates unread.
        day_first: whether 03/04/2026 is the 3rd of April; None decides by all dates of the file.
        columns: pairs of a field (id, time, title, text, url, outlet, language) and the column of a table with it.
        file_times: whether a file's own time stands for a date that it does not tell.
        quality: whether pages are read with more care, and more slowly (the extra `quality`).
        language: of all documents; "" decides for each.
        allow_private: whether addresses of a private network may be fetched.
    """

    zone: str = ""
    year: int | None = None
    day_first: bool | None = None
    columns: tuple[tuple[str, str], ...] = ()
    file_times: bool = False
    quality: bool = False
    language: str = ""
    allow_private: bool = False

    def in_words(self) -> str:
        """What differs from what is usual, as a run keeps it; "" where nothing does.

        >>> ReadingOptions(zone="Europe/Madrid", day_first=True, columns=(("time", "date"),)).in_words()
        'zone Europe/Madrid, day first, column date as time'
        """
        order = "" if self.day_first is None else "day first" if self.day_first else "month first"
        words = [
            f"zone {self.zone}" if self.zone else "",
            f"year {self.year}" if self.year is not None else "",
            order,
            *[f"column {column} as {field}" for field, column in self.columns],
            "file times" if self.file_times else "",
            "with care" if self.quality else "",
            f"language {self.language}" if self.language else "",
        ]
        return ", ".join(one for one in words if one)


class Notes:
    """What was left out while reading, and what else a reader of the report should know.

    >>> notes = Notes()
    >>> notes.drop("world.xml:7", "no date"); notes.drop("world.xml:9", "no date"); notes.remark("times without a zone")
    >>> notes.dropped, notes.examples, notes.remarks
    (Counter({'no date': 2}), [('world.xml:7', 'no date'), ('world.xml:9', 'no date')], ['times without a zone'])
    """

    _KEPT = 20

    def __init__(self) -> None:
        self.dropped: Counter[str] = Counter()
        self.examples: list[tuple[str, str]] = []
        self.remarks: list[str] = []

    def drop(self, origin: str, reason: str) -> None:
        """Note that what stands at `origin` is no document; `reason` is short and the same for its like."""
        self.dropped[reason] += 1
        if len(self.examples) < self._KEPT:
            self.examples.append((origin, reason))

    def remark(self, remark: str) -> None:
        """Note something once; of many remarks only the first are kept."""
        if remark not in self.remarks and len(self.remarks) < self._KEPT:
            self.remarks.append(remark)


class Content:
    """A file, a member of an archive, or what a server gave: its name, and its bytes as often as wanted.

    >>> content = Content("a.txt", data=b"A ferry burns.")
    >>> content.head(), content.read()
    (b'A ferry burns.', b'A ferry burns.')

    Args:
        name: as messages call it: a path, `saved.zip!fire.html`, a URL.
        path: of the file; None where `data` holds it. `-` is standard input, which can be read once.
        data: the bytes; None where they stand in a file.
        url: where it was fetched; "" for a file.
        content_type: as a server or an archive names it.
        modified_time: when the file was last changed, in seconds UTC.
    """

    __slots__ = ("content_type", "data", "modified_time", "name", "path", "url")

    def __init__(
        self,
        name: str,
        *,
        path: str | Path | None = None,
        data: bytes | None = None,
        url: str = "",
        content_type: str = "",
        modified_time: int | None = None,
    ) -> None:
        self.name, self.path, self.data = name, path, data
        self.url, self.content_type, self.modified_time = url, content_type, modified_time

    def open(self, limits: Limits = LIMITS) -> BinaryIO:
        """The bytes as a file, unpacked where the name says that they are packed."""
        return io.BytesIO(self.data) if self.data is not None else open_bytes(self.path or "", limits=limits)

    def head(self, size: int = _HEAD) -> bytes:
        """The first bytes; of standard input and pipes none, as they can be read only once."""
        if self.data is not None:
            return self.data[:size]
        if self.path is None or not is_regular(self.path):
            return b""
        with self.open() as file:
            return file.read(size)

    def read(self, limits: Limits = LIMITS) -> bytes:
        """All bytes. Raises LimitError for more than a file may have that is read as a whole."""
        most = limits.max_whole_bytes
        if self.data is not None:
            data = self.data
        else:
            with self.open(limits) as file:
                data = file.read(most + 1)
        if len(data) > most:
            raise LimitError(
                f"{self.name}: found more than {most // MIB:,} MiB, expected less: it is read as a whole; split it"
            )
        return data


def as_content(source: str | Path | Content) -> Content:
    """A path as content; content as it is."""
    if isinstance(source, Content):
        return source
    modified = int(Path(source).stat().st_mtime) if is_regular(source) else None
    return Content(named(source), path=source, modified_time=modified)
