"""Ordering a day's entities: AdaptER and its parts, what it is measured against, and tidings' own ranker.

"Balancing Novelty and Salience" (Tran and others, CIKM 2015), section 4.3, formula (4):

f(e) = S(q,t) · w_s·x_s(e) + gamma(t) · I(q,t) · w_i·x_i(e)

`adapter` has all of it, `no-adapt` takes S = I = gamma = 1, `sal` and `inf` have one side each (section 6.2). Section
4.5, formula (8): a day is described by the means and variances of its entities' features, apart for each side; S and I
fall with the distance of that description from the centre of the days learned from. With one component, as here, the
centroid of a Gaussian mixture is the mean; the paper has one for each category of events. Formula (9): gamma = alpha^
(rate · days) since the day before.

Features are scaled to 0..1 by quantiles (section 5), over all days that were learned from, so that a day can differ
from others in its means; then standardised (section 6.1). The paper takes quantiles of single values and then
aggregates them; here the aggregated ones are scaled.

`tidings` is as `no-adapt`, but sees more features, and each in two forms: where it stands among the day's entities,
and how large it is. Weights, the scale of features, and the centres of the days learned from come from a model file
(docs/following/entities.md), whose card says from which labels they were learned.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Literal

import msgspec
import numpy as np
from msgspec import Struct

from tidings.core import Event, Evidence, Model, UsageError, read_model
from tidings.following.entities.event_days import EventDay
from tidings.following.entities.features.matrix import FeatureMatrix
from tidings.following.entities.ranker import (
    SIDE_OF,
    Array,
    Contribution,
    EntityRanker,
    RankedEntity,
    Side,
    by_amount,
    in_order,
    other_features,
    row_of,
)
from tidings.following.entities.rivals import CountRanker, SentenceRanker, Taer


class LastDays(Struct):
    """The date of the day that was ranked last and of the one before, to know the gap between them."""

    before: str = ""
    last: str = ""

    def come_to(self, date: str) -> None:
        """Take in that a day is ranked; the same day again changes nothing."""
        if date != self.last:
            self.before, self.last = self.last, date

    def export(self) -> bytes:
        """As bytes that `read` makes the same of."""
        return msgspec.msgpack.encode(self)


def day_description(rows: Array) -> Array:
    """A day's (entities, features) as one vector: the features' means, then their variances; zeros without entities.

    >>> day_description(np.array([[0.0, 1.0], [1.0, 1.0]])).tolist()
    [0.5, 1.0, 0.25, 0.0]
    """
    if not len(rows):
        return np.zeros(2 * rows.shape[1])
    described: Array = np.concatenate([rows.mean(axis=0), rows.var(axis=0)])
    return described


def adaptive_score(description: Array, centre: Array, farthest: float) -> float:
    """S = 1 - |x - centre|² / farthest, from 0 to 1; `farthest` is the greatest |x - centre|² of the days learned from.

    >>> adaptive_score(np.array([1.0, 0.0]), np.array([0.0, 0.0]), 4.0)
    0.75
    >>> adaptive_score(np.array([9.0, 0.0]), np.array([0.0, 0.0]), 4.0)
    0.0
    """
    distance = float(((description - centre) ** 2).sum())
    return max(0.0, 1.0 - distance / farthest) if farthest > 0 else float(distance == 0)


def decay(days: int, alpha: float = 0.5, rate: float = 0.5) -> float:
    """gamma = alpha^(rate · days), 1 on an event's first day (`days` is 0 there).

    >>> decay(0), decay(2, 0.5, 0.5), round(decay(1), 3)
    (1.0, 0.5, 0.707)
    """
    return float(alpha ** (rate * max(days, 0)))


def days_between(one: str, other: str) -> int:
    """Days from one date (YYYY-MM-DD) to another, never below 0; 0 where one of them is no date.

    >>> days_between("2013-04-30", "2013-05-02"), days_between("", "2013-05-02")
    (2, 0)
    """
    try:
        return max(0, (date.fromisoformat(other) - date.fromisoformat(one)).days)
    except ValueError:
        return 0


LinearKind = Literal["adapter", "no-adapt", "sal", "inf", "tidings"]
_SIDES: tuple[Side, Side] = ("salience", "informativeness")


class SideWeights(Struct, frozen=True):
    """What was learned of one side.

    `mean` and `scale` standardise its columns (features by their place, and where `sizes` says so behind them the same
    features by their size), `weights` rank by them; `centre` and `farthest` are of the descriptions of the days learned
    from. `knots` (2, features, quantiles) are values of the features over those days with their places: a feature's
    place is among them, or without any among the entities of the day.
    """

    features: tuple[str, ...]
    mean: Array
    scale: Array
    weights: Array
    centre: Array
    farthest: float
    sizes: bool = False
    knots: Array | None = None

    def rows(self, matrix: FeatureMatrix) -> Array:
        """A day's columns of this side, standardised."""
        columns = columns_of(matrix, self.features, sizes=self.sizes, knots=self.knots)
        rows: Array = (columns - self.mean) / self.scale
        return rows


