"""What a sentence looks like, whatever event it may be about: length, capitals, marks, and shares of tags."""

from __future__ import annotations

import re
from functools import lru_cache
from math import log1p

from tidings.core import ENGLISH, shared_analyzer
from tidings.following.systems.features.tags import TAGS, tag

__all__ = ["LONGEST_TEXT", "SURFACE", "stems_of", "surface"]

LONGEST_TEXT = 4_000
"""Characters of a sentence that are looked at; a longer one is a page, or hostile."""

MOST_STEMS = 300
"""Stems of a sentence that are looked at."""

SURFACE = (
    "length",
    "short",
    "long",
    "alphabetic",
    "capitals",
    "capitalised",
    "shouted",
    "digits",
    "marks",
    "quoted",
    "asked",
    "stop_words",
    "mean_word",
    "different",
    "first_person",
    *(f"tag_{name}" for name in TAGS),
)
"""The names of what `surface` gives; all within 0..1."""

_UPPER = re.compile(r"[A-Z]")
_LETTERS = re.compile(r"[^\W\d_]")
_DIGIT = re.compile(r"\d")
_MARK = re.compile(r"[^\w\s]")
_ALPHABETIC = re.compile(r"[^\W\d_]+")
_FIRST_PERSON = frozenset(("i", "me", "my", "mine", "we", "us", "our", "ours", "you", "your"))


@lru_cache(maxsize=8_192)
def surface(text: str) -> tuple[float, ...]:
    """The figures named by `SURFACE` for one text, each within 0..1.

    `length` is log(1 + words) / log(401), `short` and `long` are 1 for fewer than 10 and more than 40 words; the rest
    are shares of characters (capitals, digits, marks) or of words.

    >>> dict(zip(SURFACE, surface("Nobody was hurt?")))["asked"]
    1.0
    """
    text = text[:LONGEST_TEXT]
    tagged = tag(text)
    n = tagged.words
    if not n:
        return (0.0,) * len(SURFACE)
    size = len(text)
    words = text.split(None, 400)[:400]
    plain = [word.lower() for word in _ALPHABETIC.findall(text)[:600]]
    letters = len(_LETTERS.findall(text)) or 1
    lower = [word.lower() for word in words]
    return (
        min(1.0, log1p(n) / log1p(400)),
        float(n < 10),
        float(n > 40),
        min(1.0, len(plain) / n),
        min(1.0, len(_UPPER.findall(text)) / letters),
        sum(1 for word in words if word[0].isupper()) / n,
        sum(1 for word in words if len(word) > 1 and word.isupper()) / n,
        len(_DIGIT.findall(text)) / size,
        len(_MARK.findall(text)) / size,
        float('"' in text or "``" in text or "“" in text),
        float("?" in text),
        sum(1 for word in plain if word in ENGLISH) / (len(plain) or 1),
        min(1.0, size / n / 12.0),
        len(set(lower)) / n,
        sum(1 for word in plain if word in _FIRST_PERSON) / (len(plain) or 1),
        *(min(1.0, count / n) for count in tagged.counts),
    )


def stems_of(text: str, language: str = "english") -> tuple[str, ...]:
    """The stems of a sentence in order, at most `MOST_STEMS` of them."""
    return shared_analyzer(language).stems(text)[:MOST_STEMS]
