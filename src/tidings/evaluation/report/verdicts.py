"""What judgments say, set beside a timeline: a thin layer over `tidings.evaluation.measures.trec_ts.explanations`."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tidings.core import Judgments, Run, Update
from tidings.following import Credit, Entry, NuggetFate, TimelineReport, Verdict

if TYPE_CHECKING:
    from tidings.core import Nugget
    from tidings.evaluation.measures.trec_ts import Explanation, Prepared, UpdateOutcome

OVER_TIME = ("nI[C]", "nI[LC]")


def judge(timeline: TimelineReport, run: Run, judgments: Judgments, prepared: Prepared) -> TimelineReport:
    """The timeline with the verdict on each update, the fate of each nugget, the curve and the scores.

    Args:
        timeline: of one event, from the updates of `run`.
        run: the run it shows; only its updates of this event count.
        judgments: where the spans of matches come from.
        prepared: the same judgments made ready under the wanted rules.

    Raises:
        UsageError: the judgments hold no nuggets for the event.
    """
    from tidings.core import UsageError
    from tidings.evaluation.measures.trec_ts import explain

    event_id = prepared.event_id(timeline.event.id)
    if event_id is None or event_id not in prepared.events:
        ids = ", ".join(prepared.events)
        message = f"{judgments.name}: no nuggets for event {timeline.event.id!r} (expected one of {ids})"
        raise UsageError(message)
    one_event = Run(run.team, run.name, tuple(entry.update for entry in timeline.entries))
    explanation = explain(prepared, one_event, event_id)
    texts = {entry.update.id: entry.text for entry in timeline.entries}
    # Spans point into the text that was judged; where the run's own text differs they mean nothing.
    same = {
        update.id
        for update in judgments.pool
        if update.event_id == event_id and texts.get(update.id) == update.text
    }
    spans = {
        (match.update_id, match.nugget_id): (match.start, match.end)
        for match in reversed(judgments.matches)
        if match.event_id == event_id and match.update_id in same
    }
    entries = _entries(timeline.entries, explanation, spans)
    numbers = _first_numbers(entries)
    return replace(
        timeline,
        entries=entries,
        nuggets=_fates(explanation, numbers),
        scores=scores_of(prepared, one_event, event_id),
        curve=tuple(
            (point.time, point.updates, point.comprehensiveness, point.latency_comprehensiveness)
            for point in explanation.curve
        ),
        rules=prepared.rules.name,
        judged=True,
    )


def scores_of(prepared: Prepared, run: Run, event_id: str) -> dict[str, float]:
    """Measure name to value for one event: the year's official table without its biased half, and the integrals."""
    from tidings.evaluation.measures.trec_ts import default_measures
    from tidings.evaluation.measures.trec_ts.rules import BIASED

    wanted = [measure for measure in default_measures(prepared.rules) if measure.name not in BIASED]
    event = prepared.events[event_id].event
    if event is not None and event.start_time is not None and event.end_time is not None:
        from tidings.evaluation.measures import Measure

        wanted += [Measure(name) for name in OVER_TIME]
    values = prepared.score(run, wanted).per_event[event_id]
    return {str(measure): values[measure] for measure in wanted}


def _entries(
    entries: Sequence[Entry], explanation: Explanation, spans: Mapping[tuple[str, str], tuple[int, int]]
) -> tuple[Entry, ...]:
    # Both are in time order; a run may emit the same sentence twice, so outcomes queue under their update's id.
    queues: dict[tuple[str, int], deque[UpdateOutcome]] = defaultdict(deque)
    for outcome in explanation.updates:
        queues[outcome.update.id, outcome.update.time].append(outcome)
    fates = {fate.nugget.id: fate for fate in explanation.nuggets}
    teller: dict[str, int] = {}
    with_verdicts = []
    for entry in entries:
        outcome = queues[entry.update.id, entry.update.time].popleft()
        for nugget in outcome.new:
            teller[nugget.id] = entry.number
        credits_ = []
        for nugget in outcome.new:
            fate = fates[nugget.id]
            start, end = spans.get((entry.update.id, nugget.id), (0, 0))
            latency_s = fate.latency_s or 0
            credits_.append(
                Credit(
                    nugget.id,
                    nugget.text,
                    nugget.importance,
                    latency_s,
                    fate.gain,
                    fate.latency_gain,
                    start,
                    end,
                )
            )
        verdict = Verdict(
            outcome.status,
            _why(outcome, teller),
            tuple(credits_),
            outcome.gain,
            outcome.latency_gain,
            outcome.verbosity,
        )
        with_verdicts.append(replace(entry, verdict=verdict))
    return tuple(with_verdicts)


def _why(outcome: UpdateOutcome, teller: Mapping[str, int]) -> str:
    if outcome.status == "unjudged":
        return "no assessor saw it; " + (
            "counts as saying nothing" if outcome.counted else "left out of the scores"
        )
    if outcome.status == "irrelevant":
        return "judged to match none of the nuggets"
    again = [_again(nugget, teller) for nugget in outcome.repeated]
    return "says again: " + "; ".join(dict.fromkeys(again)) if again else ""


def _again(nugget: Nugget, teller: Mapping[str, int]) -> str:
    number = teller.get(nugget.id)
    return f"{nugget.text} (update {number})" if number else nugget.text


def _first_numbers(entries: Sequence[Entry]) -> dict[str, tuple[int, Update]]:
    numbers: dict[str, tuple[int, Update]] = {}
    for entry in entries:
        for credit in entry.verdict.credits if entry.verdict else ():
            numbers.setdefault(credit.nugget_id, (entry.number, entry.update))
    return numbers


def _fates(explanation: Explanation, numbers: Mapping[str, tuple[int, Update]]) -> tuple[NuggetFate, ...]:
    fates = []
    for outcome in explanation.nuggets:
        nugget = outcome.nugget
        number, update = numbers.get(nugget.id, (None, None))
        # The time against which latency was measured may be another than the nugget's own (2015 options).
        time = update.time - (outcome.latency_s or 0) if update else nugget.time
        fates.append(
            NuggetFate(nugget.id, time, nugget.importance, nugget.text, number, update.time if update else 0)
        )
    return tuple(fates)
