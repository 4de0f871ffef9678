"""`tidings explain`: why a run scored what it scored on one event."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from tidings.core import described, form_of, json_text, say, show, terminal_width
from tidings.evaluation.scoring.scorer import Mode, Pool, Relevance, Unpooled

if TYPE_CHECKING:
    from tidings.core import Problems, Run
    from tidings.evaluation.measures import trec_ts
    from tidings.evaluation.measures.trec_ts import Prepared

Form = Literal["table", "tsv", "csv", "markdown", "json"]
Only = Literal["missed", "earned", "wasted"]

_FIXED_CHARS = 92
"""What the columns in front of a text take, about."""


@described(__file__)
def explain(
    run: str,
    event: str,
    judgments: Path,
    rules: str = "trec-2014",
    mode: Mode = "official",
    run_name: str | None = None,
    only: Only | None = None,
    form: Form | None = None,
    out: str | None = None,
    limit: int = 20,
    unpooled: Unpooled | None = None,
    relevance: Relevance | None = None,
    pool: Pool = "sampled",
    zone: str = "UTC",
    width: int | None = None,
    lenient: bool = False,
) -> None:
    """Explain one event: how late each nugget was covered and by what, and what each update earned or why nothing.

    The summary shows what was lost to silence, lateness, repetition and verbosity: H as it would be if each cause alone
    were removed. Available for measures that match updates to nuggets or clusters, as in TREC Temporal Summarization.
    """
    from tidings.core import Clock, Problems, UsageError, gc_paused, refuse_overwriting, render
    from tidings.evaluation.measures import trec_ts
    from tidings.evaluation.measures.run_scores import origin_of
    from tidings.evaluation.report import explanation
    from tidings.evaluation.report.comparison_tables import explanation_rows
    from tidings.evaluation.report.remarks import learned_words
    from tidings.evaluation.scoring.runs import files_of_runs, printable_path, read_runs
    from tidings.evaluation.scoring.tweets import EXPLAINED
    from tidings.following import choose_run
    from tidings.sources import read_judgments

    shape = form_of(out, form, Form)
    refuse_overwriting({"--out": out}, {"the run": files_of_runs([run]), "judgments": [judgments]})
    problems = Problems(lenient=lenient)
    if rules in EXPLAINED:
        if only is not None or unpooled is not None or relevance is not None:
            raise UsageError(
                f"--only, --unpooled or --relevance with {rules} (expected none): they are for nuggets"
            )
        _explain_clusters(run, event, judgments, rules, mode, run_name, shape, limit, problems, out)
        return
    clock = Clock(zone)
    rule_set = _rules(rules, unpooled, relevance)
    with gc_paused():
        judged = read_judgments(judgments, pool=pool)
        runs = read_runs(run, problems=problems)
        chosen = choose_run(runs, run_name, printable_path(run))
        prepared = trec_ts.prepare(judged, rule_set, runs)
        event_id = _event(prepared, event, str(judgments), chosen, printable_path(run))
        origin = origin_of(chosen, prepared.events, {})
        warning = learned_words(f"{chosen.team} {chosen.name}".strip(), origin, len(prepared.events))
        explained = trec_ts.explain(prepared, chosen, event_id)
        failure = explanation.analyse(
            prepared, judged, chosen, explained, clock, [warning] if warning else []
        )
    say(problems.summary())
    for line in failure.warnings:
        say(line)
    if shape == "json":
        text = json_text(explanation.failure_json(failure, only))
    elif shape in ("csv", "tsv"):
        text = render(explanation_rows(failure, only), shape)
    else:
        columns = width or (shutil.get_terminal_size((160, 24)).columns)
        chars = max(columns - _FIXED_CHARS, 30)
        text = explanation.print_failure(failure, shape, only=only, limit=limit, width=chars)
    show(text, out)


def _explain_clusters(
    path: str,
    topic: str,
    judgments: Path,
    rules: str,
    mode: Mode,
    run_name: str | None,
    form: str,
    limit: int,
    problems: Problems,
    out: str | None,
) -> None:
    from tidings.core import Table, markdown_text, render
    from tidings.evaluation.report.comparison_tables import join_tables
    from tidings.evaluation.report.explanation import days_sections, timeline_sections
    from tidings.evaluation.scoring.tweets import explain_clusters, explain_days, read_tweet_runs
    from tidings.following import choose_run

    run = choose_run(list(read_tweet_runs(rules, path, problems)), run_name, path)
    how = f"{rules}, {mode}"
    if rules == "ttg-2014":
        head, sections = timeline_sections(run, topic, explain_clusters(judgments, mode, run, topic), how)
    else:
        clusters, outcome = explain_days(rules, judgments, mode, run, topic)
        head, sections = days_sections(run, clusters, outcome, how)
    say(problems.summary())
    if form == "json":
        lists = {
            title: [dict(zip(table.columns, row, strict=True)) for row in table.rows]
            for title, table in sections
        }
        show(json_text({"summary": head, **lists}), out)
        return
    if form in ("csv", "tsv"):
        show(render(join_tables(sections), form), out)
        return
    blocks = [markdown_text(head) if form == "markdown" else head]
    width = terminal_width() if out is None else None
    for title, table in sections:
        rows = table.rows[: limit or None]
        more = len(table.rows) - len(rows)
        blocks += [title, render(Table(table.columns, rows), form, width)]
        if more:
            blocks.append(f"… and {more} more (--limit 0 shows all)")
    show("\n\n".join(blocks), out)


def _rules(rules: str, unpooled: Unpooled | None, relevance: Relevance | None) -> trec_ts.Rules:
    from tidings.core import UsageError
    from tidings.evaluation.measures import trec_ts
    from tidings.evaluation.scoring.tweets import EXPLAINED

    if rules not in trec_ts.RULES:
        raise UsageError(
            f"rules {rules!r} (expected one of {', '.join((*trec_ts.RULES, *EXPLAINED))}): only runs scored by "
            "nuggets or by clusters of tweets can be explained; `tidings score --per-event` shows the others"
        )
    return trec_ts.rules_named(rules, unpooled=unpooled, relevance=relevance)


def _event(prepared: Prepared, name: str, judgments: str, run: Run, path: str) -> str:
    from tidings.core import UsageError

    event_id = prepared.event_id(name)
    if event_id is None or event_id not in prepared.events:
        raise UsageError(
            f"{judgments}: no nuggets for event {name!r} (expected one of {', '.join(prepared.events)})"
        )
    if event_id not in prepared.split(run):
        say(f"{path}: run {f'{run.team} {run.name}'.strip()} says nothing about {event_id}")
    return event_id
