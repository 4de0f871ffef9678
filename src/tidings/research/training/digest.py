"""Weights of the counts by which a digest ranks days, from stories with reference timelines: ridge regression.

A day's target is 1 where a reference timeline has it, else 0. Each story counts the same, however many days it has.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tidings.following import DayWeights, Story, day_counts, scaled

__all__ = ["PENALTIES", "fit_day_weights"]

PENALTIES = {"ours": 0.1, "datewise": 1e-6}
"""What a unit of squared weight costs, by the system whose days are ranked: DATEWISE has plain linear regression."""


def fit_day_weights(stories: Sequence[tuple[Story, Collection[int]]], system: str) -> DayWeights:
    """The weights w that make Σ_stories mean_days (y - b - w·x)² + penalty |w|² least, x the scaled counts of a day.

    Args:
        stories: each with the numbers of the days of its reference timelines.
        system: `ours` (counts weighted by relevance, logarithmic) or `datewise` (plain counts).
    """
    import numpy as np

    own = system == "ours"
    rows, targets, shares = [], [], []
    for story, wanted in stories:
        counts = scaled(day_counts(story, weighted=own), logarithmic=own)
        rows += list(counts.values())
        targets += [float(day in wanted) for day in counts]
        shares += [1.0 / len(counts) / len(stories)] * len(counts)
    x, y, share = np.array(rows), np.array(targets), np.array(shares)
    centred = x - share @ x
    square = (centred * share[:, None]).T @ centred
    side = (centred * share[:, None]).T @ (y - share @ y)
    weights = np.linalg.solve(square + PENALTIES[system] * np.eye(len(square)), side)
    return DayWeights(tuple(round(float(weight), 4) for weight in weights), own, own)
