"""Hyphens that a tokeniser set apart are put back: `well - placed sources`, but not `talks - off and on - resumed`.

A hyphen between blanks looks like a dash. Which of the two it was is decided by a linear model of the words and shapes
around it, learned from texts that kept their hyphens.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from zlib import crc32

from tidings.analysis.articles.borders import FUNCTION_WORDS, shape_of
from tidings.analysis.names.gazetteers import gazetteers
from tidings.core import Model, prepare, read_model

if TYPE_CHECKING:
    from numpy import ndarray

HYPHEN_PLACES = 8192
"""Weights of the linear model, by hashed feature."""

_APART = re.compile(r" - (?=\w)")
_AROUND = 50
HYPHEN_LEVEL = 0.4
"""What the sum of a hyphen must exceed: of dashes fewer are joined than at 0, and of hyphens still .94."""
_PERSON = frozenset({"given", "family"})


def rejoined(text: str) -> str:
    """The text with each hyphen that was set apart put between its words again.

    >>> rejoined("the 22-year - old said , with her ex - husband")
    'the 22-year-old said , with her ex-husband'
    >>> rejoined("It came late - he was ill - and was read .")
    'It came late - he was ill - and was read .'
    """
    places = [match.start() for match in _APART.finditer(text)]
    if not places:
        return text
    weights = prepare(read_model("articles"), _weights)
    pieces, begin = [], 0
    for place in places:
        if weights[hyphen_features(text, place, len(places))].sum() > HYPHEN_LEVEL:
            pieces.append(text[begin:place])
            begin = place + 3
    return "-".join([*pieces, text[begin:]])


def hyphen_features(text: str, place: int, dashes: int) -> list[int]:
    """The places, in the table of weights, of the features of the ` - ` at `place`, one of so many of the sentence."""
    before = text[max(0, place - _AROUND) : place].split() or ["<"]
    behind = [*text[place + 3 : place + 3 + _AROUND].split(), ">", ">"]
    left, right, beyond = before[-1].rpartition("-")[2] or before[-1], behind[0], behind[1]
    shapes = shape_of(left) + shape_of(right)
    names = [
        "bias",
        f"before={left.lower()}",
        f"behind={right.lower()}",
        f"shapes={shapes}",
        f"shapes={shapes}{shape_of(beyond)}",
        f"ends={right[-3:].lower()}",
        f"ends={right[-2:].lower()}|{shape_of(beyond)}",
        f"closes={left[-3:].lower()}",
        f"beyond={_outline(beyond)}",
        f"earlier={_outline(before[-2]) if len(before) > 1 else '<'}",
        f"dashes={min(dashes, 3)}",
        f"short={min(len(left), 4)}",
        f"first={len(before) < 2}",
    ]
    if left[0].isupper() and right[0].isupper():
        names.append(f"names={_name_kind(left)}{_name_kind(right)}")
    return [crc32(name.encode("utf-8", "surrogatepass")) % HYPHEN_PLACES for name in names]


def _outline(token: str) -> str:
    return token.lower() if token in FUNCTION_WORDS or not token[0].isalnum() else shape_of(token)


def _name_kind(token: str) -> str:
    kinds = gazetteers().words.get(token.lower().removesuffix("'s"), ())
    return "p" if not _PERSON.isdisjoint(kinds) else "o" if kinds else "-"


def _weights(model: Model) -> ndarray[Any, Any]:
    return model.array("hyphens")
