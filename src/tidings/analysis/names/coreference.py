"""Which names in a document are the same entity's, and whom pronouns stand for.

Names are taken in the order of the text and joined to the latest entity of a fitting type that one of the rules of
`same_entity` allows; a surname that several persons bear goes to the latest of them whose title and gender fit. A
pronoun of a man or woman goes to the nearest fitting person named before it, in its own sentence or the two before, the
first of a sentence before the others; `its` to the first organization or place of its sentence or the one before.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from tidings.analysis.names.gazetteers import BODY_WORDS, PRONOUNS, TITLES, gazetteers, short_form, word_set
from tidings.core import data_beside

_DATA = data_beside(__file__)
_SUFFIXES, _JOINING, _WIDE, _OF_THE_SAME = (
    word_set(_DATA[name]) for name in ("suffixes", "joining", "wide", "of_the_same")
)


@lru_cache(maxsize=1)
def aliases() -> dict[str, str]:
    """Other names of countries, cities and bodies, in lower case, with the one that stands for all.

    >>> aliases()["u.s"], aliases()["holland"]
    ('united states', 'netherlands')
    """
    return {alias: line.split("|")[0] for line in _DATA["aliases"] for alias in line.split("|")}


@lru_cache(maxsize=1 << 15)
def bare_words(name: str) -> tuple[str, ...]:
    """The words of a name in lower case, without article, title, hash sign, and what companies and juniors add.

    >>> bare_words("the #Apple Inc."), bare_words("Mr. Obama"), bare_words("U.S."), bare_words("Interior Ministry")
    (('apple',), ('obama',), ('united', 'states'), ('interior', 'ministry'))
    """
    words = [word.lower().strip('#@"“”').rstrip(".,") for word in name.split()]
    words = [word for word in words if word and word not in ("'s", "’s")]
    titles = (
        TITLES if words and words[-1] not in BODY_WORDS else frozenset()
    )  # the Foreign Ministry is no Ministry
    while len(words) > 1 and (words[0] in ("the", "a", "an") or short_form(words[0]) in titles):
        words.pop(0)
    while len(words) > 1 and words[-1] in _SUFFIXES:
        words.pop()
    joined = aliases().get(" ".join(words)) if name != _LOUISIANA else None
    return tuple(joined.split()) if joined else tuple(words)


_LOUISIANA = "La"
"""As papers write it; Los Angeles has two capitals."""


def gender_of(name: str, title: str = "") -> str:
    """`m` or `f` as a title or the given name says, "" where neither does.

    >>> gender_of("Mary Smith"), gender_of("Smith", "Mr."), gender_of("Smith")
    ('f', 'm', '')
    """
    said = _TITLE_GENDERS.get(short_form(title), "")
    words = name.split()
    return said or (gazetteers().genders.get(words[0].lower(), "") if len(words) > 1 or said else "")


_TITLE_GENDERS = {
    title: letter for kind, letter in (("men", "m"), ("women", "f")) for title in _DATA[kind].split()
}


def same_entity(longer: tuple[str, ...], shorter: tuple[str, ...], kind: str) -> bool:
    """Whether the shorter of two names of a type, as bare words, may stand for the longer one.

    >>> same_entity(("barack", "obama"), ("obama",), "PER"), same_entity(("barack", "obama"), ("barack",), "PER")
    (True, True)
    >>> same_entity(("world", "health", "organization"), ("who",), "ORG")
    True
    >>> same_entity(("north", "korea"), ("korea",), "LOC"), same_entity(("san", "juan"), ("san",), "LOC")
    (False, False)
    """
    if longer == shorter:
        return True
    if kind == "PER":
        return _same_person(longer, shorter)
    if len(shorter) == 1 and len(longer) > 1 and len(shorter[0]) > 1 and _acronym(longer, shorter[0]):
        return True
    if len(shorter) >= len(longer):
        return False
    if shorter[0] in _WIDE and not (kind == "ORG" and longer[-1] == shorter[-1]):
        return False
    if kind == "ORG":
        if longer[-len(shorter) :] == shorter and not _JOINING.intersection(longer):
            return True  # "the Senate" after "U.S. Senate"
        return longer[: len(shorter)] == shorter and not _JOINING.intersection(longer)
    if longer[0] != shorter[0] or len(shorter) != len(longer) - 1 or longer[-1] not in _PLACE_ENDS:
        return False
    marks = gazetteers().words.get(" ".join(shorter), ())
    return longer[-1] in _OF_THE_SAME or (
        "country" not in marks and ("city" in marks or "place" not in marks)
    )


_PLACE_ENDS = _OF_THE_SAME | word_set(_DATA["of_a_city"])
"""What may be left out of a place's name; Mexico City is not Mexico."""


