"""tidings' own JSON Lines: documents in, updates out.

{"id": "a1", "published_time": 1374691950, "source": "Wire", "title": "Fire", "sentences": ["A ferry burns."]}
{"event": "e", "update": "a1-0", "doc": "a1", "sentence": 0, "time": 1374691950, "confidence": 1.0}
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from tidings.errors import OutputError, Problems
from tidings.formats.files.jsonl import LATEST, BadRecordError, read_jsonl, read_jsonl_places, seconds
from tidings.formats.files.reading import LIMITS, Limits
from tidings.formats.files.writing import write_atomically
from tidings.records import Document, Place, Run, Sentence, Update

__all__ = [
    "DocumentLine",
    "build_document",
    "read_document_places",
    "read_documents",
    "read_updates",
    "write_documents",
    "write_jsonl",
    "write_updates",
]

_DOCUMENT = "a document a line: id, published_time, and text or sentences"
_UPDATE = "an update a line: event, doc, sentence, time"
Line = TypeVar("Line", bound=Struct)


class _SentenceLine(Struct, gc=False, omit_defaults=True):
    text: str
    id: int | None = None
    start: int = 0
    events: list[str] | None = None


class DocumentLine(Struct, gc=False, omit_defaults=True):
    """The JSON form of a document; times are seconds UTC or ISO 8601 with a zone."""

    id: str
    published_time: int | str
    source: str = ""
    title: str = ""
    url: str = ""
    text: str | None = None
    sentences: list[str | _SentenceLine] | None = None
    events: list[str] | None = None


class _UpdateLine(Struct, gc=False):
    event: str
    doc: str
    sentence: int
    time: int | str
    update: str = ""
    published_time: int | str = 0
    source: str = ""
    confidence: float = 1.0
    text: str = ""
    team: str = ""
    run: str = ""


def read_documents(
    path: str | Path, *, problems: Problems | None = None, limits: Limits = LIMITS
) -> Iterator[Document]:
    """The documents of a file, one a line, in file order; memory stays flat, and a pipe is read as it fills.

    `published_time` is whole seconds UTC or ISO 8601 with a zone. Either `text`, or `sentences`: strings, or
    objects with `text` and, as wanted, `id` (its number), `start` (its offset in the text) and `events`. `events` of a
    document goes for its sentences that have none of their own. Unknown keys are passed over.

    Raises:
        FormatError: bad lines, all together with path:line; see `tidings.formats.files.jsonl.read_jsonl`.
    """
    return read_jsonl(path, DocumentLine, build_document, problems=problems, what=_DOCUMENT, limits=limits)


def read_document_places(
    path: str | Path, *, cursor: bytes = b"", problems: Problems | None = None, limits: Limits = LIMITS
) -> Iterator[Document | Place] | None:
    """As `read_documents`, with a `Place` now and then; from the place that gave `cursor`, where there is one.

    None where the cursor no longer fits the file: read it from its beginning then.
    """
    return read_jsonl_places(
        path, DocumentLine, build_document, cursor=cursor, problems=problems, what=_DOCUMENT, limits=limits
    )


def build_document(line: DocumentLine) -> Document:
    """The document that a line describes; raises BadRecordError where it makes no sense."""
    doc_id = line.id
    time = line.published_time
    if isinstance(time, str) or not 0 <= time <= LATEST:
        time = seconds(time, "published_time")
    if len(doc_id.split()) != 1 or "\0" in doc_id:
        raise BadRecordError(f"id {doc_id!r}", "an id without blanks", "put - in their place")
    text = line.text
    if line.sentences is None:
        if text is None:
            raise BadRecordError("neither 'text' nor 'sentences'", _DOCUMENT, "add one of them")
        document = Document(
            id=doc_id, published_time=time, source=line.source, title=line.title, url=line.url, text=text
        )
        if "\0" in text:
            raise _zero_character()
        return document if line.events is None else _cut(document, tuple(line.events))
    shared = None if line.events is None else tuple(line.events)
    source = line.source
    sentences = []
    last = -1
    for index, item in enumerate(line.sentences):
        if isinstance(item, str):
            sentence = Sentence(doc_id, index, item, time, source, 0, shared)
        else:
            number = index if item.id is None else item.id
            own = item.events
            events = shared if own is None else tuple(own)
            sentence = Sentence(doc_id, number, item.text, time, source, item.start, events)
        if sentence.index <= last or "\0" in sentence.text or sentence.start < 0:
            raise _sentence_fault(sentence, last)
        last = sentence.index
        sentences.append(sentence)
    return Document(
        id=doc_id,
        published_time=time,
        source=source,
        title=line.title,
        url=line.url,
        text=text or "",
        sentences=tuple(sentences),
    )


def _zero_character() -> BadRecordError:
    return BadRecordError("a zero character in the text", "text", "remove it")


def _sentence_fault(sentence: Sentence, last: int) -> BadRecordError:
    if "\0" in sentence.text:
        return _zero_character()
    if sentence.start < 0:
        return BadRecordError(f"a sentence's start {sentence.start}", "an offset from 0")
    if sentence.index < 0:
        return BadRecordError(f"sentence id {sentence.index}", "a number from 0")
    found = f"sentence id {sentence.index} after {last}"
    return BadRecordError(
        found, "sentences in rising order, each id once", "give each its own number in the document"
    )


def _cut(document: Document, events: tuple[str, ...]) -> Document:
    # Only sentences can say for which events they were pooled.
    from tidings.text.sentences import cut

    whole = cut(document)
    return msgspec.structs.replace(
        whole,
        sentences=tuple(msgspec.structs.replace(sentence, events=events) for sentence in whole.sentences),
    )


def write_documents(path: str | Path, documents: Iterable[Document]) -> None:
    """Write documents, one a line; reading them back gives the same ones."""
    write_jsonl(path, (_document_line(document) for document in documents))


def _document_line(document: Document) -> DocumentLine:
    line = DocumentLine(document.id, document.published_time, document.source, document.title, document.url)
    if document.text or not document.sentences:
        line.text = document.text
    if document.sentences:
        events = {sentence.events for sentence in document.sentences}
        shared = next(iter(events)) if len(events) == 1 else None
        line.events = None if shared is None else list(shared)
        line.sentences = [
            _sentence_line(index, sentence, shared) for index, sentence in enumerate(document.sentences)
        ]
    return line


def _sentence_line(index: int, sentence: Sentence, shared: tuple[str, ...] | None) -> str | _SentenceLine:
    own = None if sentence.events is None or sentence.events == shared else list(sentence.events)
    if sentence.index == index and not sentence.start and own is None:
        return sentence.text
    return _SentenceLine(
        sentence.text, None if sentence.index == index else sentence.index, sentence.start, own
    )


def read_updates(path: str | Path, *, problems: Problems | None = None, limits: Limits = LIMITS) -> list[Run]:
    """The runs of a file of updates, one for each team and run name, in order of first appearance.

    Raises:
        FormatError: bad lines, all together with path:line.
    """
    runs: dict[tuple[str, str], list[Update]] = {}
    for key, update in read_jsonl(path, _UpdateLine, _update, problems=problems, what=_UPDATE, limits=limits):
        runs.setdefault(key, []).append(update)
    return [Run(team, name, tuple(updates)) for (team, name), updates in runs.items()]


def _update(line: _UpdateLine) -> tuple[tuple[str, str], Update]:
    time = seconds(line.time, "time")
    published = seconds(line.published_time, "published_time")
    for key, value in (("event", line.event), ("doc", line.doc)):
        if len(value.split()) != 1:
            raise BadRecordError(f"{key} {value!r}", "an id without blanks")
    if line.sentence < 0:
        raise BadRecordError(f"sentence {line.sentence}", "a number from 0")
    if line.update and line.update != f"{line.doc}-{line.sentence}":
        raise BadRecordError(f"update {line.update!r}", f"'{line.doc}-{line.sentence}'", "it is doc-sentence")
    update = Update(
        line.event, line.doc, line.sentence, time, line.confidence, line.text, published, line.source
    )
    return (line.team, line.run), update


def write_updates(path: str | Path, runs: Iterable[Run]) -> None:
    """Write the updates of runs, one a line, in their order; reading them back gives the same runs."""
    write_jsonl(path, _update_lines(runs))


def _update_lines(runs: Iterable[Run]) -> Iterator[dict[str, Any]]:
    for run in runs:
        for update in run.updates:
            line: dict[str, Any] = {
                "event": update.event_id,
                "update": update.id,
                "doc": update.doc_id,
                "sentence": update.sentence_index,
                "time": update.time,
            }
            if update.published_time:
                line["published_time"] = update.published_time
            if update.source:
                line["source"] = update.source
            line["confidence"] = update.confidence
            if update.text:
                line["text"] = update.text
            if run.team:
                line["team"] = run.team
            if run.name:
                line["run"] = run.name
            yield line


def write_jsonl(path: str | Path, lines: Iterable[Struct | dict[str, Any]]) -> None:
    """Write one JSON object a line, whole or not at all."""
    encode = msgspec.json.Encoder().encode_into
    buffer = bytearray()
    with write_atomically(path) as file:
        for line in lines:
            try:
                encode(line, buffer, -1)
            except UnicodeEncodeError:
                mend = "its input holds bytes that are not UTF-8: save that as UTF-8 first"
                raise OutputError(
                    f"{path}: JSON can hold no broken text such as {line!r:.200}; {mend}"
                ) from None
            buffer += b"\n"
            if len(buffer) > 1 << 16:
                file.write(buffer)
                buffer.clear()
        file.write(buffer)
