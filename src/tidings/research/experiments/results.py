"""What an experiment found, and its tables: every system's figures on every event, held against a baseline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan
from pathlib import Path
from statistics import fmean
from typing import Any

import msgspec

from tidings.core import (
    Cell,
    FormatError,
    Markup,
    Problem,
    Run,
    Table,
    Update,
    UsageError,
    clean,
    markdown_text,
    render,
)
from tidings.evaluation import (
    COLUMNS,
    Comparison,
    Measure,
    MeasureComparison,
    RunScores,
    Settings,
    compare_scores,
    figure,
    p_text,
    read_official_scores,
    verdict_p,
    with_sign,
)
from tidings.following import read_runs, write_runs
from tidings.research.experiments.execution import Followed, Trained, make_folder
from tidings.research.experiments.experiment import Experiment
from tidings.research.experiments.jobs import FollowJob
from tidings.research.experiments.plan import Plan, slug
from tidings.research.training.labelled_events import FIGURES, POOLED


@dataclass(frozen=True, slots=True)
class Row:
    """One system on one stream.

    Attributes:
        name: as the plan calls it.
        scores: event to figure to value, means over the seeds of training and of thinning.
        speed: sentences a second of CPU on one core.
        runs: how many seeds the figures are means of.
    """

    name: str
    scores: dict[str, dict[str, float]]
    speed: float
    runs: int = 1

    def mean(self, figure: str, events: Sequence[str]) -> float:
        """The mean of a figure over those of `events` that have it, or what it pools of them; nan where none has."""
        if figure in POOLED:
            total, count = (self.mean(part, events) for part in POOLED[figure])
            return total / count if count else nan
        values = [self.scores[event][figure] for event in events if figure in self.scores[event]]
        return sum(values) / len(values) if values else nan


@dataclass(frozen=True, slots=True)
class StreamResults:
    """All systems that are done on one stream, and those that are not."""

    stream: str
    rows: tuple[Row, ...]
    missing: tuple[str, ...]
    years: dict[str, str]

    @property
    def parts(self) -> list[tuple[str, tuple[str, ...]]]:
        """(name, events): all of them, and each year by itself where there are several."""
        years = list(dict.fromkeys(self.years.values()))
        each = [(year, tuple(event for event, own in self.years.items() if own == year)) for year in years]
        return each if len(each) == 1 else [(" + ".join(years), tuple(self.years)), *each]


@dataclass(frozen=True, slots=True)
class Block:
    """The rows of one stream on some of its events; `comparison` is None where there is one row only."""

    stream: str
    name: str
    events: tuple[str, ...]
    rows: tuple[Row, ...]
    comparison: Comparison | None


@dataclass(frozen=True, slots=True)
class OfficialRow:
    """A run that took part in TREC: means over so many events."""

    team: str
    run: str
    events: int
    means: dict[str, float]


@dataclass(frozen=True, slots=True)
class Curve:
    """How one training went: figures of the development events by step."""

    entry: str
    fold: str
    seed: int
    rows: tuple[dict[str, float], ...]


def gather(experiment: Experiment) -> list[StreamResults]:
    """The results of every stream, as far as they are there."""
    plan = experiment.plan
    years = {event.event.id: event.year for event in experiment.events}
    streams = []
    for stream in plan.streams:
        rows, missing, tested_events = [], [], set[str]()
        for entry in plan.entries:
            jobs = experiment.follows_of(entry.name, stream.name)
            if all(job.result.is_file() for job in jobs):
                row = _row(entry.name, [_read(job.result, Followed) for job in jobs])
                rows.append(row)
                tested_events.update(row.scores)
            else:
                missing.append(entry.name)
        tested = {event: year for event, year in years.items() if event in tested_events}
        streams.append(StreamResults(stream.name, tuple(rows), tuple(missing), tested))
    return streams


def _read(path: Path, kind: Any) -> Any:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (msgspec.MsgspecError, ValueError) as error:
        problem = Problem(
            str(path), 0, str(error), "a result of `tidings experiment`", "remove it; it is made again"
        )
        raise FormatError([problem]) from None


def _row(name: str, parts: Sequence[Followed]) -> Row:
    each: dict[str, list[dict[str, float]]] = {}
    for part in parts:
        for event, figures in part.scores.items():
            each.setdefault(event, []).append(figures)
    scores = {
        event: {
            figure: fmean(scores[figure] for scores in many if figure in scores)
            for figure in dict.fromkeys(name for scores in many for name in scores)
        }
        for event, many in each.items()
    }
    seconds = sum(part.seconds for part in parts)
    speed = sum(part.sentences for part in parts) / seconds if seconds else 0.0
    return Row(name, scores, speed, max((len(many) for many in each.values()), default=0))


def hold(results: StreamResults, plan: Plan) -> list[Block]:
    """The rows of a stream, the best first, on all events and on each year's, with tests against the baseline."""
    blocks = []
    for name, events in results.parts:
        main = str(plan.wanted[0])
        sign = -1 if FIGURES[plan.wanted[0].name].better == "lower" else 1
        rows = sorted(results.rows, key=lambda row: (-sign * row.mean(main, events), row.name))
        comparison = None
        if len(rows) > 1:
            scored = [_score(row, plan.wanted, events) for row in rows]
            comparison = compare_scores(scored, FIGURES, _baseline(plan, rows), Settings(with_t=plan.t_test))
        blocks.append(Block(results.stream, name, events, tuple(rows), comparison))
    return blocks


