"""matches.jsonl of a matcher: the pairs of an update and a nugget that may be a match, one a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from tidings.core import BadRecordError, Int64, PossibleMatch, Problems, read_jsonl, write_jsonl

__all__ = ["read_possible_matches", "write_possible_matches"]


class _Line(Struct):
    event: str
    update: str
    nugget: str
    probability: float
    start: Int64
    end: Int64


def read_possible_matches(path: str | Path, *, problems: Problems | None = None) -> tuple[PossibleMatch, ...]:
    """The pairs of a file.

    Raises:
        FormatError: a line is damaged, its probability is not within 0 to 1, or its span is none.
    """
    return tuple(read_jsonl(path, _Line, _build, problems=problems))


def write_possible_matches(path: str | Path, pairs: Iterable[PossibleMatch]) -> int:
    """Write pairs, whole or not at all; how many there were."""
    count = 0

    def lines() -> Iterator[_Line]:
        nonlocal count
        for pair in pairs:
            count += 1
            yield _Line(
                pair.event_id,
                pair.update_id,
                pair.nugget_id,
                round(pair.probability, 6),
                pair.start,
                pair.end,
            )

    write_jsonl(path, lines())
    return count


def _build(line: _Line) -> PossibleMatch:
    if not 0.0 <= line.probability <= 1.0:
        raise BadRecordError(f"probability {line.probability:g}", "a number from 0 to 1")
    if not 0 <= line.start <= line.end:
        raise BadRecordError(
            f"span {line.start} to {line.end}", "two places in the text, the first one not behind"
        )
    return PossibleMatch(line.event, line.update, line.nugget, line.probability, line.start, line.end)
