"""The story so far as JSON Lines: a day a line, its sentences with where each comes from.

{"event": "oil", "date": "2010-04-22", "documents": 12, "sentences": [{"doc": "a1", "sentence": 0, "text": "The rig
sinks.", "published_time": 1271944800, "source": "Wire", "title": "Rig sinks", "url": "https://…"}]}
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec import Struct

from tidings.core import (
    BadRecordError,
    Digest,
    DigestDay,
    Event,
    Evidence,
    Int64,
    Problems,
    read_jsonl,
    read_lines,
    write_jsonl,
)

__all__ = ["holds_digests", "read_digests", "write_digests"]

_WHAT = "a day a line: event, date, sentences"


class _SentenceLine(Struct):
    doc: str
    sentence: Int64
    text: str
    published_time: Int64 = 0
    source: str = ""
    title: str = ""
    url: str = ""


class _DayLine(Struct):
    event: str
    date: str
    documents: Int64 = 0
    system: str = ""
    sentences: list[_SentenceLine] = []


def write_digests(path: str | Path, digests: Iterable[Digest]) -> None:
    """Write digests, a day a line.

    Raises:
        OutputError: the file could not be written.
    """
    write_jsonl(path, (_line(digest, day) for digest in digests for day in digest.days))


def _line(digest: Digest, day: DigestDay) -> _DayLine:
    sentences = [
        _SentenceLine(
            one.doc_id, one.sentence_index, one.text, one.published_time, one.source, one.title, one.url
        )
        for one in day.sentences
    ]
    return _DayLine(digest.event.id, day.date, day.documents, digest.system, sentences)


def read_digests(path: str | Path, *, problems: Problems | None = None) -> list[Digest]:
    """The digests of a file, one for each event in order of first appearance; of an event only its id is known.

    Raises:
        FormatError: bad lines, all together with path:line.
    """
    digests: dict[str, tuple[str, list[DigestDay]]] = {}
    for event, system, day in read_jsonl(path, _DayLine, _day, problems=problems, what=_WHAT):
        digests.setdefault(event, (system, []))[1].append(day)
    return [
        Digest(event=Event(id=event, title="", query=""), system=system, days=tuple(days))
        for event, (system, days) in digests.items()
    ]


def _day(line: _DayLine) -> tuple[str, str, DigestDay]:
    try:
        date = datetime.date.fromisoformat(line.date).isoformat()
    except ValueError:
        raise BadRecordError(f"the date {line.date[:60]!r}", "a day such as 2010-04-20") from None
    sentences = tuple(
        Evidence(one.doc, one.sentence, one.text, one.published_time, one.source, one.title, one.url)
        for one in line.sentences
    )
    return line.event, line.system, DigestDay(date, sentences, line.documents)


class _Keys(Struct):
    date: str
    sentences: msgspec.Raw


def holds_digests(path: str | Path) -> bool:
    """Whether the first line of a JSON Lines file is a day of a digest."""
    first = next((line for _, line in read_lines(path) if line.strip()), b"")
    try:
        msgspec.json.decode(first, type=_Keys)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return False
    return True
