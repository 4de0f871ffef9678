"""Many small language models, one for each kept sentence, asked at once how likely a new sentence is.

The probability of a sentence under each of thousands of models is found through an inverted index: models that share
no term with it differ only by their size, so they are answered together.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from math import exp, log

from tidings.core.text.language_model import Smoothing

__all__ = ["SentenceModels", "own_mean_log"]


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
