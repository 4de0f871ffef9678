"""What must be known of scores before they are read: silence, events without judgments, where runs come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tidings.core import clean
from tidings.evaluation.measures.run_scores import Origin, RunCounts, RunScores

if TYPE_CHECKING:
    from tidings.evaluation.measures.run_comparison import Comparison

_SHOWN = 5  # names in a line; the rest are left out


def compared_counts(comparison: Comparison) -> list[str]:
    """What is odd about the outputs of compared runs."""
    return [line for run in comparison.runs for line in count_remarks(run.name, run.counts)]


def counts_json(counts: RunCounts | None) -> dict[str, Any] | None:
    """The counts of a run as JSON has them: numbers by name, without words."""
    if counts is None:
        return None
    return {name: value for name, value in asdict(counts).items() if not name.endswith("_words")} | {
        "kind": counts.outputs_words
    }


def count_remarks(run: str, counts: RunCounts | None) -> list[str]:
    """What is odd about how a run's outputs sit with the judgments; nothing where nothing is.

    >>> count_remarks("us a", RunCounts(769, 412, repeated=20, early=3))[0].partition(", 20 ")[2]
    'appear more than once, 3 were decided before their document existed'
    >>> count_remarks("us a", RunCounts(769, 412))
    []
    """
    if counts is None or not counts.outputs:
        return []
    lines, name = [], " ".join(filter(None, ("run", run)))
    if not counts.judged or counts.repeated or counts.early or counts.outside:
        lines.append(f"{name}: of {counts.outputs:,} {counts.outputs_words}, {', '.join(_parts(counts))}")
    if counts.unmatched:
        known = counts.judged_words.removeprefix("are ")
        lines.append(
            f"{name}: none of its {counts.outputs_words} on {list_first(counts.unmatched)} is {known}"
        )
    return lines


def _parts(counts: RunCounts) -> list[str]:
    odd = (
        (counts.repeated, "appear more than once"),
        (counts.early, counts.early_words),
        (counts.outside, counts.outside_words),
    )
    return [
        _write_number(counts.judged, counts.judged_words),
        *(_write_number(number, words) for number, words in odd if number),
    ]


_SINGULAR = {"are": "is", "were": "was", "have": "has", "rest": "rests", "appear": "appears", "their": "its"}


def _write_number(number: int, words: str) -> str:
    if number > 1:
        return f"{number:,} {words}"
    return " ".join(["1" if number else "none", *(_SINGULAR.get(word, word) for word in words.split())])


def list_first(names: Sequence[str]) -> str:
    """The first few of some names.

    >>> list_first("abcdefg")
    'a, b, c, d, e, ...'
    """
    return ", ".join(names[:_SHOWN]) + (", ..." if len(names) > _SHOWN else "")


_CHOICES = {
    "pool": "chose from the pool of judged sentences",
    "corpus": "chose from whole documents",
}
_INFERRED = {
    "pool": "has no update that was not judged, as one that chose from the pool",
    "corpus": "has updates that nobody judged, as one that chose from whole documents",
}


def learned_words(name: str, origin: Origin | None, events: int) -> str:
    """One line when a run's model learned from judged events, else nothing.

    >>> learned_words("mine", Origin(learned_from=("TS14.11",)), 15)
    'run mine: its model learned from 1 of the 15 judged events (TS14.11): its scores there are not a fair test'
    """
    if origin is None or not origin.learned_from:
        return ""
    shown = ", ".join(clean(event) for event in origin.learned_from[:_SHOWN])
    more = ", ..." if len(origin.learned_from) > _SHOWN else ""
    return (
        f"run {clean(name)}: its model learned from {len(origin.learned_from)} of the {events} judged events "
        f"({shown}{more}): its scores there are not a fair test"
    )


def unequal_words(runs: Sequence[tuple[str, Origin | None]]) -> str:
    """One line when some runs chose from the pool and others from the corpus, else nothing."""
    choices = {origin.choice for _, origin in runs if origin is not None and origin.choice}
    if len(choices) < 2:
        return ""
    said = [f"{clean(name)} {_how(origin)}" for name, origin in runs if origin is not None and origin.choice]
    return (
        f"not on equal terms: {'; '.join(said)}. A pool holds what systems found worth sending, so that choosing from "
        "it is easier: no difference between such runs is one of systems alone"
    )


def origin_words(comparison: Comparison) -> list[str]:
    """All that a comparison of these runs must say: what they learned from, and that they chose from unlike things."""
    runs = [(run.name, run.origin) for run in comparison.runs]
    lines = [learned_words(name, origin, len(comparison.topics)) for name, origin in runs]
    return [line for line in (*lines, unequal_words(runs)) if line]


def caveat(comparison: Comparison, run: int) -> str:
    """What keeps a difference between a run and the baseline from being one of systems, in a few words; else nothing.

    >>> from tidings.evaluation.measures.run_comparison import Comparison, RunColumn
    >>> mine = RunColumn("mine", "a", "", "mine", origin=Origin(learned_from=("e",), choice="pool"))
    >>> caveat(Comparison((mine, RunColumn("base", "b", "", "base")), 1, ("e",), ()), 0)
    'mine learned from judged events'
    """
    base, other = comparison.runs[comparison.baseline], comparison.runs[run]
    parts = []
    choices = [column.origin.choice for column in (base, other) if column.origin and column.origin.choice]
    if len(set(choices)) == 2:
        pool = base if choices[0] == "pool" else other
        parts.append(f"only {clean(pool.name)} chose from the pool")
    learned = [clean(column.name) for column in (base, other) if column.origin and column.origin.learned_from]
    if learned:
        parts.append(f"{' and '.join(learned)} learned from judged events")
    return ", and ".join(parts)


def _how(origin: Origin) -> str:
    return (_INFERRED if origin.inferred else _CHOICES)[origin.choice]


def run_name(scores: RunScores) -> str:
    """How a run is called: by its team and its name, where it has them."""
    return " ".join(filter(None, (scores.team, scores.run)))


def mean_label(scores: RunScores) -> str:
    """Over which events a run's means go, for the row that shows them.

    >>> mean_label(RunScores("us", "a", (), {"e": {}, "f": {}}, over=("e",)))
    'own 1 of 2'
    >>> mean_label(RunScores("us", "a", (), {"e": {}, "f": {}}, over=("e", "f")))
    'all 2'
    >>> mean_label(RunScores("us", "a", (), {"e": {}, "f": {}, "g": {}}, silent=("f", "g"), over=("e", "f")))
    'listed 2 of 3'
    """
    over, judged = len(scores.over), len(scores.per_event)
    if over == judged:
        return f"all {judged}" if judged else "all"
    return f"{'listed' if set(scores.silent).intersection(scores.over) else 'own'} {over} of {judged}"


def score_remarks(scored: Sequence[RunScores], events: int, mean: str | None, option: str) -> list[str]:
    """A line for each thing to know of some runs' scores.

    Args:
        scored: the runs.
        events: how many events are judged.
        mean: what means are taken over: `own` or `all`; None: as the rules have it.
        option: how a reader asks for means over all events, such as `--mean all`.

    >>> score_remarks([RunScores("us", "a", (), {}, silent=("e",))], 2, "own", "--mean all")
    ['run us a is silent on 1 of 2 events (e): left out of its means (official; --mean all counts silence as zero)']
    """
    lines = [line for run in scored for line in _of_run(run, events, mean, option)]
    origins = [(run_name(run), run.origin) for run in scored]
    lines += [learned_words(name, origin, events) for name, origin in origins]
    undated = tuple(dict.fromkeys(event for run in scored for event in run.undated))
    if undated:
        lines.append(
            f"measures over time leave out {list_first(undated)}: the judgments do not say when they start and end"
        )
    return [line for line in (*lines, unequal_words(origins)) if line]


def _of_run(scores: RunScores, events: int, mean: str | None, option: str) -> list[str]:
    name = " ".join(filter(None, ("run", run_name(scores))))
    lines = count_remarks(run_name(scores), scores.counts)
    counted = scores.silent if mean == "all" else [event for event in scores.silent if event in scores.over]
    left_out = [event for event in scores.silent if event not in counted]
    why = f"{'no topic lists them' if counted else 'official'}; {option} counts silence as zero"
    for silent, how in (
        (left_out, f"left out of its means ({why})"),
        (counted, f"counted{' as zero' if mean == 'all' else ''} in its means"),
    ):
        if silent:
            lines.append(
                f"{name} is silent on {len(silent)} of {events} events ({list_first(silent)}): {how}"
            )
    if scores.unjudged:
        lines.append(
            f"{name} tells of {list_first(scores.unjudged)}, for which there are no judgments; skipped"
        )
    return lines
