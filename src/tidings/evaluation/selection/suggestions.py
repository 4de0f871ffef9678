"""What an update may be linked to: likely nuggets with the span that says them.

These are suggestions: nothing is a judgment before a person has accepted what stands on the screen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy

import numpy as np
from msgspec import Struct

from tidings.core import Analyzer, Nugget, PossibleMatch, shared_analyzer
from tidings.evaluation.matching.pairs_out import heaviest_span, word_weights
from tidings.evaluation.selection.pool_texts import TermMatrix, Terms


class SuggestedNugget(Struct, frozen=True):
    """A nugget that an update may tell, characters start..end of the update's text being the words that say it.

    `score` is the mean of two cosines, 0..1: to the nugget's text, and to the likest of the spans matched to it; or
    what a matcher says (see `likeliest`).
    """

    nugget_id: str
    score: float
    start: int
    end: int


class NuggetSuggester:
    """The nuggets of one topic and the spans matched to them, which may grow.

    Args:
        terms: how rare each term is, such as those of the topic's pool.
        nuggets: of the topic.
        language: of the texts.

    >>> nuggets = [Nugget("e", "N1", 0, 2, "12 people died"), Nugget("e", "N2", 0, 2, "a ferry burned")]
    >>> text = "The skipper says that the vessel burned out."
    >>> suggester = NuggetSuggester(Terms([shared_analyzer().stems(text)]), nuggets)
    >>> suggester.add("d-7", "N2", "the burned out vessel")
    >>> [(one.nugget_id, text[one.start : one.end]) for one in suggester.suggest(text)]
    [('N2', 'vessel burned')]
    """

    def __init__(self, terms: Terms, nuggets: Sequence[Nugget], language: str = "english") -> None:
        self._terms = terms
        self._analyzer: Analyzer = shared_analyzer(language)
        self._numbers = {nugget.id: number for number, nugget in enumerate(nuggets)}
        self._ids = tuple(nugget.id for nugget in nuggets)
        self._stems = [self._analyzer.stems(nugget.text) for nugget in nuggets]
        self._nuggets: TermMatrix = terms.matrix(self._stems)
        self._spans: list[tuple[str, int, tuple[str, ...]]] = []
        self._matched: TermMatrix | None = None

    def add(self, update_id: str, nugget_id: str, words: str) -> None:
        """Learn that these words of an update say a nugget; one that is not of the topic is let be."""
        if (number := self._numbers.get(nugget_id)) is not None:
            self._spans.append((update_id, number, self._analyzer.stems(words)))
            self._matched = None

    def knowing(self, matched: Iterable[tuple[str, str]]) -> NuggetSuggester:
        """The same nuggets with other matches: (words that said a nugget, its id) of each."""
        other = copy(self)
        other._spans, other._matched = [], None
        for words, nugget in matched:
            other.add("", nugget, words)
        return other

    def suggest(
        self, text: str, limit: int = 5, but: str = "", first: Sequence[SuggestedNugget] = ()
    ) -> tuple[SuggestedNugget, ...]:
        """The nuggets that a text most likely tells, best first; none with which it shares no term.

        Args:
            text: of an update.
            limit: how many at most.
            but: an update whose own matches are not looked at: the one that the text is of. Those of `knowing` are.
            first: what stands before them as long as nothing is matched, such as what a matcher says (`likeliest`).
        """
        found = self._by_cosines(text, limit, but)
        if self._spans or not first:
            return found
        before = {item.nugget_id for item in first}
        return (*first, *(item for item in found if item.nugget_id not in before))[:limit]

    def _by_cosines(self, text: str, limit: int, but: str) -> tuple[SuggestedNugget, ...]:
        if not self._ids or limit < 1:
            return ()
        asked = self._terms.matrix([self._analyzer.stems(text)])
        scores = self._nuggets.cosines(asked)[:, 0]
        if self._spans:
            if self._matched is None:
                self._matched = self._terms.matrix([stems for _, _, stems in self._spans])
            nearest = np.zeros(len(self._ids))
            others = np.array([not update or update != but for update, _, _ in self._spans])
            owners = np.array([number for _, number, _ in self._spans])
            np.maximum.at(nearest, owners[others], self._matched.cosines(asked)[others, 0])
            scores = scores + nearest
        ranked = np.argsort(-scores, kind="stable")[:limit]
        return tuple(
            SuggestedNugget(
                self._ids[number],
                float(scores[number] / 2),
                *heaviest_span(text, self._weights(int(number), but), self._analyzer),
            )
            for number in ranked
            if scores[number] > 0
        )

    def _weights(self, nugget: int, but: str) -> dict[str, float]:
        spans = (
            stems
            for update, number, stems in self._spans
            if number == nugget and (not update or update != but)
        )
        return word_weights(self._stems[nugget], spans)


def likeliest(matches: Iterable[PossibleMatch], limit: int = 5) -> dict[str, tuple[SuggestedNugget, ...]]:
    """Of each update of one topic the nuggets that a matcher finds likeliest, best first, scored by probability.

    >>> said = [PossibleMatch("e", "d-1", "N1", 0.2, 0, 9), PossibleMatch("e", "d-1", "N2", 0.7, 3, 5)]
    >>> [one.nugget_id for one in likeliest(said)["d-1"]]
    ['N2', 'N1']
    """
    of_update: dict[str, list[SuggestedNugget]] = {}
    for match in matches:
        found = SuggestedNugget(match.nugget_id, match.probability, match.start, match.end)
        of_update.setdefault(match.update_id, []).append(found)
    return {
        update: tuple(sorted(own, key=lambda one: -one.score)[:limit]) for update, own in of_update.items()
    }
