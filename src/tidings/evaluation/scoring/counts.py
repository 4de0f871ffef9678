"""How many outputs of a run the judgments know, how many are repeated, and how many have an impossible time.

None of it changes a score: the official scripts score a run of other ids, of doubled lines or of shifted times as it
stands. It is counted so that whoever reads the scores sees that something went wrong.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Container, Hashable, Iterable, Mapping
from itertools import compress
from operator import gt
from typing import TYPE_CHECKING

from tidings.core import DAY_S, UpdateColumns
from tidings.evaluation.measures.run_scores import EventIds, RunCounts
from tidings.evaluation.measures.trec_ts.prepared import EventUpdates, by_event

if TYPE_CHECKING:
    from tidings.core import DailyTimeline, Event, FactRun, Judgments, RankingRun, Request, Run, ValueRun

Period = tuple[float, float]
"""The first and last second in which an output of an event may be decided."""

_ALWAYS = (float("-inf"), float("inf"))
_EPOCH = re.compile(r"([0-9]{9,10})-")
_EPOCH_DIGITS = 10
"""Digits of a time from 2001 to 2286 in seconds."""


def periods_of(events: Iterable[Event]) -> dict[str, Period]:
    """The period of each event, a day longer at both ends: systems round, and finish late.

    >>> from tidings.core.records import Event
    >>> periods_of([Event(id="e", title="", query="", start_time=100000, end_time=200000)])
    {'e': (13600, 286400)}
    """
    return {
        event.id: (
            _ALWAYS[0] if event.start_time is None else event.start_time - DAY_S,
            _ALWAYS[1] if event.end_time is None else event.end_time + DAY_S,
        )
        for event in events
    }


def published_times(judgments: Judgments) -> dict[str, int]:
    """When each judged update's document was published, where the judgments say so themselves."""
    return {update.id: update.published_time for update in judgments.pool if update.published_time}


def updates_counter(judged: Judgments, events: Iterable[str], ids: EventIds) -> Callable[[Run], RunCounts]:
    """Counts the updates of a run against the pool of judgments, on those of their events that are scored."""
    pooled: dict[str, set[str]] = {event_id: set() for event_id in events}
    for update in judged.pool:
        if update.event_id in pooled:
            pooled[update.event_id].add(update.id)
    periods, published = periods_of(judged.events), published_times(judged)
    return lambda run: count_updates(run, ids, pooled, periods, published)


def count_updates(
    run: Run,
    ids: EventIds,
    pooled: Mapping[str, Collection[str]],
    periods: Mapping[str, Period],
    published: Mapping[str, int] | None = None,
) -> RunCounts:
    """What is to be known of a run of updates.

    Args:
        run: its updates, of events that are listed.
        ids: the events that are listed.
        pooled: the ids of the updates that the judgments know, for each judged event.
        periods: when updates of each event may be decided.
        published: when documents were published, by update id. An id that begins with its document's time, as TREC's
            do (`1329910440-...`), says so itself.

    >>> from tidings.core.records import Run, Update
    >>> run = Run("us", "one", (Update("1", "1329910440-ab", 0, 5), Update("1", "x", 0, 60), Update("1", "x", 0, 60)))
    >>> counts = count_updates(run, EventIds(["1"]), {"1": {"x-0"}}, {"1": (0, 99)})
    >>> counts.outputs, counts.judged, counts.repeated, counts.early, counts.outside
    (3, 2, 1, 1, 0)
    """
    judged = repeated = early = outside = left_out = 0
    unmatched: list[str] = []
    for written, updates in by_event(run).items():
        event_id = ids.find(written)
        pool = pooled.get(event_id) if event_id is not None else None
        if event_id is None or pool is None:
            left_out += len(updates)
            continue
        matched, again = _count_ids(updates.ids, pool)
        judged += matched
        repeated += again
        if not matched:
            unmatched.append(event_id)
        too_early, misplaced = _count_times(updates, periods.get(event_id, _ALWAYS), published or {})
        early += too_early
        outside += misplaced
    return RunCounts(
        len(run.updates),
        judged,
        repeated,
        early,
        outside,
        left_out,
        unmatched=tuple(unmatched) if judged else (),
    )


def _count_ids(ids: list[str], pool: Collection[str]) -> tuple[int, int]:
    """How many of the ids are in the pool, and how many different ones come more than once."""
    distinct = set(ids)
    few, many = (pool, distinct) if len(pool) < len(distinct) else (distinct, pool)
    matched = sum(map(many.__contains__, few))
    if len(distinct) == len(ids):
        return matched, 0
    seen: set[str] = set()
    see = seen.add
    again = [key for key in ids if key in seen or see(key)]
    return matched + sum(map(pool.__contains__, again)), len(set(again))


def _count_times(updates: EventUpdates, period: Period, published: Mapping[str, int]) -> tuple[int, int]:
    """How many updates were decided before their document existed, and how many outside a period.

    Times are compared as they are written, so that a run of a hundred thousand lines is not taken apart for this.
    """
    ids, times = updates.ids, updates.written_times()
    decided = {text: int(text) for text in set(times)}
    misplaced = {text for text, time in decided.items() if not period[0] <= time <= period[1]}
    outside = sum(map(misplaced.__contains__, times)) if misplaced else 0
    suspects: Iterable[tuple[str, str]] = zip(ids, times, strict=True)
    if not published and all(len(text) == _EPOCH_DIGITS for text in decided):
        suspects = [
            (key, time) for key, time in compress(suspects, map(gt, ids, times)) if key[:_EPOCH_DIGITS] > time
        ]
    early = sum(_first_time(key, published) > decided[time] for key, time in suspects)
    if not early and not isinstance(updates.source, UpdateColumns):
        emitted = (updates.source[position] for position in updates.positions)
        early = sum(update.published_time > update.time for update in emitted)
    return early, outside


