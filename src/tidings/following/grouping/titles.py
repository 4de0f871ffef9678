"""Which of its documents' titles names a story best."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import sqrt

from tidings.following.grouping.terms import Terms

__all__ = ["title_value"]

_LEAST_WORDS = 5  # of a title that can name a story
_LIKENESS, _NAME, _UNFIT = 0.5, 0.06, 0.35
_UNFIT_TITLE = re.compile(
    r"\?|^(?:how|why|what|when|who|where|meet|inside|opinion|analysis|watch|video|live|in pictures|explained)\b"
    r"|\b(?:live updates|live blog|as it happened|what (?:we|you|to) |ahead of|guide to|fun facts)\b|^[‘“'\"]",
    re.IGNORECASE,
)


def title_value(title: str, terms: Sequence[int], names: int, words: Terms) -> float:
    """How well a title names a story: the share of the story's weight in its words, and how alike both are.

    A name counts a little; questions, "how" and "why", live pages, quotations, guides, what looks
    ahead and very short titles lose.

    Args:
        title: as its outlet wrote it.
        terms: numbers of its stems.
        names: how many names it holds.
        words: what the story's documents share.
    """
    weights = words.weights()
    held = [weights[term] for term in terms if term in weights]
    total = sum(weights.values())
    if not total or not terms:
        return -1.0
    share = sum(held) / total
    cosine = sum(held) / (words.length * sqrt(len(terms)))
    unfit = bool(_UNFIT_TITLE.search(title)) or len(title.split()) < _LEAST_WORDS
    return share + _LIKENESS * cosine + _NAME * names - (_UNFIT if unfit else 0.0)
