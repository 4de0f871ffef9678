"""Nuggets and clusters of one topic side by side, by what they are about: the study's Table 2.

The study sorted both into categories by hand. Here a file says what goes where, and what it does not name goes where
it is most alike; without a file everything is sorted by likeness, as a first draft for a person to mend.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, Literal

import numpy as np
from msgspec import Struct

from tidings.core import Judgments, shared_analyzer, tokens

Kind = Literal["nugget", "cluster"]
Array = np.ndarray[Any, Any]

_MOST_TEXTS = 20  # updates of a cluster whose words stand for it
_ROUNDS = 30  # of k-means, at most
_STARTS = 8  # at random; the best result is taken


class Assigned(Struct, frozen=True):
    """That a nugget or a cluster belongs to a category; `suggested` where likeness says so and no person."""

    kind: Kind
    id: str
    category: str
    text: str = ""
    suggested: bool = False


class Category(Struct, frozen=True):
    """A row of Table 2: the texts of its nuggets and clusters, and a person's words on how they relate."""

    name: str
    nuggets: tuple[str, ...]
    clusters: tuple[str, ...]
    relationship: str = ""


class CategoryTable(Struct, frozen=True):
    """Table 2 of one topic, the categories with most nuggets first; `suggested` of its `assigned` are by likeness."""

    topic: str
    title: str
    rows: tuple[Category, ...]
    assigned: tuple[Assigned, ...]

    @property
    def suggested(self) -> int:
        """How many of the nuggets and clusters no person has sorted."""
        return sum(row.suggested for row in self.assigned)


def categorise(
    judged: Judgments,
    topic: str,
    by_hand: Iterable[Assigned] = (),
    relationships: Mapping[str, str] | None = None,
    count: int = 8,
) -> CategoryTable:
    """Sort the nuggets and clusters of a topic into categories.

    Args:
        judged: of both kinds.
        topic: the event's id.
        by_hand: what people sorted; what they left goes to the category whose words it shares most.
        relationships: category to a person's words on it.
        count: how many categories to make where nothing is sorted by hand; the study had 8.

    >>> from tidings.core.records import Cluster, Nugget
    >>> nuggets = (Nugget("e", "1", 0, 1, "Nine people died"), Nugget("e", "2", 0, 1, "A bridge fell"))
    >>> judged = Judgments(name="j", nuggets=nuggets, clusters=(Cluster("e", "c", ("d-0",), "the people who died"),))
    >>> by_hand = [Assigned("nugget", "1", "Toll"), Assigned("nugget", "2", "What happened")]
    >>> [(row.name, len(row.nuggets), len(row.clusters)) for row in categorise(judged, "e", by_hand).rows]
    [('Toll', 1, 1), ('What happened', 1, 0)]
    """
    texts = _texts(judged, topic)
    sorted_by_hand = {
        (assigned.kind, assigned.id): assigned.category
        for assigned in by_hand
        if (assigned.kind, assigned.id) in texts
    }
    keys = list(texts)
    vectors = _vectors([words for _, words in texts.values()])
    if sorted_by_hand:
        names = dict.fromkeys(sorted_by_hand.values())
        numbers = {name: number for number, name in enumerate(names)}
        centres = _centres(
            vectors, [numbers.get(sorted_by_hand.get(key, ""), -1) for key in keys], len(names)
        )
        chosen = [list(names)[number] for number in _nearest(vectors, centres)]
        categories = [sorted_by_hand.get(key, near) for key, near in zip(keys, chosen, strict=True)]
    else:
        groups = _group(vectors, min(count, len(keys)))
        words = _names([words for _, words in texts.values()], groups)
        categories = [words[group] for group in groups]
    assigned = tuple(
        Assigned(kind, key_id, category, texts[kind, key_id][0], (kind, key_id) not in sorted_by_hand)
        for (kind, key_id), category in zip(keys, categories, strict=True)
    )
    title = next((event.title for event in judged.events if event.id == topic), topic)
    return CategoryTable(topic, title, _rows(assigned, relationships or {}), assigned)


