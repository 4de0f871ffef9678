"""Tweets: `mb-2015-a`, `mb-2015-b`, `rts-2016-a`, ... `rts-2017-b`, `rts-2016-mobile`, and timelines of `ttg-2014`.

The explanation of a run's score on a topic is here too: by its days, or by its clusters.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tidings.core import Problems, Run
from tidings.evaluation.formats.registry import FORMATS
from tidings.evaluation.formats.tweets import find_file, read_tweet_judgments
from tidings.evaluation.measures import Measure
from tidings.evaluation.measures.rts import PreparedTweets, prepare
from tidings.evaluation.measures.rts_mobile import PreparedMobile, prepare_mobile
from tidings.evaluation.measures.rts_rules import INFO, Rules, rules_named
from tidings.evaluation.scoring import RULE_SETS
from tidings.evaluation.scoring.counts import Period, count_tweets
from tidings.evaluation.scoring.runs import files_only
from tidings.evaluation.scoring.scorer import Mode, Scorer, ScoringOptions, Source, folder_of

if TYPE_CHECKING:
    from tidings.core import Cluster
    from tidings.evaluation.measures.rts import TopicDays
    from tidings.evaluation.measures.ttg import ClusterHit

EXPLAINED = tuple(
    rules for rules, family in RULE_SETS.items() if family == "tweets" and not rules.endswith("-mobile")
)
"""The rule sets whose clusters can be explained: by days, but for tweet timelines (`ttg-2014`)."""

_TIMELINES = "ttg-2014"


def read_tweet_runs(rules: str, path: str | Path, problems: Problems) -> Sequence[Run]:
    """The runs of a file in the form of a rule set's task: pushes, digests of each day, or timelines."""
    runs: Sequence[Run]
    if rules == _TIMELINES:
        runs = FORMATS["tweet-timelines"].read(path, problems=problems)
    elif (rule_set := rules_named(rules)).task == "digest":
        runs = FORMATS["digests"].read(path, problems=problems)
    else:
        runs = FORMATS["pushes"].read(path, year=int(rule_set.first_day[:4]), problems=problems)
    return runs


def load(judgments: Source, rules: str, options: ScoringOptions) -> Scorer[Run]:
    """Qrels, clusters and, but for timelines, days of a folder, ready for runs of the rule set's task."""
    if rules == _TIMELINES:
        return _load_timelines(judgments, options)
    rule_set = rules_named(rules)
    folder = folder_of(judgments, rules)
    prepared: PreparedTweets | PreparedMobile
    if rule_set.task == "mobile":
        qrels = find_file(folder, "mobile qrels", needs="mobile", ends=("qrels.txt", "qrels"))
        prepared = prepare_mobile(FORMATS["mobile-qrels"].read(qrels), rule_set, options.mode)
        grades: dict[str, Container[str]] = dict(prepared.topics)
        posted: Mapping[str, int] = {}
    else:
        prepared = prepare(FORMATS["tweets"].read(folder), rule_set, options.mode)
        grades = {topic: judged.grades for topic, judged in prepared.topics.items()}
        posted = prepared.time_of if rule_set.task == "push" else {}
    measures = tuple(map(Measure, rule_set.measures))
    computed = {
        "push": [name for name in INFO if name.startswith(("EG-", "nCG-", "GMP@"))]
        + ["latency_mean", "latency_median"],
        "digest": [name for name in INFO if name.startswith("nDCG@10-")],
        "mobile": list(rule_set.measures),
    }[rule_set.task]
    names = dict.fromkeys((*rule_set.measures, *computed, "pushes"))
    return Scorer(
        rules=rules,
        info={name: INFO[name] for name in names},
        measures=measures,
        events=tuple(prepared.topics),
        takes=Run,
        read=files_only(rules, lambda path, problems: read_tweet_runs(rules, path, problems)),
        score=prepared.score,
        count=lambda run: count_tweets(run, grades, _period(rule_set), posted, rule_set.clock_shift_s),
    )


def _period(rules: Rules) -> Period:
    """The days of the evaluation; a push may come a little before or after, as clocks differ."""
    start, tolerance = rules.start_time(), 0 if rules.task == "digest" else 3600
    return start - tolerance, start + rules.days * 86400 - 1 + tolerance


def _load_timelines(judgments: Source, options: ScoringOptions) -> Scorer[Run]:
    from tidings.evaluation.measures.ttg import INFO, MEASURES, prepare

    judged = FORMATS["tweets"].read(folder_of(judgments, _TIMELINES), days=False)
    prepared = prepare(judged, options.mode)
    grades = {topic: judged.grades.get(topic, {}) for topic in prepared.topics}
    return Scorer(
        rules=_TIMELINES,
        info=INFO,
        measures=tuple(map(Measure, MEASURES)),
        events=tuple(prepared.topics),
        takes=Run,
        read=files_only(_TIMELINES, lambda path, problems: read_tweet_runs(_TIMELINES, path, problems)),
        score=prepared.score,
        count=lambda run: count_tweets(run, grades),
    )


def explain_days(
    rules: str, judgments: Path, mode: Mode, run: Run, topic: str
) -> tuple[list[Cluster], TopicDays]:
    """The topic's clusters, and what the run earned on each day.

    Raises:
        UsageError: the topic was not judged.
    """
    judged = read_tweet_judgments(judgments)
    clusters = [cluster for cluster in judged.clusters if cluster.event_id == topic]
    return clusters, prepare(judged, rules_named(rules), mode).explain(run, topic)


def explain_clusters(judgments: Path, mode: Mode, run: Run, topic: str) -> list[ClusterHit]:
    """The topic's clusters, each with the tweets of a timeline that cover it.

    Raises:
        UsageError: the topic was not judged.
    """
    from tidings.evaluation.measures.ttg import prepare

    return prepare(read_tweet_judgments(judgments, days=False), mode).explain(run, topic)
