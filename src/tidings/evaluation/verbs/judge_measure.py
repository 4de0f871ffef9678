"""`tidings judge measure`: what a judge is worth here, on questions whose answers are known."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from tidings.core import described, form_of, say, show, terminal_width

Form = Literal["table", "tsv", "csv", "markdown", "latex"]


@described(__file__)
def judge_measure(
    judge: str,
    task: list[str] | None = None,
    data: Path | None = None,
    most: int = 200,
    seed: int = 0,
    form: Form | None = None,
    out: str | None = None,
    quiet: bool = False,
) -> None:
    """Ask a judge questions with known answers, and compare its accuracy with a built-in model's.

    For half of the questions of each task the right answer is yes. Nothing but the judge is contacted.
    """
    from tidings.core import UsageError, refuse_overwriting, render
    from tidings.evaluation.judging.measuring import (
        TASKS,
        ask_all,
        figures_of,
        figures_table,
        judge_named,
        labelled_questions,
    )
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
