"""Tables of fixed columns, read in bulk: the common ground of the TREC formats.

The good path splits the whole text at once and converts column by column; only when something is odd is the table
read again line by line, to say exactly what and where.
"""

from __future__ import annotations

import contextlib
import gc
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tidings.core.errors import FormatError, Problems
from tidings.core.files.jsonl import LATEST_TIME, BadRecordError

_INTEGER = re.compile(r"-?[0-9]{1,18}", re.ASCII)


class BadValueError(BadRecordError):
    """One value that is not what its column holds."""


@contextlib.contextmanager
def gc_paused() -> Iterator[None]:
    """Keep the cyclic collector still while very many records are made: none of them can form a cycle."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@dataclass(frozen=True)
class Field:
    """One column: its name, how all of it is converted at once, and how one value is, with a message."""

    name: str
    bulk: Callable[[list[str]], list[Any]]
    one: Callable[[str, str], Any]

    @staticmethod
    def text(name: str, *, empty: bool = False) -> Field:
        """Text kept as it stands; ids may not be empty."""

        def one(column: str, value: str) -> str:
            if not value and not empty:
                raise BadValueError(f"an empty {column}", f"a {column}")
            return value

        def bulk(values: list[str]) -> list[Any]:
            if not empty and not all(values):
                raise ValueError(name)
            return values

        return Field(name, bulk, one)

    @staticmethod
    def few(name: str) -> Field:
        """An id of which few different ones come: equal ones become one object."""

        def bulk(values: list[str]) -> list[Any]:
            seen: dict[str, str] = {}
            kept = list(map(seen.setdefault, values, values))
            if "" in seen:
                raise ValueError(name)
            return kept

        return Field(name, bulk, Field.text(name).one)

    @staticmethod
    def integer(name: str, least: int = 0, most: int = 10**12, what: str = "a whole number") -> Field:
        """A whole number from `least` to `most`."""

        def one(column: str, value: str) -> int:
            wanted = f"{what} from {least} to {most}" if most < 10**6 else f"{what}, {least} or more"
            if not _INTEGER.fullmatch(value):
                return _nearly(column, value, wanted, least, most)
            number = int(value)
            if not least <= number <= most:
                raise BadValueError(f"{column} {value}", wanted)
            return number

        def bulk(values: list[str]) -> list[Any]:
            joined = "".join(values)
            if not (joined.isascii() and (joined.isdigit() or joined.replace("-", "").isdigit())):
                raise ValueError(name)
            numbers = list(map(int, values))
            if min(numbers) < least or max(numbers) > most:
                raise ValueError(name)
            return numbers

        return Field(name, bulk, one)

    @staticmethod
    def time(name: str) -> Field:
        """Seconds UTC since 1970."""
        plain = Field.integer(name, 0, LATEST_TIME, "whole seconds since 1970 (UTC)")

        def one(column: str, value: str) -> Any:
            if _INTEGER.fullmatch(value) and int(value) > LATEST_TIME:
                raise BadValueError(
                    f"{column} {value}",
                    "whole seconds since 1970 (UTC)",
                    "if these are milliseconds, divide by 1000",
                )
            return plain.one(column, value)

        return Field(name, plain.bulk, one)

    @staticmethod
    def number(name: str, infinite: float | None = None) -> Field:
        """A finite number; `infinite` stands in for a positive `inf`."""

        def one(column: str, value: str) -> float:
            number = _number(value)
            if number == math.inf and infinite is not None:
                return infinite
            if not math.isfinite(number):
                raise BadValueError(f"{column} {quote_value(value)}", "a finite number")
            return number

        def bulk(values: list[str]) -> list[Any]:
            joined = "".join(values)
            if "_" in joined or not joined.isascii():
                raise ValueError(name)
            numbers = list(map(float, values))
            if not math.isfinite(math.fsum(numbers)):
                raise ValueError(name)
            return numbers

        return Field(name, bulk, one)


def _number(value: str) -> float:
    # Python takes 1_000 and digits of other scripts too; nan is the answer for all that is no number.
    try:
        return float(value) if value.isascii() and "_" not in value else math.nan
    except ValueError:
        return math.nan


def _nearly(column: str, value: str, wanted: str, least: int, most: int) -> int:
    # 5.0 is a whole number; 5.5 and nan are none.
    number = _number(value)
    if not (math.isfinite(number) and number == int(number) and least <= number <= most):
        raise BadValueError(f"{column} {quote_value(value)}", wanted)
    return int(number)


@dataclass(frozen=True)
class TextTable:
    """The columns of a table, converted; `headless` when no header line came first."""

    columns: list[list[Any]]
    headless: bool


def quote_value(value: str, most: int = 60) -> str:
    """A value as a message quotes it: shortened, and with nothing that could upset a terminal.

    >>> quote_value("ab\\x1b[31m"), quote_value("x" * 70)[-8:]
    ("'ab\\\\x1b[31m'", "xxxx...'")
    """
    quoted = repr(value[:most])
    return quoted if len(value) <= most else f"{quoted[:-1]}...{quoted[-1]}"


def read_table(
    text: str,
    name: str,
    fields: Sequence[Field],
    *,
    what: str,
    problems: Problems,
    spaces: bool = False,
    header: Sequence[str] = ("query_id",),
    check: Callable[[list[Any]], BadValueError | None] | None = None,
    bulk_check: Callable[[list[list[Any]]], bool] | None = None,
    rows_needed: bool = True,
) -> TextTable:
    """Read a table of `fields`, one row a line.

    Args:
        text: the whole file.
        name: what messages call the file.
        fields: the columns; the last one may hold the separator itself.
        what: what the file should be, for messages: "a TREC run".
        problems: where bad lines are noted.
        spaces: columns are apart by any blanks, else by one tab each.
        header: first words by which a header line is known. A header that names all fields in another order is obeyed.
        check: says what is wrong with a converted row as a whole, if anything.
        bulk_check: whether all rows, as columns, are free of what `check` looks for.
        rows_needed: whether a header alone is an error.

    Raises:
        FormatError: strict reading, and there are bad lines; or nothing of the file is such a table.
    """
    body, headless, order = _without_header(text, fields, header)
    first_line = 1 if headless else 2
    if not body or body.isspace():
        if not headless and not rows_needed:
            return TextTable([[] for _ in fields], headless)
        expected = f"{what}: one line for each row, with {len(fields)} columns"
        problems.add(name, 0, "an empty file" if headless else "a header and no rows", expected)
        problems.check()
        return TextTable([[] for _ in fields], headless)
    separator = "\t" if not spaces or "\t" in body[: body.find("\n") + 1 or None] else " "
    if order is None:
        columns = split_columns(body, separator, len(fields))
        if columns is not None:
            try:
                converted = [field.bulk(column) for field, column in zip(fields, columns, strict=True)]
                if bulk_check is None or bulk_check(converted):
                    return TextTable(converted, headless)
            except (ValueError, OverflowError):
                pass
    if headless and body.lstrip().partition("\n")[0].count(separator) != len(fields) - 1:
        _check_kind(body, name, what)
    rows = list(_row_by_row(body, name, fields, first_line, spaces, order, problems, check))
    problems.check()
    return TextTable(
        [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in fields], headless
    )


def split_columns(text: str, separator: str, count: int) -> list[list[str]] | None:
    """The columns of a table in which every line has exactly `count`, or None for any other.

    >>> split_columns("a b\\nc d\\n", " ", 2), split_columns("a b c\\nd\\n", " ", 2)
    ([['a', 'c'], ['b', 'd']], None)
    """
    if not text.endswith("\n"):
        text += "\n"
    # What is left of a regular table without all else is one pattern, again and again.
    others = bytes(byte for byte in range(256) if byte not in b"\n" + separator.encode())
    skeleton = text.encode("utf-8", "replace").translate(None, others)
    line = separator.encode() * (count - 1) + b"\n"
    if skeleton != line * (len(skeleton) // count):
        return None
    pieces = text.replace("\n", separator).split(separator)
    return [pieces[column:-1:count] for column in range(count)]


def _without_header(
    text: str, fields: Sequence[Field], header: Sequence[str]
) -> tuple[str, bool, list[int] | None]:
    end = text.find("\n") + 1 or len(text)
    words = text[:end].lower().split()
    if not words or words[0].lstrip("#") not in header:
        return text, True, None
    names = [field.name for field in fields]
    columns_written = [words[0].lstrip("#"), *words[1:]]
    order = (
        [columns_written.index(name) for name in names]
        if sorted(columns_written) == sorted(names) and columns_written != names
        else None
    )
    return text[end:], False, order


def _check_kind(text: str, name: str, what: str) -> None:
    start = text[:200].lstrip()
    kind = ""
    if start.startswith(("{", "[{")):
        kind, mend = (
            "JSON",
            "tidings' own files end in .jsonl; `tidings convert` turns one format into the other",
        )
    elif start.startswith("<"):
        kind, mend = "XML or HTML", "check that this is the right file"
    if kind:
        raise FormatError.of(name, 1, kind, what, mend)


def _row_by_row(
    text: str,
    name: str,
    fields: Sequence[Field],
    first_line: int,
    spaces: bool,
    order: list[int] | None,
    problems: Problems,
    check: Callable[[list[Any]], BadValueError | None] | None,
) -> Iterator[list[Any]]:
    count = len(fields)
    expected = (
        f"{count} ({' '.join(field.name for field in fields)}), apart by {'blanks' if spaces else 'tabs'}"
    )
    for number, line in enumerate(text.split("\n"), first_line):
        if not line or line.isspace():
            continue
        values = line.split() if spaces else line.split("\t", count - 1 if order is None else -1)
        if len(values) != count:
            mend = "" if spaces or len(line.split()) < count else "columns must be apart by tabs, not blanks"
            if spaces and len(values) == 9:
                mend = "9 columns are a value-tracking run of 2013, which is another format"
            problems.add(name, number, f"{len(values)} columns", expected, mend)
            continue
        if order is not None:
            values = [values[i] for i in order]
        try:
            row = [field.one(field.name, value) for field, value in zip(fields, values, strict=True)]
            wrong = check(row) if check is not None else None
        except BadValueError as error:
            wrong = error
        if wrong is not None:
            problems.add(name, number, wrong.found, wrong.expected, wrong.mend)
            continue
        yield row
