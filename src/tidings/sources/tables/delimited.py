"""CSV and its kin: cells apart by commas, semicolons, tabs or bars, as programs, people and Excel write them."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, islice
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from tidings.core import (
    Content,
    FormatError,
    Item,
    LimitError,
    Notes,
    ReadingOptions,
    ending,
)
from tidings.sources.registry import item_reader
from tidings.sources.tables.cells import is_clock, is_date, is_number
from tidings.sources.tables.fields import simple
from tidings.sources.tables.guessing import SAMPLE, Columns, choose_columns, items_of
from tidings.sources.tables.lines import line_blocks

if TYPE_CHECKING:
    from _csv import Reader

DELIMITERS = (",", ";", "\t", "|")
MOST_RECORD = 16 << 20  # bytes of one row
_MOST_LINES = 2000  # lines of one row, and parsed at once
_END = "\x1aend\n"
_QUOTES = "quotes that do not match"


class Dialect(Struct, frozen=True):
    """How the cells of a table are apart.

    Args:
        delimiter: between cells.
        escape: before a quote inside of a cell in quotes; "" where it is doubled.
        blanks: whether a blank after the delimiter is passed over.
    """

    delimiter: str
    escape: str = ""
    blanks: bool = False


def dialect_of(lines: list[str], likely: str = "") -> Dialect:
    """How the cells of a table that begins with these lines are apart.

    >>> dialect_of(["date;text\\n", "17.02.2026;Two dead, five hurt\\n"]).delimiter
    ';'

    Args:
        lines: its first ones.
        likely: the delimiter that its name tells.
    """
    sample = "".join(lines)
    best, delimiter = 0.0, likely or ","
    for candidate in dict.fromkeys([*likely, *DELIMITERS]):
        with _long_cells():
            widths = [len(row) for row in islice(csv.reader(lines, delimiter=candidate), 100) if row]
        if not widths or widths[0] < 2:
            continue
        share = (
            Counter(widths)[widths[0]] / len(widths) + min(widths[0], 20) / 1000 + (candidate == likely) / 4
        )
        if share > best:
            best, delimiter = share, candidate
    # A backslash before the quote that ends a cell is the cell's own.
    inside = re.compile(rf"\\\"(?!\s*(?:{re.escape(delimiter)}|\n|$))")
    return Dialect(
        delimiter,
        "\\" if len(inside.findall(sample)) > sample.count('""') else "",
        sample.count(f'{delimiter} "') > sample.count(f'{delimiter}"'),
    )


def width_of(lines: list[str], dialect: Dialect) -> int:
    r"""How many cells the first record has that is not blank; 0 where there is none.

    >>> width_of(["\n", "date,text\n"], Dialect(","))
    2
    """
    reader = _reader(lines, dialect)
    with _long_cells():
        while (cells := _next(reader)) is not None:
            if any(map(str.strip, cells)):
                return len(cells)
    return 0


def records(
    blocks: Iterable[tuple[int, list[str]]], dialect: Dialect, name: str, notes: Notes, width: int
) -> Iterator[list[tuple[int, list[str]]]]:
    """Blocks of records, each with the number of its first line.

    A quote that is never closed takes its own line along and not the rest of the file.

    Args:
        blocks: of lines, as `line_blocks` gives them.
        dialect: how cells are apart.
        name: of the file, for messages.
        notes: where lines that are none are noted.
        width: how many cells a record should have; 0 where that is not known.
    """
    pending: list[str] = []
    first, size, wanted = 1, 0, 0
    blocks = iter(blocks)
    while True:
        number, lines = next(blocks, (0, []))
        ended = not lines
        first = first if pending else number
        pending += lines
        size += sum(map(len, lines))
        if size < wanted and not ended:
            continue
        with _long_cells():
            rows, done = _parse(pending, first, dialect, name, notes, width, ended or size > MOST_RECORD)
        if rows:
            yield rows
        del pending[:done]
        first += done
        size = sum(map(len, pending))
        wanted = 2 * size
        if ended:
            return


@contextmanager
def _long_cells() -> Iterator[None]:
    # The limit is one for all of the process, so it is put back at once.
    before = csv.field_size_limit()
    csv.field_size_limit(max(before, 4 * MOST_RECORD))
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _parse(
    lines: list[str], first: int, dialect: Dialect, name: str, notes: Notes, width: int, last: bool
) -> tuple[list[tuple[int, list[str]]], int]:
    # The records of these lines, and how many of the lines are done with.
    rows: list[tuple[int, list[str]]] = []
    at = 0
    while at < len(lines):
        fault, start = "", at
        reader = _reader(islice(lines, start, None), dialect, strict=True)
        try:
            for cells in reader:
                following = start + reader.line_num
                if following - at > 1 and width and len(cells) != width:
                    fault = "width"
                    break
                rows.append((first + at, cells))
                at = following
        except csv.Error as error:
            fault = "open" if "end of data" in str(error) else "bad"
        if not fault:
            return rows, len(lines)
        if fault == "open" and not last:
            return rows, at
        cells, used = _mend(lines, at, dialect, width, fault)
        if used == 0:
            notes.drop(f"{name}:{first + at}", _QUOTES)
            used = 1
        else:
            rows.append((first + at, cells))
        at += used
    return rows, at


def _mend(lines: list[str], at: int, dialect: Dialect, width: int, fault: str) -> tuple[list[str], int]:
    # A record whose quotes do not match, and how many lines it takes; none where nobody can say.
    line = lines[at].rstrip() + "\n"
    literal: list[str] = next(_reader([line], dialect, literal=True), [])
    if width and len(literal) == width:
        return [_unquote(cell) for cell in literal], 1
    alone = list(_reader([line, _END], dialect))
    closed = len(alone) == 2
    if closed and (not width or len(alone[0]) == width):
        return alone[0], 1
    if fault != "open":
        reader = _reader(islice(lines, at, at + _MOST_LINES), dialect)
        cells = _next(reader)
        if cells is not None and (not width or len(cells) == width or fault == "width"):
            return cells, reader.line_num
    return (alone[0], 1) if closed else ([], 0)


def _unquote(cell: str) -> str:
    whole = len(cell) > 1 and cell[0] == cell[-1] == '"'
    return (cell[1:-1] if whole else cell.strip('"')).replace('""', '"')


def _next(reader: Iterator[list[str]]) -> list[str] | None:
    try:
        return next(reader, None)
    except csv.Error:
        return None


def _reader(lines: Iterable[str], dialect: Dialect, strict: bool = False, literal: bool = False) -> Reader:
    return csv.reader(
        lines,
        delimiter=dialect.delimiter,
        escapechar=dialect.escape or None,
        skipinitialspace=dialect.blanks,
        strict=strict,
        quoting=csv.QUOTE_NONE if literal else csv.QUOTE_MINIMAL,
    )


MOST_COLUMNS = 10_000  # more are no table of documents, but another format misread
_SEPARATOR = re.compile(r"\s*\"?sep=(.)\"?\s*", re.IGNORECASE)
_BY_ENDING = {".tsv": "\t", ".tab": "\t", ".psv": "|"}
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
_SNIFFED = 200  # lines


@item_reader
def read_delimited(content: Content, options: ReadingOptions, notes: Notes) -> Iterator[Item]:
    """The items of a table as text, row by row in flat memory.

    The first line names the columns; where it does not look so, columns are called by their numbers from 1, and that is
    said. Which column holds what is taken from `options.columns`, else guessed (`tidings.sources.tables.guessing`).
    Rows that cannot be read are noted and passed over.

    Raises:
        FormatError: no table, or one without a column of dates or of text.
        LimitError: more than 10,000 columns.
        UsageError: a column that was named is not there.
    """
    name = content.name
    _refuse_workbooks(content)
    with content.open() as file:
        blocks = line_blocks(file, name, notes)
        begun, dialect = _begin(blocks, content)
        width = width_of(begun[0][1], dialect)
        if width > MOST_COLUMNS:
            mend = "check that this is a table with a line for each document"
            raise LimitError(f"{name}: {width:,} columns (expected at most {MOST_COLUMNS:,}); {mend}")
        rows = chain.from_iterable(records(chain(begun, blocks), dialect, name, notes, width))
        names, sample = _head(rows, content, options, notes)
        columns = choose_columns(
            names,
            [cells for _, cells in sample],
            options,
            name,
            timeless=options.file_times and content.modified_time is not None,
        )
        notes.remark(f"{name}: {columns.describe()}")
        whole = _even(chain(sample, rows), len(names), columns, dialect, name, notes)
        yield from items_of(whole, columns, name, content.modified_time)


def _refuse_workbooks(content: Content) -> None:
    if content.head(4).startswith(_WORKBOOKS):
        mend = "save it from there as CSV (UTF-8)"
        raise FormatError.of(content.name, 0, "a workbook or archive", "a table as text", mend)


def _begin(
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
        raise FormatError.of(content.name, 0, "an empty file", "a table: a line for each document")
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
