"""Scores of updates that nobody judged, by what a program takes for matches, with the program's doubts in intervals.

What people judged stays as they judged it. Of the other updates each has, with some probability, each nugget: taken at
a threshold (`decided`), or drawn again and again (`expected`).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from tidings.core import Judgments, PooledUpdate, PossibleMatch, Run, UsageError
from tidings.evaluation.measures.measure import Measure
from tidings.evaluation.measures.run_scores import RunScores, assemble
from tidings.evaluation.measures.significance import quantile
from tidings.evaluation.measures.trec_ts.prepared import (
    NOTHING,
    EventUpdates,
    PreparedEvent,
    WordSpan,
    text_words,
)
from tidings.evaluation.measures.trec_ts.rules import Rules
from tidings.evaluation.measures.trec_ts.scores import Mean, Prepared, default_measures, measure_event

THRESHOLD = 0.134
"""The learned matcher's least probability of a match decided on.

It was that of the best F1 on TREC TS 2013, by thirds left out, of earlier weights. Those that come along have .351
there, and .356 at .167, which finds fewer matches.
"""

SPREAD = 0.76
"""How far its log-odds were off for whole events of TREC TS 2013 that it had not learned from (root mean square)."""

_STEPS = 50  # of bisection
_FAR = 12.0  # log odds within which the shift is looked for
_SUREST = 30.0  # log odds that stand for certainty


def _log_odds(probability: float) -> float:
    return min(max(math.log(probability / (1 - probability)), -_SUREST), _SUREST)


def log_odds_shift(judged: Iterable[tuple[float, bool]], spread: float) -> float:
    """What to add to a matcher's log-odds for an event: the likeliest shift by pairs that people judged.

    The shift d has the greatest Σ log P(judged; log-odds + d) - d² / (2 spread²): without pairs it is 0, with many it
    makes the sum of the probabilities the number of matches.

    Args:
        judged: of pairs the probability, and whether people matched them. What is sure (0 or 1) says nothing.
        spread: how far matchers are off for whole events (standard deviation); 0 gives no shift.

    >>> round(log_odds_shift([(0.2, True), (0.2, False)] * 500, 1.0), 2)
    1.38
    >>> log_odds_shift([], 1.0)
    0.0
    """
    pairs = [(_log_odds(p), float(y)) for p, y in judged if 0.0 < p < 1.0]
    if not pairs or spread <= 0:
        return 0.0
    low, high = -_FAR, _FAR
    for _ in range(_STEPS):  # the slope falls from one end to the other
        shift = (low + high) / 2
        slope = math.fsum(y - 1 / (1 + math.exp(-odds - shift)) for odds, y in pairs) - shift / spread**2
        low, high = (shift, high) if slope > 0 else (low, shift)
    return (low + high) / 2


def shift_odds(probability: float, shift: float) -> float:
    """A probability after a shift of its log-odds.

    >>> shift_odds(0.5, 0.0), round(shift_odds(0.2, math.log(4)), 6), shift_odds(1.0, -5.0)
    (0.5, 0.5, 1.0)
    """
    if not shift or not 0.0 < probability < 1.0:
        return probability
    return 1 / (1 + math.exp(-_log_odds(probability) - shift))


PossibleSpan = tuple[float, WordSpan]


@dataclass(frozen=True, slots=True)
class Expected:
    """A figure over draws: its mean, and between which values 95 % of the draws lie."""

    mean: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Iterable[float]) -> Expected:
        """Of the values of all draws.

        >>> drawn = Expected.of([1.0, 0.0, 0.5])
        >>> drawn.mean, round(drawn.low, 4), round(drawn.high, 4)
        (0.5, 0.025, 0.975)
        """
        ordered = sorted(values)
        mean = math.fsum(ordered) / len(ordered)
        return cls(mean, quantile(ordered, 0.025), quantile(ordered, 0.975))


@dataclass(frozen=True, slots=True)
class UpdateCounts:
    """Of a run's updates of judged events how many were judged, and by whom.

    Attributes:
        emitted: all.
        people: those that people judged.
        copies: those of the very words of one that people judged: they are judged as that one.
        program: those that a program judged.
        nobody: the rest, whose words are not known; they count as the rules have it.
    """

    emitted: int
    people: int
    copies: int
    program: int
    nobody: int


@dataclass(frozen=True, slots=True)
class AutomaticScores:
    """What a run scores by people's judgments alone, and what with a program's beside them.

    Attributes:
        people: by people's judgments alone.
        decided: where pairs of at least `threshold` count as matches.
        per_event: each measure over the draws, by event.
        overall: the same for the mean over events.
        updates: who judged how many.
    """

    people: RunScores
    decided: RunScores
    per_event: dict[str, dict[Measure, Expected]]
    overall: dict[Measure, Expected]
    updates: UpdateCounts
    threshold: float
    draws: int


@dataclass(frozen=True, slots=True)
class _AutomaticEvent:
    # `event` has the further texts, without their matches; `possible` those that are likely at all, by judged id.
    event: PreparedEvent
    by_program: frozenset[str]
    copies: frozenset[str]
    possible: dict[str, list[PossibleSpan]]
    words: dict[str, str]
    drawn: dict[tuple[int, int, float], list[PreparedEvent]] = field(default_factory=dict)

    def decided(self, threshold: float) -> PreparedEvent:
        """With the pairs of at least that probability as matches."""
        return self.event.with_spans(
            {
                text: [span for probability, span in pairs if probability >= threshold]
                for text, pairs in self.possible.items()
            }
        )

    def draw(self, draws: int, seed: int, spread: float) -> list[PreparedEvent]:
        """Once for each draw with matches drawn by their probabilities; equal texts have equal draws."""
        key = draws, seed, spread
        if key not in self.drawn:
            shifts = [0.0] * draws
            if spread:
                common = Random(f"{seed} {self.event.id}")
                shifts = [common.gauss(0.0, spread) for _ in range(draws)]
            spans: list[dict[str, list[WordSpan]]] = [{} for _ in range(draws)]
            for text, pairs in self.possible.items():
                lot = Random(f"{seed} {self.event.id} {self.words.get(text, text)}").random
                for probability, span in pairs:
                    for number, shift in enumerate(shifts):
                        if lot() < shift_odds(probability, shift):
                            spans[number].setdefault(text, []).append(span)
            self.drawn[key] = [self.event.with_spans(own) for own in spans]
        return self.drawn[key]


@dataclass(frozen=True, slots=True)
class AutomaticJudgments:
    """Judgments made ready, with a program's beside them; scores any number of runs."""

    prepared: Prepared
    _events: dict[str, _AutomaticEvent]

    @property
    def rules(self) -> Rules:
        """By which rules."""
        return self.prepared.rules

    def decided(self, threshold: float) -> Prepared:
        """With the pairs of at least that probability as matches."""
        events = {name: self._events[name].decided(threshold) for name in self.prepared.events}
        return replace(self.prepared, events=events)

    def score(
        self,
        run: Run,
        measures: Iterable[Measure] | None = None,
        *,
        threshold: float,
        draws: int = 100,
        seed: int = 0,
        spread: float = 0.0,
        mean: Mean | None = None,
    ) -> AutomaticScores:
        """One run by people's judgments alone, with those decided at a threshold, and over draws.

        Args:
            run: the run.
            measures: which; default: those of the rules.
            threshold: the least probability of a pair that is decided to be a match.
            draws: how often matches are drawn.
            seed: of the draws. A run's are the same whatever else is scored.
            spread: standard deviation of a shift of all log-odds of an event that is drawn again each time: how far a
                program is off for a whole event.
            mean: over the run's own events, or over all; without it, as the rules have it.

        Raises:
            UsageError: an unknown event, or a measure over time where the judgments lack the event's period.
        """
        if not 0.0 <= threshold <= 1.0 or draws < 1 or not spread >= 0.0:
            raise UsageError(
                f"the threshold {threshold:g}, {draws} draws and the spread {spread:g} (expected a threshold "
                "from 0 to 1, at least one draw, and a spread of at least 0)"
            )
        wanted = tuple(measures) if measures is not None else default_measures(self.rules)
        split = self.prepared.split(run)
        people = self.prepared.score(run, wanted, mean=mean)
        decided: dict[str, dict[Measure, float]] = {}
        drawn: dict[str, list[dict[Measure, float]]] = {}
        for name, own in self._events.items():
            emitted = split.get(name, NOTHING)
            decided[name] = measure_event(own.decided(threshold), emitted, wanted, self.rules)
            drawn[name] = self._draw(own, emitted, wanted, decided[name], (draws, seed, spread))
        over = people.over
        result = assemble(run.team, run.name, wanted, decided, split, over=self.prepared.counts(split, mean))
        return AutomaticScores(
            people=people,
            decided=result,
            per_event={
                name: {
                    measure: Expected.of(values[measure] for values in of_event) for measure in of_event[0]
                }
                for name, of_event in drawn.items()
            },
            overall={measure: _overall(drawn, over, measure, draws) for measure in wanted},
            updates=self._counts(split),
            threshold=threshold,
            draws=draws,
        )

    def _draw(
        self,
        own: _AutomaticEvent,
        emitted: EventUpdates,
        wanted: Sequence[Measure],
        decided: dict[Measure, float],
        how: tuple[int, int, float],
    ) -> list[dict[Measure, float]]:
        texts = own.event.texts
        if not any(key in texts and texts[key][0] in own.possible for key in emitted.ids):
            return [decided] * how[0]
        return [measure_event(event, emitted, wanted, self.rules) for event in own.draw(*how)]

    def _counts(self, split: Mapping[str, EventUpdates]) -> UpdateCounts:
        total = people = copies = program = 0
        for name, emitted in split.items():
            own = self._events.get(name)
            if own is None:
                continue
            total += len(emitted)
            for key in emitted.ids:
                if key in own.by_program:
                    program += 1
                elif key in own.copies:
                    copies += 1
                elif key in own.event.texts or key in own.event.matches:
                    people += 1
        return UpdateCounts(total, people, copies, program, total - people - copies - program)


