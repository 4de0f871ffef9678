"""Runs of tweets: pushes as they came, digests of each day, and timelines of a topic."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable
from itertools import repeat
from pathlib import Path
from typing import Any

from tidings.core import (
    BadValueError,
    Field,
    Problems,
    Run,
    Update,
    UsageError,
    plain_name,
    quote_value,
    read_table,
    read_text,
    source_name,
    write_atomically,
)
from tidings.evaluation.formats.tweets import full_topic, tidy, word_field

_CLOCK = re.compile(r"([0-9]{4})-([01][0-9]|2[0-3]):([0-5][0-9]):([0-5][0-9])", re.ASCII)
_WHOLE = re.compile(r"[0-9]{1,11}(?:\.[0-9]*)?", re.ASCII)
_SECONDS = "seconds since 1970 (UTC), or MMDD-HH:MM:SS"


def day_start(day: str) -> int:
    """The first second of a day written YYYYMMDD, in UTC.

    >>> day_start("20170729")
    1501286400
    """
    moment = datetime.datetime(int(day[:4]), int(day[4:6]), int(day[6:8]), tzinfo=datetime.UTC)
    return int(moment.timestamp())


def read_push_run(path: str | Path, *, year: int = 2017, problems: Problems | None = None) -> list[Run]:
    """The pushes of a file, one run for each tag, in the order of the file.

    `year` is that of times written without one.

    Raises:
        FormatError: one or more lines are not of the format.
    """
    fields = (word_field("topic"), Field.text("tweet"), _push_time(year), word_field("tag"))

    def updates(columns: list[list[Any]]) -> list[Update]:
        return list(map(Update, map(full_topic, columns[0]), columns[1], repeat(0), columns[2]))

    return _read(path, fields, "a run of pushes (topic tweet time tag)", problems, updates)


def read_digest_run(path: str | Path, *, problems: Problems | None = None) -> list[Run]:
    """The daily lists of a file, one run for each tag, in the order of the file.

    Raises:
        FormatError: one or more lines are not of the format.
    """

    def updates(columns: list[list[Any]]) -> list[Update]:
        days, topics, _, tweets, ranks, scores, _ = columns
        return list(map(Update, map(full_topic, topics), tweets, ranks, days, scores))

    what = "a run of digests (YYYYMMDD topic Q0 tweet rank score tag)"
    return _read(path, (_day_time(), *_rank()), what, problems, updates)


def _read(
    path: str | Path,
    fields: tuple[Field, ...],
    what: str,
    problems: Problems | None,
    updates: Callable[[list[list[Any]]], list[Update]],
) -> list[Run]:
    collected = Problems() if problems is None else problems
    text = tidy(read_text(path))
    if not text.strip():
        return [Run("", _stem(path), ())]
    table = read_table(text, source_name(path), fields, what=what, problems=collected, spaces=True, header=())
    return runs_by_tag(path, table.columns[-1], updates(table.columns))


def runs_by_tag(path: str | Path, tags: list[str], updates: list[Update]) -> list[Run]:
    """One run for each tag, in order of first appearance; without any, one empty run called as the file is."""
    order = dict.fromkeys(tags)
    if len(order) == 1:
        return [Run("", tags[0], updates)]
    grouped: dict[str, list[Update]] = {tag: [] for tag in order}
    for tag, update in zip(tags, updates, strict=True):
        grouped[tag].append(update)
    return [Run("", tag, kept) for tag, kept in grouped.items()] or [Run("", _stem(path), ())]


def _stem(path: str | Path) -> str:
    return source_name(path) if str(path) == "-" else Path(plain_name(path)).stem or plain_name(path)


def _push_time(year: int) -> Field:
    days: dict[str, int] = {}
    plain = Field.time("time")

    def one(column: str, value: str) -> int:
        if _WHOLE.fullmatch(value):
            return int(plain.one(column, value.split(".", maxsplit=1)[0]))
        clock = _CLOCK.fullmatch(value)
        if clock is None:
            raise BadValueError(f"{column} {quote_value(value)}", _SECONDS)
        return start(clock[1]) + int(clock[2]) * 3600 + int(clock[3]) * 60 + int(clock[4])

    def start(day: str) -> int:
        if day not in days:
            try:
                days[day] = day_start(f"{year:04d}{day}")
            except ValueError:
                raise BadValueError(f"day {quote_value(day)}", "a day as MMDD") from None
        return days[day]

    def bulk(values: list[str]) -> list[Any]:
        if values[0].isdigit():
            return plain.bulk(values)
        return [one("time", value) for value in values]

    return Field("time", bulk, one)


def _day_time() -> Field:
    def one(column: str, value: str) -> int:
        try:
            if len(value) == 8 and value.isascii() and value.isdigit():
                time = day_start(value)
                if time >= 0:
                    return time
        except (ValueError, OverflowError):
            pass
        raise BadValueError(f"{column} {quote_value(value)}", "a day from 1970 on as YYYYMMDD")

    def bulk(values: list[str]) -> list[Any]:
        times = {value: one("day", value) for value in set(values)}
        return [times[value] for value in values]

    return Field("day", bulk, one)


def write_push_run(path: str | Path, runs: Iterable[Run]) -> None:
    """Write pushes with their times in seconds since 1970, apart by tabs.

    Raises:
        UsageError: an id is empty or holds a blank.
        OutputError: the file could not be written.
    """
    _write(path, runs, lambda topic, tweet, tag, update: f"{topic}\t{tweet}\t{update.time}\t{tag}")


def write_digest_run(path: str | Path, runs: Iterable[Run]) -> None:
    """Write daily lists, apart by blanks.

    Raises:
        UsageError: an id is empty or holds a blank.
        OutputError: the file could not be written.
    """

    def line(topic: str, tweet: str, tag: str, update: Update) -> str:
        day = datetime.datetime.fromtimestamp(update.time, datetime.UTC).strftime("%Y%m%d")
        return f"{day} {topic} Q0 {tweet} {update.sentence_index} {update.confidence!r} {tag}"

    _write(path, runs, line)


def _write(path: str | Path, runs: Iterable[Run], line: Callable[[str, str, str, Update], str]) -> None:
    with write_atomically(path) as file:
        for run in runs:
            tag = _word(run.name, "run")
            for update in run.updates:
                topic, tweet = _word(update.event_id, "topic"), _word(update.doc_id, "tweet")
                file.write(f"{line(topic, tweet, tag, update)}\n".encode("utf-8", "surrogateescape"))


def _word(value: str, what: str) -> str:
    if value.split() != [value]:
        raise UsageError(f"the {what} id {quote_value(value)} (expected one without blanks)")
    return value


def _rank(least: int = 0) -> tuple[Field, ...]:
    rank = Field.integer("rank", least)
    return (
        word_field("topic"),
        Field.few("Q0"),
        Field.text("tweet"),
        rank,
        Field.number("score"),
        word_field("tag"),
    )


_TIMELINE = _rank(-(10**9))


def read_timeline_run(path: str | Path, *, problems: Problems | None = None) -> list[Run]:
    """The timelines of a file, one run for each tag; a file without lines is one empty run, called as the file is.

    Raises:
        FormatError: one or more lines are not of the format.
    """

    def updates(columns: list[list[Any]]) -> list[Update]:
        topics, _, tweets, ranks, scores, _ = columns
        return list(map(Update, map(full_topic, topics), tweets, ranks, repeat(0), scores))

    what = "a run of tweet timelines (topic Q0 tweet rank score tag)"
    return _read(path, _TIMELINE, what, problems, updates)


def write_timeline_run(path: str | Path, runs: Iterable[Run]) -> None:
    """Write timelines, apart by blanks.

    Raises:
        UsageError: an id is empty or holds a blank.
        OutputError: the file could not be written.
    """

    def line(topic: str, tweet: str, tag: str, update: Update) -> str:
        return f"{topic} Q0 {tweet} {update.sentence_index} {update.confidence!r} {tag}"

    _write(path, runs, line)
