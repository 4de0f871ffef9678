"""What a run lost on one event, and to what: each cause undone alone, in points of the measures."""

from __future__ import annotations

from dataclasses import dataclass

from tidings.evaluation.measures.trec_ts.explanations import Explanation
from tidings.evaluation.measures.trec_ts.prepared import PreparedEvent

__all__ = ["Loss", "Standing", "losses"]


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

    - silence: each nugget missed were told at its own time, by one update of no word too many;
    - lateness: each nugget told late were told at its own time;
    - repetition, irrelevance, unjudged: updates that only repeat, say no nugget, or that nobody judged were not sent;
    - verbosity: updates that told something new held only the words that did.

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
    undone = [
        (
            "silence",
            "nuggets never told",
            len(missed),
            "nuggets",
            actual.more(weight, len(missed), len(missed)),
        ),
        (
            "lateness",
            "nuggets told after their time",
            len(late),
            "nuggets",
            actual.more(sum(item.gain - item.latency_gain for item in late)),
        ),
        (
            "verbosity",
            "updates that earned, with words to spare",
            len(wordy),
            "updates",
            actual.more(cost=-sum(item.verbosity - 1 for item in wordy)),
        ),
    ]
    for cause, meaning, status in (
        ("repetition", "updates that only repeat", "repeated"),
        ("irrelevance", "updates judged to say no nugget", "irrelevant"),
        ("unjudged", "updates that no assessor saw", "unjudged"),
    ):
        wasted = [item for item in counted if item.status == status]
        cost = -sum(item.verbosity for item in wasted)
        undone.append((cause, meaning, len(wasted), "updates", actual.more(cost=cost, updates=-len(wasted))))
    standing = _standing(event, actual)
    causes = []
    for cause, meaning, count, unit, sums in undone:
        without = _standing(event, sums)
        causes.append(Loss(cause, meaning, count, unit, without, without.H - standing.H))
    return standing, tuple(sorted(causes, key=lambda loss: -loss.points))


def _standing(event: PreparedEvent, sums: _Sums) -> Standing:
    Z = event.best_mean(sums.updates)
    precision = sums.gain / sums.cost / Z if sums.updates > 0 and sums.cost > 1e-9 and Z else 0.0
    recall = sums.gain / event.total_gain if event.total_gain else 0.0
    both = precision + recall
    return Standing(precision, recall, 2 * precision * recall / both if both else 0.0)