def _first_time(update_id: str, published: Mapping[str, int]) -> int:
    time = published.get(update_id)
    if time is not None:
        return time
    epoch = _EPOCH.match(update_id)
    return int(epoch[1]) if epoch else 0


def _count_repeated(items: Iterable[Hashable]) -> int:
    return sum(count > 1 for count in Counter(items).values())


def count_tweets(
    run: Run,
    topics: Mapping[str, Container[str]],
    period: Period = _ALWAYS,
    posted: Mapping[str, int] | None = None,
    shift_s: int = 0,
) -> RunCounts:
    """What is to be known of a run of tweets.

    Args:
        run: its pushes, digests or timelines.
        topics: the judged tweets of each judged topic.
        period: the days of the evaluation.
        posted: when tweets were posted, where they are pushed at a time.
        shift_s: how far the clock of the pushes ran behind.
    """
    posted_times, (first, last) = posted or {}, period
    judged = early = outside = left_out = 0
    for update in run.updates:
        tweets = topics.get(update.event_id)
        if tweets is None:
            left_out += 1
            continue
        judged += update.doc_id in tweets
        early += update.time + shift_s < posted_times.get(update.doc_id, 0)
        outside += not first <= update.time <= last
    repeated = _count_repeated(
        (update.event_id, update.doc_id) for update in run.updates if update.event_id in topics
    )
    return RunCounts(
        len(run.updates), judged, repeated, early, outside, left_out, "tweets", "are judged",
        "were pushed before they were posted", "are outside the days of the evaluation",
    )  # fmt: skip


def count_values(
    run: ValueRun, ids: EventIds, targets: Mapping[str, Container[str]], periods: Mapping[str, Period]
) -> RunCounts:
    """What is to be known of a run of values; `targets` are the attributes of each event that there are targets for."""
    judged = early = outside = left_out = 0
    found = {written: ids.find(written) for written in {update.event_id for update in run.updates}}
    for update in run.updates:
        event_id = found[update.event_id] or ""
        if event_id not in targets:
            left_out += 1
            continue
        attribute = "location" if update.attribute == "locations" else update.attribute
        judged += attribute in targets[event_id]
        early += _first_time(f"{update.doc_id}-", {}) > update.time
        first, last = periods.get(event_id, _ALWAYS)
        outside += not first <= update.time <= last
    repeated = _count_repeated(
        (update.event_id, update.time, update.attribute, update.value, update.doc_id, update.sentence_index)
        for update in run.updates
    )
    return RunCounts(
        len(run.updates), judged, repeated, early, outside, left_out, "values", "are of what there are targets for"
    )  # fmt: skip


def count_facts(
    run: FactRun, requests: Mapping[str, Request], judged_ids: Mapping[str, Collection[str]]
) -> RunCounts:
    """What is to be known of a run of daily facts; `judged_ids` are the items that the judgments of an event know."""
    judged = outside = left_out = 0
    for fact in run.facts:
        request = requests.get(fact.request_id)
        if request is None or request.event_id not in judged_ids:
            left_out += 1
            continue
        items = judged_ids[request.event_id]
        judged += any(source in items for source in (*fact.sources, fact.stream_id))
        outside += not request.start_time <= fact.time <= request.end_time
    repeated = _count_repeated(
        (fact.request_id, fact.text, fact.sources, fact.stream_id) for fact in run.facts
    )
    return RunCounts(
        len(run.facts), judged, repeated, 0, outside, left_out, "facts", "rest on judged items",
        outside_words="have a time outside the request that they answer",
    )  # fmt: skip


def count_entities(
    run: RankingRun,
    find: Callable[[str], str | None],
    entity: Callable[[str, str], str],
    grades: Mapping[tuple[str, str], Container[str]],
) -> RunCounts:
    """What is to be known of a run of rankings: entities, each on its day."""
    outputs = judged = repeated = left_out = 0
    for ranking in run.rankings:
        event_id = find(ranking.event_id) or ""
        outputs += len(ranking.entities)
        graded = grades.get((event_id, ranking.date))
        if graded is None:
            left_out += len(ranking.entities)
            continue
        names = [entity(event_id, name) for name in ranking.entities]
        judged += sum(name in graded for name in names)
        repeated += _count_repeated(names)
    return RunCounts(outputs, judged, repeated, 0, 0, left_out, "entities", "are graded on their day")


def count_sentences(timelines: Iterable[tuple[DailyTimeline, Container[str]]]) -> RunCounts:
    """What is to be known of a run of timelines, each with the days of its topic's references."""
    outputs = judged = repeated = 0
    for timeline, days in timelines:
        emitted = [(day.date, sentence) for day in timeline.days for sentence in day.sentences]
        outputs += len(emitted)
        judged += sum(date in days for date, _ in emitted)
        repeated += _count_repeated(emitted)
    return RunCounts(outputs, judged, repeated, 0, 0, 0, "sentences", "are on a day of a reference")
