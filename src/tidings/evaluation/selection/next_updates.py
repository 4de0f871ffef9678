"""The next updates for the desk: its objects read, its orders kept while they hold.

A judge's order is made from what this judge may see: the shared nuggets, the final judgments, the own layer.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from threading import Lock
from typing import Any, TypeVar

import numpy as np
from msgspec import Struct, convert

from tidings.core import (
    FINAL,
    SHARED,
    Analyzer,
    DeskItem,
    DeskTopic,
    JudgedObject,
    Nugget,
    PooledUpdate,
    PossibleMatch,
    shared_analyzer,
)
from tidings.evaluation.matching.pairs_out import heaviest_span, word_weights
from tidings.evaluation.selection.pool_texts import PoolTexts, TermMatrix, Terms
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

    `most` topics, orders and views are kept each; the one asked for longest ago goes. An order is made again when a
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
    return {update: _link(item.value, kind) for update, item in chosen.items()}


def _link(value: Any, kind: str) -> tuple[str, ...]:
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


class SuggestedNugget(Struct, frozen=True):
    """A nugget that an update may cover, characters start..end of the update's text being the words that say it.

    `score` is the mean of two cosines, 0..1: to the nugget's text, and to the likest of the spans matched to it; or
    what a matcher says (see `likeliest`).
    """

    nugget_id: str
    score: float
    start: int
    end: int


class NuggetSuggester:
    """The nuggets of one topic and the spans matched to them, which may grow.

    Args:
        terms: how rare each term is, such as those of the topic's pool.
        nuggets: of the topic.
        language: of the texts.

    >>> nuggets = [Nugget("e", "N1", 0, 2, "12 people died"), Nugget("e", "N2", 0, 2, "a ferry burned")]
    >>> text = "The skipper says that the vessel burned out."
    >>> suggester = NuggetSuggester(Terms([shared_analyzer().stems(text)]), nuggets)
    >>> suggester.add("d-7", "N2", "the burned out vessel")
    >>> [(one.nugget_id, text[one.start : one.end]) for one in suggester.suggest(text)]
    [('N2', 'vessel burned')]
    """

    def __init__(self, terms: Terms, nuggets: Sequence[Nugget], language: str = "english") -> None:
        self._terms = terms
        self._analyzer: Analyzer = shared_analyzer(language)
        self._numbers = {nugget.id: number for number, nugget in enumerate(nuggets)}
        self._ids = tuple(nugget.id for nugget in nuggets)
        self._stems = [self._analyzer.stems(nugget.text) for nugget in nuggets]
        self._nuggets: TermMatrix = terms.matrix(self._stems)
        self._spans: list[tuple[str, int, tuple[str, ...]]] = []
        self._matched: TermMatrix | None = None

    def add(self, update_id: str, nugget_id: str, words: str) -> None:
        """Learn that these words of an update say a nugget; one that is not of the topic is left alone."""
        if (number := self._numbers.get(nugget_id)) is not None:
            self._spans.append((update_id, number, self._analyzer.stems(words)))
            self._matched = None

    def knowing(self, matched: Iterable[tuple[str, str]]) -> NuggetSuggester:
        """The same nuggets with other matches: (words that said a nugget, its id) of each."""
        other = copy(self)
        other._spans, other._matched = [], None
        for words, nugget in matched:
            other.add("", nugget, words)
        return other

    def suggest(
        self, text: str, limit: int = 5, but: str = "", first: Sequence[SuggestedNugget] = ()
    ) -> tuple[SuggestedNugget, ...]:
        """The nuggets that a text most likely covers, best first; none with which it shares no term.

        Args:
            text: of an update.
            limit: how many at most.
            but: an update whose own matches are not looked at: the one that the text is of. Those of `knowing` are.
            first: what stands before them as long as nothing is matched, such as what a matcher says (`likeliest`).
        """
        found = self._by_cosines(text, limit, but)
        if self._spans or not first:
            return found
        before = {item.nugget_id for item in first}
        return (*first, *(item for item in found if item.nugget_id not in before))[:limit]

    def _by_cosines(self, text: str, limit: int, but: str) -> tuple[SuggestedNugget, ...]:
        if not self._ids or limit < 1:
            return ()
        asked = self._terms.matrix([self._analyzer.stems(text)])
        scores = self._nuggets.cosines(asked)[:, 0]
        if self._spans:
            if self._matched is None:
                self._matched = self._terms.matrix([stems for _, _, stems in self._spans])
            nearest = np.zeros(len(self._ids))
            others = np.array([not update or update != but for update, _, _ in self._spans])
            owners = np.array([number for _, number, _ in self._spans])
            np.maximum.at(nearest, owners[others], self._matched.cosines(asked)[others, 0])
            scores = scores + nearest
        ranked = np.argsort(-scores, kind="stable")[:limit]
        return tuple(
            SuggestedNugget(
                self._ids[number],
                float(scores[number] / 2),
                *heaviest_span(text, self._weights(int(number), but), self._analyzer),
            )
            for number in ranked
            if scores[number] > 0
        )

    def _weights(self, nugget: int, but: str) -> dict[str, float]:
        spans = (
            stems
            for update, number, stems in self._spans
            if number == nugget and (not update or update != but)
        )
        return word_weights(self._stems[nugget], spans)


def likeliest(matches: Iterable[PossibleMatch], limit: int = 5) -> dict[str, tuple[SuggestedNugget, ...]]:
    """Of each update of one topic the nuggets that a matcher finds likeliest, best first, scored by probability.

    >>> said = [PossibleMatch("e", "d-1", "N1", 0.2, 0, 9), PossibleMatch("e", "d-1", "N2", 0.7, 3, 5)]
    >>> [one.nugget_id for one in likeliest(said)["d-1"]]
    ['N2', 'N1']
    """
    of_update: dict[str, list[SuggestedNugget]] = {}
    for match in matches:
        found = SuggestedNugget(match.nugget_id, match.probability, match.start, match.end)
        of_update.setdefault(match.update_id, []).append(found)
    return {
        update: tuple(sorted(own, key=lambda candidate: -candidate.score)[:limit])
        for update, own in of_update.items()
    }
