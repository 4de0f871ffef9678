"""Tweets: pushes, digests and timelines of real-time summarization, with their judgments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from tidings.core import (
    BadValueError,
    Cluster,
    Field,
    FormatError,
    Problem,
    Problems,
    UsageError,
    is_folder,
    nothing_there,
    plain_name,
    quote_value,
    read_table,
    read_text,
    source_name,
    write_atomically,
    write_json,
)

_DAY = re.compile(r"[0-9]{8}", re.ASCII)
_GRADE = Field.integer("label", -9, 9, "a grade")


def _labels(values: list[str]) -> list[Any]:
    few = sorted(set(values))
    return list(map(dict(zip(few, _GRADE.bulk(few), strict=True)).__getitem__, values))


_LABEL = Field("label", _labels, _GRADE.one)
_QRELS = (Field.few("topic"), Field.text("Q0"), Field.text("tweet"), _LABEL)
_MOBILE = (Field.few("topic"), Field.text("tweet"), Field.time("epoch"), _LABEL)
_FLAT = (Field.few("topic"), Field.few("cluster"), Field.text("tweet"))


class TweetJudgments(Struct, frozen=True, kw_only=True):
    """What assessors said about tweets.

    Attributes:
        name: where it was read from.
        grades: topic to tweet to label, as written; the topics are those that were judged.
        clusters: tweets that say the same; the first of each is the earliest.
        days: tweet to the UTC day on which it was posted, as YYYYMMDD.
        times: tweet to the second in which it was posted.
    """

    name: str
    grades: dict[str, dict[str, int]]
    clusters: tuple[Cluster, ...]
    days: dict[str, str] = {}
    times: dict[str, int] = {}


class MobileJudgment(Struct, frozen=True, gc=False):
    """What one person with a telephone said about one tweet: 2 relevant, 1 redundant, else not relevant."""

    topic: str
    tweet: str
    time: int
    label: int


def full_topic(topic: str) -> str:
    """A topic with its track's letters: the qrels of 2015 write `226` for `MB226`.

    >>> full_topic("226"), full_topic("RTS7")
    ('MB226', 'RTS7')
    """
    return f"MB{topic}" if topic.isdigit() else topic


def tidy(text: str) -> str:
    """The text with line ends as they should be and, where the first line has some, no blanks before them.

    Lines keep their numbers.
    """
    first = text[: text.find("\n") + 1]
    if "\r" not in text and not first.endswith((" \n", "\t\n")):
        return text
    return "\n".join(map(str.rstrip, text.split("\n")))


def word_field(name: str) -> Field:
    """A column of words of which few different ones come."""
    few = Field.few(name)

    def bulk(values: list[str]) -> list[Any]:
        for value in set(values):
            if value.split() != [value]:
                raise ValueError(name)  # the careful way takes stray blanks off
        return few.bulk(values)

    return Field(name, bulk, few.one)


def find_file(folder: str | Path, what: str, *, needs: str, ends: tuple[str, ...], without: str = "") -> Path:
    """The file of a folder whose name holds `needs`, ends in one of `ends` (or these packed), and lacks `without`.

    Where several do, the one of the batch evaluation is meant.

    Raises:
        UsageError: no such folder, no such file, or several.
    """
    place = Path(folder)
    if not is_folder(place):
        raise nothing_there(folder, "folder of qrels and clusters")
    candidates: dict[str, Path] = {}
    for path in sorted(place.iterdir()):
        name = plain_name(path)
        if needs in name and name.endswith(ends) and not (without and without in name) and path.is_file():
            candidates.setdefault(name, path)
    paths = list(candidates.values())
    if len(paths) > 1:
        paths = [path for path in paths if "batch" in path.name] or paths
    if len(paths) == 1:
        return paths[0]
    wanted = f"a file *{needs}*{' or '.join(ends)} (.gz, .xz and .zst will do)"
    if not paths:
        raise UsageError(f"{folder}: no {what} (expected {wanted})")
    raise UsageError(
        f"{folder}: {' and '.join(path.name for path in paths)} (expected one file of {what}); move others away"
    )


def read_tweet_judgments(
    folder: str | Path, *, days: bool = True, problems: Problems | None = None
) -> TweetJudgments:
    """Everything of a folder such as NIST hands out; files are known by what their names hold.

    Without `days` (tweet timelines) no file of days is looked for.

    Raises:
        UsageError: a file is missing.
        FormatError: a line or object is not of its format.
    """
    qrels = find_file(folder, "qrels", needs="qrels", ends=(".txt", ".qrels", "qrels"), without="mobile")
    clusters = find_file(folder, "clusters", needs="clusters", ends=(".json", ".txt"), without="gloss")
    grades = read_qrels(qrels, problems=problems)
    posted: tuple[dict[str, str], dict[str, int]] = ({}, {})
    if days:
        table = find_file(folder, "days of tweets", needs="dayepoch", ends=(".txt",), without="mobile")
        posted = read_tweet_days(table, problems=problems)
    return TweetJudgments(
        name=str(folder),
        grades=grades,
        clusters=read_tweet_clusters(clusters, problems=problems),
        days=posted[0],
        times=posted[1],
    )


def read_qrels(path: str | Path, *, problems: Problems | None = None) -> dict[str, dict[str, int]]:
    """Topic to tweet to label; of a tweet judged twice the last label stands."""
    topics, _, tweets, labels = _columns(path, _QRELS, "qrels of tweets", problems)
    grades: dict[str, dict[str, int]] = {}
    at = 0
    for topic, rows in groupby(topics):
        end = at + len(list(rows))
        judged = grades.setdefault(full_topic(topic), {})
        judged.update(zip(tweets[at:end], labels[at:end], strict=True))
        at = end
    return grades


def read_tweet_days(
    path: str | Path, *, problems: Problems | None = None
) -> tuple[dict[str, str], dict[str, int]]:
    """The UTC day (YYYYMMDD) and the second in which each tweet was posted."""
    fields = (Field.text("tweet"), day_field(), Field.time("epoch"))
    tweets, days, times = _columns(path, fields, "days of tweets", problems)
    return dict(zip(tweets, days, strict=True)), dict(zip(tweets, times, strict=True))


def day_field(name: str = "day") -> Field:
    """A column of days, YYYYMMDD."""

    def one(column: str, value: str) -> str:
        if not _DAY.fullmatch(value) or not ("01" <= value[4:6] <= "12" and "01" <= value[6:] <= "31"):
            raise BadValueError(f"{column} {quote_value(value)}", "a day as YYYYMMDD")
        return value

    def bulk(values: list[str]) -> list[Any]:
        few: dict[str, str] = {}
        kept = list(map(few.setdefault, values, values))
        for value in few:
            one(name, value)
        return kept

    return Field(name, bulk, one)


def read_mobile_qrels(path: str | Path, *, problems: Problems | None = None) -> list[MobileJudgment]:
    """The assessments of 2016, in the order of the file; a tweet may be judged by several people."""
    topics, tweets, times, labels = _columns(path, _MOBILE, "mobile qrels", problems)
    return [
        MobileJudgment(full_topic(topic), tweet, time, label)
        for topic, tweet, time, label in zip(topics, tweets, times, labels, strict=True)
    ]


def read_tweet_clusters(path: str | Path, *, problems: Problems | None = None) -> tuple[Cluster, ...]:
    """Clusters in any of the forms of 2014 to 2017; lists without names are numbered from 1 within their topic.

    Raises:
        FormatError: the JSON is broken or of another shape.
    """
    text = read_text(path)
    if not text.lstrip().startswith(("{", "[")):
        topics, ids, tweets = _columns(path, _FLAT, "clusters of tweets", problems)
        grouped: dict[tuple[str, str], list[str]] = {}
        for topic, cluster, tweet in zip(topics, ids, tweets, strict=True):
            grouped.setdefault((full_topic(topic), cluster), []).append(tweet)
        return tuple(Cluster(topic, cluster, tuple(kept)) for (topic, cluster), kept in grouped.items())
    try:
        data = msgspec.json.decode(text.encode("utf-8", "surrogateescape"))
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise FormatError(
            [Problem(source_name(path), 0, f"broken JSON ({error})", "clusters of tweets")]
        ) from None
    if isinstance(data, dict) and "topics" in data and not _is_topic(data["topics"]):
        data = data["topics"]
    if not isinstance(data, dict):
        raise _odd(path, "a list", 'an object {"topic": {"clusters": ...}}')
    return tuple(
        cluster for topic, about in data.items() for cluster in _clusters_of(path, full_topic(topic), about)
    )


def _is_topic(value: Any) -> bool:
    """Whether this is what is said of one topic, which then is called `topics`, and not all topics by name."""
    clusters = value.get("clusters") if isinstance(value, dict) else None
    return isinstance(clusters, list | dict) and "clusters" not in clusters


def _clusters_of(path: str | Path, topic: str, about: Any) -> Iterable[Cluster]:
    clusters = about.get("clusters") if isinstance(about, dict) else None
    if isinstance(clusters, list):
        clusters = {str(number): tweets for number, tweets in enumerate(clusters, start=1)}
    if not isinstance(clusters, dict):
        raise _odd(
            path,
            f"topic {quote_value(topic)} without clusters",
            '{"clusters": [[tweet, ...], ...]} or by name',
        )
    for name, listed in clusters.items():
        tweets = listed.get("tweets") if isinstance(listed, dict) else listed
        label = listed.get("description", "") if isinstance(listed, dict) else ""
        if not isinstance(tweets, list) or not all(_is_id(tweet) for tweet in tweets):
            raise _odd(
                path,
                f"cluster {quote_value(name)} of topic {quote_value(topic)} without tweet ids",
                "a list of ids",
            )
        yield Cluster(topic, name, tuple(map(str, tweets)), label if isinstance(label, str) else "")


def _is_id(value: Any) -> bool:
    return (isinstance(value, str) and bool(value)) or (
        isinstance(value, int) and not isinstance(value, bool)
    )


def _odd(path: str | Path, found: str, expected: str) -> FormatError:
    return FormatError([Problem(source_name(path), 0, found, expected)])


def _columns(
    path: str | Path, fields: tuple[Field, ...], what: str, problems: Problems | None
) -> list[list[Any]]:
    collected = Problems() if problems is None else problems
    text = tidy(read_text(path))
    return read_table(
        text, source_name(path), fields, what=what, problems=collected, spaces=True, header=()
    ).columns


def write_qrels(path: str | Path, grades: Mapping[str, Mapping[str, int]]) -> None:
    """Write `topic Q0 tweet label`."""
    with write_atomically(path) as file:
        for topic, judged in grades.items():
            file.write("".join(f"{topic} Q0 {tweet} {label}\n" for tweet, label in judged.items()).encode())


def write_tweet_clusters(path: str | Path, clusters: Iterable[Cluster]) -> None:
    """Write clusters as JSON in the form of 2017."""
    topics: dict[str, dict[str, dict[str, Any]]] = {}
    for cluster in clusters:
        named_so = topics.setdefault(cluster.event_id, {"clusters": {}})["clusters"]
        named_so[cluster.id] = {"description": cluster.label, "tweets": list(cluster.update_ids)}
    write_json(path, topics, indent=1)


def write_mobile_qrels(path: str | Path, judgments: Iterable[MobileJudgment]) -> None:
    """Write `topic tweet epoch label`."""
    with write_atomically(path) as file:
        for judgment in judgments:
            file.write(f"{judgment.topic} {judgment.tweet} {judgment.time} {judgment.label}\n".encode())
