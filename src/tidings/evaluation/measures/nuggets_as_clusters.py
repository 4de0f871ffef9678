"""Nuggets taken as clusters: the measures of real-time summarization on events judged by nuggets.

Papers have reported EG-1, nCG-1, gain minus pain and latency "on TREC TS", whose judges matched sentences with nuggets
and made no clusters. Here every nugget becomes the cluster of the sentences that cover it, and the family `rts` scores
as it scores tweets:

- a sentence that matches a nugget of importance 1 earns 0.5, one of importance 2 or 3 earns 1.0, others nothing;
- a tweet is of one cluster only, so a sentence that matches several nuggets goes to one of them: the most important
  (ties: the earliest to be known, then the order of the judgments). This is the rule `highest-grade` of
  `tidings.evaluation.measures.projection`, without lots. Nuggets that are no sentence's choice are no clusters;
- an exact copy of a judged sentence is judged as that sentence is;
- the day of a sentence is that of its publishing (UTC); an event lasts from the day it starts to the day it ends;
- an update is one sentence; at most ten a day count in the guidelines' mode.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from tidings.core import Cluster, Judgments, Run, Update, UsageError
from tidings.evaluation.formats.tweets import TweetJudgments
from tidings.evaluation.measures import projection
from tidings.evaluation.measures.measure import Measure, MeasureInfo
from tidings.evaluation.measures.projection import Candidate
from tidings.evaluation.measures.rts import (
    PreparedTweets as PreparedDays,
    TopicDays,
    prepare as prepare_days,
    run_values,
)
from tidings.evaluation.measures.rts_rules import INFO as RTS_INFO, Mode, Rules
from tidings.evaluation.measures.run_scores import EventIds, RunScores, assemble, choose_values, closed_period
from tidings.evaluation.measures.trec_ts.prepared import PreparedEvent, prepare_events
from tidings.evaluation.measures.trec_ts.rules import RULES

INFO: dict[str, MeasureInfo] = {
    name: info
    for name, info in RTS_INFO.items()
    if name.startswith(("EG-", "nCG-", "GMP@", "latency_")) or name == "pushes"
}
"""The measures of `rts` that are computed here; names, formulas and ranges are theirs."""

MEASURES = tuple(map(Measure, ("EG-0", "nCG-0", "EG-1", "nCG-1", "GMP@.5", "latency_mean", "pushes")))
"""Those of the papers' tables, in their order."""

_LONGEST = 4_000
"""Days of the longest event."""

_EPOCH = re.compile(r"^(\d{9,10})-")


def choose(event: PreparedEvent, nuggets: Iterable[int]) -> int | None:
    """Which of several nuggets (numbers into `event.nuggets`) stands for a sentence; None where none is of importance.

    The most important; of these the earliest to be known; of these the first in the judgments.
    """
    important = sorted({number for number in nuggets if event.nuggets[number].importance > 0})
    candidates = [Candidate(n, event.nuggets[n].importance, event.times[n]) for n in important]
    chosen_one = projection.choose("highest-grade", candidates)
    return None if chosen_one is None else chosen_one.nugget


def judged_sentences(event: PreparedEvent, published: Callable[[str], int]) -> TweetJudgments:
    """The judged sentences of an event as tweets, their nuggets as clusters.

    `published` gives the second in which a sentence of this id was published.
    """
    times = {sentence: published(sentence) for sentence in event.texts}
    grades = dict.fromkeys(times, 0)
    clusters: dict[int, list[str]] = {}
    for sentence in sorted(times, key=times.__getitem__):
        judged_id, _ = event.texts[sentence]
        number = choose(event, (span[0] for span in event.spans(judged_id)))
        if number is not None:
            grades[sentence] = min(event.nuggets[number].importance, 2)
            clusters.setdefault(number, []).append(sentence)
    return TweetJudgments(
        name=event.id,
        grades={event.id: grades},
        clusters=tuple(
            Cluster(event.id, event.nuggets[number].id, tuple(sentences), event.nuggets[number].text)
            for number, sentences in sorted(clusters.items())
        ),
        days={sentence: f"{_date(time):%Y%m%d}" for sentence, time in times.items()},
        times=times,
    )


