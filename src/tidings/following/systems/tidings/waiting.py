"""Updates that wait for a better wording: several reports of one thing, of which the best is told when time is up."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from tidings.core import Sentence

__all__ = ["Waiting", "Wording"]

_MOST_WORDINGS = 20
_MOST_GROUPS = 500

Weighed = tuple[Mapping[str, float], float]
"""Stems with their weights, and the length of that vector."""


class Wording(Struct):
    """A sentence that may be told: its probability, its casualties, its stems with weights and their length."""

    sentence: Sentence
    probability: float
    casualties: dict[str, int]
    stems: Mapping[str, float]
    norm: float


class Waiting:
    """Groups of wordings of one thing, each from when its first was met.

    Args:
        wait_s: for how long a group waits, in seconds of event time.
        likeness: the cosine from which a wording joins a group.

    The best wording of a group states the most casualties of its kind; of those it is the one with the highest sum of
    its probability and its mean cosine to the others, the earliest where two are equal.

    >>> waiting = Waiting(wait_s=3600, likeness=0.5)
    >>> first = Wording(Sentence("d1", 0, "A ferry burnt.", 60), 0.7, {}, {"ferri": 3.0, "burnt": 1.0}, 3.2)
    >>> other = Wording(Sentence("d2", 0, "The ferry burnt.", 90), 0.9, {}, {"ferri": 3.0, "burnt": 1.0}, 3.2)
    >>> waiting.join(first), waiting.begin(first, 60), waiting.join(other)
    (False, None, True)
    >>> [one.sentence.doc_id for one in waiting.due(100)], [one.sentence.doc_id for one in waiting.due(3660)]
    ([], ['d2'])
    """

    def __init__(self, wait_s: int, likeness: float) -> None:
        self._wait_s, self._likeness = wait_s, likeness
        self._groups: list[tuple[int, list[Wording]]] = []

    def __len__(self) -> int:
        return len(self._groups)

    def join(self, wording: Wording) -> bool:
        """Add a wording to the group that it is most like, if any is like it; whether one was."""
        best, nearest = None, self._likeness
        for _, wordings in self._groups:
            likeness = max(_cosine(wording, other) for other in wordings)
            if likeness >= nearest:
                best, nearest = wordings, likeness
        if best is None:
            return False
        if len(best) < _MOST_WORDINGS:
            best.append(wording)
        return True

    def begin(self, wording: Wording, now: int) -> None:
        """Let a wording wait as the first of a group."""
        self._groups.append((now, [wording]))

    def put_back(self, wording: Wording, now: int) -> None:
        """Let one that was due wait on as the first of a group, due again with the next look."""
        self._groups.insert(0, (now - self._wait_s, [wording]))

    def due(self, now: int) -> list[Wording]:
        """The best wordings of the groups whose time is up, which then wait no more; those of too many groups too."""
        count = len(self._groups)
        ready = [
            number
            for number, (begun, _) in enumerate(self._groups)
            if begun + self._wait_s <= now or number < count - _MOST_GROUPS
        ]
        best = [_best(self._groups[number][1]) for number in ready]
        for number in reversed(ready):
            del self._groups[number]
        return best

    def all(self) -> list[Wording]:
        """The best wording of every group; none waits then."""
        best = [_best(wordings) for _, wordings in self._groups]
        self._groups.clear()
        return best

    def state(self) -> Any:
        """What waits, as plain values."""
        return [
            (
                begun,
                [
                    (msgspec.structs.astuple(one.sentence), one.probability, one.casualties)
                    for one in wordings
                ],
            )
            for begun, wordings in self._groups
        ]

    def restore(self, state: Sequence[Any], weigh: Callable[[str], Weighed]) -> None:
        """Become what gave `state`; `weigh` gives the stems of a text."""
        self._groups = [
            (
                begun,
                [_wording(parts, probability, casualties, weigh) for parts, probability, casualties in own],
            )
            for begun, own in state
        ]


def _wording(
    parts: Sequence[Any], probability: float, casualties: dict[str, int], weigh: Callable[[str], Weighed]
) -> Wording:
    values = list(parts)
    values[6] = None if values[6] is None else tuple(values[6])
    sentence = Sentence(*values)
    stems, norm = weigh(sentence.text)
    return Wording(sentence, probability, casualties, stems, norm)


def _cosine(one: Wording, other: Wording) -> float:
    small, large = (one, other) if len(one.stems) <= len(other.stems) else (other, one)
    product = sum(weight * large.stems[stem] for stem, weight in small.stems.items() if stem in large.stems)
    return product / (one.norm * other.norm) if one.norm and other.norm else 0.0


def _best(wordings: Sequence[Wording]) -> Wording:
    most = {
        kind: max(one.casualties.get(kind, 0) for one in wordings)
        for one in wordings
        for kind in one.casualties
    }
    latest = [
        one for one in wordings if all(one.casualties.get(kind, 0) == value for kind, value in most.items())
    ]
    chosen = latest or wordings
    return max(
        chosen,
        key=lambda one: one.probability + sum(_cosine(one, other) for other in wordings) / len(wordings),
    )
