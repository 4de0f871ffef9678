"""A topic's pool made ready once: exact copies as one, in time order, and their words for asking what is alike.

Items never change and are only added, so what was made ready serves until there are more of them.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from functools import cached_property
from threading import Lock
from weakref import WeakKeyDictionary

import msgspec
import numpy as np

from tidings.judgments.selection import Candidate, candidates_of
from tidings.judgments.selection.terms import Floats, TermMatrix, Terms
from tidings.records import PooledUpdate
from tidings.store.desk import Desk
from tidings.text.tokens import shared_analyzer

__all__ = ["LikenessPool", "likeness_pool"]

_KEPT = 16


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
        self.candidates: tuple[Candidate, ...] = tuple(sorted(candidates_of(rows), key=lambda one: one.time))
        self.heads: dict[str, Candidate] = {copy: one for one in self.candidates for copy in one.copies}
        self._numbers = {one.id: number for number, one in enumerate(self.candidates)}
        self._language = language

    def copies(self, update: str) -> tuple[str, ...]:
        """The exact copies of an update, without itself; empty where the pool does not know it."""
        head = self.heads.get(update)
        return () if head is None else tuple(copy for copy in head.copies if copy != update)

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

    def nearest_clusters(
        self, text: str, clusters: Iterable[tuple[str, str, Iterable[str]]], limit: int = 3
    ) -> list[tuple[str, float]]:
        """The clusters with the member, or the name, that is most like `text`; none that shares no word with it.

        Args:
            text: an update's.
            clusters: of each its id, its name, and the ids of its updates.
            limit: how many at most.

        The likeness is that of `tidings.judgments.selection.suggest_clusters`, on terms that were weighed once for the
        whole pool, so that it takes milliseconds where there are thousands of updates.

        >>> pool = LikenessPool([PooledUpdate("e", "d", n, text) for n, text in enumerate(["A goal.", "A fire."])])
        >>> [name for name, _ in pool.nearest_clusters("Fires at sea", [("c1", "goals", ["d-0"]), ("c2", "", ["d-1"])])]
        ['c2']
        """
        stems = shared_analyzer(self._language).stems
        cosines = self.likeness(text).tolist()
        best: dict[str, float] = {}
        names: list[str] = []
        labels: list[str] = []
        for cluster, label, updates in clusters:
            places = (self._numbers.get(update) for update in updates)
            best[cluster] = max((cosines[place] for place in places if place is not None), default=0.0)
            names.append(cluster)
            labels.append(label)
        if names:
            own = self._terms.matrix([stems(text)])
            of_labels = self._terms.matrix([stems(label) for label in labels]).cosines(own)[:, 0]
            for cluster, cosine in zip(names, of_labels.tolist(), strict=True):
                best[cluster] = max(best[cluster], cosine)
        ranked = sorted(best.items(), key=lambda item: -item[1])[:limit]
        return [(cluster, cosine) for cluster, cosine in ranked if cosine > 0]

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
