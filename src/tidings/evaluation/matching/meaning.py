"""What an encoder's vectors say of a pair of a text and a nugget, beside what its words say."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from tidings.evaluation.matching.neighbours import MOST_REFERENCES, highest
from tidings.evaluation.matching.texts import EventTexts

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Encode = Callable[[Sequence[str]], NDArray[np.floating]]
"""The vectors of texts, each of length 1: an array of shape [texts, d]."""

_AT_ONCE = 1024  # texts encoded or compared in one block
_NEAREST = 8  # texts whose likeness to a nugget votes for a text
_FEEDBACK = 5  # texts likest to a nugget that widen it


def unit_vectors(event: EventTexts, encode: Encode) -> tuple[Floats, Floats]:
    """(texts, d) and (nuggets, d): their vectors."""
    texts = [
        np.asarray(encode(event.texts[start : start + _AT_ONCE]), dtype=np.float32)
        for start in range(0, len(event.texts), _AT_ONCE)
    ]
    nuggets = np.asarray(encode([nugget.text for nugget in event.nuggets]), dtype=np.float32)
    return np.concatenate(texts), nuggets


def meaning_features(
    texts: Floats, nuggets: Floats, base: Floats, pairs: tuple[Ints, Ints]
) -> dict[str, Floats]:
    """Of each pair the figures that `pair_features.tsv` lists for encoders.

    Args:
        texts: (texts, d) unit vectors.
        nuggets: (nuggets, d) unit vectors.
        base: (texts, nuggets) how like they are by words: which texts are likest to a nugget, what neighbours vote.
        pairs: (numbers of texts, numbers of nuggets).
    """
    own = pairs
    cosines = np.asarray(texts @ nuggets.T, dtype=np.float32)
    two = -np.partition(-cosines, 1, axis=1)[:, :2] if len(nuggets) > 1 else np.repeat(cosines, 2, axis=1)
    best, second = two[own[0], 0], two[own[0], 1]
    means, spreads = cosines.mean(axis=0), cosines.std(axis=0)
    of_pair = cosines[own]
    return {
        "meaning": of_pair,
        "meaning_rank_in_text": -np.log2(1 + _places(cosines, 1)[own]),
        "meaning_margin_in_text": of_pair - np.where(of_pair >= best, second, best),
        "meaning_rank_in_nugget": -np.log2(1 + _places(cosines, 0)[own]),
        "meaning_above_nugget": (of_pair - means[own[1]]) / np.maximum(spreads[own[1]], 1e-3),
        "meaning_feedback": _feedback(texts, base)[own],
        "meaning_votes": _votes(texts, base)[own],
        "meaning_text_best": best,
        "meaning_nugget_mean": means[own[1]],
    }


def _places(values: Floats, axis: int) -> Floats:
    """Of each value how many along an axis stand before it; of equal ones by their place."""
    order = np.argsort(-values, axis=axis, kind="stable")
    numbers = np.arange(values.shape[axis], dtype=np.float32)
    places = np.empty(values.shape, dtype=np.float32)
    np.put_along_axis(places, order, numbers[:, None] if axis == 0 else numbers[None, :], axis=axis)
    return places


def _feedback(texts: Floats, base: Floats) -> Floats:
    """(texts, nuggets): cosine to the sum, by `base`, of the five texts likest to the nugget, itself left out."""
    made = np.zeros_like(base)
    take = min(_FEEDBACK + 1, len(texts))
    if take < 2:
        return made
    for number in range(base.shape[1]):
        best = highest(base[:, number], take)
        weighed = base[best, number, None] * texts[best]
        profile = weighed[:-1].sum(axis=0)
        made[:, number] = texts @ profile / max(float(np.linalg.norm(profile)), 1e-6)
        for place, text in enumerate(best[:-1].tolist()):
            others = profile - weighed[place] + weighed[-1]
            made[text, number] = texts[text] @ others / max(float(np.linalg.norm(others)), 1e-6)
    return made


def _votes(texts: Floats, base: Floats) -> Floats:
    """(texts, nuggets): mean `base` of the eight texts nearest to a text, weighted by their cosines."""
    made, count = np.zeros_like(base), len(texts)
    references = np.unique(np.linspace(0, count - 1, min(count, MOST_REFERENCES)).astype(np.int64))
    near = min(_NEAREST, len(references) - 1)
    if near < 1:
        return made
    for start in range(0, count, _AT_ONCE):
        block = np.arange(start, min(start + _AT_ONCE, count))
        table = texts[block] @ texts[references].T
        table[block[:, None] == references[None, :]] = -1.0
        chosen = np.argpartition(-table, near - 1, axis=1)[:, :near]
        shares = np.maximum(np.take_along_axis(table, chosen, axis=1), 0.0)
        shares /= np.maximum(shares.sum(axis=1, keepdims=True), 1e-6)
        made[block] = np.einsum("tn,tnk->tk", shares, base[references[chosen]])
    return made
