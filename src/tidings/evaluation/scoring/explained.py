"""Why a run of tweets scored what it scored on a topic: its days, or its clusters, from files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tidings.core import Problems
from tidings.evaluation.formats.tweets import read_tweet_judgments
from tidings.evaluation.scoring import RULE_SETS
from tidings.evaluation.scoring.scorer import Mode

if TYPE_CHECKING:
    from tidings.core import Cluster, Run
    from tidings.evaluation.measures.rts import TopicDays
    from tidings.evaluation.measures.ttg import ClusterHit

__all__ = ["EXPLAINED", "explain_clusters", "explain_days", "read_tweet_runs"]

EXPLAINED = tuple(
    rules for rules, family in RULE_SETS.items() if family in ("rts", "ttg") and not rules.endswith("-mobile")
)
"""The rule sets whose clusters can be explained: by days, but for tweet timelines (`ttg-2014`)."""


def read_tweet_runs(rules: str, path: str | Path, problems: Problems) -> Sequence[Run]:
    """The runs of a file in the form of a rule set's task."""
    if RULE_SETS[rules] == "ttg":
        from tidings.evaluation.formats.tweet_runs import read_timeline_run

        return read_timeline_run(path, problems=problems)
    from tidings.evaluation.scoring.rts import read_tweet_runs

    return read_tweet_runs(rules, path, problems)


def explain_days(
    rules: str, judgments: Path, mode: Mode, run: Run, topic: str
) -> tuple[list[Cluster], TopicDays]:
    """The topic's clusters, and what the run earned on each day.

    Raises:
        UsageError: the topic was not judged.
    """
    from tidings.evaluation.measures.rts import prepare
    from tidings.evaluation.measures.rts_rules import named

    judged = read_tweet_judgments(judgments)
    clusters = [cluster for cluster in judged.clusters if cluster.event_id == topic]
    return clusters, prepare(judged, named(rules), mode).explain(run, topic)


def explain_clusters(judgments: Path, mode: Mode, run: Run, topic: str) -> list[ClusterHit]:
    """The topic's clusters, each with the tweets of a timeline that tell it.

    Raises:
        UsageError: the topic was not judged.
    """
    from tidings.evaluation.measures.ttg import prepare

    return prepare(read_tweet_judgments(judgments, days=False), mode).explain(run, topic)
