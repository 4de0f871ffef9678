"""Folders of other people's files: pages, texts, feeds, tables, archives, each read by the reader that suits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tidings.core import (
    Content,
    Item,
    Notes,
    ReadingOptions,
    UsageError,
    as_content,
    is_folder,
    is_there,
    nothing_there,
)
from tidings.sources.pages.members import read_member
from tidings.sources.pages.places import files_below

__all__ = ["read_folder"]


def read_folder(
    source: str | Path | Content, *, options: ReadingOptions | None = None, notes: Notes | None = None
) -> Iterator[Item]:
    """The items of all files of a folder and the folders in it, by the order of their names.

    Hidden files, pictures, styles and the like are passed over and counted, and so is what cannot be read. A link to a
    folder is followed once.

    Raises:
        UsageError: there is no such folder.
    """
    content = as_content(source)
    folder = content.path if content.path is not None else content.name
    if not is_folder(folder):
        raise (
            UsageError(f"{folder}: found a file, expected a folder")
            if is_there(folder)
            else nothing_there(folder, "folder")
        )
    options, notes = options or ReadingOptions(), notes or Notes()
    for path, modified in files_below(folder, notes):
        yield from read_member(Content(str(path), path=path, modified_time=modified), options, notes)
