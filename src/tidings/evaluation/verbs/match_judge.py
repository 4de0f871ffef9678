"""What `tidings match --judge` does: asks a language model about the pairs that a matcher thinks possible."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tidings.core import Judgments, Matcher, PooledUpdate

__all__ = ["checked_answers", "match_with_judge"]


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
            raise UsageError(f"found {option} without --judge, expected who is asked: --judge URL,model=NAME")
        return None
    judge_options(judge)
    if answers is not None:
        return answers
    if str(out) == "-":
        raise UsageError(
            "found --judge with --out -, expected --answers FILE beside it, for what is answered"
        )
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
    from tidings.evaluation.formats.judge_answers import FileAnswers
    from tidings.evaluation.formats.nugget_importance import write_nugget_importance
    from tidings.evaluation.formats.possible_matches import write_possible_matches
    from tidings.evaluation.matching import match_events
    from tidings.evaluation.matching.judge_matcher import (
        AskedMatcher,
        judge_options,
        outcome_line,
        weigh_nuggets,
    )
    from tidings.evaluation.matching.judge_questions import NuggetJudge
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
                wanted=None if updates is None else {(one.event_id, one.id) for one in updates},
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
