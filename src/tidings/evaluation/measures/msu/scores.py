"""Runs read by a population of simulated readers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from tidings.core import Event, Judgments, Run, Update, UsageError, bare_event_id
from tidings.evaluation.measures.ids import EventIds
from tidings.evaluation.measures.measure import Measure
from tidings.evaluation.measures.msu.info import INFO
from tidings.evaluation.measures.msu.reading import UpdateSequence, read
from tidings.evaluation.measures.msu.users import Population, Sessions, User, sessions, users
from tidings.evaluation.measures.periods import closed_period
from tidings.evaluation.measures.scores import RunScores, assemble, chosen

__all__ = ["Prepared", "PreparedEvent", "prepare"]

LONGEST_S = 366 * 86400
"""The longest period that sessions are drawn for: a year."""


@dataclass(slots=True)
class PreparedEvent:
    """One event: its nuggets' times, which updates tell which of them, and how long updates are."""

    about: Event
    nugget_times: list[int]
    nuggets_by_update: dict[str, tuple[int, ...]]
    words: dict[str, int]
    mean_words: int

    def timeline(self, updates: Sequence[Update]) -> UpdateSequence:
        """A run on this event. A repeated update is one more to read."""
        rows = []
        for update in updates:
            length = self.words.get(update.id)
            if length is None:
                length = _words(update.text) if update.text else self.mean_words
            rows.append((update.time, length, self.nuggets_by_update.get(update.id, ())))
        return UpdateSequence.of(rows)


@dataclass(slots=True)
class Prepared:
    """Judgments and readers made ready; scores any number of runs."""

    population: Population
    events: dict[str, PreparedEvent]
    listed: tuple[str, ...]
    readers: list[User]
    _sessions: dict[str, list[Sessions]] = field(default_factory=dict)

    @property
    def ids(self) -> EventIds:
        """The events that runs may tell of."""
        return EventIds((*self.listed, *self.events))

    def score(self, run: Run, measures: Sequence[Measure] | None = None) -> RunScores:
        """Score one run; means go over all events that have nuggets.

        Raises:
            UnknownEventError: the run tells of an event that the judgments do not list.
        """
        wanted = tuple(map(Measure, INFO)) if measures is None else tuple(measures)
        updates = self.ids.split(run, run.updates)
        per_event = {
            event_id: chosen(self._values(event_id, updates.get(event_id, [])), wanted)
            for event_id in self.events
        }
        return assemble(run.team, run.name, wanted, per_event, updates)

    def sessions(self, event_id: str) -> list[Sessions]:
        """When each reader looked in during an event; drawn when first asked for."""
        if event_id not in self._sessions:
            about = self.events[event_id].about
            seed = f"{self.population.seed}/{bare_event_id(event_id)}"
            start, end = closed_period(about, "a reader's visits")
            self._sessions[event_id] = [sessions(reader, start, end, seed) for reader in self.readers]
        return self._sessions[event_id]

    def _values(self, event_id: str, updates: Sequence[Update]) -> dict[str, float]:
        if not updates:
            return dict.fromkeys(INFO, 0.0)
        event = self.events[event_id]
        timeline = event.timeline(updates)
        gain = seconds = 0.0
        count = 0
        for reader, looked_in in zip(self.readers, self.sessions(event_id), strict=True):
            got = read(timeline, looked_in, reader.speed, event.nugget_times, self.population.lateness)
            gain += got.gain
            count += got.updates
            seconds += got.seconds
        mean = gain / len(self.readers)
        return {
            "MSU": mean,
            "MSU/read": gain / count if count else 0.0,
            "MSU/update": mean / len(updates),
            "MSU/second": gain / seconds if seconds else 0.0,
        }


def prepare(judgments: Judgments, population: Population | None = None) -> Prepared:
    """Make judgments and readers ready, once for many runs.

    A nugget of importance 0 or below does not count; all others count the same. A pooled update that copies another
    tells what that one tells.

    Raises:
        UsageError: no nuggets, no period of an event (or one of more than a year), or impossible readers.
    """
    population = population or Population()
    readers = users(population)
    about = {event.id: event for event in judgments.events}
    nuggets: dict[str, dict[str, int]] = {}
    times: dict[str, list[int]] = {}
    for nugget in judgments.nuggets:
        if nugget.importance > 0:
            numbers = nuggets.setdefault(nugget.event_id, {})
            numbers[nugget.id] = len(numbers)
            times.setdefault(nugget.event_id, []).append(nugget.time)
    if not nuggets:
        raise UsageError(
            f"{judgments.name}: found no nuggets, expected some; nothing can be scored without them"
        )
    for event_id in nuggets:
        event = about.get(event_id)
        start, end = (event.start_time, event.end_time) if event else (None, None)
        if start is None or end is None or not 0 <= end - start <= LONGEST_S:
            raise UsageError(
                f"{judgments.name}: readers look in from an event's start to its end, and event {event_id} has no such "
                "period; give it one in the topics (or event.json)"
            )
    matched: dict[str, dict[str, dict[int, None]]] = {event_id: {} for event_id in nuggets}
    for match in judgments.matches:
        number = nuggets.get(match.event_id, {}).get(match.nugget_id)
        if number is not None:
            matched[match.event_id].setdefault(match.update_id, {})[number] = None
    words: dict[str, dict[str, int]] = {event_id: {} for event_id in nuggets}
    copies: list[tuple[str, str, str]] = []
    for row in judgments.pool:
        if row.event_id in words:
            words[row.event_id][row.id] = _words(row.text)
            if row.duplicate_of:
                copies.append((row.event_id, row.id, row.duplicate_of))
    nuggets_by_update = {
        event_id: {one: tuple(numbers) for one, numbers in by_id.items()}
        for event_id, by_id in matched.items()
    }
    for event_id, copy, judged_id in copies:
        if judged_id in words[event_id]:
            nuggets_by_update[event_id][copy] = tuple(matched[event_id].get(judged_id, ()))
    events = {
        event_id: PreparedEvent(
            about[event_id],
            times[event_id],
            nuggets_by_update[event_id],
            words[event_id],
            _mean(words[event_id].values()),
        )
        for event_id in nuggets
    }
    return Prepared(population, events, tuple(about), readers)


def _words(text: str) -> int:
    return text.count(" ") + 1


def _mean(lengths: Collection[int]) -> int:
    return max(1, round(sum(lengths) / len(lengths))) if lengths else 20
