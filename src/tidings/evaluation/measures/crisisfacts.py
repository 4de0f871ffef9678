"""CrisisFACTS: comprehensiveness and redundancy of daily facts, in the meanings of 2022 and of 2023.

judgments ──prepare──▶ Prepared ──score(run)──▶ RunScores
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tidings.core import DAY_S, Event, Fact, FactRun, Judgments, Request, UsageError
from tidings.evaluation.measures.measure import Measure, read_infos
from tidings.evaluation.measures.run_scores import RunScores, UnknownEventError, assemble, closed_period

INFO = read_infos("crisisfacts")


def measures_of(year: str) -> tuple[Measure, ...]:
    """The measures of a year's rules.

    >>> measures_of("2023")
    (C-2023, redundancy-2023)
    """
    return tuple(Measure(name) for name in INFO if name.endswith(f"-{year}"))


_MOST_DAYS = 10_000  # more between two facts is a mistake in a file


def daily_requests(event: Event) -> list[Request]:
    """One request for each day (UTC) that an event touches: `<event>-r0`, `<event>-r1`, ...

    >>> [one.id for one in daily_requests(Event(id="e", title="", query="", start_time=86000, end_time=90000))]
    ['e-r0', 'e-r1']
    """
    start, end = closed_period(event, "a request for each day")
    first, last = start // DAY_S, end // DAY_S
    if last - first > _MOST_DAYS:
        raise UsageError(
            f"event {event.id} lasts {last - first:,} days; give it an end, or list its requests"
        )
    return [
        Request(f"{event.id}-r{number}", event.id, day * DAY_S, (day + 1) * DAY_S - 1)
        for number, day in enumerate(range(first, last + 1))
    ]


@dataclass(frozen=True, slots=True)
class _Counts:
    facts: int
    matched_facts: int
    matches: int
    submitted: int


@dataclass(frozen=True, slots=True)
class Prepared:
    """Facts made ready; scores any number of runs.

    Attributes:
        requests: all of them, by id.
        facts: request id to the update ids that say each of its facts; requests without facts are not scored.
    """

    requests: dict[str, Request]
    facts: dict[str, tuple[frozenset[str], ...]]

    def score(self, run: FactRun, measures: Sequence[Measure] | None = None) -> RunScores:
        """Score one run; a mean over an event's requests that have facts, then over events.

        `C-2022@k` and its siblings look at the k most important facts of each request (ties in file order).

        Raises:
            UnknownEventError: the run answers a request that there is none of.
        """
        wanted = tuple(map(Measure, INFO)) if measures is None else tuple(measures)
        answers: dict[str, list[Fact]] = {}
        for fact in run.facts:
            if fact.request_id not in self.requests:
                raise UnknownEventError(
                    fact.request_id,
                    f"run {run.name} answers request {fact.request_id} (expected one of "
                    f"{', '.join(list(self.requests)[:5])}, ...)",
                )
            answers.setdefault(fact.request_id, []).append(fact)
        sums: dict[str, dict[Measure, list[float]]] = {}
        for request_id in self.facts:
            event = sums.setdefault(self.requests[request_id].event_id, {})
            for measure, value in self._values(request_id, answers.get(request_id, []), wanted).items():
                event.setdefault(measure, []).append(value)
        answered = {self.requests[request_id].event_id for request_id in answers}
        per_event = {
            event_id: {
                measure: sum(values[measure]) / len(values[measure])
                for measure in wanted
                if measure in values
            }
            for event_id, values in sums.items()
        }
        return assemble(run.team, run.name, wanted, per_event, sorted(answered))

    def _values(self, request_id: str, answer: list[Fact], wanted: Iterable[Measure]) -> dict[Measure, float]:
        values = {}
        for measure in wanted:
            counts = self._count(request_id, answer, measure.at)
            value = _value(measure.name, counts)
            if value is not None:
                values[measure] = value
        return values

    def _count(self, request_id: str, answer: list[Fact], k: int | None) -> _Counts:
        taken = sorted(answer, key=lambda fact: -fact.importance)[:k]
        said = [frozenset((*fact.sources, fact.stream_id)) for fact in taken]
        matches = [sum(not stems.isdisjoint(updates) for stems in said) for updates in self.facts[request_id]]
        return _Counts(len(matches), sum(map(bool, matches)), sum(matches), len(taken))


def _value(name: str, counts: _Counts) -> float | None:
    if name in {"C-2022", "C-2023"}:
        return counts.matched_facts / counts.facts
    if name == "redundancy-2023":
        return counts.matched_facts / counts.submitted if counts.submitted else 0.0
    return 1.0 - counts.matched_facts / counts.matches if counts.matches else None


def prepare(judgments: Judgments, requests: Iterable[Request] | None = None) -> Prepared:
    """Make facts ready, once for many runs.

    A nugget is a fact of the request in whose period its time lies, and is covered by what lists as its source or
    stream id an update that matches it. Nuggets of importance 0 and below are no facts.

    Args:
        judgments: those with nuggets, matches and events.
        requests: what was asked; without, one for each day of each event.

    Raises:
        UsageError: no fact lies in any request.
    """
    if requests is None:
        requests = [request for event in judgments.events for request in daily_requests(event)]
    asked = {request.id: request for request in requests}
    updates: dict[tuple[str, str], set[str]] = {}
    for match in judgments.matches:
        updates.setdefault((match.event_id, match.nugget_id), set()).add(match.update_id)
    facts: dict[str, list[frozenset[str]]] = {}
    for request in asked.values():
        for nugget in judgments.nuggets:
            within = request.start_time <= nugget.time <= request.end_time
            if nugget.event_id == request.event_id and nugget.importance > 0 and within:
                said = frozenset(updates.get((nugget.event_id, nugget.id), ()))
                facts.setdefault(request.id, []).append(said)
    if not facts:
        raise UsageError(f"{judgments.name}: no nugget lies within any request")
    return Prepared(asked, {request_id: tuple(said) for request_id, said in facts.items()})
