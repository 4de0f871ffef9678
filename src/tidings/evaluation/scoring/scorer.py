"""Judgments made ready under one rule set: the same few calls for every family of measures."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeAlias, TypeVar

from tidings.core import Judgments, Problems, Run, UsageError
from tidings.evaluation.measures import Measure, parse_measure
from tidings.evaluation.measures.run_scores import RunCounts, RunScores, UnknownEventError, origin_of

if TYPE_CHECKING:
    from tidings.evaluation.measures import MeasureInfo

Mean = Literal["own", "all"]
Mode = Literal["official", "guideline"]
Pool = Literal["sampled", "extended"]
Relevance = Literal["graded", "binary"]
Unpooled = Literal["count", "skip"]


@dataclass(frozen=True, slots=True)
class ScoringOptions:
    """How to score, beside the rules; None leaves it to them.

    Attributes:
        pool: which table of judged updates of a TREC folder.
        unpooled: count unjudged updates as not relevant, or skip them.
        relevance: graded or binary nuggets.
        mode: as the year's script does (official), or as its guidelines say.
        mean: over the run's own events, as most rules have it, or over all judged ones, so that silence costs.
        universe: a file of the days of a collection, for Change Detection: those that are not judged had no change.
    """

    pool: Pool = "sampled"
    unpooled: Unpooled | None = None
    relevance: Relevance | None = None
    mode: Mode = "official"
    mean: Mean | None = None
    universe: str | Path | None = None


Source: TypeAlias = str | Path | Judgments
"""Where judgments are: a folder, or `tidings.core.records.Judgments` in memory."""


def judgments_of(source: Source, options: ScoringOptions) -> Judgments:
    """The judgments of a folder, or those given."""
    if isinstance(source, Judgments):
        return source
    from tidings.sources import read_judgments

    return read_judgments(source, pool=options.pool)


def folder_of(source: Source, rules: str) -> Path:
    """The folder of judgments, for families whose files hold more than `Judgments` can.

    Raises:
        UsageError: judgments in memory.
    """
    if isinstance(source, Judgments):
        raise UsageError(f"{rules} takes no judgments in memory; give the folder that they are read from")
    return Path(source)


def judged_ids(judged: Judgments) -> dict[str, set[str]]:
    """The ids of all judged updates, by event; none where there is nothing but them: nobody could choose more."""
    ids: dict[str, set[str]] = {}
    if judged.pool_whole:
        return ids
    for update in judged.pool:
        ids.setdefault(update.event_id, set()).add(update.id)
    return ids


MAIN = ("H", "E[LG]", "EG-1", "nDCG@10-1", "ELG", "F1w", "F1", "R1-align+m1-F", "document-AP")
"""The measure that a comparison goes by when none is asked for: the first of these that the family has."""


def parse_measures(texts: Iterable[str], scorer: Scorer[Any]) -> tuple[Measure, ...]:
    """The measures that some texts name, apart by commas or blanks; each once, in their order.

    Raises:
        UsageError: a measure that the scorer's rules do not have.
    """
    names = [name for text in texts for part in text.split(",") for name in part.split()]
    return tuple(dict.fromkeys(parse_measure(name, scorer.info) for name in names))


def compared_measures(scorer: Scorer[Any]) -> tuple[Measure, ...]:
    """The measures that runs are compared by unless others are asked for, the main one first.

    Those without a better and a worse are left out; so are latencies: by topic they are 0 where nothing earned, which
    would crown silence.
    """
    measures = [
        measure
        for measure in scorer.short or scorer.measures
        if scorer.info[measure.name].better and not measure.name.startswith("latency_")
    ]
    main = next((measure for name in MAIN for measure in measures if str(measure) == name), None)
    if main is None:
        return tuple(measures) or scorer.measures
    return (main, *(measure for measure in measures if measure != main))


R = TypeVar("R")

Curve = list[tuple[int, float]]


@dataclass(frozen=True, slots=True)
class Scorer(Generic[R]):
    """Judgments made ready, whatever their kind; runs are of one kind for each family (`takes`).

    Attributes:
        rules: the name of the rule set.
        info: the measures that can be asked for.
        measures: those shown unasked, in their order.
        events: the judged events.
        takes: what a run is in memory: `tidings.core.records.Run` for all that is scored by updates.
        read: all runs of one file.
        score: one run.
        count: how one run's outputs sit with the judgments.
        short: those measures shown unasked in a table for people (default: all).
        curve: comprehensiveness of a run over time: event to (seconds after the event's start, share) steps. None where
            the family, or these judgments, have no such thing.
        ranks: measures by name after each place of a run's ranking, by event; None where runs are not ranked.
        pooled: the ids of all updates that were judged, by event; empty where the family has no pool, or where the pool
            is all that there is.
    """

    rules: str
    info: dict[str, MeasureInfo]
    measures: tuple[Measure, ...]
    events: tuple[str, ...]
    takes: type[R]
    read: Callable[[str | Path, Problems], Sequence[R]]
    score: Callable[[R, tuple[Measure, ...]], RunScores]
    count: Callable[[R], RunCounts]
    short: tuple[Measure, ...] = ()
    curve: Callable[[R], dict[str, Curve]] | None = None
    ranks: Callable[[R], dict[str, list[dict[str, float]]]] | None = None
    pooled: Mapping[str, Container[str]] = field(default_factory=dict)

    def score_run(self, run: R, measures: Iterable[Measure] | None = None) -> RunScores:
        """One run in memory, scored by `measures` (default: those shown unasked).

        Raises:
            UsageError: a run of another kind, or of an event that the judgments do not list.
        """
        if not isinstance(run, self.takes):
            raise UsageError(f"{self.rules} scores a {self.takes.__name__}, not a {type(run).__name__}")
        result = self.score(run, self.measures if measures is None else tuple(measures))
        counts = self.count(run)
        if counts.outputs and counts.left_out == counts.outputs:
            others = ", ".join(result.unjudged[:5]) + (", ..." if len(result.unjudged) > 5 else "")
            raise UnknownEventError(
                result.unjudged[0] if result.unjudged else "",
                f"{' '.join(filter(None, ('run', result.team, result.run)))} has updates on {others or 'events'} only, "
                "for which there are no judgments, so nothing is left to score; give the judgments of its events",
            )
        origin = origin_of(run, self.events, self.pooled) if isinstance(run, Run) else None
        return replace(result, origin=origin, counts=counts)

    def score_runs(self, runs: Iterable[R], measures: Iterable[Measure] | None = None) -> list[RunScores]:
        """Each of some runs in memory, scored."""
        asked = None if measures is None else tuple(measures)
        return [self.score_run(run, asked) for run in runs]

    def read_runs(self, path: str | Path, problems: Problems | None = None) -> list[R]:
        """All runs of one file, in its order; of a store too, where runs are of updates.

        Raises:
            UsageError: a store, and rules whose runs are of another kind; or every line was bad and passed over.
            FormatError: bad lines, all together with path:line.
        """
        collected = Problems() if problems is None else problems
        before = collected.count
        runs = list(self.read(path, collected))
        if collected.count > before and not any(map(_says_something, runs)):
            raise UsageError(f"{path}: {collected.summary()}; nothing is left to score")
        return runs

    def score_file(
        self,
        path: str | Path,
        measures: Iterable[Measure] | None = None,
        problems: Problems | None = None,
    ) -> list[RunScores]:
        """All runs of one file, scored.

        Raises:
            UsageError: a run has an event that the judgments do not list, with path:line.
            FormatError: bad lines, all together with path:line.
        """
        return self.score_from(path, self.read_runs(path, problems), measures)

    def score_from(
        self, path: str | Path, runs: Iterable[R], measures: Iterable[Measure] | None = None
    ) -> list[RunScores]:
        """Runs that were read from `path`, scored; errors name the place in it."""
        try:
            return self.score_runs(runs, measures)
        except UnknownEventError as error:
            from tidings.evaluation.scoring.runs import place_of

            raise UsageError(f"{place_of(path, error.event)}: {error}") from None

    @property
    def of_updates(self) -> bool:
        """Whether runs are of updates (`tidings.core.records.Run`), as most are."""
        takes: Any = self.takes
        return takes is Run


def _says_something(run: Any) -> bool:
    if any(getattr(run, outputs, ()) for outputs in ("updates", "facts", "rankings", "answers")):
        return True
    return any(timeline.days for timeline in getattr(run, "timelines", ()))
