"""How other people's files are to be understood, as a caller says it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from tidings.core import UsageError
from tidings.following.library.faults import ArgumentTypeError, ArgumentValueError, kind_of, shorten

if TYPE_CHECKING:
    from tidings.core import ReadingOptions

__all__ = ["ReadingArgument", "as_reading_options"]

ReadingArgument: TypeAlias = "Mapping[str, Any] | ReadingOptions"
"""How other people's files are understood: a dict of `zone`, `year`, `day_first`, `columns` and so on."""

_KINDS: dict[str, tuple[tuple[type, ...], str]] = {
    "zone": ((str,), "a zone such as 'Europe/Madrid' or '+02:00'"),
    "year": ((int, type(None)), "a year"),
    "day_first": ((bool, type(None)), "True, False or None"),
    "columns": ((str, Mapping, tuple, list), "a dict such as {'time': 'date'}"),
    "file_times": ((bool,), "True or False"),
    "quality": ((bool,), "True or False"),
    "language": ((str,), "a code such as 'en'"),
    "allow_private": ((bool,), "True or False"),
}


def as_reading_options(reading: ReadingArgument | None, name: str = "reading") -> ReadingOptions:
    """The options of a dict, each checked.

    Raises:
        ArgumentTypeError, ArgumentValueError: an option that is not known, or a value that makes no sense.

    >>> as_reading_options({"zone": "+02:00", "columns": {"time": "date"}}).in_words()
    'zone +02:00, column date as time'
    >>> as_reading_options({"year": "26"})
    Traceback (most recent call last):
    tidings.following.library.faults.ArgumentTypeError: reading: year: found a str ('26'), expected a year
    """
    from tidings.core import ReadingOptions, as_zone

    if reading is None or isinstance(reading, ReadingOptions):
        return reading or ReadingOptions()
    if not isinstance(reading, Mapping):
        raise ArgumentTypeError(
            f"{name}: found {kind_of(reading)}, expected a dict such as {{'zone': '+02:00'}}"
        )
    for option, value in reading.items():
        if option not in _KINDS:
            raise ArgumentValueError(f"{name}: found {shorten(option)}, expected one of {', '.join(_KINDS)}")
        kinds, expected = _KINDS[option]
        if not isinstance(value, kinds) or (option == "year" and isinstance(value, bool)):
            raise ArgumentTypeError(
                f"{name}: {option}: found {kind_of(value)} ({shorten(value)}), expected {expected}"
            )
    try:
        as_zone(reading.get("zone", ""))
        columns = _columns(reading.get("columns", ()), f"{name}: columns")
    except (ArgumentTypeError, ArgumentValueError):
        raise
    except UsageError as error:
        raise ArgumentValueError(f"{name}: {str(error).replace('--columns', 'columns')}") from None
    language = reading.get("language", "").strip().lower()
    if language and not (language.isascii() and language.isalpha() and len(language) in (2, 3)):
        raise ArgumentValueError(f"{name}: language: found {shorten(language)}, expected a code such as 'en'")
    return ReadingOptions(**{**reading, "columns": columns, "language": language})


def _columns(columns: Any, name: str) -> tuple[tuple[str, str], ...]:
    from tidings.sources import FIELDS, parse_columns

    if isinstance(columns, str):
        return parse_columns(columns) if columns.strip() else ()
    pairs = list(columns.items() if isinstance(columns, Mapping) else columns)
    for pair in pairs:
        if not (
            isinstance(pair, tuple | list) and len(pair) == 2 and all(isinstance(one, str) for one in pair)
        ):
            raise ArgumentTypeError(
                f"{name}: found {shorten(pair)}, expected a field and the name of its column"
            )
        if pair[0] not in FIELDS:
            raise ArgumentValueError(f"{name}: found {shorten(pair[0])}, expected one of {', '.join(FIELDS)}")
    return tuple((field, column) for field, column in pairs)