def _baseline(plan: Plan, rows: Sequence[Row]) -> str:
    kinds = {entry.name: entry.kind for entry in plan.entries}
    names = [row.name for row in rows]
    if plan.baseline != "best":
        return plan.baseline if plan.baseline in names else names[0]
    published = [name for name in names if name not in plan.ours and kinds[name] not in plan.ours]
    return (published or names)[0]


def _score(row: Row, measures: Sequence[Measure], events: Sequence[str]) -> RunScores:
    per_event = {
        event: {measure: row.scores[event].get(str(measure), nan) for measure in measures} for event in events
    }
    return RunScores("tidings", row.name, tuple(measures), per_event, over=tuple(events))


def official_rows(plan: Plan, events: Sequence[str]) -> list[OfficialRow]:
    """The runs of the plan's table of official scores, the best first: means over those of `events` that a run has.

    Raises:
        UsageError: the table has none of `events`, or lacks one of the plan's measures.
    """
    scores = read_official_scores(plan.official)
    lacking = [str(measure) for measure in plan.wanted if str(measure) not in COLUMNS]
    if lacking:
        raise UsageError(
            f"{plan.official}: no column for {lacking[0]} (expected one of {', '.join(COLUMNS)})"
        )
    of_events = [score for score in scores if score.event in set(events)]
    if not of_events:
        raise UsageError(f"{plan.official}: none of the tested events (expected scores of some)")
    runs: dict[tuple[str, str], list[dict[str, float]]] = {}
    for event in of_events:
        runs.setdefault((event.team, event.run), []).append(event.values)
    main = str(plan.wanted[0])
    rows = [
        OfficialRow(
            team, run, len(many), {name: sum(scores[name] for scores in many) / len(many) for name in COLUMNS}
        )
        for (team, run), many in runs.items()
    ]
    return sorted(rows, key=lambda row: (-row.means[main], row.team, row.run))


def curves(experiment: Experiment) -> list[Curve]:
    """The learning curve of every training that is done."""
    all_curves = []
    for job in experiment.trainings:
        if job.result.is_file():
            trained: Trained = _read(job.result, Trained)
            if trained.curve:
                all_curves.append(Curve(job.entry, job.fold.name, job.seed, tuple(trained.curve)))
    return all_curves


def write_merged_runs(experiment: Experiment, results: Sequence[StreamResults]) -> list[Path]:
    """For each stream, year, system and seed one run file with all tested events, as `tidings compare` takes them.

    They are at OUTPUT/runs/STREAM/YEAR/SYSTEM.tsv.
    """
    written = []
    for result in results:
        for row in result.rows:
            jobs = experiment.follows_of(row.name, result.stream)
            for number, seeds in enumerate(sorted({(job.seed, job.stream.seed) for job in jobs}), 1):
                updates = [
                    u for job in jobs if (job.seed, job.stream.seed) == seeds for u in _updates_of(job)
                ]
                ending = "" if number == 1 else f"-{number}"
                for year in dict.fromkeys(result.years.values()):
                    path = Path(experiment.plan.output) / "runs" / result.stream / slug(year)
                    make_folder(path)
                    name = f"{slug(row.name)}{ending}"
                    own = tuple(update for update in updates if result.years[update.event_id] == year)
                    write_runs(path / f"{name}.tsv", [Run("tidings", name, own)])
                    written.append(path / f"{name}.tsv")
    return written


def _updates_of(job: FollowJob) -> list[Update]:
    if not job.run.is_file():
        raise UsageError(f"{job.run}: no such file (expected a run); remove {job.result}, it is made again")
    if not job.run.stat().st_size:
        return []
    return [update for run in read_runs(job.run) for update in run.updates]


