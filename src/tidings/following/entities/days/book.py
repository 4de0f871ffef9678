"""Whom an event has named so far: entities with their ids, names, contexts; who a document's entity is among them.

An entity of a document is the one that bears its fullest name, or one whose name may stand for it, or one of nearly the
same spelling (found by locality-sensitive hashing). Where several may be meant, the one whose contexts are most like
its own is, and which is called so more often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log1p, sqrt

from tidings.analysis import BODY_WORDS
from tidings.following.entities.days.name_forms import (
    Words,
    fits,
    is_spelt_like,
    lookup_keys,
    marks_of,
    squeezed,
    words_of,
)
from tidings.following.entities.days.remembered import Named, Remembered
from tidings.following.entities.days.signatures import Array, LabelIndex, signatures

__all__ = ["EntityBook"]

MOST_ENTITIES = 20_000
"""Entities of an event that are remembered; then those not named for longest go."""
MOST_CONTEXT = 60
"""Stems of an entity's contexts that are remembered, the most frequent."""
MOST_SPELLINGS = 24
"""Spellings of an entity's names that are remembered, the first."""
_MOST_BEARERS = 50
"""Entities of a name, or of a word of a name, that are looked at, the latest."""
_PRIOR = 0.1
"""What the logarithm of how often an entity is called so counts beside the cosine of contexts."""
_SURE = 0.3
"""Cosine of contexts from which a given name alone is the same person's."""
_LISTED_PLACE = frozenset(("country", "city", "place", "town"))


