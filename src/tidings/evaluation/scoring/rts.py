"""Real-time summarization: `mb-2015-a`, `mb-2015-b`, `rts-2016-a`, ... `rts-2017-b`, and `rts-2016-mobile`."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from pathlib import Path

from tidings.core import Problems, Run
from tidings.evaluation.formats.registry import FORMATS
from tidings.evaluation.formats.tweets import find_file
from tidings.evaluation.measures import Measure
from tidings.evaluation.measures.rts import PreparedTweets, prepare
from tidings.evaluation.measures.rts_mobile import PreparedMobile, prepare_mobile
from tidings.evaluation.measures.rts_rules import INFO, Rules, named
from tidings.evaluation.scoring.counts import Period, count_tweets
from tidings.evaluation.scoring.runs import files_only
from tidings.evaluation.scoring.scorer import Scorer, ScoringOptions, Source, folder_of

__all__ = ["load", "read_tweet_runs"]


def read_tweet_runs(rules: str, path: str | Path, problems: Problems) -> Sequence[Run]:
    """The runs of a file in the form of a rule set's task: pushes, or digests of each day."""
    rule_set = named(rules)
    if rule_set.task == "digest":
        runs: Sequence[Run] = FORMATS["digests"].read(path, problems=problems)
    else:
        runs = FORMATS["pushes"].read(path, year=int(rule_set.first_day[:4]), problems=problems)
    return runs


def load(judgments: Source, rules: str, options: ScoringOptions) -> Scorer[Run]:
    """Qrels, clusters and days of a folder, ready for runs of pushes or digests."""
    rule_set = named(rules)
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
