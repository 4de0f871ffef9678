"""Scores of whole runs: each topic by itself, then precision and recall averaged, and F1 of the averages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from tidings.core import DailyTimeline, UsageError, bare_event_id
from tidings.evaluation.measures.measure import Measure
from tidings.evaluation.measures.scores import RunScores, UnknownEventError, assemble, chosen
from tidings.evaluation.measures.tls.info import MEASURES, PARTS
from tidings.evaluation.measures.tls.rules import Rules, named
from tidings.evaluation.measures.tls.topic import Comparison, Topic, f_score

__all__ = ["Prepared", "prepare"]


@dataclass(frozen=True, slots=True)
class Prepared:
    """Topics with their references, against which any number of runs can be scored."""

    rules: Rules
    topics: dict[str, Topic]
    _parts: dict[str, tuple[str, ...]]

    def score(
        self,
        timelines: Mapping[str, DailyTimeline],
        measures: Sequence[Measure] = MEASURES,
        *,
        team: str = "",
        run: str = "",
        mean: Literal["own", "all"] = "own",
    ) -> RunScores:
        """Score one run, which has a timeline for each topic (or for some).

        The means of F1 measures are F1 of the mean precision and the mean recall, as both tilse and news-tls take them.
        A topic that the run is silent on scores 0; it counts in the means when `mean` is "all".

        A timeline for a topic without reference is left out (`unjudged`).

        Raises:
            UnknownEventError: none of the run's timelines is for a topic that has a reference.
        """
        timelines_of = {
            topic: timeline for name, timeline in timelines.items() for topic in self.topics_of(name)
        }
        unjudged = tuple(name for name in timelines if not self.topics_of(name))
        if unjudged and not timelines_of:
            listed = ", ".join(self.names[:8]) + (", ..." if len(self.names) > 8 else "")
            message = f"no reference timeline for topic {unjudged[0]!r}; there are some for {listed}"
            raise UnknownEventError(unjudged[0], message)
        per_event = {
            name: _topic_scores(topic, timelines_of.get(name), measures)
            for name, topic in self.topics.items()
        }
        over = tuple(name for name in self.topics if mean == "all" or name in timelines_of)
        return assemble(
            team,
            run,
            measures,
            {name: chosen(values, measures) for name, values in per_event.items()},
            [*timelines_of, *unjudged],
            over=over.__contains__,
            overall=_overall([per_event[name] for name in over], measures),
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The topics as they were given: with rules `tls-each` those before the slash."""
        return tuple(self._parts)

    def topics_of(self, name: str) -> tuple[str, ...]:
        """The topics that a timeline of this name answers; none where it has no reference."""
        if name in self.topics:
            return (name,)
        bare = (parts for given, parts in self._parts.items() if bare_event_id(given) == bare_event_id(name))
        return self._parts.get(name) or next(bare, ())


def prepare(topics: Mapping[str, Iterable[DailyTimeline]], rules: Rules | None = None) -> Prepared:
    """Make the reference timelines of one topic or several ready for scoring.

    With rules `tls-each` every reference becomes a topic of its own, `topic/reference`, as news-tls scores; a timeline
    for `topic` then answers all of them.

    Raises:
        UsageError: no topic, a topic without reference, or a reference without days.

    >>> from tidings.core.records import TimelineDay
    >>> ours = DailyTimeline("ours", (TimelineDay("2010-04-22", ("The rig sinks .",)),))
    >>> theirs = DailyTimeline("theirs", (TimelineDay("2010-04-23", ("Rig sank , oil leaks",)),))
    >>> scores = prepare({"oil": [theirs]}).score({"oil": ours}, [Measure("R1-align+m1-P"), Measure("date-F")])
    >>> scores.per_event
    {'oil': {R1-align+m1-P: 0.5, date-F: 0.0}}
    """
    rules = named("tls") if rules is None else rules
    prepared: dict[str, Topic] = {}
    parts: dict[str, tuple[str, ...]] = {}
    for name, references in topics.items():
        mine = {name: tuple(references)}
        if rules.each:
            mine = {f"{name}/{one.name}": (one,) for one in mine[name]}
        prepared |= {key: Topic(key, those, rules) for key, those in mine.items()}
        parts[name] = tuple(mine)
    if not prepared:
        raise UsageError("found no reference timeline, expected at least one")
    return Prepared(rules, prepared, parts)


def _topic_scores(
    topic: Topic, timeline: DailyTimeline | None, measures: Sequence[Measure]
) -> dict[str, float]:
    """What is asked for, and the precision and recall behind each F1, by names."""
    compared = topic.compare(timeline) if timeline is not None else None
    values: dict[str, float] = {}
    for measure in measures:
        stem, _, _ = measure.name.rpartition("-")
        if measure.name not in values:
            precision, recall = _pair(compared, stem) if compared is not None else (0.0, 0.0)
            numbers = (precision, recall, f_score(precision, recall))
            values |= zip((f"{stem}-{part}" for part in PARTS), numbers, strict=True)
    return values


def _pair(compared: Comparison, stem: str) -> tuple[float, float]:
    if stem == "date":
        return compared.dates_found()
    kind, _, variant = stem.partition("-")
    return compared.scores(kind, variant)


def _overall(values: Sequence[Mapping[str, float]], measures: Sequence[Measure]) -> dict[Measure, float]:
    overall = {}
    for measure in measures:
        stem, _, part = measure.name.rpartition("-")
        if part == "F" and values:
            precision, recall = (sum(one[f"{stem}-{name}"] for one in values) / len(values) for name in "PR")
            overall[measure] = f_score(precision, recall)
    return overall
