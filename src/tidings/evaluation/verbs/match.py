"""`tidings match`: which updates may say which nuggets, where nobody has judged it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tidings.core import PoolName, described

if TYPE_CHECKING:
    from tidings.core import Judgments, Matcher, PooledUpdate
    from tidings.evaluation.matching.learned import NuggetMatcher


def checked_answers(out: Path, answers: Path | None, judge: str, importance: Path | None) -> Path | None:
    """Where a judge's answers go, beside what is written; None without a judge.

    Raises:
        UsageError: an option that needs a judge stands without one, there is no place beside what is written, or the
            judge is not said as it must be.

    >>> checked_answers(Path("matches.jsonl"), None, "http://localhost/v1,model=m", None).name
    'matches.answers.jsonl'
    """
    from tidings.core import UsageError
    from tidings.evaluation.matching.judge_matcher import judge_options

    if not judge:
        if answers is not None or importance is not None:
            option = "--answers" if answers is not None else "--importance"
            raise UsageError(f"{option} needs --judge, which says who is asked: --judge URL,model=NAME")
        return None
    judge_options(judge)
    if answers is not None:
        return answers
    if str(out) == "-":
        raise UsageError("--judge with --out - needs --answers FILE, for what is answered")
    return out.with_suffix(".answers.jsonl")


def match_with_judge(
    candidates: Matcher,
    judged: Judgments,
    updates: list[PooledUpdate] | None,
    *,
    judge: str,
    answers: Path,
    out: Path,
    importance: Path | None,
    least: float,
) -> int:
    """Match as `tidings match` does, by the word of a judge; how many pairs were written."""
    from tidings.analysis import ChatClient, Questions
    from tidings.core import say
    from tidings.evaluation.formats.judge_answers import (
        FileAnswers,
        write_nugget_importance,
        write_possible_matches,
    )
    from tidings.evaluation.matching.judge_matcher import (
        AskedMatcher,
        NuggetJudge,
        judge_options,
        outcome_line,
        weigh_nuggets,
    )
    from tidings.evaluation.matching.texts import match_events
    from tidings.following import steps_progress

    options = judge_options(judge)
    client = ChatClient(options.url, options.model, timeout_s=options.judge_timeout)
    titles = {event.id: event.title or event.query for event in judged.events}
    with FileAnswers(answers) as book:
        questions = Questions(client, book, full=True, patient=True)
        asked = NuggetJudge(questions)
        with steps_progress("asking about") as progress:
            matcher = AskedMatcher(
                candidates,
                asked,
                options,
                least=least,
                titles=titles,
                wanted=None if updates is None else {(update.event_id, update.id) for update in updates},
                progress=progress,
            )
            count = write_possible_matches(out, match_events(matcher, judged, updates))
        say(outcome_line(asked, matcher.over, options.calls), prefix="")
        if importance is not None:
            weighing = NuggetJudge(questions)
            with steps_progress("weighing nuggets of") as progress:
                weighed = weigh_nuggets(weighing, judged.nuggets, titles, options.nuggets, progress)
                written = write_nugget_importance(importance, weighed)
            say(
                f"importance of {written:,} nuggets, in {importance}: {outcome_line(weighing, 0, 0)}",
                prefix="",
            )
    say(f"what was asked and answered is in {answers}", prefix="")
    return count


@described(__file__)
def match(
    judgments: Path,
    out: Path,
    runs: list[str] | None = None,
    stream: list[str] | None = None,
    pool: PoolName = "sampled",
    by: str = "learned",
    least: float = 0.002,
    model: str = "",
    encoder: str = "",
    judge: str = "",
    answers: Path | None = None,
    importance: Path | None = None,
) -> None:
    """Find which updates may match which nuggets: one line per pair, with a probability and a span.

    Without a run, matches the pooled updates as if nobody had matched them; assessors' matches are never read. The
    learned matcher gives probabilities; the others give similarities from 0 to 1, which only rank. With --judge, a
    language model is asked about these pairs, and its answers are kept.
    """
    from tidings.core import UsageError, need_folders, refuse_overwriting, say
    from tidings.evaluation.formats.judge_answers import write_possible_matches
    from tidings.evaluation.matching.likeness import BaselineMatcher
    from tidings.evaluation.matching.texts import match_events
    from tidings.evaluation.scoring.runs import files_of_runs
    from tidings.evaluation.verbs.score_automatic import updates_of_runs
    from tidings.following import steps_progress
    from tidings.sources import read_judgments

    for option, value in (("--model", model), ("--encoder", encoder)):
        if value and by != "learned":
            raise UsageError(f"{option} needs --by learned: the other matchers learn nothing")
    kept = checked_answers(out, answers, judge, importance)
    matcher = _learned_matcher(model, least, encoder) if by == "learned" else BaselineMatcher(by, least)
    need_folders(out, kept, importance)
    refuse_overwriting(
        {"--out": out, "--answers": kept, "--importance": importance},
        {"a run": files_of_runs(runs or []), "judgments": [judgments], "a stream": stream or ()},
    )
    judged = read_judgments(judgments, pool=pool)
    if not judged.nuggets:
        raise UsageError(f"{judgments}: no nuggets to match updates with")
    worded = updates_of_runs(judged, runs, stream or []) if runs else None
    if kept is not None:
        count = match_with_judge(
            matcher,
            judged,
            worded,
            judge=judge,
            answers=kept,
            out=out,
            importance=importance,
            least=least,
        )
    else:
        with steps_progress("matching") as progress:
            count = write_possible_matches(out, match_events(matcher, judged, worded, progress))
    updates = (
        len(worded) if worded is not None else len({(update.event_id, update.id) for update in judged.pool})
    )
    say(f"{count:,} pairs of {updates:,} updates may be a match; they are in {out}", prefix="")


def _learned_matcher(model: str, least: float, encoder: str) -> NuggetMatcher:
    from tidings.analysis import unit_encoder
    from tidings.evaluation.matching.learned import NuggetMatcher

    encode = unit_encoder(encoder) if encoder else None
    return NuggetMatcher(model, least, encoder=encoder, encode=encode)
