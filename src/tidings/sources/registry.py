"""Every format in one list: its name, what it holds, the names its files go by, and who reads and writes it.

What chooses a format by a name, chooses here: `tidings.sources.formats`, `convert`, `follow`, and the families of scoring. A
reader or writer is loaded when it is first called. docs/formats.md shows the same list.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from tidings.core import JSON_LINES, Content, compression_of, ending, find, is_folder, is_there

__all__ = ["CONVERTIBLE", "FORMATS", "Format", "choose", "is_own_folder"]


@dataclass(frozen=True, slots=True)
class Format:
    """A format.

    >>> FORMATS["updates"].is_name_of("runs/a.jsonl.gz"), FORMATS["topics"].is_name_of("a.tsv")
    (True, False)

    Args:
        name: by which `tidings convert` calls it.
        holds: of what; formats that hold the same can stand for each other.
        description: in a few words.
        usual_name: of its files, for people.
        reader: module and function, after `tidings.sources.formats.`.
        writer: the same; empty where none is needed.
        endings: of its files; none where any name will do that `other_endings` does not hold.
        other_endings: those of formats that a file of any name is not of.
        is_folder: whether it is a folder of files.
        marks: files of which a folder of this format holds one; none where any folder will do.
        events: the reader of a folder's events, as `reader`.
        piped: whether it is what standard input holds, among the formats that hold the same.
        becomes: the names of formats it can be converted to, the likeliest first.
    """

    name: str
    holds: str
    description: str
    usual_name: str
    reader: str
    writer: str = ""
    endings: tuple[str, ...] = ()
    other_endings: tuple[str, ...] = ()
    is_folder: bool = False
    marks: tuple[str, ...] = ()
    events: str = ""
    piped: bool = False
    becomes: tuple[str, ...] = ()

    @property
    def takes_any_name(self) -> bool:
        """Whether no ending and no file of a folder marks this format."""
        return not (self.endings or self.marks)

    def read(self, path: str | Path | Content, **options: Any) -> Any:
        """What the reader makes of a file or folder, with the options that it takes."""
        return _load(self.reader)(path, **options)

    def read_events(self, folder: str | Path, **options: Any) -> Any:
        """The events of a folder of judgments."""
        return _load(self.events)(folder, **options)

    def write(self, path: str | Path, content: Any, **options: Any) -> Any:
        """Write what a reader gave."""
        return _load(self.writer)(path, content, **options)

    def is_name_of(self, path: str | Path) -> bool:
        """Whether a file of this format may have this name, or a folder of it hold these files."""
        if str(path) == "-":
            return self.piped
        if is_folder(path):
            return self.is_folder and (not self.marks or find(path, *self.marks) is not None)
        return not self.is_folder and self._has_ending(path)

    def suits(self, path: str | Path) -> bool:
        """Whether what is written to this path may be of this format."""
        if str(path) == "-":
            return not self.is_folder
        if self.is_folder:
            return is_folder(path) or not (ending(path) or compression_of(path) or is_there(path))
        return not is_folder(path) and self._has_ending(path)

    def _has_ending(self, path: str | Path) -> bool:
        last = ending(path)
        return last in self.endings if self.endings else last not in self.other_endings


def _load(name: str) -> Callable[..., Any]:
    module, _, function = name.partition(":")
    loaded: Callable[..., Any] = getattr(import_module(f"tidings.sources.formats.{module}"), function)
    return loaded


_JSON_AND_XML = (*JSON_LINES, ".json", ".xml")
_FOLDER_PARTS = ("documents", "pool", "events", "topics")

_ALL = (
    Format(
        "run", "updates", "a TREC run", "a.run, any ending but those below",
        "trec_ts.runs:read_run", "trec_ts.runs:write_run",
        other_endings=_JSON_AND_XML, piped=True, becomes=("updates", "run"),
    ),
    Format(
        "updates", "updates", "updates, as tidings tells them", "a.jsonl",
        "own.outputs:read_updates", "own.outputs:write_updates",
        endings=JSON_LINES, becomes=("run", "updates"),
    ),
    Format(
        "pool", "documents", "a TREC table of pooled updates", "updates_sampled.tsv",
        "trec_ts.judgments:read_pool", "trec_ts.judgments:write_pool",
        endings=(".tsv",), becomes=("documents", "pool"),
    ),
    Format(
        "documents", "documents", "documents, as tidings takes them", "documents.jsonl",
        "own.documents:read_documents", "own.documents:write_documents",
        endings=JSON_LINES, piped=True, becomes=("pool", "documents"),
    ),
    Format(
        "feed", "items", "a feed of an outlet: RSS, Atom, RDF or JSON Feed", "world.xml",
        "feeds.feed:read_feed",
    ),
    Format(
        "feed-list", "items", "a list of feeds (OPML)", "feeds.opml",
        "feeds.opml:read_feed_list",
    ),
    Format(
        "sitemap", "items", "a news sitemap: titles, times and links", "sitemap-news.xml",
        "feeds.sitemap:read_sitemap",
    ),
    Format(
        "warc", "items", "a web archive: WARC or ARC", "crawl.warc.gz",
        "archives.web_archive:read_web_archive",
    ),
    Format(
        "streamcorpus", "items", "a StreamCorpus chunk of TREC KBA", "news.sc, news.sc.xz, news.sc.xz.gpg",
        "archives.streamcorpus:read_streamcorpus",
    ),
    Format(
        "csv", "items", "a table as text: CSV, TSV, with semicolons or bars, as Excel saves it", "news.csv",
        "tables.delimited:read_delimited",
    ),
    Format(
        "json", "items", "JSON: a list of articles, or an object that holds one", "articles.json",
        "tables.json_whole:read_json",
    ),
    Format(
        "json-lines", "items", "JSON Lines with fields of other names", "articles.jsonl",
        "tables.json_lines:read_json_lines",
    ),
    Format(
        "parquet", "items", "Parquet (the extra parquet)", "news.parquet",
        "tables.parquet:read_parquet",
    ),
    Format(
        "timeline17", "items", "articles of Timeline17", "TOPIC/InputDocs, articles.jsonl",
        "tables.timeline17:read_timeline17", is_folder=True,
    ),
    Format(
        "crisisfacts", "items", "a stream of CrisisFACTS", "CrisisFACTS-001.jsonl",
        "tables.crisisfacts:read_crisisfacts_stream",
    ),
    Format(
        "page", "items", "an HTML page of an outlet", "fire.html",
        "pages.page:read_page", endings=(".html", ".htm", ".xhtml", ".shtml"),
    ),
    Format(
        "text", "items", "a plain text or Markdown", "2026-02-17-fire.txt, fire.md",
        "pages.plain:read_text", endings=(".txt", ".text", ".md", ".markdown", ".mdown", ".mkd"),
    ),
    Format(
        "folder", "items", "a folder of pages, texts, feeds, tables and archives", "saved",
        "pages.folder:read_folder", is_folder=True,
    ),
    Format(
        "zip", "items", "a zip archive of such files", "saved.zip",
        "pages.packed:read_zip", endings=(".zip",),
    ),
    Format(
        "tar", "items", "a tar archive of such files", "saved.tar.gz",
        "pages.packed:read_tar", endings=(".tar", ".tgz", ".txz"),
    ),
    Format(
        "topics", "events", "TREC topics", "topics.xml",
        "trec_ts.topics:read_topics", "trec_ts.topics:write_topics",
        endings=(".xml",), becomes=("events", "topics"),
    ),
    Format(
        "events", "events", "events", "event.json, events.jsonl",
        "own.events:read_event_file", "own.events:write_event",
        endings=(".json", *JSON_LINES), piped=True, becomes=("topics", "events"),
    ),
    Format(
        "trec", "judgments", "a folder of TREC judgments", "a folder with nuggets.tsv",
        "trec_ts.folder:read_judgments", "trec_ts.export:write_judgments",
        is_folder=True, events="trec_ts.folder:read_folder_events",
        becomes=("judgments", "trec", *_FOLDER_PARTS),
    ),
    Format(
        "judgments", "judgments", "a folder of tidings' judgments", "a folder with event.json",
        "own.judgments:read_judgments", "own.judgments:write_judgments",
        is_folder=True, marks=("event.json", "events.jsonl", "nuggets.jsonl", "documents.jsonl"),
        events="own.judgments:read_events",
        becomes=("trec", "judgments", "documents", "pool", "topics", "events"),
    ),
    Format(
        "nuggets", "nuggets", "a TREC table of nuggets", "nuggets.tsv",
        "trec_ts.judgments:read_nuggets", "trec_ts.judgments:write_nuggets", endings=(".tsv",),
    ),
    Format(
        "matches", "matches", "a TREC table of matches", "matches.tsv",
        "trec_ts.judgments:read_matches", "trec_ts.judgments:write_matches", endings=(".tsv",),
    ),
    Format(
        "duplicates", "duplicates", "a TREC table of duplicates", "duplicates.tsv",
        "trec_ts.judgments:read_duplicates", "trec_ts.judgments:write_duplicates", endings=(".tsv",),
    ),
    Format(
        "official-scores", "scores", "a track's table of all teams' scores", "scores.tsv",
        "trec_ts.official_scores:read_official_scores",
    ),
    Format(
        "values", "values", "tracked values (2013)", "a.run of nine columns",
        "others.value_runs:read_value_runs", "others.value_runs:write_value_runs", becomes=("values",),
    ),
    Format(
        "rankings", "rankings", "entity rankings (2015)", "a.jsonl, a ranking a line",
        "others.entity_rankings:read_entity_rankings", "others.entity_rankings:write_entity_rankings",
        endings=JSON_LINES, becomes=("rankings",),
    ),
    Format(
        "links", "links", "sentences linked to events (2001)", "links.tsv",
        "others.linked_2001:read_links", "others.linked_2001:write_links",
        endings=(".tsv",), becomes=("links",),
    ),
    Format(
        "judges", "judges", "what each judge linked (2001)", "judges.tsv",
        "others.linked_2001:read_judges", "others.linked_2001:write_judges",
        endings=(".tsv",), becomes=("judges",),
    ),
    Format(
        "facts", "facts", "a CrisisFACTS run", "a.jsonl, a fact a line",
        "others.crisisfacts:read_facts", "others.crisisfacts:write_facts",
        endings=JSON_LINES, becomes=("facts",),
    ),
    Format(
        "requests", "requests", "CrisisFACTS requests", "requests.jsonl",
        "others.crisisfacts:read_requests", "others.crisisfacts:write_requests",
        endings=JSON_LINES, becomes=("requests",),
    ),
    Format(
        "pushes", "pushes", "a run of pushed tweets", "a.run, tweets pushed",
        "tweets.rts_runs:read_push_run", "tweets.rts_runs:write_push_run", becomes=("pushes",),
    ),
    Format(
        "digests", "digests", "a run of daily digests of tweets", "a.run, tweets of a day ranked",
        "tweets.rts_runs:read_digest_run", "tweets.rts_runs:write_digest_run", becomes=("digests",),
    ),
    Format(
        "tweet-timelines", "tweet-timelines", "a run of tweet timelines", "a.run, tweets of a topic",
        "tweets.ttg:read_timeline_run", "tweets.ttg:write_timeline_run", becomes=("tweet-timelines",),
    ),
    Format(
        "tweets", "tweet judgments", "a folder of judged tweets", "a folder with qrels.txt",
        "tweets.rts:read_tweet_judgments", is_folder=True,
    ),
    Format(
        "qrels", "qrels", "qrels of tweets", "qrels.txt",
        "tweets.rts:read_qrels", "tweets.rts:write_qrels",
    ),
    Format(
        "mobile-qrels", "mobile qrels", "qrels of mobile assessors", "mobile-qrels.txt",
        "tweets.rts:read_mobile_qrels", "tweets.rts:write_mobile_qrels",
    ),
    Format(
        "tweet-days", "tweet days", "days of tweets", "tweetsdayepoch.txt",
        "tweets.rts:read_tweet_days",
    ),
    Format(
        "tweet-clusters", "tweet clusters", "clusters of tweets", "clusters.json",
        "tweets.rts:read_tweet_clusters", "tweets.rts:write_tweet_clusters",
    ),
    Format(
        "timelines", "timelines", "timelines by day", "a.txt, a.json, a.jsonl",
        "timelines.files:read_timelines", "timelines.files:write_timelines",
        endings=(".txt", ".json", *JSON_LINES, ".timeline", ".tl"), becomes=("timelines",),
    ),
    Format(
        "references", "references", "reference timelines of topics", "a folder of timelines",
        "timelines.folders:read_references", is_folder=True,
    ),
    Format(
        "timeline-runs", "timeline runs", "timelines to be scored", "a folder of timelines, or a run",
        "timelines.folders:read_timeline_runs", is_folder=True,
    ),
)  # fmt: skip

FORMATS = {one.name: one for one in _ALL}
"""Every format, by its name."""

CONVERTIBLE = tuple(one.name for one in _ALL if one.becomes)
"""The names of the formats that `tidings convert` reads."""


def choose(holds: str, path: str | Path) -> Format | None:
    """The format that a path's name tells, among those that hold this; that of any name where there is one, or None.

    >>> choose("updates", "a.jsonl").name, choose("updates", "a.tsv").name, choose("events", "a.tsv")
    ('updates', 'run', None)
    """
    formats = sorted((one for one in _ALL if one.holds == holds), key=lambda one: one.takes_any_name)
    named = next((one for one in formats if one.is_name_of(path)), None)
    return named or next((one for one in formats if one.takes_any_name), None)


def is_own_folder(folder: str | Path) -> bool:
    """Whether a folder is in tidings' own format, by the files it holds."""
    return find(folder, *FORMATS["judgments"].marks) is not None
