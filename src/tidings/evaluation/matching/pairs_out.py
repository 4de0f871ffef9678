"""From the probabilities of texts and nuggets to the pairs of updates and nuggets, with their spans."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from tidings.core import Analyzer, PooledUpdate, PossibleMatch
from tidings.evaluation.matching.texts import EventTexts

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_OTHER = 0.4
"""What a word costs that says nothing of the nugget; chosen on 2013."""


def word_weights(nugget: Iterable[str], spans: Iterable[Iterable[str]]) -> dict[str, float]:
    """How much each stem says of a nugget: 1 where its text holds it, and the share of its matched spans that do.

    The share is of the spans and one more, so that a single span does not count whole.

    >>> word_weights(("ferri", "burn"), [("ferri", "fire"), ("fire",), ("fire",)])
    {'ferri': 1.25, 'burn': 1.0, 'fire': 0.75}
    """
    weights = dict.fromkeys(nugget, 1.0)
    every = [frozenset(span) for span in spans]
    for stem, count in sorted(Counter(stem for span in every for stem in span).items()):
        weights[stem] = weights.get(stem, 0.0) + count / (len(every) + 1)
    return weights


def heaviest_span(text: str, weights: Mapping[str, float], analyzer: Analyzer) -> tuple[int, int]:
    """(start, end) of the part of `text` that says most of what `weights` weigh; (0, 0) where nothing is said.

    The part is the run of words with the highest sum: of each word its weight, -0.4 for one without, nothing for a
    stop word. It begins and ends with a word that weighs something; of equal ones it is the first.

    >>> from tidings.core import shared_analyzer
    >>> heaviest_span("The ferry, a new one, burned.", {"ferri": 1, "burn": 0.5}, shared_analyzer())
    (4, 28)
    """
    return PlacedWords(text, analyzer).heaviest_span(weights)


class PlacedWords:
    """Where each stem stands in a text, for asking which of its parts says most of one thing and of the next."""

    def __init__(self, text: str, analyzer: Analyzer) -> None:
        self._ends: list[tuple[int, int]] = []
        self._costs: list[int] = []
        self._places: dict[str, list[int]] = {}
        cost = 0
        for place, word in enumerate(_WORD.finditer(text)):
            stems = analyzer.stems(word.group())
            for stem in stems:
                self._places.setdefault(stem, []).append(place)
            cost += bool(stems)
            self._ends.append(word.span())
            self._costs.append(cost)

    def heaviest_span(self, weights: Mapping[str, float]) -> tuple[int, int]:
        """As the function of that name: (start, end) of the part that says most; (0, 0) where nothing is said."""
        worths: dict[int, float] = {}
        for stem in weights.keys() & self._places.keys():
            if (worth := weights[stem]) > 0:
                for place in self._places[stem]:
                    worths[place] = max(worths.get(place, 0.0), worth)
        best, begun, total, before = (0.0, 0, 0), 0, 0.0, 0
        for place in sorted(worths):
            start, end = self._ends[place]
            total -= _OTHER * (self._costs[place] - 1 - before)
            if total <= 0:
                begun, total = start, 0.0
            total += worths[place]
            before = self._costs[place]
            if total > best[0] + 1e-9:
                best = (total, begun, end)
        return best[1], best[2]


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
