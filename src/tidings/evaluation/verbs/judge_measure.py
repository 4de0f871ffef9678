"""`tidings judge measure`: what a judge is worth here, on questions whose answers are known."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from tidings.core import FORM, form_of, say, show, terminal_width

Form = Literal["table", "tsv", "csv", "markdown", "latex"]


def judge_measure(
    judge: Annotated[
        str, typer.Argument(metavar="JUDGE", help="URL,model=NAME of a chat server, or module:function.")
    ],
    task: Annotated[
        list[str] | None,
        typer.Option(
            help="news, match, story or salience; may be repeated.", show_default="all that have labels"
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Judgments, or a folder with trec-ts/, stories/ and salience/.",
            show_default="the bundled event: news and match",
        ),
    ] = None,
    most: Annotated[int, typer.Option(min=10, help="Most questions per task.")] = 200,
    seed: Annotated[int, typer.Option(help="Random seed for the choice of questions.")] = 0,
    form: Annotated[Form | None, FORM] = None,
    out: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Write to a file instead: .csv, .tsv, .md, .tex or .txt.", show_default=False
        ),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only warnings and errors.")] = False,
) -> None:
    """Ask a judge questions with known answers, and compare its accuracy with a built-in model's.

    For half of the questions of each task the right answer is yes. Nothing but the judge is contacted.
    """
    from tidings.core import UsageError, refuse_overwriting, render
    from tidings.evaluation.judging.labelled import TASKS, labelled_questions
    from tidings.evaluation.judging.measuring import ask_all, figures_of, figures_table, judge_named
    from tidings.following import steps_progress

    wrong = [each for each in task or () if each not in TASKS]
    if wrong:
        raise UsageError(f"--task {wrong[0]}: there is none; choose among {', '.join(TASKS)}")
    refuse_overwriting({"--out": out}, {"--data": [data]})
    shape = form_of(out, form, Form)
    name, ask = judge_named(judge)
    asked = labelled_questions(
        list(task or TASKS), data, most, seed, lambda words: None if quiet else say(words, prefix="")
    )
    figures = []
    for each, questions in asked.items():
        answers = []
        with steps_progress(each) as step:
            for number, answer in enumerate(ask_all(ask, questions), 1):
                answers.append(answer)
                step(number, len(questions), "")
        figures.append(figures_of(each, answers, seed))
    if not figures:
        raise UsageError("no task has labels here; name their folder with --data")
    show(render(figures_table(name, figures), shape, terminal_width() if out is None else None), out)
