"""`tidings match`: which updates may say which nuggets, where nobody has judged it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tidings.core import PoolOption, StreamOption

if TYPE_CHECKING:
    from tidings.evaluation.matching import NuggetMatcher

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("match")(match)


def match(
    judgments: Annotated[
        Path, typer.Option("--judgments", "-j", help="Folder of judged events.", show_default=False)
    ],
    out: Annotated[
        Path,
        typer.Option("--out", "-o", metavar="FILE", help="Where the pairs go (.jsonl).", show_default=False),
    ],
    runs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RUN...]",
            help="Updates (.jsonl), TREC runs, or stores; none: the pooled updates.",
            show_default=False,
        ),
    ] = None,
    stream: StreamOption = None,
    pool: PoolOption = "sampled",
    by: Annotated[
        str, typer.Option(help="`learned`, `exact`, `containment`, `bm25`, `cosine`, `soft` or `sum`.")
    ] = "learned",
    least: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Pairs of a lower probability are not written.")
    ] = 0.05,
    model: Annotated[
        str, typer.Option(metavar="FILE", help="Weights of the learned matcher; else those that come along.")
    ] = "",
    encoder: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Match with an encoder, too: `use` (the extra `encoder`), or module:function with its --model.",
        ),
    ] = "",
    judge: Annotated[
        str,
        typer.Option(
            metavar="URL,model=NAME,...",
            help="Let a language model judge the pairs: its OpenAI-compatible address, and how (docs/matching.md).",
        ),
    ] = "",
    answers: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Where the judge's answers are kept (.jsonl), and are found again (default: beside --out).",
            show_default=False,
        ),
    ] = None,
    importance: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Ask the judge, too, which nuggets are vital and which okay (.tsv).",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Say which updates may say which nuggets: a line for each pair with a probability and a span.

    Without a run the pooled updates are matched, as if nobody had matched them. What assessors matched is never read.
    The probabilities are those of the learned matcher; the others give likenesses from 0 to 1, which only rank. With
    --judge a language model is asked about these pairs, and what it answers is kept.
    """
    from tidings.core import UsageError, need_folders, refuse_overwriting, say
    from tidings.evaluation.formats.possible_matches import write_possible_matches
    from tidings.evaluation.matching import BaselineMatcher, match_events
    from tidings.evaluation.scoring.runs import files_of_runs
    from tidings.evaluation.verbs.match_judge import checked_answers, match_with_judge
    from tidings.evaluation.verbs.worded import updates_of_runs
    from tidings.following import steps_progress
    from tidings.sources import read_judgments

    for option, value in (("--model", model), ("--encoder", encoder)):
        if value and by != "learned":
            raise UsageError(
                f"found {option} with --by {by}, expected --by learned: the others learn nothing"
            )
    kept = checked_answers(out, answers, judge, importance)
    matcher = _learned(model, least, encoder) if by == "learned" else BaselineMatcher(by, least)
    need_folders(out, kept, importance)
    refuse_overwriting(
        {"--out": out, "--answers": kept, "--importance": importance},
        {"a run": files_of_runs(runs or []), "judgments": [judgments], "a stream": stream or ()},
    )
    judged = read_judgments(judgments, pool=pool)
    if not judged.nuggets:
        raise UsageError(f"{judgments}: found no nuggets, expected some to match updates with")
    told = updates_of_runs(judged, runs, stream or []) if runs else None
    if kept is not None:
        count = match_with_judge(
            matcher,
            judged,
            told,
            judge=judge,
            answers=kept,
            out=out,
            importance=importance,
            least=least,
        )
    else:
        with steps_progress("matching") as progress:
            count = write_possible_matches(out, match_events(matcher, judged, told, progress))
    updates = len(told) if told is not None else len({(one.event_id, one.id) for one in judged.pool})
    say(f"{count:,} pairs of {updates:,} updates may be a match; they are in {out}", prefix="")


def _learned(model: str, least: float, encoder: str) -> NuggetMatcher:
    from tidings.analysis import unit_encoder
    from tidings.evaluation.matching import NuggetMatcher

    encode = unit_encoder(encoder) if encoder else None
    return NuggetMatcher(model, least, encoder=encoder, encode=encode)
