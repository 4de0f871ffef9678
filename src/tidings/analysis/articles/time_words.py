"""The words of English time expressions (months, weekdays, numbers, units, parts of a day), and the cues they give."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import IntFlag, auto
from functools import lru_cache
from itertools import pairwise

from tidings.core import data_beside

_DATA = data_beside(__file__)


def _number_names(text: str, first: int) -> dict[str, int]:
    return {name: number for number, names in enumerate(text.split("|"), first) for name in names.split()}


MONTHS: dict[str, int] = _number_names(_DATA["months"], 1)
"""Names and abbreviations of months: 1 to 12."""

MONTH_PATTERN = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|JANUARY|FEBRUARY|MARCH|APRIL|MAY|JUNE|JULY|AUGUST|SEPTEMBER|OCTOBER|NOVEMBER|DECEMBER"
    r"|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec)\b\.?)"
)
"""Months as they are written; capital letters tell them from `may` and `march`."""

WEEKDAYS = _number_names(_DATA["weekdays"], 0)
"""Names of weekdays: 0 for Monday to 6."""

WEEKDAY_PATTERN = (
    r"(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"
    r"|MONDAY|TUESDAY|WEDNESDAY|THURSDAY|FRIDAY|SATURDAY|SUNDAY)"
)
"""Weekdays as they are written."""

SEASONS: dict[str, tuple[int, int]] = {
    name: (first, last) for name, (first, last) in _DATA["seasons"].items()
}
"""First and last month of each season of the northern half."""

HOLIDAYS: dict[str, tuple[int, int]] = {
    name: (month, day) for name, (month, day) in _DATA["holidays"].items()
}
"""Days that have a name, as (month, day)."""

DAY_WORDS: dict[str, int] = _DATA["day_words"]
"""Words for a day, with its distance from the day of publication."""

DECADE_WORDS: dict[str, int] = _DATA["decades"]
"""Decades of the twentieth century in words."""

_SMALL, _TENS = (_DATA[name].split() for name in ("small_numbers", "tens"))
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


class Cue(IntFlag):
    """What a word can be in a time expression."""

    MONTH = auto()
    WEEKDAY = auto()
    YEAR = auto()
    DAY_WORD = auto()
    SEASON = auto()
    DECADE = auto()
    CENTURY = auto()
    END = auto()
    THE_YEAR = auto()
    HOLIDAY = auto()
    ERA = auto()


class Pair(IntFlag):
    """What two words side by side can be; the bits are those above the cues of single words."""

    WHICH_UNIT = auto()
    WHICH_PART_OF_DAY = auto()
    WHICH_SEASON = auto()
    UNIT_AGO = auto()
    UNIT_TIME = auto()
    UNIT_LATER = auto()
    ERA_YEAR = auto()
    DECADE_S = auto()
    MONTH_DAY = auto()
    DAY_MONTH = auto()


CUE_BITS, PAIR_BITS = len(Cue), len(Pair)
"""How many bits each has; the cues of a word are those of `Cue`, of `Pair` as its first word, and as its second."""

_FIRST, _SECOND = CUE_BITS, CUE_BITS + PAIR_BITS


def _first(pair: Pair) -> int:
    return int(pair) << _FIRST


def _second(pair: Pair) -> int:
    return int(pair) << _SECOND


_WORDS: dict[int, tuple[str, str]] = {
    Cue.MONTH | _first(Pair.MONTH_DAY) | _second(Pair.DAY_MONTH): (
        "jan feb mar apr may jun jul aug sep oct nov dec",
        MONTH_PATTERN,
    ),
    Cue.WEEKDAY: ("mon tue wed thu fri sat sun", WEEKDAY_PATTERN),
    Cue.YEAR: ("", r"\b(?:1\d{3}|20\d{2})\b"),
    Cue.DAY_WORD: ("yes tom tod ton ove", "(?i)yesterday|tomorrow|today|tonight|overnight"),
    Cue.SEASON | _second(Pair.WHICH_SEASON): ("spr sum aut fal win", "(?i)" + "|".join(SEASONS)),
    Cue.DECADE: ("tie", r"(?i)(?:1\d{2}0|20\d0)['’]?s|" + "|".join(DECADE_WORDS)),
    Cue.CENTURY: ("cen", "[Cc]entury"),
    Cue.END: ("end", r"(?i)\bend\b"),
    Cue.THE_YEAR | _first(Pair.ERA_YEAR): ("yea", "(?i)year"),
    Cue.HOLIDAY: ("chr box yea day", r"Christmas|Boxing|Year|Day|\b9\b"),
    Cue.ERA: ("", r"\bAD\d|\bc\.\d"),
    _second(Pair.MONTH_DAY): ("", r"^\d"),
    _first(Pair.DAY_MONTH): ("", r"\d(?:st|nd|rd|th)?$|\bof$"),
    _first(Pair.WHICH_UNIT | Pair.WHICH_PART_OF_DAY | Pair.WHICH_SEASON): (
        "thi tha las nex pas sam omi llo evi",
        "(?i)this|that|last|next|past|same|coming|following|previous",
    ),
    _first(Pair.UNIT_AGO | Pair.UNIT_TIME | Pair.UNIT_LATER) | _second(Pair.WHICH_UNIT): (
        "inu hou day wee ort mon yea dec",
        "(?i)minute|hour|day|week|fortnight|month|year|decade",
    ),
    _second(Pair.WHICH_PART_OF_DAY): ("mor aft eve nig day", r"(?i)morning|afternoon|evening|night|\bday\b"),
    _second(Pair.UNIT_AGO): ("ago", r"(?i)\bago\b"),
    _second(Pair.UNIT_TIME): ("tim", r"(?i)\btime\b"),
    _second(Pair.UNIT_LATER): ("lat ear bef aft", r"(?i)\b(?:later|earlier|before|after)\b"),
    _first(Pair.ERA_YEAR): ("", r"\bAD$|\bc\.?$"),
    _second(Pair.ERA_YEAR): ("", r"^\d\d"),
    _first(Pair.DECADE_S): ("", r"(?:1\d{2}0|20\d0)$"),
    _second(Pair.DECADE_S): ("", r"(?i)^['’]?s\b"),
}
"""The pattern of a cue's words, and three letters of each of those that are letters alone and longer than two."""

