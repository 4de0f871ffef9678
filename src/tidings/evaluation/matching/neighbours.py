"""What the texts nearest to a text, and those likest to a nugget, say of whether they match."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tidings.evaluation.matching.texts import EventTexts

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

_NEAREST = 8  # texts whose likeness to a nugget votes for a text
_FEEDBACK = 5  # texts likest to a nugget that widen it
_AT_ONCE = 2_000_000  # entries in one block, to bound memory
_TEXTS_AT_ONCE = 512  # rows in one block, likewise

MOST_REFERENCES = 2_000
"""Among how many texts neighbours are sought at most, evenly spaced: of more texts a part shows the company as well."""


def parts(counts: Ints, most: int = 0) -> Iterator[slice]:
    """Slices of what has so many entries each: of at most `most` entries, two million unless said, or of one alone.

    >>> list(parts(np.array([2, 2, 3]), 4))
    [slice(0, 2, None), slice(2, 3, None)]
    """
    ends, most = np.cumsum(counts), most or _AT_ONCE
    start = 0
    while start < len(counts):
        before = int(ends[start - 1]) if start else 0
        stop = max(int(np.searchsorted(ends, before + most, side="right")), start + 1)
        yield slice(start, stop)
        start = stop


def ranges(counts: Ints) -> Ints:
    """0..count-1 for each count, one behind the other.

    >>> ranges(np.array([2, 0, 3])).tolist()
    [0, 1, 0, 1, 2]
    """
    ends = np.cumsum(counts)
    return np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - counts, counts)


def highest(values: Floats, count: int) -> Ints:
    """Where the `count` highest of some values stand, highest first, of equal ones the first.

    >>> highest(np.array([1, 3, 2, 3], dtype=np.float32), 3).tolist()
    [1, 3, 2]
    """
    if count < len(values):
        least = -np.partition(-values, count - 1)[count - 1]
        some = np.nonzero(values >= least)[0]
    else:
        some = np.arange(len(values))
    return some[np.argsort(-values[some], kind="stable")][:count]


def by_neighbours(event: EventTexts, base: Floats, values: Floats) -> tuple[Floats, Floats, Floats]:
    """(feedback, votes, nearest), as `Likeness` has them, by the terms that at least two texts hold.

    Args:
        event: texts and nuggets.
        base: (texts, nuggets) by which texts are likest to a nugget, and what neighbours vote.
        values: of each entry of the event its part of the text's unit vector.
    """
    shared = event.held_by[event.entry_terms] >= 2
    texts, terms, values = event.entry_texts[shared], event.entry_terms[shared], values[shared]
    votes, nearest = _votes(event, base, texts, terms, values)
    return _feedback(event, base, texts, terms, values), votes, nearest


def _votes(
    event: EventTexts, base: Floats, texts: Ints, terms: Ints, values: Floats
) -> tuple[Floats, Floats]:
    count = len(base)
    votes, nearest = np.zeros_like(base), np.zeros(count, dtype=np.float32)
    references = np.unique(np.linspace(0, count - 1, min(count, MOST_REFERENCES)).astype(np.int64))
    near = min(_NEAREST, len(references) - 1)
    if near < 1:
        return votes, nearest
    number = np.full(count, -1, dtype=np.int64)
    number[references] = np.arange(len(references))
    listed = np.nonzero(number[texts] >= 0)[0]
    listed = listed[np.argsort(terms[listed], kind="stable")]
    owners, strength = number[texts[listed]], values[listed]
    firsts = np.searchsorted(terms[listed], np.arange(event.width + 1))
    lengths = np.diff(firsts)
    begins = np.searchsorted(texts, np.arange(count + 1))
    for start in range(0, count, _TEXTS_AT_ONCE):
        stop = min(start + _TEXTS_AT_ONCE, count)
        cosines = np.zeros((stop - start) * len(references), dtype=np.float64)
        block = slice(begins[start], begins[stop])
        for part in parts(lengths[terms[block]]):
            own = slice(block.start + part.start, block.start + part.stop)
            counts = lengths[terms[own]]
            entries = np.repeat(firsts[terms[own]], counts) + ranges(counts)
            flat = np.repeat((texts[own] - start) * len(references), counts) + owners[entries]
            cosines += np.bincount(flat, np.repeat(values[own], counts) * strength[entries], len(cosines))
        table = cosines.reshape(stop - start, -1).astype(np.float32)
        selves = np.nonzero(number[start:stop] >= 0)[0]
        table[selves, number[start:stop][selves]] = -1.0
        chosen = np.argpartition(-table, near - 1, axis=1)[:, :near]
        shares = np.maximum(np.take_along_axis(table, chosen, axis=1), 0.0)
        nearest[start:stop] = shares.mean(axis=1)
        shares = shares / np.maximum(shares.sum(axis=1, keepdims=True), 1e-6)
        for place in range(near):
            votes[start:stop] += shares[:, place, None] * base[references[chosen[:, place]]]
    return votes, nearest


def _feedback(event: EventTexts, base: Floats, texts: Ints, terms: Ints, values: Floats) -> Floats:
    count, nuggets = base.shape
    made = np.zeros_like(base)
    take = min(_FEEDBACK + 1, count)
    if take < 2 or not nuggets:
        return made
    best = np.stack([highest(base[:, number], take) for number in range(nuggets)], axis=1)
    begins = np.searchsorted(texts, np.arange(count + 1))
    profiles = np.zeros((event.width, nuggets), dtype=np.float32)
    lengths = np.zeros(nuggets, dtype=np.float32)
    without: list[tuple[int, int, float]] = []
    for number in range(nuggets):
        rows = np.zeros((take, event.width), dtype=np.float32)
        for place, text in enumerate(best[:, number].tolist()):
            own = slice(begins[text], begins[text + 1])
            rows[place, terms[own]] = values[own]
        strength = base[best[:, number], number]
        weighed = strength[:, None] * rows
        profiles[:, number] = weighed[:-1].sum(axis=0)
        lengths[number] = np.linalg.norm(profiles[:, number])
        for place, text in enumerate(best[:-1, number].tolist()):  # without the text itself
            others = profiles[:, number] - weighed[place] + weighed[-1]
            said = float(rows[place] @ others) / max(float(np.linalg.norm(others)), 1e-6)
            without.append((text, number, said))
    shared = np.zeros(event.width, dtype=bool)
    shared[np.nonzero(profiles)[0]] = True
    some = shared[terms]
    texts, terms, values = texts[some], terms[some], values[some]
    for part in parts(np.full(len(texts), nuggets)):
        own_texts, firsts = np.unique(texts[part], return_index=True)
        made[own_texts] += np.add.reduceat(values[part, None] * profiles[terms[part]], firsts, axis=0)
    made /= np.maximum(lengths, 1e-6)
    for text, number, said in without:
        made[text, number] = said
    return made