def columns_of(
    matrix: FeatureMatrix, features: tuple[str, ...], *, sizes: bool = False, knots: Array | None = None
) -> Array:
    """Features by their place, then with `sizes` by log(1 + |x|) with the sign of x.

    Places are among the day's entities; with `knots` among these, so that days can be compared.
    """
    raw = matrix.raw[:, [matrix.names.index(name) for name in features]]
    places = matrix.part(features) if knots is None else places_among(raw, knots)
    if not sizes:
        return places
    both: Array = np.concatenate([places, np.sign(raw) * np.log1p(np.abs(raw))], axis=1)
    return both


_KNOTS = 101
"""Quantiles by which a feature is placed among days: every hundredth."""


def knots_of(values: Array) -> Array:
    """(2, columns, knots): quantiles of each column, and where they stand, 0 to 1, equals in the middle of theirs.

    >>> knots_of(np.array([[0.0], [0.0], [0.0], [10.0]]))[1, 0, [0, -1]].tolist()
    [0.33, 1.0]
    """
    knots = np.quantile(values, np.linspace(0, 1, _KNOTS), axis=0).T
    places = [
        (np.searchsorted(own, own) + np.searchsorted(own, own, side="right") - 1) / (2 * (_KNOTS - 1))
        for own in knots
    ]
    return np.array([knots, places])


def places_among(values: Array, knots: Array) -> Array:
    """Where the values of each column stand among its knots, 0 to 1, what lies between two in proportion.

    >>> places_among(np.array([[0.0], [5.0], [99.0]]), knots_of(np.arange(11.0)[:, None]))[:, 0].tolist()
    [0.0, 0.5, 1.0]
    """
    places = np.empty(values.shape)
    for column, (own, middle) in enumerate(zip(*knots, strict=True)):
        places[:, column] = np.interp(values[:, column], own, middle)
    return places


class LinearWeights(Struct, frozen=True):
    """Both sides, and how a gap in the news lowers what is new after it."""

    kind: LinearKind
    sides: dict[Side, SideWeights]
    alpha: float = 0.5
    rate: float = 0.5

    def rows(self, matrix: FeatureMatrix) -> dict[Side, Array]:
        """A day's columns of each side, standardised."""
        return {side: own.rows(matrix) for side, own in self.sides.items()}

    def factors(self, rows: Mapping[Side, Array], gap: int) -> dict[Side, float]:
        """S, and I times gamma, of a day `gap` days after the last news; 1 for all rankers but AdaptER."""
        if self.kind != "adapter":
            return dict.fromkeys(_SIDES, 1.0)
        s, i = (
            adaptive_score(day_description(rows[side]), self.sides[side].centre, self.sides[side].farthest)
            for side in _SIDES
        )
        return {"salience": s, "informativeness": i * decay(gap, self.alpha, self.rate)}


class LinearRanker(EntityRanker):
    """`adapter`, `no-adapt`, `sal`, `inf` or `tidings`, with the weights of a model."""

    def __init__(self, weights: LinearWeights) -> None:
        self.name, self.weights = weights.kind, weights
        self._days = LastDays()

    def rank(self, day: EventDay, matrix: FeatureMatrix) -> list[RankedEntity]:
        """The day's entities by f, with the parts that both sides have in it."""
        rows, factors = self._sides(day, matrix)
        parts = [
            factors[side] * (rows[side] @ self.weights.sides[side].weights)
            if side in rows
            else np.zeros(len(matrix.ids))
            for side in _SIDES
        ]
        return in_order(matrix.ids, parts[0] + parts[1], parts[0], parts[1])

    def _sides(self, day: EventDay, matrix: FeatureMatrix) -> tuple[dict[Side, Array], dict[Side, float]]:
        self._days.come_to(day.date)
        rows = self.weights.rows(matrix)
        return rows, self.weights.factors(rows, days_between(self._days.before, day.date))

    def explain(self, day: EventDay, matrix: FeatureMatrix, entity_id: int) -> list[Contribution]:
        """Each feature's factor · weight · (its value less the day's mean)."""
        row = row_of(matrix, entity_id)
        sides, factors = self._sides(day, matrix)
        contributions = []
        for side, rows in sides.items():
            own = self.weights.sides[side]
            amounts = factors[side] * own.weights * (rows[row] - rows.mean(axis=0))
            if own.sizes:
                amounts = amounts.reshape(2, -1).sum(axis=0)
            for feature, amount in zip(own.features, amounts, strict=True):
                column = matrix.names.index(feature)
                contributions.append(
                    Contribution(
                        feature,
                        side,
                        float(matrix.raw[row, column]),
                        float(matrix.values[row, column]),
                        float(amount),
                    )
                )
        return by_amount(contributions)

    def state(self) -> bytes:
        """The dates of the last two days."""
        return self._days.export()

    def restore(self, state: bytes) -> None:
        """Go on from where `state` was taken."""
        self._days = msgspec.msgpack.decode(state, type=LastDays)


