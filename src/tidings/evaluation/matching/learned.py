"""The matcher that learned from assessors (features, a line through them, a probability), and how it learns."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tidings.core import (
    Judgments,
    Match,
    Model,
    Nugget,
    PooledUpdate,
    PossibleMatch,
    UsageError,
    bare_event_id,
    prepare,
    read_model,
)
from tidings.evaluation.matching.meaning import Encode
from tidings.evaluation.matching.pair_features import (
    FROM_BASE,
    NAMES,
    NAMES_WITH_MEANING,
    RISING,
    pair_features,
)
from tidings.evaluation.matching.pairs_out import possible_matches
from tidings.evaluation.matching.texts import EventTexts

SHIPPED = ("use",)
"""The encoders for which weights come with the package."""

LIMIT = 12.0
"""Figures count as at most so many spreads away from their means."""

_SETTINGS = ("constant", "base_weight", "slope", "shift")
_EARLIER_FROM_BASE = 0.24
"""What a file that says nothing of it was learned with."""


@dataclass(frozen=True)
class MatchWeights:
    """What the matcher learned: log-odds = constant + Σ weight · (feature - mean) / spread + base_weight · base.

    Each standardised feature is cut at -12 and 12; the probability is 1 / (1 + exp(-(slope · log-odds + shift))).
    `encoder` names the encoder whose figures are among the features, last; empty where none are. Pairs whose base
    likeness is below `from_base` are none.
    """

    means: NDArray[np.float32]
    spreads: NDArray[np.float32]
    weights: NDArray[np.float32]
    constant: float
    base_weight: float
    slope: float
    shift: float
    encoder: str = ""
    from_base: float = FROM_BASE

    def log_odds(self, rows: NDArray[np.float32]) -> NDArray[np.float64]:
        """Of each row of features the log-odds before calibration."""
        standard = np.clip((rows - self.means) / self.spreads, -LIMIT, LIMIT)
        base = rows[:, NAMES.index("base")].astype(np.float64)
        return np.asarray(standard @ self.weights + self.constant + self.base_weight * base, dtype=np.float64)

    def probabilities(self, rows: NDArray[np.float32]) -> NDArray[np.float64]:
        """Of each row of features how likely it is a match."""
        return np.asarray(1 / (1 + np.exp(-(self.slope * self.log_odds(rows) + self.shift))))

    def export(self) -> tuple[dict[str, NDArray[np.float32]], dict[str, object]]:
        """(arrays, settings) of a model file."""
        arrays = {"means": self.means, "spreads": self.spreads, "weights": self.weights}
        names = (*_SETTINGS, "from_base")
        settings: dict[str, object] = {name: round(float(getattr(self, name)), 6) for name in names}
        settings["features"] = list(NAMES_WITH_MEANING[: len(self.weights)])
        if self.encoder:
            settings["encoder"] = self.encoder
        return {name: array.astype(np.float32) for name, array in arrays.items()}, settings


def read_weights(model: Model) -> MatchWeights:
    """The weights of a model file; a ValueError where they are of other features."""
    encoder = str(model.settings.get("encoder", ""))
    names = NAMES_WITH_MEANING if encoder else NAMES
    known = list(model.settings["features"])
    if known != [name for name in names if name in known]:
        raise ValueError("other features")
    means, spreads, weights = (model.array(name) for name in ("means", "spreads", "weights"))
    if any(array.shape != (len(known),) for array in (means, spreads, weights)) or not (spreads > 0).all():
        raise ValueError("arrays of other shapes, or spreads that are not positive")
    places = [names.index(name) for name in known]
    whole = np.zeros((3, len(names)), dtype=np.float32)
    whole[1] = 1.0
    whole[:, places] = means, spreads, weights  # features that came later weigh nothing
    constant, base_weight, slope, shift = (float(model.settings[name]) for name in _SETTINGS)
    from_base = float(model.settings.get("from_base", _EARLIER_FROM_BASE))
    return MatchWeights(whole[0], whole[1], whole[2], constant, base_weight, slope, shift, encoder, from_base)


def _weights_of(model: str | Path, encoder: str) -> MatchWeights:
    """The weights of a file, or those that come along; a UsageError where they are of another encoder."""
    if encoder and not str(model) and encoder not in SHIPPED:
        raise UsageError(
            f"encoder {encoder!r} without a model (expected --model FILE, made by `tidings train matcher --set "
            f"encoder={encoder}`): weights come along for {', '.join(SHIPPED)} and for no encoder"
        )
    read = read_model("matcher", model, "" if str(model) else encoder)
    weights = prepare(read, read_weights)
    if weights.encoder != encoder:
        learned = f"with encoder {weights.encoder!r}" if weights.encoder else "without an encoder"
        mend = f"give --encoder {weights.encoder}" if weights.encoder else "leave --encoder out"
        raise UsageError(f"{read.file}: these weights were learned {learned}; {mend}")
    return weights


class NuggetMatcher:
    """A `Matcher` that learned from TREC's assessors.

    Args:
        model: a model file; empty for the one that comes with tidings.
        least: pairs of a lower probability are none.
        language: of the texts.
        encoder: the name of the encoder whose figures count, which the weights must have been learned with; or empty.
        encode: that encoder, giving vectors of length 1.

    Raises:
        UsageError: weights and encoder do not fit each other.

    >>> nugget = Nugget("e", "N1", 1700000000, 2, "a ferry burned off the coast")
    >>> update = PooledUpdate("e", "1700000000-d", 0, "The ferry burned off the coast, police said.")
    >>> [(one.nugget_id, one.start, one.end) for one in NuggetMatcher().match([nugget], [update])]
    [('N1', 4, 30)]
    """

    def __init__(
        self,
        model: str | Path = "",
        least: float = 0.02,
        language: str = "english",
        *,
        encoder: str = "",
        encode: Encode | None = None,
    ) -> None:
        self.least, self.language = least, language
        self._weights = _weights_of(model, encoder)
        if encoder and encode is None:
            raise UsageError(
                f"encoder {encoder!r} is a name alone; give `encode`, which makes its vectors, too"
            )
        self._encode = encode if encoder else None

    def match(self, nuggets: Sequence[Nugget], updates: Sequence[PooledUpdate]) -> Iterator[PossibleMatch]:
        """The pairs of at least `least`, in the order of the updates."""
        if not nuggets or not updates:
            return
        event = EventTexts(nuggets, updates, self.language)
        pairs = pair_features(event, self._weights.from_base, self._encode)
        if len(pairs.rows):
            found = self._weights.probabilities(pairs.rows)
            yield from possible_matches(event, updates, pairs.texts, pairs.nuggets, found, self.least)


@dataclass(frozen=True)
class JudgedEventTexts:
    """An event's distinct texts and nuggets, and which are matched.

    Attributes:
        event_id: as the judgments write it.
        texts: the texts and nuggets.
        matched: (texts, nuggets) whether an update of that text is matched to the nugget.
    """

    event_id: str
    texts: EventTexts
    matched: NDArray[np.bool_]


def judged_event_texts(judgments: Judgments, event_id: str = "") -> Iterator[JudgedEventTexts]:
    """Each event that has pooled updates, nuggets and matches; copies of a text are one text, matched as any of them.

    With an `event_id` that event alone. Matches of updates that are not pooled, and of nuggets that are not listed, are
    left out.
    """
    nuggets: defaultdict[str, list[Nugget]] = defaultdict(list)
    updates: defaultdict[str, list[PooledUpdate]] = defaultdict(list)
    matches: defaultdict[str, list[Match]] = defaultdict(list)
    for nugget in judgments.nuggets:
        nuggets[bare_event_id(nugget.event_id)].append(nugget)
    for update in judgments.pool:
        updates[bare_event_id(update.event_id)].append(update)
    for match in judgments.matches:
        matches[bare_event_id(match.event_id)].append(match)
    for bare, own in nuggets.items():
        if not updates[bare] or (event_id and bare != bare_event_id(event_id)):
            continue
        texts = EventTexts(own, updates[bare])
        text_of = {update.id: text for update, text in zip(updates[bare], texts.text_of, strict=True)}
        number = {nugget.id: place for place, nugget in enumerate(own)}
        matched = np.zeros((len(texts.texts), len(own)), dtype=bool)
        for match in matches[bare]:
            if match.update_id in text_of and match.nugget_id in number:
                matched[text_of[match.update_id], number[match.nugget_id]] = True
        if matched.any():
            yield JudgedEventTexts(own[0].event_id, texts, matched)


@dataclass(frozen=True)
class JudgedPairs:
    """The pairs of one event that a matcher gave, and how many matches there are in all.

    Attributes:
        scores: of each pair, higher for likelier.
        right: whether an assessor matched it.
        total: matches of the event, those that the matcher did not give included.
    """

    scores: Floats
    right: NDArray[np.bool_]
    total: int


@dataclass(frozen=True)
class Bin:
    """Pairs of like probability: how many, their mean probability, and the share of them that are matches."""

    count: int
    said: float
    seen: float


def average_precision(pairs: JudgedPairs) -> float:
    """Σ over the matches of the precision at their rank / all matches; of equal scores the mean over their orders.

    >>> average_precision(JudgedPairs(np.array([0.9, 0.5, 0.1]), np.array([True, False, True]), 2))
    0.8333333333333333
    """
    if not pairs.total:
        return 0.0
    order = np.argsort(-pairs.scores, kind="stable")
    scores, right = pairs.scores[order], pairs.right[order].astype(float)
    ends = np.append(np.nonzero(np.diff(scores))[0], len(scores) - 1) if len(scores) else np.zeros(0, int)
    total, start, before = 0.0, 0, 0.0
    for end in ends.tolist():
        count, hits = end - start + 1, float(right[start : end + 1].sum())
        if hits:  # expected precision at the ranks of hits that lie anywhere among equals
            places = np.arange(1, count + 1)
            others = (hits - 1) * (places - 1) / max(count - 1, 1)
            total += float((hits / count * (before + 1 + others) / (start + places)).sum())
        before += hits
        start = end + 1
    return total / pairs.total


def precision_recall(events: Sequence[JudgedPairs], threshold: float) -> tuple[float, float, float]:
    """(precision, recall, F1) of the pairs of at least that score, all events together."""
    given = sum(int((event.scores >= threshold).sum()) for event in events)
    hits = sum(int(event.right[event.scores >= threshold].sum()) for event in events)
    total = sum(event.total for event in events)
    precision, recall = hits / max(given, 1), hits / max(total, 1)
    return precision, recall, 2 * hits / max(given + total, 1)


def best_threshold(events: Sequence[JudgedPairs]) -> float:
    """The score from which on F1 over all events is highest; 0 where there is no match.

    >>> best_threshold([JudgedPairs(np.array([0.9, 0.5, 0.1]), np.array([True, True, False]), 2)])
    0.5
    """
    scores = np.concatenate([event.scores for event in events])
    right = np.concatenate([event.right for event in events])
    total = sum(event.total for event in events)
    order = np.argsort(-scores, kind="stable")
    hits = np.cumsum(right[order])
    if not total or not len(scores):
        return 0.0
    f = 2 * hits / (np.arange(1, len(hits) + 1) + total)
    f[:-1][np.diff(scores[order]) == 0] = 0  # a threshold does not part equal scores
    return float(scores[order][int(np.argmax(f))])


def calibration(events: Sequence[JudgedPairs], bins: int = 10) -> tuple[Bin, ...]:
    """Pairs by tenths of their probability: what was said and what was seen; empty bins are left out.

    >>> pairs = JudgedPairs(np.array([0.1, 0.1, 0.9]), np.array([False, False, True]), 1)
    >>> [(one.count, one.said, one.seen) for one in calibration([pairs])]
    [(2, 0.1, 0.0), (1, 0.9, 1.0)]
    """
    scores = np.concatenate([event.scores for event in events])
    right = np.concatenate([event.right for event in events])
    places = np.minimum((scores * bins).astype(int), bins - 1)
    return tuple(
        Bin(int(own.sum()), float(scores[own].mean()), float(right[own].mean()))
        for number in range(bins)
        if (own := places == number).any()
    )


def mean_average_precision(events: Mapping[str, JudgedPairs]) -> float:
    """The mean over events that have matches."""
    each = [average_precision(event) for event in events.values() if event.total]
    return float(np.mean(each)) if each else 0.0


Floats = NDArray[np.float64]

_BASE_WEIGHT = 2.0
"""What the base likeness adds to the log-odds: learned weights serve the many pairs, ranking asks for the best ones."""
_L2 = 1e-3  # the ridge penalty's weight
_STEPS = 300  # of accelerated gradient descent
_FOLDS = 3  # of events, for figures out of sample
_EVERY, _UNLIKE = 5, 0.24  # of pairs less alike than this, every fifth stands for all


@dataclass(frozen=True)
class JudgedRows:
    """The features of an event's pairs that may be a match, which of them are, and how many matches it has."""

    event_id: str
    rows: NDArray[np.float32]
    right: NDArray[np.bool_]
    total: int


