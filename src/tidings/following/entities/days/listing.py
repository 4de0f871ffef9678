"""The entities of a day as its record holds them: best names, types, mentions in order, and who the query names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tidings.core import tokens
from tidings.following.entities.days.book import EntityBook
from tidings.following.entities.days.name_forms import words_of
from tidings.following.entities.days.remembered import Remembered
from tidings.following.entities.event_days import DayEntity, EntityMention

__all__ = ["in_day"]

_JOINING = frozenset(["of", "the", "and", "for", "in", "de", "la"])
_SHARE = 4


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
            tuple(sorted(mentions[number], key=lambda one: (one.document, one.sentence, one.start))),
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
