"""CSV and its kin: cells apart by commas, semicolons, tabs or bars, as programs, people and Excel write them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path

from msgspec.structs import replace

from tidings.core import (
    Content,
    FormatError,
    Item,
    LimitError,
    Notes,
    Problem,
    ReadingOptions,
    as_content,
    ending,
)
from tidings.sources.tables.cells import is_clock, is_date, is_number
from tidings.sources.tables.fields import simple
from tidings.sources.tables.guessing import SAMPLE, Columns, choose_columns
from tidings.sources.tables.lines import line_blocks
from tidings.sources.tables.records import Dialect, dialect_of, records, width_of
from tidings.sources.tables.rows import items_of

__all__ = ["MOST_COLUMNS", "has_header", "read_delimited"]

MOST_COLUMNS = 10_000
_SEPARATOR = re.compile(r"\s*\"?sep=(.)\"?\s*", re.IGNORECASE)
_BY_ENDING = {".tsv": "\t", ".tab": "\t", ".psv": "|"}
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
_SNIFFED = 200  # lines


def read_delimited(
    source: str | Path | Content, *, options: ReadingOptions | None = None, notes: Notes | None = None
) -> Iterator[Item]:
    """The items of a table as text, row by row in flat memory.

    The first line names the columns; where it does not look so, columns are called by their numbers from 1, and that is
    said. Which column holds what is taken from `options.columns`, else guessed (`tidings.sources.tables.guessing`).
    Rows that cannot be read are noted and passed over.

    Raises:
        FormatError: no table, or one without a column of dates or of text.
        LimitError: more than 10,000 columns.
        UsageError: a column that was named is not there.
    """
    content, options = as_content(source), options or ReadingOptions()
    notes = notes if notes is not None else Notes()
    name = content.name
    _refuse_workbooks(content)
    with content.open() as file:
        blocks = line_blocks(file, name, notes)
        begun, dialect = _begun(blocks, content)
        width = width_of(begun[0][1], dialect)
        if width > MOST_COLUMNS:
            mend = "check that this is a table with a line for each document"
            raise LimitError(f"{name}: found {width:,} columns, expected at most {MOST_COLUMNS:,}; {mend}")
        rows = chain.from_iterable(records(chain(begun, blocks), dialect, name, notes, width))
        names, sample = _head(rows, content, options, notes)
        columns = choose_columns(
            names,
            [cells for _, cells in sample],
            options,
            name,
            timeless=options.file_times and content.modified_time is not None,
        )
        notes.remark(f"{name}: {columns.said()}")
        whole = _even(chain(sample, rows), len(names), columns, dialect, name, notes)
        yield from items_of(whole, columns, name, content.modified_time)


def _refuse_workbooks(content: Content) -> None:
    if content.head(4).startswith(_WORKBOOKS):
        mend = "save it from there as CSV (UTF-8)"
        raise FormatError([Problem(content.name, 0, "a workbook or archive", "a table as text", mend)])


def _begun(
    blocks: Iterator[tuple[int, list[str]]], content: Content
) -> tuple[list[tuple[int, list[str]]], Dialect]:
    # The first block, without a line that only names the delimiter; and the dialect.
    first, lines = next(blocks, (1, []))
    likely = _BY_ENDING.get(ending(content.name), "")
    if lines and (stated := _SEPARATOR.fullmatch(lines[0].rstrip("\r\n"))):
        lines, first = lines[1:], first + 1
        return [(first, lines)], replace(dialect_of(lines[:_SNIFFED], stated[1]), delimiter=stated[1])
    return [(first, lines)], dialect_of(lines[:_SNIFFED], likely)


def _head(
    rows: Iterator[tuple[int, list[str]]], content: Content, options: ReadingOptions, notes: Notes
) -> tuple[list[str], list[tuple[int, list[str]]]]:
    # The names of the columns, and the first rows.
    sample = list(islice((row for row in rows if any(map(str.strip, row[1]))), SAMPLE + 1))
    if not sample:
        raise FormatError([Problem(content.name, 0, "an empty file", "a table: a line for each document")])
    first = sample[0][1]
    width = max(place for place, cell in enumerate(first, 1) if cell.strip())
    if any("".join(cells[width:]).strip() for _, cells in sample):
        width = len(first)
    # What is left are delimiters at the ends of lines.
    first = first[:width]
    stated = {simple(column) for _, column in options.columns}
    if has_header(first) or stated & {simple(cell) for cell in first}:
        return _distinct([cell.strip() for cell in first]), sample[1:]
    notes.remark(f"{content.name}: no line with the names of columns; they are called 1 to {len(first)}")
    return [str(number) for number in range(1, len(first) + 1)], sample


def has_header(first: list[str]) -> bool:
    """Whether the first row of a table names its columns: no cell is a date, an address or a number.

    >>> has_header(["date", "body"]), has_header(["2026-02-17", "A ferry burns."])
    (True, False)
    """
    cells = [cell.strip() for cell in first]
    return any(cells) and not any(
        is_date(cell) or is_clock(cell) or is_number(cell) or cell.startswith(("http://", "https://"))
        for cell in cells
    )


def _distinct(names: list[str]) -> list[str]:
    # A name that comes again is called `name (2)`; none is called by its number.
    seen: dict[str, int] = {}
    distinct = []
    for number, written in enumerate(names, 1):
        name = written or str(number)
        seen[name] = seen.get(name, 0) + 1
        distinct.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return distinct


def _even(
    rows: Iterable[tuple[int, list[str]]],
    width: int,
    columns: Columns,
    dialect: Dialect,
    name: str,
    notes: Notes,
) -> Iterator[tuple[int, list[str]]]:
    # Rows of as many cells as there are columns.
    needed = max(columns.needed, default=0)
    last_is_text = width - 1 in columns.places.get("text", ())
    for number, cells in rows:
        if len(cells) == width:
            yield number, cells
        elif len(cells) < width:
            if not any(map(str.strip, cells)):
                continue
            if len(cells) <= needed:
                time = columns.place("time")
                if time is None or len(cells) <= time or len(cells) < 2:
                    notes.drop(f"{name}:{number}", "fewer cells than columns")
                    continue
            yield number, cells + [""] * (width - len(cells))
        elif not any(map(str.strip, cells[width:])):
            yield number, cells[:width]
        elif last_is_text:
            # Whoever wrote it forgot the quotes around a text.
            yield number, [*cells[: width - 1], dialect.delimiter.join(cells[width - 1 :])]
        else:
            notes.drop(f"{name}:{number}", "more cells than columns")
