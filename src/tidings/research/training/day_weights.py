"""Weights of the counts by which a digest ranks days, by ridge regression on stories with reference timelines.

A day's target is 1 where a reference timeline has it, else 0. Each story counts the same, however many days it has.
"""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import numpy as np
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
from tidings.following import DayWeights, Story, day_counts, read_references, read_story, scaled


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


def read_articles(path: str | Path) -> Iterator[Document]:
    """The documents of an `articles.jsonl`: `id`, `time` (a day or moment in ISO 8601, UTC unless it says), `text`.

    Raises:
        FormatError: bad lines.
    """
    return read_jsonl(path, _Article, _document, what="id, time, text")


def _document(line: _Article) -> Document:
    try:
        time = datetime.datetime.fromisoformat(line.time)
    except ValueError:
        raise BadRecordError(f"time {line.time[:40]!r}", "a day or moment in ISO 8601") from None
    time = time if time.tzinfo else time.replace(tzinfo=datetime.UTC)
    return Document(
        id=line.id,
        published_time=int(time.timestamp()),
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
            raise UsageError(f"{place}: no articles.jsonl (expected the articles of a topic)")
        story = read_story(read_articles(articles), Event(id=name, title="", query=query))
        references = read_references(place)[place.resolve().name]
        if not references:
            raise FormatError([Problem(str(place), 0, "no reference timeline", "at least one")])
        topics.append(TimelineTopic(name, story, tuple(references)))
    return topics


PENALTIES = {"ours": 0.1, "datewise": 1e-6}
"""What a unit of squared weight costs, by the system whose days are ranked: DATEWISE has plain linear regression."""


def fit_day_weights(stories: Sequence[tuple[Story, Collection[int]]], system: str) -> DayWeights:
    """The weights w that make Σ_stories mean_days (y - b - w·x)² + penalty |w|² least, x the scaled counts of a day.

    Args:
        stories: each with the numbers of the days of its reference timelines.
        system: `ours` (counts weighted by relevance, logarithmic) or `datewise` (plain counts).
    """
    own = system == "ours"
    rows, targets, shares = [], [], []
    for story, wanted in stories:
        counts = scaled(day_counts(story, weighted=own), logarithmic=own)
        rows += list(counts.values())
        targets += [float(day in wanted) for day in counts]
        shares += [1.0 / len(counts) / len(stories)] * len(counts)
    x, y, share = np.array(rows), np.array(targets), np.array(shares)
    centred = x - share @ x
    square = (centred * share[:, None]).T @ centred
    side = (centred * share[:, None]).T @ (y - share @ y)
    weights = np.linalg.solve(square + PENALTIES[system] * np.eye(len(square)), side)
    return DayWeights(tuple(round(float(weight), 4) for weight in weights), own, own)
