"""A linear-chain conditional random field, fitted by L-BFGS with an L2 penalty.

The score of labels y for a sentence x is the sum over its tokens of what their features say of the label, and of
what each label says of the next (Lafferty, McCallum and Pereira, ICML 2001). Sentences of like length are handled
together, so that the sums forwards and backwards are products of small matrices.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from msgspec import Struct

from tidings.following.entities.ranker import Array

Matrix = Any


class Gathered(Struct, frozen=True):
    """Tokens as sums of rows: `choices` leads from tokens to kinds of token, `kinds` from those to features.

    Each pair in `parts` is a sparse 0/1 matrix (tokens, kinds) with one (kinds, features); the features of all pairs
    stand side by side. `sentences` are the half-open ranges of tokens, `labels` their numbers.
    """

    parts: tuple[tuple[Matrix | None, Matrix], ...]
    sentences: tuple[tuple[int, int], ...]
    labels: Array


class Fitted(Struct, frozen=True):
    """What was learned: `weights` (features, labels), `moves` (labels, labels) and `starts` (labels)."""

    weights: Array
    moves: Array
    starts: Array
    loss: float


def fit(
    gathered: Gathered,
    labels: int,
    *,
    penalty: float | Array = 1.0,
    rounds: int = 100,
    progress: Callable[[int, int, str], None] = lambda done, total, words: None,
) -> Fitted:
    """Weights that make the labels likely: the least of -log p(labels) + penalty/2 · |weights|².

    `penalty` is one number or one for each feature.
    """
    from scipy.optimize import fmin_l_bfgs_b

    features = sum(kinds.shape[1] for _, kinds in gathered.parts)
    pieces = _pieces(gathered.sentences)
    turned = tuple(
        (choices.T.tocsr() if choices is not None else None, kinds.T.tocsr())
        for choices, kinds in gathered.parts
    )
    size = features * labels
    penalties = np.concatenate(
        [
            np.broadcast_to(np.asarray(penalty, float).reshape(-1, 1), (features, labels)).ravel()
            if np.ndim(penalty)
            else np.full(size, float(penalty)),
            np.full(labels * labels + labels, 0.1),
        ]
    )
    observed = np.zeros((len(gathered.labels), labels), np.float32)
    observed[np.arange(len(gathered.labels)), gathered.labels] = 1
    moved, started = _observed_moves(gathered, labels)
    steps = [0]

    def objective(theta: Array) -> tuple[float, Array]:
        weights = theta[:size].reshape(features, labels).astype(np.float32)
        moves = theta[size : size + labels * labels].reshape(labels, labels)
        starts = theta[size + labels * labels :]
        scores = _scores(gathered, weights)
        normaliser, marginals, pairs = _expectations(scores, moves, starts, pieces)
        right = float(
            (scores * observed).sum(dtype=np.float64) + (moves * moved).sum() + (starts * started).sum()
        )
        difference = marginals - observed
        gradient = np.concatenate(
            [
                np.vstack([_back(choices, kinds, difference) for choices, kinds in turned]).ravel(),
                (pairs - moved).ravel(),
                sum(marginals[piece.starts].sum(axis=0) for piece in pieces) - started,
            ]
        ).astype(np.float64)
        loss = normaliser - right + 0.5 * float((penalties * theta * theta).sum())
        return loss, gradient + penalties * theta

    def step(_: Any) -> None:
        steps[0] += 1
        progress(steps[0], rounds, "")

    theta, loss, _ = fmin_l_bfgs_b(
        objective, np.zeros(len(penalties)), m=6, maxiter=rounds, maxfun=rounds * 2, factr=1e8, callback=step
    )
    return Fitted(
        theta[:size].reshape(features, labels).astype(np.float32),
        theta[size : size + labels * labels].reshape(labels, labels),
        theta[size + labels * labels :],
        float(loss),
    )


def _scores(gathered: Gathered, weights: Array) -> Array:
    total = np.zeros((len(gathered.labels), weights.shape[1]), np.float32)
    at = 0
    for choices, kinds in gathered.parts:
        part = kinds @ weights[at : at + kinds.shape[1]]
        at += kinds.shape[1]
        total += part if choices is None else choices @ part
    return total


def _back(choices: Matrix | None, kinds: Matrix, difference: Array) -> Array:
    result: Array = kinds @ (difference if choices is None else choices @ difference)
    return result


class _Piece(Struct, frozen=True):
    """Sentences of like length: where their tokens stand (sentences, longest), and which places are tokens."""

    places: Array
    filled: Array
    starts: Array


def _pieces(sentences: Sequence[tuple[int, int]], most: int = 1500) -> list[_Piece]:
    order = sorted(range(len(sentences)), key=lambda one: (sentences[one][1] - sentences[one][0], one))
    pieces = []
    for begin in range(0, len(order), most):
        chosen = [sentences[one] for one in order[begin : begin + most]]
        longest = max(end - start for start, end in chosen)
        places = np.zeros((len(chosen), longest), np.int64)
        filled = np.zeros((len(chosen), longest), bool)
        for row, (start, end) in enumerate(chosen):
            places[row, : end - start] = np.arange(start, end)
            filled[row, : end - start] = True
        pieces.append(_Piece(places, filled, places[:, 0]))
    return pieces


def _expectations(
    scores: Array,
    moves: Array,
    starts: Array,
    pieces: list[_Piece],
) -> tuple[float, Array, Array]:
    # log Z of all sentences, the probability of each label at each token, the expected number of each move.
    labels = scores.shape[1]
    marginals = np.zeros_like(scores)
    pairs = np.zeros((labels, labels))
    total = 0.0
    move = np.exp(moves)
    start = np.exp(starts)
    for piece in pieces:
        own = scores[piece.places].astype(np.float64)
        most = own.max(axis=2, keepdims=True)
        own = np.exp(own - most)
        total += float(most[:, :, 0][piece.filled].sum())
        rows, longest = piece.filled.shape
        forward = np.empty((longest, rows, labels))
        scale = np.ones((longest, rows))
        now = own[:, 0] * start
        for at in range(longest):
            if at:
                moved = (forward[at - 1] @ move) * own[:, at]
                now = np.where(piece.filled[:, at, None], moved, forward[at - 1])
            size = np.where(piece.filled[:, at], now.sum(axis=1), 1.0)
            scale[at] = size
            forward[at] = now / size[:, None]
        total += float(np.log(scale).sum())
        backward = np.ones((rows, labels))
        chances = np.empty((rows, longest, labels))
        for at in range(longest - 1, -1, -1):
            both = forward[at] * backward
            chances[:, at] = both / both.sum(axis=1, keepdims=True)
            if at:
                here = piece.filled[:, at, None]
                ahead = own[:, at] * backward / scale[at][:, None]
                before = np.where(here[:, 0, None], forward[at - 1], 0.0)
                pairs += (before.T @ np.where(here, ahead, 0.0)) * move
                backward = np.where(here, ahead @ move.T, backward)
        marginals[piece.places[piece.filled]] = chances[piece.filled]
    return total, marginals, pairs


def _observed_moves(gathered: Gathered, labels: int) -> tuple[Array, Array]:
    moved = np.zeros((labels, labels))
    started = np.zeros(labels)
    for start, end in gathered.sentences:
        row = gathered.labels[start:end]
        started[row[0]] += 1
        np.add.at(moved, (row[:-1], row[1:]), 1)
    return moved, started
