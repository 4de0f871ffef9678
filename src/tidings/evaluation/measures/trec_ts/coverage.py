"""Comprehensiveness over time: what a reader of a run knew, and how long after the event began."""

from __future__ import annotations

from tidings.core import Run
from tidings.evaluation.measures.trec_ts.event_updates import NOTHING
from tidings.evaluation.measures.trec_ts.scores import Prepared
from tidings.evaluation.measures.trec_ts.totals import add_up

__all__ = ["coverage"]


def coverage(prepared: Prepared, run: Run) -> dict[str, list[tuple[int, float]]]:
    """For each judged event whose period is known, the steps of C: (seconds after its start, C from then on).

    Each begins with (0, what was known at the start) and ends at the event's end, or at the last nugget told after it.
    """
    split, curves = prepared.split(run), {}
    for event_id, event in prepared.events.items():
        if event.event is None or event.event.start_time is None or event.event.end_time is None:
            continue
        sums = add_up(event, split.get(event_id, NOTHING), prepared.rules)
        start, gained = event.event.start_time, 0.0
        steps: dict[int, float] = {0: 0.0}
        for time, gain, _ in sums.steps:
            gained += gain
            steps[max(time - start, 0)] = gained / event.total_gain if event.total_gain else 0.0
        last = max(steps)
        steps[max(last, event.event.end_time - start)] = steps[last]
        curves[event_id] = list(steps.items())
    return curves
