"""Streams read once and followed often: what a policy would emit for an event, without reading its texts again.

    stream ──▶ candidates, their features with nothing emitted ─┐ once
                                                                ├──▶ follow(worth, level) ──▶ H, examples
    judgments ──▶ nuggets, gains, words                       ─┘

Of the features only those change that hold a candidate against what was emitted. Between two updates nothing does, so
that all candidates up to the next update are weighed at once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any

import numpy as np

from tidings.core import Sentence
from tidings.evaluation import latency_discount
from tidings.following import (
    EMITTED,
    EMITTED_HALF_LIFE_S,
    FRESH_S,
    TIDINGS_FEATURES,
    Array,
    FeatureState,
    Limits,
    TextReader,
)
from tidings.research.training.labelled_events import JudgedEvent

_BLOCK = 64  # candidates valued at once; behind an update the rest is valued again

Worth = Callable[[Array, int, int], Array]
"""worth(rows, begin, end) gives the worth of these rows, of all candidates of a stream."""

_EMITTED = TIDINGS_FEATURES.index("emitted")
_NEAREST = TIDINGS_FEATURES.index("emitted_nearest")
_TOP = TIDINGS_FEATURES.index("emitted_top_3")
_CONTAINS = TIDINGS_FEATURES.index("emitted_contains")
_COVERED = TIDINGS_FEATURES.index("covered")
_UNCOVERED = TIDINGS_FEATURES.index("uncovered")
_NEW_NUMBERS = TIDINGS_FEATURES.index("new_numbers")
_RISE = TIDINGS_FEATURES.index("casualties_rise")
_KNOWN = TIDINGS_FEATURES.index("casualties_known")


@dataclass(frozen=True, slots=True)
class Followed:
    """What came of following a stream: H, the updates (numbers of candidates), their verbosity in all, Z.

    `features`, `gains` and `costs` are of every candidate, as they were when it was decided on.
    """

    h: float
    updates: list[int]
    cost: float
    z: float
    features: Array
    gains: Array
    costs: Array


class Replay:
    """One event's stream, to be followed under any worth.

    Args:
        judged_event: the event, its stream and its judgments.
        weights: of stems, as the system's model has them.
        language: of the texts.
        limits: as of the system.
    """

    def __init__(
        self, judged_event: JudgedEvent, weights: Mapping[str, float], language: str, limits: Limits
    ) -> None:
        self.judged_event, self.limits = judged_event, limits
        reader = TextReader(weights, language)
        state = FeatureState(judged_event.event, reader, limits)
        rows: list[Any] = []
        self.sentences: list[Sentence] = []
        self.casualties: list[dict[str, int]] = []
        times: list[int] = []
        numbers_of: dict[str, int] = {}
        entries: list[tuple[int, int, float, bool]] = []
        for sentences, now in judged_event.pushes:
            for document in state.documents(sentences):
                for sentence, candidate in state.candidates(document):
                    counted = set(reader.read(sentence.text).numbers)
                    for stem, weight in candidate.stems.items():
                        number = numbers_of.setdefault(stem, len(numbers_of))
                        entries.append((len(rows), number, weight, stem in counted))
                    rows.append(candidate.features)
                    times.append(now)
                    self.sentences.append(sentence)
                    self.casualties.append(candidate.casualties)
        count = len(rows)
        self.features: Array = np.array(rows).reshape(count, len(TIDINGS_FEATURES))
        self.times = np.array(times, dtype=float)
        columns = list(zip(*entries, strict=True)) or [(), (), (), ()]
        self.rows, self.stems = np.array(columns[0], dtype=np.int64), np.array(columns[1], dtype=np.int64)
        self.weights = np.array(columns[2], dtype=float)
        self.is_number = np.array(columns[3], dtype=bool)
        self.starts = np.searchsorted(self.rows, np.arange(count + 1))
        self.stem_count = len(numbers_of)
        by_stem = np.argsort(self.stems, kind="stable")
        ends = np.searchsorted(self.stems[by_stem], np.arange(self.stem_count + 1)).tolist()
        self._entries = [by_stem[first:last] for first, last in pairwise(ends)]
        self.with_casualties = [number for number, own in enumerate(self.casualties) if own]
        self.mass = np.bincount(self.rows, weights=self.weights, minlength=count)
        self.norm = np.sqrt(np.bincount(self.rows, weights=self.weights**2, minlength=count))
        self._nuggets = [judged_event.nuggets_of(sentence) for sentence in self.sentences]
        self.is_relevant = np.array([bool(nuggets) for nuggets in self._nuggets], dtype=bool)
        self._judged = np.flatnonzero(self.is_relevant)
        self._costs = np.array([judged_event.verbosity(sentence) for sentence in self.sentences])
        self._gains = [
            {
                nugget: judged_event.gains[nugget] * latency_discount(judged_event.times[nugget], now)
                for nugget in nuggets
            }
            for nuggets, now in zip(self._nuggets, times, strict=True)
        ]

    def sharing(self, number: int) -> Array:
        """The entries (of rows, stems and weights) of all candidates under the stems of this one."""
        own = [self._entries[stem] for stem in self.stems_of(number).tolist()]
        return np.concatenate(own) if own else np.zeros(0, dtype=np.int64)

    def stems_of(self, number: int) -> Array:
        """The stems of a candidate, as numbers."""
        return self.stems[self.starts[number] : self.starts[number + 1]]

    @property
    def total_gain(self) -> float:
        """R: the sum of all nuggets' gains."""
        return self.judged_event.judged.total_gain

    def follow(self, worth: Worth, level: float | Array) -> Followed:
        """Emit each candidate whose worth is above the level (one number, or one for each candidate)."""
        rows = self.features.copy()
        count = len(rows)
        levels = np.broadcast_to(np.asarray(level, dtype=float), count)
        emitted = _Emitted(self, rows)
        gains, costs = np.zeros(count), self._costs.copy()
        covered: set[int] = set()
        updates: list[int] = []
        gained = cost = 0.0
        begin = 0
        while begin < count:
            end = min(begin + _BLOCK, count)
            above = np.flatnonzero(worth(rows, begin, end) > levels[begin:end])
            if len(above):
                end = begin + int(above[0]) + 1
            place, past = np.searchsorted(self._judged, (begin, end))
            for number in self._judged[place:past].tolist():
                own = self._gains[number]
                gains[number] = sum(gain for nugget, gain in own.items() if nugget not in covered)
                if not covered.isdisjoint(own):
                    new = self._nuggets[number] - covered
                    costs[number] = self.judged_event.verbosity(self.sentences[number], new)
            if len(above):
                last = end - 1
                updates.append(last)
                gained, cost = gained + gains[last], cost + costs[last]
                covered |= self._nuggets[last]
                emitted.add(last)
            begin = end
        event = self.judged_event.judged
        z = event.best_mean(max(1, len(updates)))
        h = float(2 * gained / (z * cost + event.total_gain)) if updates else 0.0
        return Followed(h, updates, float(cost), z, rows, gains, costs)


