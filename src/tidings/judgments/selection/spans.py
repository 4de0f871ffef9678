"""Which characters of an update say a nugget."""

from __future__ import annotations

import re

from tidings.text.tokens import shared_analyzer

__all__ = ["likely_span"]

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def likely_span(text: str, words: str, language: str = "english") -> tuple[int, int]:
    """(start, end) of the part of `text` that shares most with `words`; (0, 0) where it shares nothing.

    The part is the run of words with the highest sum: +1 for a word that `words` holds too, -0.25 for another,
    nothing for a stop word; it begins and ends with a shared one.

    >>> text = "Police said a ferry burned near the coast."
    >>> start, end = likely_span(text, "a ferry burned off the coast")
    >>> text[start:end]
    'ferry burned near the coast'
    """
    stem = shared_analyzer(language).stems
    shared = set(stem(words))
    best, begun, total = (0.0, 0, 0), -1, 0.0
    for word in _WORD.finditer(text):
        stems = stem(word.group())
        worth = 0.0 if not stems else 1.0 if shared.intersection(stems) else -0.25
        if total <= 0 and worth > 0:
            begun, total = word.start(), 0.0
        total += worth
        if worth > 0 and total > best[0]:
            best = (total, begun, word.end())
    return best[1], best[2]