CAVEAT = (
    "These runs chose from the full corpus, of which the pool is what participants submitted and assessors looked at: "
    "their figures and those above are from different tasks and cannot be compared."
)


_HEADINGS = {"markdown": "### ", "latex": "% "}


def print_block(block: Block, measures: Sequence[Measure], form: str = "table") -> str:
    """Title and table; after a figure, `+` says significantly above the baseline's and `-` below."""
    head = ["system", *map(str, measures), "updates", "words", "sentences/s"]
    if block.comparison:
        with_t = ["p(t)"] if block.comparison.settings.with_t else []
        head += [f"{measures[0]} difference", "p", "p(Holm)", *with_t]
    rows = tuple(_cells(block, place, measures, form) for place in range(len(block.rows)))
    table = Table(tuple(head), rows, right=tuple(range(1, len(head))))
    title = clean(f"{block.stream} stream, {block.name} ({len(block.events)} events)")
    return f"{_HEADINGS.get(form, '')}{markdown_text(title) if form == 'markdown' else title}\n\n{render(table, form)}"


def print_official(rows: Sequence[OfficialRow], measures: Sequence[Measure], form: str = "table") -> str:
    """The runs of the teams that took part, under their title and with the caveat that belongs to them."""
    head = ("team", "run", *map(str, measures), "updates", "events")
    cells = [
        (
            clean(row.team),
            clean(row.run),
            *(figure(row.means[str(measure)]) for measure in measures),
            f"{row.means['updates']:,.0f}",
            str(row.events),
        )
        for row in rows
    ]
    table = render(Table(head, tuple(cells), right=tuple(range(2, len(head)))), form)
    caveat = f"% {CAVEAT}" if form == "latex" else CAVEAT
    return f"{_HEADINGS.get(form, '')}Official scores of the teams that took part\n\n{table}\n\n{caveat}"


def notes(comparison: Comparison) -> list[str]:
    """What the marks and the columns of p mean."""
    settings = comparison.settings
    by_t = (
        f"`*` after a figure: p(t) < {settings.alpha:g}, the paired t-test on the difference from the baseline's, for "
        "this measure and row alone."
    )
    return [
        "Rows are ordered by the first measure. `+` and `-` after a figure: significantly above or below the "
        f"baseline's, at p < {settings.alpha:g} after Holm's correction over the rows, for each measure by itself.",
        "p: paired randomization test over events, two-sided, on the mean difference of the first measure from the "
        f"baseline's (exact where events are few, else {settings.samples:,} rounds, seed {settings.seed}).",
        *([by_t] if settings.with_t else []),
        "updates and words: means for each event. sentences/s: of CPU on one core, deciding alone, "
        "without reading.",
    ]


def _cells(block: Block, place: int, measures: Sequence[Measure], form: str) -> tuple[Cell, ...]:
    row, comparison = block.rows[place], block.comparison
    name = clean(row.name)
    means = [row.mean(str(measure), block.events) for measure in measures]
    costs = _costs(row, block.events)
    if comparison is None:
        return (name, *map(figure, means), *costs)
    if place == comparison.baseline:
        name += " (baseline)"
    cells: list[Cell] = [name]
    for measure, mean in zip(comparison.measures, means, strict=True):
        text, mark = figure(mean), _mark(comparison, measure, place)
        if form == "markdown" and place in measure.best:
            cells.append(Markup(f"**{text}** {markdown_text(mark)}".rstrip()))
        else:
            cells.append(f"{text} {mark}".rstrip())
    pair = comparison.measures[0].against[place]
    tests: tuple[str, ...] = (
        ("", "", "")
        if pair is None
        else (with_sign(pair.mean), p_text(pair.randomization.p), p_text(pair.holm))
    )
    if comparison.settings.with_t:
        tests = (*tests, p_text(pair.t.p) if pair and pair.t else "")
    return (*cells, *costs, *tests)


def _mark(comparison: Comparison, measure: MeasureComparison, place: int) -> str:
    pair = measure.against[place]
    if pair is None or not pair.mean or str(measure.measure) in POOLED:
        return ""  # what is pooled is no mean over events, and is not tested
    sign = "+" if pair.mean > 0 else "-"
    mark = sign if verdict_p(comparison, pair) < comparison.settings.alpha else ""
    return f"{mark}*" if pair.t and pair.t.p < comparison.settings.alpha else mark


def _costs(row: Row, events: Sequence[str]) -> list[str]:
    sizes = [f"{row.mean(size, events):,.0f}" for size in ("updates", "words")]
    return [*sizes, f"{row.speed:,.0f}" if row.speed else "–"]
