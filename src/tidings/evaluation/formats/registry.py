"""Every format in one list, those of all tasks and their judgments among them."""

from __future__ import annotations

from typing import Any

from tidings.core import JSON_LINES
from tidings.following import RUN_FORMATS
from tidings.sources import Format, FormatList


def _format(
    name: str, words: str, sample: str, functions: str, *, holds: str = "", writes: bool = True, **more: Any
) -> Format:
    """A format of this folder, by the names of its file and of what its functions read and write."""
    file, _, thing = functions.partition(":")
    reader, writer = (f"evaluation.formats.{file}:{verb}_{thing}" for verb in ("read", "write"))
    return Format(name, holds or name, words, sample, reader, writer if writes else "", **more)


def _task(name: str, words: str, sample: str, functions: str, **more: Any) -> Format:
    """A format that `tidings convert` can write anew."""
    return _format(name, words, sample, functions, becomes=(name,), **more)


_LINES: dict[str, Any] = {"endings": JSON_LINES}
_TABLE: dict[str, Any] = {"endings": (".tsv",)}

FORMATS = FormatList(
    *RUN_FORMATS.values(),
    _format(
        "official-scores", "a track's table of all teams' scores", "scores.tsv", "official_scores:official_scores",
        holds="scores", writes=False,
    ),
    _task(
        "rankings", "entity rankings (2015)", "a.jsonl, a ranking a line", "entity_rankings:entity_rankings", **_LINES
    ),
    _task("links", "sentences linked to events (2001)", "links.tsv", "linked_2001:links", **_TABLE),
    _task("judges", "what each judge linked (2001)", "judges.tsv", "linked_2001:judges", **_TABLE),
    _task("facts", "a CrisisFACTS run", "a.jsonl, a fact a line", "crisisfacts:facts", **_LINES),
    _task("requests", "CrisisFACTS requests", "requests.jsonl", "crisisfacts:requests", **_LINES),
    _task("changes", "judged changes by day", "changes.tsv", "changes:changes", **_TABLE),
    _format(
        "nuggetizer", "lists of nuggets, as nuggetizer has them", "a.jsonl, a topic a line",
        "nugget_banks:nugget_lists", holds="judgments", becomes=("judgments", "trec", "argue", "nuggetizer"), **_LINES,
    ),
    _format(
        "argue", "banks of questions and answers, as ARGUE has them", "a.jsonl, a topic a line",
        "nugget_banks:nugget_banks", holds="judgments", becomes=("judgments", "trec", "nuggetizer", "argue"), **_LINES,
    ),
    _format(
        "assigned-nuggets", "what reports hold of nuggets", "a.jsonl, a report a line",
        "nugget_banks:assigned_runs", holds="assigned nuggets", writes=False, **_LINES,
    ),
    _task("pushes", "a run of pushed tweets", "a.run, tweets pushed", "tweet_runs:push_run"),
    _task("digests", "a run of daily digests of tweets", "a.run, tweets of a day ranked", "tweet_runs:digest_run"),
    _task("tweet-timelines", "a run of tweet timelines", "a.run, tweets of a topic", "tweet_runs:timeline_run"),
    _format(
        "tweets", "a folder of judged tweets", "a folder with qrels.txt", "tweets:tweet_judgments",
        holds="tweet judgments", writes=False, is_folder=True,
    ),
    _format("qrels", "qrels of tweets", "qrels.txt", "tweets:qrels"),
    _format(
        "mobile-qrels", "qrels of mobile assessors", "mobile-qrels.txt", "tweets:mobile_qrels", holds="mobile qrels"
    ),
    _format(
        "tweet-days", "days of tweets", "tweetsdayepoch.txt", "tweets:tweet_days", holds="tweet days", writes=False
    ),
    _format("tweet-clusters", "clusters of tweets", "clusters.json", "tweets:tweet_clusters", holds="tweet clusters"),
)  # fmt: skip
"""Every format, by its name."""

CONVERTIBLE = tuple(each.name for each in FORMATS.values() if each.becomes)
"""The names of the formats that `tidings convert` reads."""
