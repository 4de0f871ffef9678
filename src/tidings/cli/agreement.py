"""`tidings agreement`: how far judges agree on which sentences tell of which event."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tidings.cli.forms import form_of, show
from tidings.cli.output import say, terminal_width

if TYPE_CHECKING:
    from tidings.report.tables import Cell

__all__ = ["register"]

Form = Literal["table", "tsv", "csv", "markdown", "latex"]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("agreement")(agreement)


def agreement(
    judges: Annotated[
        str,
        typer.Argument(
            metavar="JUDGES",
            help="judges.tsv (topic_id event_id judge sentence_id), or the folder that holds it.",
        ),
    ],
    per_event: Annotated[
        bool, typer.Option("--per-event", help="A row for each event of each topic too.")
    ] = False,
    form: Annotated[
        Form | None,
        typer.Option(
            "--format", "-f", help="How to print (default: as --out ends, else table).", show_default=False
        ),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Write to a file instead: .csv, .tsv, .md, .tex or .txt.", show_default=False
        ),
    ] = None,
    lenient: Annotated[bool, typer.Option("--lenient", help="Skip bad lines, and say how many.")] = False,
) -> None:
    """How far judges agree: sentences that the third judge confirmed, over those that either of two others marked.

    Of a topic it is the mean over its events, of all the mean over topics (Khandelwal, Gupta and Allan 2001).
    """
    from tidings.errors import Problems, UsageError
    from tidings.formats.files.layout import find
    from tidings.formats.files.writing import refuse_overwriting
    from tidings.formats.others.linked_2001 import read_judges
    from tidings.measures.novelty_2001 import agreements, topic_agreement
    from tidings.report.tables import Table, render

    shape = form_of(out, form, Form)
    refuse_overwriting({"--out": out}, {"judges": [judges]})
    path: str | Path = judges
    if Path(judges).is_dir():
        inside = find(judges, "judges.tsv")
        if inside is None:
            raise UsageError(
                f"{judges}: found no judges.tsv, expected it in the folder, with what each judge marked"
            )
        path = inside
    problems = Problems(lenient=lenient)
    by_topic = agreements(read_judges(path, problems=problems))
    if problems.count:
        say(problems.summary())
    rows: list[tuple[Cell, ...]] = []
    means = {topic: topic_agreement(events.values()) for topic, events in by_topic.items()}
    for topic, events in by_topic.items():
        if per_event:
            rows += [(topic, event, value) for event, value in events.items()]
        rows.append((topic, "all", means[topic]))
    rows.append(("all", "all", topic_agreement(means.values())))
    width = terminal_width() if out is None else None
    show(render(Table(("topic", "event", "agreement"), tuple(rows)), shape, width), out)
