"""Learning the linear rankers of entities: standardise, weigh by day, choose C on events left out, fit."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, Literal

import numpy as np
from msgspec import Struct

from tidings.evaluation import average_precision
from tidings.following import (
    ENTITY_FEATURES,
    Array,
    EntityRanker,
    FeatureMatrix,
    LinearKind,
    LinearRanker,
    LinearWeights,
    SideWeights,
    columns_of,
    day_description,
    days_between,
)
from tidings.research.training.entities.judged_days import JudgedDay
from tidings.research.training.entities.rank_svm import day_pairs, rank_svm

__all__ = ["PAPER", "RankerTraining", "Worth", "learn_linear", "leave_one_out", "model_parts", "rankings"]

Side = Literal["salience", "informativeness"]
_SIDES: tuple[Side, Side] = ("salience", "informativeness")
PAPER = frozenset(one.name for one in ENTITY_FEATURES if one.origin != "ours")
"""The features of the paper's table."""
Worth = Callable[[JudgedDay], Array]


class RankerTraining(Struct, frozen=True, kw_only=True):
    """How a linear ranker is learned.

    Attributes:
        kind: which one.
        features: those that it may see; by default the paper's, for `tidings` all.
        trade_offs: C, chosen among these by average precision on events left out of the training in turn.
        parts: groups of events that are left out for that.
        alpha, rate: of the decay.
        seed: of the pairs that are drawn.
    """

    kind: LinearKind
    features: Collection[str] | None = None
    trade_offs: tuple[float, ...] = (0.0003, 0.001, 0.003, 0.01)
    parts: int = 4
    alpha: float = 0.5
    rate: float = 0.5
    seed: int = 0

    def columns(self) -> dict[Side, tuple[str, ...]]:
        """The features of each side, in the table's order."""
        allowed = self.features
        if allowed is None:
            allowed = {one.name for one in ENTITY_FEATURES} if self.kind == "tidings" else PAPER
        wanted = {"sal": _SIDES[:1], "inf": _SIDES[1:]}.get(self.kind, _SIDES)
        columns = {
            side: tuple(one.name for one in ENTITY_FEATURES if one.side == side and one.name in allowed)
            for side in wanted
        }
        return {side: names for side, names in columns.items() if names}


def _match(day: JudgedDay) -> Array:
    return day.worth("match")


def learn_linear(days: Sequence[JudgedDay], training: RankerTraining, worth: Worth = _match) -> LinearWeights:
    """The weights that were learned from these days; their C is chosen on events of theirs alone.

    `worth` says what entities are worth on a day; those of the query, and repeats, are not learned from.
    """
    choices = training.trade_offs
    if len(choices) > 1:
        events = sorted({one.event_id for one in days})
        means = [0.0] * len(choices)
        for part in range(min(training.parts, len(events))):
            out = set(events[part :: training.parts])
            kept = [one for one in days if one.event_id not in out]
            tested = [one for one in days if one.event_id in out]
            if kept and tested:
                for number, weights in enumerate(_fits(kept, training, worth)):
                    means[number] += sum(_precisions(tested, weights))
        best = max(range(len(choices)), key=lambda number: (means[number], -number))
        return _fits(days, training, worth)[best]
    return _fits(days, training, worth)[0]


