"""Where a headline, caption or byline ends and the sentence proper begins, in a text that lost the line between them.

    "Swine flu 'shows drug resistance' | The drug was offered to those nearby | Experts have reported the first case"

Pages turned into text put the headline, the caption of the picture and the lead behind one another with no full stop. A
border can only stand before a capital, a digit or a quotation mark. Whether it does is decided by a linear model of the
words and shapes around it, learned from pairs of whole sentences put together in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from math import inf
from typing import TYPE_CHECKING, Any
from zlib import crc32

from tidings.analysis.articles.furniture import furniture_end
from tidings.analysis.articles.surfaces import is_verb
from tidings.core import LONGEST_TOKEN

if TYPE_CHECKING:
    from numpy import ndarray


PLACES = 1 << 17
"""Weights of the linear model, by hashed feature."""

_TOKEN = re.compile(r"\S+")
_WEEKDAYS = frozenset(("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"))
_FEWEST_WORDS = 6
_OPENING_MARKS = frozenset({"``", "`", "“", "‘", '"'})
_MOST_WORDS_BEFORE, _LATER_LEVEL, _LATER_LOOSE = 40, 3.0, 1.5
_JOINING = (
    "that who which whose whom where when while because as if after before since until although though whether and but "
    "or , ; : - -- `` '' said says"
)
_JOINERS = frozenset(_JOINING.split())
"""Words and marks behind which a clause goes on, or another one begins."""


def border_places(tokens: Sequence[str]) -> list[int]:
    """The numbers of the tokens before which a border can stand: not the first, and begun like a sentence.

    >>> border_places("Oil well sealed The leaking well of BP has been sealed .".split())
    [3, 7]
    """
    return [number for number in range(1, len(tokens)) if _can_begin(tokens, number)]


def _can_begin(tokens: Sequence[str], number: int) -> bool:
    token = tokens[number]
    if token in _OPENING_MARKS:
        return number + 1 < len(tokens) and tokens[number + 1][0].isupper()
    if tokens[number - 1] in _OPENING_MARKS or token in ("-LRB-", "-RRB-"):
        return False
    if token in _WEEKDAYS and number + 1 < len(tokens) and tokens[number + 1][0].islower():
        return False  # "raged Tuesday for control", "erupted Sunday night"
    first = token.lstrip("\"'“‘`$£€#")[:1]
    return first.isupper() or first.isdigit()


def border_features(tokens: Sequence[str], number: int) -> list[int]:
    """The places, in the table of weights, of the features of a border before token `number`."""
    return _places(tokens, number, [is_verb(token) for token in tokens])


def _places(tokens: Sequence[str], number: int, verbs: Sequence[bool]) -> list[int]:
    return list(map(_place, _names(tokens, number, verbs)))


@lru_cache(maxsize=1 << 14)
def _place(name: str) -> int:
    return crc32(name.encode("utf-8", "surrogatepass")) % PLACES


def _names(tokens: Sequence[str], number: int, verbs: Sequence[bool]) -> list[str]:
    before = tokens[number - 1]
    earlier = tokens[number - 2] if number > 1 else "<"
    here = tokens[number]
    behind = tokens[number + 1] if number + 1 < len(tokens) else ">"
    beyond = tokens[number + 2] if number + 2 < len(tokens) else ">"
    verb = _first_verb(verbs, number)
    joiner, told = _since_joiner(tokens, number, verbs)
    near = f"{shape_of(before)}|{shape_of(here)}"
    shapes = f"{shape_of(earlier)}{shape_of(before)}|{shape_of(here)}{shape_of(behind)}{shape_of(beyond)}"
    return [
        "bias",
        f"before={before.lower()}",
        f"earlier={earlier.lower()}",
        f"here={here}",
        f"behind={behind.lower()}",
        f"beyond={beyond.lower()}",
        f"ends={before[-3:].lower()}|{shape_of(before)}",
        f"shapes={shapes}",
        f"near={near}",
        f"pair={before.lower()} {here.lower()}",
        f"verb={verb}",
        f"verb={verb}|{near}",
        f"tells={_first_told(tokens, verbs, number)}",
        f"verbs={min(sum(verbs[:number]), 2)}",
        f"both={min(sum(verbs[:number]), 2)}|{verb}|{verbs[number - 1]}|{shape_of(before)}",
        f"since={joiner}|{told}|{verb}",
        f"since={bool(joiner)}|{told}|{verb}|{near}",
        f"again={_said_before(tokens, number)}|{shape_of(before)}",
        f"words={min(number, 12)}",
        f"left={min((len(tokens) - number) // 4, 6)}",
    ]


def _since_joiner(tokens: Sequence[str], number: int, verbs: Sequence[bool]) -> tuple[str, bool]:
    # The last joiner before a token, and whether a verb stands behind it: what needs none may end there.
    told = False
    for place in range(number - 1, -1, -1):
        low = tokens[place].lower()
        if low in _JOINERS or low[-1] in ",;:":
            return (low if low in _JOINERS else ","), told
        told = told or verbs[place]
    return "", told


def _said_before(tokens: Sequence[str], number: int) -> int:
    # Leads name again what headline and caption have named: 1 for a name's first word, 2 for two words of it.
    here = tokens[number]
    if not here[0].isupper() or shape_of(here) == "f" or here not in tokens[:number]:
        return 0
    pair = list(tokens[number : number + 2])
    return 1 + any(list(tokens[place : place + 2]) == pair for place in range(number - 1))


def _first_told(tokens: Sequence[str], verbs: Sequence[bool], number: int) -> str:
    near = range(number + 1, min(number + 7, len(tokens)))
    return next((tokens[place].lower() for place in near if verbs[place]), "-")


@lru_cache(maxsize=1 << 14)
def shape_of(token: str) -> str:
    """How a token is written: `9` a number, `U` in capitals, `C` with one, `f` a function word so, `a`, `w` small."""
    if token.isdigit() or token[0].isdigit():
        return "9"
    if token.isupper() and len(token) > 1:
        return "U"
    if token[0].isupper():
        return "f" if token.lower() in FUNCTION_WORDS else "C"
    if token.isalpha():
        return "w" if token in FUNCTION_WORDS else "a"
    return "q" if token[0] in "\"'`“”‘’" else "."


_WORDS = (
    "the a an of in on at to for by with and or from as but his her their its our my this that these "
    "those it he she they we i you there here some many most more at least about after before into "
    "over under against between during since until while when if who which what how why not no all "
    "both each other one two"
)
FUNCTION_WORDS = frozenset(_WORDS.split())


def _first_verb(verbs: Sequence[bool], number: int) -> str:
    for distance in range(1, min(12, len(verbs) - number)):
        if verbs[number + distance]:
            return "1" if distance == 1 else "2" if distance == 2 else "3" if distance < 6 else "6"
    return "-"


def lead_start(
    text: str,
    weights: ndarray[Any, Any],
    *,
    level: float = 0.0,
    loose: float = inf,
    opening: bool = True,
    published: date | None = None,
) -> int:
    """The character at which the sentence proper begins: behind time stamp, furniture, byline, headline and dateline.

    `weights` is the table of the linear model, of shape [PLACES]; a border stands where its sum exceeds `level`, before
    any but the first sentence of a document (`opening`) 3. It must exceed no more than `loose`, there 1.5, before words
    like "The court", rarely written like this in mid-sentence. Only the first one has a byline before it, and none has
    a headline behind a dateline.

    >>> import numpy as np
    >>> text = "PARIS (Reuters) - A train derailed near the city on Friday."
    >>> text[lead_start(text, np.zeros(PLACES)):]
    'A train derailed near the city on Friday.'
    >>> lead_start("A train derailed near the city on Friday.", np.zeros(PLACES))
    0
    """
    start, dated = furniture_end(text, 0, opening=opening, published=published)
    if not dated:
        later = max(level, _LATER_LEVEL), max(loose, _LATER_LOOSE)
        levels, before = (level, loose) if opening else later, -1
        while before < start:  # a list of highlights is longer than the words that are looked at
            before, start, levels = start, _behind_headline(text, start, weights, *levels), later
        if start:  # else the same was tried above
            start, _ = furniture_end(text, start, opening=False)
    return start


def is_glued(text: str, weights: ndarray[Any, Any], level: float, *, loose: float = _LATER_LOOSE) -> bool:
    """Whether a heading or a caption stands before a sentence, at this level (see `lead_start`).

    >>> import numpy as np
    >>> is_glued("A train derailed near the city on Friday.", np.zeros(PLACES), 3.0)
    False
    """
    return _behind_headline(text, 0, weights, level, loose) > 0


def _begins_a_sentence(tokens: Sequence[str], number: int) -> bool:
    # "The court", "A UN", but not "The Office" or "I", which may stand in mid-sentence, nor behind "2 May:".
    pair = "".join(map(shape_of, tokens[number : number + 2]))
    return pair in ("fa", "fw", "fU") and tokens[number] != "I" and tokens[number - 1][-1] not in ",;:"


def _describes_a_name(tokens: Sequence[str], number: int) -> bool:
    # "The burnt ferry | Aurora was towed", "The family of sporting idol | Oscar Pistorius have broken their silence".
    if tokens[0] not in ("The", "A", "An") or shape_of(tokens[number]) not in "CU":
        return False
    return shape_of(tokens[number - 1]) in "aw" and not any(map(is_verb, tokens[:number]))


def _behind_headline(text: str, start: int, weights: ndarray[Any, Any], level: float, loose: float) -> int:
    # The surest border that exceeds its level.
    tokens, borders = _read_borders(text, start, weights)
    sure = [
        (total, place)
        for number, place, total in borders
        if (total > level or (total > loose and _begins_a_sentence(tokens, number)))
        and not _describes_a_name(tokens, number)
    ]
    return max(sure)[1] if sure else start


def clause_end(text: str, start: int, weights: ndarray[Any, Any], level: float) -> int:
    """Where a caption of some words, a sentence in itself, ends before another one; `start` where none stands there.

    Of the borders between two clauses that exceed `level`, the surest.

    >>> import numpy as np
    >>> clause_end("A train derailed near the city on Friday.", 0, np.zeros(PLACES), 0.0)
    0
    """
    tokens, borders = _read_borders(text, start, weights)
    verbs = [is_verb(token) for token in tokens]
    clauses = [
        (total, place)
        for number, place, total in borders
        if total > level
        and number >= _FEWEST_WORDS
        and any(verbs[: number - 1])
        and not verbs[number - 1]  # "the ruptured Gulf of Mexico well"
        and _first_verb(verbs, number) != "-"
    ]
    return max(clauses)[1] if clauses else start


def _read_borders(
    text: str, start: int, weights: ndarray[Any, Any]
) -> tuple[list[str], list[tuple[int, int, float]]]:
    # The tokens behind `start`, and of each place for a border its token, its character and its sum.
    spans = [match.span() for match in _TOKEN.finditer(text, start)]
    tokens = [text[first : min(last, first + LONGEST_TOKEN)] for first, last in spans]
    most = min(_MOST_WORDS_BEFORE, len(tokens) - _FEWEST_WORDS)
    borders = [number for number in border_places(tokens[: most + 2]) if number <= most] if most > 0 else []
    if not borders:
        return tokens, []
    verbs = [is_verb(token) for token in tokens]
    sums = weights[[_places(tokens, number, verbs) for number in borders]].sum(axis=1).tolist()
    return tokens, [(number, spans[number][0], total) for number, total in zip(borders, sums, strict=True)]