def prepare_event(
    event: PreparedEvent, published: Callable[[str], int], mode: Mode = "official"
) -> PreparedDays:
    """One event ready to be scored day by day, each sentence under its update id."""
    sentences = judged_sentences(event, published)
    if event.event is not None:
        first, last = map(_date, closed_period(event.event, "scoring day by day"))
    else:
        first, last = (_date(pick(sentences.times.values())) for pick in (min, max))
    if not 0 <= (last - first).days < _LONGEST:
        raise UsageError(
            f"event {event.id}: a period from {first} to {last} (expected one of 1 to {_LONGEST} days); "
            "correct its start_time and end_time"
        )
    rules = Rules(
        "nuggets-as-clusters", "push", f"{first:%Y%m%d}", (last - first).days + 1, tuple(map(str, MEASURES))
    )
    return prepare_days(sentences, rules, mode)


@dataclass(slots=True)
class Prepared:
    """Judgments made ready: for each event those of its days; scores any number of runs."""

    events: dict[str, PreparedDays]
    listed: tuple[str, ...]
    ids: EventIds = field(init=False)

    def __post_init__(self) -> None:
        """Know the events by every id that runs may write."""
        self.ids = EventIds((*self.listed, *self.events))

    def score(self, run: Run, measures: Sequence[Measure] | None = None) -> RunScores:
        """Score one run; a run without updates scores too, for it was right about silent days.

        Means go over all events, each counting the same however many days it has. Latencies are averaged over all
        updates of the run that earned something, and `pushes` are summed, as `rts` does.

        Raises:
            UnknownEventError: the run has an event that the judgments do not list.
        """
        wanted = MEASURES if measures is None else tuple(measures)
        updates = self.ids.split(run, run.updates)
        outcomes = {event_id: self.explain(event_id, updates.get(event_id, ())) for event_id in self.events}
        return assemble(
            run.team,
            run.name,
            wanted,
            {event_id: choose_values(outcome.values, wanted) for event_id, outcome in outcomes.items()},
            updates,
            overall=choose_values(run_values(outcomes.values()), wanted),
        )

    def explain(self, event_id: str, updates: Sequence[Update]) -> TopicDays:
        """What these updates earned on one event, day by day."""
        return score_days(self.events[event_id], updates)


def score_days(prepared: PreparedDays, updates: Sequence[Update]) -> TopicDays:
    """What updates earn on the one event that `prepared` holds, day by day.

    They are taken in the order of their times; `values` has each measure by its name.
    """
    (event_id,) = prepared.topics
    ordered = sorted(updates, key=lambda update: update.time)
    pushes = [Update(event_id, update.id, 0, update.time) for update in ordered]
    return prepared.explain(Run("", "", pushes), event_id)


def prepare(judgments: Judgments, mode: Mode = "official") -> Prepared:
    """Make judgments ready: every event that has nuggets and judged sentences.

    Nuggets of no importance are left out, as by the track's rules of 2014; matches are those of the official
    assessment.

    Raises:
        UsageError: there is no such event, or it is not known when a sentence was published.
    """
    rules = replace(RULES["trec-2014"], assessments=RULES["trec-2013"].assessments)
    published = {update.id: update.published_time for update in judgments.pool if update.published_time}
    events = {
        event_id: prepare_event(
            event, lambda update_id: published.get(update_id) or published_time(update_id), mode
        )
        for event_id, event in prepare_events(judgments, rules).items()
        if event.texts
    }
    if not events:
        raise UsageError(f"{judgments.name}: no event has nuggets and judged sentences")
    return Prepared(events, tuple(event.id for event in judgments.events))


def published_time(sentence: str) -> int:
    """When a sentence was published, from its id: TREC's documents are named `seconds-hash`.

    >>> published_time("1326502200-8b5e-3")
    1326502200

    Raises:
        UsageError: the id does not say.
    """
    match = _EPOCH.match(sentence)
    if match is None:
        raise UsageError(
            f"nothing says when sentence {sentence!r} was published; give a pool that does, or documents named "
            "seconds-hash as TREC's are"
        )
    return int(match[1])


def _date(time: int) -> datetime.date:
    try:
        return datetime.datetime.fromtimestamp(time, datetime.UTC).date()
    except (OverflowError, ValueError, OSError):
        raise UsageError(f"time {time} (expected seconds since 1970 (UTC))") from None