class EntityBook:
    """The entities of an event, found by names; `entities` holds them by id."""

    def __init__(self) -> None:
        self.entities: dict[int, Remembered] = {}
        self.next_id = 1
        self.order: list[tuple[int, str]] = []
        """The spellings in the order in which they were first met, each with its entity."""
        self._reset()

    def _reset(self) -> None:
        self._bearers: dict[str, list[int]] = {}
        self._by_key: dict[str, list[int]] = {}
        self._labels = LabelIndex()
        self._main: dict[int, list[Words]] = {}

    def restore(self, entities: Iterable[Remembered], order: Iterable[tuple[int, str]], next_id: int) -> None:
        """Become the book that held these."""
        self.entities = {entity.id: entity for entity in entities}
        self.next_id = next_id
        self.order = []
        self._reset()
        kept = [(number, name) for number, name in order if number in self.entities]
        known = _signatures(name for _, name in kept)
        for number, name in kept:
            self._index(number, name, known)

    def types_of(self, words: Words) -> Mapping[str, int]:
        """How often a name was named so far, by the type of who bears it."""
        types: Counter[str] = Counter()
        for number in self._bearers.get(squeezed(words), ())[-_MOST_BEARERS:]:
            entity = self.entities[number]
            types[entity.type] += entity.times(words)
        return types

    def is_surname(self, word: str) -> bool:
        """Whether a person named so far has this last name, and another before it."""
        latest = (self.entities[number] for number in self._by_key.get(word, ())[-_MOST_BEARERS:])
        return any(
            one.type == "PER" and any(len(name) > 1 and name[-1] == word for name in self._main_names(one))
            for one in latest
        )

    def place(self, named: Sequence[Named], day: str) -> list[int]:
        """The ids of a day's documents' entities, in their order; who is new gets a new one.

        Those with full names are placed first, so that surnames find their bearers.
        """
        known = _signatures(name for one in named for name in one.spelt)
        ids = [0] * len(named)
        for number in sorted(range(len(named)), key=lambda one: (-_fullness(named[one]), one)):
            one = named[number]
            entity = self._find(one, known)
            if entity is None:
                entity = Remembered(self.next_id, {}, {}, {})
                self.entities[entity.id] = entity
                self.next_id += 1
            self._join(entity, one, day, known)
            ids[number] = entity.id
        return ids

    def forget(self) -> None:
        """Let go of those named longest ago, where there are too many."""
        if len(self.entities) <= MOST_ENTITIES:
            return
        by_age = sorted(self.entities.values(), key=lambda one: (one.day, one.count, -one.id))
        gone = {entity.id for entity in by_age[: len(by_age) - MOST_ENTITIES * 3 // 4]}
        kept = [one for one in self.entities.values() if one.id not in gone]
        self.restore(kept, self.order, self.next_id)

    def _find(self, one: Named, known: Mapping[str, Array]) -> Remembered | None:
        names = one.full_names()
        main = words_of(names[0])
        if not main:
            return None
        if len(main) > 1:
            bearers = {
                number
                for name in names
                for number in self._bearers.get(squeezed(words_of(name)), ())[-_MOST_BEARERS:]
            }
            same = [entity for entity in self._all(bearers) if entity.gender_fits(one)]
            if same:
                return _nearest(same, one, main)
            keyed = {
                number for key in lookup_keys(main) for number in self._by_key.get(key, ())[-_MOST_BEARERS:]
            }
            like = [entity for entity in self._all(keyed) if self._may_be(entity, one, main)]
        else:
            like = self._called(one, main)
        if like:
            return _nearest(like, one, main)
        near = self._all(self._labels.near(" ".join(main), known[names[0]]))
        like = [entity for entity in near if self._is_spelt_like(entity, one, main)]
        return _nearest(like, one, main) if like or one.type == "PER" else self._by_usual_name(one)

    def _called(self, one: Named, main: Words) -> list[Remembered]:
        """Who may be called by a single word; one that any body may have says nothing of longer names with it."""
        numbers = set(self._bearers.get(squeezed(main), ())[-_MOST_BEARERS:])
        if one.type == "PER" or main[0] not in BODY_WORDS:
            numbers.update(
                number for key in lookup_keys(main) for number in self._by_key.get(key, ())[-_MOST_BEARERS:]
            )
        like = [entity for entity in self._all(numbers) if entity.gender_fits(one)]
        like = [
            entity
            for entity in like
            if (entity.times(main) and _type_fits(entity, one, main)) or self._may_be(entity, one, main)
        ]
        if one.type != "PER":
            return like
        return [
            entity
            for entity in like
            if self._is_last(entity, main) or _likeness(entity.context, one.context) > _SURE
        ]

    def _is_last(self, entity: Remembered, main: Words) -> bool:
        # Given names alone say little: another document's John is another John, unless it tells the same of him.
        return any(name[-1] == main[0] for name in self._main_names(entity))

    def _by_usual_name(self, one: Named) -> Remembered | None:
        # A body or place mostly called by a name that is known, and once by a longer one that is not.
        usual = max(sorted(one.spelt), key=lambda name: one.spelt[name])
        words = words_of(usual)
        if one.spelt[usual] * 2 < one.count or words[0] in BODY_WORDS:
            return None
        bearers = self._all(self._bearers.get(squeezed(words), ())[-_MOST_BEARERS:])
        return _nearest([entity for entity in bearers if entity.type == one.type], one, words)

    def _all(self, numbers: Iterable[int]) -> list[Remembered]:
        return [self.entities[number] for number in sorted(numbers)]

    def _main_names(self, entity: Remembered) -> list[Words]:
        names = self._main.get(entity.id)
        if names is None:
            names = self._main[entity.id] = entity.main_names()
        return names

    def _may_be(self, entity: Remembered, one: Named, words: Words) -> bool:
        if entity.type != one.type or not entity.gender_fits(one):
            return False
        return any(fits(name, words, one.type) for name in self._main_names(entity))

    def _is_spelt_like(self, entity: Remembered, one: Named, words: Words) -> bool:
        if entity.type != one.type or not entity.gender_fits(one):
            return False
        return any(is_spelt_like(name, words, one.type) for name in self._main_names(entity))

    def _join(self, entity: Remembered, one: Named, day: str, known: Mapping[str, Array]) -> None:
        full = _fullness(one)
        entity.types[one.type] = entity.types.get(one.type, 0) + one.count
        entity.gender = entity.gender or one.gender
        entity.day = day
        for name, count in one.spelt.items():
            words = words_of(name)
            if name not in entity.spelt:
                if len(entity.spelt) >= MOST_SPELLINGS:
                    continue
                if not (one.type != "PER" and len(words) == 1 < full and words[0] in BODY_WORDS):
                    self._index(entity.id, name, known)
            entity.spelt[name] = entity.spelt.get(name, 0) + count
        self._main.pop(entity.id, None)
        entity.add_context(one.context, MOST_CONTEXT)

    def _index(self, number: int, name: str, known: Mapping[str, Array]) -> None:
        words = words_of(name)
        if not words:
            return
        self.order.append((number, name))
        bearers = self._bearers.setdefault(squeezed(words), [])
        if number not in bearers:
            bearers.append(number)
        for key in lookup_keys(words):
            keyed = self._by_key.setdefault(key, [])
            if number not in keyed[-_MOST_BEARERS:]:
                keyed.append(number)
        self._labels.add(number, " ".join(words), known[name])


def _signatures(names: Iterable[str]) -> dict[str, Array]:
    different = sorted(set(names))
    return dict(zip(different, signatures([" ".join(words_of(name)) for name in different]), strict=True))


def _fullness(one: Named) -> int:
    return max(len(words_of(name)) for name in one.spelt)


def _type_fits(entity: Remembered, one: Named, words: Words) -> bool:
    # A single word may be a place's and a person's name; a listed place is no person.
    if one.type in entity.types or "PER" not in (one.type, entity.type):
        return True
    if "LOC" in (one.type, entity.type):
        return not marks_of(words) & _LISTED_PLACE
    return True


def _nearest(entities: Sequence[Remembered], one: Named, words: Words) -> Remembered | None:
    if len(entities) < 2:
        return entities[0] if entities else None

    def worth(entity: Remembered) -> tuple[float, int, int]:
        likeness = _likeness(entity.context, one.context) + _PRIOR * log1p(entity.times(words))
        return (round(likeness, 9), entity.count, -entity.id)

    return max(entities, key=worth)


def _likeness(one: Mapping[str, int], other: Mapping[str, int]) -> float:
    shared = sum(count * other.get(stem, 0) for stem, count in one.items())
    norms = sum(count * count for count in one.values()) * sum(count * count for count in other.values())
    return shared / sqrt(norms) if norms else 0.0
