"""What is seen of an update besides its words: likeness to query, nuggets and the rest of the pool, length, place.

Each feature is brought to mean 0 and deviation 1 over the pool, so that what was learned on other topics holds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tidings.evaluation.selection.terms import Floats, TermMatrix

__all__ = ["FEATURES", "NUGGET_FEATURES", "Surroundings", "describe"]

FEATURES = ("constant", "query", "length", "place", "middle", "promising")
"""Of every pool, by column.

`constant` is 1; `query` the cosine to the words of query and title; `length` ln(1 + stems); `place` the number of the
sentence in its document, at most 20; `middle` the mean cosine to all updates of the pool; `promising` the
mean cosine to that tenth of the pool that is most like query, nuggets and pool at once.
"""

NUGGET_FEATURES = ("nearest", "nearest 5", "nearest 20", "nuggets met")
"""Where nuggets are known: mean cosine to the nearest one, 5 and 20; share of the nuggets that share a term."""

_FARTHEST_PLACE = 20
_PROMISING = 10  # one in so many


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A pool's texts, its nuggets' and its query as rows over the same terms, and what else is known of each update."""

    texts: TermMatrix
    nuggets: TermMatrix
    query: TermMatrix
    lengths: Floats
    places: Floats


def describe(pool: Surroundings) -> Floats:
    """A row for each update, a column for each of `FEATURES`, then `NUGGET_FEATURES` where there are nuggets."""
    count = pool.texts.height
    query = pool.texts.cosines(pool.query)[:, 0]
    middle = _mean_cosine(pool.texts, np.ones(count, dtype=np.bool_))
    by_nuggets: list[Floats] = []
    if pool.nuggets.height:
        cosines = pool.texts.cosines(pool.nuggets)
        by_nuggets = [_mean_of_nearest(cosines, most) for most in (1, 5, 20)]
        by_nuggets.append((cosines > 0).mean(axis=1))
    seeming = sum(map(_levelled, [query, middle, *by_nuggets[2:3]]), np.zeros(count))
    first = np.zeros(count, dtype=np.bool_)
    first[np.argsort(-seeming, kind="stable")[: max(5, count // _PROMISING)]] = True
    promising = _mean_cosine(pool.texts, first)
    near_start = np.minimum(pool.places, _FARTHEST_PLACE)
    columns = [query, np.log1p(pool.lengths), near_start, middle, promising, *by_nuggets]
    return np.stack([np.ones(count), *map(_levelled, columns)], axis=1)


def _levelled(column: Floats) -> Floats:
    """With mean 0 and deviation 1; all 0 where all are equal."""
    if not len(column):
        return column
    return np.asarray((column - column.mean()) / (column.std() + 1e-9))


def _mean_cosine(texts: TermMatrix, chosen: NDArray[np.bool_]) -> Floats:
    """Of each text the mean cosine to the chosen ones other than itself."""
    together = texts.times(texts.transposed_times(chosen.astype(np.float64)))
    own = texts.times_squared(np.ones(texts.width)) * chosen
    return np.asarray((together - own) / np.maximum(chosen.sum() - chosen, 1))


def _mean_of_nearest(cosines: Floats, most: int) -> Floats:
    if most >= cosines.shape[1]:
        return np.asarray(cosines.mean(axis=1))
    return np.asarray(np.partition(cosines, -most, axis=1)[:, -most:].mean(axis=1))
