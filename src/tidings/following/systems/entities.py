"""Systems that rank an event's entities day by day: one for each ranker, and their follower."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from tidings.core import EntityRanking, Event, Evidence, ModelCard, Sentence, System, read_model
from tidings.following.entities.book import GIVEN
from tidings.following.entities.days import EventDays
from tidings.following.entities.event_days import DayEntity, EventDay
from tidings.following.entities.features.matrix import EntityFeatures, FeatureMatrix
from tidings.following.entities.name_forms import marks_of, words_of
from tidings.following.entities.ranker import EntityRanker, RankedEntity
from tidings.following.entities.ranking import ranker_named
from tidings.following.systems.base import SystemBase

CLAIMED = frozenset({"", "en"})
"""The languages whose names are recognised."""


class RankedDay(Struct, frozen=True):
    """A day with all its entities in order, as features and as ranked."""

    day: EventDay
    matrix: FeatureMatrix
    ranked: list[RankedEntity]


class _State(Struct, array_like=True):
    days: bytes
    features: bytes
    ranker: bytes
    before: list[int]
    last_given: bytes = b""


class EntityFollower:
    """Gives a ranking for each day with news, once it is over; what the last day had is given at the end.

    A stream that has ended may go on. The last day stays open then: what is given of it at the end changes nothing of
    what comes after, and once the day is over it is given again only where more was said.

    Args:
        event: what is followed.
        ranker: who puts a day's entities in order, a fresh one.
        features: what it looks at, fresh too.
        documents: how many of a day's documents are read.
        most: how many entities of a day are given.
        query_names: whether those are given that the event's query names.
    """

    def __init__(
        self,
        event: Event,
        ranker: EntityRanker,
        features: EntityFeatures,
        *,
        documents: int,
        most: int,
        query_names: bool,
    ) -> None:
        self._event, self._ranker, self._features = event, ranker, features
        self._most, self._query_names = most, query_names
        self._days = EventDays(event, documents=documents)
        self._before: list[int] = []
        self._last_given = b""
        self._cached: bytes | None = None

    def push(self, sentences: Sequence[Sentence], now: int) -> list[EntityRanking]:
        """The rankings of the days that have ended by now; documents that say another language are passed over."""
        if any(sentence.language not in CLAIMED for sentence in sentences):
            sentences = [sentence for sentence in sentences if sentence.language in CLAIMED]
            if not sentences:
                return []
        last_given, rankings = (
            self._last_given,
            [self._ranking(day, now) for day in self.days_by(sentences, now)],
        )
        if rankings:
            self._last_given = b""
        return [ranking for ranking in rankings if not last_given or _digest(ranking) != last_given]

    def finish(self, now: int) -> list[EntityRanking]:
        """The ranking of the day that is open, as far as it went, unless it was given so before."""
        state, last_given = self.state(), self._last_given
        rankings = [self._ranking(day, now) for day in self.last_days(now)]
        self.restore(state)
        for ranking in rankings:
            self._last_given, self._cached = _digest(ranking), None
        return [ranking for ranking in rankings if _digest(ranking) != last_given]

    @property
    def ranker(self) -> EntityRanker:
        """Who puts a day's entities in order."""
        return self._ranker

    def days_by(self, sentences: Sequence[Sentence], now: int) -> list[EventDay]:
        """The days that have ended by now, these sentences added."""
        days = self._days.add([_writable(sentence) for sentence in sentences], now)
        if sentences or days:
            self._cached = None
        return days

    def last_days(self, now: int) -> list[EventDay]:
        """The day that is open, as far as it went, where it has news."""
        days = self._days.finish(now)
        if days:
            self._cached = None
        return days

    def rank(self, day: EventDay) -> RankedDay:
        """All entities of a day in order; the day is the day before from then on."""
        matrix = self._features.matrix(day)
        return RankedDay(day, matrix, self._ranker.rank(day, matrix) if day.entities else [])

    def given(self, ranked: RankedDay) -> list[RankedEntity]:
        """Whom a ranking shows, in order: no two of one name, and no names of the query unless asked for."""
        by_id = {entity.id: entity for entity in ranked.day.entities}
        return [
            entity
            for entity in _once(ranked.ranked, by_id)
            if (self._query_names or not by_id[entity.id].in_query)
            and not _is_given_name_once(by_id[entity.id])
        ]

    def _ranking(self, day: EventDay, now: int) -> EntityRanking:
        by_id = {entity.id: entity for entity in day.entities}
        given = self.given(self.rank(day))
        salience = scaled([entity.salience for entity in given])
        informativeness = scaled([entity.informativeness for entity in given])
        ranked = given[: self._most]
        entities = [by_id[entity.id] for entity in ranked]
        before, self._before = set(self._before), [entity.id for entity in day.entities]
        return EntityRanking(
            self._event.id,
            day.date,
            tuple(entity.name for entity in entities),
            now,
            types=tuple(entity.type for entity in entities),
            scores=tuple(entity.score for entity in ranked),
            salience=tuple(salience[: len(ranked)]),
            informativeness=tuple(informativeness[: len(ranked)]),
            new=tuple(entity.id not in before for entity in entities),
            evidence=tuple(supporting_sentence(day, entity) for entity in entities),
            ids=tuple(entity.id for entity in entities),
        )

    def state(self) -> bytes:
        """Everything remembered, as msgpack."""
        if self._cached is None:
            parts = self._days.state(), self._features.state(), self._ranker.state()
            self._cached = msgspec.msgpack.encode(_State(*parts, self._before, self._last_given))
        return self._cached

    def restore(self, data: bytes) -> None:
        """Become the follower whose `state()` gave `data`."""
        state = msgspec.msgpack.decode(data, type=_State)
        self._days.restore(state.days)
        self._features.restore(state.features)
        self._ranker.restore(state.ranker)
        self._before, self._last_given = state.before, state.last_given
        self._cached = bytes(data)