def _overall(
    drawn: Mapping[str, list[dict[Measure, float]]], over: Sequence[str], measure: Measure, draws: int
) -> Expected:
    measured = [name for name in over if measure in drawn[name][0]]
    if not measured:
        return Expected(0.0, 0.0, 0.0)
    return Expected.of(
        math.fsum(drawn[name][number][measure] for name in measured) / len(measured)
        for number in range(draws)
    )


def judge_automatically(
    prepared: Prepared,
    judgments: Judgments,
    matches: Iterable[PossibleMatch],
    emitted: Iterable[PooledUpdate] = (),
    *,
    instead: bool = False,
    calibrate: float = 0.0,
) -> AutomaticJudgments:
    """A program's judgments beside people's, for updates that nobody judged.

    An update with words that has no possible match is judged to say no nugget. One that is named among the matches and
    whose words are not known counts as one word. A copy of judged words is judged as people judged these.

    Args:
        prepared: people's judgments, made ready.
        judgments: the same, as they are.
        matches: the pairs that may be matches; those of updates that people judged are passed over.
        emitted: what runs emitted, with its words.
        instead: take the program's matches in place of people's, for all updates.
        calibrate: move the log-odds of each event to what people judged of it, where pairs of that are given: how far
            they may be off (standard deviation). 0, or `instead`, leaves them.
    """
    ids = prepared.event_id
    pools: defaultdict[str, list[PooledUpdate]] = defaultdict(list)
    for update in judgments.pool:
        pools[update.event_id].append(update)
    pairs: defaultdict[str, list[PossibleMatch]] = defaultdict(list)
    for match in matches:
        pairs[ids(match.event_id) or ""].append(match)
    updates: defaultdict[str, list[PooledUpdate]] = defaultdict(list)
    for update in emitted:
        updates[ids(update.event_id) or ""].append(update)
    events = {
        name: _judge_event(event, pools[name], pairs[name], updates[name], prepared.rules, instead, calibrate)
        for name, event in prepared.events.items()
    }
    return AutomaticJudgments(prepared, events)


