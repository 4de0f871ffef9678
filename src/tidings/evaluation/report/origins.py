"""Where runs come from, in words: what must stand beside their scores so that no comparison hides it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tidings.core import clean
from tidings.evaluation.measures.scores import Origin

if TYPE_CHECKING:
    from tidings.evaluation.measures.significance import Comparison

__all__ = ["caveat", "learned_words", "origin_words", "unequal_words"]

_SHOWN = 5
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
    'run mine: its model learned from 1 of the 15 judged events (TS14.11): its scores there are no test of it'
    """
    if origin is None or not origin.learned_from:
        return ""
    shown = ", ".join(clean(event) for event in origin.learned_from[:_SHOWN])
    more = ", ..." if len(origin.learned_from) > _SHOWN else ""
    return (
        f"run {clean(name)}: its model learned from {len(origin.learned_from)} of the {events} judged events "
        f"({shown}{more}): its scores there are no test of it"
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

    >>> from tidings.evaluation.measures.significance import Comparison, RunColumn
    >>> mine = RunColumn("mine", "a", "", "mine", origin=Origin(learned_from=("e",), choice="pool"))
    >>> caveat(Comparison((mine, RunColumn("base", "b", "", "base")), 1, ("e",), ()), 0)
    'mine learned from judged events'
    """
    base, other = comparison.runs[comparison.baseline], comparison.runs[run]
    parts = []
    choices = [one.origin.choice for one in (base, other) if one.origin and one.origin.choice]
    if len(set(choices)) == 2:
        pool = base if choices[0] == "pool" else other
        parts.append(f"only {clean(pool.name)} chose from the pool")
    learned = [clean(one.name) for one in (base, other) if one.origin and one.origin.learned_from]
    if learned:
        parts.append(f"{' and '.join(learned)} learned from judged events")
    return ", and ".join(parts)


def _how(origin: Origin) -> str:
    return (_INFERRED if origin.inferred else _CHOICES)[origin.choice]
