"""Times and durations as people hold them, turned into seconds."""

from __future__ import annotations

import datetime
import math
from operator import index
from typing import Any, TypeAlias

from tidings.core import LATEST_TIME, BadRecordError, seconds as seconds_of_text
from tidings.following.library.faults import ArgumentTypeError, ArgumentValueError, kind_of, shorten
from tidings.following.stream import parse_duration, parse_interval

__all__ = ["Duration", "Time", "as_duration", "as_interval", "as_time", "is_missing"]

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
    tidings.following.library.faults.ArgumentValueError: start: found 1970-01-02T00:00:00, a datetime without ...
    """
    if isinstance(value, datetime.datetime):
        if type(value).__name__ == "NaTType":
            raise ArgumentValueError(f"{name}: found NaT, expected {_TIME}")
        if value.utcoffset() is None:
            mend = (
                "say which: value.replace(tzinfo=datetime.timezone.utc), or in a table dt.tz_localize('UTC')"
            )
            raise ArgumentValueError(
                f"{name}: found {value.isoformat()}, a datetime without a time zone, expected one with it; {mend}"
            )
        return _in_range(math.floor(value.timestamp()), value, name)
    if isinstance(value, str):
        try:
            return seconds_of_text(value, name)
        except BadRecordError as error:
            raise ArgumentValueError(f"found {error.found}, expected {error.expected}") from None
    if _is_numpy(value, "datetime64"):
        if str(value) == "NaT":
            raise ArgumentValueError(f"{name}: found NaT, expected {_TIME}")
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
        raise ArgumentValueError(f"{name}: found {shorten(value)}, expected 0 or more")
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
        raise ArgumentTypeError(f"{name}: found {value}, expected {expected}")
    try:
        return index(value)
    except TypeError:
        pass
    if isinstance(value, float) or _is_numpy(value, "float64", "float32"):
        if not math.isfinite(value):
            raise ArgumentValueError(f"{name}: found {value}, expected {expected}")
        whole: int = math.floor(value)
        return whole
    if isinstance(value, datetime.date):
        raise ArgumentTypeError(f"{name}: found the day {value}, expected {expected}; a day is no moment")
    raise ArgumentTypeError(f"{name}: found {kind_of(value)} ({shorten(value)}), expected {expected}")


def _in_range(seconds: int, value: Any, name: str) -> int:
    if 0 <= seconds <= LATEST_TIME:
        return seconds
    mend = (
        "; it seems to be in milliseconds: divide by 1000"
        if LATEST_TIME < seconds < LATEST_TIME * 1000
        else ""
    )
    raise ArgumentValueError(f"{name}: found {shorten(value)}, expected a time from 1970 to 9999{mend}")


def _is_numpy(value: Any, *names: str) -> bool:
    kind = type(value)
    return kind.__name__ in names and kind.__module__ == "numpy"
