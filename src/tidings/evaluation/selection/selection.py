"""Which update of a topic to judge next: by time, by random order, by uncertainty, by expected yield.

Expected yield is continuous active learning (Cormack and Grossman, SIGIR 2014): a logistic regression on the terms
of the updates is trained on what was judged so far, and the update that promises most is judged next. Here it also
sees how an update is like the nuggets, the query and the rest of the pool, how long it is and where it stands, and
what these were worth on other topics (`Prior`) is where it begins; an update that was linked to several
nuggets counts for as many. So the first order, with nothing judged, is the prior's.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal, get_args

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tidings.core import Event, Model, Nugget, UsageError, bare_event_id, prepare, read_model
from tidings.evaluation.selection.pool_texts import Floats, PoolTexts, TermMatrix

FEATURES = ("constant", "query", "length", "place", "middle", "promising")
"""Of every pool, by column.

`constant` is 1; `query` the cosine to the words of query and title; `length` ln(1 + stems); `place` the number of the
sentence in its document, at most 20; `middle` the mean cosine to all updates of the pool; `promising` the
mean cosine to that tenth of the pool that is most like query, nuggets and pool at once.
"""

NUGGET_FEATURES = ("nearest", "nearest 5", "nearest 20", "nuggets met")
"""Where nuggets are known: mean cosine to the nearest one, 5 and 20; share of the nuggets that share a term."""

_FARTHEST_PLACE = 20  # in its document; sentences behind count as this one
_PROMISING = 10  # one in so many


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A pool's texts, its nuggets' and its query as rows over the same terms, and what else is known of each update."""

    texts: TermMatrix
    nuggets: TermMatrix
    query: TermMatrix
    lengths: Floats
    places: Floats


