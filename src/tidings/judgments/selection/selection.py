"""Which update of a topic to judge next: by time, by random order, by uncertainty, by expected yield.

Expected yield is continuous active learning (Cormack and Grossman, SIGIR 2014): a logistic regression on the terms
of the updates is trained on what was judged so far, and the update that promises most is judged next. Here it also
sees how an update is like the nuggets, the query and the title, how long it is and where it stands; an update
that was linked to several nuggets counts for as many. Before anything relevant is judged in the topic, likeness
to the nuggets and the query decides.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Literal, get_args

import numpy as np
from msgspec import Struct

from tidings.errors import UsageError
from tidings.judgments.selection.candidates import Candidate, candidates_of
from tidings.judgments.selection.logistic import fit_logistic, linear, probability
from tidings.judgments.selection.terms import Floats, Terms
from tidings.records import Nugget, PooledUpdate
from tidings.text.tokens import shared_analyzer

__all__ = ["STRATEGIES", "Judged", "Ranked", "Selection", "Strategy", "order"]

Strategy = Literal["time", "random", "uncertainty", "yield"]
STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)

Judged = Mapping[str, Collection[str]]
"""Update id → ids of all that it was linked to: its nuggets, its cluster, …; none: judged, and not relevant."""


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
        pool: the topic's updates; exact copies are judged once.
        nuggets: the topic's, where they are there before the updates are judged.
        query: words of the topic: its query and title.
        language: of the texts.
    """

    def __init__(
        self,
        pool: Iterable[PooledUpdate],
        nuggets: Sequence[Nugget] = (),
        query: str = "",
        language: str = "english",
    ) -> None:
        self.candidates: tuple[Candidate, ...] = candidates_of(pool)
        self._number = {copy: number for number, one in enumerate(self.candidates) for copy in one.copies}
        stems = shared_analyzer(language).stems
        texts = [stems(one.text) for one in self.candidates]
        terms = Terms(texts)
        self._terms = terms.matrix(texts)
        self._features = _features(self.candidates, texts, terms, nuggets, query, language)
        self._weights: Floats | None = None

    def order(self, judged: Judged, by: Strategy = "yield", seed: int = 0) -> tuple[Ranked, ...]:
        """All updates that are not judged, the one to be judged next first; ties stand by time.

        The same arguments give the same order, whatever was asked before.

        >>> texts = ["A goal.", "A fire at sea.", "Sea fire out."]
        >>> selection = Selection([PooledUpdate("e", "d", n, text) for n, text in enumerate(texts)], query="fire")
        >>> [one.update_id for one in selection.order({"d-1": ["N1"]})]
        ['d-2', 'd-0']
        >>> [one.update_id for one in selection.order({"d-1": ["N1"]}, by="time")]
        ['d-0', 'd-2']
        """
        if by not in STRATEGIES:
            raise UsageError(f"found the order {by!r}, expected one of {', '.join(STRATEGIES)}")
        links = self._links(judged)
        open_ones = np.flatnonzero(np.isnan(links))
        if by == "time" or not len(open_ones):
            return tuple(Ranked(self.candidates[number].id) for number in open_ones)
        if by == "random":
            lots = sorted(open_ones, key=lambda number: _lot(seed, self.candidates[number].id))
            return tuple(Ranked(self.candidates[number].id) for number in lots)
        chances, expected = self._promise(links)
        promise = -np.abs(chances - 0.5) if by == "uncertainty" and np.nansum(links) else expected
        ranked = open_ones[np.argsort(-promise[open_ones], kind="stable")]
        return tuple(
            Ranked(self.candidates[number].id, float(chances[number]), float(expected[number]))
            for number in ranked
        )

    def _links(self, judged: Judged) -> Floats:
        """Of each candidate how many it was linked to, through any of its copies; nan where it is not judged."""
        linked: dict[int, set[str]] = {}
        for update, links in judged.items():
            if (number := self._number.get(update)) is not None:
                linked.setdefault(number, set()).update(links)
        counts = np.full(len(self.candidates), np.nan)
        for number, links in linked.items():
            counts[number] = len(links)
        return counts

    def _promise(self, links: Floats) -> tuple[Floats, Floats]:
        """(chance to be relevant, links to be expected) of every candidate."""
        known = ~np.isnan(links)
        counts = links[known]
        if not counts.any():
            return np.full(len(links), 0.5), _at_first(self._features)
        relevant = counts > 0
        importance = np.where(relevant, counts, 1.0)
        width = self._terms.width
        penalty = np.concatenate([np.full(width, 0.7), [1e-4], np.full(self._features.shape[1] - 1, 0.3)])
        weights = fit_logistic(
            self._terms.where(known),
            self._features[known],
            relevant.astype(np.float64),
            importance / importance.mean(),
            penalty,
        )
        scores = linear(self._terms, self._features, weights)
        mean = float(counts[relevant].mean())
        # Examples counted by their links: the odds are of links, and become those of relevance again.
        return probability(scores - np.log(mean)), probability(scores) * mean


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
    return Selection(pool, nuggets, query).order(judged, by, seed)


def _lot(seed: int, update_id: str) -> bytes:
    return sha256(f"{seed} {update_id}".encode()).digest()


def _features(
    candidates: Sequence[Candidate],
    texts: Sequence[Sequence[str]],
    terms: Terms,
    nuggets: Sequence[Nugget],
    query: str,
    language: str,
) -> Floats:
    """By row a candidate: 1, its likeness to the nuggets (mean of the 20, of the 5 nearest, nearest), to the query …"""
    stems = shared_analyzer(language).stems
    rows = terms.matrix(texts)
    likeness = rows.cosines(terms.matrix([stems(nugget.text) for nugget in nuggets] or [()]))
    likeness = -np.sort(-likeness, axis=1)
    lengths = np.array([len(text) for text in texts])
    columns = [
        np.ones(len(candidates)),
        likeness[:, :20].mean(axis=1) * 8,
        likeness[:, :5].mean(axis=1) * 5,
        likeness[:, 0] * 3,
        rows.cosines(terms.matrix([stems(query)]))[:, 0],
        np.log1p(lengths) / 3,
        np.minimum([one.sentence_index for one in candidates], 20) / 20,
    ]
    return np.stack(columns, axis=1)


def _at_first(features: Floats) -> Floats:
    """What an update promises while nothing relevant is judged."""
    return np.asarray(features[:, 1] / 8 + 0.1 * features[:, 4])
