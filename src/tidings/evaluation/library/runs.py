"""Runs as a caller has them (records, updates, dicts, tables, paths, stores), turned into what a scorer takes.

What reads runs, judgments and documents for a caller stands here too.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from operator import index
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec

from tidings.core import (
    Document,
    EntityRanking,
    Judgments,
    Problems,
    Run,
    Support,
    Update,
    ValueUpdate,
    is_store,
)
from tidings.evaluation.scoring.runs import read_runs
from tidings.evaluation.scoring.scorer import Scorer
from tidings.following import (
    ArgumentTypeError,
    ArgumentValueError,
    OutputStream,
    ReadingArgument,
    TableRows,
    as_id,
    as_reading_options,
    as_time,
    is_missing,
    kind_of,
    rows_of,
    shorten,
)


def as_path(path: str | os.PathLike[str], name: str = "path") -> str:
    """A path as text; raises ArgumentTypeError for what is none.

    >>> as_path(3)
    Traceback (most recent call last):
    tidings.following.library.arguments.ArgumentTypeError: path: an int (expected a path)
    """
    if not isinstance(path, str | os.PathLike):
        raise ArgumentTypeError(f"{name}: {kind_of(path)} (expected a path)")
    text = os.fspath(path)
    if not isinstance(text, str):
        raise ArgumentTypeError(f"{name}: {kind_of(text)} (expected a path as text)")
    return text


def _need_existing(path: str | os.PathLike[str]) -> str:
    from tidings.sources import is_address

    text = as_path(path)
    if text != "-" and not is_address(text) and not Path(text).exists():
        raise ArgumentValueError(f"{text}: no such file or folder; check the path")
    return text


def read_documents(
    path: str | os.PathLike[str],
    *,
    pool: Literal["sampled", "extended"] = "sampled",
    lenient: bool = False,
    reading: ReadingArgument | None = None,
) -> Iterator[Document]:
    """Read the documents of a stream, or of files of any kind, one by one in constant memory.

    Args:
        path: a JSON Lines file (`.jsonl`, compressed or not; `-` for standard input), a folder that holds
            documents.jsonl, a folder of TREC Temporal Summarization, or a table of pooled updates, each read in its
            own order; or a feed, a page, a table or an archive, read in order of time.
        pool: the pool of a TREC folder.
        lenient: skip malformed lines.
        reading: how to read files, as a dict: `zone` for times without a zone, `year` for dates without a year,
            `day_first`, `columns` of tables (`{"time": "date", "text": "body"}`), `file_times`, `quality`, `language`
            and `allow_private`, like the options of `tidings read`.

    Raises:
        ArgumentTypeError, ArgumentValueError: this is no path, or nothing is there. Raised by the call itself.
        FormatError: a line is malformed. Raised, with path:line, when reading reaches it.

    >>> from tidings import bundled
    >>> documents = read_documents(bundled.path())
    >>> next(documents).title
    "Tonight's programme in the old town"
    """
    from tidings.following import read_any

    options = as_reading_options(reading)
    return iter(read_any(_need_existing(path), pool, Problems(lenient=lenient), options))


def read_judgments(
    folder: str | os.PathLike[str], *, pool: Literal["sampled", "extended"] = "sampled"
) -> Judgments:
    """Read all judgments in a folder of TREC Temporal Summarization or in tidings' own format.

    The result can be passed to `score` and `compare` any number of times.

    Args:
        folder: the folder that holds the judgments.
        pool: which of TREC's tables of judged updates to read.

    Raises:
        ArgumentTypeError, UsageError: this is no path, or there is no such folder, or it holds no judgments.
            FormatError: lines are malformed.

    >>> from tidings import bundled
    >>> judgments = read_judgments(bundled.path())
    >>> len(judgments.nuggets), judgments.events[0].id
    (82, 'santiago-2013')
    """
    from tidings.sources import read_judgments as read

    return read(as_path(folder), pool=pool)


def read_run(path: str | os.PathLike[str], name: str | None = None) -> Run:
    """Read a run of updates from a file (JSON Lines, or TREC's seven columns) or from a store.

    Args:
        path: a file, compressed or not, or the path or URL of a store.
        name: the run, as `run` or `team run`, if there are several.

    Raises:
        ArgumentTypeError, ArgumentValueError: this is no path, nothing is there, there are several runs, or none has
            this name.
        FormatError: lines are malformed; the message lists all of them with path:line. StoreError: the store cannot
            be read.

    >>> from tidings import bundled
    >>> read_run(bundled.path() / "updates.jsonl")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tidings.following.library.arguments.ArgumentValueError: ...updates.jsonl: no such file or folder...
    """
    text = as_path(path)
    runs = read_runs(text) if is_store(text) else read_runs(_need_existing(text))
    names = [f"{run.team} {run.name}".strip() for run in runs]
    chosen = [run for run, full in zip(runs, names, strict=True) if name is None or name in (run.name, full)]
    if len(chosen) == 1:
        return chosen[0]
    if name is None:
        mend = 'say which: name="…"; `tidings.score` and `compare` take all of a file'
        raise ArgumentValueError(f"{text}: {len(runs)} runs ({', '.join(names)}) (expected one); {mend}")
    how = "no run" if not chosen else f"{len(chosen)} runs"
    raise ArgumentValueError(f"{text}: {how} called {name!r} (expected one of {', '.join(names)})")


Runs: TypeAlias = "Run | OutputStream | Iterable[Any] | Mapping[str, Any] | str | os.PathLike[str] | Any"
"""One run or several: `Run`s, updates, dicts, tables, paths of files and stores; a dict names each of its runs."""

_INFINITE = 1000.0
"""What the official scorers make of an infinite confidence."""

_COLUMNS = {
    "event": ("event", "event_id", "query_id"),
    "doc": ("doc", "doc_id"),
    "sentence": ("sentence", "sentence_index", "sentence_id"),
    "update": ("update", "update_id"),
    "time": ("time", "decision_time"),
    "confidence": ("confidence",),
    "text": ("text",),
    "published_time": ("published_time",),
    "source": ("source",),
    "team": ("team", "team_id"),
    "run": ("run", "run_id"),
}
"""How a column of a table of updates may be called: as in tidings' lines, its records' fields, TREC's columns."""

_EXPECTED = (
    "a Run, updates, dicts or a table with event, doc and sentence (or update) and time, or the path of a run"
)


def as_runs(
    value: Runs, scorer: Scorer[Any], problems: Problems | None = None, name: str = "run"
) -> list[Any]:
    """The runs that a caller means, of the kind that the scorer takes, in their order.

    Runs without a name get `name`, or where there are several `name-1`, `name-2`. Of other outputs than updates
    nothing is kept.

    Raises:
        ArgumentTypeError, ArgumentValueError: not runs; a row that is no update, by its number.
        FormatError, StoreError: what is wrong with a file or a store.
    """
    if isinstance(value, Mapping) and not _is_update(value):
        return [
            _rename(run, str(key), len(runs) > 1)
            for key, part in value.items()
            for runs in [as_runs(part, scorer, problems, str(key))]
            for run in runs
        ]
    one = _one(value, scorer, problems, name)
    if one is not None:
        return one
    if isinstance(value, bytes) or not isinstance(value, Iterable):
        raise ArgumentTypeError(f"{name}: {kind_of(value)} (expected {_EXPECTED})")
    items = iter(value)
    first = next(items, None)
    if first is None:
        return [Run("", name, ())]
    items = chain([first], items)
    if _is_update(first):
        return [Run("", name, tuple(_updates(items, name)))]
    runs: list[Any] = []
    for number, item in enumerate(items, 1):
        if _is_update(item):
            raise ArgumentTypeError(
                f"{name}: item {number}: {kind_of(item)} among runs (expected {_EXPECTED})"
            )
        runs += as_runs(item, scorer, problems, f"{name}-{number}")
    return runs


def _one(value: Any, scorer: Scorer[Any], problems: Problems | None, name: str) -> list[Any] | None:
    if isinstance(value, Run) or (isinstance(value, scorer.takes) and not isinstance(value, str)):
        return [value]
    if isinstance(value, OutputStream):
        return [value.to_run()]
    if isinstance(value, str | os.PathLike):
        return list(scorer.read_runs(as_path(value, name), problems))
    rows = rows_of(value, name)
    return None if rows is None else list(_of_table(rows, name))


def _rename(run: Any, name: str, several: bool) -> Any:
    if several or not isinstance(run, Run):
        return run
    return msgspec.structs.replace(run, team="", name=name)


def _is_update(item: object) -> bool:
    if isinstance(item, Update | ValueUpdate | EntityRanking | Support):
        return True
    return isinstance(item, Mapping) and any(key in item for key in _COLUMNS["event"]) and "time" in item


def _updates(items: Iterable[Any], name: str) -> Iterator[Update]:
    for number, item in enumerate(items, 1):
        if isinstance(item, Update):
            yield _check(item, f"{name}: item {number}")
        elif isinstance(item, Mapping):
            if item.get("kind", "update") == "update":
                yield _update(item, {key: key_of(item, key) for key in _COLUMNS}, f"{name}: item {number}")
        elif not isinstance(item, ValueUpdate | EntityRanking | Support):
            raise ArgumentTypeError(f"{name}: item {number}: {kind_of(item)} (expected an Update or a dict)")


def key_of(columns: Iterable[Any], name: str) -> str | None:
    """Which of its names a column has here; None where it has none.

    >>> key_of(["query_id", "doc_id"], "event")
    'query_id'
    """
    return next((key for key in _COLUMNS[name] if key in columns), None)


def _of_table(rows: TableRows, name: str) -> list[Run]:
    keys = {column: key_of(rows.columns, column) for column in _COLUMNS}
    missing = [column for column in ("event", "time") if keys[column] is None]
    if keys["update"] is None and (keys["doc"] is None or keys["sentence"] is None):
        missing.append("doc and sentence (or update)")
    if missing:
        raise ArgumentValueError(
            f"{name}: a table with the columns {', '.join(map(str, rows.columns))} (expected also "
            f"{', '.join(missing)}); rename what you have"
        )
    runs: dict[tuple[str, str], list[Update]] = {}
    for number, row in enumerate(rows, 1):
        place = f"{name}: row {number}"
        whose = (_label(row, keys["team"], place), _label(row, keys["run"], place) or name)
        runs.setdefault(whose, []).append(_update(row, keys, place))
    if not runs:
        return [Run("", name, ())]
    return [Run(team, run, tuple(updates)) for (team, run), updates in runs.items()]


def _label(row: Mapping[str, Any], key: str | None, place: str) -> str:
    if key is None or is_missing(row[key]):
        return ""
    return as_id(row[key], f"{place}: {key}")


def _update(row: Mapping[str, Any], keys: Mapping[str, str | None], place: str) -> Update:
    def cell(column: str) -> Any:
        key = keys[column]
        return None if key is None or is_missing(row[key]) else row[key]

    def needed(column: str) -> Any:
        value = cell(column)
        if value is None:
            raise ArgumentValueError(f"{place}: no {column} (expected one in every update)")
        return value

    if keys["update"] is None and (keys["doc"] is None or keys["sentence"] is None):
        lacks = "doc" if keys["doc"] is None else "sentence"
        raise ArgumentValueError(f"{place}: no {lacks} (expected doc and sentence, or update)")
    if keys["doc"] is not None and keys["sentence"] is not None:
        doc_id, sentence = as_id(needed("doc"), f"{place}: doc"), needed("sentence")
    else:
        doc_id, dash, sentence = as_id(needed("update"), f"{place}: update").rpartition("-")
        if not dash or not (sentence.isascii() and sentence.isdigit()):
            raise ArgumentValueError(f"{place}: update {row[keys['update']]!r} (expected DOC-NUMBER)")  # type: ignore[index]
        sentence = int(sentence)
    published = cell("published_time")
    return Update(
        as_id(needed("event"), f"{place}: event"),
        doc_id,
        _number(sentence, f"{place}: sentence"),
        as_time(needed("time"), f"{place}: time"),
        1.0 if keys["confidence"] is None else _confidence(row[keys["confidence"]], f"{place}: confidence"),
        str(cell("text") or ""),
        0 if published is None else as_time(published, f"{place}: published_time"),
        str(cell("source") or ""),
    )


def _check(update: Update, place: str) -> Update:
    if type(update.time) is int and type(update.event_id) is str and math.isfinite(update.confidence):
        return update
    return msgspec.structs.replace(
        update,
        event_id=as_id(update.event_id, f"{place}: event_id"),
        time=as_time(update.time, f"{place}: time"),
        confidence=_confidence(update.confidence, f"{place}: confidence"),
    )


def _number(value: Any, place: str) -> int:
    try:
        number = int(value) if isinstance(value, float) and value.is_integer() else index(value)
    except TypeError:
        raise ArgumentTypeError(f"{place}: {kind_of(value)} ({shorten(value)}) (expected a number)") from None
    if isinstance(value, bool) or number < 0:
        raise ArgumentValueError(f"{place}: {shorten(value)} (expected a number from 0)")
    return number


def _confidence(value: Any, place: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise ArgumentTypeError(f"{place}: {kind_of(value)} ({shorten(value)}) (expected a number)") from None
    if math.isnan(number):
        raise ArgumentValueError(f"{place}: {shorten(value)} (expected a number)")
    return number if math.isfinite(number) else math.copysign(_INFINITE, number)