def judged_rows(event: JudgedEventTexts, encode: Encode | None = None) -> JudgedRows:
    """Of a judged event, with an encoder's figures where one is given; copies of a text count once."""
    pairs = pair_features(event.texts, encode=encode)
    right = event.matched[pairs.texts, pairs.nuggets]
    return JudgedRows(event.event_id, pairs.rows, right, int(event.matched.sum()))


def learn_matcher(events: Sequence[JudgedRows], *, steps: int = _STEPS) -> MatchWeights:
    """Weights from some events, each of which counts alike, calibrated on events left out.

    The log-loss and .001 times the squares of the weights are least among weights of the signs of `RISING`, by 300
    steps of projected gradients with momentum. A line through the log-odds of each third of the events by the others
    makes them probabilities (Platt).
    """
    made = _fit(events, steps)
    if len(events) < 2:
        return made
    odds = out_of_fold(events, steps=steps)
    x = np.concatenate(odds)
    y = np.concatenate([event.right for event in events]).astype(float)
    weights = np.concatenate([np.full(len(event.right), 1 / max(len(event.right), 1)) for event in events])
    slope, shift = _platt(x, y, weights / weights.sum())
    return replace(made, slope=slope, shift=shift)


def out_of_fold(events: Sequence[JudgedRows], *, steps: int = _STEPS) -> list[Floats]:
    """Of each event the log-odds of its pairs by what was learned without it (in thirds of the events)."""
    folds = min(_FOLDS, len(events))
    made = [
        _fit([event for place, event in enumerate(events) if place % folds != fold], steps)
        for fold in range(folds)
    ]
    return [made[place % folds].log_odds(event.rows) for place, event in enumerate(events)]


