"""What the numbers of a text count: 80 dead, 3,500 wells, $20bn, 75%.

Rules, not a model. A number is one of the next plural in small letters, of a currency, or of a hundred; casualties are
known by their kind (`tidings.analysis.values.casualties`). Dates, times of day, ages, lengths of time, addresses
and a plain "one" count nothing.
"""

from __future__ import annotations

import re

from msgspec import Struct

from tidings.analysis.values.casualties import find_casualties, find_numbers
from tidings.core import ENGLISH

__all__ = ["CountedNumber", "find_counted_numbers"]


class CountedNumber(Struct, frozen=True):
    """So many (`value`) of something: `counted` is a plural in small letters, a currency's sign, or `%`.

    Of casualties it is their kind, such as `deaths`, and `qualifier` theirs ("", "at least", "at most", "about").
    """

    counted: str
    value: float
    is_toll: bool = False
    qualifier: str = ""


_MOST_CHARACTERS = 2_000
_MOST_NUMBERS = 20
_AMOUNT = re.compile(
    r"(?P<money>[$£€])\s?(?P<m>\d[\d,]{0,15}(?:\.\d{1,6})?)\s?(?P<scale>bn|tn|m|k|million|billion|trillion)?\b"
    r"|(?<![\w.,$£€])(?P<p>\d[\d,]{0,15}(?:\.\d{1,6})?)\s?(?:%|per ?cent\b)"
)
_SCALES = {"k": 1e3, "m": 1e6, "million": 1e6, "bn": 1e9, "billion": 1e9, "tn": 1e12, "trillion": 1e12}
_COUNTED = re.compile(
    r" (?:(?!(?:and|or|to|in|on|at|for|from|with|by|after|before|when|is|are|was|were|has|have|as|but|that|who)\b)"
    r"[a-z][a-z-]{1,20} ){0,2}?([a-z]{2,27}(?!s)[a-z]s|people|men|women|children|staff|police|dead)\b"
)
_DATE_OR_TIME = re.compile(r"\s?[:.]\d|-|['’]|\s?(?:a\.?m|p\.?m|GMT|BST|UK)\b|/\d")
_NUMBERED = re.compile(
    r"(?:[:/.-]|\b(?:aged?|number|no|page|chapter|article|section|day|at|at about|at around)\.?\s)$",
    re.IGNORECASE,
)
_NOT_COUNTED = ENGLISH | {
    *(
        "second",
        "seconds",
        "minute",
        "minutes",
        "hour",
        "hours",
        "day",
        "days",
        "night",
        "nights",
        "week",
        "weeks",
    ),
    *("weekend", "weekends", "month", "months", "year", "years", "decade", "decades", "century", "centuries"),
    *(
        "time",
        "times",
        "since",
        "around",
        "across",
        "inside",
        "within",
        "worldwide",
        "globally",
        "nationwide",
    ),
    *(
        "abroad",
        "percent",
        "cent",
        "hundred",
        "thousand",
        "million",
        "billion",
        "trillion",
        "half",
        "way",
        "ways",
    ),
    *("thing", "things", "part", "parts", "side", "sides", "step", "steps", "point", "points"),
}
_NUMBER_WORD = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|"
    r"eighty|ninety|hundred|thousand|million|billion|one)\b",
    re.IGNORECASE,
)


def find_counted_numbers(text: str, language: str = "") -> list[CountedNumber]:
    """The numbers of a text with what they count, in order; casualties come first.

    The rules here are for English, and for texts whose language is not known; those of others (codes of ISO 639-1) are
    in `tidings.analysis.values.numbers_by_language`.

    >>> [(one.counted, one.value) for one in find_counted_numbers("At least 80 dead; BP paid $20bn for 3,500 wells.")]
    [('deaths', 80.0), ('$', 20000000000.0), ('wells', 3500.0)]
    >>> find_counted_numbers("At 10:30 on 26 July 2013, three days later, a man aged 45 came to 12 High Street.")
    []
    """
    if language and language != "en":
        from tidings.analysis.values.numbers_by_language import find_numbers_in

        return [CountedNumber(*one) for one in find_numbers_in(text, language)]
    text = text[:_MOST_CHARACTERS]
    if not any(map(str.isdigit, text)) and not _NUMBER_WORD.search(text):
        return []
    casualties = find_casualties(text)
    numbers = [CountedNumber(one.kind, float(one.value), True, one.qualifier) for one in casualties]
    spans = [(one.start, one.end) for one in casualties]
    for match in _AMOUNT.finditer(text):
        value = float((match["m"] or match["p"]).replace(",", ""))
        value = round(value * _SCALES.get(match["scale"] or "", 1.0), 6)
        numbers.append(CountedNumber(match["money"] or "%", value))
        spans.append(match.span())
    for number in find_numbers(text):
        if number.value == 1 or any(start <= number.start < end for start, end in spans):
            continue
        counted = _COUNTED.match(text, number.end)
        if counted is None or counted[1] in _NOT_COUNTED:
            continue
        if _DATE_OR_TIME.match(text, number.end) or _NUMBERED.search(
            text[max(0, number.start - 12) : number.start]
        ):
            continue
        numbers.append(CountedNumber(counted[1], number.value))
    return numbers[:_MOST_NUMBERS]
