"""From a stream of sentences of one event to its days: `EventDays`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import groupby

import msgspec

from tidings.core import Event, Sentence
from tidings.following.entities.days.book import EntityBook
from tidings.following.entities.days.collecting import EventWords, OpenDay
from tidings.following.entities.days.listing import in_day
from tidings.following.entities.days.naming import NameFinder, named_in
from tidings.following.entities.days.remembered import Remembered
from tidings.following.entities.days.retrieval import Statistics, expansion_terms
from tidings.following.entities.event_days import DayDocument, EntityMention, EventDay

__all__ = ["DOCUMENTS_OF_A_DAY", "SENTENCES_OF_A_DAY", "EventDays"]

DOCUMENTS_OF_A_DAY = 10
"""Documents of a day whose entities are looked for, as in the paper."""
SENTENCES_OF_A_DAY = 250
"""Sentences that ten articles hold: where the best documents hold fewer, as in a pool, more of them are looked at."""


_VERSION = 1


class _State(msgspec.Struct, array_like=True):
    version: int
    day: OpenDay | None
    seen: Statistics
    entities: list[Remembered]
    order: list[tuple[int, str]]
    next_id: int


class EventDays:
    """Builds the days of an event as its sentences come in.

    A day (UTC) is closed when the time has passed into the next one. A day without a document about the event is none.
    Nothing in a day's record comes from after its end; who continues from `state()` goes on as if undisturbed.

    Args:
        event: whose title and query say what documents are about.
        documents: how many of a day's documents are looked at, the best.
        sentences: and how many more, until they hold so many different sentences; 0: none.
        finder: who finds names; the recogniser that comes with tidings unless given.
        language: of the stems, as Snowball names it.

    >>> event = Event(id="1", title="Ferry fire", query="ferry fire")
    >>> days = EventDays(event)
    >>> said = [Sentence("a", 0, "A ferry caught fire off Genoa, said Maria Rossi.", 60)]
    >>> days.add(said, 60)
    []
    >>> [day] = days.add([], 90_000)
    >>> day.date, [(one.id, one.name, one.type) for one in day.entities]
    ('1970-01-01', [(1, 'Maria Rossi', 'PER'), (2, 'Genoa', 'LOC')])
    """

    def __init__(
        self,
        event: Event,
        *,
        documents: int = DOCUMENTS_OF_A_DAY,
        sentences: int = SENTENCES_OF_A_DAY,
        finder: NameFinder | None = None,
        language: str = "english",
    ) -> None:
        self._documents, self._sentences = documents, sentences
        self._finder = finder
        self._words = EventWords(event, language)
        self._day: OpenDay | None = None
        self._seen = Statistics()
        self._book = EntityBook()

    def add(self, sentences: Sequence[Sentence], now: int) -> list[EventDay]:
        """Add what was published up to `now` (seconds UTC), which never falls; the days that have ended by then.

        Sentences of a day that was closed before count as of the day that is open.
        """
        closed: list[EventDay] = []
        for (date, _), own in groupby(sentences, key=lambda one: (_date(one.published_time), one.doc_id)):
            if self._day is not None and date > self._day.date:
                closed += self._close(now)
            if self._day is None:
                self._day = OpenDay(date)
            self._day.add(list(own), self._words, self._seen)
        if self._day is not None and self._day.date < _date(now):
            closed += self._close(now)
        return closed

    def finish(self, now: int) -> list[EventDay]:
        """The day that is open, closed now, where it has news."""
        return self._close(now)

    def _close(self, now: int) -> list[EventDay]:
        day, self._day = self._day, None
        if day is None or not day.count:
            return []
        best = day.best(self._documents, self._sentences, self._words, self._seen)
        sentences = [sorted(one.sentences, key=lambda sentence: sentence.index) for one, _ in best]
        query = f"{self._words.event.title} {self._words.event.query}"
        kept = frozenset(query.lower().split())
        tokens, named = named_in(sentences, self._name_finder(), self._words.analyzer, kept, self._book)
        ids = self._book.place([one for one, _ in named], day.date)
        mentions: dict[int, list[EntityMention]] = {}
        for number, (_, own) in zip(ids, named, strict=True):
            mentions.setdefault(number, []).extend(own)
        total = sum(score for _, score in best)
        documents = tuple(
            DayDocument(tuple(own), texts, score / total if total else 1 / len(best))
            for own, texts, (_, score) in zip(sentences, tokens, best, strict=True)
        )
        entities = in_day(self._book, mentions, query)
        self._book.forget()
        frequencies = [one.frequencies for one, _ in best[: self._documents]]
        expansion = tuple(expansion_terms(frequencies, self._seen, self._words.stems))
        return [EventDay(day.date, now, documents, entities, day.count, expansion)]

    def _name_finder(self) -> NameFinder:
        if self._finder is None:
            from tidings.analysis import shipped_recogniser

            self._finder = shipped_recogniser()
        return self._finder

    def state(self) -> bytes:
        """Everything remembered, as msgpack."""
        book = self._book
        entities = list(book.entities.values())
        return msgspec.msgpack.encode(
            _State(_VERSION, self._day, self._seen, entities, book.order, book.next_id)
        )

    def restore(self, data: bytes) -> None:
        """Become the builder whose `state()` gave `data`.

        Raises:
            ValueError: it is no state of a builder of days.
        """
        try:
            state = msgspec.msgpack.decode(data, type=_State)
        except msgspec.MsgspecError as error:
            raise ValueError(f"found no state of a builder of days ({error})") from None
        if state.version != _VERSION:
            raise ValueError(f"found a state of version {state.version}, expected {_VERSION}")
        self._day, self._seen = state.day, state.seen
        self._book.restore(state.entities, state.order, state.next_id)


def _date(time: int) -> str:
    return datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%d")