def _same_person(longer: tuple[str, ...], shorter: tuple[str, ...]) -> bool:
    if len(shorter) == 1:
        return len(longer) > 1 and shorter[0] in (longer[-1], longer[0]) and len(shorter[0]) > 1
    if longer[-1] != shorter[-1]:
        # "al-Assad" beside "Assad", "Gaddafi" beside "el Gaddafi"
        return longer[0] == shorter[0] and longer[-1].removeprefix("al-") == shorter[-1].removeprefix("al-")
    first, other = longer[0], shorter[0]
    return first == other or (min(len(first), len(other)) <= 2 and first[0] == other[0])


def _acronym(words: tuple[str, ...], short: str) -> bool:
    letters = short.replace(".", "")
    if len(letters) == 2:
        return len(words) == 2 and letters == words[0][0] + words[1][0]
    return len(letters) > 2 and letters in _initials(words)


def _initials(words: tuple[str, ...]) -> tuple[str, str]:
    return "".join(word[0] for word in words), "".join(word[0] for word in words if word not in _JOINING)


@lru_cache(maxsize=1 << 15)
def keys_of(words: tuple[str, ...]) -> frozenset[str]:
    """What two names that `same_entity` allows to be one have in common: a first or last word, or initials.

    >>> set(keys_of(("world", "bank")) & keys_of(("wb",)))
    {'wb'}
    """
    ends = {words[0], words[-1], words[0].removeprefix("al-"), words[-1].removeprefix("al-")}
    return frozenset(ends | ({words[0].replace(".", "")} if len(words) == 1 else set(_initials(words))))


Span = tuple[int, int, str]
Spoken = tuple[int, str, str]
_FAR = 50
"""How many entities that share a word with a name are looked at, latest first."""
_BACK = 2
"""Sentences before its own in which a pronoun's name is looked for."""


class Reference(Struct, frozen=True):
    """Tokens start..end of a sentence speak of an entity: by `name`, by `demonym` or by `pronoun`."""

    sentence: int
    start: int
    end: int
    how: str


class Chain(Struct, frozen=True):
    """An entity of a document: its fullest name, its type, and where it is spoken of, in the order of the text."""

    name: str
    type: str
    references: tuple[Reference, ...]


class _Entity:
    """A chain while it grows."""

    def __init__(self, kind: str, number: int) -> None:
        self.kind = kind
        self.number = number
        self.names: dict[tuple[str, ...], int] = {}
        self.spelt: dict[str, int] = {}
        self.references: list[Reference] = []
        self.gender = ""

    def add(self, reference: Reference, words: tuple[str, ...], spelt: str, gender: str) -> None:
        self.references.append(reference)
        self.names[words] = self.names.get(words, 0) + 1
        self.spelt[spelt] = self.spelt.get(spelt, 0) + 1
        self.gender = self.gender or gender

    def best_name(self) -> str:
        return max(self.spelt, key=lambda name: (len(name.split()), self.spelt[name], name))


def resolve(
    sentences: Sequence[Sequence[str]], spans: Sequence[Sequence[Span]], *, pronouns: bool = True
) -> list[Chain]:
    """The entities of a document, in the order in which they are first spoken of.

    Args:
        sentences: the document's sentences as tokens.
        spans: for each the names in it, as half-open spans of tokens with their types.
        pronouns: also say whom pronouns of the third person stand for, where a name fits.

    >>> text = [["President", "Barack", "Obama", "met", "French", "troops", "."], ["He", "left", "France", "."]]
    >>> for chain in resolve(text, [[(1, 3, "PER")], [(2, 3, "LOC")]]):
    ...     print(chain.name, chain.type, [(one.sentence, one.start, one.how) for one in chain.references])
    Barack Obama PER [(0, 1, 'name'), (1, 0, 'pronoun')]
    France LOC [(0, 4, 'demonym'), (1, 2, 'name')]
    """
    entities: list[_Entity] = []
    by_words: dict[tuple[str, ...], list[_Entity]] = {}
    by_key: dict[str, list[_Entity]] = {}
    for number, (tokens, own) in enumerate(zip(sentences, spans, strict=True)):
        for start, end, kind in sorted(own):
            spelt = " ".join(tokens[start:end])
            words = bare_words(spelt)
            if not words:
                continue
            title = tokens[start - 1] if start and short_form(tokens[start - 1]) in TITLES else ""
            gender = gender_of(spelt, title) if kind == "PER" else ""
            entity = _copy_of(by_words.get(words, []), words, kind, gender)
            entity = entity or _alike(by_key, words, kind, gender)
            if entity is None:
                entity = _Entity(kind, len(entities))
                entities.append(entity)
            if words not in entity.names:
                by_words.setdefault(words, []).append(entity)
                for key in keys_of(words):
                    by_key.setdefault(key, []).append(entity)
            entity.add(Reference(number, start, end, "name"), words, spelt, gender)
    said = [
        [(at, *speaks) for at, speaks in enumerate(map(_speaks, tokens)) if speaks] for tokens in sentences
    ]
    _add_demonyms(entities, said, spans)
    if pronouns:
        _add_pronouns(entities, said)
    chains = [
        Chain(
            entity.best_name(),
            entity.kind,
            tuple(sorted(entity.references, key=lambda reference: (reference.sentence, reference.start))),
        )
        for entity in entities
    ]
    return sorted(chains, key=lambda chain: (chain.references[0].sentence, chain.references[0].start))


