"""Which stems are common in what is remembered of an event: its topic beyond its query."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["Topic"]

_LEAST = 2
_SHARE = 20


class Topic:
    """How many of the remembered sentences hold each stem; `common` are those that a twentieth hold, and two at least.

    >>> topic = Topic()
    >>> topic.add(["fire", "port"], 1)
    >>> topic.add(["fire", "crew"], 2)
    >>> topic.common
    {'fire'}
    >>> topic.remove(["fire", "port"])
    >>> topic.common
    set()
    """

    def __init__(self) -> None:
        self.common: set[str] = set()
        self.counts: dict[str, int] = {}
        self._need = _LEAST

    def holds(self, stem: str) -> bool:
        """Whether any of the remembered sentences holds the stem."""
        return stem in self.counts

    def add(self, stems: Iterable[str], remembered: int) -> None:
        """Count the stems of a sentence, each once; so many are `remembered` with it."""
        counts, common = self.counts, self.common
        need = max(_LEAST, remembered // _SHARE)
        if need != self._need:
            self._need = need
            common.clear()
            common.update(stem for stem, count in counts.items() if count >= need)
        for stem in stems:
            count = counts[stem] = counts.get(stem, 0) + 1
            if count >= need:
                common.add(stem)

    def remove(self, stems: Iterable[str]) -> None:
        """Count these no more: the stems of a sentence that was counted."""
        counts, common, need = self.counts, self.common, self._need
        for stem in stems:
            count = counts[stem] = counts[stem] - 1
            if count < need:
                common.discard(stem)
            if not count:
                del counts[stem]
