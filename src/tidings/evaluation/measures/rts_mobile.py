"""What people said on their telephones about pushes (Real-Time Summarization 2016)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tidings.core import Run, UsageError
from tidings.evaluation.measures.measure import Measure
from tidings.evaluation.measures.rts import check_mode
from tidings.evaluation.measures.rts_rules import Mode, Rules, rules_named
from tidings.evaluation.measures.run_scores import RunScores, assemble

if TYPE_CHECKING:
    from tidings.evaluation.formats.tweets import MobileJudgment

_COUNTS = ("relevant", "redundant", "not_relevant", "unjudged", "pushes")


@dataclass(frozen=True, slots=True)
class PreparedMobile:
    """Assessments made ready: for each topic, which labels each tweet got."""

    rules: Rules
    mode: Mode
    topics: dict[str, dict[str, set[str]]]

    def score(self, run: Run, measures: Iterable[Measure] | None = None) -> RunScores:
        """Score one run. Counts are summed over topics, and the precision of a run is that of its sums.

        Of each topic and day the first ten pushes count (in the order of the file, or in guideline mode of time); later
        ones are unjudged. A tweet about which people disagree counts under each of their labels.
        """
        wanted = tuple(measures) if measures is not None else tuple(map(Measure, self.rules.measures))
        pushed: dict[str, dict[int, list[str]]] = {topic: {} for topic in self.topics}
        start, unjudged_topics = self.rules.start_time(), set()
        updates = run.updates
        if self.mode == "guideline":
            updates = sorted(updates, key=lambda update: update.time)
        for update in updates:
            day = (update.time - start) // 86400
            if update.event_id not in pushed:
                unjudged_topics.add(update.event_id)
            elif 0 <= day < self.rules.days:
                pushed[update.event_id].setdefault(day, []).append(update.doc_id)
        counts = {topic: self._count(topic, days) for topic, days in pushed.items()}
        total = {name: sum(count[name] for count in counts.values()) for name in _COUNTS}
        return assemble(
            run.team,
            run.name,
            wanted,
            {topic: _values(count, wanted) for topic, count in counts.items()},
            sorted(unjudged_topics),
            silence=False,
            overall=_values(total, wanted),
        )

    def _count(self, topic: str, days: dict[int, list[str]]) -> dict[str, int]:
        count = dict.fromkeys(_COUNTS, 0)
        for tweets in days.values():
            count["pushes"] += len(tweets)
            count["unjudged"] += max(0, len(tweets) - self.rules.daily)
            for tweet in tweets[: self.rules.daily]:
                for label in self.topics[topic].get(tweet, ("unjudged",)):
                    count[label] += 1
        return count


def prepare_mobile(
    assessments: Iterable[MobileJudgment], rules: Rules | str = "rts-2016-mobile", mode: Mode = "official"
) -> PreparedMobile:
    """Make assessments ready for scoring, once for many runs.

    Raises:
        UsageError: there are none.
    """
    check_mode(mode)
    names = {2: "relevant", 1: "redundant"}
    topics: dict[str, dict[str, set[str]]] = {}
    for assessment in assessments:
        labels = topics.setdefault(assessment.topic, {}).setdefault(assessment.tweet, set())
        labels.add(names.get(assessment.label, "not_relevant"))
    if not topics:
        raise UsageError("no assessments, so nothing can be scored")
    ordered = {topic: topics[topic] for topic in sorted(topics)}
    return PreparedMobile(rules_named(rules) if isinstance(rules, str) else rules, mode, ordered)


def _values(count: dict[str, int], wanted: tuple[Measure, ...]) -> dict[Measure, float]:
    rel, red, non = count["relevant"], count["redundant"], count["not_relevant"]
    labelled = rel + red + non
    values = {name: float(number) for name, number in count.items()} | {
        "P-strict": rel / labelled if labelled else 0.0,
        "P-lenient": (rel + red) / labelled if labelled else 0.0,
        "utility-strict": float(rel - red - non),
        "utility-lenient": float(rel + red - non),
    }
    return {measure: values[measure.name] for measure in wanted}
