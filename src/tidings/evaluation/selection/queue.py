"""The next updates for the desk: its objects read, its orders kept while they hold.

A judge's order is made from what this judge may see: the shared nuggets, the final judgments, the own layer.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from threading import Lock
from typing import Any, TypeVar

from msgspec import convert

from tidings.core import FINAL, SHARED, DeskItem, DeskTopic, JudgedObject, Nugget, PooledUpdate
from tidings.evaluation.selection.pool_texts import PoolTexts
from tidings.evaluation.selection.selection import Judged, Ranked, Selection, Strategy

Kept = TypeVar("Kept")

ReadItems = Callable[[], Iterable[DeskItem]]
ReadObjects = Callable[[], Iterable[JudgedObject]]


@dataclass(frozen=True, slots=True)
class _Order:
    """An order, and the judgments that it rests on."""

    seq: int
    updates: int
    judged: dict[str, tuple[str, ...]]
    nuggets: tuple[Nugget, ...]
    ranked: tuple[Ranked, ...]


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a judge may see of a topic, and the number of the entry up to which."""

    seq: int
    objects: tuple[JudgedObject, ...]


class DeskSelection:
    """Orders for any number of topics and judges; one for a server, safe in threads.

    `most` topics, orders and views are kept each; the one asked for longest ago goes. An order is made anew when a
    twentieth more was judged than it rests on (at least one); until then what was judged since is left out of it.
    Updates that came to a topic later are taken in.
    """

    def __init__(self, most: int = 64) -> None:
        self._most = most
        self._lock = Lock()
        self._kept: dict[str, OrderedDict[Hashable, Any]] = {}
        self._busy: dict[Hashable, Lock] = {}

    def next_updates(
        self,
        topic: DeskTopic,
        layer: str,
        seq: int,
        items: ReadItems,
        objects: ReadObjects,
        *,
        updates: int = 0,
        kind: str = "matches",
        by: Strategy = "yield",
        seed: int = 0,
    ) -> tuple[Ranked, ...]:
        """The updates that this judge has not judged, the one to be judged next first; exact copies once.

        Args:
            topic: whose updates.
            layer: the judge's own.
            seq: the number of the project's latest entry; with the same one nothing is read again.
            items: reads the topic's items of the kind `update` (called once for as many as there are).
            objects: reads the topic's objects; those of other judges' layers are not looked at.
            updates: how many such items there are; with the same number they are not read again.
            kind: of the judgments: `matches`, `relevance`, `membership` or `links`.
            by: the order.
            seed: of lots.
        """
        key = (topic.project_id, topic.number, layer, kind, by, seed)
        with self._alone(key):
            order: _Order | None = self._get("orders", key)
            if order is not None and order.updates != updates:
                order = None
            if order is not None and order.seq == seq:
                return order.ranked
            seen = self._seen(topic, layer, seq, objects)
            judged = judged_of(seen.objects, kind)
            nuggets = nuggets_of(seen.objects, topic.event.id) if kind == "matches" else ()
            if order is not None and order.nuggets == nuggets and _little_new(order.judged, judged):
                texts = self._texts(topic, updates, items)
                done = {texts.number[item] for item in judged if item in texts.number}
                left = tuple(item for item in order.ranked if texts.number[item.update_id] not in done)
                order = _Order(seq, updates, order.judged, nuggets, left)
            else:
                selection = self._selection(topic, nuggets, updates, items)
                order = _Order(seq, updates, judged, nuggets, selection.order(judged, by, seed))
            self._put("orders", key, order)
            return order.ranked

    def _seen(self, topic: DeskTopic, layer: str, seq: int, objects: ReadObjects) -> _Seen:
        key = (topic.project_id, topic.number, layer)
        seen: _Seen | None = self._get("seen", key)
        if seen is None or seen.seq != seq:
            visible = (SHARED, FINAL, layer)
            seen = _Seen(
                seq, tuple(item for item in objects() if item.layer in visible and item.value is not None)
            )
            self._put("seen", key, seen)
        return seen

    def _texts(self, topic: DeskTopic, updates: int, items: ReadItems) -> PoolTexts:
        key = (topic.project_id, topic.number)
        with self._alone(("texts", key)):
            kept: tuple[int, PoolTexts] | None = self._get("texts", key)
            if kept is None or kept[0] != updates:
                kept = updates, PoolTexts(convert(item.content, PooledUpdate) for item in items())
                self._put("texts", key, kept)
            return kept[1]

    def _selection(
        self, topic: DeskTopic, nuggets: tuple[Nugget, ...], updates: int, items: ReadItems
    ) -> Selection:
        key = (topic.project_id, topic.number, bool(nuggets))
        state = (nuggets, updates)
        kept: tuple[tuple[tuple[Nugget, ...], int], Selection] | None = self._get("selections", key)
        if kept is not None and kept[0] == state:
            return kept[1]
        query = f"{topic.event.query} {topic.event.title}"
        selection = Selection(self._texts(topic, updates, items), nuggets, query)
        self._put("selections", key, (state, selection))
        return selection

    def _alone(self, key: Hashable) -> Lock:
        """A lock for each key, so that two who ask for the same do not make it twice."""
        with self._lock:
            return self._busy.setdefault(key, Lock())

    def _get(self, what: str, key: Hashable) -> Any:
        with self._lock:
            kept = self._kept.setdefault(what, OrderedDict())
            if key in kept:
                kept.move_to_end(key)
            return kept.get(key)

    def _put(self, what: str, key: Hashable, made: object) -> None:
        with self._lock:
            kept = self._kept.setdefault(what, OrderedDict())
            kept[key] = made
            kept.move_to_end(key)
            while len(kept) > self._most:
                kept.popitem(last=False)


