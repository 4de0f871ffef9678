"""Why a run scored what it scored: what each update earned, which update covered each nugget, and when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tidings.core import Nugget, Run, Update
from tidings.evaluation.measures.trec_ts.prepared import NOTHING, PreparedEvent
from tidings.evaluation.measures.trec_ts.scores import Prepared, judged_in_order, latency_discount, outcome

Status = Literal["new", "repeated", "irrelevant", "unjudged"]


@dataclass(frozen=True, slots=True)
class UpdateOutcome:
    """One update: what it newly covered, what it only repeated, and what its words cost.

    `status`: new (it earned something), repeated (all that it says was covered before), irrelevant (judged, says no
    nugget), unjudged (no assessor saw it; `counted` says whether the rules count it).
    """

    update: Update
    status: Status
    new: tuple[Nugget, ...]
    repeated: tuple[Nugget, ...]
    gain: float
    latency_gain: float
    verbosity: float
    words: int
    matched_words: int
    counted: bool = True


@dataclass(frozen=True, slots=True)
class NuggetOutcome:
    """One nugget: its weight R(n), and the update that first covered it.

    `latency_s` is how many seconds after the nugget's time that was (negative: before it).
    """

    nugget: Nugget
    relevance: float
    told_by: Update | None
    latency_s: int | None
    gain: float
    latency_gain: float


@dataclass(frozen=True, slots=True)
class Point:
    """The state right after the updates of one moment."""

    time: int
    updates: int
    comprehensiveness: float
    latency_comprehensiveness: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """One run, one event: updates in time order, nuggets in time order, and the curve over time."""

    event_id: str
    updates: tuple[UpdateOutcome, ...]
    nuggets: tuple[NuggetOutcome, ...]
    curve: tuple[Point, ...]


def explain(prepared: Prepared, run: Run, event_id: str) -> Explanation:
    """Explain one run's score on one event (its id as in the judgments or bare).

    Raises:
        KeyError: the judgments hold no nuggets for the event.
    """
    event = prepared.events[prepared.event_id(event_id) or event_id]
    emitted, rules = prepared.split(run).get(event.id, NOTHING), prepared.rules
    judged_numbers = {number for _, number in judged_in_order(event, emitted, rules)}
    seen_texts: set[str] = set()
    seen_nuggets: set[int] = set()
    told_by: dict[int, Update] = {}
    outcomes: list[UpdateOutcome] = []
    for time, number in sorted((emitted.time(number), number) for number in range(len(emitted))):
        update = emitted.update(number)
        if number not in judged_numbers:
            counted = rules.unpooled == "count"
            verbosity = 1 + 1 / event.mean_words if event.mean_words else 1.0
            outcomes.append(UpdateOutcome(update, "unjudged", (), (), 0.0, 0.0, verbosity, 1, 0, counted))
            continue
        earned = outcome(event, update.id, time, seen_texts, seen_nuggets, rules)
        told_by.update(dict.fromkeys(earned.new, update))
        status: Status = "new" if earned.new else "repeated" if earned.repeated else "irrelevant"
        outcomes.append(
            UpdateOutcome(
                update,
                status,
                tuple(event.nuggets[nugget] for nugget in earned.new),
                tuple(event.nuggets[nugget] for nugget in earned.repeated),
                earned.gain,
                earned.latency_gain,
                earned.verbosity,
                earned.words,
                earned.matched_words,
            )
        )
    return Explanation(
        event.id, tuple(outcomes), _nuggets(event, told_by, rules.alpha_s), _curve(event, outcomes)
    )


def _nuggets(event: PreparedEvent, told_by: dict[int, Update], alpha_s: int) -> tuple[NuggetOutcome, ...]:
    outcomes = []
    for number, nugget in enumerate(event.nuggets):
        update, R, time = told_by.get(number), event.gains[number], event.times[number]
        if update is None:
            outcomes.append(NuggetOutcome(nugget, R, None, None, 0.0, 0.0))
        else:
            discount = latency_discount(time, update.time, alpha_s)
            outcomes.append(NuggetOutcome(nugget, R, update, update.time - time, R, R * discount))
    return tuple(sorted(outcomes, key=lambda item: (item.nugget.time, item.nugget.id)))


def _curve(event: PreparedEvent, outcomes: Sequence[UpdateOutcome]) -> tuple[Point, ...]:
    points: list[Point] = []
    gain = latency_gain = 0.0
    total = event.total_gain or 1.0
    counted = [item for item in outcomes if item.counted]
    for number, item in enumerate(counted, start=1):
        gain += item.gain
        latency_gain += item.latency_gain
        point = Point(item.update.time, number, gain / total, latency_gain / total)
        if points and points[-1].time == point.time:
            points[-1] = point
        else:
            points.append(point)
    return tuple(points)


@dataclass(frozen=True, slots=True)
class Standing:
    """The event's headline figures: nE[LG] (precision), LC (recall) and H (of both)."""

    precision: float
    recall: float
    H: float


