"""AdaptER and its parts: linear rankers of salience and informativeness, joined with weights that fit the day.

    f(e) = S(q,t) · w_s·x_s(e) + gamma(t) · I(q,t) · w_i·x_i(e)

`adapter` has all of it, `no-adapt` takes S = I = gamma = 1, `sal` and `inf` have one side each. `tidings` is as
`no-adapt`, but sees more features, and each in two forms: where it stands among the day's entities, and how large it
is. Weights, the scale of features, and the centres of the days learned from come from a model file
(docs/entity-ranking.md).
"""

from __future__ import annotations

from typing import Literal

import msgspec
import numpy as np
from msgspec import Struct

from tidings.core import Model, UsageError, read_model
from tidings.following.entities.event_days import EventDay
from tidings.following.entities.features import ENTITY_FEATURES, FeatureMatrix
from tidings.following.entities.ranking.adaptation import adaptive_score, day_description, days_between, decay
from tidings.following.entities.ranking.base import (
    Array,
    Contribution,
    EntityRanker,
    LastDays,
    RankedEntity,
    in_order,
    row_of,
)

__all__ = [
    "LINEAR_KINDS",
    "LinearKind",
    "LinearRanker",
    "LinearWeights",
    "SideWeights",
    "columns_of",
    "linear_ranker",
    "read_linear",
]

LinearKind = Literal["adapter", "no-adapt", "sal", "inf", "tidings"]
LINEAR_KINDS: tuple[LinearKind, ...] = ("adapter", "no-adapt", "sal", "inf", "tidings")
Side = Literal["salience", "informativeness"]
_SIDES: tuple[Side, Side] = ("salience", "informativeness")
_SIDE_OF = {one.name: one.side for one in ENTITY_FEATURES}


class SideWeights(Struct, frozen=True):
    """What was learned of one side.

    `mean` and `scale` standardise its columns (features by their place, and where `sizes` says so behind them the same
    features by their size), `weights` rank by them; `centre` and `farthest` are of the descriptions of the days learned
    from.
    """

    features: tuple[str, ...]
    mean: Array
    scale: Array
    weights: Array
    centre: Array
    farthest: float
    sizes: bool = False

    def rows(self, matrix: FeatureMatrix) -> Array:
        """A day's columns of this side, standardised."""
        rows: Array = (columns_of(matrix, self.features, self.sizes) - self.mean) / self.scale
        return rows


def columns_of(matrix: FeatureMatrix, features: tuple[str, ...], sizes: bool) -> Array:
    """Features by their place among the day's entities, then with `sizes` by log(1 + |x|) with the sign of x."""
    places = matrix.part(features)
    if not sizes:
        return places
    raw = matrix.raw[:, [matrix.names.index(name) for name in features]]
    both: Array = np.concatenate([places, np.sign(raw) * np.log1p(np.abs(raw))], axis=1)
    return both


class LinearWeights(Struct, frozen=True):
    """Both sides, and how a gap in the news lowers what is new after it."""

    kind: LinearKind
    sides: dict[Side, SideWeights]
    alpha: float = 0.5
    rate: float = 0.5

    def factors(self, matrix: FeatureMatrix, gap: int) -> tuple[float, float]:
        """What salience and informativeness are multiplied by, on a day `gap` days after the last news."""
        if self.kind != "adapter":
            return 1.0, 1.0
        scores = [
            adaptive_score(
                day_description(self.sides[side].rows(matrix)),
                self.sides[side].centre,
                self.sides[side].farthest,
            )
            for side in _SIDES
        ]
        return scores[0], scores[1] * decay(gap, self.alpha, self.rate)


