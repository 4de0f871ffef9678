"""Records of tables whose cells are apart by a character: cells in quotes or over several lines, and lone quotes."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING

from msgspec import Struct

from tidings.core import Notes

if TYPE_CHECKING:
    from _csv import Reader

__all__ = ["MOST_RECORD", "Dialect", "dialect_of", "records", "width_of"]

DELIMITERS = (",", ";", "\t", "|")
MOST_RECORD = 16 << 20
_MOST_LINES = 2000
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
            rows, done = _parsed(pending, first, dialect, name, notes, width, ended or size > MOST_RECORD)
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


def _parsed(
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
        cells, used = _mended(lines, at, dialect, width, fault)
        if used == 0:
            notes.drop(f"{name}:{first + at}", _QUOTES)
            used = 1
        else:
            rows.append((first + at, cells))
        at += used
    return rows, at


def _mended(lines: list[str], at: int, dialect: Dialect, width: int, fault: str) -> tuple[list[str], int]:
    # A record whose quotes do not match, and how many lines it takes; none where it cannot be told.
    line = lines[at].rstrip() + "\n"
    literal: list[str] = next(_reader([line], dialect, literal=True), [])
    if width and len(literal) == width:
        return [_unquoted(cell) for cell in literal], 1
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


def _unquoted(cell: str) -> str:
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
