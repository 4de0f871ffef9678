"""A second look at documents: a name that is clear in one place decides the unclear ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tidings.analysis.names.decoding import label_chances

__all__ = ["second_look"]

Array = np.ndarray[Any, Any]


def second_look(
    tokens: Array,
    scores: Array,
    lengths: Sequence[int] | Array,
    labels: Sequence[str],
    moves: Array,
    starts: Array,
    trust: float,
) -> Array:
    """The scores with what other occurrences of the same token in the document say added.

    A token in capitals that occurs several times is thought of as a person's, an organization's, a place's name or none
    everywhere. To the score of a label of type c at one occurrence is added

        trust · log((Σ p(c) + ½) / (Σ p(O) + ½)) over the other occurrences,

    p being the probabilities of the first look; at most `trust` · 2 either way.

    Args:
        tokens: for each token a number that all its occurrences in its document share, and none in another document;
            -1 for those at which no second look is taken.
        scores: (tokens, labels) of the first look, sentence after sentence.
        lengths: tokens of each sentence.
        labels: the labels' names, in BIO form.
        moves: (labels, labels), what a label says of the next one.
        starts: (labels), the same for the first of a sentence.
        trust: how much the others count.
    """
    places = np.flatnonzero(tokens >= 0)
    order = np.argsort(tokens[places], kind="stable")
    places = places[order]
    begins = np.flatnonzero(np.diff(tokens[places], prepend=-1))
    sizes = np.diff(np.append(begins, len(places)))
    several = np.repeat(sizes > 1, sizes)
    places = places[several]
    sizes = sizes[sizes > 1]
    if not len(places):
        return scores
    # Only the sentences that such a token stands in are asked.
    owners = np.repeat(np.arange(len(lengths)), lengths)
    asked = np.zeros(len(lengths), bool)
    asked[owners[places]] = True
    inside = asked[owners]
    where = np.cumsum(inside) - 1
    own_lengths = np.asarray(lengths)[asked]
    chances = label_chances(scores[inside], own_lengths, moves, starts)[where[places]]
    begins = np.cumsum(sizes) - sizes
    group = np.repeat(np.arange(len(sizes)), sizes)
    changed = scores.copy()
    none = _of_others(chances[:, labels.index("O")], begins, group)
    kinds = [label.partition("-")[2] for label in labels]
    for kind in dict.fromkeys(filter(None, kinds)):
        columns = [at for at, one in enumerate(kinds) if one == kind]
        own = _of_others(chances[:, columns].sum(axis=1), begins, group)
        says = trust * np.clip(np.log((own + 0.5) / (none + 0.5)), -2.0, 2.0)
        for column in columns:
            changed[places, column] += says.astype(changed.dtype)
    return changed


def _of_others(chances: Array, begins: Array, group: Array) -> Array:
    # For each of the occurrences of a group the sum over the other ones.
    others: Array = np.maximum(np.add.reduceat(chances, begins)[group] - chances, 0.0)
    return others
