"""Which days of a story matter: what is counted of each day, and a learned weight for each count.

DATEWISE counts as Ghalandari and Ifrim (2020): sentences and documents that speak of the day, all of them, those
published after it and those published before it; documents published on it; each divided by the length of the story's
column. `ours` has eight features (`FEATURES`), counts by how far what is counted is about the event, as logarithms
divided by the story's largest. A digest covers all of a story: each chosen day takes worth from those around it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib import resources
from math import log, log1p, sqrt
from statistics import median

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


FEATURES = (
    "sentences",
    "documents",
    "documents_after",
    "documents_later",
    "published",
    "alone",
    "burst",
    "chronologies",
)
"""What `ours` knows of a day: sentences and documents that speak of it, documents of these that were published after it
and more than a day after it, documents published on it; sentences that speak of it and can stand alone; how far its
documents rise above those of the days around it; lines of chronologies."""

_AROUND = 10
"""Days on either side whose median number of documents a burst rises above."""

_WINDOW = 8.0
"""Days of a digest, at its mean distance, over which a chosen day takes worth from others."""

_TAKEN = 0.1
"""How much a chosen day takes: w / (1 + _TAKEN * chosen days nearby)."""


class DayWeights(Struct, frozen=True):
    """A weight for each of `COUNTS` (DATEWISE) or `FEATURES` (ours)."""

    weights: tuple[float, ...]


def day_counts(story: Story, *, weighted: bool = False) -> dict[int, list[float]]:
    """For each day that may be chosen, its counts in the order of `COUNTS`, in time order.

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


def day_features(story: Story) -> dict[int, list[float]]:
    """For each day that may be chosen, its `FEATURES` in order, 0 to 1 (a burst may be below 0), in time order."""
    counts = day_counts(story, weighted=True)
    alone = dict.fromkeys(counts, 0.0)
    lines = dict.fromkeys(counts, 0.0)
    later: dict[int, set[int]] = {day: set() for day in counts}
    for sentence in story.sentences:
        for day in sentence.days:
            if day in counts:
                alone[day] += sentence.weight * sentence.alone
                lines[day] += sentence.weight * sentence.chronology
                if sentence.published > day + 1:
                    later[day].add(sentence.document)
    documents = {day: row[COUNTS.index("documents")] for day, row in counts.items()}
    rows = {}
    for day, row in counts.items():
        known = dict(zip(COUNTS, row, strict=True))
        rows[day] = [
            known["sentences"],
            known["documents"],
            known["documents_after"],
            sum(story.relevance[document] for document in sorted(later[day])),
            known["published"],
            alone[day],
            lines[day],
        ]
    bursts = {day: _burst(day, documents) for day in documents}
    highest = max(bursts.values(), default=0.0)
    return {
        day: [*row[:6], bursts[day] / highest if highest > 0 else 0.0, row[6]]
        for day, row in scaled(rows, logarithmic=True).items()
    }


def _burst(day: int, documents: Mapping[int, float]) -> float:
    near = [documents.get(day + away, 0.0) for away in range(-_AROUND, _AROUND + 1) if away]
    return log((1.0 + documents[day]) / (1.0 + median(near)))


def worth_of_days(rows: Mapping[int, Sequence[float]], weights: DayWeights) -> dict[int, float]:
    """The weighted sum of what is counted of each day."""
    return {
        day: sum(value * weight for value, weight in zip(row, weights.weights, strict=True))
        for day, row in rows.items()
    }


def rank_days(story: Story, weights: DayWeights) -> list[int]:
    """The days that may be chosen, as DATEWISE ranks them, the likeliest first; of equals the earlier."""
    worth = worth_of_days(scaled(day_counts(story)), weights)
    return sorted(worth, key=lambda day: (-round(worth[day], 12), day))


def spread_days(worth: Mapping[int, float], number: int) -> Iterator[int]:
    """All days, each time the one that is worth most beside those given before it; of equals the earlier.

    A day d is worth (w_d - min w) / (1 + .1 Σ_c exp(-|d - c| / h)), c the days given before it, h eight times the mean
    distance of `number` days over the story.

    >>> list(spread_days({1: 1.0, 2: 0.9, 3: 0.95, 400: 0.88, 500: 0.0}, 50))
    [1, 400, 3, 2, 500]
    """
    import numpy as np

    if not worth:
        return
    days = np.array(sorted(worth))
    values = np.array([worth[day] for day in days.tolist()])
    values -= values.min()
    window = max(2.0, _WINDOW * (days[-1] - days[0] + 1) / number)
    near = np.zeros(len(days))
    left = np.ones(len(days), dtype=bool)
    for _ in range(len(days)):
        place = int(np.argmax(np.where(left, np.round(values / (1.0 + _TAKEN * near), 12), -1.0)))
        left[place] = False
        near += np.exp(-np.abs(days - days[place]) / window)
        yield int(days[place])


@lru_cache(maxsize=1)
def shipped_weights() -> DigestWeights:
    """The weights that come with tidings."""
    data = resources.files("tidings.following.digests").joinpath("weights.json").read_bytes()
    return msgspec.json.decode(data, type=DigestWeights)


class DigestWeights(Struct, frozen=True):
    """By what days are ranked (of each system that learns), and by what `ours` ranks sentences; learned from where."""

    days: dict[str, DayWeights]
    sentences: tuple[float, ...]
    learned_from: tuple[str, ...] = ()
