"""Arguments as people hold them: times, durations and how files are understood, and what is wrong with one."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Mapping
from operator import index
from typing import TYPE_CHECKING, Any, TypeAlias

from tidings.core import LATEST_TIME, BadRecordError, UsageError, parse_duration, seconds as seconds_of_text
from tidings.following.stream.loop import parse_interval

if TYPE_CHECKING:
    from tidings.core import ReadingOptions


_LONGEST = 80  # characters of a value in a message


class ArgumentTypeError(UsageError, TypeError):
    """An argument, or something in it, is of a kind that is not taken.

    >>> issubclass(ArgumentTypeError, TypeError)
    True
    """


class ArgumentValueError(UsageError, ValueError):
    """An argument is of the right kind, but makes no sense.

    >>> issubclass(ArgumentValueError, ValueError)
    True
    """


def kind_of(value: object) -> str:
    """A value's kind with its article, for a message.

    >>> kind_of("x"), kind_of(None), kind_of(1), kind_of(3.5)
    ('a str', 'None', 'an int', 'a float')
    """
    if value is None:
        return "None"
    kind = type(value)
    module = kind.__module__.partition(".")[0]
    name = kind.__name__ if module in ("builtins", "tidings") else f"{module}.{kind.__qualname__}"
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


def shorten(value: Any) -> str:
    """A value as it prints, cut where it is long: for a message.

    >>> shorten("a" * 200)[-4:]
    "aa'…"
    >>> shorten(10**6000)
    'a number of thousands of digits'
    """
    try:
        text = repr(value)
    except ValueError:  # of an integer of thousands of digits there is none
        text = "a number of thousands of digits"
    return (
        text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}{text[-1] if text[-1] in chr(39) else ''}…"
    )


Time: TypeAlias = "int | float | str | datetime.datetime | Any"
"""A moment: seconds since 1970 UTC, ISO 8601 text with a zone, an aware datetime or Timestamp, a NumPy datetime64."""

Duration: TypeAlias = "int | float | str | datetime.timedelta | Any"
"""A length of time: seconds, text such as `15m` or `1h30m`, a timedelta or Timedelta, a NumPy timedelta64."""

_TIME = "seconds since 1970 UTC, an aware datetime, or ISO 8601 text with a zone"
_DURATION = "seconds, a timedelta, or text such as '15m'"


def is_missing(value: Any) -> bool:
    """Whether a cell of a table is empty: None, NaN, pandas' NA and NaT, NumPy's NaT.

    >>> is_missing(None), is_missing(float("nan")), is_missing(0), is_missing("")
    (True, True, False, False)
    """
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    if _is_numpy(value, "datetime64", "timedelta64"):
        return str(value) == "NaT"
    return isinstance(value, float) and math.isnan(value)


def as_time(value: Any, name: str) -> int:
    """Whole seconds since 1970 UTC of a moment; fractions of a second are dropped.

    Args:
        value: see `Time`. A NumPy datetime64 has no zone and counts as UTC, as NumPy has it.
        name: how the argument is called, for messages.

    Raises:
        ArgumentValueError: a datetime without a zone, text that is no time, a time before 1970 or after 9999.
        ArgumentTypeError: anything else.

    >>> from datetime import datetime, timezone
    >>> as_time("2013-07-24T18:41:00Z", "start"), as_time(datetime(1970, 1, 2, tzinfo=timezone.utc), "start")
    (1374691260, 86400)
    >>> as_time(datetime(1970, 1, 2), "start")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tidings.following.library.arguments.ArgumentValueError: start: 1970-01-02T00:00:00, a datetime without ...
    """
    if isinstance(value, datetime.datetime):
        if type(value).__name__ == "NaTType":
            raise ArgumentValueError(f"{name}: NaT (expected {_TIME})")
        if value.utcoffset() is None:
            mend = "set one: value.replace(tzinfo=datetime.timezone.utc), or in a table dt.tz_localize('UTC')"
            raise ArgumentValueError(
                f"{name}: {value.isoformat()}, a datetime without a time zone (expected one with it); {mend}"
            )
        return _in_range(math.floor(value.timestamp()), value, name)
    if isinstance(value, str):
        try:
            return seconds_of_text(value, name)
        except BadRecordError as error:
            raise ArgumentValueError(f"{error.found} (expected {error.expected})") from None
    if _is_numpy(value, "datetime64"):
        if str(value) == "NaT":
            raise ArgumentValueError(f"{name}: NaT (expected {_TIME})")
        return _in_range(int(value.astype("datetime64[s]").astype("int64")), value, name)
    return _in_range(_number(value, name, _TIME), value, name)


def as_duration(value: Any, name: str) -> int:
    """Whole seconds of a length of time, from 0.

    >>> from datetime import timedelta
    >>> as_duration("15m", "lateness"), as_duration(timedelta(hours=1), "lateness"), as_duration(90, "lateness")
    (900, 3600, 90)
    """
    if isinstance(value, str):
        return parse_duration(value, name)
    if isinstance(value, datetime.timedelta) and type(value).__name__ != "NaTType":
        length = math.floor(value.total_seconds())
    elif _is_numpy(value, "timedelta64") and str(value) != "NaT":
        length = int(value.astype("timedelta64[s]").astype("int64"))
    else:
        length = _number(value, name, _DURATION)
    if length < 0:
        raise ArgumentValueError(f"{name}: {shorten(value)} (expected 0 or more)")
    return length


def as_interval(value: Any, name: str = "interval") -> int:
    """Seconds of a decision interval; 0, for None and `"document"`: a decision after every document.

    >>> as_interval("document"), as_interval(None), as_interval("1h")
    (0, 0, 3600)
    """
    if value is None:
        return 0
    return parse_interval(value) if isinstance(value, str) else as_duration(value, name)


def _number(value: Any, name: str, expected: str) -> int:
    if isinstance(value, bool):
        raise ArgumentTypeError(f"{name}: {value} (expected {expected})")
    try:
        return index(value)
    except TypeError:
        pass
    if isinstance(value, float) or _is_numpy(value, "float64", "float32"):
        if not math.isfinite(value):
            raise ArgumentValueError(f"{name}: {value} (expected {expected})")
        whole: int = math.floor(value)
        return whole
    if isinstance(value, datetime.date):
        raise ArgumentTypeError(f"{name}: the day {value} (expected {expected}); a day is not a moment")
    raise ArgumentTypeError(f"{name}: {kind_of(value)} ({shorten(value)}) (expected {expected})")


def _in_range(seconds: int, value: Any, name: str) -> int:
    if 0 <= seconds <= LATEST_TIME:
        return seconds
    mend = (
        "; it seems to be in milliseconds: divide by 1000"
        if LATEST_TIME < seconds < LATEST_TIME * 1000
        else ""
    )
    raise ArgumentValueError(f"{name}: {shorten(value)} (expected a time from 1970 to 9999{mend})")


def _is_numpy(value: Any, *names: str) -> bool:
    kind = type(value)
    return kind.__name__ in names and kind.__module__ == "numpy"


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
    tidings.following.library.arguments.ArgumentTypeError: reading: year: a str ('26') (expected a year)
    """
    from tidings.core import ReadingOptions, as_zone, document_language

    if reading is None or isinstance(reading, ReadingOptions):
        return reading or ReadingOptions()
    if not isinstance(reading, Mapping):
        raise ArgumentTypeError(f"{name}: {kind_of(reading)} (expected a dict such as {{'zone': '+02:00'}})")
    for option, value in reading.items():
        if option not in _KINDS:
            raise ArgumentValueError(f"{name}: {shorten(option)} (expected one of {', '.join(_KINDS)})")
        kinds, expected = _KINDS[option]
        if not isinstance(value, kinds) or (option == "year" and isinstance(value, bool)):
            raise ArgumentTypeError(
                f"{name}: {option}: {kind_of(value)} ({shorten(value)}) (expected {expected})"
            )
    try:
        as_zone(reading.get("zone", ""))
        columns = _columns(reading.get("columns", ()), f"{name}: columns")
        language = document_language(reading.get("language", ""))
    except (ArgumentTypeError, ArgumentValueError):
        raise
    except UsageError as error:
        field = f"{error.field}: " if error.field else ""
        words = re.sub("^language ", "language: ", str(error))
        raise ArgumentValueError(f"{name}: {field}{words}") from None
    return ReadingOptions(**{**reading, "columns": columns, "language": language})


def _columns(columns: Any, name: str) -> tuple[tuple[str, str], ...]:
    from tidings.sources import FIELDS, parse_columns

    if isinstance(columns, str):
        return parse_columns(columns) if columns.strip() else ()
    pairs = list(columns.items() if isinstance(columns, Mapping) else columns)
    for pair in pairs:
        if not (
            isinstance(pair, tuple | list) and len(pair) == 2 and all(isinstance(end, str) for end in pair)
        ):
            raise ArgumentTypeError(f"{name}: {shorten(pair)} (expected a field and the name of its column)")
        if pair[0] not in FIELDS:
            raise ArgumentValueError(f"{name}: {shorten(pair[0])} (expected one of {', '.join(FIELDS)})")
    return tuple((field, column) for field, column in pairs)
