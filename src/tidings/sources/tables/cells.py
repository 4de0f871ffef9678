"""One cell of a table as a document takes it: its text without markup, its time as a number or as it is written."""

from __future__ import annotations

import html
import math
import re
from datetime import date, datetime, time, timedelta
from typing import Any

from tidings.core import StatedTimes

_ABSENT = frozenset(["nan", "NaN", "NULL", "null", "None", "NaT", r"\N", "#N/A", "N/A", "<NA>", "undefined",
                      "[Removed]", "[removed]", "[deleted]"])  # fmt: skip
_MARKUP = re.compile(r"<(?:/?[a-zA-Z][^<>]{0,2000}|!--)|&(?:#\w{1,8}|[a-zA-Z]{2,8});")
_TAG = re.compile(r"</?(?:p|br|div|a|b|i|em|strong|span|ul|ol|li|h[1-6]|img|script|style|table|td|tr|body|html|!--"
                  r"|blockquote|figure|iframe|section|article|font|u|sup|sub|pre)\b|<!--", re.IGNORECASE)  # fmt: skip
_NUMBER = re.compile(r"[0-9]{1,20}(?:[.,][0-9]{1,12})?")
_CLOCK = re.compile(
    r"[0-9]{1,2}[:.h][0-9]{2}(?:[:.][0-9]{2}(?:[.,][0-9]+)?)?\s*(?:[ap]\.?m\.?)?", re.IGNORECASE
)
_DATE = re.compile(
    r"\b(?:\d{4}([-/.])\d{1,2}\1\d{1,2}(?!\d)|\d{1,2}([-/.])\d{1,2}\2(?:\d{4}|\d{2})(?!\d)"
    r"|(?:19|20)\d\d(?:0[1-9]|1[0-2])[0-3]\d(?:T?\d{4,6}Z?)?$|\d{4}\s?[年년]"
    r"|\d{1,2}\.?[\s-](?:de\s)?[^\W\d_]{3,12}\.?,?[\s-](?:de\s)?\d{2,4}\b|[^\W\d_]{3,9}\.?\s\d{1,2},\s?\d{4})"
)
_COMPACT = re.compile(
    r"(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])(?:[0-9]{4}(?:[0-9]{2})?)?"
)
_UNITS = (1, 10**3, 10**6, 10**9)  # seconds, milli-, micro-, nanoseconds
_EXCEL = datetime(1899, 12, 30)
_LEAST, _MOST = 315_532_800, 4_102_444_800  # 1980 and 2100, in seconds
_LONGEST_DATE = 64  # characters


def text_of(value: Any) -> str:
    """A cell as text; a list of texts with each on a line of its own.

    >>> text_of(None), text_of("NULL"), text_of(12.0), text_of(["One.", "Two."])
    ('', '', '12', 'One.\\nTwo.')
    """
    if isinstance(value, str):
        return "" if value in _ABSENT else value
    if value is None or isinstance(value, dict | bool):
        return ""
    if isinstance(value, float):
        return "" if math.isnan(value) else str(int(value)) if value.is_integer() else repr(value)
    if isinstance(value, list | tuple):
        if {str, dict} <= set(map(type, value)) and all(
            "type" in part for part in value if isinstance(part, dict)
        ):
            # One text, of which some words are bold or a link, as Telegram writes it.
            return "".join(text_of(_part(part)) for part in value)
        return "\n".join(text for part in value if (text := text_of(_part(part))))
    if isinstance(value, date):
        return value.isoformat()
    return str(value) if not isinstance(value, bytes) else value.decode("utf-8", "replace")


def _part(value: Any) -> Any:
    # A paragraph or sentence, or an object that holds one.
    if isinstance(value, dict):
        return next(
            (value[key] for key in ("text", "raw", "sentence", "content", "name") if key in value), None
        )
    return value if isinstance(value, str) else None


def sentences_of(value: Any) -> tuple[str, ...]:
    """The sentences of a cell that is a list of them; none of any other cell."""
    if not isinstance(value, list | tuple):
        return ()
    return tuple(text for part in value if (text := line_of(text_of(_part(part)))))


