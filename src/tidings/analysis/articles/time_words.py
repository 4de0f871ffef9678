"""The words of English time expressions: months, weekdays, numbers, units and parts of a day."""

from __future__ import annotations

__all__ = [
    "DAY_WORDS",
    "DECADE_WORDS",
    "HOLIDAYS",
    "MONTHS",
    "MONTH_PATTERN",
    "NUMBER_PATTERN",
    "SEASONS",
    "UNIT_PATTERN",
    "WEEKDAYS",
    "WEEKDAY_PATTERN",
    "number_of",
]

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            ("january", "jan"),
            ("february", "feb"),
            ("march", "mar"),
            ("april", "apr"),
            ("may",),
            ("june", "jun"),
            ("july", "jul"),
            ("august", "aug"),
            ("september", "sept", "sep"),
            ("october", "oct"),
            ("november", "nov"),
            ("december", "dec"),
        ),
        1,
    )
    for name in names
}
"""Names and abbreviations of months: 1 to 12."""

MONTH_PATTERN = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|JANUARY|FEBRUARY|MARCH|APRIL|MAY|JUNE|JULY|AUGUST|SEPTEMBER|OCTOBER|NOVEMBER|DECEMBER"
    r"|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec)\b\.?)"
)
"""Months as they are written; capital letters tell them from `may` and `march`."""

WEEKDAYS = {
    name: number
    for number, names in enumerate(
        (
            ("monday", "mon"),
            ("tuesday", "tues", "tue"),
            ("wednesday", "wed"),
            ("thursday", "thurs", "thu"),
            ("friday", "fri"),
            ("saturday", "sat"),
            ("sunday", "sun"),
        )
    )
    for name in names
}
"""Names of weekdays: 0 for Monday to 6."""

WEEKDAY_PATTERN = (
    r"(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"
    r"|MONDAY|TUESDAY|WEDNESDAY|THURSDAY|FRIDAY|SATURDAY|SUNDAY)"
)
"""Weekdays as they are written."""

SEASONS = {"spring": (3, 5), "summer": (6, 8), "autumn": (9, 11), "fall": (9, 11), "winter": (12, 2)}
"""First and last month of each season of the northern half."""

HOLIDAYS = {
    "christmas day": (12, 25),
    "christmas eve": (12, 24),
    "new year's day": (1, 1),
    "new year's eve": (12, 31),
    "boxing day": (12, 26),
    "may day": (5, 1),
    "9/11": (9, 11),
}
"""Days that have a name, as (month, day)."""

DAY_WORDS = {
    "today": 0,
    "tonight": 0,
    "this morning": 0,
    "this afternoon": 0,
    "this evening": 0,
    "this day": 0,
    "overnight": 0,
    "earlier today": 0,
    "later today": 0,
    "yesterday": -1,
    "last night": -1,
    "tomorrow": 1,
    "the day before yesterday": -2,
    "the day after tomorrow": 2,
}
"""Words for a day, with its distance from the day of publication."""

DECADE_WORDS = {
    "twenties": 20,
    "thirties": 30,
    "forties": 40,
    "fifties": 50,
    "sixties": 60,
    "seventies": 70,
    "eighties": 80,
    "nineties": 90,
}
"""Decades of the twentieth century in words."""

_SMALL = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_NUMBERS = {word: float(number) for number, word in enumerate(_SMALL)}
_NUMBERS |= {word: 10.0 * number for number, word in enumerate(_TENS, 2)}
_NUMBERS |= {"a": 1.0, "an": 1.0, "a couple of": 2.0, "half a": 0.5, "a dozen": 12.0}

NUMBER_PATTERN = (
    r"(?:\d{1,3}(?:,\d{3})*(?:\.\d+)?(?: 1/2)?|half an?|a couple of|a dozen|an?|(?:"
    + "|".join(_TENS)
    + r")(?:[- ](?:"
    + "|".join(_SMALL[1:10])
    + r"))?|"
    + "|".join(sorted(_SMALL, key=len, reverse=True))
    + r")"
)
"""A number in digits or in words, up to ninety-nine."""

UNIT_PATTERN = r"(?:minute|hour|day|week|fortnight|month|year|decade)s?"
"""Units of time."""


def number_of(text: str) -> float:
    """The number that `NUMBER_PATTERN` has found.

    >>> number_of("twenty-one"), number_of("1,200"), number_of("a"), number_of("2 1/2")
    (21.0, 1200.0, 1.0, 2.5)
    """
    words = " ".join(text.lower().split())
    if words in _NUMBERS:
        return _NUMBERS[words]
    if words[:1].isdigit():
        whole, _, half = words.replace(",", "").partition(" ")
        return float(whole) + (0.5 if half else 0.0)
    if words in {"half a", "half an"}:
        return 0.5
    return sum(_NUMBERS.get(part, 0.0) for part in words.replace("-", " ").split())
