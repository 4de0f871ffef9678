"""Outputs as rows, and rows as outputs; with short cuts for updates, of which a run has most."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any
from zlib import crc32

import msgspec
from sqlalchemy import Text, select, type_coerce

from tidings.core.records import EntityRanking, Output, Support, Update, ValueUpdate
from tidings.core.store.digests import row_words, with_digest
from tidings.core.store.schema import outputs
from tidings.core.store.types import AnyText, escaped, unescaped
from tidings.core.store.writing import bound

__all__ = ["OUTPUTS", "kind_of", "output_from_values", "output_values"]

# Texts are taken as they are stored: few are escaped, and one look at the row's digest tells whether any may be.
OUTPUTS = select(
    *(
        type_coerce(column, Text()).label(column.name) if isinstance(column.type, AnyText) else column
        for column in outputs.columns
    )
)
"""All rows of `outputs`, for `output_from_values`."""

_KINDS: dict[str, type[Output]] = {
    str(kind.__struct_config__.tag): kind for kind in (Update, ValueUpdate, EntityRanking, Support)
}
_COLUMNS = frozenset(outputs.c.keys())
_NOTHING = {
    "event_id": "",
    "time": 0,
    "doc_id": "",
    "sentence_index": -1,
    "confidence": None,
    "text": "",
    "published_time": 0,
    "source": "",
    "title": "",
    "url": "",
    "fields": "",
}
_UPDATE_FIELDS = Update.__struct_fields__
# An update's fields stand side by side among the columns, in its own order.
_FIRST, _LAST = (outputs.c.keys().index(_UPDATE_FIELDS[place]) for place in (0, -1))
_LAST += 1
_KIND = outputs.c.keys().index("kind")
_SEQ = outputs.c.keys().index("seq")
_CONFIDENCE = outputs.c.keys().index("confidence")
_PLAIN = (str, str, int, int, float, str, int, str, str, str)


def kind_of(output: Output) -> str:
    """How an output's kind is written.

    >>> kind_of(ValueUpdate("storm", 60, "deaths", (3.0,)))
    'value'
    """
    return str(type(output).__struct_config__.tag)


def output_values(run_id: int, seq: int, output: Output) -> tuple[Any, ...]:
    """The row of the `seq`-th output of a run, with its digest, as a database takes it.

    >>> output_values(1, 7, Update("storm", "d1", 0, 60, 0.5))[1:6]
    (7, 'update', 'storm', 'd1', 0)
    """
    if type(output) is Update:
        fields = msgspec.structs.astuple(output)
        confidence = fields[_CONFIDENCE - _FIRST]
        if tuple(map(type, fields)) == _PLAIN and confidence and not math.isnan(confidence):
            values = (run_id, seq, "update", *fields, "")
            words = row_words("outputs", values)
            if b"\\" in words:  # beyond ASCII, or something that a database refuses
                values = tuple(escaped(value) if type(value) is str else value for value in values)
            return *values, crc32(words)
    return bound(_with_digest(run_id, seq, output))


def _with_digest(run_id: int, seq: int, output: Output) -> dict[str, Any]:
    row: dict[str, Any] = {"run_id": run_id, "seq": seq, "kind": kind_of(output), **_NOTHING}
    if type(output) is Update:
        for name in _UPDATE_FIELDS:
            row[name] = getattr(output, name)
    else:
        fields: Mapping[str, Any] = msgspec.to_builtins(output)
        row.update({name: value for name, value in fields.items() if name in _COLUMNS and name != "kind"})
        row["fields"] = json.dumps({name: value for name, value in fields.items() if name not in _COLUMNS})
    return with_digest(outputs, row)


def output_from_values(row: Sequence[Any]) -> tuple[int, Output | None]:
    """The number and the output that a row of `OUTPUTS` holds; None for one that is not as it was written."""
    values = tuple(row[:-1])
    words = row_words("outputs", values)
    if b"\\x1b" in words:
        values = tuple(map(unescaped, values))
        words = row_words("outputs", values)
    if crc32(words) != row[-1]:
        return 0, None
    kind, seq = values[_KIND], values[_SEQ]
    if values[_CONFIDENCE] is None:
        values = (*values[:_CONFIDENCE], math.nan, *values[_CONFIDENCE + 1 :])
    if kind == "update":
        return seq, Update(*values[_FIRST:_LAST])
    made = _KINDS[kind]
    columns = dict(zip(outputs.c.keys(), values, strict=False))
    fields = json.loads(columns["fields"])
    own = {name: columns[name] for name in made.__struct_fields__ if name in _COLUMNS}
    return seq, msgspec.convert({"kind": kind, **own, **fields}, made)
