"""A file of a folder or an archive: read as what it is, and noted where it cannot be."""

from __future__ import annotations

from collections.abc import Iterator

from tidings.core import Content, FormatError, Item, LimitError, Notes, ReadingOptions
from tidings.sources.recognition import recognise

__all__ = ["read_member"]

_INSIDE = frozenset(("zip", "tar", "folder"))


def read_member(
    content: Content, options: ReadingOptions, notes: Notes, *, within: bool = False
) -> Iterator[Item]:
    """The items of one file among others; why it has none is noted, and its neighbours are read.

    Args:
        content: the file.
        options: how items are understood.
        notes: where it is said what was left out.
        within: whether it stands in an archive: an archive in an archive is not opened.
    """
    try:
        kind = recognise(content)
        if kind is None:
            notes.drop(content.name, "a file of no kind that is known")
        elif within and kind.name in _INSIDE:
            notes.drop(content.name, "an archive in an archive")
        else:
            yield from kind.read(content, options=options, notes=notes)
    except LimitError as error:
        notes.drop(content.name, "a file over a limit")
        notes.remark(str(error).splitlines()[0])
    except FormatError as error:
        notes.drop(content.name, "a file that is damaged or not what its name says")
        notes.remark(str(error).splitlines()[0])
