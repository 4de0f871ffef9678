"""Modeled Stream Utility (2015): how many nuggets simulated readers learn, who look in now and then.

judgments ──prepare──▶ Prepared ──score(run)──▶ RunScores
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from random import Random

from tidings.core import Event, Judgments, Run, Update, UsageError, bare_event_id
from tidings.evaluation.measures.measure import Measure, read_infos
from tidings.evaluation.measures.run_scores import EventIds, RunScores, assemble, choose_values, closed_period

INFO = read_infos("msu")


@dataclass(frozen=True, slots=True)
class Population:
    """Where readers are drawn from; the defaults are the "reasonable users" of Baruah, Smucker and Clarke 2015.

    Attributes:
        users: how many.
        session_s, session_sd_s: mean and deviation, over readers, of a reader's mean length of a session (seconds).
        away_s, away_sd_s: the same for the time between sessions.
        speed_log, speed_log_sd: mean and deviation of the logarithm of reading speed (words a second).
        lateness: L, what a nugget is still worth for each session that could have shown it before (0 to 1).
        seed: the draw; equal seeds give equal readers on every machine.
    """

    users: int = 1000
    session_s: float = 120.0
    session_sd_s: float = 60.0
    away_s: float = 10800.0
    away_sd_s: float = 5400.0
    speed_log: float = 1.29
    speed_log_sd: float = 0.558
    lateness: float = 0.5
    seed: int = 1

    def check(self) -> None:
        """Raise UsageError for numbers that describe no readers."""
        if self.users < 1:
            raise UsageError(f"{self.users} users (expected 1 or more)")
        if not 0 <= self.lateness <= 1:
            raise UsageError(f"lateness {self.lateness} (expected 0 to 1)")
        for name in ("session_s", "away_s"):
            if not 0 < getattr(self, name) < math.inf:
                raise UsageError(f"{name} {getattr(self, name)} (expected seconds above 0)")
        for name in ("session_sd_s", "away_sd_s", "speed_log_sd"):
            if not 0 <= getattr(self, name) < math.inf:
                raise UsageError(f"{name} {getattr(self, name)} (expected 0 or more)")


@dataclass(frozen=True, slots=True)
class User:
    """One reader: mean seconds of a session, mean seconds away, words a second."""

    number: int
    session_s: float
    away_s: float
    speed: float


@dataclass(frozen=True, slots=True)
class Sessions:
    """When one reader looked in during one event: starts (seconds UTC) and lengths (seconds)."""

    starts: array[float]
    lengths: array[float]


def log_normal(mean: float, deviation: float) -> tuple[float, float]:
    """mu and sigma of the log-normal with these moments: sigma^2 = ln(1 + sd^2/m^2), mu = ln m - sigma^2/2.

    >>> mu, sigma = log_normal(120, 60)
    >>> round(math.exp(mu + sigma**2 / 2), 6)
    120.0
    """
    variance = math.log1p((deviation / mean) ** 2)
    return math.log(mean) - variance / 2, math.sqrt(variance)


def users(population: Population) -> list[User]:
    """The readers of a population; the first k of a larger one are those of a smaller one.

    >>> users(Population(users=3))[:2] == users(Population(users=2))
    True
    """
    population.check()
    drawn = []
    session = log_normal(population.session_s, population.session_sd_s)
    away = log_normal(population.away_s, population.away_sd_s)
    for number in range(population.users):
        draw = Random(f"{population.seed}/{number}")
        drawn.append(
            User(
                number,
                draw.lognormvariate(*session),
                draw.lognormvariate(*away),
                draw.lognormvariate(population.speed_log, population.speed_log_sd),
            )
        )
    return drawn


def sessions(user: User, start: int, end: int, seed: str) -> Sessions:
    """The reader's sessions from `start` to `end`: session first, then away, until a whole session no longer fits.

    Both lengths are exponential with the reader's means. `seed` names population and event, so that sessions do not
    depend on which other events or readers are looked at.
    """
    draw = Random(f"{seed}/{user.number}").random
    log = math.log
    starts, lengths = array("d"), array("d")
    now = float(start)
    while True:
        length = -log(1.0 - draw()) * user.session_s
        if now + length > end:
            return Sessions(starts, lengths)
        starts.append(now)
        lengths.append(length)
        now += length - log(1.0 - draw()) * user.away_s


@dataclass(frozen=True, slots=True)
class UpdateSequence:
    """A run on one event, oldest update first.

    Attributes:
        times: when each update came (seconds UTC).
        words: words before each update and, last, of all: words[i + 1] - words[i] is the length of update i.
        hits: the updates that cover nuggets, by number, rising.
        hit_nuggets: the nuggets of each of `hits`.
    """

    times: tuple[int, ...]
    words: tuple[int, ...]
    hits: tuple[int, ...]
    hit_nuggets: tuple[tuple[int, ...], ...]

    @staticmethod
    def of(updates: Sequence[tuple[int, int, tuple[int, ...]]]) -> UpdateSequence:
        """From (time, words, nuggets) of each update, in any order; those of one second keep theirs."""
        ordered = sorted(updates, key=lambda update: update[0])
        words = [0]
        for _, length, _ in ordered:
            words.append(words[-1] + max(1, length))
        telling = [(number, nuggets) for number, (_, _, nuggets) in enumerate(ordered) if nuggets]
        return UpdateSequence(
            tuple(time for time, _, _ in ordered),
            tuple(words),
            tuple(number for number, _ in telling),
            tuple(nuggets for _, nuggets in telling),
        )


@dataclass(frozen=True, slots=True)
class Read:
    """What a reader got: gain (nuggets, late ones weighing less), updates read, seconds spent reading them."""

    gain: float
    updates: int
    seconds: float


def read(
    timeline: UpdateSequence, sessions: Sessions, speed: float, nugget_times: Sequence[int], lateness: float
) -> Read:
    """Let a reader go through their sessions.

    At the start of a session the unread updates are read newest first, back to the newest one that was there at the
    last session that read any; an update that does not fit into what is left of the session ends it, and gives
    nothing. Each nugget counts once, as L^max(0, alpha): alpha counts the sessions between the nugget's time and this
    one, at which it could have been read.

    Newest first and back to a point is a stretch of the timeline, so it is found by bisection in the sum of words.
    """
    times, words, hits, hit_nuggets = timeline.times, timeline.words, timeline.hits, timeline.hit_nuggets
    starts, lengths = sessions.starts, sessions.lengths
    gain = seconds = 0.0
    updates = position = 0
    nuggets_read: set[int] = set()
    for number, start in enumerate(starts):
        newest = bisect_right(times, start, position)
        if newest == position:
            continue
        oldest = bisect_left(words, words[newest] - speed * lengths[number], position, newest)
        if oldest == newest:
            continue
        updates += newest - oldest
        seconds += (words[newest] - words[oldest]) / speed
        position = newest
        first = bisect_left(hits, oldest)
        for nuggets in hit_nuggets[first : bisect_left(hits, newest, first)]:
            for nugget in nuggets:
                if nugget not in nuggets_read:
                    nuggets_read.add(nugget)
                    late = number - bisect_right(starts, nugget_times[nugget])
                    gain += lateness**late if late > 0 else 1.0
    return Read(gain, updates, seconds)


LONGEST_S = 366 * 86400
"""The longest period that sessions are drawn for: a year."""


@dataclass(frozen=True, slots=True)
class PreparedEvent:
    """One event: its nuggets' times, which updates cover which of them, and how long updates are."""

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


@dataclass(frozen=True, slots=True)
class Prepared:
    """Judgments and readers made ready; scores any number of runs."""

    population: Population
    events: dict[str, PreparedEvent]
    listed: tuple[str, ...]
    readers: list[User]
    _sessions: dict[str, list[Sessions]] = field(default_factory=dict)

    @property
    def ids(self) -> EventIds:
        """The events that runs may cover."""
        return EventIds((*self.listed, *self.events))

    def score(self, run: Run, measures: Sequence[Measure] | None = None) -> RunScores:
        """Score one run; means go over all events that have nuggets.

        Raises:
            UnknownEventError: the run has an event that the judgments do not list.
        """
        wanted = tuple(map(Measure, INFO)) if measures is None else tuple(measures)
        updates = self.ids.split(run, run.updates)
        per_event = {
            event_id: choose_values(self._values(event_id, updates.get(event_id, [])), wanted)
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
    covers what that one covers.

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
        raise UsageError(f"{judgments.name}: no nuggets, so nothing can be scored")
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
        event_id: {key: tuple(numbers) for key, numbers in by_id.items()}
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
