"""The event's query as terms, pairs of neighbours and pairs with a gap."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from tidings.core import tokens
from tidings.following.entities.features.word_facts import stem_of_token

__all__ = ["QueryTerms", "gapped_pairs", "neighbours"]

GAP = 4
"""Words that may stand between the two of a skip-bigram."""


def neighbours(stems: Sequence[str]) -> set[tuple[str, str]]:
    """The pairs of stems that stand beside each other.

    >>> sorted(neighbours(["boston", "marathon", "bomb"]))
    [('boston', 'marathon'), ('marathon', 'bomb')]
    """
    return set(pairwise(stems))


def gapped_pairs(stems: Sequence[str], gap: int = GAP) -> set[tuple[str, str]]:
    """The pairs of stems, in their order, with at most `gap` others between them.

    >>> sorted(gapped_pairs(["boston", "marathon", "bomb"], gap=1))
    [('boston', 'bomb'), ('boston', 'marathon'), ('marathon', 'bomb')]
    """
    return {
        (stem, other)
        for at, stem in enumerate(stems)
        for other in stems[at + 1 : at + 2 + gap]
        if stem != other
    }


class QueryTerms:
    """The stems of a query in order, and the stems that it was expanded with.

    >>> QueryTerms("The Boston Marathon bombings", ["tsarnaev"]).all
    ('boston', 'marathon', 'bomb', 'tsarnaev')
    """

    def __init__(self, query: str, expansion: Iterable[str] = ()) -> None:
        own = [stem for stem in map(stem_of_token, tokens(query)) if stem]
        self.own = tuple(own)
        self.all = tuple(dict.fromkeys([*own, *(stem for stem in expansion if stem)]))
        self.pairs = neighbours(own)
        self.gapped = gapped_pairs(own)