class _Emitted:
    """What was emitted of a replay: keeps the features of later candidates that depend on it."""

    def __init__(self, replay: Replay, rows: Array) -> None:
        self._replay, self._rows = replay, rows
        self._kept: deque[tuple[int, Array]] = deque()
        self._holds = np.zeros(replay.stem_count, dtype=np.int32)
        self._casualties: dict[str, int] = {}
        self._top = np.zeros((3, len(rows)))
        self._count, self._time, self._first_time = 0.0, 0.0, 0.0

    def add(self, number: int) -> None:
        """Note that this candidate was emitted, in view of those after it."""
        replay, kept, after = self._replay, self._kept, number + 1
        self._keep_count(number)
        entries = replay.sharing(number)
        entries = entries[replay.rows[entries] > number]
        self._cover(replay.stems_of(number), entries, after)
        likeness = self._likeness(number, entries)
        kept.append((number, likeness))
        contains = self._rows[after:, _CONTAINS]
        if len(kept) > replay.limits.max_kept:
            self._uncover(kept.popleft()[0], after)
            likenesses = np.stack([likeness[:, after:] for _, likeness in kept])
            self._top[:, after:] = np.partition(likenesses[:, 0], (-3, -2, -1), axis=0)[-3:]
            contains[:] = likenesses[:, 1].max(axis=0)
        else:
            top = self._top[:, after:]
            top[0] = np.maximum(top[0], likeness[0, after:])
            top.sort(axis=0)
            np.maximum(contains, likeness[1, after:], out=contains)
        self._rows[after:, _NEAREST] = self._top[2, after:]
        self._rows[after:, _TOP] = self._top[:, after:].sum(axis=0) / 3
        self._count_casualties(number, after)

    def _keep_count(self, number: int) -> None:
        replay, now = self._replay, self._replay.times[number]
        if not self._count:
            self._first_time = now
            self._count = 1.0
        else:
            self._count = float(self._rows[number, _EMITTED]) + 1.0
        self._time = now
        after = number + 1
        passed_s = np.maximum(0, replay.times[after:] - max(now, self._first_time + FRESH_S))
        self._rows[after:, _EMITTED] = self._count * 0.5 ** np.minimum(64.0, passed_s / EMITTED_HALF_LIFE_S)

    def _likeness(self, number: int, entries: Array) -> Array:
        """How like this candidate those after it are, in two rows: cosine, and the share of weight that it holds."""
        replay, count = self._replay, len(self._rows)
        rows, weights = replay.rows[entries], replay.weights[entries]
        cosines = np.bincount(rows, weights=weights * weights, minlength=count)
        contains = np.bincount(rows, weights=weights, minlength=count)
        return np.stack([cosines / (replay.norm * replay.norm[number]), contains / replay.mass])

    def _cover(self, stems: Array, entries: Array, after: int) -> None:
        replay, holds = self._replay, self._holds
        self._change(entries[holds[replay.stems[entries]] == 0], -1.0, after)
        holds[stems] += 1

    def _uncover(self, number: int, after: int) -> None:
        replay, holds = self._replay, self._holds
        holds[replay.stems_of(number)] -= 1
        entries = replay.sharing(number)
        entries = entries[replay.rows[entries] >= after]
        self._change(entries[holds[replay.stems[entries]] == 0], 1.0, after)

    def _change(self, entries: Array, sign: float, after: int) -> None:
        replay, later = self._replay, len(self._rows) - after
        rows = replay.rows[entries] - after
        weights = np.bincount(rows, weights=replay.weights[entries], minlength=later)
        numbers = np.bincount(rows, weights=replay.is_number[entries], minlength=later)
        own = self._rows[after:]
        own[:, _UNCOVERED] += sign * weights
        own[:, _NEW_NUMBERS] += sign * numbers
        own[:, _COVERED] = 1.0 - own[:, _UNCOVERED] / replay.mass[after:]

    def _count_casualties(self, number: int, after: int) -> None:
        highest = self._casualties
        changed = False
        for kind, value in self._replay.casualties[number].items():
            if value > highest.get(kind, 0):
                highest[kind] = value
                changed = True
        if not changed:
            return
        for later in self._replay.with_casualties:
            if later >= after:
                own = self._replay.casualties[later]
                rise = any(value > highest.get(kind, 0) for kind, value in own.items())
                self._rows[later, _RISE], self._rows[later, _KNOWN] = rise, not rise


