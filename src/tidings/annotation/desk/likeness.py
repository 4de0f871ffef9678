"""Which updates of a pool are alike in their words, for sorting them by a description and for suggesting clusters."""

from __future__ import annotations

from functools import cached_property
from itertools import islice
from weakref import WeakKeyDictionary

import numpy as np

from tidings.annotation.desk.pools import TopicPool
from tidings.core import shared_analyzer
from tidings.evaluation import TermMatrix, Terms

__all__ = ["Likeness", "likeness_in"]


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
