"""The words of a story: those of its query, and those that documents which hold the query have in common.

Two readers who follow one story write "h1n1 pandemic" and "swine flu". What the documents say at their beginning is the
same for both: from the third of them on, or from two that have much in common, the story is known by the terms that set
these apart from other news, and how well a document fits them counts beside what it holds of the query.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from math import exp, log

from tidings.following.background import usual

# What each number decides is said by `Story`, `Story.is_close` and `Story.allows`.
_ENOUGH_DOCUMENTS = 3.0
_FEWEST_DOCUMENTS, _CLEAR = 2.0, 0.4
_FAMILIAR, _WELL_KNOWN = 6.0, 10.0
_HALF_LIFE = 100.0
_DECAY = 0.5 ** (1.0 / _HALF_LIFE)
_WORDS = 5
_MOST_COUNTED = 200
_LEAST_SHARE = 0.3
_LEAST_ODDS = 2.0
_LEAST_OTHERS = 2
_HEAD_SENTENCES = 6.0
_MOST_FORMS = 20
_OF_OTHERS, _PRIOR = 0.5, 20.0

_HEAVIEST = 10
_TERMS, _TERM_SHARE, _TERM_COUNT, _TERM_ODDS, _SELDOM = 40, 0.1, 1.5, 1.0, 1e-3
_FIT_COUNTS, _ENOUGH = 0.7, 0.6
_HALF, _PLAIN_FIT = 0.5, 0.15
_LEAST_FIT, _FAIR_FIT, _CLOSE_FIT, _GOOD_FIT, _VERY_GOOD_FIT = 0.1, 0.2, 0.3, 0.4, 0.6
_CORE_SHARE, _CORE_ODDS, _NAME_ODDS, _CORE_TERMS, _CORE = 0.75, 2.0, 2.3, 2, 5.0
_EVIDENCE_WITH_WORD, _EVIDENCE_WITH_NAME = 8.0, 3.0
_NEAR, _SHORT, _PART, _FEW_TERMS, _NEARLY_ALL, _HEAVY = 0.3, 0.3, 0.1, 5, 0.9, 3.0

Counted = tuple[dict[str, float], float, float]
"""Counts, number and stems of documents."""
StoryState = tuple[dict[str, float], float, float, dict[str, float], float, list[str], list[str]]
"""Counts, number and stems of documents that the query vouched for, counts and number of others; words always kept and
other forms."""


class Story:
    """Counts the stems at the beginning of documents for which the query vouches, and tells how well others fit them.

    The story's terms stand in a tenth of these beginnings, and there e times as often as in other news (and as half
    their share in documents that hold words of the query and are not of the story). A term weighs share × log-odds,
    the forty heaviest are kept, and a document's fit is the weight of those in its beginning, over what a document for
    which the query vouches has on average; of a shorter one less is expected. The latest documents count most, with a
    half-life of 100. The core are those of these terms and of the query's names that three quarters of the beginnings
    hold, e² times as often as other news; of names of others ten times, so that someone of whom there is news every
    day is none. Other forms of the query's words are no terms. `heaviest` are the ten heaviest; `words` the five
    heaviest and five of the core with the specific words of the query. Before the story is known these are those of the
    query.

    >>> story = Story(frozenset({"h1n1"}), {"the": 0.1}, 8.5)
    >>> for _ in range(6):
    ...     story.add(frozenset({"h1n1", "swine", "flu", "the"}), frozenset({"h1n1"}))
    >>> sorted(story.words), story.fit({"swine", "flu", "in", "the"}), story.fit({"storm"})
    (['flu', 'h1n1', 'swine'], 1.0, 0.0)

    Args:
        query: stems of the query.
        weights: how rare each stem is in the news (minus the logarithm of its share of sentences).
        rare: the weight of those that it lacks.
        struck: stems that a person struck: no terms of the story, whatever its documents share.
    """

    def __init__(
        self,
        query: frozenset[str],
        weights: Mapping[str, float],
        rare: float,
        struck: frozenset[str] = frozenset(),
    ) -> None:
        self._query, self._weights, self._rare, self._struck = query, weights, rare, struck
        self._names = frozenset(stem for stem in query if usual(stem).is_name)
        self._names_place = bool(self._names) and all(usual(stem).is_place for stem in self._names)
        self.is_one_common_word = len(query) == 1 and not self._names
        self.restore(({}, 0.0, 0.0, {}, 0.0, [], []))

    def restore(self, state: StoryState) -> None:
        """Become what `state` described."""
        self._counts, self._documents, self._stems, self._others, self._other_documents = state[:5]
        always, forms = state[5:]
        self._always, self.forms = frozenset(always), frozenset(forms) - self._struck
        self._find()

    def state(self) -> StoryState:
        """What `restore` takes."""
        documents = (self._counts, self._documents, self._stems, self._others, self._other_documents)
        return (*documents, sorted(self._always), sorted(self.forms))

    def counted(self) -> Counted:
        """What `recount` takes."""
        return self._counts, self._documents, self._stems

    def recount(self, counted: Counted) -> None:
        """Become what `counted` described, for `coherence`."""
        self._counts, self._documents, self._stems = counted

    @property
    def is_known(self) -> bool:
        """Whether enough documents were counted for the story's own words: three, or two with much in common."""
        return self._documents >= _ENOUGH_DOCUMENTS - 0.5 or self._is_clear

    @property
    def is_familiar(self) -> bool:
        """Whether six documents were counted: from then on what is close to the core is of the story."""
        return self._documents >= _FAMILIAR - 0.5

    @property
    def is_well_known(self) -> bool:
        """Whether ten documents were counted."""
        return self._documents >= _WELL_KNOWN - 0.5

    def fit(self, head: Collection[str]) -> float:
        """How well the beginning of a document fits: 1 as those that the query vouches for on average, 0 not at all."""
        return self._evidence(head, self.terms) / (self._usual_fit * self._length(head))

    def _length(self, head: Collection[str]) -> float:
        # Of a short beginning less is expected.
        return min(1.0, max(_SHORT, len(head) * self._documents / (self._stems or 1.0)))

    def is_close(self, head: Collection[str]) -> bool:
        """Whether the beginning of a document holds enough of the story's core, and fits otherwise too.

        It needs two terms of the core that together weigh 5, and three tenths of the usual fit; or a place of the core
        that the query lacks, three fifths of the fit and terms that weigh 8 ("homs shelling" goes on in Syria). A query
        whose words occur in several stories has no core: then no document is close.
        """
        core = [weight for stem, weight in self.core.items() if stem in head]
        evidence = self._evidence(head, self.terms)
        if len(core) >= _CORE_TERMS and sum(core) >= _CORE:
            return evidence >= _CLOSE_FIT * self._usual_fit
        is_there = any(usual(stem).is_place and stem in head for stem in self.core.keys() - self._names)
        return is_there and evidence >= _EVIDENCE_WITH_WORD and self.fit(head) >= _VERY_GOOD_FIT

    def _evidence(self, head: Collection[str], terms: Mapping[str, float]) -> float:
        return sum(weight for stem, weight in terms.items() if stem in head)

    def allows(
        self,
        head: Collection[str],
        share: float,
        *,
        is_asked_for: bool,
        is_named: bool,
        is_whole: bool = False,
    ) -> bool:
        """Whether a document is of the story, once that is known.

        One for which the query asks, and that comes back to a name of it, needs a tenth of the usual fit, three tenths
        if its beginning holds no word of it; while fewer than five terms are known it needs neither. One that holds
        half of the query needs a fifth; any other must be close (`is_close`), or hold part of the query and be central,
        with a fifth of the usual fit (three fifths without a name of it), or share + .7 fit must reach .6 and its terms
        weigh 3, or 8 without a name. It is central where its beginning holds a word of the core, other than the query's
        names, that is nobody's name, or two names.
        One without a name of the query, if that has any, needs two fifths of the fit in any case, and must be central,
        hold a term that weighs 3 and is not of the core, or half of the query with a fifth of the fit in terms that are
        no names.

        Where the only names of the query are places ("iran protests"), one that holds less than nine tenths of it needs
        .15 of the fit in terms that are no names, and a place of the query with other places is not close. A query of
        one word that is no name ("tariffs") names no story: the beginning of a document must hold it.

        Args:
            head: the stems of its title and first sentences.
            share: of the query's weight that it holds; words in passing count a quarter.
            is_asked_for: whether that is enough by itself, or its beginning holds a name whose news is one story.
            is_named: whether it comes back to a name of the query.
            is_whole: whether its beginning holds all of the query: then it is of the story in any case.
        """
        if self.is_one_common_word:
            return not self._query.isdisjoint(head)
        fit = self.fit(head)
        plain = self._evidence(head, self._plain) / (self._usual_plain * self._length(head))
        if self._names_place and share < _NEARLY_ALL and plain < _PLAIN_FIT:
            return is_whole or (self._names.isdisjoint(head) and self.is_close(head))
        if self.is_close(head) or is_whole:
            return True
        least = _CLOSE_FIT if self._query.union(self.forms).isdisjoint(head) else _LEAST_FIT
        if is_asked_for and ((is_named and fit >= least) or len(self.terms) < _FEW_TERMS):
            return True
        others = [usual(stem) for stem in self.core if stem in head and stem not in self._names]
        is_central = len(others) >= _CORE_TERMS or not all(stem.is_own_name for stem in others)
        if is_central and share >= _PART and fit >= (_FAIR_FIT if is_named else _VERY_GOOD_FIT):
            return True
        if not is_named and fit < _GOOD_FIT:
            return False
        is_central = is_central or (share >= _HALF and plain >= _FAIR_FIT)
        if not (is_named or is_central) and not any(
            weight >= _HEAVY and stem in head and stem not in self.core for stem, weight in self.terms.items()
        ):
            return False
        if share >= _HALF:
            return fit >= _FAIR_FIT
        enough = self._evidence(head, self.terms) >= (
            _EVIDENCE_WITH_NAME if is_named else _EVIDENCE_WITH_WORD
        )
        return enough and share >= _PART and share + _FIT_COUNTS * min(fit, 1.0) >= _ENOUGH

    def add(self, head: Collection[str], always: frozenset[str] = frozenset()) -> None:
        """Count the beginning of a document for which the query vouches; `always` are words to be kept."""
        self.count(head)
        self._always = always
        self._find()

    def count(self, head: Collection[str]) -> None:
        """Count the beginning of a document, without finding the story's terms."""
        self._documents = self._documents * _DECAY + 1.0
        self._stems = self._stems * _DECAY + len(head)
        self._counts = _count(self._counts, head)

    def add_other(self, head: Collection[str], share: float) -> None:
        """Count the beginning of a document that holds this share of the query and is not of the story, nor near it.

        The more of the query it holds, the likelier it is of the story all the same, and the less it counts.
        """
        if not 0 < share < _HALF or (self.is_known and self.fit(head) >= _NEAR):
            return
        weight = 1.0 - share / _HALF
        self._other_documents = self._other_documents * _DECAY + weight
        self._others = _count(self._others, head, weight)
        self._find()

    def add_forms(self, forms: Collection[str]) -> None:
        """Take other forms and spellings of the query's words as such."""
        new = frozenset(forms) - self._query - self.forms - self._struck
        if new and len(self.forms) < _MOST_FORMS:
            self.forms |= new
            self._find()

    def coherence(self) -> float:
        """How much any two of the documents have in common: log-odds of the terms of both, for each stem of one.

        Names are left out: Donald beside Trump tells nothing. The news of one story have .2 and more, of someone
        about whom there is news every day .05 and less.
        """
        shared, documents, weight_of, rare = 0.0, self._documents, self._weights.get, self._rare
        for stem, count in self._counts.items():
            if count < _TERM_COUNT:
                continue
            usually, tells = _in_heads(stem, weight_of(stem, rare))
            if not tells or stem in self._query:
                continue
            share = count / documents
            odds = self._odds(stem, share) if self._others else log(share / usually)
            if odds >= _TERM_ODDS:
                shared += share * (count - 1.0) / (documents - 1.0) * odds
        return shared * documents / (self._stems or 1.0)

    def _odds(self, stem: str, share: float) -> float:
        usually, _ = _in_heads(stem, self._weights.get(stem, self._rare))
        if self._others:
            among_others = _OF_OTHERS * self._others.get(stem, 0.0) / (self._other_documents + _PRIOR)
            usually = min(1.0, max(usually, among_others))
        return log(share / usually)

    def _find(self) -> None:
        are_few = _FEWEST_DOCUMENTS - 0.5 <= self._documents < _ENOUGH_DOCUMENTS - 0.5
        self._is_clear = are_few and self.coherence() >= _CLEAR
        self.words = self._query | self.forms
        self.terms: dict[str, float] = {}
        self.core: dict[str, float] = {}
        self.heaviest: frozenset[str] = frozenset()
        self._plain: dict[str, float] = {}
        self._usual_fit = self._usual_plain = 1.0
        if not self.is_known:
            return
        found: list[tuple[float, str, float, float]] = []
        core: list[tuple[float, str]] = []
        for stem, count in self._counts.items():
            share = count / self._documents
            if count < _TERM_COUNT or share < _TERM_SHARE or len(stem) < 2 or stem.isdigit():
                continue
            if stem in self._struck:
                continue
            odds, is_asked = self._odds(stem, share), stem in self._query
            of_core = _NAME_ODDS if usual(stem).is_own_name and not is_asked else _CORE_ODDS
            if share >= _CORE_SHARE and odds >= of_core and (not is_asked or stem in self._names):
                core.append((-share * odds, stem))
            if odds >= _TERM_ODDS and not is_asked and stem not in self.forms:
                found.append((-share * odds, stem, share, odds))
        found.sort()
        core.sort()
        del found[_TERMS:], core[_TERMS:]
        self.heaviest = frozenset(stem for _, stem, _, _ in found[:_HEAVIEST])
        self.terms = {stem: -weight for weight, stem, _, _ in found}
        self.core = {stem: -weight for weight, stem in core}
        self._plain = {stem: weight for stem, weight in self.terms.items() if not usual(stem).is_name}
        self._usual_fit = sum(-weight * share for weight, _, share, _ in found) or 1.0
        self._usual_plain = (
            sum(-weight * share for weight, stem, share, _ in found if stem in self._plain) or 1.0
        )
        others = [stem for _, stem, share, odds in found if share >= _LEAST_SHARE and odds >= _LEAST_ODDS]
        most = max(_LEAST_OTHERS, _WORDS - len(self._always))
        words = frozenset(list(self.core)[:_WORDS]).union(
            others[:most] if len(others) >= _LEAST_OTHERS else ()
        )
        if words:
            self.words = (self._always | words) - self._struck


@lru_cache(maxsize=1 << 16)
def _in_heads(stem: str, weight: float) -> tuple[float, bool]:
    # The share of beginnings of other news that hold a stem, which weighs so much by its share of sentences; and
    # whether it tells something, as no number and no name does.
    usually = max(usual(stem).head / 1000.0, _HEAD_SENTENCES * exp(-weight), _SELDOM)
    return min(1.0, usually), not (stem.isdigit() or usual(stem).is_own_name)


def _count(counts: Mapping[str, float], stems: Collection[str], weight: float = 1.0) -> dict[str, float]:
    counted = {stem: count * _DECAY for stem, count in counts.items()}
    for stem in sorted(stems):
        counted[stem] = counted.get(stem, 0.0) + weight
    if len(counted) > 2 * _MOST_COUNTED:
        return dict(sorted(counted.items(), key=lambda item: (-item[1], item[0]))[:_MOST_COUNTED])
    return counted
