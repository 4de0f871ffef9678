"""Learning the rankers of entities: standardise, weigh by day, choose C on events left out, fit.

RankSVM: a linear order that puts what is worth more above what is worth less, day by day (Joachims 2002).

    min ½|w|² + C Σ_days mean over pairs a > b of the day of max(0, 1 - w·(x_a - x_b))²

The loss is squared (Chapelle and Keerthi 2010), so that it can be minimised by L-BFGS; each day counts the same.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any, Literal, cast

import numpy as np
from msgspec import Struct, structs

from tidings.core import EntityGrade, EntityRanking, Judgments, RankingRun, UsageError
from tidings.evaluation import Measure, average_precision, prepare_rankings, randomization_test
from tidings.following import (
    ENTITY_FEATURES,
    SENTENCE_FEATURES,
    Array,
    EntityRanker,
    EventDay,
    LinearKind,
    LinearRanker,
    LinearWeights,
    SentenceRanker,
    SentenceRows,
    SentenceWeights,
    Side,
    SideWeights,
    Taer,
    columns_of,
    day_description,
    days_between,
    in_order,
    knots_of,
    sentences_of_entities,
)
from tidings.research.training.entities.judged_days import JudgedDay, LabelKind
from tidings.research.training.model_files import need

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
        raise UsageError("no day with entities of different worth: nothing can be learned from these")
    pairs = np.concatenate(kept).astype(np.float32)
    share = np.concatenate([np.full(len(day), 1 / len(day)) for day in kept]).astype(np.float32)

    def loss(w: Array) -> tuple[float, Array]:
        # OpenBLAS may compute with what stands beside a vector and throw it away: its flags say nothing of the result.
        with np.errstate(invalid="ignore"):
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
        """Two-sided p of a paired randomization test over events of the difference of two means over days.

        Days of one event are alike, so it is events whose signs are drawn.
        """
        at = MEASURES.index(measure)
        by_event: dict[str, float] = {}
        for day, values in self.days.items():
            by_event[day[0]] = by_event.get(day[0], 0.0) + values[at] - other.days[day][at]
        return randomization_test(list(by_event.values())).p


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


_SIDES: tuple[Side, Side] = ("salience", "informativeness")
PAPER = frozenset(feature.name for feature in ENTITY_FEATURES if feature.origin != "ours")
"""The features of the paper's table."""
LearnedKind = LinearKind | Literal["ius", "taer"]
Weights = LinearWeights | SentenceWeights | Array


@dataclass(frozen=True)
class Labels:
    """What is learned from.

    Attributes:
        entities: what a day's entities are worth; nan for those that are left out of learning.
        sentences: the same of its sentences.
        quality: how well the ids of a day's entities, best first, fit; None for a day that cannot tell.
    """

    entities: Callable[[JudgedDay], Array]
    sentences: Callable[[JudgedDay], Array]
    quality: Callable[[JudgedDay, Sequence[int]], float | None]


def _average_precision(judged: JudgedDay, ranked: Sequence[int]) -> float | None:
    relevant = {str(number) for number, label in enumerate(judged.labels) if not label.in_query}
    if not relevant:
        return None
    place = {number: row for row, number in enumerate(judged.matrix.ids)}
    rows = [place[number] for number in ranked if not judged.in_query[place[number]]]
    return average_precision(
        [str(judged.label[row]) if judged.label[row] >= 0 else f"e{row}" for row in rows], relevant
    )


NUGGETS = Labels(
    lambda judged: judged.worth("match"), lambda judged: judged.sentence_worth, _average_precision
)
"""An entity is worth the importance of the nuggets that name it, a sentence that of those it matches first."""


def soft_labels(worth: Callable[[JudgedDay], Array]) -> Labels:
    """Labels of entities alone: a sentence is worth the mean of its entities that have one, nan without any."""

    def sentences(judged: JudgedDay) -> Array:
        own: list[list[float]] = [[] for document in judged.day.documents for _ in document.sentences]
        for value, places in zip(
            worth(judged).tolist(), sentences_of_entities(judged.day, judged.matrix), strict=True
        ):
            for place in () if isnan(value) else places:
                own[place].append(value)
        return np.array([sum(values) / len(values) if values else np.nan for values in own])

    def agreement(judged: JudgedDay, ranked: Sequence[int]) -> float | None:
        # The share of pairs that stand in the right order.
        by_id = dict(zip(judged.matrix.ids, worth(judged).tolist(), strict=True))
        values = np.array([by_id[number] for number in ranked if not isnan(by_id[number])])
        above, below = np.triu_indices(len(values), 1)
        different = values[above] != values[below]
        return float((values[above] > values[below])[different].mean()) if different.any() else None

    return Labels(worth, sentences, agreement)