_PATTERNS = [(int(cue), re.compile(pattern)) for cue, (_, pattern) in _WORDS.items()]
_BY_LETTERS: dict[tuple[str, ...], list[tuple[int, re.Pattern[str]]]] = {}
for (_letters, _), _pattern in zip(_WORDS.values(), _PATTERNS, strict=True):
    for _three in _letters.split():
        _BY_LETTERS.setdefault(tuple(_three), []).append(_pattern)
_FEWEST = 3
_CONTRACTED = re.compile("n't")


def word_cues(word: str) -> int:
    """The cues of one word, as flags.

    >>> word_cues("Sunday") & Cue.WEEKDAY > 0, word_cues("house"), word_cues("2013") & Cue.YEAR > 0
    (True, 0, True)
    """
    if "n't" in word:  # where a word ends must be seen also where a contraction was joined to it
        word = _CONTRACTED.sub(" n't", word)
    patterns = _PATTERNS
    if word.isascii() and word.isalpha() and len(word) >= _FEWEST:
        low = word.lower()
        threes = _BY_LETTERS.keys() & zip(low, low[1:], low[2:], strict=False)
        patterns = [entry for three in threes for entry in _BY_LETTERS[three]]
    cues = 0
    for bit, pattern in patterns:
        if pattern.search(word):
            cues |= bit
    return cues


_known_cues = lru_cache(maxsize=32_768)(word_cues)
_LONGEST = 64
_SINGLE, _PAIRED = (1 << CUE_BITS) - 1, (1 << PAIR_BITS) - 1


def find_cues(text: str) -> int:
    """What the words of a text are in time expressions: the bits of `Cue`, above them those of `Pair`.

    >>> find_cues("It fell two weeks ago.") == Pair.UNIT_AGO << CUE_BITS, find_cues("weeks of it, long ago")
    (True, 0)
    """
    words = [_known_cues(word) if len(word) <= _LONGEST else word_cues(word) for word in text.split()]
    cues = 0
    for bits in words:
        cues |= bits
    return cues & _SINGLE | _pairs(words) << CUE_BITS


def _pairs(words: Sequence[int]) -> int:
    pairs = 0
    for one, other in pairwise(words):
        pairs |= one >> _FIRST & other >> _SECOND
    return pairs & _PAIRED
