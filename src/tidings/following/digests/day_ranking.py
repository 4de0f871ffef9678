"""Which days of a story matter: seven counts of each day, and a learned weight for each count.

The counts are those of Ghalandari and Ifrim (2020): sentences and documents that speak of the day, all of them, those
published after it and those published before it; documents published on it. `ours` counts each by how far it is about
the event, takes logarithms and divides by the story's largest; DATEWISE divides by the length of the story's column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import resources
from math import log1p, sqrt

import msgspec
from msgspec import Struct

from tidings.following.digests.story import Story

COUNTS = (
    "sentences",
    "sentences_after",
    "sentences_before",
    "documents",
    "documents_after",
    "documents_before",
    "published",
)
"""The counts of a day: sentences and documents that speak of it (of documents published after it, before it), and
documents that were published on it."""


class DayWeights(Struct, frozen=True):
    """A weight for each of `COUNTS`, and whether the counts are `weighted` by relevance and `logarithmic`."""

    weights: tuple[float, ...]
    weighted: bool = False
    logarithmic: bool = False


def day_counts(story: Story, *, weighted: bool = False) -> dict[int, list[float]]:
    """For each day that may be told, its counts in the order of `COUNTS`, in time order.

    With `weighted` a sentence and a document count by how far they are about the event (0 to 1), else 1.
    """
    counts: dict[int, list[float]] = {}
    for day, value in zip(story.published, story.relevance, strict=True):
        counts.setdefault(day, [0.0] * 7)[6] += value if weighted else 1.0
    seen: set[tuple[int, int]] = set()
    for sentence in story.sentences:
        for day in sentence.days:
            row = counts.setdefault(day, [0.0] * 7)
            side = 1 if sentence.published > day else 2 if sentence.published < day else 0
            value = sentence.weight if weighted else 1.0
            row[0] += value
            if side:
                row[side] += value
            if (sentence.document, day) not in seen:
                seen.add((sentence.document, day))
                value = story.relevance[sentence.document] if weighted else 1.0
                row[3] += value
                if side:
                    row[3 + side] += value
    return {day: counts[day] for day in sorted(counts) if story.first_day <= day <= story.last_day}


def scaled(counts: Mapping[int, Sequence[float]], *, logarithmic: bool = False) -> dict[int, list[float]]:
    """Counts made comparable between stories: ln(1 + n) by the column's largest, or n by the column's length.

    >>> scaled({1: [3.0], 2: [4.0]})
    {1: [0.6], 2: [0.8]}
    >>> scaled({1: [0.0], 2: [9.0]}, logarithmic=True)
    {1: [0.0], 2: [1.0]}
    """
    rows = [[log1p(count) for count in row] if logarithmic else list(row) for row in counts.values()]
    columns = list(zip(*rows, strict=True))
    lengths = [
        (max(column) if logarithmic else sqrt(sum(value * value for value in column))) or 1.0
        for column in columns
    ]
    return {
        day: [value / length for value, length in zip(row, lengths, strict=True)]
        for day, row in zip(counts, rows, strict=True)
    }


def rank_days(story: Story, weights: DayWeights) -> list[int]:
    """The days that may be told, the likeliest first; of equals the earlier."""
    rows = scaled(day_counts(story, weighted=weights.weighted), logarithmic=weights.logarithmic)
    worth = {
        day: sum(value * weight for value, weight in zip(row, weights.weights, strict=True))
        for day, row in rows.items()
    }
    return sorted(worth, key=lambda day: (-round(worth[day], 12), day))


@lru_cache(maxsize=1)
def shipped_weights() -> dict[str, DayWeights]:
    """The weights that come with tidings, by the name of the system that ranks with them."""
    data = resources.files("tidings.following.digests").joinpath("day_weights.json").read_bytes()
    return msgspec.json.decode(data, type=_File).systems


class _File(Struct):
    systems: dict[str, DayWeights]
