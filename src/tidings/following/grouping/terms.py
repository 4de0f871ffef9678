"""Bags of weighted terms: the numbers and rarity of terms, and bounded running sums that are compared by cosine."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from itertools import islice
from math import log, sqrt
from typing import NamedTuple

from msgspec import Struct

__all__ = ["Likeness", "Terms", "Vocabulary", "likeness"]

_BACKGROUND_DOCUMENTS = 1_000
_LARGEST = 400_000  # terms from which on those that are rare and in no open story are forgotten
_RARE = 2


class Likeness(NamedTuple):
    """The cosine of two bags of terms, and what is left of it without the largest shared products."""

    cosine: float
    trimmed: float


class Terms(Struct):
    """A running sum of unit vectors, of which the heaviest terms are kept; packed, since there are very many.

    >>> terms = Terms()
    >>> terms.add({1: 3.0, 2: 4.0, 3: 1.0}, 2), list(terms.terms), list(terms.sums), terms.length
    (([1, 2], []), [2, 1], [4.0, 3.0], 5.0)
    """

    packed_terms: bytes = b""
    packed_sums: bytes = b""
    length: float = 0.0

    @property
    def terms(self) -> array[int]:
        """The numbers of the terms."""
        return array("i", self.packed_terms)

    @property
    def sums(self) -> array[float]:
        """Their weights."""
        return array("d", self.packed_sums)

    def add(self, vector: Mapping[int, float], most: int) -> tuple[list[int], list[int]]:
        """Add a vector and keep the `most` heaviest terms; gives the terms that came, and those that went."""
        weights = self.weights()
        before = len(weights)
        for term, weight in vector.items():
            weights[term] = weights.get(term, 0.0) + weight
        entered, left = list(weights)[before:], list[int]()
        if len(weights) > most:
            weights = dict(sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:most])
            entered = [term for term in entered if term in weights]
            left = [term for term in self.terms if term not in weights]
        self.packed_terms = array("i", weights).tobytes()
        self.packed_sums = array("d", weights.values()).tobytes()
        self.length = sqrt(sum(weight * weight for weight in weights.values()))
        return entered, left

    def weights(self) -> dict[int, float]:
        """The weight of each term."""
        return dict(zip(self.terms, self.sums, strict=True))

    def unit(self) -> dict[int, float]:
        """The weight of each term in the vector of length 1."""
        return {term: weight / self.length for term, weight in self.weights().items()} if self.length else {}

    def renumber(self, numbers: Mapping[int, int]) -> None:
        """Write the terms by other numbers."""
        self.packed_terms = array("i", (numbers[term] for term in self.terms)).tobytes()


def likeness(vector: Mapping[int, float], terms: Terms, trim: int) -> Likeness:
    """How alike a unit vector and a sum are; `trimmed` leaves the `trim` largest products out.

    >>> terms = Terms()
    >>> terms.add({1: 3.0, 2: 4.0}, 2)
    ([1, 2], [])
    >>> likeness({1: 0.6, 2: 0.8}, terms, 1)
    Likeness(cosine=1.0, trimmed=0.36)
    """
    if not vector or not terms.length:
        return Likeness(0.0, 0.0)
    weights = map(vector.get, terms.terms)
    products = [weight * other for weight, other in zip(weights, terms.sums, strict=True) if weight]
    total = sum(products)
    if not trim:
        return Likeness(total / terms.length, total / terms.length)
    products.sort()
    return Likeness(total / terms.length, round(sum(products[:-trim]) / terms.length, 12))


class Vocabulary(Struct):
    """The terms that were met, by number: in how many documents each was, and how it is shown."""

    numbers: dict[str, int] = {}
    frequency: list[int] = []
    shown_as: dict[int, str] = {}

    def number(self, term: str) -> int:
        """The number of a term."""
        number = self.numbers.get(term)
        if number is None:
            number = self.numbers[term] = len(self.numbers)
            self.frequency.append(0)
        return number

    def count(self, terms: Iterable[str]) -> None:
        """Count a document that holds these terms."""
        for term in terms:
            self.frequency[self.number(term)] += 1

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
        self,
        counts: Mapping[str, float],
        most: int,
        documents: int,
        background: Mapping[str, float] | None = None,
    ) -> dict[int, float]:
        """The unit vector of counts, (1 + ln tf) · ln((n + 1) / (df + 0.5)), of at most `most` terms.

        `background` says of 1,000 documents of news how many hold a term; they count beside those of the stream.
        """
        total = documents + _BACKGROUND_DOCUMENTS + 1
        background = background or {}
        weighed = []
        for term, count in counts.items():
            number = self.number(term)
            rarity = log(total / (self.frequency[number] + background.get(term, 0.0) + 0.5))
            weight = (1.0 + log(count)) * rarity
            if weight > 0:
                weighed.append((-weight, number))
        if len(weighed) > most:
            weighed.sort()
            del weighed[most:]
        length = sqrt(sum(weight * weight for weight, _ in weighed)) or 1.0
        return {number: -weight / length for weight, number in weighed}

    def forget(self, needed: Iterable[int]) -> dict[int, int]:
        """Forget rare terms that nobody needs, once there are very many; old numbers to new ones, {} for none."""
        if len(self.numbers) <= _LARGEST:
            return {}
        kept = set(needed)
        terms = [
            (term, number)
            for term, number in self.numbers.items()
            if number in kept or self.frequency[number] > _RARE
        ]
        renumbered = {number: new for new, (_, number) in enumerate(terms)}
        self.frequency = [self.frequency[number] for _, number in terms]
        self.numbers = {term: renumbered[number] for term, number in terms}
        self.shown_as = {
            renumbered[number]: shown for number, shown in self.shown_as.items() if number in renumbered
        }
        return renumbered
