"""`tidings score`: how good are these runs, by the track's own measures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tidings.core import (
    described,
    form_of,
    say,
    show,
    terminal_width,
)
from tidings.evaluation.scoring import scorer_for
from tidings.evaluation.scoring.scorer import Mean, Mode, Pool, Relevance, Scorer, ScoringOptions, Unpooled
from tidings.evaluation.verbs.scoring_options import (
    SCORING_OPTIONS,
    sort_arguments,
)

if TYPE_CHECKING:
    from tidings.core import Cell, Table
    from tidings.evaluation.measures import Measure, RunScores
    from tidings.evaluation.verbs.score_automatic import Wish

_SUMMARY = (("all", "mean"), ("all.std", "std"), ("all.min", "min"), ("all.max", "max"))
_ALL_MEASURES = ("tsv", "csv", "long", "jsonl", "json")
_FOR_PEOPLE = ("table", "markdown", "latex")

Form = Literal["table", "tsv", "csv", "long", "jsonl", "json", "markdown", "latex", "html"]


@described(__file__, SCORING_OPTIONS)
def score(
    runs: list[str],
    judgments: Path | None = None,
    rules: str = "trec-2014",
    per_event: bool = False,
    measures: list[str] | None = None,
    unpooled: Unpooled | None = None,
    relevance: Relevance | None = None,
    pool: Pool = "sampled",
    mean: Mean | None = None,
    complete: bool = False,
    mode: Mode = "official",
    form: Form | None = None,
    out: str | None = None,
    curves: bool = False,
    universe: Path | None = None,
    lenient: bool = False,
    quiet: bool = False,
    matches: Path | None = None,
    automatic: bool = False,
    matches_only: bool = False,
    threshold: float | None = None,
    draws: int | None = None,
    seed: int | None = None,
    spread: float | None = None,
    calibrate: bool = True,
    model: str | None = None,
    stream: list[str] | None = None,
) -> None:
    """Score runs against judgments, exactly as the track's official scorer does.

    The row of means says which events it covers: `own 9 of 12`, those with updates by the run, or `all 12`.
    Judgments may stand first and measures last: `tidings score JUDGMENTS RUN H C@3600s`.

    Without --measures, TREC rules show the ten plain measures as table, markdown and latex; the other formats also show
    the confidence-biased ones. long has a line for each run, event and measure; jsonl has one object per line with
    unrounded values: team, run, event, measure, value; json is one object with all runs, how many of their updates are
    in the pool, repeated or at impossible times, and all notes. Warnings on standard error name what makes scores
    doubtful (updates that match nothing, come twice, or were decided before their document existed) or incomparable (a
    model that learned from the judged events; one run chosen from the pool of judged sentences, another from whole
    documents).

    With --matches or --automatic (TREC rules), each run has several rows: `people`, by people's judgments alone;
    `automatic`, with a program's matches for unjudged updates; `expected`, the mean over random draws of possible
    matches, with a 95 % interval.
    """
    from tidings.core import gc_paused
    from tidings.evaluation.report.remarks import score_remarks

    shape = form_of(out, form, Form)
    runs, judgments, named = sort_arguments(runs, judgments, measures)
    mean = "all" if complete else mean
    if shape == "html" and not curves:
        from tidings.core import UsageError

        raise UsageError(
            "a page of scores: only --curves makes one; `tidings compare --out page.html` compares runs on a page"
        )
    if out is not None:
        from tidings.core import need_folders, refuse_overwriting
        from tidings.evaluation.scoring.runs import files_of_runs

        need_folders(out)
        refuse_overwriting(
            {"--out": out},
            {
                "a run": files_of_runs(runs),
                "judgments": [judgments],
                "--matches": [matches],
                "--model": [model],
                "a stream": stream or (),
            },
        )
    options = ScoringOptions(
        pool=pool, unpooled=unpooled, relevance=relevance, mode=mode, mean=mean, universe=universe
    )
    chosen = {"threshold": threshold, "draws": draws, "seed": seed, "spread": spread, "instead": matches_only}
    chosen |= {} if calibrate else {"calibrate": calibrate}
    wish = _wish(matches, automatic, model, stream, chosen)
    if wish is not None and not curves:
        from tidings.evaluation.verbs.score_automatic import (
            automatic_lines,
            automatic_remarks,
            automatic_table,
            score_automatically,
        )

        with gc_paused():
            found, wanted, events = score_automatically(
                rules, judgments, options, runs, named, wish, lenient, shape not in _ALL_MEASURES
            )
        if not quiet:
            for line in score_remarks([item.people for item in found], events, mean, "--mean all"):
                say(line)
            for line in automatic_remarks(found, wish.options.threshold):
                say(line)
        if shape == "jsonl":
            _write_lines(automatic_lines(found, wanted, per_event), out)
        else:
            _write(automatic_table(found, wanted, per_event), shape, out)
        return
    with gc_paused():
        scorer = scorer_for(rules, judgments, options)
        if curves:
            ranked = _curves(scorer, runs, lenient)
            if shape == "html":
                show(_curves_page(ranked, judgments, runs), out)
            else:
                _write(_curves_table(ranked), shape, out)
            return
        wanted = _choose_measures(scorer, named, shape)
        scored, skipped = _score_all(scorer, runs, wanted, lenient)
    notes = score_remarks(scored, len(scorer.events), mean, "--mean all")
    for line in () if quiet else notes:
        say(line)
    if shape == "json":
        _write_json(rules, scored, [*skipped, *notes], out)
    elif shape == "jsonl":
        _write_jsonl(scored, per_event, out)
    else:
        _write(
            _long_table(scored, per_event) if shape == "long" else _table(scored, wanted, per_event, shape),
            shape,
            out,
        )


def _write(table: Table, shape: str, out: str | None) -> None:
    from tidings.core import render

    if shape in ("jsonl", "json"):
        import msgspec

        lines = [
            msgspec.json.encode(dict(zip(table.columns, row, strict=True))).decode() for row in table.rows
        ]
        show("\n".join(lines) if shape == "jsonl" else f"[{','.join(lines)}]", out)
    else:
        width = terminal_width() if out is None else None
        show(render(table, "tsv" if shape == "long" else shape, width), out)


_Ranked = list[tuple[str, str, dict[str, list[dict[str, float]]]]]


def _curves(scorer: Scorer[Any], paths: list[str], lenient: bool) -> _Ranked:
    """(team, run, measures after each sentence of its ranking by event) of each run.

    Raises:
        UsageError: runs are not ranked under these rules.
    """
    from tidings.core import Problems, UsageError

    if scorer.ranks is None:
        raise UsageError(
            f"--curves with {scorer.rules} (expected umass-2001, by which runs are rankings of sentences); "
            "`tidings compare --out page.html` draws comprehensiveness over time"
        )
    ranked: _Ranked = []
    for path in paths:
        problems = Problems(lenient=lenient)
        ranked += [(run.team, run.name, scorer.ranks(run)) for run in scorer.read_runs(path, problems)]
        say(problems.summary())
    return ranked


def _curves_page(ranked: _Ranked, judgments: Path, paths: list[str]) -> str:
    """The page of nu-precision over nu-recall."""
    import shlex

    from tidings.evaluation.report.comparison_tables import Provenance
    from tidings.evaluation.report.curves import render_curves
    from tidings.evaluation.scoring.runs import digests_of_files, printable_path

    words = ["tidings", "score", *map(printable_path, paths), "-j", printable_path(str(judgments))]
    command = shlex.join([*words, "--rules", "umass-2001", "--curves"])
    named: dict[str, dict[str, list[dict[str, float]]]] = {}
    for team, run, curves in ranked:
        name = f"{team}/{run}" if team else run
        named[f"{name} ({len(named) + 1})" if name in named else name] = curves
    provenance = Provenance(command=command, files=digests_of_files(paths))
    return render_curves(named, judgments.name, provenance)


def _curves_table(ranked: _Ranked) -> Table:
    """A row for each run, event and sentence of its ranking."""
    from tidings.core import Table

    rows: list[tuple[Cell, ...]] = []
    names: dict[str, None] = {}
    for team, run, curves in ranked:
        for event, points in curves.items():
            for point in points:
                names |= dict.fromkeys(point)
                values = [int(v) if name == "sentences" else v for name, v in point.items()]
                rows.append((team, run, event, *values))
    return Table(("team", "run", "event", *names), tuple(rows))


def _choose_measures(scorer: Scorer[Any], texts: list[str], form: str) -> tuple[Measure, ...]:
    from tidings.evaluation.scoring.scorer import parse_measures

    shown = scorer.measures if form in _ALL_MEASURES else scorer.short or scorer.measures
    return parse_measures(texts, scorer) or shown


def _score_all(
    scorer: Scorer[Any], runs: list[str], wanted: tuple[Measure, ...], lenient: bool
) -> tuple[list[RunScores], list[str]]:
    """What runs scored, and what was skipped of their files."""
    from tidings.core import Problems

    scored: list[RunScores] = []
    skipped = []
    for path in runs:
        problems = Problems(lenient=lenient)
        scored += scorer.score_file(path, wanted, problems)
        if problems.count:
            skipped.append(problems.summary())
            say(skipped[-1])
    return scored, skipped


def _rows(result: RunScores, per_event: bool) -> Iterator[tuple[str, dict[Measure, float]]]:
    if per_event:
        for event in result.per_event:
            yield event, result.per_event[event]
    summaries = {measure: result.summary(measure) for measure in result.measures}
    for label, statistic in _SUMMARY:
        yield label, {measure: summaries[measure][statistic] for measure in result.measures}


def _table(scored: list[RunScores], measures: tuple[Measure, ...], per_event: bool, shape: str) -> Table:
    from tidings.core import Table
    from tidings.evaluation.report.remarks import mean_label

    rows: list[tuple[Cell, ...]] = [
        (
            result.team,
            result.run,
            mean_label(result) if event == "all" and shape in _FOR_PEOPLE else event,
            *(float(values[measure]) if measure in values else "" for measure in measures),
        )
        for result in scored
        for event, values in _rows(result, per_event)
        if per_event or event == "all"
    ]
    return Table(("team", "run", "event", *map(str, measures)), tuple(rows))


def _long_table(scored: list[RunScores], per_event: bool) -> Table:
    """Run, event, measure and value, as evaluators of rankings print them; unrounded."""
    from tidings.core import Table
    from tidings.evaluation.report.remarks import run_name

    rows = tuple(
        (run_name(result), event, str(measure), repr(float(value)))
        for result in scored
        for event, values in _rows(result, per_event)
        for measure, value in values.items()
        if not event.startswith("all.")
    )
    return Table(("run", "event", "measure", "value"), rows)


def _write_jsonl(scored: list[RunScores], per_event: bool, out: str | None) -> None:
    lines = (
        {"team": result.team, "run": result.run, "event": event, "measure": str(measure), "value": value}
        for result in scored
        for event, values in _rows(result, per_event)
        for measure, value in values.items()
    )
    _write_lines(lines, out)


def _write_json(rules: str, scored: list[RunScores], notes: list[str], out: str | None) -> None:
    from tidings.core import write_json
    from tidings.evaluation.report.remarks import counts_json

    content = {
        "rules": rules,
        "runs": [
            {
                "team": result.team,
                "run": result.run,
                "counts": counts_json(result.counts),
                "silent": result.silent,
                "unjudged": result.unjudged,
                "mean_over": result.over,
                "scores": {
                    event: {str(measure): value for measure, value in values.items()}
                    for event, values in _rows(result, per_event=True)
                },
            }
            for result in scored
        ],
        "notes": notes,
    }
    write_json(out or "-", content)


def _write_lines(lines: Iterable[dict[str, Any]], out: str | None) -> None:
    import msgspec

    from tidings.core import write_bytes

    encode = msgspec.json.Encoder().encode
    write_bytes(out or "-", b"".join(encode(line) + b"\n" for line in lines))


def _wish(
    matches: Path | None,
    automatic: bool,
    model: str | None,
    stream: list[str] | None,
    chosen: dict[str, Any],
) -> Wish | None:
    """What is asked of possible matches; None where nothing is.

    Raises:
        UsageError: both a file and a matcher, or how to take matches without any.
    """
    from tidings.core import UsageError

    given = {
        name: value for name, value in chosen.items() if value is not None and (value or name != "instead")
    }
    if matches is not None and automatic:
        raise UsageError("--matches and --automatic cannot be combined: both say what may be a match")
    if matches is None and not automatic:
        flags = {"instead": "matches-only", "calibrate": "no-calibrate"}
        names = [f"--{flags.get(name, name)}" for name in given]
        names += [name for name, value in (("--model", model), ("--stream", stream)) if value]
        if names:
            raise UsageError(
                f"{' and '.join(names)} without possible matches; give --matches FILE or --automatic"
            )
        return None
    if model is not None and not automatic:
        raise UsageError("--model needs --automatic: a file of --matches is already matched")
    from tidings.evaluation.scoring.automatic import AutomaticOptions
    from tidings.evaluation.verbs.score_automatic import Wish

    return Wish(matches, model or "", stream or (), AutomaticOptions(**given))
