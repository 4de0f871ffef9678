"""Unigram language models that grow sentence by sentence, and the ways to smooth them.

Every smoothing here has the form P(w|M) = (tf(w,M) + a(w,|M|)) / d(|M|); a smoothing is the pair (a, d).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log
from typing import Protocol

from msgspec import Struct

__all__ = ["Additive", "Dirichlet", "JelinekMercer", "LanguageModel", "PaperAdditive", "Smoothing"]


class Smoothing(Protocol):
    """How much probability terms get beyond their counts."""

    def pseudo(self, term: str, size: float) -> float:
        """a(w, |M|) > 0: the pseudo-count of `term` in a model of `size` counted terms."""
        ...

    def scale(self, size: float) -> float:
        """d(|M|) > 0: what counts and pseudo-counts are divided by."""
        ...


class LanguageModel:
    """Term counts that can be added to and taken from, bounded in vocabulary.

    When more than `max_terms` different terms are held, the rarest half goes (ties: the earliest met
    go), so a stream of junk cannot fill the memory.

    >>> model = LanguageModel()
    >>> model.add(["fire", "port", "fire"])
    >>> model.probability("fire", Additive(0.01)) > model.probability("port", Additive(0.01))
    True
    """

    def __init__(self, counts: dict[str, float] | None = None, *, max_terms: int = 50_000) -> None:
        self.counts: dict[str, float] = dict(counts or {})
        self.size = float(sum(self.counts.values()))
        self._max_terms = max_terms

    @property
    def vocabulary(self) -> int:
        """How many different terms have a count."""
        return len(self.counts)

    def add(self, stems: Iterable[str], weight: float = 1.0) -> None:
        """Count each of `stems` `weight` times more."""
        counts = self.counts
        for stem in stems:
            counts[stem] = counts.get(stem, 0.0) + weight
            self.size += weight
        if len(counts) > self._max_terms:
            self._prune()

    def remove(self, stems: Iterable[str]) -> None:
        """Take back one count of each of `stems` that is still held."""
        counts = self.counts
        for stem in stems:
            count = counts.get(stem, 0.0)
            if count > 1.0:
                counts[stem] = count - 1.0
                self.size -= 1.0
            elif count:
                del counts[stem]
                self.size -= count

    def _prune(self) -> None:
        ranked = sorted(self.counts.items(), key=lambda item: item[1])
        for stem, _ in ranked[: len(ranked) // 2]:
            del self.counts[stem]
        self.size = float(sum(self.counts.values()))

    def probability(self, term: str, smoothing: Smoothing) -> float:
        """P(term | model); for an empty model with a smoothing that cannot carry it, 0."""
        scale = smoothing.scale(self.size)
        return (self.counts.get(term, 0.0) + smoothing.pseudo(term, self.size)) / scale if scale > 0 else 0.0

    def mean_log(self, stems: Sequence[str], smoothing: Smoothing) -> float:
        """(1/n) Σ log P(stem | model), natural log: the log of the geometric mean probability.

        -inf for no stems, or where a probability is 0.
        """
        if not stems:
            return float("-inf")
        counts, size = self.counts, self.size
        scale = smoothing.scale(size)
        pseudo = smoothing.pseudo
        total = 0.0
        for stem in stems:
            value = counts.get(stem, 0.0) + pseudo(stem, size)
            if value <= 0.0 or scale <= 0.0:
                return float("-inf")
            total += log(value)
        return total / len(stems) - log(scale)


class Additive(Struct, frozen=True):
    """a = ε, d = |M| + ε·V: a distribution over a vocabulary of V terms.

    `vocabulary` V is one more than the known terms where one class stands for all unknown ones.
    """

    epsilon: float = 0.01
    vocabulary: int = 10_000

    def pseudo(self, term: str, size: float) -> float:
        """ε."""
        return self.epsilon

    def scale(self, size: float) -> float:
        """|M| + ε·V."""
        return size + self.epsilon * self.vocabulary


class PaperAdditive(Struct, frozen=True):
    """a = ε, d = (1 + ε)·|M|, as in ports of Allan, Gupta and Khandelwal, SIGIR 2001 (ε = .01).

    Sums to one only if the model has as many different terms as terms.
    """

    epsilon: float = 0.01

    def pseudo(self, term: str, size: float) -> float:
        """ε."""
        return self.epsilon

    def scale(self, size: float) -> float:
        """(1 + ε)·|M|."""
        return (1.0 + self.epsilon) * size


class JelinekMercer(Struct, frozen=True):
    """P = λ·tf/|M| + (1-λ)·P(w|background): a mixture with fixed weight λ in (0, 1)."""

    weight: float
    background: LanguageModel

    def pseudo(self, term: str, size: float) -> float:
        """|M|·(1-λ)/λ · P(w|background); 1-λ of it for an empty model."""
        share = (1.0 - self.weight) * _background(self.background, term)
        return size * share / self.weight if size else share

    def scale(self, size: float) -> float:
        """|M|/λ (1-λ for an empty model, which then equals its background)."""
        return size / self.weight if size else 1.0 - self.weight


class Dirichlet(Struct, frozen=True):
    """P = (tf + μ·P(w|background)) / (|M| + μ): a prior of μ > 0 terms."""

    mu: float
    background: LanguageModel

    def pseudo(self, term: str, size: float) -> float:
        """μ · P(w|background)."""
        return self.mu * _background(self.background, term)

    def scale(self, size: float) -> float:
        """|M| + μ."""
        return size + self.mu


def _background(model: LanguageModel, term: str) -> float:
    # Half a count for each known term and for all unknown ones together: never 0, sums to one.
    return (model.counts.get(term, 0.0) + 0.5) / (model.size + 0.5 * (len(model.counts) + 1))