class RankerTraining(Struct, frozen=True, kw_only=True):
    """How a ranker is learned.

    Attributes:
        kind: which one.
        features: those that it may see; by default the paper's, for `tidings` all.
        within_day: features by their places among the day's entities, not among those of all days learned from (as
            `tidings` always has them).
        trade_offs: C, chosen among these by events that are left out of the training in turn.
        parts: groups of events that are left out for that.
        alpha, rate: of the decay, formula (9).
        seed: of the pairs that are drawn.
    """

    kind: LearnedKind
    features: Collection[str] | None = None
    within_day: bool = False
    trade_offs: tuple[float, ...] = (0.0003, 0.001, 0.003, 0.01)
    parts: int = 4
    alpha: float = 0.5
    rate: float = 0.5
    seed: int = 0

    def columns(self) -> dict[Side, tuple[str, ...]]:
        """The features of each side, in the table's order."""
        allowed = self.features
        if allowed is None:
            allowed = {feature.name for feature in ENTITY_FEATURES} if self.kind == "tidings" else PAPER
        wanted = {"sal": _SIDES[:1], "inf": _SIDES[1:]}.get(self.kind, _SIDES)
        columns = {
            side: tuple(
                feature.name
                for feature in ENTITY_FEATURES
                if feature.side == side and feature.name in allowed
            )
            for side in wanted
        }
        return {side: names for side, names in columns.items() if names}


Scaled = tuple[LinearWeights, list[Array]]
"""All that a linear ranker has but its weights, and the rows of the days that it is of."""


def learn(
    days: Sequence[JudgedDay],
    training: RankerTraining,
    labels: Labels = NUGGETS,
    scaled: Scaled | None = None,
) -> Weights:
    """The weights that were learned from these days; their C is chosen on events of theirs alone.

    Entities of the query, and repeats, are not learned from. `scaled` is what does not depend on labels, where it is
    known.
    """
    if training.kind == "ius":
        return _fit_sentences(days, training, labels)
    if training.kind == "taer":
        return _fit_taer(days, training, labels)
    choices = training.trade_offs
    best = 0
    if len(choices) > 1:
        events = sorted({judged.event_id for judged in days})
        means = [0.0] * len(choices)
        for part in range(min(training.parts, len(events))):
            out = set(events[part :: training.parts])
            kept = [judged for judged in days if judged.event_id not in out]
            tested = [judged for judged in days if judged.event_id in out]
            if not kept or not tested:
                continue
            scale, kept_rows = _scale(kept, training)
            pairs = _pairs(kept, kept_rows, training.seed, labels)
            fits = np.array([rank_svm(pairs, trade_off) for trade_off in choices])
            for judged, rows in zip(tested, _joined_rows(tested, scale), strict=True):
                for number, scores in enumerate(fits @ rows.T):
                    ranked = [entity.id for entity in in_order(judged.matrix.ids, scores)]
                    means[number] += labels.quality(judged, ranked) or 0.0
        best = max(range(len(choices)), key=lambda number: (means[number], -number))
    scale, every_row = scaled or _scale(days, training)
    weights = rank_svm(_pairs(days, every_row, training.seed, labels), choices[best])
    sides: dict[Side, SideWeights] = {}
    for side, own in scale.sides.items():
        sides[side] = structs.replace(own, weights=weights[: len(own.mean)])
        weights = weights[len(own.mean) :]
    return structs.replace(scale, sides=sides)


class _KnownRows(SentenceRows):
    """Features of sentences that have been computed."""

    def __init__(self, days: Sequence[JudgedDay]) -> None:
        super().__init__()
        self._known = {id(judged.day): judged.sentences for judged in days}

    def rows(self, day: EventDay) -> Array:
        return self._known[id(day)]


def ranker_of(weights: Weights, days: Sequence[JudgedDay]) -> EntityRanker:
    """A fresh ranker with these weights, for an event whose days are among `days`."""
    if isinstance(weights, LinearWeights):
        return LinearRanker(weights)
    if isinstance(weights, SentenceWeights):
        return SentenceRanker(weights, _KnownRows(days))
    return Taer(weights)


def _usable(judged: JudgedDay, labels: Labels) -> tuple[Array, Array]:
    """Which entities are learned from, and what these are worth."""
    worth = labels.entities(judged)
    usable = ~(judged.in_query | judged.repeats | np.isnan(worth))
    return usable, worth[usable]


def _scale(days: Sequence[JudgedDay], training: RankerTraining) -> Scaled:
    sizes = training.kind == "tidings"
    sides: dict[Side, SideWeights] = {}
    for side, names in training.columns().items():
        knots = None
        if not (sizes or training.within_day):
            raw = [
                judged.matrix.raw[:, [judged.matrix.names.index(name) for name in names]] for judged in days
            ]
            knots = knots_of(np.concatenate(raw))
        columns = [columns_of(judged.matrix, names, sizes=sizes, knots=knots) for judged in days]
        joined = np.concatenate(columns)
        mean, scale = joined.mean(axis=0), joined.std(axis=0)
        scale[scale < 1e-9] = 1.0
        described = np.array([day_description((rows - mean) / scale) for rows in columns if len(rows)])
        centre = described.mean(axis=0)
        farthest = float(((described - centre) ** 2).sum(axis=1).max())
        sides[side] = SideWeights(
            names, mean, scale, np.zeros(len(mean)), centre, farthest, sizes=sizes, knots=knots
        )
    blank = LinearWeights(cast("LinearKind", training.kind), sides, training.alpha, training.rate)
    return blank, list(_joined_rows(days, blank))


