"""The best labels of sentences, and how likely each label is at each token, under a linear-chain field.

Sentences of like length are handled together, as one array (sentences, longest, labels).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

__all__ = ["best_labels", "label_chances"]

Array = np.ndarray[Any, Any]
_TOGETHER = 128


def best_labels(scores: Array, lengths: Sequence[int], moves: Array, starts: Array) -> Array:
    """The labels of the highest total score (Viterbi).

    Args:
        scores: (tokens, labels), what each token says of each label, sentence after sentence.
        lengths: tokens of each sentence.
        moves: (labels, labels), what a label says of the next one.
        starts: (labels), the same for the first of a sentence.

    Returns:
        (tokens) the number of each token's label.

    >>> scores = np.array([[0.0, 1.0], [0.2, 0.0]])
    >>> moves = np.array([[0.0, 0.0], [-1.0, 0.0]])
    >>> best_labels(scores, [2], moves, np.zeros(2)).tolist()
    [1, 1]
    """
    best = np.zeros(len(scores), np.int64)
    for places, filled in _batches(lengths):
        own = scores[places]
        rows, longest = filled.shape
        now = own[:, 0] + starts
        back = np.zeros((longest, rows, own.shape[2]), np.int64)
        for at in range(1, longest):
            ways = now[:, :, None] + moves
            back[at] = ways.argmax(axis=1)
            reached = ways.max(axis=1) + own[:, at]
            now = np.where(filled[:, at, None], reached, now)
        label = now.argmax(axis=1)
        every = np.arange(rows)
        for at in range(longest - 1, -1, -1):
            here = filled[:, at]
            best[places[here, at]] = label[here]
            if at:
                label = np.where(here, back[at, every, label], label)
    return best


def label_chances(scores: Array, lengths: Sequence[int], moves: Array, starts: Array) -> Array:
    """The probability of each label at each token, (tokens, labels); rows add up to 1. Arguments as above.

    >>> label_chances(np.zeros((1, 2)), [1], np.zeros((2, 2)), np.zeros(2)).tolist()
    [[0.5, 0.5]]
    """
    chances = np.zeros(scores.shape, np.float64)
    move = np.exp(moves.astype(np.float64))
    start = np.exp(starts.astype(np.float64))
    for places, filled in _batches(lengths):
        own = scores[places].astype(np.float64)
        own = np.exp(own - own.max(axis=2, keepdims=True))
        rows, longest = filled.shape
        forward = np.empty((longest, rows, own.shape[2]))
        now = own[:, 0] * start
        for at in range(longest):
            if at:
                now = np.where(filled[:, at, None], (forward[at - 1] @ move) * own[:, at], forward[at - 1])
            forward[at] = now / now.sum(axis=1, keepdims=True)
        backward = np.ones((rows, own.shape[2]))
        for at in range(longest - 1, -1, -1):
            here = filled[:, at]
            both = forward[at] * backward
            chances[places[here, at]] = (both / both.sum(axis=1, keepdims=True))[here]
            if at:
                before = (own[:, at] * backward) @ move.T
                before /= before.sum(axis=1, keepdims=True)
                backward = np.where(here[:, None], before, backward)
    return chances


def _batches(lengths: Sequence[int]) -> Iterator[tuple[Array, Array]]:
    begins = np.concatenate([[0], np.cumsum(np.asarray(lengths, np.int64))])
    order = sorted((one for one in range(len(lengths)) if lengths[one]), key=lambda one: (lengths[one], one))
    for first in range(0, len(order), _TOGETHER):
        chosen = order[first : first + _TOGETHER]
        size = np.array([lengths[one] for one in chosen])
        steps = np.arange(size[-1])
        filled = steps[None, :] < size[:, None]
        places = np.where(filled, begins[chosen][:, None] + steps[None, :], 0)
        yield places, filled