def _copy_of(bearers: list[_Entity], words: tuple[str, ...], kind: str, gender: str) -> _Entity | None:
    # The latest that bears this very name.
    for entity in reversed(bearers):
        alike = entity.kind == kind or len(words) > 1 or "PER" not in (kind, entity.kind)
        if alike and (kind != "PER" or len(words) > 1 or _fits(entity, gender)):
            return entity
    return None


def _alike(
    by_key: dict[str, list[_Entity]], words: tuple[str, ...], kind: str, gender: str
) -> _Entity | None:
    near = {index.number: index for key in keys_of(words) for index in by_key.get(key, [])[-_FAR:]}
    for number in sorted(near, reverse=True):
        entity = near[number]
        if entity.kind != kind or (kind == "PER" and not _fits(entity, gender)):
            continue
        if all(_may_join(name, words, kind) for name in _full_names(entity)):
            return entity
    return None


def _fits(entity: _Entity, gender: str) -> bool:
    return not (gender and entity.gender and gender != entity.gender)


def _full_names(entity: _Entity) -> list[tuple[str, ...]]:
    longest = max(map(len, entity.names))
    return [name for name in entity.names if len(name) == longest]


def _may_join(name: tuple[str, ...], words: tuple[str, ...], kind: str) -> bool:
    longer, shorter = (name, words) if len(name) >= len(words) else (words, name)
    return same_entity(longer, shorter, kind)


@lru_cache(maxsize=1 << 16)
def _speaks(token: str) -> tuple[str, str] | None:
    # The place that a demonym belongs to, and the gender of a pronoun that is resolved.
    place = gazetteers().demonyms.get(token.lower(), "") if token[:1].isupper() else ""
    kind = resolved_pronoun(token)
    return (place, kind) if place or kind else None


def _add_demonyms(
    entities: list[_Entity], said: Sequence[Sequence[Spoken]], spans: Sequence[Sequence[Span]]
) -> None:
    places = {
        " ".join(name): entity
        for entity in reversed(entities)
        if entity.kind == "LOC"
        for name in entity.names
    }
    for number, (spoken, own) in enumerate(zip(said, spans, strict=True)):
        for at, place, _ in spoken:
            if place and not any(start <= at < end for start, end, _ in own):
                spoken_of = places.get(" ".join(bare_words(place)))
                if spoken_of is not None:
                    spoken_of.references.append(Reference(number, at, at + 1, "demonym"))


def _add_pronouns(entities: list[_Entity], said: Sequence[Sequence[Spoken]]) -> None:
    by_sentence: dict[int, list[tuple[int, _Entity]]] = {}
    for entity in entities:
        for reference in entity.references:
            if reference.how == "name":
                by_sentence.setdefault(reference.sentence, []).append((reference.start, entity))
    for mentioned in by_sentence.values():
        mentioned.sort(key=lambda entry: entry[0])
    for number, spoken in enumerate(said):
        for at, _, kind in spoken:
            if not kind:
                continue
            owner = _owner(by_sentence, number, at) if kind == "n" else None
            antecedent = owner or (_antecedent(by_sentence, number, at, kind) if kind != "n" else None)
            if antecedent is not None:
                antecedent.references.append(Reference(number, at, at + 1, "pronoun"))
                antecedent.gender = antecedent.gender or kind
                by_sentence.setdefault(number, []).append((at, antecedent))
                by_sentence[number].sort(key=lambda entry: entry[0])


def resolved_pronoun(token: str) -> str:
    """The gender of a pronoun that is resolved, "" for any other token.

    Those of a man and a woman are, and `its`; `it` and `they` speak of names too rarely.

    >>> resolved_pronoun("She"), resolved_pronoun("its"), resolved_pronoun("it"), resolved_pronoun("table")
    ('f', 'n', '', '')
    """
    low = token.lower()
    kind = PRONOUNS.get(low, "")
    return kind if kind in ("m", "f") or low == "its" else ""


def _owner(by_sentence: dict[int, list[tuple[int, _Entity]]], number: int, at: int) -> _Entity | None:
    for sentence in (number, number - 1):
        for place, entity in by_sentence.get(sentence, []):
            if entity.kind != "PER" and (sentence < number or place < at):
                return entity
    return None


def _antecedent(
    by_sentence: dict[int, list[tuple[int, _Entity]]], number: int, at: int, gender: str
) -> _Entity | None:
    for sentence in range(number, max(number - _BACK, 0) - 1, -1):
        mentioned = [
            (place, entity)
            for place, entity in by_sentence.get(sentence, [])
            if entity.kind == "PER" and entity.gender in ("", gender) and (sentence < number or place < at)
        ]
        sure = [entity for _, entity in mentioned if entity.gender == gender]
        if sure:
            return sure[0]
        if mentioned:
            return mentioned[0][1]
    return None