def _pairs(days: Sequence[JudgedDay], every: Sequence[Array], seed: int, labels: Labels) -> list[Array]:
    """The pairs of each day from which weights are learned."""
    rng = np.random.default_rng(seed)
    pairs = []
    for judged, rows in zip(days, every, strict=True):
        usable, worth = _usable(judged, labels)
        if worth.any():
            pairs.append(day_pairs(rows[usable], worth, rng))
    return pairs


def _joined_rows(days: Sequence[JudgedDay], weights: LinearWeights) -> Iterator[Array]:
    """z = [S·x_s, gamma·I·x_i] of each day's entities, section 4.4, formula (5): a plain RankSVM learns both sides."""
    before: dict[str, str] = {}
    for judged in days:
        gap = days_between(before.get(judged.event_id, ""), judged.day.date)
        before[judged.event_id] = judged.day.date
        rows = weights.rows(judged.matrix)
        factors = weights.factors(rows, gap)
        yield np.concatenate([factors[side] * own for side, own in rows.items()], axis=1)


_FEW_COLUMNS_C = 0.01
"""C of `ius` and `taer`: with so few columns it decides little, and is not chosen."""


def _fit_sentences(days: Sequence[JudgedDay], training: RankerTraining, labels: Labels) -> SentenceWeights:
    """The order of sentences that `ius` has."""
    joined = np.concatenate([judged.sentences for judged in days])
    mean, scale = joined.mean(axis=0), joined.std(axis=0)
    scale[scale < 1e-9] = 1.0
    rng = np.random.default_rng(training.seed)
    pairs = []
    for judged in days:
        worth = labels.sentences(judged)
        usable = ~np.isnan(worth)
        pairs.append(day_pairs(((judged.sentences - mean) / scale)[usable], worth[usable], rng))
    return SentenceWeights(mean, scale, rank_svm(pairs, _FEW_COLUMNS_C))


def _fit_taer(days: Sequence[JudgedDay], training: RankerTraining, labels: Labels) -> Array:
    """The weights of both frequencies."""
    rng = np.random.default_rng(training.seed)
    rankers: dict[str, Taer] = {}
    pairs = []
    for judged in days:
        rows = rankers.setdefault(judged.event_id, Taer()).rows(judged.day, judged.matrix)
        usable, worth = _usable(judged, labels)
        pairs.append(day_pairs(rows[usable], worth, rng))
    return rank_svm(pairs, _FEW_COLUMNS_C)


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
    labels: Labels = NUGGETS,
    progress: Callable[[int, int, str], None] = lambda done, total, words: None,
) -> list[list[int]]:
    """The ids of each day's entities, ordered by a ranker that learned from all events but the day's."""
    [ranked] = leave_one_out_each(days, training, [labels], progress)
    return ranked


def leave_one_out_each(
    days: Sequence[JudgedDay],
    training: RankerTraining,
    every: Sequence[Labels],
    progress: Callable[[int, int, str], None] = lambda done, total, words: None,
) -> list[list[list[int]]]:
    """The same for each of several labels."""
    events = list(dict.fromkeys(judged.event_id for judged in days))
    ranked: list[dict[int, list[int]]] = [{} for _ in every]
    for done, event in enumerate(events):
        progress(done, len(events), f"{training.kind} without {event}")
        others = [judged for judged in days if judged.event_id != event]
        own = [judged for judged in days if judged.event_id == event]
        scaled = None if training.kind in ("ius", "taer") else _scale(others, training)
        for orders_of, labels in zip(ranked, every, strict=True):
            weights = learn(others, training, labels, scaled)
            orders = rankings(own, lambda _, own=(weights, own): ranker_of(*own))  # type: ignore[misc]
            orders_of.update((id(judged), order) for judged, order in zip(own, orders, strict=True))
    return [[orders_of[id(judged)] for judged in days] for orders_of in ranked]


def model_parts(weights: Weights) -> tuple[dict[str, Any], dict[str, Any]]:
    """(arrays, settings) of a model file from which a ranker reads the weights."""
    if isinstance(weights, SentenceWeights):
        arrays = {name: np.asarray(value, np.float32) for name, value in structs.asdict(weights).items()}
        return arrays, {"sentence_features": list(SENTENCE_FEATURES)}
    if not isinstance(weights, LinearWeights):
        return {"weights": np.asarray(weights, np.float32)}, {}
    arrays = {}
    settings: dict[str, Any] = {"alpha": weights.alpha, "rate": weights.rate}
    for side, own in weights.sides.items():
        for part in ("mean", "scale", "weights", "centre", "knots"):
            if getattr(own, part) is not None:
                arrays[f"{side}_{part}"] = np.asarray(getattr(own, part), np.float32)
        settings[f"{side}_features"] = list(own.features)
        settings[f"{side}_farthest"] = own.farthest
        settings["sizes"] = own.sizes
    return arrays, settings
