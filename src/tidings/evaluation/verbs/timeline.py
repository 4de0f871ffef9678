"""`tidings timeline`: one event as a run followed it, in the terminal or on a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import typer

from tidings.core import PoolName, described, form_of, show, takes_options
from tidings.following import RunOptions, reading_of

if TYPE_CHECKING:
    from tidings.core import Document, Event, Judgments, ReadingOptions

Form = Literal["table", "html"]


@takes_options("timeline")
@described(__file__)
def timeline(
    run: str,
    event: str | None = None,
    run_name: str | None = None,
    judgments: Path | None = None,
    rules: str = "trec-2014",
    pool: PoolName = "sampled",
    stream: list[str] | None = None,
    form: Form | None = None,
    out: str | None = None,
    zone: str = "UTC",
    width: int | None = None,
    *,
    options: RunOptions,
) -> None:
    """Show a run's updates on one event, by day, with times, sources and figures.

    With --judgments, also show what each update earned and which nuggets were missed. Texts come from the run, the
    pool of the judgments, or --stream.
    """
    from tidings.core import Clock, clean, refuse_overwriting, say, waiting
    from tidings.evaluation.report.page import save_page
    from tidings.evaluation.report.verdicts import judge
    from tidings.evaluation.scoring.runs import files_of_runs, read_runs
    from tidings.following import (
        build_timeline,
        choose_event,
        choose_run,
        event_updates,
        known_texts,
        of_event,
        print_timeline,
    )
    from tidings.sources import read_judgments

    clock = Clock(zone)
    refuse_overwriting(
        {"--out": out},
        {"the run": files_of_runs([run]), "judgments": [judgments], "a stream": stream or ()},
    )
    shape = form_of(out, form, Form)
    runs = read_runs(run)
    chosen_run = choose_run(runs, run_name, run)
    judged = read_judgments(judgments, pool=pool) if judgments is not None else None
    prepared = None
    if judged is not None:
        from tidings.evaluation.measures import prepare

        prepared = prepare(judged, rules, runs)
    events = _described_events(judged, stream or ())
    chosen = choose_event(chosen_run, events, event, run)
    updates = event_updates(chosen_run, chosen)
    with waiting("looking up texts") if stream else nullcontext():
        texts = known_texts(updates, judged, _streams(stream or (), pool, reading_of(options)))
    lacking = sum(not update.text and update.id not in texts for update in updates)
    if lacking:
        say(
            f"{lacking:,} of {len(updates):,} updates have no text in the run; name the documents that they come from "
            f"with {'another ' if stream else ''}--stream"
        )
    report = build_timeline(
        chosen,
        updates,
        system=" ".join(dict.fromkeys(part for part in (chosen_run.team, chosen_run.name) if part)),
        clock=clock,
        texts={name: said.text for name, said in texts.items()},
        origins={name: said.origin for name, said in texts.items()},
        values=of_event(chosen_run.values, chosen),
        supports=of_event(chosen_run.supports, chosen),
        rankings=of_event(chosen_run.rankings, chosen),
    )
    if judged is not None and prepared is not None:
        report = judge(report, chosen_run, judged, prepared)
    if shape == "html":
        with waiting("drawing the page"):
            save_page(report, out or "-")
    else:
        from rich.console import Console

        console = Console(width=width, file=StringIO() if out not in (None, "-") else None)
        print_timeline(console, report)
        if isinstance(console.file, StringIO):
            show(console.file.getvalue().rstrip("\n"), out)
    if out not in (None, "-"):
        typer.echo(f"the {'page' if shape == 'html' else 'timeline'} is at {clean(out)}")


def _described_events(judged: Judgments | None, streams: Sequence[str]) -> list[Event]:
    """Events with their titles and periods, as the streams and the judgments give them; the last one holds."""
    from tidings.core import UsageError
    from tidings.sources import is_foreign, read_events

    events: list[Event] = []
    for stream in streams:
        if stream == "-":
            continue
        if not Path(stream).exists():
            raise UsageError(f"{stream}: no such stream (expected a documents file, a folder or -)")
        if Path(stream).is_dir() and not is_foreign(stream):
            events += read_events(stream)
    return [*events, *judged.events] if judged is not None else events


def _streams(streams: Sequence[str], pool: str, reading: ReadingOptions) -> Iterator[Iterable[Document]]:
    from tidings.following import read_any

    for stream in streams:
        yield read_any(stream, pool, None, reading)
