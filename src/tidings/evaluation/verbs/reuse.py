"""`tidings reuse`: how far judgments can be trusted with systems that were not pooled."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tidings.core import described
from tidings.evaluation.verbs.scoring_options import SCORING_OPTIONS

if TYPE_CHECKING:
    from tidings.core import Judgments, PossibleMatch
    from tidings.evaluation.report.comparison_tables import Provenance
    from tidings.evaluation.reuse import Reuse

Form = Literal["table", "markdown", "latex", "json", "html"]
By = Literal["run", "team"]


@described(__file__, SCORING_OPTIONS)
def reuse(
    judgments: Path,
    runs: list[str],
    by: By = "run",
    measure: str = "H",
    rules: str = "trec-2014",
    depth: list[int] | None = None,
    matches: Path | None = None,
    judged_only: bool = False,
    model: str = "",
    threshold: float | None = None,
    draws: int = 20,
    seed: int | None = None,
    spread: float | None = None,
    calibrate: bool = True,
    out: str | None = None,
    form: Form | None = None,
    lenient: bool = False,
) -> None:
    """Remove judgments and see how scores and ranks change: what a later system can expect.

    Each run, or team, is scored as if it had not been in the pool, and all runs as if pools had been shallower: by the
    judgments that remain, and with automatic matches for what is then unjudged.
    """
    from tidings.core import (
        Problems,
        UsageError,
        form_of,
        gc_paused,
        need_folders,
        refuse_overwriting,
        say,
        show,
    )
    from tidings.evaluation.reuse import Taking, reuse as reused
    from tidings.evaluation.scoring.automatic import need_nuggets
    from tidings.evaluation.scoring.runs import files_of_runs, read_runs
    from tidings.following import steps_progress
    from tidings.sources import read_judgments

    shape = form_of(out, form, Form)
    need_nuggets(rules)
    if judged_only and (matches is not None or model):
        raise UsageError(
            f"--judged-only with {'--matches' if matches is not None else '--model'} (expected one of them)"
        )
    if matches is not None and model:
        raise UsageError("--model and --matches cannot be combined: a file is already matched")
    need_folders(out)
    refuse_overwriting(
        {"--out": out},
        {
            "a run": files_of_runs(runs),
            "judgments": [judgments],
            "--matches": [matches],
            "--model": [model or None],
        },
    )
    wanted = {"threshold": threshold, "seed": seed, "spread": spread}
    said: dict[str, Any] = {name: value for name, value in wanted.items() if value is not None}
    how = Taking(draws=draws, calibrate=calibrate, **said)
    problems = Problems(lenient=lenient)
    with gc_paused():
        judged = read_judgments(judgments)
        read = [run for path in runs for run in read_runs(path, problems)]
        if len(read) < 2:
            raise UsageError(f"{len(read)} run (expected at least two to leave out in turn)")
        notes = [problems.summary()] if problems.count else []
        pairs = () if judged_only else _matches(judged, matches, model, notes)
        for note in notes:
            say(note)
        with steps_progress("leaving out") as progress:
            made = reused(
                judged,
                read,
                pairs,
                rules=rules,
                measure=measure,
                by=by,
                depths=depth or (5, 10, 20, 40),
                how=how,
                progress=progress,
            )
    given = ["--by", by, "--measure", measure, "--rules", rules, "--threshold", f"{how.threshold:g}"]
    given += ["--draws", str(draws), "--seed", str(how.seed), "--spread", f"{how.spread:g}"]
    given += [word for text in depth or () for word in ("--depth", str(text))]
    given += [] if calibrate else ["--no-calibrate"]
    given += ["--judged-only"] if judged_only else []
    given += ["--matches", str(matches)] if matches is not None else []
    given += ["--model", model] if model else []
    show(_text(made, _provenance(judgments, runs, given, notes), shape, out), out)
    if out is not None and out != "-":
        say(f"the report is at {out}", prefix="")


def _matches(judged: Judgments, file: Path | None, model: str, notes: list[str]) -> tuple[PossibleMatch, ...]:
    from tidings.evaluation.matching.texts import match_events
    from tidings.evaluation.verbs.score_automatic import learned_words, matcher_of, read_matches
    from tidings.following import steps_progress

    if file is not None:
        return tuple(read_matches(file, judged))
    notes += learned_words(judged, model)
    with steps_progress("matching") as progress:
        return tuple(match_events(matcher_of(model), judged, None, progress))


def _provenance(judgments: Path, runs: list[str], given: list[str], notes: list[str]) -> Provenance:
    import shlex

    from tidings.evaluation.report.comparison_tables import Provenance
    from tidings.evaluation.scoring.runs import digests_of_files, printable_path

    command = shlex.join(["tidings", "reuse", str(judgments), *map(printable_path, runs), *given])
    return Provenance(command=command, files=digests_of_files(runs), notes=tuple(notes))


def _text(made: Reuse, provenance: Provenance, form: str, out: str | None) -> str:
    from tidings.core import terminal_width
    from tidings.evaluation.report.reuse import as_json, print_reuse

    if form == "json":
        from tidings.core import json_text

        return json_text(as_json(made, provenance))
    if form == "html":
        from tidings.evaluation.report.reuse import render_reuse

        return render_reuse(made, provenance)
    return print_reuse(made, provenance, form, width=terminal_width() if out is None else None)
