"""Documents as tidings' own JSON Lines, one a line; and what a pool of judged sentences holds of each.

{"id": "a1", "published_time": 1374691950, "source": "Wire", "title": "Fire", "sentences": ["A ferry burns."]}
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from tidings.core import (
    LATEST_TIME,
    LIMITS,
    BadRecordError,
    Document,
    FileOfLines,
    Int64,
    Limits,
    Place,
    PooledUpdate,
    Problems,
    Sentence,
    StatedTimes,
    TidingsError,
    read_jsonl,
    read_jsonl_places,
    seconds,
    source_name,
    write_jsonl,
)

_NO_TIME = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError)
_DOCUMENT = "a document a line: id, published_time, and text or sentences"


class _SentenceLine(Struct, gc=False, omit_defaults=True):
    text: str
    id: Int64 | None = None
    start: Int64 = 0
    events: list[str] | None = None


class DocumentLine(Struct, gc=False, omit_defaults=True):
    """The JSON form of a document; times are seconds UTC or ISO 8601 with a zone."""

    id: str
    published_time: int | str
    source: str = ""
    title: str = ""
    url: str = ""
    language: str = ""
    text: str | None = None
    sentences: list[str | _SentenceLine] | None = None
    events: list[str] | None = None


def read_documents(
    path: str | Path, *, problems: Problems | None = None, limits: Limits = LIMITS, zone: str = ""
) -> Iterator[Document]:
    """The documents of a file, one a line, in file order; memory stays flat, and a pipe is read as it fills.

    `published_time` is whole seconds UTC or ISO 8601 with a zone; else it is read as
    `tidings.core.text.stated_times` reads
    dates, and a time that names no zone is one of `zone`, "" for UTC, which is remarked. Either `text`, or `sentences`:
    strings, or objects with `text` and, as wanted, `id` (its number), `start` (its offset in the text) and `events`.
    `events` of a document goes for its sentences that have none of their own. Unknown keys are passed over.

    Raises:
        FormatError: bad lines, all together with path:line; see `tidings.core.files.jsonl.read_jsonl`.
    """
    build = _make_forgiving(path, zone, problems)
    return read_jsonl(path, DocumentLine, build, problems=problems, what=_DOCUMENT, limits=limits)


def read_document_places(
    path: str | Path,
    *,
    cursor: bytes = b"",
    problems: Problems | None = None,
    limits: Limits = LIMITS,
    zone: str = "",
) -> Iterator[Document | Place] | None:
    """As `read_documents`, with a `Place` now and then; from the place that gave `cursor`, where there is one.

    None where the cursor no longer fits the file: read it from its beginning then.
    """
    build = _make_forgiving(path, zone, problems)
    return read_jsonl_places(
        path, DocumentLine, build, cursor=cursor, problems=problems, what=_DOCUMENT, limits=limits
    )


def _make_forgiving(
    path: str | Path, zone: str, problems: Problems | None
) -> Callable[[DocumentLine], Document]:
    """Builds documents, their times as people write them too."""
    times = StatedTimes(zone=zone)

    def build(line: DocumentLine) -> Document:
        time = line.published_time
        if isinstance(time, str) or not 0 <= time <= LATEST_TIME:
            line.published_time = _read_time(time, times)
            if times.counts["zone"] and problems is not None:
                problems.remark(
                    f"{source_name(path)}: times that name no zone are read as {zone or 'UTC (--zone)'}"
                )
        return build_document(line)

    return build


def _read_time(time: int | str, times: StatedTimes) -> int:
    """A time as tidings writes it, else as people do, where that can be one day only."""
    try:
        return seconds(time, "published_time")
    except BadRecordError:
        read = None if times.is_open(time) else times.read(time)
        if read is None:
            raise
        return read


class _TimeLine(Struct, gc=False):
    published_time: int | str


_decode_time = msgspec.json.Decoder(_TimeLine).decode


def read_times(
    path: str | Path, *, cursor: bytes = b"", limits: Limits = LIMITS, zone: str = ""
) -> Iterator[int] | None:
    """The published_times of a file of documents, in file order, without making documents of its lines.

    From the place that gave `cursor`, where there is one; None where it no longer fits the file. What cannot be read is
    passed over: reading the documents will say so.
    """
    file = FileOfLines(path, limits)
    times = StatedTimes(zone=zone)
    if cursor and not file.go_to(cursor):
        file.close()
        return None

    def read() -> Iterator[int]:
        with file, suppress(TidingsError):
            for lines in file.blocks():
                for line in lines:
                    try:
                        time = _decode_time(line).published_time
                        if isinstance(time, str) or not 0 <= time <= LATEST_TIME:
                            time = _read_time(time, times)
                        yield time
                    except _NO_TIME:
                        continue

    return read()


def build_document(line: DocumentLine) -> Document:
    """The document that a line describes; raises BadRecordError where it makes no sense."""
    doc_id = line.id
    time = line.published_time
    if isinstance(time, str) or not 0 <= time <= LATEST_TIME:
        time = seconds(time, "published_time")
    if len(doc_id.split()) != 1 or "\0" in doc_id:
        raise BadRecordError(f"id {doc_id!r}", "an id without blanks", "put - in their place")
    text = line.text
    if line.sentences is None:
        if text is None:
            if not line.title.strip():
                raise BadRecordError("neither 'text' nor 'sentences'", _DOCUMENT, "add one of them")
            text = ""
        document = Document(
            id=doc_id,
            published_time=time,
            source=line.source,
            title=line.title,
            url=line.url,
            text=text,
            language=line.language,
        )
        if "\0" in text:
            raise _zero_character()
        return document if line.events is None else _cut_for(document, tuple(line.events))
    shared = None if line.events is None else tuple(line.events)
    source, title, url, language = line.source, line.title, line.url, line.language
    sentences = []
    last = -1
    for index, item in enumerate(line.sentences):
        if isinstance(item, str):
            sentence = Sentence(doc_id, index, item, time, source, 0, shared, title, url, language)
        else:
            number = index if item.id is None else item.id
            own = item.events
            events = shared if own is None else tuple(own)
            sentence = Sentence(
                doc_id, number, item.text, time, source, item.start, events, title, url, language
            )
        if sentence.index <= last or "\0" in sentence.text or sentence.start < 0:
            raise _sentence_fault(sentence, last)
        last = sentence.index
        sentences.append(sentence)
    return Document(
        id=doc_id,
        published_time=time,
        source=source,
        title=title,
        url=url,
        text=text or "",
        sentences=tuple(sentences),
        language=language,
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
    disorder = f"sentence id {sentence.index} after {last}"
    return BadRecordError(
        disorder, "sentences in rising order, each id once", "give each its own number in the document"
    )


def _cut_for(document: Document, events: tuple[str, ...]) -> Document:
    # Only sentences can say for which events they were pooled.
    from tidings.core import cut

    whole = cut(document)
    return msgspec.structs.replace(
        whole,
        sentences=tuple(msgspec.structs.replace(sentence, events=events) for sentence in whole.sentences),
    )


def write_documents(path: str | Path, documents: Iterable[Document]) -> None:
    """Write documents, one a line; reading them back gives the same ones."""
    write_jsonl(path, (_document_line(document) for document in documents))


def _document_line(document: Document) -> DocumentLine:
    line = DocumentLine(
        document.id, document.published_time, document.source, document.title, document.url, document.language
    )
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


def pooled_time(update: PooledUpdate) -> int | None:
    """When its document was published: the pool's own time, else the epoch that the document's id begins with.

    >>> pooled_time(PooledUpdate("11", "1326502200-8b5e", 3, "A ship ran aground."))
    1326502200
    """
    if update.published_time:
        return update.published_time
    text = update.doc_id.partition("-")[0]
    return int(text) if text.isascii() and text.isdigit() and len(text) < 12 else None


def pool_documents(
    pool: Iterable[PooledUpdate], path: str = "the pool", *, problems: Problems | None = None
) -> list[Document]:
    """Pooled sentences as documents in time order, each sentence once and naming all events it was pooled for.

    A document's time is the pool's own where it has one, else the epoch before the first `-` of its id.

    Raises:
        FormatError: ids that begin with no time; with lenient `problems` such documents are left out.
    """
    problems = problems if problems is not None else Problems()
    documents: dict[str, dict[int, tuple[PooledUpdate, list[str]]]] = {}
    for update in pool:
        rows = documents.get(update.doc_id)
        if rows is None:
            rows = documents[update.doc_id] = {}
        row_so_far = rows.get(update.sentence_index)
        if row_so_far is None:
            rows[update.sentence_index] = (update, [update.event_id])
        elif update.event_id not in row_so_far[1]:
            row_so_far[1].append(update.event_id)
    before = problems.count
    made = [_document(doc_id, rows, path, problems) for doc_id, rows in documents.items()]
    if problems.count > before:
        problems.check()
        made = [document for document in made if document.published_time >= 0]
    made.sort(key=lambda document: (document.published_time, document.id))
    return made


def _document(
    doc_id: str, rows: dict[int, tuple[PooledUpdate, list[str]]], path: str, problems: Problems
) -> Document:
    first = next(iter(rows.values()))[0]
    time = pooled_time(first)
    if time is None:
        expected = "an id that begins with its time, such as 1326491100-8b5e"
        problems.add(path, 0, f"document id {doc_id!r}", expected, "pools of other tracks cannot be followed")
        time = -1
    source = first.source
    sentences = tuple(
        Sentence(doc_id, index, update.text, time, source, 0, tuple(events))
        for index, (update, events) in sorted(rows.items())
    )
    return Document(id=doc_id, published_time=time, source=source, sentences=sentences)
