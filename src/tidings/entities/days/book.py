"""Whom an event has named so far: entities with their ids, names, contexts; who a document's entity is among them.

An entity of a document is the one that bears its name, or one whose name the rules of `alike` allow to stand for it, or
one of nearly the same spelling. Where several may be meant, the one whose contexts are most like its own is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import sqrt

from msgspec import Struct

from tidings.entities.alike import bare_words, keys_of, same_entity
from tidings.entities.days.signatures import Array, LabelIndex, bigram_cosine, signatures
from tidings.entities.gazetteers import gazetteers

__all__ = ["EntityBook", "Named", "Remembered"]

MOST_ENTITIES = 20_000
"""Entities of an event that are remembered; then those not named for longest go."""
MOST_CONTEXT = 60
"""Stems of an entity's contexts that are remembered, the most frequent."""
MOST_SPELLINGS = 24
_MOST_BEARERS = 50
_ALIKE_SPELT = 0.72
Words = tuple[str, ...]


class Named(Struct):
    """An entity of one document: how its names are spelt there, how often, and the stems around it."""

    type: str
    spelt: dict[str, int]
    context: dict[str, int]
    gender: str = ""


class Remembered(Struct):
    """An entity of the event so far."""

    id: int
    types: dict[str, int]
    spelt: dict[str, int]
    context: dict[str, int]
    gender: str = ""
    day: str = ""

    @property
    def type(self) -> str:
        """What it is called most often."""
        return max(self.types, key=lambda kind: (self.types[kind], kind))

    def best_name(self) -> str:
        """The name to show: a person's full one, of a body the one in words, of a place the most frequent."""
        kind = self.type
        total = sum(self.spelt.values())

        def worth(name: str) -> tuple[bool, bool, int, int, str]:
            words = len(bare_words(name))
            cased = not (name.islower() or (name.isupper() and len(name) > 5))
            full = kind != "LOC" and words > 1 and (self.spelt[name] > 1 or total < 4)
            return (full, cased, self.spelt[name], words, name)

        return max(self.spelt, key=worth)


