"""What an update may be linked to: likely nuggets with the span that says them, likely clusters.

These are suggestions: nothing is a judgment before a person has accepted what stands on the screen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy

import numpy as np
from msgspec import Struct

from tidings.judgments.selection.spans import heaviest_span, word_weights
from tidings.judgments.selection.terms import Floats, TermMatrix, Terms
from tidings.records import Nugget
from tidings.text.tokens import Analyzer, shared_analyzer

__all__ = [
    "NuggetSuggester",
    "SuggestedCluster",
    "SuggestedNugget",
    "suggest_clusters",
    "suggest_nuggets",
]


class SuggestedNugget(Struct, frozen=True):
    """A nugget that an update may tell, characters start..end of the update's text being the words that say it.

    `score` is the mean of two cosines, 0..1: to the nugget's text, and to the likest of the spans matched to it.
    """

    nugget_id: str
    score: float
    start: int
    end: int


class SuggestedCluster(Struct, frozen=True):
    """A cluster that an update may belong to.

    `score` is the mean of three cosines, 0..1: to the cluster's name, its likest update, and the sum of its updates.
    """

    cluster_id: str
    score: float


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

    def suggest(self, text: str, limit: int = 5, but: str = "") -> tuple[SuggestedNugget, ...]:
        """The nuggets that a text most likely tells, best first; none with which it shares no term.

        `but` is an update whose own matches are not looked at: the one that the text is of. Those of `knowing` are.
        """
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


def suggest_nuggets(
    text: str,
    nuggets: Sequence[Nugget],
    matched: Iterable[tuple[str, str]] = (),
    limit: int = 5,
    language: str = "english",
) -> tuple[SuggestedNugget, ...]:
    """The nuggets that an update most likely tells, best first; none with which it shares no word.

    Args:
        text: the update's.
        nuggets: of its topic.
        matched: (the words that said a nugget, that nugget's id) of the matches made so far in the topic.
        limit: how many at most.
        language: of the texts.

    >>> nuggets = [Nugget("e", "N1", 0, 2, "12 people died"), Nugget("e", "N2", 0, 2, "a ferry burned off the coast")]
    >>> text = "Police said a ferry burned near the coast."
    >>> [(one.nugget_id, text[one.start : one.end]) for one in suggest_nuggets(text, nuggets)]
    [('N2', 'ferry burned near the coast')]
    """
    pairs = list(matched)
    stems = shared_analyzer(language).stems
    texts = [nugget.text for nugget in nuggets] + [words for words, _ in pairs] + [text]
    suggester = NuggetSuggester(Terms([stems(one) for one in texts]), nuggets, language)
    for words, nugget in pairs:
        suggester.add("", nugget, words)
    return suggester.suggest(text, limit, but=" ")


def suggest_clusters(
    text: str,
    clusters: Mapping[str, Sequence[str]],
    names: Mapping[str, str] | None = None,
    limit: int = 5,
    language: str = "english",
) -> tuple[SuggestedCluster, ...]:
    """The clusters that an update most likely belongs to, best first; none with which it shares no word.

    Args:
        text: the update's.
        clusters: id → texts of its updates.
        names: id → the cluster's name, where it has one.
        limit: how many at most.
        language: of the texts.

    >>> clusters = {"fire": ["A ferry burns.", "Ferry on fire"], "goal": ["A late goal"]}
    >>> [one.cluster_id for one in suggest_clusters("The ferry still burns.", clusters)]
    ['fire']
    """
    if not clusters:
        return ()
    stems = shared_analyzer(language).stems
    labels = [stems((names or {}).get(cluster, "")) for cluster in clusters]
    members = [stems(words) for own in clusters.values() for words in own]
    owners = np.repeat(np.arange(len(clusters)), [len(own) for own in clusters.values()])
    terms = Terms([*labels, *members, stems(text)])
    asked = terms.matrix([stems(text)])
    rows = terms.matrix(members)
    cosines = rows.cosines(asked)[:, 0]
    nearest = np.zeros(len(clusters))
    np.maximum.at(nearest, owners, cosines)
    along = np.bincount(owners, cosines, len(clusters))
    scores = (
        terms.matrix(labels).cosines(asked)[:, 0] + nearest + along / _lengths(rows, owners, len(clusters))
    ) / 3
    ranked = np.argsort(-scores, kind="stable")[:limit]
    ids = tuple(clusters)
    return tuple(
        SuggestedCluster(ids[number], float(scores[number])) for number in ranked if scores[number] > 0
    )


def _lengths(rows: TermMatrix, owners: np.ndarray[tuple[int], np.dtype[np.int64]], count: int) -> Floats:
    """Of each cluster the Euclidean length of the sum of its rows; 1 for an empty one."""
    places = owners[rows.rows] * rows.width + rows.columns
    different, inverse = np.unique(places, return_inverse=True)
    sums = np.bincount(inverse, rows.values, len(different))
    lengths = np.sqrt(np.bincount(different // max(rows.width, 1), sums * sums, count))
    return np.asarray(np.where(lengths > 0, lengths, 1.0))
