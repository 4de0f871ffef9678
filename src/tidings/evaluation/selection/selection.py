"""Which update of a topic to judge next: by time, by random order, by uncertainty, by expected yield.

Expected yield is continuous active learning (Cormack and Grossman, SIGIR 2014): a logistic regression on the terms
of the updates is trained on what was judged so far, and the update that promises most is judged next. Here it also
sees how an update is like the nuggets, the query and the rest of the pool, how long it is and where it stands, and
what these were worth on other topics (`prior.py`) is where it begins; an update that was linked to several
nuggets counts for as many. So the first order, with nothing judged, is the prior's.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from hashlib import sha256

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tidings.core import Nugget, PooledUpdate, UsageError
from tidings.evaluation.selection.features import Surroundings, describe
from tidings.evaluation.selection.logistic import fit_logistic, linear, probability
from tidings.evaluation.selection.pool_texts import PoolTexts
from tidings.evaluation.selection.prior import Prior, shipped_prior
from tidings.evaluation.selection.strategies import STRATEGIES, Strategy
from tidings.evaluation.selection.terms import Floats

__all__ = ["Judged", "Ranked", "Selection", "order"]

Judged = Mapping[str, Collection[str]]
"""Update id → ids of all that it was linked to: its nuggets, its cluster, …; none: judged, and not relevant."""

_TERM_PENALTY = 0.5
_FEATURE_PENALTY = 10.0
_CONSTANT_PENALTY = 0.1
_LENT = 5
"""So many relevant updates the prior's mean of links counts for. All chosen on 2013, each topic left out in turn."""


class Ranked(Struct, frozen=True):
    """An update that is not judged yet.

    Args:
        update_id: of the earliest of its exact copies.
        probability: that it is relevant, 0..1; 0.5 while nothing can be known.
        expected: how many links it promises, ≥ 0; on no scale before something relevant is judged.
    """

    update_id: str
    probability: float = 0.5
    expected: float = 0.0


class Selection:
    """One topic made ready, for any number of orders.

    Args:
        texts: the topic's pool.
        nuggets: the topic's, where they are there before the updates are judged.
        query: words of the topic: its query and title.
        prior: what was learned on other topics; that of the package where none is given.
    """

    def __init__(
        self, texts: PoolTexts, nuggets: Sequence[Nugget] = (), query: str = "", prior: Prior | None = None
    ) -> None:
        self.texts = texts
        wanted = texts.rows_of([query])
        self.features = describe(
            Surroundings(
                texts.rows, texts.rows_of([one.text for one in nuggets]), wanted, texts.lengths, texts.places
            )
        )
        self._query = texts.rows.cosines(wanted)[:, 0]
        self._terms = texts.scaled
        known = shipped_prior() if prior is None else prior
        self._links_before = known.links
        self._before = self.features @ (known.with_nuggets if nuggets else known.without_nuggets)

    def order(self, judged: Judged, by: Strategy = "yield", seed: int = 0) -> tuple[Ranked, ...]:
        """All updates that are not judged, the one to be judged next first; ties stand by time.

        The same arguments give the same order, whatever was asked before.

        >>> texts = ["A goal.", "A fire at sea.", "Sea fire out."]
        >>> pool = PoolTexts(PooledUpdate("e", "d", n, text) for n, text in enumerate(texts))
        >>> selection = Selection(pool, query="fire")
        >>> [one.update_id for one in selection.order({"d-1": ["N1"]})]
        ['d-2', 'd-0']
        >>> [one.update_id for one in selection.order({"d-1": ["N1"]}, by="time")]
        ['d-0', 'd-2']
        """
        if by not in STRATEGIES:
            raise UsageError(f"found the order {by!r}, expected one of {', '.join(STRATEGIES)}")
        candidates, links = self.texts.candidates, self._links(judged)
        open_ones = np.flatnonzero(np.isnan(links))
        if by == "time" or not len(open_ones):
            return tuple(Ranked(candidates[number].id) for number in open_ones)
        if by == "random":
            lots = sorted(open_ones, key=lambda number: _lot(seed, candidates[number].id))
            return tuple(Ranked(candidates[number].id) for number in lots)
        chances, expected = self._by_terms(links) if by == "terms" else self._promise(links, by != "likeness")
        promise = -np.abs(chances - 0.5) if by == "uncertainty" else expected
        ranked = open_ones[np.argsort(-promise[open_ones], kind="stable")]
        return tuple(
            Ranked(candidates[number].id, float(chances[number]), float(expected[number]))
            for number in ranked
        )

    def _links(self, judged: Judged) -> Floats:
        """Of each candidate how many it was linked to, through any of its copies; nan where it is not judged."""
        linked: dict[int, set[str]] = {}
        for update, links in judged.items():
            if (number := self.texts.number.get(update)) is not None:
                linked.setdefault(number, set()).update(links)
        counts = np.full(len(self.texts.candidates), np.nan)
        for number, links in linked.items():
            counts[number] = len(links)
        return counts

    def _promise(self, links: Floats, learning: bool) -> tuple[Floats, Floats]:
        """(chance to be relevant, links to be expected) of every candidate."""
        known = ~np.isnan(links)
        counts = links[known]
        scores = self._before
        if learning and len(counts):
            penalty = np.full(self._terms.width + self.features.shape[1], _TERM_PENALTY)
            penalty[self._terms.width :] = _FEATURE_PENALTY
            penalty[self._terms.width] = _CONSTANT_PENALTY
            scores = scores + self._learned(self.features, known, counts, penalty, scores)
        relevant = counts[counts > 0]
        mean = (float(relevant.sum()) + _LENT * self._links_before) / (len(relevant) + _LENT)
        # Examples counted by their links: these are odds of links, and become odds of relevance again.
        chances = probability(scores - np.log(mean))
        return chances, mean * chances

    def _by_terms(self, links: Floats) -> tuple[Floats, Floats]:
        known = ~np.isnan(links)
        counts = np.minimum(links[known], 1)
        if not counts.any():
            return np.full(len(links), 0.5), self._query
        constant = np.ones((len(links), 1))
        penalty = np.full(self._terms.width + 1, _TERM_PENALTY)
        penalty[-1] = _CONSTANT_PENALTY
        chances = probability(self._learned(constant, known, counts, penalty, np.zeros(len(links))))
        return chances, chances

    def _learned(
        self, features: Floats, known: NDArray[np.bool_], counts: Floats, penalty: Floats, before: Floats
    ) -> Floats:
        """Of every candidate the score that the judged ones teach, beyond what is known before."""
        importance = np.where(counts > 0, counts, 1.0)
        weights = fit_logistic(
            self._terms.where(known),
            features[known],
            (counts > 0).astype(np.float64),
            importance / importance.mean(),
            penalty,
            before[known],
        )
        return linear(self._terms, features, weights)


def order(
    pool: Iterable[PooledUpdate],
    nuggets: Sequence[Nugget],
    judged: Judged,
    by: Strategy = "yield",
    seed: int = 0,
    query: str = "",
) -> tuple[Ranked, ...]:
    """The updates of one topic's pool that are not judged, the one to be judged next first.

    >>> pool = [PooledUpdate("e", "d", 0, "A goal."), PooledUpdate("e", "d", 1, "A fire at sea.")]
    >>> [one.update_id for one in order(pool, [Nugget("e", "N1", 0, 1, "fire on a ship")], {})]
    ['d-1', 'd-0']
    """
    return Selection(PoolTexts(pool), nuggets, query).order(judged, by, seed)


def _lot(seed: int, update_id: str) -> bytes:
    return sha256(f"{seed} {update_id}".encode()).digest()
