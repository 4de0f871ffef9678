"""From the probabilities of texts and nuggets to the pairs of updates and nuggets, with their spans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from tidings.core import PooledUpdate, PossibleMatch
from tidings.evaluation.matching.texts import EventTexts
from tidings.evaluation.selection.spans import PlacedWords

__all__ = ["possible_matches"]


def possible_matches(
    event: EventTexts,
    updates: Sequence[PooledUpdate],
    texts: NDArray[np.int64],
    nuggets: NDArray[np.int64],
    probabilities: NDArray[np.float64],
    least: float,
) -> Iterator[PossibleMatch]:
    """The pairs of at least that probability, in the order of the updates and, of one, of the nuggets.

    A span is the part of the text that shares most with the nugget; the whole text where none does.
    """
    of_text: dict[int, list[tuple[int, float, int, int]]] = {}
    placed: dict[int, PlacedWords] = {}
    chosen = np.nonzero(probabilities >= least)[0]
    weights = [dict.fromkeys(event.analyzer.stems(nugget.text), 1.0) for nugget in event.nuggets]
    for place in chosen[np.lexsort((nuggets[chosen], texts[chosen]))].tolist():
        text, nugget = int(texts[place]), int(nuggets[place])
        words = event.texts[text]
        if text not in placed:
            placed = {text: PlacedWords(words, event.analyzer)}
        start, end = placed[text].heaviest_span(weights[nugget])
        entry = (nugget, float(probabilities[place]), start, end or len(words))
        of_text.setdefault(text, []).append(entry)
    for update, text in zip(updates, event.text_of, strict=True):
        for nugget, probability, start, end in of_text.get(text, ()):
            yield PossibleMatch(update.event_id, update.id, event.nuggets[nugget].id, probability, start, end)
