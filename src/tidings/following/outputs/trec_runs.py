"""TREC Temporal Summarization runs: seven columns apart by tabs or blanks, no header.

`query_id team_id run_id doc_id sentence_id decision_time confidence`; see docs/formats.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from tidings.core import (
    Field,
    Problems,
    Run,
    Update,
    UpdateColumns,
    UsageError,
    gc_paused,
    named,
    quote_value,
    read_table,
    read_text,
    write_atomically,
)

__all__ = ["INFINITE_CONFIDENCE", "read_run", "write_run"]

INFINITE_CONFIDENCE = 1000.0
_BLANKS = " \t\r\v\f\x1c\x1d\x1e\x1f"

_FIELDS = (
    Field.few("query_id"),
    Field.few("team_id"),
    Field.few("run_id"),
    Field.text("doc_id"),
    Field.integer("sentence_id"),
    Field.time("decision_time"),
    Field.number("confidence", INFINITE_CONFIDENCE),
)


def read_run(
    path: str | Path, *, problems: Problems | None = None, notes: list[str] | None = None
) -> list[Run]:
    """The runs of a file, each with its updates in the order of the file.

    Event ids stay as written (`11` or `TS14.11`). A confidence of `inf` becomes 1000. A header line is accepted
    although the format has none.

    Args:
        path: the file; `.gz`, `.xz` and `.zst` are unpacked, `-` is standard input.
        problems: where bad lines are noted; strict without.
        notes: takes a line for each thing that was read otherwise than written.

    Raises:
        FormatError: one or more lines are not of the format.
        LimitError, UsageError: as `tidings.core.files.reading.open_bytes`.
    """
    collected = Problems() if problems is None else problems
    with gc_paused():
        text = read_text(path, notes=notes)
        runs = _regular(text)
        if runs is None:
            runs = _careful(text, named(path), collected)
    mixed = len(runs) - len({key for key, _, _ in runs})
    if mixed and notes is not None:
        notes.append(f"{named(path)}: the lines of its runs are mixed; they were sorted by run")
    return list(_joined(runs))


_PIECE = 1 << 14
_SHORTEST = len("1 a b c 0 1 1\n")
_Piece = tuple[tuple[str, str], Sequence[Update], int]


def _regular(text: str) -> list[_Piece] | None:
    """The pieces of the runs as columns, or None when any line is not perfectly regular.

    A few hundred lines at a time are cut as one text, without the event, team and run that they share. Line ends count
    as a column: where they stand in its place, every line has its seven others. Every distinct value is looked at once.
    """
    separator = "\t" if "\t" in text[: text.find("\n") + 1] else " "
    other = " " if separator == "\t" else "\t"
    if not text.isascii() or separator * 2 in text or other in text or "\r" in text:
        return None
    if len(text) < _SHORTEST * text.count("\n"):
        return None  # mostly empty lines: not worth a list for each
    ids: list[str] = []
    times: list[str] = []
    confidences: list[str] = []
    sentences: set[str] = set()
    blocks: list[tuple[tuple[str, ...], int]] = []
    for names, width, cells in _pieces(text, separator):
        if len(cells) % width or set(cells[width - 1 :: width]) != {"\n"}:
            return None
        numbers = cells[width - 4 :: width]
        ids += map("-".join, zip(cells[width - 5 :: width], numbers, strict=True))
        sentences.update(numbers)
        times += cells[width - 3 :: width]
        confidences += cells[width - 2 :: width]
        if names:
            blocks.append((names, len(numbers)))
        else:
            several = groupby(zip(cells[0::8], cells[1::8], cells[2::8], strict=True))
            blocks += [(names, len(list(lines))) for names, lines in several]
    if not (_digits(sentences) and _digits(set(times), most=11) and _numbers(set(confidences))):
        return None
    pieces: list[_Piece] = []
    start = at = 0
    key: tuple[str, str] | None = None
    events: list[tuple[str, int, int]] = []
    for (event, team, name), lines in groupby(blocks, key=itemgetter(0)):
        if not (event and team and name):
            return None
        if key is not None and key != (team, name):
            pieces.append((key, _slice(events, ids, times, confidences, start, at), at - start))
            start, events = at, []
        key = (team, name)
        end = at + sum(length for _, length in lines)
        events.append((event, at - start, end - start))
        at = end
    if key is not None:
        pieces.append((key, _slice(events, ids, times, confidences, start, at), at - start))
    return pieces


def _pieces(text: str, separator: str) -> Iterator[tuple[tuple[str, ...], int, list[str]]]:
    """A few hundred lines at a time, cut into cells: lists that are soon freed stay in the processor's cache.

    (event, team and run of them all, columns left, their cells); where those three change, () and all columns. Each
    line's end is a column too.
    """
    at, length = 0, len(text)
    line_end = f"{separator}\n{separator}"
    while at < length:
        end = text.find("\n", min(at + _PIECE, length - 1)) + 1 or length
        piece = text[at:end].removesuffix("\n")
        at = end
        names = tuple(piece[:_PIECE].split(separator, 3)[:3])
        start = separator.join((*names, ""))
        if len(names) == 3 and piece.count(f"\n{start}") == piece.count("\n"):
            cells = piece[len(start) :].replace(f"\n{start}", line_end).split(separator)
            width = 5
        else:
            names, width = (), 8
            cells = piece.replace("\n", line_end).split(separator)
        cells.append("\n")
        yield names, width, cells


def _slice(
    blocks: list[tuple[str, int, int]],
    ids: list[str],
    times: list[str],
    confidences: list[str],
    start: int,
    end: int,
) -> UpdateColumns:
    if end - start == len(ids):
        return UpdateColumns(blocks, ids, times, confidences)
    return UpdateColumns(blocks, ids[start:end], times[start:end], confidences[start:end])


def _digits(values: set[str], most: int = 18) -> bool:
    joined = "".join(values)
    return all(values) and joined.isascii() and joined.isdigit() and max(map(len, values)) <= most


def _numbers(values: set[str]) -> bool:
    # Infinite ones go the careful way.
    try:
        total = sum(map(float, values))
    except ValueError:
        return False
    return math.isfinite(total) and "_" not in "".join(values)


def _careful(text: str, name: str, problems: Problems) -> list[_Piece]:
    table = read_table(
        text,
        name,
        _FIELDS,
        what="a TREC run",
        problems=problems,
        spaces=True,
        header=("query_id", "topic_id", "topic"),
    )
    events, teams, names, docs, sentences, times, confidences = table.columns
    updates = list(map(Update, events, docs, sentences, times, confidences))
    pieces: list[_Piece] = []
    at = 0
    for key, lines in groupby(zip(teams, names, strict=True)):
        end = at + len(list(lines))
        pieces.append((key, tuple(updates[at:end]), end - at))
        at = end
    return pieces


def _joined(pieces: list[_Piece]) -> Iterator[Run]:
    grouped: dict[tuple[str, str], list[Sequence[Update]]] = {}
    for key, updates, _ in pieces:
        grouped.setdefault(key, []).append(updates)
    for (team, name), parts in grouped.items():
        yield Run(
            team, name, parts[0] if len(parts) == 1 else tuple(update for part in parts for update in part)
        )


def write_run(path: str | Path, runs: Iterable[Run]) -> None:
    """Write runs as TREC does, apart by tabs, in their own order; texts, sources and published times are left out.

    Raises:
        UsageError: an id is empty or holds a blank, which this format cannot hold.
        OutputError: the file could not be written.
    """
    with write_atomically(path) as file:
        for run in runs:
            team, name = _word(run.team or "tidings", "team"), _word(run.name or "run", "run")
            checked: set[str] = set()
            lines = []
            for update in run.updates:
                if update.event_id not in checked:
                    checked.add(_word(update.event_id, "event"))
                _word(update.doc_id, "document")
                lines.append(
                    f"{update.event_id}\t{team}\t{name}\t{update.doc_id}\t{update.sentence_index}\t{update.time}"
                    f"\t{update.confidence!r}\n"
                )
                if len(lines) == 4096:
                    file.write("".join(lines).encode("utf-8", "surrogateescape"))
                    lines.clear()
            file.write("".join(lines).encode("utf-8", "surrogateescape"))


def _word(value: str, what: str) -> str:
    if value.split() != [value]:
        raise UsageError(
            f"found the {what} id {quote_value(value)}, expected one without blanks: a TREC run has its columns apart "
            "by them; rename it, or write .jsonl"
        )
    return value