def describe(pool: Surroundings) -> Floats:
    """A row for each update, a column for each of `FEATURES`, then `NUGGET_FEATURES` where there are nuggets."""
    count = pool.texts.height
    query = pool.texts.cosines(pool.query)[:, 0]
    middle = _mean_cosine(pool.texts, np.ones(count, dtype=np.bool_))
    by_nuggets: list[Floats] = []
    if pool.nuggets.height:
        cosines = pool.texts.cosines(pool.nuggets)
        by_nuggets = [_mean_of_nearest(cosines, most) for most in (1, 5, 20)]
        by_nuggets.append((cosines > 0).mean(axis=1))
    seeming = sum(map(_level, [query, middle, *by_nuggets[2:3]]), np.zeros(count))
    first = np.zeros(count, dtype=np.bool_)
    first[np.argsort(-seeming, kind="stable")[: max(5, count // _PROMISING)]] = True
    promising = _mean_cosine(pool.texts, first)
    near_start = np.minimum(pool.places, _FARTHEST_PLACE)
    columns = [query, np.log1p(pool.lengths), near_start, middle, promising, *by_nuggets]
    return np.stack([np.ones(count), *map(_level, columns)], axis=1)


def _level(column: Floats) -> Floats:
    """With mean 0 and deviation 1; all 0 where all are equal."""
    if not len(column):
        return column
    return np.asarray((column - column.mean()) / (column.std() + 1e-9))


def _mean_cosine(texts: TermMatrix, chosen: NDArray[np.bool_]) -> Floats:
    """Of each text the mean cosine to the chosen ones other than itself."""
    together = texts.times(texts.transposed_times(chosen.astype(np.float64)))
    own = texts.times_squared(np.ones(texts.width)) * chosen
    return np.asarray((together - own) / np.maximum(chosen.sum() - chosen, 1))


def _mean_of_nearest(cosines: Floats, most: int) -> Floats:
    if most >= cosines.shape[1]:
        return np.asarray(cosines.mean(axis=1))
    return np.asarray(np.partition(cosines, -most, axis=1)[:, -most:].mean(axis=1))


_NEWTON_STEPS = 8  # at most; it stops earlier when the loss hardly falls
_GRADIENT_STEPS = 25  # of conjugate gradients, at most, in each Newton step


def probability(scores: Floats) -> Floats:
    """1 / (1 + e^-score), within 0..1.

    >>> probability(np.array([0.0, 800.0, -800.0])).tolist()
    [0.5, 1.0, 0.0]
    """
    with np.errstate(over="ignore"):
        return np.asarray(1.0 / (1.0 + np.exp(-scores)))


def linear(terms: TermMatrix, features: Floats, weights: Floats) -> Floats:
    """Of each row the weighted sum of its terms and features; `weights` are those of the terms, then the features'."""
    return np.asarray(terms.times(weights[: terms.width]) + features @ weights[terms.width :])


def fit_logistic(
    terms: TermMatrix,
    features: Floats,
    answers: Floats,
    importance: Floats,
    penalty: Floats,
    offset: Floats | None = None,
) -> Floats:
    """Weights w that minimise Σ importance · (ln(1 + e^s) - answer · s) + ½ Σ penalty · w².

    s is the linear score + offset.

    Args:
        terms: a row for each example.
        features: the same rows; one column of ones gives the constant.
        answers: within 0..1.
        importance: how much each example counts.
        penalty: of each weight, > 0: the terms', then the features'.
        offset: what is known of each example before.
    """
    weights = np.zeros(len(penalty))
    before = np.zeros(len(answers)) if offset is None else offset
    loss, scores = _loss(terms, features, answers, importance, penalty, before, weights)
    for _ in range(_NEWTON_STEPS):
        chances = probability(scores)
        residual = importance * (chances - answers)
        slope = np.concatenate([terms.transposed_times(residual), features.T @ residual]) + penalty * weights
        step = _newton_step(terms, features, importance * chances * (1 - chances) + 1e-9, penalty, slope)
        size = 1.0
        for _ in range(10):
            nearer, nearer_scores = _loss(
                terms, features, answers, importance, penalty, before, weights + size * step
            )
            if nearer <= loss:
                break
            size /= 2
        else:
            return weights
        done = loss - nearer <= 1e-4 * abs(loss)
        weights, loss, scores = weights + size * step, nearer, nearer_scores
        if done:
            break
    return weights


def _loss(
    terms: TermMatrix,
    features: Floats,
    answers: Floats,
    importance: Floats,
    penalty: Floats,
    before: Floats,
    weights: Floats,
) -> tuple[float, Floats]:
    scores = linear(terms, features, weights) + before
    fit = importance * (np.logaddexp(0.0, scores) - answers * scores)
    return float(fit.sum() + 0.5 * (penalty * weights * weights).sum()), scores


def _newton_step(
    terms: TermMatrix, features: Floats, curvature: Floats, penalty: Floats, slope: Floats
) -> Floats:
    """-H⁻¹ · slope, to within a hundredth, where H is the curvature of the loss."""
    diagonal = penalty + np.concatenate(
        [terms.transposed_squares_times(curvature), (features * features).T @ curvature]
    )
    step, rest = np.zeros_like(slope), -slope
    eased = rest / diagonal
    way, size = eased.copy(), float(rest @ eased)
    target = 1e-4 * size
    for _ in range(_GRADIENT_STEPS):
        if size <= target or size <= 0:
            break
        along = curvature * linear(terms, features, way)
        bent = np.concatenate([terms.transposed_times(along), features.T @ along]) + penalty * way
        length = size / float(way @ bent)
        step += length * way
        rest = rest - length * bent
        eased = rest / diagonal
        smaller = float(rest @ eased)
        way, size = eased + smaller / size * way, smaller
    return step


@dataclass(frozen=True, slots=True)
class Prior:
    """Weights of the features where nuggets are known and where they are not; mean links of a relevant update."""

    with_nuggets: Floats
    without_nuggets: Floats
    links: float


def shipped_prior() -> Prior:
    """The prior that comes with the package; its card says which topics it has learned from."""
    return prepare(read_model("selection"), _prior)


def learned_from(events: Iterable[Event]) -> list[Event]:
    """Those events that the shipped prior has learned from: the same number and the same title."""
    known = read_model("selection").settings["topics"]
    return [event for event in events if known.get(bare_event_id(event.id)) == event.title]


def _prior(model: Model) -> Prior:
    return Prior(
        model.array("with_nuggets").astype(np.float64),
        model.array("without_nuggets").astype(np.float64),
        float(model.settings["links"]),
    )


Strategy = Literal["time", "random", "likeness", "terms", "uncertainty", "yield"]
STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)
"""Orders of judging.

- `time`: the earliest first, as the track's assessors worked.
- `random`: lots, which depend on the seed and the update's id alone.
- `likeness`: most like query, nuggets and pool, as other topics taught; judgments of the topic teach nothing.
- `terms`: continuous active learning on terms alone; likeness to the query before something relevant is judged.
- `uncertainty`: nearest to a chance of one half first.
- `yield`: the most links to be expected first.
"""

UNLEARNED: tuple[Strategy, ...] = ("time", "random", "likeness")
"""Those that stay the same whatever was judged."""

PROMISING: tuple[Strategy, ...] = ("likeness", "terms", "yield")
"""Those that go by what an update promises, so that topics can be held against each other too."""


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
                texts.rows,
                texts.rows_of([nugget.text for nugget in nuggets]),
                wanted,
                texts.lengths,
                texts.places,
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
        >>> from tidings.core import PooledUpdate
        >>> pool = PoolTexts(PooledUpdate("e", "d", n, text) for n, text in enumerate(texts))
        >>> selection = Selection(pool, query="fire")
        >>> [one.update_id for one in selection.order({"d-1": ["N1"]})]
        ['d-2', 'd-0']
        >>> [one.update_id for one in selection.order({"d-1": ["N1"]}, by="time")]
        ['d-0', 'd-2']
        """
        if by not in STRATEGIES:
            raise UsageError(f"there is no order {by!r}; there are {', '.join(STRATEGIES)}")
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


def _lot(seed: int, update_id: str) -> bytes:
    return sha256(f"{seed} {update_id}".encode()).digest()
