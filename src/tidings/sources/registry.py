"""Formats in a list: the name of each, what it holds, the names its files go by, and who reads and writes it.

What chooses a format by the name of a file chooses from such a list. Here is that of documents, events and judgments;
the lists of runs (`following.outputs`) and of every task (`evaluation.formats`) go on from it. A reader or writer is
loaded when it is first called. docs/core/formats.md shows them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import msgspec

from tidings.core import (
    Content,
    Item,
    Notes,
    ReadingOptions,
    as_content,
    compression_of,
    data_beside,
    ending,
    find,
    is_folder,
    is_there,
)


@dataclass(frozen=True, slots=True)
class Format:
    """A format.

    >>> DOCUMENT_FORMATS["documents"].is_name_of("a.jsonl.gz"), DOCUMENT_FORMATS["topics"].is_name_of("a.tsv")
    (True, False)

    Args:
        name: by which `tidings convert` calls it.
        holds: of what; formats that hold the same can stand for each other.
        description: in a few words.
        usual_name: of its files, for people.
        reader: module and function, as `sources.feeds.feed:read_feed`.
        writer: the same; empty where none is needed.
        endings: of its files; none where any name will do that `other_endings` does not hold.
        other_endings: those of formats that a file of any name is not of.
        is_folder: whether it is a folder of files.
        marks: files of which a folder of this format holds one; none where any folder will do.
        events: the reader of a folder's events, as `reader`.
        piped: whether it is what standard input holds, among the formats that hold the same.
        becomes: the names of formats it can be converted to, the likeliest first.
    """

    name: str
    holds: str
    description: str
    usual_name: str
    reader: str
    writer: str = ""
    endings: tuple[str, ...] = ()
    other_endings: tuple[str, ...] = ()
    is_folder: bool = False
    marks: tuple[str, ...] = ()
    events: str = ""
    piped: bool = False
    becomes: tuple[str, ...] = ()

    @property
    def takes_any_name(self) -> bool:
        """Whether no ending and no file of a folder marks this format."""
        return not (self.endings or self.marks)

    def read(self, path: str | Path | Content, **options: Any) -> Any:
        """What the reader makes of a file or folder, with the options that it takes."""
        return _load(self.reader)(path, **options)

    def read_events(self, folder: str | Path, **options: Any) -> Any:
        """The events of a folder of judgments."""
        return _load(self.events)(folder, **options)

    def write(self, path: str | Path, content: Any, **options: Any) -> Any:
        """Write what a reader gave."""
        return _load(self.writer)(path, content, **options)

    def is_name_of(self, path: str | Path) -> bool:
        """Whether a file of this format may have this name, or a folder of it hold these files."""
        if str(path) == "-":
            return self.piped
        if is_folder(path):
            return self.is_folder and (not self.marks or find(path, *self.marks) is not None)
        return not self.is_folder and self._has_ending(path)

    def suits(self, path: str | Path) -> bool:
        """Whether what is written to this path may be of this format."""
        if str(path) == "-":
            return not self.is_folder
        if self.is_folder:
            return is_folder(path) or not (ending(path) or compression_of(path) or is_there(path))
        return not is_folder(path) and self._has_ending(path)

    def _has_ending(self, path: str | Path) -> bool:
        last = ending(path)
        return last in self.endings if self.endings else last not in self.other_endings


class ItemReader(Protocol):
    """Reads the items of a file, or of what was fetched; `notes` says what was left out."""

    def __call__(
        self,
        source: str | Path | Content,
        *,
        options: ReadingOptions | None = None,
        notes: Notes | None = None,
    ) -> Iterator[Item]:
        """The items, in their order."""


def item_reader(read: Callable[[Content, ReadingOptions, Notes], Iterator[Item]]) -> ItemReader:
    """Let a reader of contents be given a path too, and neither options nor notes."""

    @wraps(read)
    def read_source(
        source: str | Path | Content, *, options: ReadingOptions | None = None, notes: Notes | None = None
    ) -> Iterator[Item]:
        return read(as_content(source), options or ReadingOptions(), notes or Notes())

    return read_source


def _load(name: str) -> Callable[..., Any]:
    module, _, function = name.partition(":")
    loaded: Callable[..., Any] = getattr(import_module(f"tidings.{module}"), function)
    return loaded


class FormatList(Mapping[str, Format]):
    """Formats by their names, in an order that says which is meant where several could be."""

    def __init__(self, *formats: Format) -> None:
        self._formats = {each.name: each for each in formats}

    def __getitem__(self, name: str) -> Format:
        return self._formats[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._formats)

    def __len__(self) -> int:
        return len(self._formats)

    def choose(self, holds: str, path: str | Path) -> Format | None:
        """The format that a path's name tells, among those that hold this; that of any name where there is one, or
        None.

        >>> DOCUMENT_FORMATS.choose("events", "a.xml").name, DOCUMENT_FORMATS.choose("events", "a.tsv")
        ('topics', None)
        """
        formats = sorted(
            (each for each in self.values() if each.holds == holds), key=lambda each: each.takes_any_name
        )
        named = next((each for each in formats if each.is_name_of(path)), None)
        return named or next((each for each in formats if each.takes_any_name), None)


def formats_beside(module_file: str) -> list[Format]:
    """The formats that the TOML file beside a module lists."""
    return msgspec.convert(data_beside(module_file)["formats"], list[Format])


DOCUMENT_FORMATS = FormatList(*formats_beside(__file__))
"""The formats of documents, events and judgments, by their names."""


def is_own_folder(folder: str | Path) -> bool:
    """Whether a folder is in tidings' own format, by the files it holds."""
    return find(folder, *DOCUMENT_FORMATS["judgments"].marks) is not None
