"""What the numbers of a text in a language other than English count: its dead, injured and missing, and plain plurals.

Rules and short lists of words, for whether a report gives a number that has changed; values (`tidings values`) are not
made of them. Digits of any script are read, numbers in Han characters, and the number words up to twenty of some
languages. A number belongs to the nearest word of its clause that says dead, injured or missing; dates, times, ages and
shares count nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from tidings.analysis.values.numbers import Mention, Quantity
from tidings.core import data_beside, digits

_DATA = data_beside(__file__)
_KINDS = ("deaths", "injuries", "missing")
TOLL_LANGUAGES = tuple(_DATA["deaths"])
"""The languages of which the words for dead, injured and missing are known."""

_FIGURES = re.compile(
    r"(?<![\d.,:/-])\d{1,3}(?:[.,\u00a0\u202f' ]\d{3})+(?!\d)|(?<![\d.,:/-])\d{1,9}(?![\d:/]|[.,]\d)"
)
_HAN_NUMBER = re.compile("[一二三四五六七八九十百千万两兩]+")
_HAN = {digit: value for value, digit in enumerate("〇一二三四五六七八九")} | {"两": 2, "兩": 2}
_HAN_UNITS = {"十": 10, "百": 100, "千": 1000, "万": 10_000}
_CLAUSE = re.compile("[;:!?؟،、，。！？；।]|[.,](?!\\d)")
_FARTHEST = 60  # characters between a number and the word that it counts
_MOST = 20  # counts of a sentence; more are a table
_MOST_CHARACTERS = 2_000  # of a sentence that are looked at


def find_counts_in(text: str, language: str) -> list[Mention]:
    """The numbers of a text with what they count, in order; spans are characters of the text in its plainest form.

    >>> [(one.attribute, one.value) for one in find_counts_in("Zwölf Tote und fünf Vermisste bei Sorel", "de")]
    [('deaths', 12.0), ('missing', 5.0)]
    >>> find_counts_in("Am 3. Mai um 12 Uhr", "de")
    []
    """
    text = unicodedata.normalize("NFKC", text[:_MOST_CHARACTERS]).translate(digits()).lower()
    mentions: list[Mention] = []
    start = 0
    for clause in [*_CLAUSE.finditer(text), None]:
        end = clause.start() if clause is not None else len(text)
        mentions += _of_clause(text[start:end], start, language)
        start = clause.end() if clause is not None else end
        if len(mentions) >= _MOST:
            break
    return mentions[:_MOST]


def _of_clause(clause: str, at: int, language: str) -> Iterator[Mention]:
    spans = list(_numbers(clause, language))
    if not spans:
        return
    said = [(match.start(), kind) for kind, words in _patterns(language) for match in words.finditer(clause)]
    # The nearest pairs of a number and a word first; each of both has one.
    pairs = sorted(
        (abs(place - end) if place >= end else abs(start - place), number, word)
        for number, (start, end, _) in enumerate(spans)
        for word, (place, _) in enumerate(said)
    )
    kinds: dict[int, str] = {}
    taken: set[int] = set()
    for distance, number, word in pairs:
        if distance < _FARTHEST and number not in kinds and word not in taken:
            kinds[number] = said[word][1]
            taken.add(word)
    for number, (start, end, value) in enumerate(spans):
        counted = kinds.get(number) or _plural(clause, end, language)
        if counted:
            span = at + start, at + end
            yield Mention(counted, Quantity.exact(value, *span), *span)


def _numbers(clause: str, language: str) -> Iterator[tuple[int, int, float]]:
    not_counted = _not_counted(language)
    found: list[tuple[int, int, float]] = [
        (match.start(), match.end(), float(re.sub(r"\D", "", match.group())))
        for match in _FIGURES.finditer(clause)
    ]
    if language in ("zh", "ja"):
        found += [
            (match.start(), match.end(), float(number))
            for match in _HAN_NUMBER.finditer(clause)
            if (number := _han_value(match.group())) is not None
        ]
    words = _number_words(language)
    if words is not None:
        pattern, values = words
        found += [
            (match.start(), match.end(), float(values[match.group(1)])) for match in pattern.finditer(clause)
        ]
    for start, end, value in sorted(found):
        if value > 1 and not not_counted.match(clause, end) and not clause.startswith((".", "%", " %"), end):
            yield start, end, value


def _han_value(number: str) -> int | None:
    total = part = digit = 0
    for sign in number:
        if sign in _HAN:
            if digit:
                return None  # a year, or no number
            digit = _HAN[sign]
        elif sign == "万":
            total += (part + digit or 1) * 10_000
            part = digit = 0
        else:
            part += (digit or 1) * _HAN_UNITS[sign]
            digit = 0
    return total + part + digit


def _plural(clause: str, end: int, language: str) -> str:
    """What stands behind a number: a word of four letters and more, or two characters without blanks between."""
    pattern = (
        r"\s*(?:名|多|余|餘|約)?(\w{2})"
        if language in ("zh", "ja")
        else r"\s(?:de\s|من\s)?([^\s\d_.,()]{4,27})"
    )
    match = re.compile(pattern).match(clause, end)
    return match.group(1)[:8] if match else ""


@lru_cache(maxsize=64)
def _patterns(language: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    if language not in TOLL_LANGUAGES:
        return ()
    before = (
        "" if language in ("zh", "ja", "ko") else r"(?<!\w)(?:ال|و|وال)?" if language == "ar" else r"(?<!\w)"
    )
    whole = {"tot", "leben", "mort", "dood"} if language in ("de", "nl") else set()
    return tuple(
        (
            kind,
            re.compile("|".join(before + word + (r"\b" if word in whole else "") for word in said.split())),
        )
        for kind, said in ((kind, _DATA[kind][language]) for kind in _KINDS)
    )


@lru_cache(maxsize=64)
def _not_counted(language: str) -> re.Pattern[str]:
    words = _DATA["not_counted"].get(language, "").split()
    return re.compile(r"[\s-]?(?:" + "|".join([*words, "%"]) + ")")


@lru_cache(maxsize=64)
def _number_words(language: str) -> tuple[re.Pattern[str], dict[str, float]] | None:
    values: dict[str, float] = {
        word: n for n, word in enumerate(_DATA["numbers"].get(language, "").split(), 2)
    }
    if language == "ar":
        values = {word: float(value) for word, value in _DATA["arabic_numbers"].items()}
    if not values:
        return None
    ranked = sorted(values, key=len, reverse=True)
    return re.compile(
        (r"(?<![\w-])و?(" if language == "ar" else r"(?<![\w-])(")
        + "|".join(map(re.escape, ranked))
        + r")(?![\w-])"
    ), values
