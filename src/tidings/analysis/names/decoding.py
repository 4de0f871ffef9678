"""The best labels of sentences, and how likely each label is at each token, under a linear-chain field.

All sentences are walked through together, from token to token, longest sentence first: at each step stand those that
are long enough, side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

__all__ = ["best_labels", "label_chances"]

Array = np.ndarray[Any, Any]
_SCALED = 8
"""Steps after which sums of products are scaled, so that they neither vanish nor overflow."""


def best_labels(scores: Array, lengths: Sequence[int] | Array, moves: Array, starts: Array) -> Array:
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
    places, borders = _steps(lengths)
    if not len(places):
        return np.zeros(0, np.int64)
    best_up_to = scores[places].T.copy()
    best_up_to[:, : borders[1]] += starts[:, None]
    ways = moves[:, :, None]
    for begin, end, before in _pairs(borders):
        reached = (best_up_to[:, None, before : before + end - begin] + ways).max(axis=0)
        best_up_to[:, begin:end] += reached
    # Backwards: from the last label of each sentence to the one that it was best reached from.
    up_to = best_up_to.T.copy()
    into = moves.T.copy()
    labels = np.empty(len(places), np.int64)
    begin, end = borders[-2], borders[-1]
    labels[begin:end] = up_to[begin:end].argmax(axis=1)
    for begin, end, before in reversed(_pairs(borders)):
        size = end - begin
        came = up_to[before : before + size] + into[labels[begin:end]]
        labels[before : before + size] = came.argmax(axis=1)
        if before + size < begin:  # these end here
            labels[before + size : begin] = up_to[before + size : begin].argmax(axis=1)
    best = np.empty(len(places), np.int64)
    best[places] = labels
    return best


def label_chances(scores: Array, lengths: Sequence[int] | Array, moves: Array, starts: Array) -> Array:
    """The probability of each label at each token, (tokens, labels); rows add up to 1. Arguments as above.

    >>> label_chances(np.zeros((1, 2)), [1], np.zeros((2, 2)), np.zeros(2)).tolist()
    [[0.5, 0.5]]
    """
    places, borders = _steps(lengths)
    chances = np.empty(scores.shape, np.float64)
    if not len(places):
        return chances
    own = scores[places].astype(np.float64)
    own = np.exp(own - own.max(axis=1, keepdims=True)).T.copy()
    move = np.exp(moves.astype(np.float64))
    into = move.T.copy()
    forward = own.copy()
    forward[:, : borders[1]] *= np.exp(starts.astype(np.float64))[:, None]
    pairs = _pairs(borders)
    for step, (begin, end, before) in enumerate(pairs, start=1):
        now = into @ forward[:, before : before + end - begin]
        if step % _SCALED == 0:
            now /= now.sum(axis=0)
        forward[:, begin:end] *= now
    backward = np.ones_like(own)
    for step, (begin, end, before) in enumerate(reversed(pairs), start=1):
        now = move @ (own[:, begin:end] * backward[:, begin:end])
        if step % _SCALED == 0:
            now /= now.sum(axis=0)
        backward[:, before : before + end - begin] = now
    forward *= backward
    forward /= forward.sum(axis=0)
    chances[places] = forward.T
    return chances


def _steps(lengths: Sequence[int] | Array) -> tuple[Array, list[int]]:
    # The tokens in the order of the walk, and where each step begins among them; the last border is behind all.
    sizes = np.asarray(lengths, np.int64)
    if not sizes.sum():
        return np.zeros(0, np.int64), [0]
    order = np.argsort(-sizes, kind="stable")
    rank = np.empty(len(sizes), np.int64)
    rank[order] = np.arange(len(sizes))
    begins = np.cumsum(sizes) - sizes
    at = np.arange(sizes.sum()) - np.repeat(begins, sizes)
    places = np.argsort(at * len(sizes) + np.repeat(rank, sizes), kind="stable")
    return places, [0, *np.cumsum(np.bincount(at)).tolist()]


def _pairs(borders: list[int]) -> list[tuple[int, int, int]]:
    # For each step but the first its begin and end, and the begin of the step before.
    return [(borders[at], borders[at + 1], borders[at - 1]) for at in range(1, len(borders) - 1)]
