"""Topics of timeline summarization as news-tls keeps them: dated articles beside reference timelines."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterator
from pathlib import Path

from msgspec import Struct

from tidings.core import (
    BadRecordError,
    DailyTimeline,
    Document,
    Event,
    FormatError,
    Problem,
    UsageError,
    read_jsonl,
)
from tidings.following import Story, read_references, read_story

__all__ = ["TimelineTopic", "read_articles", "read_topics"]


class _Article(Struct):
    id: str
    time: str
    text: str
    title: str = ""
    url: str = ""


class TimelineTopic(Struct, eq=False):
    """A topic: its story, and each of its reference timelines."""

    name: str
    story: Story
    references: tuple[DailyTimeline, ...]

    def days(self) -> Collection[int]:
        """The numbers of the days that any reference has."""
        return {
            datetime.date.fromisoformat(day.date).toordinal() for one in self.references for day in one.days
        }


def read_articles(path: str | Path, source: str = "") -> Iterator[Document]:
    """The documents of an `articles.jsonl`: `id`, `time` (a day or moment in ISO 8601, UTC unless it says), `text`.

    Raises:
        FormatError: bad lines.
    """
    return read_jsonl(path, _Article, lambda line: _document(line, source), what="id, time, text")


def _document(line: _Article, source: str) -> Document:
    try:
        time = datetime.datetime.fromisoformat(line.time)
    except ValueError:
        raise BadRecordError(f"time {line.time[:40]!r}", "a day or moment in ISO 8601") from None
    time = time if time.tzinfo else time.replace(tzinfo=datetime.UTC)
    return Document(
        id=line.id,
        published_time=int(time.timestamp()),
        source=source,
        title=line.title,
        url=line.url,
        text=line.text,
    )


def read_topics(folder: str | Path, queries: dict[str, str]) -> list[TimelineTopic]:
    """The topics of a folder that `queries` has words for: sub-folders with articles and reference timelines.

    Raises:
        UsageError: no such topic. FormatError: bad lines.
    """
    topics = []
    for name, query in queries.items():
        place = Path(folder) / name
        articles = next(iter(sorted(place.glob("articles.jsonl*"))), None)
        if articles is None:
            raise UsageError(f"{place}: found no articles.jsonl, expected the articles of a topic")
        story = read_story(read_articles(articles), Event(id=name, title="", query=query))
        references = read_references(place)[place.resolve().name]
        if not references:
            raise FormatError([Problem(str(place), 0, "no reference timeline", "at least one")])
        topics.append(TimelineTopic(name, story, tuple(references)))
    return topics