def judged_of(objects: Iterable[JudgedObject], kind: str = "matches") -> dict[str, tuple[str, ...]]:
    """What each update was linked to, final judgments before others: nuggets, clusters, events; `relevant` for a grade.

    >>> own = JudgedObject(1, "judge-2", "matches", "d-0", 5, {"matches": [{"nugget": "N1", "start": 0, "end": 4}]})
    >>> grade = JudgedObject(1, "judge-2", "relevance", "d-1", 6, {"grade": 2})
    >>> judged_of([own, grade]), judged_of([own, grade], "relevance")
    ({'d-0': ('N1',)}, {'d-1': ('relevant', 'highly relevant')})
    """
    chosen: dict[str, JudgedObject] = {}
    for item in objects:
        if item.kind == kind and item.value is not None and (item.layer == FINAL or item.id not in chosen):
            chosen[item.id] = item
    return {update: _linked(item.value, kind) for update, item in chosen.items()}


def _linked(value: Any, kind: str) -> tuple[str, ...]:
    if kind == "matches":
        return tuple(dict.fromkeys(match["nugget"] for match in value["matches"]))
    if kind == "relevance":
        return ("relevant", "highly relevant")[: int(value["grade"])]
    if kind == "membership":
        return (value["cluster"],) if value["cluster"] is not None else ()
    return tuple(value["events"])


def nuggets_of(objects: Iterable[JudgedObject], event_id: str) -> tuple[Nugget, ...]:
    """The nuggets of a topic, as they stand now.

    >>> nuggets_of([JudgedObject(1, "shared", "nugget", "N1", 3, {"text": "a fire", "importance": 2, "time": 60})], "e")
    (Nugget(event_id='e', id='N1', time=60, importance=2, text='a fire', listed_length=0),)
    """
    return tuple(
        Nugget(
            event_id,
            item.id,
            int(item.value.get("time", 0)),
            int(item.value.get("importance", 0)),
            item.value["text"],
        )
        for item in objects
        if item.kind == "nugget" and item.layer == SHARED and item.value is not None
    )


def _little_new(before: Judged, now: Judged) -> bool:
    """Whether all judgments of before stand as they were, and fewer than a twentieth (at least one) came to them."""
    return len(now) - len(before) < max(1, len(before) // 20) and all(
        now.get(update) == links for update, links in before.items()
    )
