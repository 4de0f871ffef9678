"""A long run as columns of text, of which few lines are ever looked at."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from math import copysign, isfinite
from typing import overload

from tidings.core.records import Update


class UpdateColumns(Sequence[Update]):
    """Updates held as columns of text, each made into an `Update` when it is looked at.

    A submitted run has a hundred thousand updates, of which a scorer needs a few thousand. `blocks` says which
    event the lines from..to tell of. Times and confidences are known to be numbers but kept as written.
    """

    __slots__ = ("_confidences", "_ids", "_times", "blocks")

    def __init__(
        self, blocks: list[tuple[str, int, int]], ids: list[str], times: list[str], confidences: list[str]
    ) -> None:
        self.blocks = blocks
        self._ids = ids
        self._times = times
        self._confidences = confidences

    def __len__(self) -> int:
        return len(self._ids)

    @overload
    def __getitem__(self, index: int) -> Update: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Update, ...]: ...
    def __getitem__(self, index: int | slice) -> Update | tuple[Update, ...]:
        if isinstance(index, slice):
            return tuple(self[position] for position in range(*index.indices(len(self))))
        position = index if index >= 0 else len(self) + index
        if not 0 <= position < len(self):
            raise IndexError(index)
        block = bisect_right(self.blocks, position, key=lambda block: block[1]) - 1
        return self._at(self.blocks[block][0], position)

    def __iter__(self) -> Iterator[Update]:
        for event_id, start, end in self.blocks:
            for position in range(start, end):
                yield self._at(event_id, position)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, UpdateColumns | tuple | list):
            return len(self) == len(other) and all(one == two for one, two in zip(self, other, strict=True))
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def _at(self, event_id: str, position: int) -> Update:
        doc_id, _, index = self._ids[position].rpartition("-")
        return Update(event_id, doc_id, int(index), int(self._times[position]), self.confidence(position))

    def id(self, position: int) -> str:
        """The update id at a position."""
        return self._ids[position]

    def ids(self, start: int, end: int) -> list[str]:
        """The update ids from a position to another."""
        return self._ids[start:end]

    def written_times(self, start: int, end: int) -> list[str]:
        """The decision times from a position to another, as they are written."""
        return self._times[start:end]

    def time(self, position: int) -> int:
        """The decision time at a position."""
        return int(self._times[position])

    def confidence(self, position: int) -> float:
        """The confidence at a position; infinite counts as 1000, as the official scorers have it."""
        value = float(self._confidences[position])
        return value if isfinite(value) else copysign(1000.0, value)