def _writable(sentence: Sentence) -> Sentence:
    # Halves of surrogate pairs, which no state can hold, become question marks.
    if sentence.text.isascii() and sentence.title.isascii():
        return sentence
    text, title = (part.encode("utf-8", "replace").decode() for part in (sentence.text, sentence.title))
    if (text, title) == (sentence.text, sentence.title):
        return sentence
    return replace(sentence, text=text, title=title)


def _digest(ranking: EntityRanking) -> bytes:
    # Of all that it says, but not of when.
    return blake2b(msgspec.msgpack.encode(replace(ranking, time=0)), digest_size=16).digest()


def _is_given_name_once(entity: DayEntity) -> bool:
    # A person whom one document alone calls by the given name alone: nobody knows who that is.
    words = words_of(entity.name)
    marks = marks_of(words)
    is_given = entity.type == "PER" and len(words) == 1 and bool(marks & GIVEN) and "last" not in marks
    return is_given and len({mention.document for mention in entity.mentions}) == 1


def _once(ranked: Sequence[RankedEntity], by_id: Mapping[int, DayEntity]) -> Iterator[RankedEntity]:
    # Two bearers of one name cannot be told apart by a reader: the first stands for both.
    seen = set()
    for entity in ranked:
        key = by_id[entity.id].name.casefold(), by_id[entity.id].type
        if key not in seen:
            seen.add(key)
            yield entity


def scaled(parts: Sequence[float]) -> list[float]:
    """Where each stands between the least, 0, and the greatest, 1, to four digits; 1 where all are the same.

    >>> scaled([2.0, -1.0, 0.5]), scaled([3.0])
    ([1.0, 0.0, 0.5], [1.0])
    """
    low, high = min(parts, default=0.0), max(parts, default=0.0)
    return [round((part - low) / (high - low), 4) if high > low else 1.0 for part in parts]


_LEAST_TOKENS, _MOST_TOKENS = 6, 45  # of a sentence that is shown for a name


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
    return Evidence.of(day.documents[best.document].sentences[best.sentence])


_PAPER = "Tran, Niederée, Kanhabua, Gadiraju and Anand, CIKM 2015"