def _rows(assigned: Sequence[Assigned], relationships: Mapping[str, str]) -> tuple[Category, ...]:
    rows = [
        Category(
            name,
            tuple(row.text for row in assigned if row.category == name and row.kind == "nugget"),
            tuple(row.text for row in assigned if row.category == name and row.kind == "cluster"),
            relationships.get(name, ""),
        )
        for name in dict.fromkeys(row.category for row in assigned)
    ]
    return tuple(sorted(rows, key=lambda row: (-len(row.nuggets), -len(row.clusters), row.name)))


def _texts(judged: Judgments, topic: str) -> dict[tuple[Kind, str], tuple[str, str]]:
    # What is shown of each, and what its words are.
    pool = {row.id: row.text for row in judged.pool if row.event_id == topic}
    texts: dict[tuple[Kind, str], tuple[str, str]] = {}
    for nugget in judged.nuggets:
        if nugget.event_id == topic:
            texts["nugget", nugget.id] = (nugget.text, nugget.text)
    for cluster in judged.clusters:
        if cluster.event_id == topic:
            said = [pool[update] for update in cluster.update_ids if update in pool][:_MOST_TEXTS]
            shown = cluster.label or min(said, key=len, default=cluster.id)
            texts["cluster", cluster.id] = (shown, " ".join((cluster.label, *said)) or cluster.id)
    return texts


def _vectors(texts: Sequence[str]) -> Array:
    stems = [shared_analyzer().stems(text) for text in texts]
    spread = Counter(stem for of_text in stems for stem in set(of_text))
    columns = {stem: number for number, stem in enumerate(sorted(spread))}
    vectors = np.zeros((len(texts), max(1, len(columns))))
    for row, of_text in enumerate(stems):
        for stem, count in Counter(of_text).items():
            vectors[row, columns[stem]] = (1 + np.log(count)) * np.log((1 + len(texts)) / spread[stem])
    return _unit(vectors)


def _unit(vectors: Array) -> Array:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(lengths > 0, lengths, 1.0)


def _centres(vectors: Array, groups: Sequence[int], count: int) -> Array:
    centres = np.zeros((count, vectors.shape[1]))
    for vector, group in zip(vectors, groups, strict=True):
        if group >= 0:
            centres[group] += vector
    return _unit(centres)


def _nearest(vectors: Array, centres: Array) -> list[int]:
    # Rounded, so that machines whose sums differ in the last digit choose alike.
    return [int(number) for number in np.round(vectors @ centres.T, 9).argmax(axis=1)]


def _group(vectors: Array, count: int) -> list[int]:
    # Spherical k-means, the best of a few seeded starts.
    best: tuple[float, list[int]] | None = None
    for start in range(_STARTS):
        chosen = Random(start).sample(range(len(vectors)), count)
        centres, groups = vectors[chosen], [-1] * len(vectors)
        for _ in range(_ROUNDS):
            moved = _nearest(vectors, centres)
            if moved == groups:
                break
            groups, centres = moved, _centres(vectors, moved, count)
        worth = round(float((vectors @ centres.T).max(axis=1).sum()), 6)
        if best is None or worth > best[0]:
            best = worth, groups
    return best[1] if best else []


def _names(texts: Sequence[str], groups: Sequence[int]) -> dict[int, str]:
    # The three stems that most set a group apart, each as its most frequent word.
    analyzer = shared_analyzer()
    words: dict[str, Counter[str]] = {}
    spread: Counter[str] = Counter()
    inside: dict[int, Counter[str]] = {}
    for text, group in zip(texts, groups, strict=True):
        found = {analyzer.stem(word): word for word in tokens(text) if analyzer.stem(word)}
        spread.update(found.keys())
        inside.setdefault(group, Counter()).update(found.keys())
        for stem, word in found.items():
            words.setdefault(stem, Counter())[word] += 1
    names: dict[int, str] = {}
    for group, counted in sorted(inside.items()):
        ranked = sorted(counted, key=lambda stem: (-(counted[stem] ** 2) / spread[stem], stem))
        name = ", ".join(min(words[stem], key=lambda word: (-words[stem][word], word)) for stem in ranked[:3])
        names[group] = name if name not in names.values() else f"{name} ({group + 1})"
    return names
