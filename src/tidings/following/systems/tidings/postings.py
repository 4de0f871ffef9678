"""Rows of few entries, found by their keys: what a memory of sentences costs grows with what they hold."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from functools import cache
from struct import Struct
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from numpy import ndarray

__all__ = ["Postings"]

Key = TypeVar("Key", bound=Hashable)

_ENTRY = Struct("<If")


class Postings(Generic[Key]):
    """For each key the (row, value) of the rows that have it, oldest first.

    >>> postings = Postings()
    >>> postings.add(0, {"ferri": 1.0, "fire": 0.5})
    >>> postings.add(1, {"fire": 2.0})
    >>> postings.dots({"fire": 2.0, "storm": 1.0}, 2).tolist()
    [1.0, 4.0]
    >>> postings.remove_oldest(["ferri", "fire"])
    >>> "ferri" in postings, postings.dots({"fire": 2.0}, 2).tolist()
    (False, [0.0, 4.0])
    """

    def __init__(self) -> None:
        self._entries: dict[Key, bytearray] = {}

    def __contains__(self, key: object) -> bool:
        return key in self._entries

    @property
    def size_bytes(self) -> int:
        """Bytes that the entries take."""
        return sum(map(len, self._entries.values()))

    def add(self, row: int, values: Mapping[Key, float]) -> None:
        """Keep a row that is younger than all others."""
        entries, pack = self._entries, _ENTRY.pack
        for key, value in values.items():
            kept = entries.get(key)
            if kept is None:
                entries[key] = bytearray(pack(row, value))
            else:
                kept += pack(row, value)

    def remove_oldest(self, keys: Iterable[Key]) -> None:
        """Forget the oldest row, which has these keys."""
        entries, size = self._entries, _ENTRY.size
        for key in keys:
            kept = entries[key]
            if len(kept) == size:
                del entries[key]
            else:
                del kept[:size]

    def meet(
        self, weights: Mapping[Key, float]
    ) -> tuple[ndarray[Any, Any], ndarray[Any, Any], ndarray[Any, Any]]:
        """(row, value, weight) of all entries under these keys, key by key, as three arrays."""
        import numpy as np

        entries = self._entries
        met = [(kept, weight) for key, weight in weights.items() if (kept := entries.get(key)) is not None]
        joined = np.frombuffer(b"".join([kept for kept, _ in met]), dtype=_dtype())
        counts = [len(kept) // _ENTRY.size for kept, _ in met]
        return joined["row"], joined["value"], np.repeat(np.array([weight for _, weight in met]), counts)

    def dots(self, weights: Mapping[Key, float], rows: int) -> ndarray[Any, Any]:
        """The sum of value times weight over the keys of each of so many rows."""
        import numpy as np

        row, value, weight = self.meet(weights)
        return np.bincount(row, weights=value * weight, minlength=rows)


@cache
def _dtype() -> Any:
    import numpy as np

    return np.dtype([("row", "<u4"), ("value", "<f4")])
