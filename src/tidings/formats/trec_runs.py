"""Runs of TREC Temporal Summarization: seven columns, no header, apart by blanks or tabs.

    query_id team_id run_id doc_id sentence_id decision_time confidence
"""

from __future__ import annotations

import gc
import math
from collections.abc import Iterable
from contextlib import contextmanager
from collections.abc import Iterator
from pathlib import Path

from tidings.errors import Problems
from tidings.formats.files import Limits, read_all, write_atomically
from tidings.records import Run, Update

__all__ = ["read_run", "without_collection", "write_run"]

_COLUMNS = "7 columns (query team run document sentence time confidence)"
_INFINITE = 1000.0  # what the official scorers make of `inf`


@contextmanager
def without_collection() -> Iterator[None]:
    """Pause the cyclic garbage collector while many small records are made; none of them is part of a cycle."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def read_run(path: str | Path, *, problems: Problems | None = None, limits: Limits | None = None) -> list[Run]:
    """The runs of one file, one for each team and run name, in order of first appearance; updates in file order.

    Raises:
        FormatError: lines that are not runs' lines, all together with path:line; with lenient `problems`
            they are skipped and counted.
    """
    problems = problems or Problems()
    data = read_all(path, limits)
    with without_collection():
        text = data.decode("utf-8", "surrogateescape")
        rows = [row for line in text.split("\n") if (row := line.split())]
        updates, names = _quickly(rows) or _carefully(str(path), text, problems)
        problems.check()
        return _runs(updates, names)


def write_run(path: str | Path, runs: Iterable[Run]) -> None:
    """Write runs as the track takes them, seven columns apart by tabs."""
    with write_atomically(path) as file:
        for run in runs:
            for update in run.updates:
                line = (
                    f"{update.event_id}\t{run.team}\t{run.name}\t{update.doc_id}\t{update.sentence_index}\t"
                    f"{update.time}\t{update.confidence!r}\n"
                )
                file.write(line.encode("utf-8", "surrogateescape"))


def _quickly(rows: list[list[str]]) -> tuple[list[Update], list[tuple[str, str]]] | None:
    # Column by column, with no look at single lines: what is odd is left to the careful way.
    if not rows:
        return [], []
    if set(map(len, rows)) != {7}:
        return None
    events, teams, names, docs, sentences, times, confidences = zip(*rows, strict=True)
    try:
        indices, seconds, weights = list(map(int, sentences)), list(map(int, times)), list(map(float, confidences))
    except ValueError:
        return None
    if min(indices) < 0 or min(seconds) < 0 or not all(map(math.isfinite, weights)):
        return None
    return list(map(Update, events, docs, indices, seconds, weights)), list(zip(teams, names, strict=True))


def _carefully(path: str, text: str, problems: Problems) -> tuple[list[Update], list[tuple[str, str]]]:
    updates: list[Update] = []
    names: list[tuple[str, str]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        row = line.split()
        if not row:
            continue
        if len(row) != 7:
            problems.add(path, number, f"{len(row)} columns", _COLUMNS, _hint(line))
            if problems.full:
                break
            continue
        event, team, name, doc, sentence, time, confidence = row
        index = _whole(sentence)
        seconds = _whole(time)
        weight = _number(confidence)
        if index is None:
            problems.add(path, number, f"sentence {sentence!r}", "a whole number from 0")
        elif seconds is None:
            problems.add(path, number, f"time {time!r}", "whole seconds since 1970", "write the time as UNIX seconds")
        elif weight is None:
            problems.add(path, number, f"confidence {confidence!r}", "a number")
        else:
            updates.append(Update(event, doc, index, seconds, weight))
            names.append((team, name))
        if problems.full:
            break
    return updates, names


def _runs(updates: list[Update], names: list[tuple[str, str]]) -> list[Run]:
    grouped: dict[tuple[str, str], list[Update]] = {}
    for update, name in zip(updates, names, strict=True):
        group = grouped.get(name)
        if group is None:
            grouped[name] = [update]
        else:
            group.append(update)
    return [Run(team, run, tuple(group)) for (team, run), group in grouped.items()]


def _whole(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() else None


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    if math.isnan(value):
        return None
    return math.copysign(_INFINITE, value) if math.isinf(value) else value


def _hint(line: str) -> str:
    if line.startswith("{"):
        return "this looks like JSON Lines; name the file .jsonl"
    if line.startswith("\x1f\udc8b"):
        return "this looks like a gzip file; name it .gz"
    return ""
