"""JSON Lines of other people: an object a line, with fields of any names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any

from tidings.core import (
    LIMITS,
    Content,
    FormatError,
    Item,
    Limits,
    Notes,
    Problem,
    ReadingOptions,
    as_content,
)
from tidings.sources.tables.guessing import SAMPLE, Columns, choose_columns
from tidings.sources.tables.lines import line_blocks
from tidings.sources.tables.objects import decoded, fields_of
from tidings.sources.tables.rows import items_of

__all__ = ["items_of_objects", "objects_of_lines", "read_json_lines"]


def read_json_lines(
    source: str | Path | Content, *, options: ReadingOptions | None = None, notes: Notes | None = None
) -> Iterator[Item]:
    """The items of a file with one object of JSON a line, in flat memory.

    Fields are chosen as the columns of a table are, nested ones by names with points (`source.name`). Lines that are no
    object are noted and passed over.

    Raises:
        FormatError: no line is an object; or none of their fields holds dates, or text.
        UsageError: a field that was named is not there.
    """
    content = as_content(source)
    notes = notes if notes is not None else Notes()
    yield from items_of_objects(objects_of_lines(content, notes), content, options or ReadingOptions(), notes)


def objects_of_lines(
    content: Content, notes: Notes, limits: Limits = LIMITS
) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a file, each with the number of its line."""
    with content.open() as file:
        for first, lines in line_blocks(file, content.name, notes, limits):
            for number, line in enumerate(lines, first):
                if line.isspace():
                    continue
                try:
                    value = decoded(line.encode("utf-8", "replace"))
                except ValueError:
                    value = None
                if isinstance(value, dict) and value:
                    yield number, value
                else:
                    notes.drop(f"{content.name}:{number}", "a line that is no object of JSON")


def items_of_objects(
    objects: Iterable[tuple[int, dict[str, Any]]], content: Content, options: ReadingOptions, notes: Notes
) -> Iterator[Item]:
    """The items of objects, whose fields are chosen by a look at the first of them.

    Raises:
        FormatError: there is no object; or none of their fields holds dates, or text.
        UsageError: a field that was named is not there.
    """
    rest = iter(objects)
    sample = list(islice(rest, SAMPLE))
    if not sample:
        raise FormatError([Problem(content.name, 0, "no object of JSON", "one for each document")])
    fields = fields_of(value for _, value in sample)
    columns: Columns = choose_columns(
        fields.names,
        [fields.row(value) for _, value in sample],
        options,
        content.name,
        timeless=options.file_times and content.modified_time is not None,
    )
    notes.remark(f"{content.name}: {columns.said()}")
    row = fields.reader(columns.needed)
    rows = ((number, row(value)) for number, value in chain(sample, rest))
    yield from items_of(rows, columns, content.name, content.modified_time)
