"""A second look at a document: a name that is clear in one place decides the unclear ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tidings.entities.decoding import label_chances
from tidings.text.stopwords import ENGLISH

__all__ = ["second_look"]

Array = np.ndarray[Any, Any]


def second_look(
    sentences: Sequence[Sequence[str]],
    scores: Array,
    lengths: Sequence[int],
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
    """
    chances = label_chances(scores, lengths, moves, starts)
    kinds = [label.partition("-")[2] for label in labels]
    types = [kind for kind in dict.fromkeys(kinds) if kind]
    columns = {kind: [at for at, one in enumerate(kinds) if one == kind] for kind in types}
    places: dict[str, list[int]] = {}
    at = 0
    for sentence in sentences:
        for token in sentence:
            if token[:1].isupper() and len(token) > 1 and token.lower() not in ENGLISH:
                places.setdefault(token, []).append(at)
            at += 1
    changed = scores.copy()
    outside = labels.index("O")
    for occurrences in places.values():
        if len(occurrences) < 2:
            continue
        here = chances[occurrences]
        none = here[:, outside].sum() - here[:, outside] + 0.5
        for kind in types:
            own = here[:, columns[kind]].sum(axis=1)
            says = np.clip(np.log((own.sum() - own + 0.5) / none), -2.0, 2.0)
            for column in columns[kind]:
                changed[occurrences, column] += (trust * says).astype(changed.dtype)
    return changed