def figures(events: Sequence[JudgedRows], *, steps: int = _STEPS) -> dict[str, float]:
    """Mean average precision and the best F1 of events left out, as `out_of_fold` has them."""
    left_out = [
        JudgedPairs(odds, event.right, event.total)
        for odds, event in zip(out_of_fold(events, steps=steps), events, strict=True)
    ]
    return {
        "average precision": mean_average_precision(
            {event.event_id: pairs for event, pairs in zip(events, left_out, strict=True)}
        ),
        "F1": precision_recall(left_out, best_threshold(left_out))[2],
    }


def _fit(events: Sequence[JudgedRows], steps: int) -> MatchWeights:
    counted = [_shares(event) for event in events]
    rows = np.concatenate([event.rows[own > 0] for event, own in zip(events, counted, strict=True)])
    rows = rows.astype(np.float32)
    right = np.concatenate([event.right[own > 0] for event, own in zip(events, counted, strict=True)])
    weights = np.concatenate([own[own > 0] for own in counted])
    right = right.astype(np.float32)
    weights = (weights / weights.sum()).astype(np.float32)
    means = weights @ rows
    spreads = np.sqrt(weights @ (rows - means) ** 2) + np.float32(1e-6)
    standard = np.clip((rows - means) / spreads, -LIMIT, LIMIT)
    signs = np.array([RISING[name] for name in NAMES_WITH_MEANING[: rows.shape[1]]])
    low, high = np.where(signs > 0, 0.0, -np.inf), np.where(signs < 0, 0.0, np.inf)
    largest = float(np.linalg.eigvalsh((standard * weights[:, None]).T @ standard)[-1])
    step = 1.0 / ((largest + 1.0) / 4 + 2 * _L2)
    share = float(np.clip(weights @ right, 1e-4, 1 - 1e-4))
    point, constant = np.zeros(len(signs)), float(np.log(share / (1 - share)))
    ahead, ahead_constant, momentum = point, constant, 1.0
    for _ in range(steps):
        odds = standard @ ahead.astype(np.float32) + np.float32(ahead_constant)
        errors = (1 / (1 + np.exp(-odds)) - right) * weights
        moved = np.clip(ahead - step * (errors @ standard + 2 * _L2 * ahead), low, high)
        moved_constant = ahead_constant - step * float(errors.sum())
        later = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead = moved + (momentum - 1) / later * (moved - point)
        ahead_constant = moved_constant + (momentum - 1) / later * (moved_constant - constant)
        point, constant, momentum = moved, moved_constant, later
    weights32 = point.astype(np.float32)
    return MatchWeights(means, spreads, weights32, constant, _BASE_WEIGHT, 1.0, 0.0)


