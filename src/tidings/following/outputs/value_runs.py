"""Value tracking runs of TREC Temporal Summarization 2013: nine columns apart by tabs or blanks, no header.

`query_id team_id run_id doc_id sentence_id decision_time attribute value confidence`. The rules are those of the
track's checker: attributes deaths, injuries, displaced, financialimpact, location (`locations` is taken too); values
are numbers from 0 to 1e15, or `latitude,longitude`; confidences are above 0; a prior prediction, made before any
document was seen, has `NULL NULL` for document and sentence.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tidings.core import (
    BadValueError,
    Field,
    Output,
    Problems,
    UsageError,
    ValueRun,
    ValueUpdate,
    named,
    quote_value,
    read_table,
    read_text,
    write_atomically,
)

__all__ = ["ATTRIBUTES", "NULL", "read_value_runs", "value_run", "write_value_runs"]

ATTRIBUTES = ("deaths", "injuries", "displaced", "financialimpact", "location")
NULL = "NULL"
MOST = 1e15
"""The largest number that can be told."""

_FIELDS = (
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
    text, name = read_text(path), named(path)
    table = read_table(
        text, name, _FIELDS, what="a value tracking run", problems=collected, spaces=True,
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
    if plain not in ATTRIBUTES:
        return BadValueError(f"attribute {quote_value(attribute)}", f"one of {', '.join(ATTRIBUTES)}")
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
    return ValueRun(team, name, tuple(value for value in values if value.attribute in ATTRIBUTES))


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
        ",".join(map(_shown, update.value)),
        _shown(update.confidence),
    )


def _shown(number: float) -> str:
    return str(int(number)) if float(number).is_integer() and abs(number) < 1e15 else repr(float(number))
