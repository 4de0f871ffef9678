"""Bags of weighted terms: the numbers and rarity of terms, and bounded running sums that are compared by cosine."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from itertools import islice
from math import log, log2, sqrt

import numpy as np
from msgspec import Struct

from tidings.following.background import usual

__all__ = ["Terms", "Vocabulary"]

_BACKGROUND_DOCUMENTS = 1_000  # of the news at large, as if they had come before
_LARGEST = 400_000  # terms from which on those that are rare and in no open story are forgotten
_RARE = 2  # documents: what no more hold may be forgotten
_HALF = 0.5  # so that no rarity is infinite


class _Damped(dict[float, float]):
    """1 + ln of a count; few counts are met."""

    def __missing__(self, count: float) -> float:
        self[count] = damped = 1.0 + log(count)
        return damped


_DAMPED = _Damped()


class Terms(Struct, gc=False):
    """A sum of unit vectors, of which the heaviest terms are kept; packed, since there are very many.

    >>> terms = Terms.of({1: 3.0, 2: 4.0, 3: 1.0}, 2)
    >>> list(terms.terms), list(terms.sums), terms.length
    ([2, 1], [4.0, 3.0], 5.0)
    """

    packed_terms: bytes = b""
    packed_sums: bytes = b""
    length: float = 0.0

    @classmethod
    def of(cls, weights: Mapping[int, float], most: int) -> Terms:
        """The heaviest of these weights."""
        heaviest = sorted([(-weight, term) for term, weight in weights.items()])[:most]
        terms = array("i", [term for _, term in heaviest])
        sums = array("f", [-weight for weight, _ in heaviest])
        return cls(terms.tobytes(), sums.tobytes(), sqrt(sum([weight * weight for weight in sums])))

    @property
    def terms(self) -> array[int]:
        """The numbers of the terms, the heaviest first."""
        return array("i", self.packed_terms)

    @property
    def sums(self) -> array[float]:
        """Their weights."""
        return array("f", self.packed_sums)

    def weights(self) -> dict[int, float]:
        """The weight of each term."""
        return dict(zip(self.terms, self.sums, strict=True))

    def joined(self, others: Terms, most: int) -> Terms:
        """The heaviest terms of two sums together."""
        weights = self.weights()
        for term, weight in zip(others.terms, others.sums, strict=True):
            weights[term] = weights.get(term, 0.0) + weight
        return Terms.of(weights, most)

    def heaviest(self, most: int) -> list[tuple[int, float]]:
        """The heaviest terms, with their weights."""
        terms, sums = array("i"), array("f")
        terms.frombytes(self.packed_terms[: most * terms.itemsize])
        sums.frombytes(self.packed_sums[: most * sums.itemsize])
        return list(zip(terms, sums, strict=True))

    def mean_cosine(self, vectors: int) -> float:
        """The mean cosine of two of the vectors that were summed, of which there are two or more."""
        return float((self.length**2 - vectors) / (vectors * (vectors - 1)))

    def renumber(self, numbers: Mapping[int, int]) -> None:
        """Write the terms by other numbers."""
        self.packed_terms = array("i", (numbers[term] for term in self.terms)).tobytes()


class Vocabulary(Struct):
    """The terms that were met, by number: in how many documents each was, and how it is shown.

    `frequency` begins with what 1,000 documents of news have, and a half.
    """

    numbers: dict[str, int] = {}
    frequency: list[float] = []
    shown_as: dict[int, str] = {}

    def number(self, term: str) -> int:
        """The number of a term."""
        number = self.numbers.get(term)
        if number is None:
            number = self.numbers[term] = len(self.numbers)
            self.frequency.append(usual(term).share + _HALF)
        return number

    def show(self, term: str, shown: str) -> None:
        """Remember how a term is written for people."""
        self.shown_as.setdefault(self.number(term), shown)

    def shown(self, number: int) -> str:
        """How a term is written for people; its stem where nobody has said."""
        return self.shown_as.get(number) or self.term(number)

    def term(self, number: int) -> str:
        """The term of a number."""
        # Terms stand in the order of their numbers.
        return next(islice(self.numbers, number, None))

    def weigh(
        self, counts: Mapping[str, float], most: int, documents: int, *, counted: bool = False
    ) -> Terms:
        """The unit vector of counts, (1 + ln tf) · ln((n + 1) / (df + 0.5)), of at most `most` terms.

        n and df are those of `documents` of the stream and of 1,000 of news together. `counted` counts this document
        first.
        """
        frequency = self.frequency
        found = list(map(self.numbers.get, counts))
        numbers = [
            self.number(term) if number is None else number
            for term, number in zip(counts, found, strict=True)
        ]
        if counted:
            for number in numbers:
                frequency[number] += 1
        # All are divided by their length, so that it does not matter of which base the logarithm of rarity is.
        rarity = list(map(log2, map(frequency.__getitem__, numbers)))
        rarest = log2(documents + _BACKGROUND_DOCUMENTS + 1)
        weights = np.array(list(map(_DAMPED.__getitem__, counts.values()))) * (np.array(rarity) - rarest)
        held = np.array(numbers, np.int32)
        heaviest = np.lexsort((held, weights))[:most]
        heaviest = heaviest[weights[heaviest] < 0]
        kept = weights[heaviest]
        length = sqrt(sum([weight * weight for weight in kept.tolist()])) or 1.0
        sums = (kept * (-1.0 / length)).astype(np.float32)
        return Terms(
            held[heaviest].tobytes(),
            sums.tobytes(),
            sqrt(sum([weight * weight for weight in sums.tolist()])),
        )

    def forget(self, needed: Iterable[int]) -> dict[int, int]:
        """Forget rare terms that nobody needs, once there are very many; old numbers to new ones, {} for none."""
        if len(self.numbers) <= _LARGEST:
            return {}
        kept = set(needed)
        terms = [
            (term, number)
            for term, number in self.numbers.items()
            if number in kept or self.frequency[number] - usual(term).share > _RARE + _HALF
        ]
        renumbered = {number: new for new, (_, number) in enumerate(terms)}
        self.frequency = [self.frequency[number] for _, number in terms]
        self.numbers = {term: renumbered[number] for term, number in terms}
        self.shown_as = {
            renumbered[number]: shown for number, shown in self.shown_as.items() if number in renumbered
        }
        return renumbered