class EntityBook:
    """The entities of an event, found by names; `entities` holds them by id."""

    def __init__(self) -> None:
        self.entities: dict[int, Remembered] = {}
        self.next_id = 1
        self._reset()

    def _reset(self) -> None:
        self._bearers: dict[Words, list[int]] = {}
        self._by_key: dict[str, list[int]] = {}
        self._labels = LabelIndex()

    def restore(self, entities: Iterable[Remembered], next_id: int) -> None:
        """Become the book that held these."""
        self.entities = {entity.id: entity for entity in entities}
        self.next_id = next_id
        self._reset()
        names = [(entity.id, name) for entity in self.entities.values() for name in entity.spelt]
        for (number, name), signature in zip(
            names, signatures([_label(name) for _, name in names]), strict=True
        ):
            self._index(number, bare_words(name), signature)

    def place(self, named: Sequence[Named], day: str) -> list[int]:
        """The ids of a day's documents' entities, in their order; who is new gets a new one.

        Those with full names are placed first, so that surnames find their bearers.
        """
        order = sorted(range(len(named)), key=lambda number: (-_fullness(named[number]), number))
        spellings = sorted({spelt for one in named for spelt in one.spelt})
        known = dict(zip(spellings, signatures([_label(name) for name in spellings]), strict=True))
        ids = [0] * len(named)
        for number in order:
            one = named[number]
            entity = self._find(one, known)
            if entity is None:
                entity = Remembered(self.next_id, {}, {}, {})
                self.entities[entity.id] = entity
                self.next_id += 1
            self._join(entity, one, day, known)
            ids[number] = entity.id
        self._forget(set(ids))
        return ids

    def _find(self, one: Named, known: dict[str, Array]) -> Remembered | None:
        names = sorted(one.spelt, key=lambda name: (-len(bare_words(name)), -one.spelt[name], name))
        for name in names:
            words = bare_words(name)
            if not words:
                continue
            same = [self.entities[number] for number in self._bearers.get(words, ())]
            fitting = [
                entity for entity in same if _type_fits(entity, one, words) and _gender_fits(entity, one)
            ]
            if fitting:
                return _nearest(fitting, one)
        words = bare_words(names[0])
        near = {number for key in keys_of(words) for number in self._by_key.get(key, [])[-_MOST_BEARERS:]}
        fitting = [
            entity
            for entity in map(self.entities.__getitem__, sorted(near))
            if entity.type == one.type and _gender_fits(entity, one) and _may_be(entity, words)
        ]
        if fitting:
            return _nearest(fitting, one)
        label = _label(names[0])
        spelt_alike = [
            entity
            for entity in map(self.entities.__getitem__, self._labels.near(known[names[0]]))
            if entity.type == one.type and _gender_fits(entity, one) and _is_spelt_like(entity, label)
        ]
        return _nearest(spelt_alike, one) if spelt_alike else None

    def _join(self, entity: Remembered, one: Named, day: str, known: dict[str, Array]) -> None:
        times = sum(one.spelt.values())
        entity.types[one.type] = entity.types.get(one.type, 0) + times
        entity.gender = entity.gender or one.gender
        entity.day = day
        for name, count in one.spelt.items():
            if name not in entity.spelt:
                if len(entity.spelt) >= MOST_SPELLINGS:
                    continue
                self._index(entity.id, bare_words(name), known[name])
            entity.spelt[name] = entity.spelt.get(name, 0) + count
        context = Counter(entity.context)
        context.update(one.context)
        if len(context) > 2 * MOST_CONTEXT:
            kept = sorted(context.items(), key=lambda item: (-item[1], item[0]))[:MOST_CONTEXT]
            context = Counter(dict(kept))
        entity.context = dict(context)

    def _index(self, number: int, words: Words, signature: Array) -> None:
        if not words:
            return
        bearers = self._bearers.setdefault(words, [])
        if number in bearers:
            return
        bearers.append(number)
        for key in sorted(keys_of(words)):
            self._by_key.setdefault(key, []).append(number)
        self._labels.add(number, signature)

    def _forget(self, today: set[int]) -> None:
        if len(self.entities) <= MOST_ENTITIES:
            return
        by_age = sorted(self.entities.values(), key=lambda one: (one.day, sum(one.types.values()), one.id))
        gone = len(self.entities) - MOST_ENTITIES * 3 // 4
        leave = {entity.id for entity in by_age[:gone]} - today
        self.restore([one for one in self.entities.values() if one.id not in leave], self.next_id)


def _label(name: str) -> str:
    return " ".join(bare_words(name))


def _fullness(one: Named) -> int:
    return max(len(bare_words(name)) for name in one.spelt)


def _type_fits(entity: Remembered, one: Named, words: Words) -> bool:
    return one.type in entity.types or len(words) > 1 or "PER" not in (one.type, entity.type)


def _gender_fits(entity: Remembered, one: Named) -> bool:
    return one.type != "PER" or not (entity.gender and one.gender and entity.gender != one.gender)


def _may_be(entity: Remembered, words: Words) -> bool:
    names = [bare_words(name) for name in entity.spelt]
    longest = max(map(len, names))
    full = [name for name in names if len(name) == longest]
    return any(
        same_entity(*((name, words) if len(name) >= len(words) else (words, name)), entity.type)
        for name in full
    )


def _is_spelt_like(entity: Remembered, label: str) -> bool:
    listed = gazetteers().words
    for name in entity.spelt:
        other = _label(name)
        if len(other) < 6 or len(label) < 6 or len(other.split()) != len(label.split()):
            continue
        if bigram_cosine(other, label) < _ALIKE_SPELT:
            continue
        pairs = [(one, two) for one, two in zip(other.split(), label.split(), strict=True) if one != two]
        if all(one[0] == two[0] and not (one in listed and two in listed) for one, two in pairs):
            return True
    return False


def _nearest(entities: Sequence[Remembered], one: Named) -> Remembered:
    if len(entities) == 1:
        return entities[0]
    return max(
        entities,
        key=lambda entity: (_likeness(entity.context, one.context), sum(entity.types.values()), -entity.id),
    )


def _likeness(one: dict[str, int], other: dict[str, int]) -> float:
    shared = sum(count * other.get(stem, 0) for stem, count in one.items())
    norms = sum(count * count for count in one.values()) * sum(count * count for count in other.values())
    return round(shared / sqrt(norms), 9) if norms else 0.0
