"""A topic's pool made ready once: exact copies as one, in time order, and their words for asking what is alike.

Items never change and are only added, so what was made ready serves until there are more of them.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable
from functools import cached_property
from itertools import islice
from threading import Lock
from weakref import WeakKeyDictionary

import msgspec
import numpy as np

from tidings.judgments.selection import Candidate, candidates_of
from tidings.judgments.selection.terms import Floats, TermMatrix, Terms
from tidings.records import PooledUpdate
from tidings.store.desk import Desk
from tidings.text.tokens import shared_analyzer

__all__ = ["LikenessPool", "known_time", "likeness_pool"]

_KEPT = 16
_SECONDS = re.compile(r"([0-9]{9,10})-", re.ASCII)


def known_time(time: int, update_id: str) -> int:
    """When an update was published: `time`; where nobody said it (0), the seconds with which its id begins, else 0.

    >>> known_time(0, "1326499800-dde1e7fa-49"), known_time(7, "1326499800-dde1e7fa-49"), known_time(0, "d-1")
    (1326499800, 7, 0)
    """
    found = _SECONDS.match(update_id)
    return time or (int(found[1]) if found else 0)


class LikenessPool:
    """The updates of a topic.

    Attributes:
        candidates: what is judged, earliest first; each stands for its exact copies.
        heads: of every update the candidate that stands for it.

    >>> pool = LikenessPool([PooledUpdate("e", "d", n, text) for n, text in enumerate(["A fire.", "A fire.", "Rain."])])
    >>> [one.id for one in pool.candidates], pool.heads["d-1"].id
    (['d-0', 'd-2'], 'd-0')
    """

    def __init__(self, rows: Iterable[PooledUpdate], language: str = "english") -> None:
        ordered = sorted(candidates_of(rows), key=lambda one: known_time(one.time, one.id))
        self.candidates: tuple[Candidate, ...] = tuple(ordered)
        self.heads: dict[str, Candidate] = {copy: one for one in self.candidates for copy in one.copies}
        self._language = language

    def likeness(self, text: str) -> Floats:
        """Of each candidate the cosine of its words to those of `text`, 0..1."""
        stems = shared_analyzer(self._language).stems
        cosines: Floats = self._matrix.cosines(self._terms.matrix([stems(text)]))[:, 0]
        return cosines

    def most_alike(self, text: str) -> list[tuple[str, float]]:
        """All candidates, those most like `text` first and the rest by time.

        >>> pool = LikenessPool([PooledUpdate("e", "d", n, text) for n, text in enumerate(["A goal.", "A fire."])])
        >>> [name for name, _ in pool.most_alike("Fires at sea")]
        ['d-1', 'd-0']
        """
        cosines = self.likeness(text)
        ranked = np.argsort(-cosines, kind="stable")
        return [(self.candidates[number].id, float(cosines[number])) for number in ranked.tolist()]

    def alike(self, update: str, least: float = 0.15, limit: int = 300) -> list[tuple[str, float]]:
        """The other candidates whose cosine to an update's words is at least `least`, most alike first.

        An update's likely cluster is that of the first of them which is in one: the measure of
        `tidings.judgments.selection.suggest_clusters`, on terms that are weighed once for the whole pool, so that it
        takes milliseconds where there are thousands of updates.

        >>> texts = ["A goal.", "A fire at sea.", "The sea is on fire."]
        >>> pool = LikenessPool([PooledUpdate("e", "d", n, text) for n, text in enumerate(texts)])
        >>> [name for name, _ in pool.alike("d-1")]
        ['d-2']
        """
        head = self.heads[update]
        near = ((name, score) for name, score in self.most_alike(head.text) if score >= least)
        return list(islice((one for one in near if one[0] != head.id), limit))

    @cached_property
    def _stems(self) -> list[list[str]]:
        stems = shared_analyzer(self._language).stems
        return [list(stems(one.text)) for one in self.candidates]

    @cached_property
    def _terms(self) -> Terms:
        return Terms(self._stems)

    @cached_property
    def _matrix(self) -> TermMatrix:
        return self._terms.matrix(self._stems)


class _Pools:
    def __init__(self) -> None:
        self._made: OrderedDict[tuple[int, int], tuple[int, LikenessPool]] = OrderedDict()
        self._lock = Lock()

    def get(self, desk: Desk, project_id: int, topic: int) -> LikenessPool:
        count = desk.projects.count_items(project_id).get((topic, "update"), 0)
        place = (project_id, topic)
        with self._lock:
            made = self._made.get(place)
            if made is not None and made[0] == count:
                self._made.move_to_end(place)
                return made[1]
        items = desk.projects.items(project_id, topic, "update")
        pool = LikenessPool(msgspec.convert(item.content, PooledUpdate) for item in items)
        with self._lock:
            self._made[place] = (count, pool)
            while len(self._made) > _KEPT:
                self._made.popitem(last=False)
        return pool


_pools: WeakKeyDictionary[Desk, _Pools] = WeakKeyDictionary()
_pools_lock = Lock()


def likeness_pool(desk: Desk, project_id: int, topic: int) -> LikenessPool:
    """The pool of a topic; the ones asked for last are kept."""
    with _pools_lock:
        pools = _pools.setdefault(desk, _Pools())
    return pools.get(desk, project_id, topic)
