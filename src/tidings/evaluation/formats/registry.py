"""Every format in one list, those of all tasks and their judgments among them."""

from __future__ import annotations

from tidings.core import JSON_LINES
from tidings.following import RUN_FORMATS
from tidings.sources import Format, FormatList

FORMATS = FormatList(
    *RUN_FORMATS.values(),
    Format(
        "official-scores", "scores", "a track's table of all teams' scores", "scores.tsv",
        "evaluation.formats.official_scores:read_official_scores",
    ),
    Format(
        "rankings", "rankings", "entity rankings (2015)", "a.jsonl, a ranking a line",
        "evaluation.formats.entity_rankings:read_entity_rankings",
        "evaluation.formats.entity_rankings:write_entity_rankings",
        endings=JSON_LINES, becomes=("rankings",),
    ),
    Format(
        "links", "links", "sentences linked to events (2001)", "links.tsv",
        "evaluation.formats.linked_2001:read_links", "evaluation.formats.linked_2001:write_links",
        endings=(".tsv",), becomes=("links",),
    ),
    Format(
        "judges", "judges", "what each judge linked (2001)", "judges.tsv",
        "evaluation.formats.linked_2001:read_judges", "evaluation.formats.linked_2001:write_judges",
        endings=(".tsv",), becomes=("judges",),
    ),
    Format(
        "facts", "facts", "a CrisisFACTS run", "a.jsonl, a fact a line",
        "evaluation.formats.crisisfacts:read_facts", "evaluation.formats.crisisfacts:write_facts",
        endings=JSON_LINES, becomes=("facts",),
    ),
    Format(
        "requests", "requests", "CrisisFACTS requests", "requests.jsonl",
        "evaluation.formats.crisisfacts:read_requests", "evaluation.formats.crisisfacts:write_requests",
        endings=JSON_LINES, becomes=("requests",),
    ),
    Format(
        "pushes", "pushes", "a run of pushed tweets", "a.run, tweets pushed",
        "evaluation.formats.tweet_runs:read_push_run",
        "evaluation.formats.tweet_runs:write_push_run",
        becomes=("pushes",),
    ),
    Format(
        "digests", "digests", "a run of daily digests of tweets", "a.run, tweets of a day ranked",
        "evaluation.formats.tweet_runs:read_digest_run",
        "evaluation.formats.tweet_runs:write_digest_run",
        becomes=("digests",),
    ),
    Format(
        "tweet-timelines", "tweet-timelines", "a run of tweet timelines", "a.run, tweets of a topic",
        "evaluation.formats.tweet_runs:read_timeline_run",
        "evaluation.formats.tweet_runs:write_timeline_run",
        becomes=("tweet-timelines",),
    ),
    Format(
        "tweets", "tweet judgments", "a folder of judged tweets", "a folder with qrels.txt",
        "evaluation.formats.tweets:read_tweet_judgments", is_folder=True,
    ),
    Format(
        "qrels", "qrels", "qrels of tweets", "qrels.txt",
        "evaluation.formats.tweets:read_qrels", "evaluation.formats.tweets:write_qrels",
    ),
    Format(
        "mobile-qrels", "mobile qrels", "qrels of mobile assessors", "mobile-qrels.txt",
        "evaluation.formats.tweets:read_mobile_qrels", "evaluation.formats.tweets:write_mobile_qrels",
    ),
    Format(
        "tweet-days", "tweet days", "days of tweets", "tweetsdayepoch.txt",
        "evaluation.formats.tweets:read_tweet_days",
    ),
    Format(
        "tweet-clusters", "tweet clusters", "clusters of tweets", "clusters.json",
        "evaluation.formats.tweets:read_tweet_clusters", "evaluation.formats.tweets:write_tweet_clusters",
    ),
)  # fmt: skip
"""Every format, by its name."""

CONVERTIBLE = tuple(each.name for each in FORMATS.values() if each.becomes)
"""The names of the formats that `tidings convert` reads."""
