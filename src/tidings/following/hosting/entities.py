"""Why an entity stands where it does on a day: the stream is followed to that day, and what was looked at is kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

import msgspec

from tidings.core import Document, Event, Evidence, Output, Sentence, UsageError
from tidings.following.changes.formats import is_day
from tidings.following.entities.event_days import DayEntity, EventDay
from tidings.following.entities.ranking import ExplainedEntity
from tidings.following.stream.loop import follow_stream
from tidings.following.systems.base import SystemBase
from tidings.following.systems.entities import EntityFollower, EntitySystem, RankedDay
from tidings.following.systems.registry import available_entities, make

_MOST_NAMED = 12  # days or entities in a message


def entity_system(spec: str) -> EntitySystem:
    """The system that ranks entities of this name and options.

    Raises:
        UsageError: there is none, or it does not rank entities.
    """
    known = available_entities()
    if spec.partition(":")[0].strip() not in known:
        raise UsageError(f"system {spec!r} (expected one of {', '.join(known)})")
    system = make(spec)
    assert isinstance(system, EntitySystem)
    return system


def explain_entity(
    documents: Iterable[Document], event: Event, day: str, name: str, system: str
) -> ExplainedEntity:
    """Why the entity stands where it does on the day, after all days before.

    Args:
        documents: as they come, in order of time.
        event: what is followed.
        day: YYYY-MM-DD, UTC.
        name: the entity's name, or any name by which the day's documents call it; capitals do not count.
        system: who ranks.

    Raises:
        UsageError: no such day, a day without news, or nobody of this name on it.
    """
    _check_date(day)
    probe = _Probe(system=entity_system(system), day=day)
    for _ in follow_stream(documents, [event], probe, interval_s=3600):
        if probe.ranked is not None:
            break
    if probe.ranked is None:
        near = ", ".join(probe.dates[-_MOST_NAMED:]) or "none"
        raise UsageError(f"no news about {event.id} on {day} (expected a day with news); the last: {near}")
    return _explain(probe, event, name)


def _check_date(day: str) -> None:
    if not is_day(day):
        raise UsageError(f"--day {day!r} (expected a date as 2013-07-25)")


class _Probe(SystemBase, frozen=True, kw_only=True):
    """The system, with a follower that keeps what it saw of one day."""

    name: ClassVar[str] = "probe"

    system: EntitySystem
    day: str
    days: list[RankedDay] = msgspec.field(default_factory=list)
    dates: list[str] = msgspec.field(default_factory=list)
    followers: list[EntityFollower] = msgspec.field(default_factory=list)

    @property
    def ranked(self) -> RankedDay | None:
        """The day, once it was ranked."""
        return self.days[0] if self.days else None

    def start(self, event: Event) -> _ProbeFollower:
        """A fresh follower."""
        follower = self.system.start(event)
        self.followers.append(follower)
        return _ProbeFollower(follower, self)


class _ProbeFollower:
    def __init__(self, inner: EntityFollower, probe: _Probe) -> None:
        self._inner, self._probe = inner, probe

    def push(self, sentences: Sequence[Sentence], now: int) -> Sequence[Output]:
        return self._look(self._inner.days_by(sentences, now))

    def finish(self, now: int) -> Sequence[Output]:
        return self._look(self._inner.last_days(now))

    def _look(self, days: Iterable[EventDay]) -> list[Output]:
        for day in days:
            if not self._probe.days:
                ranked = self._inner.rank(day)
                self._probe.dates.append(day.date)
                if day.date == self._probe.day:
                    self._probe.days.append(ranked)
        return []

    def state(self) -> bytes:
        return b""

    def restore(self, data: bytes) -> None:
        raise AssertionError("nothing is kept")


def _explain(probe: _Probe, event: Event, name: str) -> ExplainedEntity:
    assert probe.ranked is not None
    day, matrix, ranked = probe.ranked.day, probe.ranked.matrix, probe.ranked.ranked
    entity = _entity_named(day, name, [entity.id for entity in ranked])
    follower = probe.followers[0]
    given = follower.given(probe.ranked)
    among = given if any(ranked_entity.id == entity.id for ranked_entity in given) else ranked
    place = next(number for number, ranked_entity in enumerate(among) if ranked_entity.id == entity.id)
    contributions = follower.ranker.explain(day, matrix, entity.id)
    labels = dict.fromkeys(mention.label for mention in entity.mentions if mention.how == "name")
    return ExplainedEntity(
        event=event,
        date=day.date,
        name=entity.name,
        type=entity.type,
        labels=tuple(labels),
        place=place + 1,
        entities=len(among),
        documents=len(day.documents),
        score=among[place].score,
        is_asked_for=entity.in_query,
        is_given=among is given,
        contributions=tuple(contributions),
        sentences=tuple(_sentences(day, entity)),
    )


def _entity_named(day: EventDay, name: str, order: Sequence[int]) -> DayEntity:
    by_id = {entity.id: entity for entity in day.entities}
    wanted = " ".join(name.split()).casefold()
    for entities in (
        [by_id[place] for place in order if by_id[place].name.casefold() == wanted],
        [by_id[place] for place in order if wanted in {m.label.casefold() for m in by_id[place].mentions}],
    ):
        if entities:
            return entities[0]
    first = ", ".join(by_id[place].name for place in order[:_MOST_NAMED]) or "nobody"
    raise UsageError(f"no entity {name!r} on {day.date} (expected one of its names); the first: {first}")


def _sentences(day: EventDay, entity: DayEntity) -> Iterator[Evidence]:
    seen = set()
    for mention in entity.mentions:
        sentence = day.documents[mention.document].sentences[mention.sentence]
        if sentence.text not in seen:
            seen.add(sentence.text)
            yield Evidence.of(sentence)
