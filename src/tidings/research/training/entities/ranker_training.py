"""Learning the linear rankers of entities: standardise, weigh by day, choose C on events left out, fit.

RankSVM: a linear order that puts what is worth more above what is worth less, day by day (Joachims 2002).

    min ½|w|² + C Σ_days mean over pairs a > b of the day of max(0, 1 - w·(x_a - x_b))²

The loss is squared (Chapelle and Keerthi 2010), so that it can be minimised by L-BFGS; each day counts the same.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from msgspec import Struct

from tidings.core import EntityGrade, EntityRanking, Judgments, RankingRun, UsageError
from tidings.evaluation import Measure, average_precision, prepare_rankings, randomisation_test
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
from tidings.research.training.entities.judged_days import JudgedDay, LabelKind
from tidings.research.training.needs import need

MOST_BELOW = 30
"""Entities worth less with which one that is worth more is compared, drawn at random where there are more."""


def day_pairs(rows: Array, worth: Array, rng: np.random.Generator) -> Array:
    """The differences x_a - x_b of a day's pairs with worth_a > worth_b.

    >>> day_pairs(np.array([[1.0], [5.0], [2.0]]), np.array([0, 3, 1]), np.random.default_rng(0)).ravel().tolist()
    [4.0, 3.0, 1.0]
    """
    above: list[int] = []
    below: list[int] = []
    for number in np.flatnonzero(worth > 0).tolist():
        less = np.flatnonzero(worth < worth[number])
        if len(less) > MOST_BELOW:
            less = rng.choice(less, MOST_BELOW, replace=False)
        above += [number] * len(less)
        below += less.tolist()
    differences: Array = rows[above] - rows[below]
    return differences


def rank_svm(days: Sequence[Array], trade_off: float) -> Array:
    """The weights w, from the pairs of each day; `trade_off` is C for each day.

    Raises:
        UsageError: no pair at all, or SciPy is not installed.

    >>> w = rank_svm([np.array([[1.0, 0.0], [0.5, 0.1]])], 1.0)
    >>> bool(w[0] > 0)
    True
    """
    kept = [day for day in days if len(day)]
    if not kept:
        raise UsageError("no day with entities of different worth (expected some to learn from)")
    pairs = np.concatenate(kept).astype(np.float32)
    share = np.concatenate([np.full(len(day), 1 / len(day)) for day in kept]).astype(np.float32)

    def loss(w: Array) -> tuple[float, Array]:
        short = np.maximum(0.0, 1.0 - pairs @ w.astype(np.float32))
        weighted = share * short
        slope = w - 2 * trade_off * (pairs.T @ weighted).astype(float)
        return 0.5 * float(w @ w) + trade_off * float(weighted @ short), slope

    best = need("scipy.optimize").minimize(
        loss, np.zeros(pairs.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 200, "ftol": 1e-7}
    )
    found: Array = best.x
    return found


MEASURES = (
    *(Measure("P", k) for k in (1, 3, 10)),
    Measure("MAP"),
    *(Measure("SRDP", k) for k in (1, 3, 10)),
)
"""The columns of the paper's Table 2."""


@dataclass(frozen=True)
class DayScores:
    """What a ranker scored: for each (event, date) with labels the values of `MEASURES`."""

    days: dict[tuple[str, str], tuple[float, ...]]

    def mean(self, measure: Measure) -> float:
        """The mean over days, as `entities-2015` takes it."""
        at = MEASURES.index(measure)
        return float(np.mean([values[at] for values in self.days.values()])) if self.days else 0.0

    def p_value(self, other: DayScores, measure: Measure) -> float:
        """Two-sided p of a paired randomisation test over events of the difference of two means over days.

        Days of one event are alike, so it is events whose signs are drawn.
        """
        at = MEASURES.index(measure)
        by_event: dict[str, float] = {}
        for day, values in self.days.items():
            by_event[day[0]] = by_event.get(day[0], 0.0) + values[at] - other.days[day][at]
        return randomisation_test(list(by_event.values())).p


def score_rankings(
    days: Sequence[JudgedDay], ranked: Sequence[Sequence[int]], kind: LabelKind, *, with_query: bool = False
) -> DayScores:
    """Score the ids of each day's entities, best first, against the labels of a kind.

    What counts is graded by its worth (1 is relevant); a labelled entity that the day does not name is missed. With
    `with_query` the entities of the query are ranked and labelled too.
    """
    grades: list[EntityGrade] = []
    rows: list[EntityRanking] = []
    for judged, ids in zip(days, ranked, strict=True):
        names = _names(judged)
        for number, label in enumerate(judged.labels):
            if (label.in_query and not with_query) or (kind == "first mention" and not label.is_first):
                continue
            grades.append(
                EntityGrade(judged.event_id, judged.day.date, names[number], label.type, label.worth)
            )
        out = judged.left_out(kind, with_query)
        place = {entity.id: row for row, entity in enumerate(judged.day.entities)}
        listed = []
        for entity_id in ids:
            row = place[entity_id]
            if not out[row]:
                number = int(judged.label[row])
                listed.append(names[number] if number >= 0 else f"entity {entity_id}")
        rows.append(EntityRanking(judged.event_id, judged.day.date, tuple(listed)))
    judgments = Judgments(name="nuggets", entities=tuple(grades))
    scores = prepare_rankings(judgments, relevant_from=1).score(
        RankingRun("tidings", "ranker", tuple(rows)), MEASURES
    )
    found = {}
    for day, values in scores.per_event.items():
        event, _, date = day.rpartition("/")
        found[event, date] = tuple(float(values[measure]) for measure in MEASURES)
    return DayScores(found)


