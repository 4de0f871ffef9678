"""tidings' measures called as ir_measures' are: `calc_aggregate` and `iter_calc` of measures, judgments and a run.

Any family will do: what stands in for qrels is judgments made ready by that family's `prepare`, or a folder's judgments
as read, which are then scored by the rules of TREC Temporal Summarization 2014. Queries are events.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol, TypeVar

from tidings.core import Judgments, Run
from tidings.evaluation.measures.measure import Measure, parse_measure
from tidings.evaluation.measures.run_scores import RunScores

R_contra = TypeVar("R_contra", contravariant=True)


class Metric(NamedTuple):
    """One value, with the fields that ir_measures gives it."""

    query_id: str
    measure: Measure
    value: float


class Scores(Protocol[R_contra]):
    """Judgments made ready by any family."""

    def score(self, run: R_contra, measures: Sequence[Measure] | None = None) -> RunScores:
        """What a run scores."""


R = TypeVar("R")


def iter_calc(
    measures: Iterable[Measure | str], judged: Scores[R] | Judgments, run: R | Run
) -> Iterator[Metric]:
    """The value of each measure on each event that the means go over; silent events too, where they count."""
    scores = _score(measures, judged, run)
    for event in scores.over:
        for measure, value in scores.per_event[event].items():
            yield Metric(event, measure, value)


def calc_aggregate(
    measures: Iterable[Measure | str], judged: Scores[R] | Judgments, run: R | Run
) -> dict[Measure, float]:
    """Each measure's mean over events, as the family defines it.

    Raises:
        UsageError: an unknown measure or event.

    >>> from tidings.sources import bundled
    >>> from tidings.sources.streams import read_judgments
    >>> judgments = read_judgments(bundled.path())
    >>> calc_aggregate(["nE[LG]", "C@3600s"], judgments, Run("me", "silent", ()))
    {nE[LG]: 0.0, C@3600s: 0.0}
    """
    scores = _score(measures, judged, run)
    return {measure: scores.mean(measure) for measure in scores.measures}


def _score(measures: Iterable[Measure | str], judged: Scores[R] | Judgments, run: R | Run) -> RunScores:
    wanted = tuple(parse_measure(measure) if isinstance(measure, str) else measure for measure in measures)
    if isinstance(judged, Judgments):
        from tidings.evaluation.measures.trec_ts import prepare

        judged = prepare(judged)  # type: ignore[assignment]
    return judged.score(run, wanted)  # type: ignore[union-attr, arg-type]