def _judge_event(
    event: PreparedEvent,
    pool: Sequence[PooledUpdate],
    matches: Sequence[PossibleMatch],
    emitted: Sequence[PooledUpdate],
    rules: Rules,
    instead: bool,
    calibrate: float,
) -> _AutomaticEvent:
    words = {update.id: " ".join(update.text.split()) for update in (*emitted, *pool)}
    raw = {update.id: update.text for update in (*emitted, *pool)}
    people = event
    if instead:
        event = event.without_matches()
    seen = event.texts.keys() | event.matches.keys()
    of_words = {words[key]: event.texts[key] for key in event.texts if key in words}
    texts: dict[str, tuple[str, int]] = {}
    copies: set[str] = set()
    for update in emitted:
        update_id = update.id
        if update_id in seen or update_id in texts:
            continue
        twin = of_words.get(words[update_id])
        if twin is None:
            twin = of_words[words[update_id]] = (update_id, text_words(update.text, rules))
        elif twin[0] in people.texts:
            copies.add(update_id)
        texts[update_id] = twin
    for match in matches:
        if match.update_id not in seen and match.update_id not in texts:
            texts[match.update_id] = (match.update_id, 1)
    judged_ids = {judged_id for judged_id, _ in texts.values()} - people.texts.keys()
    if instead:
        judged_ids |= {judged_id for judged_id, _ in event.texts.values()}
    shift = log_odds_shift(_judged_pairs(people, matches), calibrate) if calibrate and not instead else 0.0
    possible: defaultdict[str, dict[int, PossibleSpan]] = defaultdict(dict)
    for match in matches:
        number = event.numbers.get(match.nugget_id)
        if match.update_id in judged_ids and number is not None and match.probability > 0:
            text = raw.get(match.update_id, "")
            span = (number, *event.words_of(text, match.start, match.end)) if text else (number, 0, 0)
            possible[match.update_id][number] = (shift_odds(match.probability, shift), span)
    return _AutomaticEvent(
        event.with_texts(texts),
        by_program=frozenset(texts.keys() - copies) | (people.texts.keys() if instead else frozenset()),
        copies=frozenset(() if instead else copies),
        possible={text: [own[number] for number in sorted(own)] for text, own in possible.items()},
        words=words,
    )


def _judged_pairs(event: PreparedEvent, matches: Iterable[PossibleMatch]) -> Iterator[tuple[float, bool]]:
    """Of the pairs of texts that people judged the probability, and whether they matched them; copies are left out."""
    for match in matches:
        one, nugget = match.update_id, match.nugget_id
        if nugget in event.numbers and event.texts.get(one, ("",))[0] == one:
            yield match.probability, any(own.nugget_id == nugget for own in event.matches.get(one, ()))
