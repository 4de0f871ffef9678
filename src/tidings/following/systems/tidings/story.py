"""The words of a story: those of its query, and those that documents which hold the query have in common.

Two readers who follow one story write "h1n1 pandemic" and "swine flu". What the documents say at their beginning is the
same for both: from the fifth of them on, the story is known by the words that set these apart from other news.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import exp, log

from tidings.following.background import usual

_ENOUGH_DOCUMENTS = 5.0
_HALF_LIFE = 100.0
_DECAY = 0.5 ** (1.0 / _HALF_LIFE)
_WORDS = 5
_MOST_COUNTED = 200
_LEAST_SHARE = 0.3
_LEAST_ODDS = 2.0
_LEAST_OTHERS = 2
_PRIOR = 5.0
_HEAD_SENTENCES = 6.0
_MOST_FORMS = 20
_FEWEST = 3
_OF_OTHERS = 0.3

StoryState = tuple[dict[str, float], float, dict[str, float], float, list[str], list[str]]
"""Counts and number of documents that the query vouched for, those of others; words always kept; other forms."""


class Story:
    """Counts the stems at the beginning of documents for which the query vouches, and gives the story's own.

    A word of the story stands in three of ten of these beginnings, and there e² times as often as in other news (and as
    three tenths of its share in documents that hold words of the query and are not of the story). Those with the
    highest product of share and log-odds are taken, five with the specific words of the query; its other words stand in
    what it vouches for anyway, and say nothing. The latest documents count most, with a
    half-life of 100. Before the fifth the words are those of the query.

    >>> story = Story(frozenset({"h1n1"}), {"the": 0.1}, 8.5)
    >>> for _ in range(6):
    ...     story.add(frozenset({"h1n1", "swine", "flu", "the"}), frozenset({"h1n1"}))
    >>> sorted(story.words)
    ['flu', 'h1n1', 'swine']

    Args:
        query: stems of the query.
        weights: how rare each stem is in the news (minus the logarithm of its share of sentences).
        rare: the weight of those that it lacks.
    """

    def __init__(self, query: frozenset[str], weights: Mapping[str, float], rare: float) -> None:
        self._query, self._weights, self._rare = query, weights, rare
        self.restore(({}, 0.0, {}, 0.0, [], []))

    def restore(self, state: StoryState) -> None:
        """Become what `state` described."""
        self._counts, self._documents, self._others, self._other_documents, always, forms = state
        self._always, self._forms = frozenset(always), frozenset(forms)
        self._find()

    def state(self) -> StoryState:
        """What `restore` takes."""
        return (
            self._counts,
            self._documents,
            self._others,
            self._other_documents,
            sorted(self._always),
            sorted(self._forms),
        )

    @property
    def is_known(self) -> bool:
        """Whether enough documents were counted for the story's own words."""
        return self._documents >= _ENOUGH_DOCUMENTS - 0.5

    def allows(self, head: Collection[str], *, is_asked_for: bool) -> bool:
        """Whether a document of this beginning is of the story: one word where the query asks for it, three where not.

        Before the story is known, the query alone decides.
        """
        if not self.is_known:
            return is_asked_for
        held = sum(stem in head for stem in self.words)
        return held >= (1 if is_asked_for else _FEWEST)

    def add(self, head: Collection[str], always: frozenset[str] = frozenset()) -> None:
        """Count the beginning of a document for which the query vouches; `always` are words to be kept."""
        self._documents = self._documents * _DECAY + 1.0
        self._counts = _count(self._counts, head)
        self._always = always
        self._find()

    def add_other(self, head: Collection[str]) -> None:
        """Count the beginning of a document that holds words of the query and is not of the story."""
        self._other_documents = self._other_documents * _DECAY + 1.0
        self._others = _count(self._others, head)

    def add_forms(self, forms: Collection[str]) -> None:
        """Take other forms and spellings of the query's words as such."""
        new = frozenset(forms) - self._query - self._forms
        if new and len(self._forms) < _MOST_FORMS:
            self._forms |= new
            self._find()

    def _odds(self, stem: str, count: float) -> float:
        usually = max(
            usual(stem).head / 1000.0,
            _HEAD_SENTENCES * exp(-self._weights.get(stem, self._rare)),
            _OF_OTHERS * self._others.get(stem, 0.0) / (self._other_documents + _PRIOR),
        )
        return log(count / self._documents / min(1.0, usually))

    def _find(self) -> None:
        self.words = self._query | self._forms
        if not self.is_known:
            return
        worth = []
        for stem, count in self._counts.items():
            share = count / self._documents
            if share >= _LEAST_SHARE and len(stem) > 1 and not stem.isdigit() and stem not in self._query:
                odds = self._odds(stem, count)
                if odds >= _LEAST_ODDS:
                    worth.append((-share * odds, stem))
        if len(worth) >= _LEAST_OTHERS:
            others = [stem for _, stem in sorted(worth)]
            self.words = self._always | frozenset(others[: max(_LEAST_OTHERS, _WORDS - len(self._always))])


def _count(counts: Mapping[str, float], stems: Collection[str]) -> dict[str, float]:
    counted = {stem: count * _DECAY for stem, count in counts.items()}
    for stem in stems:
        counted[stem] = counted.get(stem, 0.0) + 1.0
    if len(counted) > 2 * _MOST_COUNTED:
        return dict(sorted(counted.items(), key=lambda item: (-item[1], item[0]))[:_MOST_COUNTED])
    return counted