class EntitySystem(SystemBase, frozen=True, kw_only=True):
    """What systems that rank entities share: how much of a day is read and given, and by which ranker."""

    any_language: ClassVar[bool] = False

    name: ClassVar[str]
    ranker: ClassVar[str] = ""
    """Whose order it is, where that is not its own name."""

    documents: Annotated[int, Meta(ge=1, le=300)] = 10
    most: Annotated[int, Meta(ge=1, le=1000)] = 20
    query_names: bool = False

    def new_ranker(self) -> EntityRanker:
        """A ranker for one event."""
        return ranker_named(self.ranker or self.name)

    def start(self, event: Event) -> EntityFollower:
        """A fresh follower of `event`."""
        return EntityFollower(
            event,
            self.new_ranker(),
            EntityFeatures(event.query or event.title),
            documents=self.documents,
            most=self.most,
            query_names=self.query_names,
        )


class LearnedEntitySystem(EntitySystem, frozen=True, kw_only=True):
    """What those share that decide by learned weights."""

    model: str = ""

    def new_ranker(self) -> EntityRanker:
        """A ranker for one event."""
        return ranker_named(self.ranker or self.name, self.model)

    @property
    def card(self) -> ModelCard | None:
        """The card of its weights."""
        return read_model(f"entities-{self.ranker or self.name}", self.model).card


class Entities(LearnedEntitySystem, frozen=True, kw_only=True):
    """Ranks a day's entities by more features of both sides, each by its place in the day and by its size."""

    name: ClassVar[str] = "entities"
    ranker: ClassVar[str] = "tidings"
    source: ClassVar[str] = "tidings itself, after Tran, Niederée, Kanhabua, Gadiraju and Anand, CIKM 2015"


class AdaptER(LearnedEntitySystem, frozen=True, kw_only=True):
    """Ranks a day's entities by salience and informativeness, weighed by how the day looks."""

    name: ClassVar[str] = "adapter"
    source: ClassVar[str] = _PAPER


class NoAdapt(LearnedEntitySystem, frozen=True, kw_only=True):
    """Ranks a day's entities by salience and informativeness, weighed alike on every day."""

    name: ClassVar[str] = "no-adapt"
    source: ClassVar[str] = _PAPER


class Salience(LearnedEntitySystem, frozen=True, kw_only=True):
    """Ranks a day's entities by how central they are to its documents."""

    name: ClassVar[str] = "sal"
    source: ClassVar[str] = _PAPER


class Informativeness(LearnedEntitySystem, frozen=True, kw_only=True):
    """Ranks a day's entities by what is new of them since the day before."""

    name: ClassVar[str] = "inf"
    source: ClassVar[str] = _PAPER


class Ius(LearnedEntitySystem, frozen=True, kw_only=True):
    """Ranks a day's entities by the mean score of the sentences that mention them, without a cut-off."""

    name: ClassVar[str] = "ius-entities"
    ranker: ClassVar[str] = "ius"
    source: ClassVar[str] = f"McCreadie, Macdonald and Ounis, CIKM 2014, as in section 6.2 of {_PAPER}"


class Taer(LearnedEntitySystem, frozen=True, kw_only=True):
    """Ranks a day's entities by how often they are mentioned today and were on earlier days."""

    name: ClassVar[str] = "taer"
    source: ClassVar[str] = "Demartini, Missen, Blanco and Zaragoza, CIKM 2010"

    model: str = ""

    @property
    def card(self) -> ModelCard | None:
        """The card of its weights, where it has some."""
        return read_model("entities-taer", self.model).card if self.model else None


class Frequency(EntitySystem, frozen=True, kw_only=True):
    """Ranks a day's entities by how often they are mentioned."""

    name: ClassVar[str] = "frequency"
    source: ClassVar[str] = "baseline"


class Contexts(EntitySystem, frozen=True, kw_only=True):
    """Ranks a day's entities by how many different sentences mention them."""

    name: ClassVar[str] = "contexts"
    source: ClassVar[str] = "baseline"


def default_system() -> System:
    """The system that ranks entities beside another one, or where none is named."""
    return Entities()
