"""The memory of what the stream has said of an event: its latest sentences, and how like them another is."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from tidings.following.systems.tidings.familiarity import Familiarity
from tidings.following.systems.tidings.postings import Postings
from tidings.following.systems.tidings.text_features import norm_of, places_of, two_places
from tidings.following.systems.tidings.topic import Topic

__all__ = ["StreamMemory"]

_TOP = 5


class StreamMemory:
    """The latest sentences about an event, at most `size`: their stems, hashed vectors and common stems (`topic`).

    >>> stems = {"ferri": 3.0, "fire": 4.0}
    >>> memory = StreamMemory(8, frozenset({"ferri"}))
    >>> memory.add(stems, places_of(stems, 5.0))
    >>> memory.remembered, [round(one, 6) for one in memory.against(places_of(stems, 5.0))]
    (['ferri fire'], [1.0, 1.0, 1.0, 1.0, 0.2])
    """

    def __init__(self, size: int, query: frozenset[str]) -> None:
        self._size = size
        self._vectors: Postings[int] = Postings()
        self.remembered: list[str] = []
        self.slot = 0
        self.topic = Topic()
        self._familiarity = Familiarity(self.topic.counts, query)

    @property
    def size_bytes(self) -> int:
        """Bytes that the vectors take."""
        return self._vectors.size_bytes

    def add(self, stems: Mapping[str, float], places: Mapping[int, float]) -> None:
        """Remember a sentence by its stems and its hashed vector, instead of the oldest where there are enough."""
        text = " ".join(stems)
        if len(self.remembered) < self._size:
            self.remembered.append(text)
        else:
            oldest = self.remembered[self.slot].split()
            self._vectors.remove_oldest({place for stem in oldest for place in two_places(stem)[::2]})
            self.topic.remove(oldest)
            self._familiarity.remove(oldest)
            self.remembered[self.slot] = text
        self.topic.add(stems, len(self.remembered))
        self._familiarity.add(list(stems))
        self._vectors.add(self.slot, places)
        self.slot = (self.slot + 1) % self._size

    def against(self, places: Mapping[int, float]) -> list[float]:
        """The five `stream_*` features (see `feature_names`) of a hashed vector."""
        import numpy as np

        count = len(self.remembered)
        if not count:
            return [0.0] * 5
        cosines = self._vectors.dots(places, count)
        top = np.partition(cosines, count - _TOP)[count - _TOP :] if count > _TOP else cosines
        return [
            float(np.add.reduce(cosines)) / count,
            float(np.maximum.reduce(cosines)),
            int(np.count_nonzero(cosines > 0.3)) / count,
            int(np.count_nonzero(cosines > 0.5)) / count,
            float(np.add.reduce(top)) / _TOP,
        ]

    def familiarity(
        self, stems: Mapping[str, float], names: Collection[str]
    ) -> tuple[float, float, float, float]:
        """The four features of familiarity (see `feature_names`) of a sentence by its stems and names."""
        return self._familiarity.features(stems, names, len(self.remembered))

    def restore(
        self, remembered: Sequence[str], slot: int, weigh: Callable[[Iterable[str]], Mapping[str, float]]
    ) -> None:
        """Become, from anew, the memory that had these; `weigh` gives the weights of stems."""
        # The ring's oldest is at `slot` once it is full.
        self.remembered, self.slot = list(remembered), slot
        count = len(remembered)
        first = slot if count == self._size else 0
        for number in (*range(first, count), *range(first)):
            stems = weigh(remembered[number].split())
            self._vectors.add(number, places_of(stems, norm_of(stems)))
            self.topic.add(stems, count)
            self._familiarity.add(list(stems))
