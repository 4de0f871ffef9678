"""Runs of TREC Temporal Summarization as columns: updates in seven of them, tracked values in nine.

Updates: `query_id team_id run_id doc_id sentence_id decision_time confidence`; see docs/core/formats.md.

Values: `query_id team_id run_id doc_id sentence_id decision_time attribute value confidence`. The rules are those of
the track's checker: attributes deaths, injuries, displaced, financialimpact, location (`locations` is taken too);
values are numbers from 0 to 1e15, or `latitude,longitude`; confidences are above 0; a prior prediction, made before
any document was seen, has `NULL NULL` for document and sentence.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from tidings.core import (
    TREC_ATTRIBUTES,
    BadValueError,
    Field,
    Output,
    Problems,
    Run,
    Update,
    UpdateColumns,
    UsageError,
    ValueRun,
    ValueUpdate,
    gc_paused,
    quote_value,
    read_table,
    read_text,
    source_name,
    write_atomically,
)

NULL = "NULL"
MOST = 1e15
"""The largest number that can be written."""

_VALUE_FIELDS = (
    Field.few("query_id"),
    Field.few("team_id"),
    Field.few("run_id"),
    Field.few("doc_id"),
    Field.few("sentence_id"),
    Field.time("decision_time"),
    Field.few("attribute"),
    Field.text("value"),
    Field.number("confidence", 1000.0),
)


def read_value_runs(path: str | Path, *, problems: Problems | None = None) -> list[ValueRun]:
    """The runs of a file, in order of first appearance.

    Raises:
        FormatError: bad lines, all together; or no line at all.
    """
    collected = Problems() if problems is None else problems
    text, name = read_text(path), source_name(path)
    table = read_table(
        text, name, _VALUE_FIELDS, what="a value tracking run", problems=collected, spaces=True,
        check=_fault, bulk_check=lambda columns: all(_fault(list(row)) is None for row in zip(*columns, strict=True)),
    )  # fmt: skip
    runs: dict[tuple[str, str], list[ValueUpdate]] = {}
    for row in zip(*table.columns, strict=True):
        event, team, run, doc, sentence, time, attribute, value, confidence = row
        runs.setdefault((team, run), []).append(
            ValueUpdate(
                event,
                time,
                "location" if attribute == "locations" else attribute,
                tuple(map(float, value.split(","))),
                confidence,
                "" if doc == NULL else doc,
                -1 if doc == NULL else int(sentence),
            )
        )
    return [ValueRun(team, run, tuple(updates)) for (team, run), updates in runs.items()]


def _fault(row: list[Any]) -> BadValueError | None:
    _, _, _, doc, sentence, _, attribute, value, confidence = row
    if (doc == NULL) != (sentence == NULL):
        return BadValueError(
            f"document {quote_value(doc)} and sentence {quote_value(sentence)}",
            "both, or NULL for both",
            "a prior prediction has NULL NULL",
        )
    if sentence != NULL and not (sentence.isascii() and sentence.isdigit() and len(sentence) < 18):
        return BadValueError(f"sentence_id {quote_value(sentence)}", "a whole number, 0 or more, or NULL")
    if confidence <= 0:
        return BadValueError(f"confidence {confidence:g}", "a number above 0")
    plain = "location" if attribute == "locations" else attribute
    if plain not in TREC_ATTRIBUTES:
        return BadValueError(f"attribute {quote_value(attribute)}", f"one of {', '.join(TREC_ATTRIBUTES)}")
    numbers = [_number(part) for part in value.split(",")]
    if plain == "location":
        good = len(numbers) == 2 and abs(numbers[0]) <= 90 and abs(numbers[1]) <= 180
        expected = "latitude,longitude in degrees (-90 to 90, -180 to 180), without a blank"
    else:
        good = len(numbers) == 1 and 0 <= numbers[0] <= MOST
        expected = f"a number from 0 to {MOST:g}"
    return None if good else BadValueError(f"value {quote_value(value)} of {plain}", expected)


def _number(text: str) -> float:
    try:
        number = float(text) if text.isascii() and "_" not in text else math.nan
    except ValueError:
        return math.nan
    return number if math.isfinite(number) else math.nan


def value_run(team: str, name: str, outputs: Iterable[Output]) -> ValueRun:
    """The values among some outputs, as a run of the attributes that the format knows.

    >>> values = [ValueUpdate("e", 60, "deaths", (3.0,)), ValueUpdate("e", 60, "missing", (1.0,))]
    >>> [update.attribute for update in value_run("us", "r", values).updates]
    ['deaths']
    """
    values = (output for output in outputs if isinstance(output, ValueUpdate))
    return ValueRun(team, name, tuple(value for value in values if value.attribute in TREC_ATTRIBUTES))


def write_value_runs(path: str | Path, runs: Iterable[ValueRun]) -> None:
    """Write runs in nine columns apart by tabs.

    Raises:
        UsageError: a name or value that the format cannot hold.
    """
    with write_atomically(path) as file:
        for run in runs:
            for update in run.updates:
                row = _row(run, update)
                if any(not cell or cell.split() != [cell] for cell in row):
                    raise UsageError(
                        f"{path}: the columns can hold no empty names and none with blanks: {row!r}"
                    )
                file.write(("\t".join(row) + "\n").encode())


def _row(run: ValueRun, update: ValueUpdate) -> tuple[str, ...]:
    null = not update.doc_id
    return (
        update.event_id,
        run.team,
        run.name,
        NULL if null else update.doc_id,
        NULL if null else str(update.sentence_index),
        str(update.time),
        update.attribute,
        ",".join(map(_show, update.value)),
        _show(update.confidence),
    )


def _show(number: float) -> str:
    return str(int(number)) if float(number).is_integer() and abs(number) < 1e15 else repr(float(number))


INFINITE_CONFIDENCE = 1000.0  # what the official scorers read for a confidence without bound

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
            runs = _careful(text, source_name(path), collected)
    mixed = len(runs) - len({key for key, _, _ in runs})
    if mixed and notes is not None:
        notes.append(f"{source_name(path)}: the lines of its runs are mixed; they were sorted by run")
    return list(_join(runs))


_PIECE = 1 << 14  # characters of lines read in one step
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


def _join(pieces: list[_Piece]) -> Iterator[Run]:
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
            f"the {what} id {quote_value(value)} (expected one without blanks): a TREC run has its columns apart "
            "by them; rename it, or write .jsonl"
        )
    return value
