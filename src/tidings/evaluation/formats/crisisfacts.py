"""CrisisFACTS: runs and requests in JSON Lines.

A run has one fact a line, with the rules of the track's checker: `requestID`, `factText` (1 to 200 characters),
`unixTimestamp` (seconds), `importance` (0 to 1), `sources` (ids of items of the stream), `streamID` (the item whose
text it is, or null), `informationNeeds` (may be left out). The format names neither team nor run: the run is called as
its file. Requests are tidings' own: `{"request": …, "event": …, "start": …, "end": …}`, ends included.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from tidings.core import (
    BadRecordError,
    Fact,
    FactRun,
    FormatError,
    Int64,
    Problem,
    Problems,
    Request,
    plain_name,
    read_jsonl,
    seconds,
    source_name,
    write_jsonl,
)

LONGEST_FACT = 200
"""Characters of a fact's text."""


class _Line(Struct, rename={"request_id": "requestID", "fact_text": "factText", "unix_timestamp": "unixTimestamp",
                            "stream_id": "streamID", "needs": "informationNeeds"}):  # fmt: skip
    request_id: str
    fact_text: str
    unix_timestamp: Int64
    importance: float
    sources: list[str]
    stream_id: str | None = None
    needs: list[str] = []


class _RequestLine(Struct):
    request: str
    event: str
    start: int | str
    end: int | str


def read_facts(path: str | Path, *, problems: Problems | None = None) -> FactRun:
    """The run of a file.

    Raises:
        FormatError: bad lines, all together; or no line at all.
    """
    collected = Problems() if problems is None else problems
    facts = tuple(
        read_jsonl(
            path, _Line, _fact, problems=collected, what="a fact: requestID, factText, unixTimestamp, ..."
        )
    )
    if not facts and not collected.count:
        raise FormatError([Problem(source_name(path), 0, "no fact", "at least one line")])
    return FactRun("-", Path(plain_name(path)).stem if str(path) != "-" else "-", facts)


def _fact(line: _Line) -> Fact:
    if not line.request_id.strip():
        raise BadRecordError("an empty requestID", "the id of a request")
    if not line.fact_text.strip() or len(line.fact_text) > LONGEST_FACT:
        raise BadRecordError(
            f"factText of {len(line.fact_text):,} characters",
            f"1 to {LONGEST_FACT}",
            "shorten it or leave it out",
        )
    if not 0 <= line.importance <= 1:
        raise BadRecordError(f"importance {line.importance:g}", "a number from 0 to 1")
    if not all(source.strip() for source in line.sources):
        raise BadRecordError("an empty id in sources", "ids of items of the stream")
    if line.stream_id is not None and not line.stream_id.strip():
        raise BadRecordError("an empty streamID", "the id of an item of the stream, or null")
    return Fact(
        line.request_id,
        line.fact_text,
        seconds(line.unix_timestamp, "unixTimestamp"),
        line.importance,
        tuple(line.sources),
        line.stream_id or "",
        tuple(line.needs),
    )


def write_facts(path: str | Path, run: FactRun) -> None:
    """Write a run, one fact a line; the names of team and run have no place in it."""
    lines = (
        _Line(
            fact.request_id,
            fact.text,
            fact.time,
            fact.importance,
            list(fact.sources),
            fact.stream_id or None,
            list(fact.needs),
        )
        for fact in run.facts
    )
    write_jsonl(path, lines)


def read_requests(path: str | Path, *, problems: Problems | None = None) -> list[Request]:
    """The requests of a file.

    Raises:
        FormatError: bad lines, all together: also an id that comes twice, or an end before the start.
    """
    seen: set[str] = set()

    def build(line: _RequestLine) -> Request:
        if not line.request.strip() or line.request in seen:
            raise BadRecordError(f"request {line.request!r}", "each with its own id")
        start, end = seconds(line.start, "start"), seconds(line.end, "end")
        if end < start:
            raise BadRecordError(f"an end ({end}) before the start ({start})", "start <= end")
        seen.add(line.request)
        return Request(line.request, line.event, start, end)

    what = "a request: request, event, start, end"
    return list(read_jsonl(path, _RequestLine, build, problems=problems, what=what))


def write_requests(path: str | Path, requests: Iterable[Request]) -> None:
    """Write requests, one a line."""
    write_jsonl(
        path,
        (
            _RequestLine(request.id, request.event_id, request.start_time, request.end_time)
            for request in requests
        ),
    )
