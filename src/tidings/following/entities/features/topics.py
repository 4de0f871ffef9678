"""Topics of an event, learned day by day: online variational Bayes for latent Dirichlet allocation, in NumPy.

After Hoffman, Blei and Bach (2010): each day is one small batch, so that what is known of topics on a day comes from
that day and those before it. Stems are hashed to a fixed number of words, which bounds what is kept.
"""

from __future__ import annotations

import numpy as np

from tidings.following.entities.features.table import Array
from tidings.following.entities.features.word_facts import BUCKETS

__all__ = ["TOPICS", "TopicModel", "digamma", "mixture"]

TOPICS = 8
"""K, the number of topics."""
_ALPHA = 1.0 / TOPICS
_ETA = 0.05
_DELAY = 4.0
_FORGETTING = 0.7
_ROUNDS = 5
_SEED = 20


def digamma(values: Array) -> Array:
    """The logarithmic derivative of the gamma function for positive numbers, to some eight digits.

    >>> [round(float(value), 6) for value in digamma(np.array([1.0, 0.1, 30.0]))]
    [-0.577216, -10.423755, 3.384438]
    """
    x = np.asarray(values, float)
    # Four steps of psi(x) = psi(x + 1) - 1/x in one fraction, then the asymptotic series.
    y = x * (x + 3)
    total = -(2 * x + 3) * (2 * y + 2) / (y * (y + 2))
    x = x + 4
    inverse = 1 / (x * x)
    tail = inverse * (1 / 12 - inverse * (1 / 120 - inverse * (1 / 252 - inverse / 240)))
    series: Array = total + np.log(x) - 0.5 / x - tail
    return series


class TopicModel:
    """K topics over hashed words: `learn` a batch of documents, then `counts` of topics in any texts."""

    def __init__(self, state: bytes = b"", steps: int = 0) -> None:
        self.steps = steps
        if len(state) == 4 * TOPICS * BUCKETS:
            self._weights = np.frombuffer(state, "<f4").reshape(TOPICS, BUCKETS).astype(float)
        else:
            self._weights = _ETA * (0.5 + np.random.default_rng(_SEED).gamma(1.0, 0.5, (TOPICS, BUCKETS)))
            self._shorten()
        self._prepare()

    def _shorten(self) -> None:
        # What is kept has four bytes: a run that is resumed must go on from the same numbers.
        self._weights = np.frombuffer(self.state(), "<f4").reshape(TOPICS, BUCKETS).astype(float)

    def _prepare(self) -> None:
        self._beta = np.exp(
            digamma(self._weights) - digamma(self._weights.sum(axis=1, keepdims=True))
        ).T.copy()

    def state(self) -> bytes:
        """The topics as bytes, for `TopicModel(state, steps)`."""
        return self._weights.astype("<f4").tobytes()

    def learn(self, texts: Array, words: Array, count: int) -> None:
        """Take in `count` documents given as the pairs (document, hashed word) of their terms, by document."""
        self.steps += 1
        if len(words):
            _, shares = self._infer(texts, words, count)
            fresh = np.empty_like(self._weights)
            for topic in range(TOPICS):
                fresh[topic] = np.bincount(words, weights=shares[:, topic], minlength=BUCKETS)
            rate = (_DELAY + self.steps) ** -_FORGETTING
            self._weights = (1 - rate) * self._weights + rate * (_ETA + fresh * self.steps)
        self._shorten()
        self._prepare()

    def counts(self, texts: Array, words: Array, count: int) -> Array:
        """How many of each text's terms speak of each topic, (count, K), given pairs (text, hashed word) by text."""
        gamma, _ = self._infer(texts, words, count)
        return gamma - _ALPHA

    def _infer(self, texts: Array, words: Array, count: int) -> tuple[Array, Array]:
        # Texts stand in order: their terms are added up between borders.
        beta = self._beta[words] + 1e-100
        present, borders = np.unique(texts, return_index=True)
        gamma = np.full((count, TOPICS), _ALPHA)
        gamma += np.bincount(texts, minlength=count)[:, None] / TOPICS
        shares = np.zeros((len(words), TOPICS))
        for _ in range(_ROUNDS if len(words) else 0):
            # The normaliser of the digamma of a text is the same for all topics: it falls out of the shares.
            theta = np.exp(digamma(gamma))
            shares = theta[texts] * beta
            shares /= shares.sum(axis=1, keepdims=True)
            gamma[present] = _ALPHA + np.add.reduceat(shares, borders, axis=0)
        return gamma, shares


def mixture(counts: Array) -> Array:
    """The share of each topic, smoothed with the prior; rows sum to 1.

    >>> float(mixture(np.zeros((1, TOPICS)))[0, 0])
    0.125
    """
    smoothed = counts + _ALPHA
    shares: Array = smoothed / smoothed.sum(axis=1, keepdims=True)
    return shares
