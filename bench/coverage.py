"""How often the intervals of `tidings compare` hold the true mean: by drawing topics from distributions that are known.

$ python -m bench.coverage
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from random import Random

from tidings.evaluation.measures.significance import IntervalMethod, bootstrap_interval

METHODS: tuple[IntervalMethod, ...] = ("percentile", "bca", "studentized")
TOPICS = (10, 15, 24, 50)

DISTRIBUTIONS: dict[str, tuple[Callable[[Random], float], float]] = {
    "normal": (lambda draw: draw.gauss(0.03, 0.1), 0.03),
    "skewed (exponential)": (lambda draw: draw.expovariate(1 / 0.05), 0.05),
    "very skewed (lognormal)": (lambda draw: draw.lognormvariate(0, 1), 2.718281828459045**0.5),
}
"""Differences between two runs on a topic, and their true mean."""


def coverage(
    method: IntervalMethod, name: str, topics: int, rounds: int, resamples: int
) -> tuple[float, float]:
    """The share of 95 % intervals that hold the true mean, and their mean width."""
    value, truth = DISTRIBUTIONS[name]
    draw = Random(f"{name} {topics}")
    held = width = 0.0
    for _ in range(rounds):
        interval = bootstrap_interval(
            [value(draw) for _ in range(topics)], resamples=resamples, method=method
        )
        held += interval.low <= truth <= interval.high
        width += interval.high - interval.low
    return held / rounds, width / rounds


def main(rounds: int = 2000, resamples: int = 1000) -> None:
    """Print the table of docs/evaluation/comparing.md."""
    print("| differences | topics | " + " | ".join(METHODS) + " |")
    print("|---|---:|" + "---:|" * len(METHODS))
    for name in DISTRIBUTIONS:
        for topics in TOPICS:
            found = [coverage(method, name, topics, rounds, resamples) for method in METHODS]
            cells = [f"{share:.3f} ({width / found[0][1]:.2f})" for share, width in found]
            print(f"| {name} | {topics} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
