"""Which updates of a pool are alike in their words, and which nuggets an update is likely to tell.

The second is asked again and again while people judge: the terms are weighed once over the whole pool and the nuggets
made ready once, so that a question takes milliseconds and no judgment waits for it; what each judge has matched comes
with the question, as judges do not see each other's. Before a judge has matched anything the learned matcher knows more
than likeness does: what it says of the whole pool is worked out beside, once, and likeness alone suggests until it is
there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from itertools import islice
from threading import Lock
from weakref import WeakKeyDictionary, ref

import numpy as np

from tidings.annotation.desk.pools import TopicPool
from tidings.core import Nugget, TidingsError, shared_analyzer
from tidings.evaluation import NuggetSuggester, SuggestedNugget, TermMatrix, Terms, likeliest

MOST_PAIRS = 500_000
"""Updates times nuggets for which the matcher is asked, about two seconds of work; beyond, likeness alone suggests."""

_WAIT_S = 0.1
_beside = ThreadPoolExecutor(1, thread_name_prefix="likely-nuggets")

_ByText = dict[str, tuple[SuggestedNugget, ...]]


def pool_terms(pool: TopicPool, language: str = "english") -> Terms:
    """The terms of a pool, weighed by how rare they are in it."""
    stems = shared_analyzer(language).stems
    return Terms([stems(one.text) for one in pool.candidates])


class LikelyNuggets:
    """The nuggets of a topic made ready.

    Args:
        terms: of its pool.
        nuggets: of the topic.
        pool: of which a matcher says what is likely before anything is matched; none for likeness alone.
        wait_s: how many seconds a question waits for what the matcher says; a tenth unless said.

    >>> from tidings.core.records import PooledUpdate
    >>> texts = ["12 people died.", "A ferry burned."]
    >>> pool = TopicPool(PooledUpdate("e", "d", n, text) for n, text in enumerate(texts))
    >>> nuggets = [Nugget("e", "N1", 0, 2, "12 people died"), Nugget("e", "N2", 0, 2, "a ferry burned off the coast")]
    >>> likely = LikelyNuggets(pool_terms(pool), nuggets)
    >>> text = "Police said a ferry burned near the coast."
    >>> [one.nugget_id for one in likely.suggest(text)]
    ['N2']
    """

    def __init__(
        self,
        terms: Terms,
        nuggets: Sequence[Nugget],
        pool: TopicPool | None = None,
        wait_s: float | None = None,
    ) -> None:
        self._suggester = NuggetSuggester(terms, nuggets)
        few = pool is not None and len(pool.updates) * len(nuggets) <= MOST_PAIRS
        self.nuggets, self.pool = nuggets, pool if few else None
        self._wait_s = _WAIT_S if wait_s is None else wait_s
        self._lock = Lock()
        self._said: Future[_ByText] | None = None

    def suggest(
        self, text: str, matched: Iterable[tuple[str, str]] = (), limit: int = 5
    ) -> tuple[SuggestedNugget, ...]:
        """The nuggets that `text` most likely tells, best first; none that shares no term with it.

        Args:
            text: an update's.
            matched: (words that said a nugget, its id), of matches made so far.
            limit: how many at most.
        """
        known = list(matched)
        first = () if known else self._first().get(text, ())
        return self._suggester.knowing(known).suggest(text, limit, first=first)

    def _first(self) -> _ByText:
        """What the matcher says of each text of the pool; nothing until it is there."""
        if self.pool is None:
            return {}
        with self._lock:
            if self._said is None:
                self._said = _beside.submit(_matched, ref(self))
        try:
            return self._said.result(self._wait_s)
        except (TimeoutError, TidingsError):
            return {}


def _matched(likely: ref[LikelyNuggets]) -> _ByText:
    """Asks the matcher; nothing where other nuggets have taken the place of these since."""
    one = likely()
    if one is None or one.pool is None:
        return {}
    from tidings.evaluation import NuggetMatcher

    found = likeliest(NuggetMatcher().match(one.nuggets, list(one.pool.updates.values())))
    return {one.pool.updates[update].text: suggested for update, suggested in found.items()}


class Likeness:
    """The words of a pool's candidates, weighed once, so that each question takes milliseconds."""

    def __init__(self, pool: TopicPool, language: str = "english") -> None:
        self._candidates = pool.candidates
        self._stems = shared_analyzer(language).stems

    def to_text(self, text: str) -> list[tuple[str, float]]:
        """All candidates with the cosine of their words to those of `text`, 0..1; most alike first, the rest by time.

        >>> from tidings.core.records import PooledUpdate
        >>> pool = TopicPool([PooledUpdate("e", "d", n, text) for n, text in enumerate(["A goal.", "A fire."])])
        >>> [name for name, _ in Likeness(pool).to_text("Fires at sea")]
        ['d-1', 'd-0']
        """
        terms, matrix = self._made
        cosines = matrix.cosines(terms.matrix([self._stems(text)]))[:, 0]
        ranked = np.argsort(-cosines, kind="stable").tolist()
        return [(self._candidates[number].id, float(cosines[number])) for number in ranked]

    def to_update(
        self, update: str, text: str, least: float = 0.15, limit: int = 300
    ) -> list[tuple[str, float]]:
        """The other candidates whose cosine to an update's words is at least `least`, most alike first.

        An update's likely cluster is that of the first of them which is in one; terms are weighed over the whole pool.

        >>> from tidings.core.records import PooledUpdate
        >>> texts = ["A goal.", "A fire at sea.", "The sea is on fire."]
        >>> pool = TopicPool([PooledUpdate("e", "d", n, text) for n, text in enumerate(texts)])
        >>> [name for name, _ in Likeness(pool).to_update("d-1", texts[1])]
        ['d-2']
        """
        near = (one for one in self.to_text(text) if one[1] >= least and one[0] != update)
        return list(islice(near, limit))

    @cached_property
    def _made(self) -> tuple[Terms, TermMatrix]:
        texts = [self._stems(one.text) for one in self._candidates]
        terms = Terms(texts)
        return terms, terms.matrix(texts)


_made: WeakKeyDictionary[TopicPool, Likeness] = WeakKeyDictionary()


def likeness_in(pool: TopicPool) -> Likeness:
    """The likeness of a pool's updates, made once for as long as the pool is kept."""
    made = _made.get(pool)
    if made is None:
        made = _made[pool] = Likeness(pool)
    return made
