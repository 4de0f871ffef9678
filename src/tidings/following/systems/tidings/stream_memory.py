"""The memory of what the stream has said of an event: latest sentences, their topic, and how usual words are.

The words of the query fit every event of the kind that it names. The words that sentences about the event share beyond
them (its place, its people, what happened) do not.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise, repeat
from math import log, log1p
from struct import Struct
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tidings.following.systems.tidings.text_features import as_kept, norm_of, places_of, two_places

if TYPE_CHECKING:
    from numpy import ndarray


Key = TypeVar("Key", bound=Hashable)

_ENTRY = Struct("<If")


_FEW = 15

Pairs = dict[int, tuple[Mapping[Any, float], Any]]
"""By the identity of a row's values, these and what holding one sentence against them gave."""


class Postings(Generic[Key]):
    """For each key the (row, value) of the rows that have it, oldest first.

    A few rows are kept as they are, so that what many events remember is there once, and is held against the next
    sentence once (`pairs`).

    >>> postings = Postings()
    >>> postings.add(0, {"ferri": 1.0, "fire": 0.5})
    >>> postings.add(1, {"fire": 2.0})
    >>> postings.pairs({"fire": 2.0, "storm": 1.0}, {}, dot), postings.dots([{"fire": 2.0, "storm": 1.0}], 2).tolist()
    ([1.0, 4.0], [[1.0, 4.0]])
    >>> postings.remove_oldest(["ferri", "fire"])
    >>> "ferri" in postings, postings.dots([{"fire": 2.0}], 2).tolist()
    (False, [[0.0, 4.0]])
    """

    def __init__(self) -> None:
        self._few: list[Mapping[Key, float]] | None = []
        self._entries: dict[Key, bytearray] = {}

    def __contains__(self, key: object) -> bool:
        if self._few is None:
            return key in self._entries
        return any(key in values for values in self._few)

    @property
    def size_bytes(self) -> int:
        """Bytes that the entries take."""
        few = _ENTRY.size * sum(map(len, self._few or ()))
        return few + sum(map(len, self._entries.values()))

    @property
    def are_few(self) -> bool:
        """Whether the rows are so few that each is kept by itself."""
        return self._few is not None

    def add(self, row: int, values: Mapping[Key, float]) -> None:
        """Keep a row that is younger than all others; its values stay as they are."""
        if self._few is not None and row == len(self._few) < _FEW:
            self._few.append(values)
        else:
            self._add(self._all(), row, values)

    @staticmethod
    def _add(entries: dict[Key, bytearray], row: int, values: Mapping[Key, float]) -> None:
        pack = _ENTRY.pack
        for key, value in values.items():
            kept = entries.get(key)
            if kept is None:
                entries[key] = bytearray(pack(row, value))
            else:
                kept += pack(row, value)

    def _all(self) -> dict[Key, bytearray]:
        few, self._few = self._few, None
        for row, values in enumerate(few or ()):
            self._add(self._entries, row, values)
        return self._entries

    def remove_oldest(self, keys: Iterable[Key]) -> None:
        """Forget the oldest row, which has these keys."""
        entries, size = self._all(), _ENTRY.size
        for key in keys:
            kept = entries[key]
            if len(kept) == size:
                del entries[key]
            else:
                del kept[:size]

    def pairs(
        self, weights: Mapping[Key, float], known: Pairs, hold: Callable[[Any, Any], Any]
    ) -> list[Any] | None:
        """What holding a sentence's weights against the values of each row gives; None where there are many rows.

        Args:
            weights: of the sentence.
            known: what other events found for the same sentence; what is found is added.
            hold: takes weights and values.
        """
        if self._few is None:
            return None
        found = []
        for values in self._few:
            pair = known.get(id(values))
            if pair is None:
                pair = known[id(values)] = values, hold(weights, values)
            found.append(pair[1])
        return found

    def meet(
        self, weights: Mapping[Key, float]
    ) -> tuple[ndarray[Any, Any], ndarray[Any, Any], ndarray[Any, Any]]:
        """(row, value, weight) of all entries under these keys, key by key, as three arrays."""
        import numpy as np

        entries = self._all()
        met = [(kept, weight) for key, weight in weights.items() if (kept := entries.get(key)) is not None]
        joined = np.frombuffer(b"".join([kept for kept, _ in met]), dtype=_dtype())
        counts = [len(kept) // _ENTRY.size for kept, _ in met]
        return joined["row"], joined["value"], np.repeat(np.array([weight for _, weight in met]), counts)

    def dots(self, several: Sequence[Mapping[Key, float]], rows: int) -> ndarray[Any, Any]:
        """The sum of value times weight over the keys of each of so many rows, for several weights: [several, rows]."""
        import numpy as np

        entries = self._all()
        met = [
            (kept, weight, number)
            for number, weights in enumerate(several)
            for key, weight in weights.items()
            if (kept := entries.get(key)) is not None
        ]
        joined = np.frombuffer(b"".join([kept for kept, _, _ in met]), dtype=_dtype())
        counts = [len(kept) // _ENTRY.size for kept, _, _ in met]
        row, weight = joined["row"], np.repeat(np.array([weight for _, weight, _ in met]), counts)
        if len(several) > 1:
            row = row + np.repeat(np.array([number * rows for _, _, number in met], np.intp), counts)
        dots = np.bincount(row, weights=joined["value"] * weight, minlength=len(several) * rows)
        return dots.reshape(len(several), rows)


def dot(weights: Mapping[Key, float], values: Mapping[Key, float]) -> float:
    """The sum of value times weight over the keys that both have, in the order of the weights."""
    shared = weights.keys() & values.keys()
    if len(shared) > ANY_ORDER:
        shared = [key for key in weights if key in shared]  # type: ignore[assignment]
    product = 0.0
    for key in shared:
        product += values[key] * weights[key]
    return product


ANY_ORDER = 2
"""The sum of so many numbers is the same in any order."""


@cache
def _dtype() -> Any:
    import numpy as np

    return np.dtype([("row", "<u4"), ("value", "<f4")])


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


_ADDED, _ADDED_IN_ALL = 0.02, 2.0
_PERCENT = 100.0  # so that the logarithm of 1 + x tells small shares apart
_USUAL = 0.05  # of the remembered sentences: a stem of so many is a usual one
_MOST_LOGARITHMS = 4_096
_LOGARITHMS = [log(count + _ADDED) for count in range(_MOST_LOGARITHMS + 1)]


class Familiarity:
    """How many of the remembered sentences hold each bigram; with the counts of stems, four features of a sentence.

    Args:
        counts: for each stem how many of the remembered sentences hold it; kept by its owner.
        query: the stems of query and title, which do not count.

    >>> familiarity = Familiarity({"ferri": 2, "bilbao": 2, "port": 1}, frozenset({"ferri"}))
    >>> familiarity.add(["ferri", "bilbao", "port"])
    >>> familiarity.add(["ferri", "bilbao"])
    >>> weights = {"ferri": 3.0, "bilbao": 2.0, "port": 1.0}
    >>> [round(one, 3) for one in familiarity.features(weights, ["bilbao"], 2)]
    [-0.911, 3.932, 4.615, 2.0]
    """

    def __init__(self, counts: Mapping[str, int], query: frozenset[str]) -> None:
        self._counts, self._query = counts, query
        self._bigrams: dict[tuple[str, str], int] = {}

    def _pairs(self, stems: Iterable[str]) -> Iterable[tuple[str, str]]:
        query = self._query
        return pairwise([stem for stem in stems if stem not in query])

    def add(self, stems: Collection[str], known: Mapping[frozenset[str], OtherStems] = {}) -> None:
        """Count the bigrams of a remembered sentence by its stems in order, each once; `known` as for `features`."""
        bigrams, others = self._bigrams, known.get(self._query.intersection(stems)) if known else None
        for pair in self._pairs(stems) if others is None else others.pairs:
            bigrams[pair] = bigrams.get(pair, 0) + 1

    def remove(self, stems: Collection[str]) -> None:
        """Count them no more."""
        bigrams = self._bigrams
        for pair in self._pairs(stems):
            count = bigrams[pair] = bigrams[pair] - 1
            if not count:
                del bigrams[pair]

    def features(
        self,
        stems: Mapping[str, float],
        names: Collection[str],
        remembered: int,
        known: dict[frozenset[str], OtherStems] | None = None,
    ) -> tuple[float, float, float, float]:
        """The four features of a sentence, in the order of `feature_names`, of so many `remembered` sentences.

        Args:
            stems: each once, with its weight, in the order of the text.
            names: those that were written with a capital.
            remembered: T, how many sentences the counts are of.
            known: what other events found for the same sentence; what is found is added.
        """
        known = {} if known is None else known
        asked = self._query.intersection(stems)
        others = known.get(asked)
        if others is None:
            others = known[asked] = OtherStems.of(stems, asked)
        base, mass = log(remembered + _ADDED_IN_ALL), others.mass
        if not remembered:
            return (others.unmet / mass if mass else _LOGARITHMS[0]) - base, 0.0, 0.0, 0.0
        count_of = self._counts.get
        if self._counts.keys().isdisjoint(others.weights):
            return (
                (others.unmet / mass if mass else _LOGARITHMS[0]) - base,
                0.0,
                self._named(names, remembered),
                0.0,
            )
        counts = list(map(count_of, others.weights, repeat(0)))
        total = 0.0
        for weight, count in zip(others.weights.values(), counts, strict=True):
            total += weight * _LOGARITHMS[count]
        mean = (total / mass if mass else _LOGARITHMS[0]) - base
        least, held = _USUAL * remembered, len(counts) - counts.count(0)
        usual = float(held if least <= 1.0 else sum([count >= least for count in counts]))
        largest = 0
        if others.pairs and held > 1:
            largest = max(map(self._bigrams.get, others.pairs, repeat(0)))
        return mean, log1p(_PERCENT * largest / remembered), self._named(names, remembered), usual

    def _named(self, names: Collection[str], remembered: int) -> float:
        """The feature `familiar_names`."""
        query, count_of = self._query, self._counts.get
        shares = [count_of(name, 0) for name in names if name not in query]
        return log1p(_PERCENT * (sum(shares) / len(shares) / remembered)) if shares else 0.0


@dataclass(frozen=True, slots=True)
class OtherStems:
    """The stems of a sentence that an event did not ask for.

    `mass` is the sum of their weights, `unmet` that of the weights times the logarithm for a stem that no sentence
    holds; `pairs` are their bigrams.
    """

    weights: dict[str, float]
    mass: float
    unmet: float
    pairs: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, stems: Mapping[str, float], asked: frozenset[str]) -> OtherStems:
        """Of a sentence that has these stems, without those asked for."""
        weights = {stem: weight for stem, weight in stems.items() if stem not in asked}
        mass = unmet = 0.0
        for weight in weights.values():
            mass += weight
            unmet += weight * _LOGARITHMS[0]
        return cls(weights, mass, unmet, tuple(pairwise(weights)))


_TOP = 5
_AT_ONCE = 16  # sentences that are held against the memory in one step


class StreamMemory:
    """The latest sentences about an event, at most `size`: their stems, hashed vectors and common stems (`topic`).

    >>> stems = {"ferri": 3.0, "fire": 4.0}
    >>> memory = StreamMemory(8, frozenset({"ferri"}))
    >>> memory.add(stems, places_of(stems, 5.0))
    >>> memory.remembered, [round(one, 6) for one in memory.against(places_of(stems, 5.0), {})]
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

    def add(
        self,
        stems: Mapping[str, float],
        places: Mapping[int, float],
        known: Mapping[frozenset[str], OtherStems] = {},
    ) -> None:
        """Remember a sentence by its stems and its hashed vector, instead of the oldest where there are enough.

        The vector is as precise as it is kept (`as_kept`), and may be other events' too; `known` as for `familiarity`.
        """
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
        self._familiarity.add(stems, known)
        self._vectors.add(self.slot, places)
        self.slot = (self.slot + 1) % self._size

    def against(self, places: Mapping[int, float], known: Pairs) -> list[float]:
        """The five `stream_*` features (see `feature_names`) of a hashed vector; `known` as `Postings.pairs` has it."""
        count = len(self.remembered)
        if not count:
            return [0.0] * 5
        few = self._vectors.pairs(places, known, dot)
        if few is not None and count <= _TOP:
            total = 0.0
            for cosine in few:
                total += cosine
            above = [cosine for cosine in few if cosine > 0.3]
            return [
                total / count,
                max(few),
                len(above) / count,
                sum([cosine > 0.5 for cosine in above]) / count,
                total / _TOP,
            ]
        import numpy as np

        cosines = self._vectors.dots([places], count)[0] if few is None else np.array(few)
        top = np.partition(cosines, count - _TOP)[count - _TOP :] if count > _TOP else cosines
        return [
            float(np.add.reduce(cosines)) / count,
            float(np.maximum.reduce(cosines)),
            int(np.count_nonzero(cosines > 0.3)) / count,
            int(np.count_nonzero(cosines > 0.5)) / count,
            float(np.add.reduce(top)) / _TOP,
        ]

    def means(self, sentences: Sequence[tuple[Mapping[int, float], Pairs]]) -> list[float]:
        """The first of these features, `stream_mean`, of several hashed vectors.

        It is the same to the last digit however the rows are kept and however many vectors are asked at once.
        """
        count = len(self.remembered)
        if not count:
            return [0.0] * len(sentences)
        import numpy as np

        found: list[float] = []
        if self._vectors.are_few:
            for places, known in sentences:
                cosines = np.array(self._vectors.pairs(places, known, dot))
                found.append(float(np.add.reduce(cosines)) / count)
            return found
        for at in range(0, len(sentences), _AT_ONCE):
            dots = self._vectors.dots([places for places, _ in sentences[at : at + _AT_ONCE]], count)
            found += [float(np.add.reduce(cosines)) / count for cosines in dots]
        return found

    def familiarity(
        self, stems: Mapping[str, float], names: Collection[str], known: dict[frozenset[str], OtherStems]
    ) -> tuple[float, float, float, float]:
        """The four features of familiarity (see `Familiarity.features`) of a sentence by its stems and names."""
        return self._familiarity.features(stems, names, len(self.remembered), known)

    def restore(
        self, remembered: Sequence[str], slot: int, weigh: Callable[[Iterable[str]], Mapping[str, float]]
    ) -> None:
        """Become the memory that had these; `weigh` gives the weights of stems."""
        # The ring's oldest is at `slot` once it is full.
        self.remembered, self.slot = list(remembered), slot
        count = len(remembered)
        first = slot if count == self._size else 0
        for number in (*range(first, count), *range(first)):
            stems = weigh(remembered[number].split())
            self._vectors.add(number, as_kept(places_of(stems, norm_of(stems))))
            self.topic.add(stems, count)
            self._familiarity.add(stems)
