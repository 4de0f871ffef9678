"""Days of an event written by hand: `[Barack Obama|PER]` names an entity, `<he|Barack Obama>` speaks of one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tidings.core.records import Sentence
from tidings.following.entities.event_days import DayDocument, DayEntity, EntityMention, EventDay
from tidings.following.entities.features.matrix import EntityFeatures

_MARKED = re.compile(r"\[([^|\]]+)\|(PER|ORG|LOC)(?:=([^\]]+))?\]|<([^|>]+)\|([^>]+)>|(\S+)")


def small_day(
    *documents: Sequence[str],
    date: str = "2013-04-15",
    titles: Sequence[str] = (),
    confidence: Sequence[float] = (),
    ids: dict[str, int] | None = None,
    first_index: int = 0,
    expansion: Sequence[str] = (),
) -> EventDay:
    """A day of documents given as sentences; entities bear the fullest name given (`[Obama|PER=Barack Obama]`)."""
    ids = {} if ids is None else ids
    mentions: dict[str, list[EntityMention]] = {}
    types: dict[str, str] = {}
    built = []
    for number, sentences in enumerate(documents):
        own, tokens = [], []
        for at, text in enumerate(sentences):
            words: list[str] = []
            for match in _MARKED.finditer(text):
                name, kind, entity, pronoun, owner, word = match.groups()
                begin = len(words)
                words += (name or pronoun or word).split()
                if word is None:
                    key = entity or name or owner
                    types.setdefault(key, kind or "PER")
                    how = "pronoun" if pronoun else "name"
                    one = EntityMention(number, at, begin, len(words), name or pronoun, how)
                    mentions.setdefault(key, []).append(one)
            tokens.append(tuple(words))
            title = titles[number] if titles else ""
            own.append(Sentence(f"d{number}", at + first_index, " ".join(words), 60, title=title))
        share = confidence[number] if confidence else 1 / len(documents)
        built.append(DayDocument(tuple(own), tuple(tokens), share))
    for name in mentions:
        ids.setdefault(name, len(ids) + 1)
    entities = [DayEntity(ids[name], name, types[name], tuple(own)) for name, own in mentions.items()]
    entities.sort(key=lambda one: one.id)
    return EventDay(date, 86_400, tuple(built), tuple(entities), len(built), tuple(expansion))


def raws(
    day: EventDay, entity: str, *, earlier: Sequence[EventDay] = (), query: str = "flood"
) -> dict[str, float]:
    """The features of an entity as they are computed on a day that comes after others."""
    features = EntityFeatures(query)
    for one in earlier:
        features.matrix(one)
    matrix = features.matrix(day)
    [place] = [place for place, one in enumerate(day.entities) if one.name == entity]
    return dict(zip(matrix.names, matrix.raw[place].tolist(), strict=True))


def raw(
    day: EventDay, entity: str, feature: str, *, earlier: Sequence[EventDay] = (), query: str = "flood"
) -> float:
    """One of them."""
    return raws(day, entity, earlier=earlier, query=query)[feature]