def _names(judged: JudgedDay) -> list[str]:
    """What each label is called: by the entity that has it (the same on other days), else by its own name."""
    names = [f"label {label.name} {number}" for number, label in enumerate(judged.labels)]
    for entity, number, repeats in zip(
        judged.day.entities, judged.label.tolist(), judged.repeats, strict=True
    ):
        if number >= 0 and not repeats:
            names[number] = f"entity {entity.id}"
    return names


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
        events = sorted({judged.event_id for judged in days})
        means = [0.0] * len(choices)
        for part in range(min(training.parts, len(events))):
            out = set(events[part :: training.parts])
            kept = [judged for judged in days if judged.event_id not in out]
            tested = [judged for judged in days if judged.event_id in out]
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
        columns = [columns_of(judged.matrix, names, sizes) for judged in days]
        joined = np.concatenate(columns)
        mean, scale = joined.mean(axis=0), joined.std(axis=0)
        scale[scale < 1e-9] = 1.0
        described = np.array([day_description((rows - mean) / scale) for rows in columns if len(rows)])
        centre = described.mean(axis=0)
        farthest = float(((described - centre) ** 2).sum(axis=1).max())
        sides[side] = SideWeights(names, mean, scale, np.zeros(len(mean)), centre, farthest, sizes)
    blank = LinearWeights(training.kind, sides, training.alpha, training.rate)
    rng = np.random.default_rng(training.seed)
    pairs = []
    before: dict[str, str] = {}
    for judged in days:
        gap = days_between(before.get(judged.event_id, ""), judged.day.date)
        before[judged.event_id] = judged.day.date
        usable = ~(judged.in_query | judged.repeats)
        worths = np.where(usable, worth(judged), 0.0)
        if worths.any():
            rows = _join(judged.matrix, blank, gap)
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


def _join(matrix: FeatureMatrix, weights: LinearWeights, gap: int) -> Array:
    """z = [S·x_s, gamma·I·x_i], on which a plain RankSVM learns both sides at once."""
    factors = dict(zip(_SIDES, weights.factors(matrix, gap), strict=True))
    joined: Array = np.concatenate(
        [factors[side] * own.rows(matrix) for side, own in weights.sides.items()], axis=1
    )
    return joined


def _precisions(days: Sequence[JudgedDay], weights: LinearWeights) -> list[float]:
    found = []
    for judged, ranked in zip(days, rankings(days, lambda event: LinearRanker(weights)), strict=True):
        place = {number: row for row, number in enumerate(judged.matrix.ids)}
        relevant = {str(number) for number, label in enumerate(judged.labels) if not label.in_query}
        if relevant:
            rows = [place[number] for number in ranked if not judged.in_query[place[number]]]
            listed = [str(judged.label[row]) if judged.label[row] >= 0 else f"e{row}" for row in rows]
            found.append(average_precision(listed, relevant))
    return found


def rankings(days: Sequence[JudgedDay], ranker: Callable[[str], EntityRanker]) -> list[list[int]]:
    """The ids of each day's entities as a ranker orders them; `ranker` makes a fresh one for an event."""
    fresh: dict[str, EntityRanker] = {}
    ranked = []
    for judged in days:
        if judged.event_id not in fresh:
            fresh[judged.event_id] = ranker(judged.event_id)
        ranked.append([entity.id for entity in fresh[judged.event_id].rank(judged.day, judged.matrix)])
    return ranked


def leave_one_out(
    days: Sequence[JudgedDay],
    training: RankerTraining,
    worth: Worth = _match,
    progress: Callable[[int, int, str], None] = lambda done, total, words: None,
) -> list[list[int]]:
    """The ids of each day's entities, ordered by a ranker that learned from all events but the day's."""
    events = list(dict.fromkeys(judged.event_id for judged in days))
    ranked: dict[int, list[int]] = {}
    for done, event in enumerate(events):
        progress(done, len(events), f"{training.kind} without {event}")
        weights = learn_linear([judged for judged in days if judged.event_id != event], training, worth)
        own = [judged for judged in days if judged.event_id == event]
        orders = rankings(own, lambda _, weights=weights: LinearRanker(weights))  # type: ignore[misc]
        ranked.update((id(judged), order) for judged, order in zip(own, orders, strict=True))
    return [ranked[id(judged)] for judged in days]


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
