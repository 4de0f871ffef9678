"""Formats in a list: the name of each, what it holds, the names its files go by, and who reads and writes it.

What chooses a format by the name of a file chooses from such a list. Here is that of documents, events and judgments;
the lists of runs (`following.outputs`) and of every task (`evaluation.formats`) go on from it. A reader or writer is
loaded when it is first called. docs/core/formats.md shows them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from tidings.core import JSON_LINES, Content, compression_of, ending, find, is_folder, is_there

__all__ = ["DOCUMENT_FORMATS", "Format", "FormatList", "is_own_folder"]


@dataclass(frozen=True, slots=True)
class Format:
    """A format.

    >>> DOCUMENT_FORMATS["documents"].is_name_of("a.jsonl.gz"), DOCUMENT_FORMATS["topics"].is_name_of("a.tsv")
    (True, False)

    Args:
        name: by which `tidings convert` calls it.
        holds: of what; formats that hold the same can stand for each other.
        description: in a few words.
        usual_name: of its files, for people.
        reader: module and function, after `tidings.sources.streams.`.
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
    loaded: Callable[..., Any] = getattr(import_module(f"tidings.{module}"), function)
    return loaded


class FormatList(Mapping[str, Format]):
    """Formats by their names, in an order that says which is meant where several could be."""

    def __init__(self, *formats: Format) -> None:
        self._formats = {each.name: each for each in formats}

    def __getitem__(self, name: str) -> Format:
        return self._formats[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._formats)

    def __len__(self) -> int:
        return len(self._formats)

    def choose(self, holds: str, path: str | Path) -> Format | None:
        """The format that a path's name tells, among those that hold this; that of any name where there is one, or
        None.

        >>> DOCUMENT_FORMATS.choose("events", "a.xml").name, DOCUMENT_FORMATS.choose("events", "a.tsv")
        ('topics', None)
        """
        formats = sorted(
            (each for each in self.values() if each.holds == holds), key=lambda each: each.takes_any_name
        )
        named = next((each for each in formats if each.is_name_of(path)), None)
        return named or next((each for each in formats if each.takes_any_name), None)


_FOLDER_PARTS = ("documents", "pool", "events", "topics")