def linear_ranker(kind: LinearKind, model: str = "") -> LinearRanker:
    """A fresh ranker with the weights of a model file, or with those that come with tidings."""
    return LinearRanker(read_linear(read_model(f"entities-{kind}", model), kind))


def read_linear(model: Model, kind: LinearKind) -> LinearWeights:
    """The weights in a model.

    Raises:
        UsageError: it was made for other features than this version computes.
    """
    sides: dict[Side, SideWeights] = {}
    for side in _SIDES:
        features = tuple(model.settings.get(f"{side}_features", ()))
        if not features:
            continue
        if any(SIDE_OF.get(name) != side for name in features):
            raise other_features(model)
        mean, scale, weights, centre = (
            model.array(f"{side}_{part}").astype(float) for part in ("mean", "scale", "weights", "centre")
        )
        sizes = bool(model.settings.get("sizes", False))
        count = (1 + sizes) * len(features)
        if [len(mean), len(scale), len(weights), len(centre)] != [count, count, count, 2 * count]:
            raise other_features(model)
        knots = model.arrays.get(f"{side}_knots")
        if not scale.all() or (knots is not None and knots.shape[:-1] != (2, len(features))):
            raise other_features(model)
        farthest = float(model.settings[f"{side}_farthest"])
        sides[side] = SideWeights(
            features,
            mean,
            scale,
            weights,
            centre,
            farthest,
            sizes,
            None if knots is None else np.asarray(knots, float),
        )
    missing = [side for side in _SIDES if side not in sides]
    if (kind not in ("sal", "inf") and missing) or len(missing) == 2:
        raise other_features(model)
    return LinearWeights(
        kind, sides, float(model.settings.get("alpha", 0.5)), float(model.settings.get("rate", 0.5))
    )


class ExplainedEntity(Struct, frozen=True):
    """An entity on a day: its place (from 1) of how many, its score, what each feature adds, and what is said of it.

    `is_asked_for` says that the event's query names it, so that it is left out unless query names are asked for.
    `is_given` says that readers see it: its place is the one among those they see, else among all.
    """

    event: Event
    date: str
    name: str
    type: str
    labels: tuple[str, ...]
    place: int
    entities: int
    documents: int
    score: float
    is_asked_for: bool
    is_given: bool
    contributions: tuple[Contribution, ...]
    sentences: tuple[Evidence, ...]


class RankerInfo(Struct, frozen=True):
    """A ranker's name and what it goes by; `make` takes a model file ("" for the one that comes with tidings)."""

    name: str
    meaning: str
    make: Callable[[str], EntityRanker]
    learns: bool = True


def _linear(kind: LinearKind, meaning: str) -> RankerInfo:
    return RankerInfo(kind, meaning, lambda model: linear_ranker(kind, model))


def _count(name: str, feature: str, meaning: str) -> RankerInfo:
    return RankerInfo(name, meaning, lambda model: CountRanker(name, feature), learns=False)


RANKERS: dict[str, RankerInfo] = {
    info.name: info
    for info in (
        _linear("tidings", "more features of both sides, each by its place and by its size (ours)"),
        _linear("adapter", "salience and informativeness, weighed by how the day looks (AdaptER 2015)"),
        _linear("no-adapt", "the same without weighing"),
        _linear("sal", "salience alone"),
        _linear("inf", "informativeness alone"),
        RankerInfo("ius", "the mean score of the sentences that mention it (IUS 2014)", SentenceRanker.of),
        RankerInfo("taer", "mentions today and on earlier days (TAER 2010)", Taer.of),
        _count("frequency", "mentions", "mentions today, pronouns too"),
        _count("contexts", "distinct_contexts", "different sentences that mention it"),
    )
}
"""All rankers that `ranker_named` makes."""


def ranker_named(name: str, model: str = "") -> EntityRanker:
    """A fresh ranker for one event.

    Args:
        name: one of `RANKERS`.
        model: a model file, for rankers that learn; by default the one that comes with tidings.

    Raises:
        UsageError: no such ranker, a model for one that learns nothing, or a model that does not fit.

    >>> ranker_named("frequency").name
    'frequency'
    >>> ranker_named("oracle")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tidings.core.errors.UsageError: There is no ranker 'oracle'. There are tidings, ...
    """
    info = RANKERS.get(name)
    if info is None:
        raise UsageError(f"There is no ranker {name!r}. There are {', '.join(RANKERS)}")
    if model and not info.learns:
        raise UsageError(f"The ranker {name!r} learns nothing and takes no model: leave {model} out")
    return info.make(model)