def _fits(days: Sequence[JudgedDay], training: RankerTraining, worth: Worth) -> list[LinearWeights]:
    """The weights for each C."""
    sizes = training.kind == "tidings"
    sides: dict[Side, SideWeights] = {}
    for side, names in training.columns().items():
        columns = [columns_of(one.matrix, names, sizes) for one in days]
        joined = np.concatenate(columns)
        mean, scale = joined.mean(axis=0), joined.std(axis=0)
        scale[scale < 1e-9] = 1.0
        described = np.array([day_description((one - mean) / scale) for one in columns if len(one)])
        centre = described.mean(axis=0)
        farthest = float(((described - centre) ** 2).sum(axis=1).max())
        sides[side] = SideWeights(names, mean, scale, np.zeros(len(mean)), centre, farthest, sizes)
    blank = LinearWeights(training.kind, sides, training.alpha, training.rate)
    rng = np.random.default_rng(training.seed)
    pairs = []
    before: dict[str, str] = {}
    for one in days:
        gap = days_between(before.get(one.event_id, ""), one.day.date)
        before[one.event_id] = one.day.date
        usable = ~(one.in_query | one.repeats)
        worths = np.where(usable, worth(one), 0.0)
        if worths.any():
            rows = _joined(one.matrix, blank, gap)
            pairs.append(day_pairs(rows[usable], worths[usable], rng))
    fitted = []
    for trade_off in training.trade_offs:
        weights = rank_svm(pairs, trade_off)
        own: dict[Side, SideWeights] = {}
        at = 0
        for side, one_side in sides.items():
            count = len(one_side.mean)
            part = weights[at : at + count]
            own[side] = SideWeights(
                one_side.features,
                one_side.mean,
                one_side.scale,
                part,
                one_side.centre,
                one_side.farthest,
                sizes,
            )
            at += count
        fitted.append(LinearWeights(training.kind, own, training.alpha, training.rate))
    return fitted


def _joined(matrix: FeatureMatrix, weights: LinearWeights, gap: int) -> Array:
    """z = [S·x_s, gamma·I·x_i], on which a plain RankSVM learns both sides at once."""
    factors = dict(zip(_SIDES, weights.factors(matrix, gap), strict=True))
    joined: Array = np.concatenate(
        [factors[side] * own.rows(matrix) for side, own in weights.sides.items()], axis=1
    )
    return joined


def _precisions(days: Sequence[JudgedDay], weights: LinearWeights) -> list[float]:
    found = []
    for one, ranked in zip(days, rankings(days, lambda event: LinearRanker(weights)), strict=True):
        place = {number: row for row, number in enumerate(one.matrix.ids)}
        relevant = {str(number) for number, label in enumerate(one.labels) if not label.in_query}
        if relevant:
            rows = [place[number] for number in ranked if not one.in_query[place[number]]]
            listed = [str(one.label[row]) if one.label[row] >= 0 else f"e{row}" for row in rows]
            found.append(average_precision(listed, relevant))
    return found


def rankings(days: Sequence[JudgedDay], ranker: Callable[[str], EntityRanker]) -> list[list[int]]:
    """The ids of each day's entities as a ranker orders them; `ranker` makes a fresh one for an event."""
    fresh: dict[str, EntityRanker] = {}
    ranked = []
    for one in days:
        if one.event_id not in fresh:
            fresh[one.event_id] = ranker(one.event_id)
        ranked.append([entity.id for entity in fresh[one.event_id].rank(one.day, one.matrix)])
    return ranked


def leave_one_out(
    days: Sequence[JudgedDay],
    training: RankerTraining,
    worth: Worth = _match,
    progress: Callable[[int, int, str], None] = lambda done, total, words: None,
) -> list[list[int]]:
    """The ids of each day's entities, ordered by a ranker that learned from all events but the day's."""
    events = list(dict.fromkeys(one.event_id for one in days))
    ranked: dict[int, list[int]] = {}
    for done, event in enumerate(events):
        progress(done, len(events), f"{training.kind} without {event}")
        weights = learn_linear([one for one in days if one.event_id != event], training, worth)
        own = [one for one in days if one.event_id == event]
        orders = rankings(own, lambda _, weights=weights: LinearRanker(weights))  # type: ignore[misc]
        ranked.update((id(one), order) for one, order in zip(own, orders, strict=True))
    return [ranked[id(one)] for one in days]


def model_parts(weights: LinearWeights) -> tuple[dict[str, Any], dict[str, Any]]:
    """(arrays, settings) of a model file from which `read_linear` reads the weights."""
    arrays: dict[str, Any] = {}
    settings: dict[str, Any] = {"alpha": weights.alpha, "rate": weights.rate}
    for side, own in weights.sides.items():
        for part in ("mean", "scale", "weights", "centre"):
            arrays[f"{side}_{part}"] = np.asarray(getattr(own, part), np.float32)
        settings[f"{side}_features"] = list(own.features)
        settings[f"{side}_farthest"] = own.farthest
        settings["sizes"] = own.sizes
    return arrays, settings
