"""`tidings report`: a report of an event, a citation for each sentence, from what was followed."""

from __future__ import annotations

from typing import Annotated

import typer

_STORE = "tidings.db"  # what `tidings serve` keeps, unless told otherwise


def report(
    event: Annotated[
        str,
        typer.Argument(metavar="EVENT", help="Id of a followed event, or a run of one event."),
    ],
    out: Annotated[str, typer.Option(metavar="FILE", help="File for the report, as JSON Lines; - to print.")],
    run: Annotated[
        str | None,
        typer.Option(
            metavar="RUN",
            help="Run or store that has EVENT.",
            show_default="tidings.db, where EVENT is an id",
        ),
    ] = None,
    run_name: Annotated[
        str | None,
        typer.Option(help="Which run; needed if the file holds several.", show_default=False),
    ] = None,
    most_words: Annotated[int, typer.Option(min=1, help="Most words in the report.")] = 300,
) -> None:
    """Write a report of a followed event: its updates in order, each citing the documents that support it.

    If not all updates fit, those that most outlets repeated are kept; of equals, the earlier one.
    """
    from pathlib import Path

    from tidings.core import UsageError, is_store, refuse_overwriting, say, write_jsonl
    from tidings.evaluation.report.cited_report import build_report
    from tidings.evaluation.scoring.runs import files_of_runs, read_runs
    from tidings.following import choose_event, choose_run, event_updates, of_event

    place, wanted = (run, event) if run is not None else (event, None)
    if run is None and not is_store(place) and not Path(place).exists():
        place, wanted = _STORE, event
        if not Path(place).exists():
            raise UsageError(f"{event}: no such run; name the run that followed it with --run RUN")
    refuse_overwriting({"--out": out}, {"the run": files_of_runs([place])})
    chosen_run = choose_run(read_runs(place), run_name, place)
    chosen = choose_event(chosen_run, [], wanted, place)
    updates = event_updates(chosen_run, chosen)
    if not updates:
        raise UsageError(f"{place}: no updates of {chosen.id}, so there is nothing to report")
    if lacking := sum(not update.text for update in updates):
        raise UsageError(
            f"{place}: {lacking:,} of {len(updates):,} updates have no text; follow with --out FILE.jsonl"
        )
    found = build_report(chosen, chosen_run, updates, of_event(chosen_run.supports, chosen), most_words)
    write_jsonl(out, [found])
    if out != "-":
        say(f"{out}: {len(found.responses):,} of {len(updates):,} updates", prefix="")
