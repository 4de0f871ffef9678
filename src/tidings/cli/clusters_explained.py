"""Why a run of tweets scored what it scored on a topic: clusters with what told them, tweets with what they earned."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tidings.errors import Problems
from tidings.formats.tweets.rts import read_tweet_judgments
from tidings.report.tables import Cell, Table
from tidings.scoring import RULE_SETS, Mode

if TYPE_CHECKING:
    from tidings.records import Cluster, Run

__all__ = ["EXPLAINED", "explain_clusters"]

EXPLAINED = tuple(
    rules for rules, family in RULE_SETS.items() if family in ("rts", "ttg") and not rules.endswith("-mobile")
)
"""The rule sets whose clusters can be explained."""

Sections = list[tuple[str, Table]]


def explain_clusters(
    run: str, topic: str, judgments: Path, rules: str, mode: Mode, run_name: str | None, problems: Problems
) -> tuple[str, Sections]:
    """A line that names the run and the topic, and tables of its days, clusters and tweets.

    Raises:
        UsageError: the topic was not judged, or the file holds another run.
    """
    if RULE_SETS[rules] == "ttg":
        return _timeline(run, topic, judgments, mode, run_name, problems)
    return _days(run, topic, judgments, rules, mode, run_name, problems)


def _chosen(runs: Sequence[Run], name: str | None, path: str) -> Run:
    from tidings.report.lookup import choose_run

    return choose_run(list(runs), name, path)


def _days(
    run: str, topic: str, folder: Path, rules: str, mode: Mode, run_name: str | None, problems: Problems
) -> tuple[str, Sections]:
    from tidings.formats.tweets.rts_runs import read_digest_run, read_push_run
    from tidings.measures.rts import named, prepare

    rule_set = named(rules)
    judged = read_tweet_judgments(folder)
    if rule_set.task == "digest":
        runs = read_digest_run(Path(run), problems=problems)
    else:
        runs = read_push_run(Path(run), year=int(rule_set.first_day[:4]), problems=problems)
    told = _chosen(runs, run_name, run)
    days = prepare(judged, rule_set, mode).explain(told, topic).days
    rows: list[tuple[Cell, ...]] = [
        (day.day, "silent" if day.silent else "", day.told, day.gain, day.best, day.pain) for day in days
    ]
    sections: Sections = [
        ("Days", Table(("day", "", "told", "gain", "Z", "earned nothing"), tuple(rows))),
    ]
    tweets = [(day.day, one) for day in days for one in day.tweets]
    first = {one.cluster: (day, one) for day, one in reversed(tweets) if one.status == "new"}
    clusters: list[tuple[Cell, ...]] = []
    for cluster in _of(judged.clusters, topic):
        if cluster.id in first:
            day, one = first[cluster.id]
            late = "" if one.latency_s is None else one.latency_s
            clusters.append((cluster.id, "told", day, one.tweet, one.gain, late, cluster.label))
        else:
            clusters.append((cluster.id, "missed", "", "", 0.0, "", cluster.label))
    clusters.sort(key=lambda row: (row[1] == "told", str(row[2])))
    of_clusters = ("cluster", "", "day", "told by", "gain", "latency_s", "label")
    sections.append(("Clusters, the missed ones first", Table(of_clusters, tuple(clusters))))
    listed: list[tuple[Cell, ...]] = [
        (day, one.tweet, one.status, one.cluster, one.gain, "" if one.latency_s is None else one.latency_s)
        for day, one in tweets
    ]
    of_tweets = ("day", "tweet", "what it was", "cluster", "gain", "latency_s")
    sections.append(("Tweets told", Table(of_tweets, tuple(listed))))
    return (
        f"{_name(told)} on {topic}: {len(first)} of {len(clusters)} clusters told ({rules}, {mode})",
        sections,
    )


def _timeline(
    run: str, topic: str, folder: Path, mode: Mode, run_name: str | None, problems: Problems
) -> tuple[str, Sections]:
    from tidings.formats.tweets.ttg import read_timeline_run
    from tidings.measures.ttg import prepare

    judged = read_tweet_judgments(folder, days=False)
    told = _chosen(read_timeline_run(Path(run), problems=problems), run_name, run)
    hits = prepare(judged, mode).explain(told, topic)
    rows: list[tuple[Cell, ...]] = [
        (
            hit.cluster.id,
            "told" if hit.told_by else "missed",
            hit.weight,
            len(hit.told_by),
            hit.told_by[0] if hit.told_by else "",
            hit.cluster.label,
        )
        for hit in sorted(hits, key=lambda hit: (bool(hit.told_by), -hit.weight))
    ]
    heads = ("cluster", "", "weight", "tweets", "first of them", "label")
    earning = {tweet for hit in hits for tweet in hit.told_by}
    wasted = [
        update.doc_id for update in told.updates if update.event_id == topic and update.doc_id not in earning
    ]
    count = sum(1 for hit in hits if hit.told_by)
    return f"{_name(told)} on {topic}: {count} of {len(hits)} clusters told (ttg-2014, {mode})", [
        ("Clusters, the missed ones first", Table(heads, tuple(rows))),
        ("Tweets of no cluster", Table(("tweet",), tuple((tweet,) for tweet in dict.fromkeys(wasted)))),
    ]


def _of(clusters: Sequence[Cluster], topic: str) -> list[Cluster]:
    return [cluster for cluster in clusters if cluster.event_id == topic]


def _name(run: Run) -> str:
    return f"{run.team} {run.name}".strip()
