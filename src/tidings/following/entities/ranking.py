"""Ordering a day's entities: AdaptER and its parts, what it is measured against, and tidings' own ranker.

A day is described by the means and variances of its entities' features, apart for each side (Bian et al. 2010 as the
paper adapts it). The centre of such descriptions over the days learned from stands for them; with one component that is
what a Gaussian mixture's centroid is. A day's adaptive score falls with its distance from it.

f(e) = S(q,t) · w_s·x_s(e) + gamma(t) · I(q,t) · w_i·x_i(e)

`adapter` has all of it, `no-adapt` takes S = I = gamma = 1, `sal` and `inf` have one side each. `tidings` is as
`no-adapt`, but sees more features, and each in two forms: where it stands among the day's entities, and how large it
is. Weights, the scale of features, and the centres of the days learned from come from a model file
(docs/following/entities.md).

`taer`: Demartini, Missen, Blanco and Zaragoza (CIKM 2010) rank the entities of a document by features of the document
and of the relevant ones before it; the frequency in the history, F(e,H), was the best single one, and joined with the
frequency in the document, F(e,d), among the best pairs. Reconstructed: with the documents of a day for d, both joined
as log(1 + F(e,d)) + log(1 + F(e,H)), without learned weights.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any, ClassVar, Literal

import msgspec
import numpy as np
from msgspec import Struct, field

from tidings.core import Event, Evidence, Model, UsageError, read_model
from tidings.following.entities.event_days import EventDay
from tidings.following.entities.features.matrix import ENTITY_FEATURES, FeatureMatrix

Array = np.ndarray[Any, Any]


class RankedEntity(Struct, frozen=True, gc=False):
    """An entity's id, its score (greater is better, comparable within a day), and the parts that both sides have in it.

    `salience` says how central the entity is to the day, `informativeness` how much of it is new. A ranker that knows
    no sides gives its score as salience.
    """

    id: int
    score: float
    salience: float
    informativeness: float


class Contribution(Struct, frozen=True, gc=False):
    """What a feature adds to an entity's score on a day, beside an average entity of that day.

    `value` is the feature as it was computed, `place` where that stands among the day's entities (0 least, 1 most).
    """

    feature: str
    side: Literal["salience", "informativeness"]
    value: float
    place: float
    amount: float


class EntityRanker(ABC):
    """Orders the entities of an event's days. One serves one event, and is given its days in order.

    To rank a day a second time, before the next one, gives the same and changes nothing.
    """

    name: ClassVar[str] = ""

    @abstractmethod
    def rank(self, day: EventDay, matrix: FeatureMatrix) -> list[RankedEntity]:
        """The day's entities, best first; equals stand in the order of their ids."""

    @abstractmethod
    def explain(self, day: EventDay, matrix: FeatureMatrix, entity_id: int) -> list[Contribution]:
        """What each feature adds to the entity's score, the greatest amounts (of either sign) first.

        Raises:
            UsageError: the day does not name this entity.
        """

    def state(self) -> bytes:
        """What is remembered of earlier days, for `restore`; empty where nothing is."""
        return b""

    def restore(self, state: bytes) -> None:
        """Go on from where `state` was taken."""
        if state:
            raise UsageError(f"ranker {self.name!r}: a state (expected none); it was of another ranker")


def in_order(
    ids: Sequence[int], scores: Array, salience: Array | None = None, informativeness: Array | None = None
) -> list[RankedEntity]:
    """Entities by falling score, equals by id.

    >>> [one.id for one in in_order([7, 8, 9], np.array([0.5, 2.0, 0.5]))]
    [8, 7, 9]
    """
    first = scores if salience is None else salience
    second = np.zeros(len(scores)) if informativeness is None else informativeness
    ranked = [
        RankedEntity(number, float(score), float(a), float(b))
        for number, score, a, b in zip(ids, scores, first, second, strict=True)
    ]
    return sorted(ranked, key=lambda one: (-one.score, one.id))


def row_of(matrix: FeatureMatrix, entity_id: int) -> int:
    """The row of an entity in a day's matrix.

    Raises:
        UsageError: it has none.
    """
    if entity_id not in matrix.ids:
        raise UsageError(f"entity {entity_id}: none of this id on the day (expected one that it names)")
    return matrix.ids.index(entity_id)


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


_SIDE_OF_COUNT: dict[str, Literal["salience", "informativeness"]] = {
    feature.name: feature.side for feature in ENTITY_FEATURES
}


class CountRanker(EntityRanker):
    """By one feature as it was computed."""

    feature: ClassVar[str] = ""

    def rank(self, day: EventDay, matrix: FeatureMatrix) -> list[RankedEntity]:
        """The day's entities by the feature, greatest first."""
        return in_order(matrix.ids, matrix.raw[:, matrix.names.index(self.feature)])

    def explain(self, day: EventDay, matrix: FeatureMatrix, entity_id: int) -> list[Contribution]:
        """The feature itself."""
        row, column = row_of(matrix, entity_id), matrix.names.index(self.feature)
        value = float(matrix.raw[row, column])
        amount = value - float(matrix.raw[:, column].mean())
        place = float(matrix.values[row, column])
        return [Contribution(self.feature, _SIDE_OF_COUNT[self.feature], value, place, amount)]


