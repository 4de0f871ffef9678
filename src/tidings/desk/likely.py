"""Which nuggets an update is likely to tell, asked again and again while people judge.

The measure is that of `tidings.judgments.selection.suggest_nuggets`, with terms weighed once over the whole pool, so
that a question takes milliseconds and no judgment waits for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from tidings.desk.pools import TopicPool
from tidings.judgments.selection import SuggestedNugget
from tidings.judgments.selection.spans import likely_span
from tidings.judgments.selection.terms import TermMatrix, Terms
from tidings.text.tokens import shared_analyzer

__all__ = ["LikelyNuggets", "PoolTerms"]


class PoolTerms:
    """The terms of a pool, weighed by how rare they are in it."""

    def __init__(self, pool: TopicPool, language: str = "english") -> None:
        self._stems = shared_analyzer(language).stems
        self._terms = Terms([self._stems(one.text) for one in pool.candidates])

    def rows(self, texts: Iterable[str]) -> TermMatrix:
        """Texts as rows over these terms."""
        return self._terms.matrix([self._stems(text) for text in texts])


class LikelyNuggets:
    """The nuggets of a topic made ready.

    Args:
        terms: of its pool.
        nuggets: (id, text) of each.

    >>> from tidings.records import PooledUpdate
    >>> texts = ["12 people died.", "A ferry burned."]
    >>> pool = TopicPool(PooledUpdate("e", "d", n, text) for n, text in enumerate(texts))
    >>> likely = LikelyNuggets(PoolTerms(pool), [("N1", "12 people died"), ("N2", "a ferry burned off the coast")])
    >>> text = "Police said a ferry burned near the coast."
    >>> [(one.nugget_id, text[one.start : one.end]) for one in likely.suggest(text)]
    [('N2', 'ferry burned near the coast')]
    """

    def __init__(self, terms: PoolTerms, nuggets: Sequence[tuple[str, str]]) -> None:
        self._terms = terms
        self._nuggets = tuple(nuggets)
        self._ids = {name for name, _ in nuggets}
        self._rows = terms.rows(text for _, text in nuggets)

    def suggest(
        self, text: str, matched: Iterable[tuple[str, str]] = (), limit: int = 5
    ) -> tuple[SuggestedNugget, ...]:
        """The nuggets that `text` most likely tells, best first; none that shares no term with it.

        Args:
            text: an update's.
            matched: (words that said a nugget, its id), of matches made so far.
            limit: how many at most.
        """
        own = self._terms.rows([text])
        said = [(words, name) for words, name in matched if name in self._ids]
        ways = [*((name, words) for name, words in self._nuggets), *((name, words) for words, name in said)]
        if not ways:
            return ()
        cosines = np.concatenate(
            [self._rows.cosines(own)[:, 0], self._terms.rows(words for words, _ in said).cosines(own)[:, 0]]
        )
        best: dict[str, tuple[float, str]] = {}
        for number in np.argsort(-cosines, kind="stable").tolist():
            name, words = ways[number]
            if cosines[number] <= 0 or len(best) == limit:
                break
            best.setdefault(name, (float(cosines[number]), words))
        return tuple(
            SuggestedNugget(name, cosine, *likely_span(text, words)) for name, (cosine, words) in best.items()
        )
