"""`tidings score`: how good are these runs, by the track's own measures."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from tidings.measures import Measure
    from tidings.measures.trec_ts import Rules, RunScores
    from tidings.report.tables import Cell, Table

__all__ = ["register"]

_SUMMARY = (("all", "mean"), ("all.std", "std"), ("all.min", "min"), ("all.max", "max"))


Form = Literal["table", "tsv", "jsonl", "markdown", "latex"]
Mean = Literal["own", "all"]
Pool = Literal["sampled", "extended"]
Relevance = Literal["graded", "binary"]
Unpooled = Literal["count", "skip"]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("score")(score)


def score(
    runs: Annotated[
        list[Path],
        typer.Argument(metavar="RUN...", help="Run files: TREC columns, or .jsonl; may be compressed."),
    ],
    judgments: Annotated[
        Path, typer.Option("--judgments", "-j", help="Folder with nuggets, matches and the pool of updates.")
    ],
    rules: Annotated[str, typer.Option(help="Rule set: trec-2013, trec-2014 or trec-2015.")] = "trec-2014",
    per_event: Annotated[
        bool, typer.Option("--per-event", help="A row for each event, then mean, deviation, least and most.")
    ] = False,
    measures: Annotated[
        list[str] | None,
        typer.Option(
            "--measures", "-m", help="Measures, apart by commas or repeated, such as 'nE[LG],LC,H,C@3600'."
        ),
    ] = None,
    unpooled: Annotated[
        Unpooled | None,
        typer.Option(help="Count unjudged updates as not relevant, or skip them (default: the rules')."),
    ] = None,
    relevance: Annotated[
        Relevance | None, typer.Option(help="Graded or binary nuggets (default: graded).")
    ] = None,
    pool: Annotated[
        Pool, typer.Option(help="The sampled pool, or the one extended by exact copies.")
    ] = "sampled",
    mean: Annotated[
        Mean, typer.Option(help="Mean over the run's own events (official), or over all: silence costs.")
    ] = "own",
    form: Annotated[Form, typer.Option("--format", "-f", help="How to print.")] = "table",
    lenient: Annotated[
        bool, typer.Option("--lenient", help="Skip bad lines of runs, and say how many.")
    ] = False,
) -> None:
    """Score runs against judgments, exactly as the track's official scorer does.

    Without --measures, table, markdown and latex show the ten plain measures; tsv and jsonl show the
    confidence-biased ones too. jsonl gives one object a line with unrounded values: team, run, event, measure, value.
    """
    from tidings.formats.tables import gc_paused
    from tidings.measures import parse_measure
    from tidings.measures.trec_ts import INFO, default_measures, named

    rule_set = named(rules, unpooled=unpooled, relevance=relevance)
    names = [name for text in measures or () for name in _split_names(text)]
    wanted = tuple(parse_measure(name, INFO) for name in names)
    if not wanted:
        wanted = default_measures(rule_set)
        if form not in ("tsv", "jsonl"):
            wanted = tuple(measure for measure in wanted if not measure.name.startswith("c"))
    with gc_paused():
        scored = _score_all(runs, judgments, pool, rule_set, wanted, mean, lenient)
    if form == "jsonl":
        _print_jsonl(scored, per_event)
    else:
        from tidings.report.tables import render

        print(render(_table(scored, wanted, per_event), form))  # noqa: T201


def _score_all(
    runs: list[Path],
    judgments: Path,
    pool: Pool,
    rules: Rules,
    wanted: tuple[Measure, ...],
    mean: Mean,
    lenient: bool,
) -> list[RunScores]:
    from tidings.errors import Problems, UsageError
    from tidings.formats import read_judgments, read_runs
    from tidings.measures.trec_ts import UnknownEventError, prepare

    prepared = prepare(read_judgments(judgments, pool=pool), rules)
    scored = []
    for path in runs:
        problems = Problems(lenient=lenient)
        for run in read_runs(path, problems=problems):
            try:
                result = prepared.score(run, wanted, mean=mean)
            except UnknownEventError as error:
                raise UsageError(f"{_where(path, error.event)}: {error}") from None
            _remark(result, len(prepared.events), mean)
            scored.append(result)
        if problems.count:
            print(f"tidings: {problems.summary()}", file=sys.stderr)  # noqa: T201
    return scored


def _where(path: Path, event: str) -> str:
    """The place of the first line that tells of an event, as path:line."""
    from tidings.formats.files import read_lines

    wanted = event.encode("utf-8", "surrogateescape")
    for number, line in read_lines(path):
        if line.split(None, 1)[:1] == [wanted] or b'"' + wanted + b'"' in line:
            return f"{path}:{number}"
    return str(path)


def _split_names(text: str) -> list[str]:
    return [name for part in text.split(",") for name in part.split()]


def _remark(result: RunScores, events: int, mean: Mean) -> None:
    name = f"run {result.team} {result.run}"
    if result.silent:
        how = "left out of its means (official; --mean all counts silence as zero)"
        if mean == "all":
            how = "counted as zero in its means"
        which = ", ".join(result.silent[:5]) + (", ..." if len(result.silent) > 5 else "")
        text = f"{name} is silent on {len(result.silent)} of {events} events ({which}): {how}"
        print(f"tidings: {text}", file=sys.stderr)  # noqa: T201
    if result.unjudged:
        which = ", ".join(result.unjudged)
        print(f"tidings: {name} tells of {which}, for which there are no nuggets: left out", file=sys.stderr)  # noqa: T201


def _rows(result: RunScores, per_event: bool) -> Iterator[tuple[str, dict[Measure, float]]]:
    if per_event:
        for event in result.per_event:
            yield event, result.per_event[event]
    summaries = {measure: result.summary(measure) for measure in result.measures}
    for label, statistic in _SUMMARY:
        yield label, {measure: summaries[measure][statistic] for measure in result.measures}


def _table(scored: list[RunScores], measures: tuple[Measure, ...], per_event: bool) -> Table:
    from tidings.report.tables import Table

    rows: list[tuple[Cell, ...]] = [
        (result.team, result.run, event, *(float(values[measure]) for measure in measures))
        for result in scored
        for event, values in _rows(result, per_event)
        if per_event or event == "all"
    ]
    return Table(("team", "run", "event", *map(str, measures)), tuple(rows))


def _print_jsonl(scored: list[RunScores], per_event: bool) -> None:
    import msgspec

    encode = msgspec.json.Encoder().encode
    lines = [
        encode(
            {"team": result.team, "run": result.run, "event": event, "measure": str(measure), "value": value}
        )
        for result in scored
        for event, values in _rows(result, per_event)
        for measure, value in values.items()
    ]
    sys.stdout.write("".join(f"{line.decode()}\n" for line in lines))
