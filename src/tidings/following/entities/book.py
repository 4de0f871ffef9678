"""Whom an event has named so far: entities with their ids, names and contexts, and those of a day as records.

An entity of a document is the one that bears its fullest name, or one whose name may stand for it, or one of nearly the
same spelling (found by locality-sensitive hashing). Where several may be meant, the one whose contexts are most like
its own is, and which is called so more often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log1p, sqrt

from msgspec import Struct

from tidings.analysis import BODY_WORDS
from tidings.core import tokens
from tidings.following.entities.event_days import DayEntity, EntityMention
from tidings.following.entities.name_forms import (
    Array,
    LabelIndex,
    Words,
    fits,
    is_spelt_like,
    lookup_keys,
    marks_of,
    signatures,
    squeeze,
    words_of,
)

GIVEN = frozenset(("first", "given"))
_MAIN_SHARE = 25  # a form is a main one if it is a twenty-fifth of the mentions
_RARE = 20  # a name is rare if fewer than a twentieth of the mentions use it
_LONG_CAPITALS = 5  # letters of an organization's acronym


class Named(Struct):
    """An entity of one document: how its names are spelt there, how often, and the stems around it."""

    type: str
    spelt: dict[str, int]
    context: dict[str, int]
    gender: str = ""

    @property
    def count(self) -> int:
        """How often it is named."""
        return sum(self.spelt.values())

    def full_names(self) -> list[str]:
        """Of its names that are not rare (a twentieth of all) those of most words, the most frequent first."""
        least = self.count / _RARE
        sizes = {name: len(words_of(name)) for name, count in self.spelt.items() if count >= least}
        most = max(sizes.values())
        full = [name for name, size in sizes.items() if size == most]
        return sorted(full, key=lambda name: (-self.spelt[name], name))


class Remembered(Struct):
    """An entity of the event so far: its types and spellings with their counts, and the stems around it."""

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

    @property
    def count(self) -> int:
        """How often it was named."""
        return sum(self.types.values())

    def times(self, words: Words) -> int:
        """How often it was named by this name, however spelt."""
        letters = squeeze(words)
        return sum(count for name, count in self.spelt.items() if squeeze(words_of(name)) == letters)

    def gender_fits(self, bearer: Named) -> bool:
        """Whether both are men or both women, as far as is known."""
        return bearer.type != "PER" or not (self.gender and bearer.gender and self.gender != bearer.gender)

    def main_names(self) -> list[Words]:
        """Its names that are not rare (a twenty-fifth of all): a person's fullest ones, others' longer ones.

        >>> Remembered(1, {"ORG": 9}, {"Red Crescent": 5, "Syrian Red Crescent": 3, "Crescent": 1}, {}).main_names()
        [('red', 'crescent'), ('syrian', 'red', 'crescent')]
        """
        forms = self._forms()
        total = sum(forms.values())
        main = [words for words, count in forms.items() if count * _MAIN_SHARE >= total]
        most = max(map(len, main))
        least = most if self.type == "PER" else min(most, 2)
        return [words for words in main if len(words) >= least]

    def _forms(self) -> Counter[Words]:
        forms: Counter[Words] = Counter()
        for name, count in self.spelt.items():
            forms[words_of(name)] += count
        return forms

    def add_context(self, stems: Mapping[str, int], most: int) -> None:
        """Add stems of its contexts; where there are twice too many, keep the most frequent."""
        for stem, count in stems.items():
            self.context[stem] = self.context.get(stem, 0) + count
        if len(self.context) > 2 * most:
            self.context = dict(sorted(self.context.items(), key=lambda item: (-item[1], item[0]))[:most])

    def best_name(self) -> str:
        """The name to show: a person's full one, an acronym written out, else the most frequent.

        A full name must not be rare: a twenty-fifth of all.

        >>> Remembered(1, {"PER": 70}, {"Obama": 60, "Barack Obama": 9, "Feudal Libya Obama": 1}, {}).best_name()
        'Barack Obama'
        >>> Remembered(2, {"ORG": 18}, {"WHO": 16, "World Health Organization": 2}, {}).best_name()
        'World Health Organization'
        >>> Remembered(3, {"ORG": 60}, {"BP": 50, "BP PR": 10}, {}).best_name()
        'BP'
        """
        forms = self._forms()
        top = max(forms, key=lambda words: (forms[words], len(words), words))
        if self.type == "PER":
            least = sum(forms.values()) / _MAIN_SHARE
            full = [words for words, count in forms.items() if len(words) > 1 and count >= least]
            given = [
                words
                for words in forms
                if len(words) == 2 and words[1:] == top and GIVEN & marks_of(words[:1])
            ]
            top = max(full or given, key=lambda words: (forms[words], words), default=top)
        elif len(top) == 1:
            short = top[0].replace(".", "")
            written = [words for words in forms if top[0] not in words and _initials(words) == short]
            top = max(written, key=lambda words: (forms[words], words), default=top)
        spellings = [name for name in self.spelt if words_of(name) == top]
        return max(
            spellings,
            key=lambda name: (
                _has_case(name, self.type),
                len(top) == len(name.split()),
                self.spelt[name],
                name,
            ),
        )


def _initials(words: Words) -> str:
    return "".join(word[0] for word in words if word not in ("of", "the", "for", "and"))


def _has_case(name: str, kind: str) -> bool:
    # Capitals alone are a heading's, but for what may be an acronym.
    longest = _LONG_CAPITALS if kind == "ORG" else 3
    return not (name.islower() or (name.isupper() and len(name) > longest))


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
        for number in self._bearers.get(squeeze(words), ())[-_MOST_BEARERS:]:
            entity = self.entities[number]
            types[entity.type] += entity.times(words)
        return types

    def is_surname(self, word: str) -> bool:
        """Whether a person named so far has this last name, and another before it."""
        latest = (self.entities[number] for number in self._by_key.get(word, ())[-_MOST_BEARERS:])
        return any(
            number.type == "PER"
            and any(len(name) > 1 and name[-1] == word for name in self._main_names(number))
            for number in latest
        )

    def place(self, named: Sequence[Named], day: str) -> list[int]:
        """The ids of a day's documents' entities, in their order; who is new gets a new one.

        Those with full names are placed first, so that surnames find their bearers.
        """
        known = _signatures(name for number in named for name in number.spelt)
        ids = [0] * len(named)
        for number in sorted(range(len(named)), key=lambda number: (-_fullness(named[number]), number)):
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
        by_age = sorted(self.entities.values(), key=lambda entity: (entity.day, entity.count, -entity.id))
        gone = {entity.id for entity in by_age[: len(by_age) - MOST_ENTITIES * 3 // 4]}
        kept = [entity for entity in self.entities.values() if entity.id not in gone]
        self.restore(kept, self.order, self.next_id)

    def _find(self, bearer: Named, known: Mapping[str, Array]) -> Remembered | None:
        names = bearer.full_names()
        main = words_of(names[0])
        if not main:
            return None
        if len(main) > 1:
            bearers = {
                number
                for name in names
                for number in self._bearers.get(squeeze(words_of(name)), ())[-_MOST_BEARERS:]
            }
            same = [entity for entity in self._all(bearers) if entity.gender_fits(bearer)]
            if same:
                return _nearest(same, bearer, main)
            keyed = {
                number for key in lookup_keys(main) for number in self._by_key.get(key, ())[-_MOST_BEARERS:]
            }
            like = [entity for entity in self._all(keyed) if self._may_be(entity, bearer, main)]
        else:
            like = self._find_called(bearer, main)
        if like:
            return _nearest(like, bearer, main)
        near = self._all(self._labels.near(" ".join(main), known[names[0]]))
        like = [entity for entity in near if self._is_spelt_like(entity, bearer, main)]
        return _nearest(like, bearer, main) if like or bearer.type == "PER" else self._by_usual_name(bearer)

    def _find_called(self, bearer: Named, main: Words) -> list[Remembered]:
        """Who may be called by a single word; one that any body may have says nothing of longer names with it."""
        numbers = set(self._bearers.get(squeeze(main), ())[-_MOST_BEARERS:])
        if bearer.type == "PER" or main[0] not in BODY_WORDS:
            numbers.update(
                number for key in lookup_keys(main) for number in self._by_key.get(key, ())[-_MOST_BEARERS:]
            )
        like = [entity for entity in self._all(numbers) if entity.gender_fits(bearer)]
        like = [
            entity
            for entity in like
            if (entity.times(main) and _type_fits(entity, bearer, main)) or self._may_be(entity, bearer, main)
        ]
        if bearer.type != "PER":
            return like
        return [
            entity
            for entity in like
            if self._is_last(entity, main) or _likeness(entity.context, bearer.context) > _SURE
        ]

    def _is_last(self, entity: Remembered, main: Words) -> bool:
        # Given names alone say little: another document's John is another John, unless it tells the same of him.
        return any(name[-1] == main[0] for name in self._main_names(entity))

    def _by_usual_name(self, bearer: Named) -> Remembered | None:
        # A body or place mostly called by a name that is known, and once by a longer one that is not.
        usual = max(sorted(bearer.spelt), key=lambda name: bearer.spelt[name])
        words = words_of(usual)
        if bearer.spelt[usual] * 2 < bearer.count or words[0] in BODY_WORDS:
            return None
        bearers = self._all(self._bearers.get(squeeze(words), ())[-_MOST_BEARERS:])
        return _nearest([entity for entity in bearers if entity.type == bearer.type], bearer, words)

    def _all(self, numbers: Iterable[int]) -> list[Remembered]:
        return [self.entities[number] for number in sorted(numbers)]

    def _main_names(self, entity: Remembered) -> list[Words]:
        names = self._main.get(entity.id)
        if names is None:
            names = self._main[entity.id] = entity.main_names()
        return names

    def _may_be(self, entity: Remembered, bearer: Named, words: Words) -> bool:
        if entity.type != bearer.type or not entity.gender_fits(bearer):
            return False
        return any(fits(name, words, bearer.type) for name in self._main_names(entity))

    def _is_spelt_like(self, entity: Remembered, bearer: Named, words: Words) -> bool:
        if entity.type != bearer.type or not entity.gender_fits(bearer):
            return False
        return any(is_spelt_like(name, words, bearer.type) for name in self._main_names(entity))

    def _join(self, entity: Remembered, bearer: Named, day: str, known: Mapping[str, Array]) -> None:
        full = _fullness(bearer)
        entity.types[bearer.type] = entity.types.get(bearer.type, 0) + bearer.count
        entity.gender = entity.gender or bearer.gender
        entity.day = day
        for name, count in bearer.spelt.items():
            words = words_of(name)
            if name not in entity.spelt:
                if len(entity.spelt) >= MOST_SPELLINGS:
                    continue
                if not (bearer.type != "PER" and len(words) == 1 < full and words[0] in BODY_WORDS):
                    self._index(entity.id, name, known)
            entity.spelt[name] = entity.spelt.get(name, 0) + count
        self._main.pop(entity.id, None)
        entity.add_context(bearer.context, MOST_CONTEXT)

    def _index(self, number: int, name: str, known: Mapping[str, Array]) -> None:
        words = words_of(name)
        if not words:
            return
        self.order.append((number, name))
        bearers = self._bearers.setdefault(squeeze(words), [])
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


def _fullness(bearer: Named) -> int:
    return max(len(words_of(name)) for name in bearer.spelt)


def _type_fits(entity: Remembered, bearer: Named, words: Words) -> bool:
    # A single word may be a place's and a person's name; a listed place is no person.
    if bearer.type in entity.types or "PER" not in (bearer.type, entity.type):
        return True
    if "LOC" in (bearer.type, entity.type):
        return not marks_of(words) & _LISTED_PLACE
    return True


def _nearest(entities: Sequence[Remembered], bearer: Named, words: Words) -> Remembered | None:
    if len(entities) < 2:
        return entities[0] if entities else None

    def worth(entity: Remembered) -> tuple[float, int, int]:
        likeness = _likeness(entity.context, bearer.context) + _PRIOR * log1p(entity.times(words))
        return (round(likeness, 9), entity.count, -entity.id)

    return max(entities, key=worth)


def _likeness(one: Mapping[str, int], other: Mapping[str, int]) -> float:
    shared = sum(count * other.get(stem, 0) for stem, count in one.items())
    norms = sum(count * count for count in one.values()) * sum(count * count for count in other.values())
    return shared / sqrt(norms) if norms else 0.0


_JOINING = frozenset(["of", "the", "and", "for", "in", "de", "la"])
_SHARE = 4  # one in so many mentions by a name makes it one of the entity


def in_day(
    book: EntityBook, mentions: Mapping[int, Sequence[EntityMention]], query: str
) -> tuple[DayEntity, ...]:
    """The entities with their mentions in the day's documents, by id."""
    asked = frozenset((*tokens(query), *words_of(query)))
    own = {number: book.entities[number] for number in sorted(mentions)}
    names = {number: entity.best_name() for number, entity in own.items()}
    whole = {number for number in own if _is_asked(names[number], asked)}
    taken = {word for number in whole for name in own[number].spelt for word in words_of(name)}
    return tuple(
        DayEntity(
            number,
            names[number],
            entity.type,
            tuple(
                sorted(
                    mentions[number], key=lambda mention: (mention.document, mention.sentence, mention.start)
                )
            ),
            number in whole or _is_called_so(entity, asked, taken),
        )
        for number, entity in own.items()
    )


def _is_asked(name: str, asked: frozenset[str]) -> bool:
    forms = (set(words_of(name)), set(tokens(name)))
    return any(form - _JOINING and form - _JOINING <= asked for form in forms)


def _is_called_so(entity: Remembered, asked: frozenset[str], taken: set[str]) -> bool:
    # By a shorter name that is a good part of its names, and that no other entity has that is asked for by its best.
    return any(
        count * _SHARE >= entity.count and _is_asked(name, asked) and not taken.intersection(words_of(name))
        for name, count in entity.spelt.items()
    )
