"""The greedy oracle that is imitated: it knows the judgments and tells what is worth its words."""

from __future__ import annotations

from tidings.research.training.hres.rewards import outcome
from tidings.research.training.hres.streams import Stream

__all__ = ["oracle"]


def oracle(stream: Stream) -> tuple[float, list[int]]:
    """The gain per verbosity from which to tell that gives the best H, and what is told then."""
    best = (-1.0, 1.0, list[int]())
    for level in (0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.13, 0.16, 0.2, 0.25, 0.3, 0.4, 0.5):
        emitted = _tell(stream, level)
        H = outcome(stream, emitted).H
        if best[0] < H:
            best = (H, level, emitted)
    return best[1], best[2]


def _tell(stream: Stream, level: float) -> list[int]:
    emitted_nuggets: set[int] = set()
    emitted = []
    for number, spans in enumerate(stream.spans):
        fresh = {nugget for nugget, _, _ in spans} - emitted_nuggets
        if not fresh:
            continue
        time = stream.times[number]
        gain = sum(stream.gains[nugget] * stream.latency(nugget, time) for nugget in fresh)
        covered: set[int] = set()
        for nugget, start, end in spans:
            if nugget in fresh:
                covered.update(range(start, end))
        if gain / (1 + max(0, stream.lengths[number] - len(covered)) / stream.mean_words) >= level:
            emitted.append(number)
            emitted_nuggets |= fresh
    return emitted