DOCUMENT_FORMATS = FormatList(
    Format(
        "pool", "documents", "a TREC table of pooled updates", "updates_sampled.tsv",
        "sources.trec.judgments:read_pool", "sources.trec.judgments:write_pool",
        endings=(".tsv",), becomes=("documents", "pool"),
    ),
    Format(
        "documents", "documents", "documents, as tidings takes them", "documents.jsonl",
        "sources.own.documents:read_documents", "sources.own.documents:write_documents",
        endings=JSON_LINES, piped=True, becomes=("pool", "documents"),
    ),
    Format(
        "feed", "items", "a feed of an outlet: RSS, Atom, RDF or JSON Feed", "world.xml",
        "sources.feeds.feed:read_feed",
    ),
    Format(
        "feed-list", "items", "a list of feeds (OPML)", "feeds.opml",
        "sources.feeds.opml:read_feed_list",
    ),
    Format(
        "sitemap", "items", "a news sitemap: titles, times and links", "sitemap-news.xml",
        "sources.feeds.feed:read_sitemap",
    ),
    Format(
        "warc", "items", "a web archive: WARC or ARC", "crawl.warc.gz",
        "sources.archives.web_archive:read_web_archive",
    ),
    Format(
        "streamcorpus", "items", "a StreamCorpus chunk of TREC KBA", "news.sc, news.sc.xz, news.sc.xz.gpg",
        "sources.archives.streamcorpus:read_streamcorpus",
    ),
    Format(
        "csv", "items", "a table as text: CSV, TSV, with semicolons or bars, as Excel saves it", "news.csv",
        "sources.tables.delimited:read_delimited",
    ),
    Format(
        "json", "items", "JSON: a list of articles, or an object that holds one", "articles.json",
        "sources.tables.json_items:read_json",
    ),
    Format(
        "json-lines", "items", "JSON Lines with fields of other names", "articles.jsonl",
        "sources.tables.json_items:read_json_lines",
    ),
    Format(
        "parquet", "items", "Parquet (the extra parquet)", "news.parquet",
        "sources.tables.parquet:read_parquet",
    ),
    Format(
        "timeline17", "items", "articles of Timeline17", "TOPIC/InputDocs, articles.jsonl",
        "sources.tables.published:read_timeline17", is_folder=True,
    ),
    Format(
        "crisisfacts", "items", "a stream of CrisisFACTS", "CrisisFACTS-001.jsonl",
        "sources.tables.published:read_crisisfacts_stream",
    ),
    Format(
        "page", "items", "an HTML page of an outlet", "fire.html",
        "sources.pages.page:read_page", endings=(".html", ".htm", ".xhtml", ".shtml"),
    ),
    Format(
        "text", "items", "a plain text or Markdown", "2026-02-17-fire.txt, fire.md",
        "sources.pages.plain:read_text", endings=(".txt", ".text", ".md", ".markdown", ".mdown", ".mkd"),
    ),
    Format(
        "folder", "items", "a folder of pages, texts, feeds, tables and archives", "saved",
        "sources.pages.folders:read_folder", is_folder=True,
    ),
    Format(
        "zip", "items", "a zip archive of such files", "saved.zip",
        "sources.pages.folders:read_zip", endings=(".zip",),
    ),
    Format(
        "tar", "items", "a tar archive of such files", "saved.tar.gz",
        "sources.pages.folders:read_tar", endings=(".tar", ".tgz", ".txz"),
    ),
    Format(
        "topics", "events", "TREC topics", "topics.xml",
        "sources.trec.topics:read_topics", "sources.trec.topics:write_topics",
        endings=(".xml",), becomes=("events", "topics"),
    ),
    Format(
        "events", "events", "events", "event.json, events.jsonl",
        "sources.own.events:read_event_file", "sources.own.events:write_event",
        endings=(".json", *JSON_LINES), piped=True, becomes=("topics", "events"),
    ),
    Format(
        "trec", "judgments", "a folder of TREC judgments", "a folder with nuggets.tsv",
        "sources.trec.folder:read_trec_judgments", "sources.trec.folder:write_trec_judgments",
        is_folder=True, events="sources.trec.folder:read_folder_events",
        becomes=("judgments", "trec", *_FOLDER_PARTS),
    ),
    Format(
        "judgments", "judgments", "a folder of tidings' judgments", "a folder with event.json",
        "sources.own.judgments:read_own_judgments", "sources.own.judgments:write_own_judgments",
        is_folder=True, marks=("event.json", "events.jsonl", "nuggets.jsonl", "documents.jsonl"),
        events="sources.own.judgments:read_events",
        becomes=("trec", "judgments", "documents", "pool", "topics", "events"),
    ),
    Format(
        "nuggets", "nuggets", "a TREC table of nuggets", "nuggets.tsv",
        "sources.trec.judgments:read_nuggets", "sources.trec.judgments:write_nuggets", endings=(".tsv",),
    ),
    Format(
        "matches", "matches", "a TREC table of matches", "matches.tsv",
        "sources.trec.judgments:read_matches", "sources.trec.judgments:write_matches", endings=(".tsv",),
    ),
    Format(
        "duplicates", "duplicates", "a TREC table of duplicates", "duplicates.tsv",
        "sources.trec.judgments:read_duplicates", "sources.trec.judgments:write_duplicates", endings=(".tsv",),
    ),
)  # fmt: skip
"""The formats of documents, events and judgments, by their names."""


def is_own_folder(folder: str | Path) -> bool:
    """Whether a folder is in tidings' own format, by the files it holds."""
    return find(folder, *DOCUMENT_FORMATS["judgments"].marks) is not None