@dataclass(frozen=True, slots=True)
class Loss:
    """One cause undone: how often it occurred, and where the run would stand without it.

    `cause` is silence, lateness, repetition, irrelevance, unjudged or verbosity; `points` are H without it minus H.
    """

    cause: str
    meaning: str
    count: int
    unit: str
    without: Standing
    points: float


@dataclass(frozen=True, slots=True)
class _Sums:
    gain: float
    cost: float
    updates: int

    def more(self, gain: float = 0.0, cost: float = 0.0, updates: int = 0) -> _Sums:
        return _Sums(self.gain + gain, self.cost + cost, self.updates + updates)


def losses(event: PreparedEvent, explanation: Explanation) -> tuple[Standing, tuple[Loss, ...]]:
    """Where the run stands on the event, and what undoing each cause alone would give, the greatest loss first.

    - silence: each nugget missed were covered at its own time, by one update of no word too many;
    - lateness: each nugget covered late were covered at its own time;
    - repetition, irrelevance, unjudged: updates that only repeat, say no nugget, or that nobody judged were not sent;
    - verbosity: updates that covered something new held only the words that did.

    Causes are undone one at a time, so their points do not add up to 1 - H.
    """
    counted = [item for item in explanation.updates if item.counted]
    actual = _Sums(
        sum(item.latency_gain for item in counted), sum(item.verbosity for item in counted), len(counted)
    )
    missed = [item for item in explanation.nuggets if item.told_by is None]
    late = [item for item in explanation.nuggets if item.told_by and item.latency_gain < item.gain]
    wordy = [item for item in counted if item.status == "new" and item.verbosity > 1]
    weight = sum(item.relevance for item in missed)
    told_all = actual.more(weight, len(missed), len(missed))
    in_time = actual.more(sum(item.gain - item.latency_gain for item in late))
    terse = actual.more(cost=-sum(item.verbosity - 1 for item in wordy))
    undone = [
        ("silence", "nuggets never covered", len(missed), "nuggets", told_all),
        ("lateness", "nuggets covered late", len(late), "nuggets", in_time),
        ("verbosity", "updates that earned, with words to spare", len(wordy), "updates", terse),
    ]
    for cause, meaning, status in (
        ("repetition", "updates that only repeat", "repeated"),
        ("irrelevance", "updates judged to say no nugget", "irrelevant"),
        ("unjudged", "updates that no assessor saw", "unjudged"),
    ):
        wasted = [item for item in counted if item.status == status]
        cost = -sum(item.verbosity for item in wasted)
        undone.append((cause, meaning, len(wasted), "updates", actual.more(cost=cost, updates=-len(wasted))))
    standing = _find_standing(event, actual)
    causes = []
    for cause, meaning, count, unit, sums in undone:
        without = _find_standing(event, sums)
        causes.append(Loss(cause, meaning, count, unit, without, without.H - standing.H))
    return standing, tuple(sorted(causes, key=lambda loss: -loss.points))


def _find_standing(event: PreparedEvent, sums: _Sums) -> Standing:
    Z = event.best_mean(sums.updates)
    precision = sums.gain / sums.cost / Z if sums.updates > 0 and sums.cost > 1e-9 and Z else 0.0
    recall = sums.gain / event.total_gain if event.total_gain else 0.0
    both = precision + recall
    return Standing(precision, recall, 2 * precision * recall / both if both else 0.0)