def plain(text: str) -> str:
    """The text without markup, scripts and character references; paragraphs stay on lines of their own.

    >>> plain("<p>Ferry &amp; fire</p><script>x()</script>"), plain("2 < 3 and 5 > 4")
    ('Ferry & fire', '2 < 3 and 5 > 4')
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        text = text.replace("\0", "")
    if ("<" in text or "&" in text) and _MARKUP.search(text):
        if _TAG.search(text):
            from resiliparse.extract.html2text import extract_plain_text

            from tidings.sources.pages.parsing import without_deep_markup

            safe = without_deep_markup(text.encode("utf-8", "replace").decode())
            return str(extract_plain_text(safe, alt_texts=False, links=False, form_fields=False)).strip()
        text = html.unescape(text)
    return text.strip()


def line_of(text: str) -> str:
    """The same on one line."""
    return " ".join(plain(text).split()) if text else ""


def is_serial(value: Any) -> bool:
    """Whether a cell could be a day as Excel counts them: from 1954 to 2119, with the time of day as a fraction.

    >>> is_serial("45705.3541"), is_serial("45705,3541"), is_serial(1771313400)
    (True, True, False)
    """
    number = _number(value)
    return number is not None and 20_000 <= number < 80_000


def is_number(value: Any) -> bool:
    """Whether a cell is a number, with a point or a comma before its fraction.

    >>> is_number("12,5"), is_number(3), is_number("12 dead")
    (True, True, False)
    """
    return _number(value) is not None


def _number(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value) if abs(value) < 1e21 else None
    if isinstance(value, str) and _NUMBER.fullmatch(bare := value.strip()):
        return float(bare.replace(",", "."))
    return None


def stated_time(value: Any, serial: bool = False) -> str | int | float | None:
    """When a cell says it is, as it is written there; days as Excel counts them as a date.

    >>> stated_time("17.02.2026 08:30"), stated_time(1771313400), stated_time("")
    ('17.02.2026 08:30', 1771313400, None)
    >>> stated_time("45705,3541", serial=True)
    '2025-02-17T08:29:54'

    Args:
        value: the cell.
        serial: whether numbers from 20,000 to 80,000 count days.
    """
    if isinstance(value, str) and not serial:
        return text_of(value).strip() or None
    if isinstance(value, date):
        return value.isoformat()
    number = _number(value)
    if number is not None and serial and is_serial(value):
        return (_EXCEL + timedelta(seconds=round(number * 86_400))).isoformat()
    if number is not None and not isinstance(value, str):
        return int(number) if number.is_integer() else number
    return text_of(value).strip() or None


def is_date(value: Any) -> bool:
    """Whether a cell looks like a time: a date in any common form, or a number that counts from 1970 to such a one.

    >>> [is_date(cell) for cell in ("17.02.2026 08:30", "Tue, 17 Feb 2026", 1771313400, "12", "A fire.")]
    [True, True, True, False, False]
    """
    if isinstance(value, date):
        return True
    number = _number(value)
    if number is not None:
        counted = any(_LEAST <= number / unit < _MOST for unit in _UNITS)
        return counted or _COMPACT.fullmatch(text_of(value).strip()) is not None
    if not isinstance(value, str) or len(value) > _LONGEST_DATE:
        return False
    text = value.strip()
    return _DATE.search(text) is not None or _reads(text)


def _reads(text: str) -> bool:
    # Forms beyond the common ones, as the reader of dates knows them.
    return (
        any(c.isdigit() for c in text)
        and not text.isdigit()
        and StatedTimes(year=2000).read(text) is not None
    )


def is_clock(value: Any) -> bool:
    """Whether a cell holds a time of day alone.

    >>> is_clock("08:30"), is_clock("8:30 pm"), is_clock("2026-02-17 08:30")
    (True, True, False)
    """
    return isinstance(value, time) or (isinstance(value, str) and _CLOCK.fullmatch(value.strip()) is not None)


def joined_time(day: Any, clock: Any) -> str | int | float | None:
    """A date and a time of day from two cells as one; the date alone where the other is none.

    >>> joined_time("17.02.2026", "08:30"), joined_time("17.02.2026", "")
    ('17.02.2026 08:30', '17.02.2026')
    """
    stated = stated_time(day)
    return f"{stated} {text_of(clock).strip()}" if isinstance(stated, str) and is_clock(clock) else stated
