"""Which nuggets an update is likely to tell, asked again and again while people judge.

The terms are weighed once over the whole pool and the nuggets made ready once, so that a question takes milliseconds
and no judgment waits for it; what each judge has matched comes with the question, as judges do not see each other's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tidings.desk.pools import TopicPool
from tidings.judgments.selection import NuggetSuggester, SuggestedNugget
from tidings.judgments.selection.terms import Terms
from tidings.records import Nugget
from tidings.text.tokens import shared_analyzer

__all__ = ["LikelyNuggets", "pool_terms"]


def pool_terms(pool: TopicPool, language: str = "english") -> Terms:
    """The terms of a pool, weighed by how rare they are in it."""
    stems = shared_analyzer(language).stems
    return Terms([stems(one.text) for one in pool.candidates])


class LikelyNuggets:
    """The nuggets of a topic made ready.

    Args:
        terms: of its pool.
        nuggets: (id, text) of each.

    >>> from tidings.records import PooledUpdate
    >>> texts = ["12 people died.", "A ferry burned."]
    >>> pool = TopicPool(PooledUpdate("e", "d", n, text) for n, text in enumerate(texts))
    >>> likely = LikelyNuggets(pool_terms(pool), [("N1", "12 people died"), ("N2", "a ferry burned off the coast")])
    >>> text = "Police said a ferry burned near the coast."
    >>> [one.nugget_id for one in likely.suggest(text)]
    ['N2']
    """

    def __init__(self, terms: Terms, nuggets: Sequence[tuple[str, str]]) -> None:
        self._suggester = NuggetSuggester(terms, [Nugget("", name, 0, 0, text) for name, text in nuggets])

    def suggest(
        self, text: str, matched: Iterable[tuple[str, str]] = (), limit: int = 5
    ) -> tuple[SuggestedNugget, ...]:
        """The nuggets that `text` most likely tells, best first; none that shares no term with it.

        Args:
            text: an update's.
            matched: (words that said a nugget, its id), of matches made so far.
            limit: how many at most.
        """
        return self._suggester.knowing(matched).suggest(text, limit)
