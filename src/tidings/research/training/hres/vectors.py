"""Where the word vectors begin: which words stand near each other in the streams, judged or not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import torch
from torch import Tensor

__all__ = ["word_vectors"]

_NEAR = 4
_LENGTH = 0.6


def word_vectors(texts: Iterable[np.ndarray[Any, Any]], rows: int, size: int) -> Tensor:
    """(rows, size): the factors U √S of the positive pointwise mutual information of words at most 4 apart.

    PPMI(a, b) = max(0, ln(n(a, b) n / (n(a) n(b)^.75))), once for b after a and once for b before a, and added: word
    order counts. n(a, b) = sum over the places of 1 / distance, n(a) = the same of a with every word in both orders,
    and n(b)^.75 is scaled to add up to n. Every vector gets the length .6; a row that no word uses, and row 0, is 0.
    """
    near: list[np.ndarray[Any, Any]] = []
    weights: list[np.ndarray[Any, Any]] = []
    for ids in texts:
        for distance in range(1, min(_NEAR, len(ids) - 1) + 1):
            near.append(ids[:-distance] * rows + ids[distance:])
            weights.append(np.full(len(ids) - distance, 1 / distance))
    vectors = torch.zeros((rows, size))
    if not near:
        return vectors
    names, place = np.unique(np.concatenate(near), return_inverse=True)
    counts = np.bincount(place, weights=np.concatenate(weights))
    left = np.concatenate((names // rows, names % rows))
    right = np.concatenate((names % rows, names // rows))
    counts = np.concatenate((counts, counts))
    often = np.bincount(left, weights=counts, minlength=rows)
    smooth = often**0.75
    smooth *= often.sum() / smooth.sum()
    values = np.log(counts * often.sum() / (often[left] * smooth[right]))
    some = values > 0
    table = torch.sparse_coo_tensor(
        torch.from_numpy(np.stack((left[some], right[some]))),
        torch.from_numpy(values[some].astype(np.float32)),
        (rows, rows),
        check_invariants=True,
    ).coalesce()
    wide = min(size, int(np.count_nonzero(often)))
    U, S, _ = torch.svd_lowrank(table, q=wide, niter=4)
    found = U * S.sqrt()
    lengths = found.norm(dim=1, keepdim=True)
    vectors[:, :wide] = torch.where(lengths > 1e-6, _LENGTH * found / lengths.clamp(min=1e-6), 0.0)
    vectors[0] = 0
    return vectors
