"""The follower of the systems that rank entities: it gathers an event's days and ranks each when it has ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec
from msgspec import Struct

from tidings.entities.days.builder import EventDays
from tidings.entities.event_days import DayEntity, EventDay
from tidings.records import EntityRanking, Event, Evidence, Sentence

__all__ = ["EntityFollower", "EntityRanker", "RankedEntity"]


class RankedEntity(Struct, frozen=True):
    """An entity of a day by its id, its score, and of that the two sides, 0 to 1 each."""

    id: int
    score: float
    salience: float
    informativeness: float


class EntityRanker(Protocol):
    """What puts the entities of a day in order, knowing the days before."""

    def rank(self, day: EventDay) -> Sequence[RankedEntity]:
        """The day's entities, the most important first; the day is remembered."""
        ...

    def state(self) -> bytes:
        """What is remembered of the days so far."""
        ...

    def restore(self, data: bytes) -> None:
        """Become the ranker whose `state()` gave `data`."""
        ...


class _State(Struct, array_like=True):
    days: bytes
    ranker: bytes
    before: list[int]


class EntityFollower:
    """Gives a ranking for each day with news, once it is over; what the last day had is given at the end.

    Args:
        event: what is followed.
        ranker: who puts a day's entities in order.
        documents: how many of a day's documents are read.
        most: how many entities of a day are given.
    """

    def __init__(self, event: Event, ranker: EntityRanker, documents: int, most: int) -> None:
        self._event, self._ranker, self._most = event, ranker, most
        self._days = EventDays(event, documents=documents)
        self._before: list[int] = []
        self._cached: bytes | None = None

    def push(self, sentences: Sequence[Sentence], now: int) -> list[EntityRanking]:
        """The rankings of the days that have ended by now."""
        days = self._days.add(sentences, now)
        if sentences or days:
            self._cached = None
        return [self._ranking(day, now) for day in days]

    def finish(self, now: int) -> list[EntityRanking]:
        """The ranking of the day that is open, as far as it went."""
        days = self._days.finish(now)
        if days:
            self._cached = None
        return [self._ranking(day, now) for day in days]

    def _ranking(self, day: EventDay, now: int) -> EntityRanking:
        ranked = list(self._ranker.rank(day))[: self._most]
        by_id = {entity.id: entity for entity in day.entities}
        entities = [by_id[one.id] for one in ranked]
        before, self._before = set(self._before), [entity.id for entity in day.entities]
        return EntityRanking(
            self._event.id,
            day.date,
            tuple(entity.name for entity in entities),
            now,
            types=tuple(entity.type for entity in entities),
            scores=tuple(one.score for one in ranked),
            salience=tuple(one.salience for one in ranked),
            informativeness=tuple(one.informativeness for one in ranked),
            new=tuple(entity.id not in before for entity in entities),
            evidence=tuple(supporting_sentence(day, entity) for entity in entities),
            ids=tuple(entity.id for entity in entities),
        )

    def state(self) -> bytes:
        """Everything remembered, as msgpack."""
        if self._cached is None:
            state = _State(self._days.state(), self._ranker.state(), self._before)
            self._cached = msgspec.msgpack.encode(state)
        return self._cached

    def restore(self, data: bytes) -> None:
        """Become the follower whose `state()` gave `data`."""
        state = msgspec.msgpack.decode(data, type=_State)
        self._days.restore(state.days)
        self._ranker.restore(state.ranker)
        self._before = state.before
        self._cached = bytes(data)


_LEAST_TOKENS, _MOST_TOKENS = 6, 45


def supporting_sentence(day: EventDay, entity: DayEntity) -> Evidence:
    """The sentence that shows best why an entity matters on a day.

    It names the entity, is neither a scrap nor endless, comes from the document that is surest about the event, and of
    that document it is the first that names most of what the day speaks of. Titles stand back.
    """

    def fitness(number: int) -> tuple[bool, bool, float, int, int]:
        mention = entity.mentions[number]
        document = day.documents[mention.document]
        sentence, tokens = document.sentences[mention.sentence], document.tokens[mention.sentence]
        fits = _LEAST_TOKENS <= len(tokens) <= _MOST_TOKENS
        is_text = sentence.index >= 0
        return (mention.how == "name", fits and is_text, document.confidence, -mention.sentence, -number)

    best = entity.mentions[max(range(len(entity.mentions)), key=fitness)]
    sentence = day.documents[best.document].sentences[best.sentence]
    return Evidence(
        sentence.doc_id,
        sentence.index,
        sentence.text,
        sentence.published_time,
        sentence.source,
        sentence.title,
        sentence.url,
    )
