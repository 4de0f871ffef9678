"""What the headers of an answer say of when to ask again."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime

LONGEST_FRESH_S = 7 * 86400
"""An answer that says that it stays fresh for longer is a file server's way of speaking: no feed is left for a year."""

LONGEST_RETRY_S = 30 * 86400
"""No Retry-After binds for longer, so that no feed is given up for good."""


def asked_wait_s(headers: Mapping[str, str], now: int) -> int | None:
    """For how many seconds an answer that refuses asks not to be asked again; None where it says nothing.

    Retry-After is seconds or a date; a date is taken relative to the server's own Date, for its clock may be wrong.

    Args:
        headers: of the answer, their names in lower case.
        now: when it came, in seconds UTC.

    >>> asked_wait_s({"retry-after": "120"}, 1000), asked_wait_s({"retry-after": "soon"}, 1000)
    (120, None)
    >>> both = {"retry-after": "Thu, 01 Jan 2026 01:00:00 GMT", "date": "Thu, 01 Jan 2026 00:00:00 GMT"}
    >>> asked_wait_s(both, 1000)
    3600
    """
    words = headers.get("retry-after", "").strip()
    if not words:
        return None
    seconds = _seconds(words)
    if seconds is None:
        seconds = _from_date(words, headers, now)
    return None if seconds is None else min(max(seconds, 0), LONGEST_RETRY_S)


def fresh_until(headers: Mapping[str, str], now: int) -> int:
    """The time until which an answer is fresh, so that asking again can bring nothing new; `now` where it says nothing.

    That is Cache-Control's max-age, less the answer's Age, unless it says no-cache or no-store; without either, Expires
    relative to Date. At most seven days.

    >>> fresh_until({"cache-control": "public, max-age=600", "age": "60"}, 1000)
    1540
    >>> fresh_until({"cache-control": "no-cache, max-age=600"}, 1000), fresh_until({"expires": "0"}, 1000)
    (1000, 1000)
    """
    directives = _directives(headers.get("cache-control", ""))
    if directives.keys() & {"no-cache", "no-store"}:
        return now
    if "max-age" in directives:
        seconds = _seconds(directives["max-age"]) or 0
        seconds -= _seconds(headers.get("age", "")) or 0
    else:
        seconds = _from_date(headers.get("expires", ""), headers, now) or 0
    return now + min(max(seconds, 0), LONGEST_FRESH_S)


def _directives(words: str) -> dict[str, str]:
    pairs = (part.partition("=") for part in words.split(","))
    return {name.strip().lower(): value.strip().strip('"') for name, _, value in pairs}


def _seconds(words: str) -> int | None:
    # int() takes digits of any script, signs and underscores; a header has none of these.
    words = words.strip()
    whole = words.partition(".")[0]
    return int(whole[:12]) if whole.isascii() and whole.isdigit() else None


def _from_date(words: str, headers: Mapping[str, str], now: int) -> int | None:
    # Seconds from the server's Date (or from now, where it has none) to a date.
    then = _time(words)
    if then is None:
        return None
    date = _time(headers.get("date", ""))
    return then - (now if date is None else date)


def _time(words: str) -> int | None:
    try:
        moment = parsedate_to_datetime(words)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    # Headers are in GMT; one without a zone is too.
    return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())