def _shares(event: JudgedRows) -> Floats:
    """What each pair of an event counts, 1 together: of unlike pairs that are no match every fifth, five times."""
    likeness = event.rows[:, NAMES.index("base")]
    counts = np.ones(len(likeness))
    unlike = np.nonzero((likeness < _UNLIKE) & ~event.right)[0]
    counts[unlike] = 0.0
    counts[unlike[::_EVERY]] = len(unlike) / max(len(unlike[::_EVERY]), 1)
    return counts / max(len(counts), 1)


def _platt(odds: Floats, right: Floats, weights: Floats) -> tuple[float, float]:
    """Slope and shift of the log-odds with the least log-loss, by Newton's method."""
    centre = float(weights @ odds)
    table = np.stack([odds - centre, np.ones(len(odds))], axis=1)
    share = float(np.clip(weights @ right, 1e-4, 1 - 1e-4))
    line = np.array([1.0, np.log(share / (1 - share))])
    for _ in range(30):
        said = 1 / (1 + np.exp(-(table @ line)))
        slope = table.T @ (weights * (said - right))
        bend = (table * (weights * said * (1 - said))[:, None]).T @ table + 1e-9 * np.eye(2)
        line = line - np.clip(np.linalg.solve(bend, slope), -1.0, 1.0)
    return float(max(line[0], 1e-3)), float(line[1] - max(line[0], 1e-3) * centre)
