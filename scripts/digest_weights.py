"""Weights by which a digest ranks days and sentences, learned from stories with reference timelines.

Days: ridge regression on what is counted of a day; its target is 1 where a reference timeline has the day, else 0. Each
story counts the same, however many days it has.

Sentences: ridge regression among the candidates of a day of the reference; the target is how many of the reference's
words of that day a sentence has, less .15 for each of its own words. Each topic counts the same.
"""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

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
from tidings.evaluation.measures.tls.topic import rouge_words
from tidings.following.digests.day_ranking import DayWeights, DigestWeights, day_counts, day_features, scaled
from tidings.following.digests.making import quotable_candidates
from tidings.following.digests.sentence_ranking import (
    CANDIDATE_FEATURES,
    centre_of,
    cosines,
    sentence_features,
)
from tidings.following.digests.story import Story, read_story
from tidings.following.digests.timeline_files import read_references
from tidings.sources import read_documents

if TYPE_CHECKING:
    from numpy import ndarray


class _Article(Struct):
    id: str
    time: str
    text: str
    title: str = ""
    url: str = ""


class TimelineTopic(Struct, eq=False):
    """A story, its reference timelines, and the numbers of their days; of some stories only the days are known."""

    name: str
    story: Story
    references: tuple[DailyTimeline, ...]
    days: frozenset[int]
    topic: str = ""
    """What it is about: stories of several outlets have one topic."""


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
    """The topics of a folder that `queries` has words for, each a sub-folder.

    With `articles.jsonl` and reference timelines, as in Timeline17; its name is then the topic and the outlet
    (`bpoil_bbc`). Or with `stream.jsonl` and `dates.txt`, the days of the reference.

    Raises:
        UsageError: no such topic. FormatError: bad lines.
    """
    topics = []
    for name, query in queries.items():
        place = Path(folder) / name
        event = Event(id=name, title="", query=query)
        stream = next(iter(sorted(place.glob("stream.jsonl*"))), None)
        if stream is not None:
            dates = (place / "dates.txt").read_text(encoding="utf-8").split()
            story = read_story(read_documents(str(stream)), event)
            topics.append(TimelineTopic(name, story, (), frozenset(map(_number, dates)), name))
            continue
        articles = next(iter(sorted(place.glob("articles.jsonl*"))), None)
        if articles is None:
            raise UsageError(f"{place}: no articles.jsonl (expected the articles of a topic)")
        references = tuple(read_references(place)[place.resolve().name])
        if not references:
            raise FormatError([Problem(str(place), 0, "no reference timeline", "at least one")])
        days = frozenset(_number(day.date) for one in references for day in one.days)
        story = read_story(read_articles(articles), event)
        topics.append(TimelineTopic(name, story, references, days, name.rpartition("_")[0] or name))
    return topics


def _number(day: str) -> int:
    return datetime.date.fromisoformat(day).toordinal()


def bounded(topic: TimelineTopic) -> Story:
    """The story within the first and the last day of its references."""
    return replace(topic.story, first_day=min(topic.days), last_day=max(topic.days))


def fit_digest_weights(topics: Sequence[TimelineTopic]) -> DigestWeights:
    """All that digests learn, from topics; sentences from those whose references have words."""
    return DigestWeights(
        {system: fit_day_weights(topics, system) for system in PENALTIES},
        fit_sentence_weights(topics),
        tuple(sorted(topic.name for topic in topics)),
    )


PENALTIES = {"ours": 0.2, "datewise": 1e-6}
"""What a unit of squared weight costs, by the system whose days are ranked: DATEWISE has plain linear regression."""


def fit_day_weights(topics: Sequence[TimelineTopic], system: str) -> DayWeights:
    """The weights w that make Σ_topics mean_days (y - b - w·x)² + penalty |w|² least, x what is counted of a day.

    Args:
        system: `ours` or `datewise`.
    """
    rows, targets, shares = [], [], []
    for topic in topics:
        story = bounded(topic)
        counts = day_features(story) if system == "ours" else scaled(day_counts(story))
        rows += list(counts.values())
        targets += [float(day in topic.days) for day in counts]
        shares += [1.0 / len(counts) / len(topics)] * len(counts)
    x, y, share = np.array(rows), np.array(targets), np.array(shares)
    centred = x - share @ x
    square = (centred * share[:, None]).T @ centred
    side = (centred * share[:, None]).T @ (y - share @ y)
    weights = np.linalg.solve(square + PENALTIES[system] * np.eye(len(square)), side)
    return DayWeights(tuple(round(float(weight), 4) for weight in weights))


_WORD_COST = 0.15
"""What a word of a sentence costs: about the share of the words of a digest that references have."""


def fit_sentence_weights(topics: Sequence[TimelineTopic]) -> tuple[float, ...]:
    """The weights w that make Σ_topics mean_candidates (y - w·x)² + |w|² least.

    x are the features of a candidate less their mean over its day, by the root of their mean square over all; y the
    words that it shares with the day's reference less .15 of its own, less the day's mean, by the deviation of its
    story.
    """
    by_topic: dict[str, list[tuple[ndarray[Any, Any], ndarray[Any, Any]]]] = {}
    for topic in topics:
        if topic.references:
            by_topic.setdefault(topic.topic, []).append(_moments(topic))
    if not by_topic:
        return (0.0,) * len(CANDIDATE_FEATURES)
    square = np.mean(
        [np.mean([one[0] for one in of_topic], axis=0) for of_topic in by_topic.values()], axis=0
    )
    side = np.mean([np.mean([one[1] for one in of_topic], axis=0) for of_topic in by_topic.values()], axis=0)
    spread = np.sqrt(np.diag(square)).clip(1e-6)
    weights = np.linalg.solve(square / spread[:, None] / spread + np.eye(len(side)), side / spread) / spread
    return tuple(round(float(weight), 4) for weight in weights)


def _moments(topic: TimelineTopic) -> tuple[ndarray[Any, Any], ndarray[Any, Any]]:
    # Of a story: the mean over its days of x xᵀ and of x y.
    story = bounded(topic)
    centre, by_day = centre_of(story), quotable_candidates(story)
    squares, sides, deviations = [], [], []
    for day in (day for reference in topic.references for day in reference.days):
        candidates = by_day.get(_number(day.date), [])
        if len(candidates) < 2:
            continue
        wanted = Counter(word for sentence in day.sentences for word in rouge_words(sentence))
        x = sentence_features(candidates, _number(day.date), story, centre, cosines(candidates))
        y = np.array([_gain(rouge_words(one.text), wanted) for one in candidates])
        x, y = x - x.mean(axis=0), y - y.mean()
        squares.append(x.T @ x / len(x))
        sides.append(x.T @ y / len(x))
        deviations += y.tolist()
    if not squares:
        return np.zeros((len(CANDIDATE_FEATURES),) * 2), np.zeros(len(CANDIDATE_FEATURES))
    deviation = float(np.std(deviations)) or 1.0
    return np.mean(squares, axis=0), np.mean(sides, axis=0) / deviation


def _gain(words: list[str], wanted: Counter[str]) -> float:
    return (Counter(words) & wanted).total() - _WORD_COST * len(words)