class LinearRanker(EntityRanker):
    """One of `LINEAR_KINDS`, with the weights of a model."""

    def __init__(self, weights: LinearWeights) -> None:
        self.weights = weights
        self._days = LastDays()

    def rank(self, day: EventDay, matrix: FeatureMatrix) -> list[RankedEntity]:
        """The day's entities by f, with the parts that both sides have in it."""
        parts = self._parts(day, matrix)
        return in_order(matrix.ids, parts[0] + parts[1], parts[0], parts[1])

    def _parts(self, day: EventDay, matrix: FeatureMatrix) -> list[Array]:
        self._days.come_to(day.date)
        factors = self.weights.factors(matrix, days_between(self._days.before, day.date))
        parts = []
        for side, factor in zip(_SIDES, factors, strict=True):
            own = self.weights.sides.get(side)
            parts.append(
                np.zeros(len(matrix.ids)) if own is None else factor * (own.rows(matrix) @ own.weights)
            )
        return parts

    def explain(self, day: EventDay, matrix: FeatureMatrix, entity_id: int) -> list[Contribution]:
        """Each feature's factor · weight · (its value less the day's mean)."""
        row = row_of(matrix, entity_id)
        self._days.come_to(day.date)
        factors = self.weights.factors(matrix, days_between(self._days.before, day.date))
        told = []
        for side, factor in zip(_SIDES, factors, strict=True):
            own = self.weights.sides.get(side)
            if own is None:
                continue
            rows = own.rows(matrix)
            amounts = factor * own.weights * (rows[row] - rows.mean(axis=0))
            if own.sizes:
                amounts = amounts.reshape(2, -1).sum(axis=0)
            for feature, amount in zip(own.features, amounts, strict=True):
                column = matrix.names.index(feature)
                told.append(
                    Contribution(
                        feature,
                        side,
                        float(matrix.raw[row, column]),
                        float(matrix.values[row, column]),
                        float(amount),
                    )
                )
        return sorted(told, key=lambda one: (-abs(one.amount), one.feature))

    def state(self) -> bytes:
        """The dates of the last two days."""
        return self._days.export()

    def restore(self, state: bytes) -> None:
        """Go on from where `state` was taken."""
        self._days = msgspec.msgpack.decode(state, type=LastDays)


class Adapter(LinearRanker):
    """`adapter`."""

    name = "adapter"


class NoAdapt(LinearRanker):
    """`no-adapt`."""

    name = "no-adapt"


class Salience(LinearRanker):
    """`sal`."""

    name = "sal"


class Tidings(LinearRanker):
    """`tidings`."""

    name = "tidings"


class Informativeness(LinearRanker):
    """`inf`."""

    name = "inf"


_CLASSES: dict[LinearKind, type[LinearRanker]] = {
    "adapter": Adapter,
    "no-adapt": NoAdapt,
    "sal": Salience,
    "inf": Informativeness,
    "tidings": Tidings,
}


def linear_ranker(kind: LinearKind, model: str = "") -> LinearRanker:
    """A fresh ranker with the weights of a model file, or with those that come with tidings."""
    return _CLASSES[kind](read_linear(read_model(f"entities-{kind}", model), kind))


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
        if any(_SIDE_OF.get(name) != side for name in features):
            raise _other_features(model)
        mean, scale, weights, centre = (
            model.array(f"{side}_{part}").astype(float) for part in ("mean", "scale", "weights", "centre")
        )
        sizes = bool(model.settings.get("sizes", False))
        count = (1 + sizes) * len(features)
        if [len(mean), len(scale), len(weights), len(centre)] != [count, count, count, 2 * count]:
            raise _other_features(model)
        if not scale.all():
            raise _other_features(model)
        farthest = float(model.settings[f"{side}_farthest"])
        sides[side] = SideWeights(features, mean, scale, weights, centre, farthest, sizes)
    missing = [side for side in _SIDES if side not in sides]
    if (kind not in ("sal", "inf") and missing) or len(missing) == 2:
        raise _other_features(model)
    return LinearWeights(
        kind, sides, float(model.settings.get("alpha", 0.5)), float(model.settings.get("rate", 0.5))
    )


def _other_features(model: Model) -> UsageError:
    return UsageError(
        f"{model.file or 'model'} of {model.card.system!r}: found other features than this version computes, "
        "expected the same; train it again with scripts/train_entity_rankers.py"
    )
