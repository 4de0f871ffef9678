"""What must be known of scores before they are read: silence, events without judgments, where runs come from."""

from __future__ import annotations

from collections.abc import Sequence

from tidings.evaluation.measures.scores import RunScores
from tidings.evaluation.report.origins import learned_words, unequal_words
from tidings.evaluation.report.run_counts import count_remarks, listed

__all__ = ["run_name", "score_remarks"]


def run_name(scores: RunScores) -> str:
    """How a run is called: by its team and its name, where it has them."""
    return " ".join(filter(None, (scores.team, scores.run)))


def score_remarks(scored: Sequence[RunScores], events: int, mean: str, option: str) -> list[str]:
    """A line for each thing to know of some runs' scores.

    Args:
        scored: the runs.
        events: how many events are judged.
        mean: what means are taken over: `own` or `all`.
        option: how a reader asks for means over all events, such as `--mean all`.

    >>> score_remarks([RunScores("us", "a", (), {}, silent=("e",))], 2, "own", "--mean all")
    ['run us a is silent on 1 of 2 events (e): left out of its means (official; --mean all counts silence as zero)']
    """
    lines = [line for one in scored for line in _of_run(one, events, mean, option)]
    origins = [(run_name(one), one.origin) for one in scored]
    lines += [learned_words(name, origin, events) for name, origin in origins]
    return [line for line in (*lines, unequal_words(origins)) if line]


def _of_run(scores: RunScores, events: int, mean: str, option: str) -> list[str]:
    name = " ".join(filter(None, ("run", run_name(scores))))
    lines = count_remarks(run_name(scores), scores.counts)
    if scores.silent:
        how = f"left out of its means (official; {option} counts silence as zero)"
        if mean == "all":
            how = "counted as zero in its means"
        elif scores.silent[0] in scores.over:
            how = "counted in its means"
        lines.append(
            f"{name} is silent on {len(scores.silent)} of {events} events ({listed(scores.silent)}): {how}"
        )
    if scores.unjudged:
        lines.append(f"{name} tells of {listed(scores.unjudged)}, for which there are no judgments: left out")
    return lines