class Frequency(CountRanker):
    """By the day's mentions of the entity, pronouns too."""

    name = "frequency"
    feature = "mentions"


class DistinctContexts(CountRanker):
    """By the sentences that mention the entity, those that say nearly the same counted once."""

    name = "contexts"
    feature = "distinct_contexts"


LinearKind = Literal["adapter", "no-adapt", "sal", "inf", "tidings"]
LINEAR_KINDS: tuple[LinearKind, ...] = ("adapter", "no-adapt", "sal", "inf", "tidings")
Side = Literal["salience", "informativeness"]
_SIDES: tuple[Side, Side] = ("salience", "informativeness")
_SIDE_OF = {feature.name: feature.side for feature in ENTITY_FEATURES}


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
        f"{model.file or 'model'} of {model.card.system!r}: other features than this version computes "
        f"(expected the same); train it again with scripts/train_entity_rankers.py"
    )


MOST_ENTITIES = 50_000
"""Entities whose history is kept; those not named for longest go first."""


class _History(Struct):
    """Mentions of each entity before the day that was ranked last, and on that day."""

    date: str = ""
    before: dict[int, int] = field(default_factory=dict)
    today: dict[int, int] = field(default_factory=dict)

    def come_to(self, day: EventDay) -> None:
        if day.date == self.date:
            return
        for number, count in self.today.items():
            self.before[number] = self.before.pop(number, 0) + count
        while len(self.before) > MOST_ENTITIES:
            del self.before[next(iter(self.before))]
        self.date = day.date
        self.today = {entity.id: len(entity.mentions) for entity in day.entities}


class Taer(EntityRanker):
    """By log(1 + mentions today) + log(1 + mentions on earlier days)."""

    name = "taer"

    def __init__(self) -> None:
        self._history = _History()

    def rank(self, day: EventDay, matrix: FeatureMatrix) -> list[RankedEntity]:
        """The day's entities by both frequencies."""
        self._history.come_to(day)
        today, before = self._counts(matrix)
        return in_order(matrix.ids, today + before)

    def _counts(self, matrix: FeatureMatrix) -> tuple[np.ndarray, np.ndarray]:
        history = self._history
        today = np.log1p([history.today.get(number, 0) for number in matrix.ids])
        before = np.log1p([history.before.get(number, 0) for number in matrix.ids])
        return today, before

    def explain(self, day: EventDay, matrix: FeatureMatrix, entity_id: int) -> list[Contribution]:
        """What both frequencies add."""
        row = row_of(matrix, entity_id)
        self._history.come_to(day)
        told = []
        for name, values in zip(("mentions", "mentions before"), self._counts(matrix), strict=True):
            amount = float(values[row] - values.mean())
            place = float((values < values[row]).mean())
            told.append(Contribution(name, "salience", float(np.expm1(values[row])), place, amount))
        return sorted(told, key=lambda one: (-abs(one.amount), one.feature))

    def state(self) -> bytes:
        """The frequencies so far."""
        return msgspec.msgpack.encode(self._history)

    def restore(self, state: bytes) -> None:
        """Go on from where `state` was taken."""
        self._history = msgspec.msgpack.decode(state, type=_History)


class ExplainedEntity(Struct, frozen=True):
    """An entity on a day: its place (from 1) of how many, its score, what each feature adds, and what is said of it.

    `is_asked_for` says that the event's query names it, so that it is left out unless query names are asked for.
    `is_given` says that readers are told of it: its place is the one among those they are told of, else among all.
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


RANKERS: dict[str, RankerInfo] = {
    sentence.name: sentence
    for sentence in (
        RankerInfo(
            "tidings",
            "more features of both sides, each by its place and by its size (ours)",
            lambda model: linear_ranker("tidings", model),
        ),
        RankerInfo(
            "adapter",
            "salience and informativeness, weighed by how the day looks (AdaptER 2015)",
            lambda model: linear_ranker("adapter", model),
        ),
        RankerInfo("no-adapt", "the same without weighing", lambda model: linear_ranker("no-adapt", model)),
        RankerInfo("sal", "salience alone", lambda model: linear_ranker("sal", model)),
        RankerInfo("inf", "informativeness alone", lambda model: linear_ranker("inf", model)),
        RankerInfo(
            "taer", "mentions today and on earlier days (TAER 2010)", lambda model: Taer(), learns=False
        ),
        RankerInfo("frequency", "mentions today", lambda model: Frequency(), learns=False),
        RankerInfo(
            "contexts", "different sentences that mention it", lambda model: DistinctContexts(), learns=False
        ),
    )
}
"""All rankers that `ranker_named` makes."""

DEFAULT_RANKER = "tidings"


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
    tidings.core.errors.UsageError: ranker 'oracle': none of this name (expected one of tidings, ...)
    """
    info = RANKERS.get(name)
    if info is None:
        raise UsageError(f"ranker {name!r}: none of this name (expected one of {', '.join(RANKERS)})")
    if model and not info.learns:
        raise UsageError(f"ranker {name!r}: the model {model} (expected none): it learns nothing")
    return info.make(model)
