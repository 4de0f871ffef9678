"""An exact index of near-duplicate sentences that forgets by event time.

Likeness is Jaccard's: |A ∩ B| / |A ∪ B| of the sets of shingles (runs of stems). If it reaches a threshold t, then
B holds at least ⌈t·|A|⌉ members of A, and so at least one of any |A| - ⌈t·|A|⌉ + 1 of them (the prefix filter of
Chaudhuri, Ganti and Kaushik, ICDE 2006, and Bayardo, Ma and Srikant, WWW 2007). Kept sets are indexed by all their
members, so those looked up can be the ones that are rarest at the moment; every candidate is then checked
exactly: nothing is missed and nothing is guessed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from math import ceil

from msgspec import Struct

_SLACK = 1e-9  # what rounding may take from a product of floats


def shingles(stems: Sequence[str], length: int = 2) -> frozenset[str]:
    """The different runs of `length` stems; a shorter sentence is one run of all its stems.

    >>> sorted(shingles(["ferri", "burn", "port"]))
    ['burn port', 'ferri burn']
    >>> shingles(["ferri"]), shingles([])
    (frozenset({'ferri'}), frozenset())
    """
    if length == 1:
        return frozenset(stems)
    if len(stems) <= length:
        return frozenset((" ".join(stems),)) if stems else frozenset()
    if length == 2:
        return frozenset(map("{} {}".format, stems, stems[1:]))
    return frozenset(" ".join(stems[i : i + length]) for i in range(len(stems) - length + 1))


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """|A ∩ B| / |A ∪ B|, within 0..1; 0 when both are empty (nothing says that they are alike).

    >>> jaccard(frozenset("ab"), frozenset("bc"))
    0.3333333333333333
    """
    shared = len(one & other)
    union = len(one) + len(other) - shared
    return shared / union if union else 0.0


class NearDuplicatesState(Struct, array_like=True):
    """What an index remembers: (time, key, shingles) of each kept set, oldest first."""

    kept: list[tuple[int, str, list[str]]]


class NearDuplicates:
    """Sets of shingles under keys, found again when a new set is at least `threshold` alike.

    `keep_s` seconds of event time (0: forever) and `most` sets (0: any number) bound the memory.

    >>> index = NearDuplicates(threshold=0.5, keep_s=3600)
    >>> index.add("a", shingles(["ferri", "burn", "in", "port"]), time=0)
    >>> index.find(shingles(["ferri", "burn", "in", "harbour"]), now=60)
    [('a', 0.5)]
    >>> index.find(shingles(["ferri", "burn", "in", "harbour"]), now=4000)
    []
    """

    def __init__(self, *, threshold: float = 0.5, keep_s: int = 0, most: int = 0) -> None:
        if not 0.0 < threshold <= 1.0:
            raise ValueError(f"threshold {threshold} (expected one above 0 and up to 1)")
        self._threshold = threshold
        self._keep_s = keep_s
        self._most = most
        self._sets: dict[int, tuple[str, frozenset[str]]] = {}
        self._order: deque[tuple[int, int]] = deque()
        self._postings: dict[str, dict[int, None]] = {}
        self._next = 0

    def __len__(self) -> int:
        return len(self._sets)

    def _candidates(self, members: frozenset[str]) -> list[int]:
        # Numbers of the kept sets that hold one of the rarest members, as many as the prefix filter asks for.
        size = len(members)
        look = size - ceil(self._threshold * size - _SLACK) + 1
        get = self._postings.get
        matching = [posting for member in members if (posting := get(member)) is not None]
        look -= size - len(matching)  # members that no kept set holds are the rarest of all
        if look <= 0 or not matching:
            return []
        matching.sort(key=len)
        met: set[int] = set()
        for posting in matching[:look]:
            met.update(posting)
        return sorted(met)

    def evict(self, now: int) -> int:
        """Forget what was added earlier than now - keep_s; returns how many went."""
        if not self._keep_s:
            return 0
        gone = 0
        order, before = self._order, now - self._keep_s
        while order and order[0][0] < before:
            self._remove_oldest()
            gone += 1
        return gone

    def _remove_oldest(self) -> None:
        _, number = self._order.popleft()
        _, members = self._sets.pop(number)
        for member in members:
            posting = self._postings[member]
            del posting[number]
            if not posting:
                del self._postings[member]

    def add(self, key: str, members: frozenset[str], time: int) -> None:
        """Keep a set under `key`; times must not fall. An empty set is never found and not kept."""
        if not members:
            return
        self.evict(time)
        self._insert(key, members, time)

    def _insert(self, key: str, members: frozenset[str], time: int) -> None:
        number = self._next
        self._next += 1
        self._sets[number] = (key, members)
        self._order.append((time, number))
        postings = self._postings
        for member in members:
            posting = postings.get(member)
            if posting is None:
                postings[member] = {number: None}
            else:
                posting[number] = None
        if self._most and len(self._sets) > self._most:
            self._remove_oldest()

    def find(self, members: frozenset[str], now: int) -> list[tuple[str, float]]:
        """(key, likeness) of every kept set at least `threshold` alike, in order of adding."""
        self.evict(now)
        size, sets = len(members), self._sets
        threshold = self._threshold - _SLACK
        least, greatest = threshold * size, size / threshold
        alike = []
        for number in self._candidates(members):
            key, other = sets[number]
            if least <= len(other) <= greatest:
                shared = len(members & other)
                likeness = shared / (size + len(other) - shared)
                if likeness >= threshold:
                    alike.append((key, likeness))
        return alike

    def admit(self, key: str, members: frozenset[str], time: int) -> str | None:
        """Keep a set unless one at least as alike as the threshold is kept already: then the key of the first such.

        This is how a stream is freed of copies: what was turned away is not remembered.
        """
        self.evict(time)
        if not members:
            return None
        size, sets = len(members), self._sets
        threshold = self._threshold - _SLACK
        least, greatest = threshold * size, size / threshold
        for number in self._candidates(members):
            kept_key, other = sets[number]
            if least <= len(other) <= greatest:
                shared = len(members & other)
                if shared / (size + len(other) - shared) >= threshold:
                    return kept_key
        self._insert(key, members, time)
        return None

    def state(self) -> NearDuplicatesState:
        """What is remembered, to be encoded by whoever holds the index."""
        return NearDuplicatesState(
            [(time, self._sets[n][0], sorted(self._sets[n][1])) for time, n in self._order]
        )

    def restore(self, state: NearDuplicatesState) -> None:
        """Become the index whose `state()` gave `state`."""
        self._sets.clear()
        self._order.clear()
        self._postings.clear()
        self._next = 0
        for time, key, members in state.kept:
            self._insert(key, frozenset(members), time)
