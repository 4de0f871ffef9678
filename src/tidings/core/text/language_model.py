"""Unigram language models that grow sentence by sentence, and the ways to smooth them.

Every smoothing here has the form P(w|M) = (tf(w,M) + a(w,|M|)) / d(|M|); a smoothing is the pair (a, d).

There may be many small models, one for each kept sentence, asked at once how likely a new sentence is. The probability
of a sentence under each of thousands of models is found through an inverted index: models that share no term with it
differ only by their size, so they are answered together.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from math import exp, log
from typing import Protocol

from msgspec import Struct


class Smoothing(Protocol):
    """How much probability terms get beyond their counts."""

    def pseudo(self, term: str, size: float) -> float:
        """a(w, |M|) > 0: the pseudo-count of `term` in a model of `size` counted terms."""

    def scale(self, size: float) -> float:
        """d(|M|) > 0: what counts and pseudo-counts are divided by."""


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


def own_mean_log(stems: Sequence[str], smoothing: Smoothing) -> float:
    """(1/n) Σ log P(w | the model of the sentence itself): the most that a sentence can reach, nearly."""
    size = len(stems)
    total = sum(n * log(n + smoothing.pseudo(stem, size)) for stem, n in Counter(stems).items())
    return total / size - log(smoothing.scale(size))


class SentenceModels:
    """The kept sentences by event time, oldest first; at most `most` of them. Copies share one model.

    >>> from tidings.core.text.language_model import PaperAdditive
    >>> models = SentenceModels(most=100)
    >>> models.add(("ferri", "burn"), time=0); models.add(("storm", "near", "coast"), time=60)
    >>> [(round(p, 4), n) for p, n in models.probabilities(("ferri", "burn"), PaperAdditive())]
    [(0.5, 1), (0.0033, 1)]
    """

    def __init__(self, *, most: int) -> None:
        self._most = most
        self._kept: deque[tuple[int, int, tuple[str, ...]]] = deque()
        self._postings: dict[str, dict[int, int]] = {}
        self._numbers: dict[tuple[str, ...], int] = {}
        self._copies: dict[int, int] = {}
        self._sizes: dict[int, int] = {}
        self._of_size: Counter[int] = Counter()
        self._next = 0

    def __len__(self) -> int:
        return len(self._kept)

    def items(self) -> Iterable[tuple[int, tuple[str, ...]]]:
        """(time, stems) of each kept sentence, oldest first."""
        return ((time, stems) for time, _, stems in self._kept)

    def add(self, stems: Sequence[str], time: int) -> None:
        """Keep a sentence; one without stems is not kept."""
        if not stems:
            return
        key = tuple(stems)
        size = len(key)
        number = self._numbers.get(key)
        self._of_size[size] += 1
        if number is None:
            number = self._numbers[key] = self._next
            self._next += 1
            self._copies[number] = 1
            self._sizes[number] = size
            for stem, n in Counter(key).items():
                self._postings.setdefault(stem, {})[number] = n
        else:
            self._copies[number] += 1
        self._kept.append((time, number, key))
        if len(self._kept) > self._most:
            self._remove_oldest()

    def evict(self, before: int) -> int:
        """Forget sentences kept at a time earlier than `before`; returns how many went."""
        gone = 0
        while self._kept and self._kept[0][0] < before:
            self._remove_oldest()
            gone += 1
        return gone

    def _remove_oldest(self) -> None:
        _, number, stems = self._kept.popleft()
        size = len(stems)
        self._of_size[size] -= 1
        if not self._of_size[size]:
            del self._of_size[size]
        self._copies[number] -= 1
        if self._copies[number]:
            return
        del self._copies[number], self._sizes[number], self._numbers[stems]
        for stem in set(stems):
            posting = self._postings[stem]
            del posting[number]
            if not posting:
                del self._postings[stem]

    def probabilities(self, stems: Sequence[str], smoothing: Smoothing) -> list[tuple[float, int]]:
        """(P(stems|s), how many kept sentences s have it) with P the geometric mean over the stems.

        The numbers sum to `len(self)`; those that share terms come first, oldest first.
        """
        if not stems or not self._kept:
            return []
        n = len(stems)
        counted = Counter(stems)
        bases = {}
        for size in sorted(self._of_size):
            total = sum(k * log(smoothing.pseudo(stem, size)) for stem, k in counted.items())
            bases[size] = total / n - log(smoothing.scale(size))
        gained: dict[int, float] = {}
        sizes, pseudo = self._sizes, smoothing.pseudo
        for stem, k in counted.items():
            posting = self._postings.get(stem)
            if posting is None:
                continue
            gains: dict[tuple[int, int], float] = {}
            for number, tf in posting.items():
                key = (tf, sizes[number])
                gain = gains.get(key)
                if gain is None:
                    prior = pseudo(stem, key[1])
                    gain = gains[key] = k * (log(tf + prior) - log(prior)) / n
                gained[number] = gained.get(number, 0.0) + gain
        left = Counter(self._of_size)
        pairs = []
        for number in sorted(gained):
            size = sizes[number]
            copies = self._copies[number]
            left[size] -= copies
            pairs.append((exp(bases[size] + gained[number]), copies))
        pairs.extend((exp(bases[size]), left[size]) for size in sorted(left) if left[size])
        return pairs
