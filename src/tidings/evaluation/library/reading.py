"""`tidings.read_documents`, `read_judgments` and `read_run`: files as records."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from tidings.core import Document, Judgments, Problems, Run
from tidings.evaluation.scoring.runs import is_store, read_runs
from tidings.following import (
    ArgumentTypeError,
    ArgumentValueError,
    ReadingArgument,
    as_reading_options,
    kind_of,
)

__all__ = ["as_path", "read_documents", "read_judgments", "read_run"]


def as_path(path: str | os.PathLike[str], name: str = "path") -> str:
    """A path as text; raises ArgumentTypeError for what is none.

    >>> as_path(3)
    Traceback (most recent call last):
    tidings.following.library.arguments.ArgumentTypeError: path: found an int, expected a path
    """
    if not isinstance(path, str | os.PathLike):
        raise ArgumentTypeError(f"{name}: found {kind_of(path)}, expected a path")
    text = os.fspath(path)
    if not isinstance(text, str):
        raise ArgumentTypeError(f"{name}: found {kind_of(text)}, expected a path as text")
    return text


def _existing(path: str | os.PathLike[str]) -> str:
    from tidings.sources import is_address

    text = as_path(path)
    if text != "-" and not is_address(text) and not Path(text).exists():
        raise ArgumentValueError(f"{text}: found no such file or folder, expected one; check the path")
    return text


def read_documents(
    path: str | os.PathLike[str],
    *,
    pool: Literal["sampled", "extended"] = "sampled",
    lenient: bool = False,
    reading: ReadingArgument | None = None,
) -> Iterator[Document]:
    """The documents of a stream, or of files of any kind, one by one and in flat memory.

    Args:
        path: a JSON Lines file (`.jsonl`, compressed or not; `-` for standard input), a folder that holds
            documents.jsonl, a folder of TREC Temporal Summarization, or a table of pooled updates, each in its own
            order; or a feed, a page, a table or an archive of other people's, in the order of time.
        pool: which pool of a TREC folder.
        lenient: skip bad lines.
        reading: how other people's files are understood, a dict: `zone` of times that name none, `year` of dates that
            name none, `day_first`, `columns` of tables (`{"time": "date", "text": "body"}`), `file_times`, `quality`,
            `language`, as the options of `tidings read`.

    Raises:
        ArgumentTypeError, ArgumentValueError: no path, or nothing is there; at the call.
        FormatError: bad lines with path:line, when reading reaches them.

    >>> from tidings import bundled
    >>> documents = read_documents(bundled.path())
    >>> next(documents).title
    "Tonight's programme in the old town"
    """
    from tidings.following import read_any

    options = as_reading_options(reading)
    return iter(read_any(_existing(path), pool, Problems(lenient=lenient), options))


def read_judgments(
    folder: str | os.PathLike[str], *, pool: Literal["sampled", "extended"] = "sampled"
) -> Judgments:
    """Everything that was judged in a folder: of TREC Temporal Summarization, or in tidings' own format.

    Read once, they can be given to `score` and `compare` as often as wanted.

    Args:
        folder: where the judgments are.
        pool: which of TREC's tables of judged updates.

    Raises:
        ArgumentTypeError, UsageError: no path, no such folder, or one without judgments. FormatError: bad lines.

    >>> from tidings import bundled
    >>> judgments = read_judgments(bundled.path())
    >>> len(judgments.nuggets), judgments.events[0].id
    (82, 'santiago-2013')
    """
    from tidings.sources import read_judgments as read

    return read(as_path(folder), pool=pool)


def read_run(path: str | os.PathLike[str], name: str | None = None) -> Run:
    """A run of updates: from a file (JSON Lines, or TREC's seven columns), or from a store that keeps it.

    Args:
        path: a file, compressed or not; or the path or URL of a store.
        name: which run, as `run` or `team run`, where there are several.

    Raises:
        ArgumentTypeError, ArgumentValueError: no path; nothing is there; or several runs, or none of that name.
        FormatError: bad lines, all together with path:line. StoreError: the store cannot be read.

    >>> from tidings import bundled
    >>> read_run(bundled.path() / "updates.jsonl")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tidings.following.library.arguments.ArgumentValueError: ...updates.jsonl: found no such file or folder, expecte ...
    """
    text = as_path(path)
    runs = read_runs(text) if is_store(text) else read_runs(_existing(text))
    names = [f"{run.team} {run.name}".strip() for run in runs]
    chosen = [run for run, full in zip(runs, names, strict=True) if name is None or name in (run.name, full)]
    if len(chosen) == 1:
        return chosen[0]
    if name is None:
        mend = 'say which: name="…"; `tidings.score` and `compare` take all of a file'
        raise ArgumentValueError(f"{text}: found {len(runs)} runs ({', '.join(names)}), expected one; {mend}")
    how = "no run" if not chosen else f"{len(chosen)} runs"
    raise ArgumentValueError(f"{text}: found {how} called {name!r}, expected one of {', '.join(names)}")