_GROUPS = 4
_EVENTS = 24
"""For so many events the penalty is as it is given."""


@dataclass(frozen=True, slots=True)
class Ranges:
    """The usual range of each feature, and its mean and deviation within."""

    low: Array
    high: Array
    mean: Array
    deviation: Array

    @classmethod
    def of(cls, features: Array) -> Ranges:
        """Of rows of features: from their quantile .005 to .995."""
        low, high = np.quantile(features, (0.005, 0.995), axis=0)
        kept = features.clip(low, high)
        return cls(low, high, kept.mean(axis=0), kept.std(axis=0) + 1e-6)

    def widen(self, other: Ranges) -> Ranges:
        """These for all but what was emitted, the others for that, and for what only they have."""
        first, last = TIDINGS_FEATURES.index(EMITTED[0]), TIDINGS_FEATURES.index(EMITTED[-1]) + 1
        names = [field.name for field in fields(self)]
        pairs = ((getattr(self, name), getattr(other, name)) for name in names)
        joined = [(own[:first], its[first:last], own[last:], its[len(own) :]) for own, its in pairs]
        return Ranges(*map(np.concatenate, joined))

    def basis(self, features: Array) -> Array:
        """z, z² and |z| of each feature."""
        z = (features.clip(self.low, self.high) - self.mean) / self.deviation
        return np.concatenate((z, z * z, np.abs(z)), axis=1)


class Relevance:
    """Whether a sentence matches any nugget, by curves of the features that do not depend on what was emitted.

    The curves are learned by ridge regression. Of each event the share of sentences that match a nugget is taken off
    first: how many do depends on how the event was judged, and no word of a sentence says it.

    Args:
        replays: streams to learn from.
        ridge: strength of the penalty.

    Attributes:
        ranges: of the features in these streams.
        curves: linear, square and fold of each feature, one after the other.
        bias: added to their sum.
        held_out: for each stream the relevance of its candidates, as those streams tell it that are not of its group.
    """

    def __init__(self, replays: Sequence[Replay], ridge: float) -> None:
        self.ranges = Ranges.of(np.concatenate([replay.features for replay in replays]))
        every = np.arange(3 * len(TIDINGS_FEATURES))
        own = every[~np.isin(every % len(TIDINGS_FEATURES), list(map(TIDINGS_FEATURES.index, EMITTED)))]
        bases = [self.ranges.basis(replay.features)[:, own] for replay in replays]
        targets = [replay.is_relevant - replay.is_relevant.mean() for replay in replays]
        groups = min(_GROUPS, len(replays))

        def fit(numbers: Sequence[int]) -> tuple[Array, float]:
            basis = np.concatenate([bases[number] for number in numbers])
            offset = basis.mean(axis=0)
            basis = basis - offset
            penalty = ridge * len(numbers) / _EVENTS * np.eye(len(own))
            y = np.concatenate([targets[number] for number in numbers])
            curves = np.linalg.solve(basis.T @ basis + penalty, basis.T @ y)
            return curves, float(-offset @ curves)

        whole, self.bias = fit(range(len(replays)))
        self.curves = np.zeros(len(every))
        self.curves[own] = whole
        fits = [(whole, self.bias)]
        if groups > 1:
            fits = [fit([n for n in range(len(replays)) if n % groups != group]) for group in range(groups)]
        self.held_out = [
            basis @ fits[number % groups][0] + fits[number % groups][1] for number, basis in enumerate(bases)
        ]
