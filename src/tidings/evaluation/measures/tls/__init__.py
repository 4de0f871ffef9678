"""The measures of timeline summarization: ROUGE by days, and the choice of days, equal to tilse's numbers.

reference timelines ──prepare──▶ Prepared ──score(timelines)──▶ RunScores
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from tidings.core import DailyTimeline, UsageError, bare_event_id, data_beside
from tidings.evaluation.measures.measure import Measure, MeasureInfo
from tidings.evaluation.measures.run_scores import RunScores, UnknownEventError, assemble, choose_values
from tidings.evaluation.measures.tls.topic import (
    KINDS,
    VARIANTS,
    Comparison,
    Rules,
    Topic,
    f_score,
    rules_named,
)

PARTS = ("P", "R", "F")
_PART = {"P": "precision", "R": "recall", "F": "F1"}
_KIND = {"R1": "ROUGE-1", "R2": "ROUGE-2", "RL": "ROUGE-L"}
_UNIT = {"R1": "words", "R2": "pairs of words", "RL": "words on a common subsequence"}
_PAPER = "Martschat and Markert (2017), Improving ROUGE for timeline summarization, section 3"
_OFFICIAL = (
    "of a day listed twice the last block counts; ROUGE 1.5.5 with stemming (-m) and without stop words (-s) cuts a "
    "sentence at `<`, sees ASCII letters only, and leaves the base forms of irregular words unstemmed"
)
_VARIANT = data_beside(__file__)
_TOTAL = {"P": "p", "R": "m"}


def _rouge() -> Iterator[MeasureInfo]:
    for kind in KINDS:
        for variant in VARIANTS:
            title, formula, meaning = _VARIANT[variant]
            for part in PARTS:
                stem = f"{kind}-{variant}"
                how = f"h / {_TOTAL[part]}; {formula}" if part in _TOTAL else f"2 P R / (P + R) of {stem}"
                yield MeasureInfo(
                    f"{stem}-{part}",
                    f"{_KIND[kind]} {_PART[part]}, {title}",
                    how,
                    meaning,
                    f"share of {_UNIT[kind]}",
                    low=0.0,
                    high=1.0,
                    empty=0.0,
                    better="higher",
                    family="tls",
                    source=_PAPER + ("; Lin (2004) for ROUGE-L" if kind == "RL" else ""),
                    official="tilse does not report ROUGE-L; counted as ROUGE 1.5.5 does"
                    if kind == "RL"
                    else _OFFICIAL,
                )


def _dates() -> Iterator[MeasureInfo]:
    formulas = {"P": "|D & E| / |D|", "R": "|D & E| / |E|", "F": "2 P R / (P + R)"}
    for part in PARTS:
        yield MeasureInfo(
            f"date-{part}",
            f"Date selection, {_PART[part]}",
            f"{formulas[part]}, D the days of the timeline, E those of any reference",
            "How well the days were chosen, whatever is said of them.",
            "share of days",
            low=0.0,
            high=1.0,
            empty=0.0,
            better="higher",
            family="tls",
            source="tilse 0.2.1, evaluation of dates; Ghalandari and Ifrim (2020)",
            official="tilse stops with a division by zero for a timeline without days",
        )


INFO: dict[str, MeasureInfo] = {info.name: info for info in (*_dates(), *_rouge())}
MEASURES: tuple[Measure, ...] = tuple(map(Measure, INFO))
HEADLINE: tuple[Measure, ...] = (
    *(Measure(f"{kind}-{variant}-F") for variant in ("concat", "agree", "align+m1") for kind in ("R1", "R2")),
    Measure("date-F"),
)


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
            {name: choose_values(values, measures) for name, values in per_event.items()},
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
    rules = rules_named("tls") if rules is None else rules
    prepared: dict[str, Topic] = {}
    parts: dict[str, tuple[str, ...]] = {}
    for name, references in topics.items():
        mine = {name: tuple(references)}
        if rules.each:
            mine = {f"{name}/{timeline.name}": (timeline,) for timeline in mine[name]}
        prepared |= {key: Topic(key, those, rules) for key, those in mine.items()}
        parts[name] = tuple(mine)
    if not prepared:
        raise UsageError("no reference timeline (expected at least one)")
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
            precision, recall = (
                sum(value[f"{stem}-{name}"] for value in values) / len(values) for name in "PR"
            )
            overall[measure] = f_score(precision, recall)
    return overall
