"""The pool of a topic as it is judged: each update once for all of its exact copies, and which are nearly the same.

Items never change, so a pool that was read stays in memory until items are added to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property, lru_cache

import msgspec

from tidings.annotation.store import Desk
from tidings.core import NearDuplicates, PooledUpdate, shared_analyzer, shingles
from tidings.evaluation import Candidate, TermMatrix, Terms, candidates_of

_SECONDS = re.compile(r"([0-9]{9,10})-", re.ASCII)
_NEAR = 0.5
_KEPT = 16


def known_time(time: int, update_id: str) -> int:
    """When an update was published; where nobody said it (0), the seconds with which its id begins, else 0.

    >>> known_time(0, "1326499800-dde1e7fa-49"), known_time(7, "1326499800-dde1e7fa-49"), known_time(0, "d-1")
    (1326499800, 7, 0)
    """
    found = _SECONDS.match(update_id)
    return time or (int(found[1]) if found else 0)


class TopicPool:
    """The updates of a topic.

    Args:
        updates: the pool's rows.

    >>> texts = {"a": "A ferry burns in port.", "b": "A  ferry burns in port.", "c": "Rain."}
    >>> pool = TopicPool(PooledUpdate("e", name, 0, text) for name, text in texts.items())
    >>> [one.copies for one in pool.candidates], pool.of("b-0").id
    ([('a-0', 'b-0'), ('c-0',)], 'a-0')
    """

    def __init__(self, updates: Iterable[PooledUpdate]) -> None:
        self.updates: dict[str, PooledUpdate] = {row.id: row for row in updates}
        self.candidates: tuple[Candidate, ...] = candidates_of(self.updates.values())
        self._places = {
            copy: number for number, update in enumerate(self.candidates) for copy in update.copies
        }

    def of(self, update_id: str) -> Candidate | None:
        """The update with its copies; None where it is not in the pool."""
        place = self._places.get(update_id)
        return None if place is None else self.candidates[place]

    def place(self, update_id: str) -> int | None:
        """Where it stands among the candidates, from 0."""
        return self._places.get(update_id)

    def time(self, candidate: Candidate) -> int:
        """When it was published; where nobody said it, the seconds with which its document's id begins, else 0.

        >>> pool = TopicPool([PooledUpdate("e", "1366055164-6f41", 3, "Runners cross the line.")])
        >>> pool.time(pool.candidates[0])
        1366055164
        """
        return known_time(candidate.time, candidate.id)

    def near(self, update_id: str, limit: int = 3) -> list[tuple[Candidate, float]]:
        """Other candidates that are nearly the same, the likest first: at least 0.5 by Jaccard, of runs of two stems.

        >>> texts = ["A ferry burns in the port of Oran.", "A ferry burns in the port of Bari.", "Rain."]
        >>> pool = TopicPool(PooledUpdate("e", "d", number, text) for number, text in enumerate(texts))
        >>> [(one.id, round(likeness, 2)) for one, likeness in pool.near("d-1")]
        [('d-0', 0.5)]
        """
        item = self.of(update_id)
        if item is None:
            return []
        found = [pair for pair in self._index.find(_shingles(item.text), now=0) if pair[0] != item.id]
        found.sort(key=lambda pair: -pair[1])
        return [(self.candidates[self._places[name]], likeness) for name, likeness in found[:limit]]

    @cached_property
    def terms(self) -> Terms:
        """The terms of the updates, weighed by how rare they are among them."""
        return Terms(self._stems)

    @cached_property
    def matrix(self) -> TermMatrix:
        """The updates by these terms."""
        return self.terms.matrix(self._stems)

    @property
    def _stems(self) -> list[tuple[str, ...]]:
        return [shared_analyzer().stems(update.text) for update in self.candidates]

    @cached_property
    def _index(self) -> NearDuplicates:
        index = NearDuplicates(threshold=_NEAR)
        for candidate in self.candidates:
            index.add(candidate.id, _shingles(candidate.text), time=0)
        return index


def _shingles(text: str) -> frozenset[str]:
    return shingles(shared_analyzer().stems(text))


def topic_pool(desk: Desk, project_id: int, topic: int, number: int | None = None) -> TopicPool:
    """The pool of a topic as it is now; the last ones that were asked for are kept.

    `number` is that of its last update, where it was just read.
    """
    if number is None:
        number = desk.projects.last_number(project_id, topic, "update")
    return _read(desk, project_id, topic, number)


@lru_cache(maxsize=_KEPT)
def _read(desk: Desk, project_id: int, topic: int, number: int) -> TopicPool:
    items = desk.projects.items(project_id, topic, "update")
    return TopicPool(msgspec.convert(item.content, PooledUpdate) for item in items)
