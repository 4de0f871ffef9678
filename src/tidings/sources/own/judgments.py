"""tidings' own folder of judgments: an event or several, their documents, and what people judged in them.

| file | one line is |
|---|---|
| event.json or events.jsonl | an event |
| documents.jsonl | a document |
| pool.jsonl | a judged sentence: event, update; without this file all sentences were judged |
| nuggets.jsonl | event, id, time, importance, text |
| matches.jsonl | event, update, nugget, start, end, automatic |
| clusters.jsonl | event, id, label, updates |
| entities.jsonl | event, date, entity, type, aliases, grade |
| values.jsonl | event, time, attribute, value |
| duplicates.jsonl | update, duplicate |
| origin.json | what is peculiar to the files of another format that the folder was made of |

Only the event and the documents must be there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from tidings.core import (
    COMPRESSED,
    BadRecordError,
    Document,
    Event,
    FormatError,
    Judgments,
    OutputError,
    PooledUpdate,
    Problems,
    Sentence,
    UsageError,
    explain,
    find,
    need_folder,
    open_bytes,
    read_jsonl,
    write_json,
    write_jsonl,
)
from tidings.sources.own import judgment_lines as lines
from tidings.sources.own.documents import read_documents, write_documents
from tidings.sources.own.events import read_event_file, write_event

T = TypeVar("T")
JUDGMENT_FILES = (
    "event.json",
    "events.jsonl",
    "documents.jsonl",
    "pool.jsonl",
    "origin.json",
    "nuggets.jsonl",
    "matches.jsonl",
    "clusters.jsonl",
    "entities.jsonl",
    "values.jsonl",
    "duplicates.jsonl",
)
"""What a folder may hold; each may be compressed."""


def read_events(folder: str | Path, *, problems: Problems | None = None) -> list[Event]:
    """The events of a folder, from event.json or events.jsonl.

    Raises:
        UsageError: neither is there.
    """
    path = find(need_folder(folder), "event.json", "events.jsonl")
    if path is None:
        raise UsageError(f"{folder}: there is no event.json or events.jsonl in the folder")
    return read_event_file(path, problems=problems)


def read_own_judgments(folder: str | Path, *, problems: Problems | None = None) -> Judgments:
    """Everything in a folder.

    The pool is what pool.jsonl lists; without that file it is every sentence of the documents, for the events that
    the sentence names, or for all.

    Raises:
        UsageError: the folder lacks an event or documents.
        FormatError: bad lines of a file, all together; also an event, update or nugget that is not there.
    """
    place = need_folder(folder)
    checks = lines.Checks(problems)
    events = read_events(place, problems=checks.problems)
    path = find(place, "documents.jsonl")
    if path is None:
        raise UsageError(f"{folder}: there is no documents.jsonl in the folder")
    origin = _origin(find(place, "origin.json"))
    checks.expect([event.id for event in events], origin)
    sentences = _sentences(read_documents(path, problems=checks.problems), str(path), checks)
    texts = {sentence.id: sentence for sentence in sentences}
    checks.lengths.update((name, len(sentence.text)) for name, sentence in texts.items())

    def rows(name: str, shape: Any, build: Callable[[Any], T], what: str) -> tuple[T, ...]:
        file = find(place, name)
        if file is None:
            return ()
        return tuple(read_jsonl(file, shape, build, problems=checks.problems, what=what))

    def pooled(line: lines.PoolLine) -> PooledUpdate:
        sentence = texts.get(line.update)
        if sentence is None:
            raise BadRecordError(
                f"update {line.update!r}", "a sentence of documents.jsonl, as document-number"
            )
        row = _pool_row(sentence, checks.event(line.event), line.text)
        if not (line.duplicate_of or line.listed_length):
            return row
        return msgspec.structs.replace(row, duplicate_of=line.duplicate_of, listed_length=line.listed_length)

    whole = find(place, "pool.jsonl") is None
    if whole:
        pool = tuple(_take_all(sentences, [event.id for event in events]))
    else:
        pool = rows("pool.jsonl", lines.PoolLine, pooled, "a judged sentence: event, update")
    pairs = rows("duplicates.jsonl", lines.DuplicateLine, _pair, "a pair: update, duplicate")
    return Judgments(
        name=place.resolve().name,
        events=tuple(events),
        nuggets=rows(
            "nuggets.jsonl", lines.NuggetLine, checks.nugget, "a nugget: event, id, time, importance, text"
        ),
        matches=rows(
            "matches.jsonl", lines.MatchLine, checks.match, "a match: event, update, nugget, start, end"
        ),
        pool=pool,
        clusters=rows(
            "clusters.jsonl", lines.ClusterLine, checks.cluster, "a cluster: event, id, label, updates"
        ),
        entities=rows(
            "entities.jsonl", lines.EntityLine, checks.entity, "an entity: event, date, entity, type, grade"
        ),
        values=rows("values.jsonl", lines.ValueLine, checks.value, "a value: event, time, attribute, value"),
        duplicates=dict(pairs),
        pool_headless=origin.pool_headless,
        pool_whole=whole,
        byte_spans=origin.byte_spans,
    )


def _origin(path: Path | None) -> lines.Origin:
    if path is None:
        return lines.Origin()
    with open_bytes(path) as file:
        data = file.read(16 << 20)
    try:
        return msgspec.json.decode(data, type=lines.Origin)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise FormatError.of(str(path), 0, *explain(error, data, "where a folder came from")) from None


def _sentences(documents: Iterable[Document], path: str, checks: lines.Checks) -> list[Sentence]:
    from tidings.core import cut

    sentences: list[Sentence] = []
    seen: set[str] = set()
    for document in documents:
        if document.id in seen:
            mend = "give the later one its own id"
            checks.problems.add(path, 0, f"document {document.id!r} a second time", "each id once", mend)
            continue
        seen.add(document.id)
        for sentence in cut(document).sentences:
            unknown = next((name for name in sentence.events or () if name not in checks.events), None)
            if unknown is not None:
                checks.problems.add(path, 0, f"event {unknown!r} of {sentence.id}", checks.known_events())
                continue
            sentences.append(sentence)
    checks.problems.check()
    return sentences


def _take_all(sentences: Iterable[Sentence], events: list[str]) -> Iterable[PooledUpdate]:
    for sentence in sentences:
        for event_id in events if sentence.events is None else sentence.events:
            yield _pool_row(sentence, event_id)


def _pool_row(sentence: Sentence, event_id: str, text: str | None = None) -> PooledUpdate:
    return PooledUpdate(
        event_id,
        sentence.doc_id,
        sentence.index,
        sentence.text if text is None else text,
        published_time=sentence.published_time,
        source=sentence.source,
    )


def _pair(line: lines.DuplicateLine) -> tuple[str, str]:
    return line.update, line.duplicate


def write_own_judgments(
    folder: str | Path,
    judgments: Judgments,
    documents: Iterable[Document] | None = None,
    *,
    notes: list[str] | None = None,
) -> None:
    """Write a folder of judgments, made if it is not there; files of this format in it are replaced or removed.

    Without `documents` they are made of the pool, with the times that it or the ids give; what the sources'
    documents held besides the pooled sentences is then not in the folder, which `notes` says.

    Raises:
        OutputError: the folder cannot be made or written to.
        FormatError: documents are to be made of ids without time.
    """
    place = Path(folder)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        mend = "choose another place"
        raise OutputError(f"{folder}: the folder cannot be made ({error.strerror}); {mend}") from None
    if documents is None:
        from tidings.sources.own.documents import pool_documents

        kept = pool_documents(judgments.pool)
        if notes is not None:
            notes.append("documents hold the pooled sentences only; the judgments have no others")
    else:
        kept = list(documents)
    before = [place / (name + ending) for name in JUDGMENT_FILES for ending in COMPRESSED]
    written = [
        place / ("event.json" if len(judgments.events) == 1 else "events.jsonl"),
        place / "documents.jsonl",
    ]
    write_event(written[0], judgments.events[0] if len(judgments.events) == 1 else judgments.events)
    write_documents(place / "documents.jsonl", kept)
    checks = lines.Checks(Problems())
    checks.expect([event.id for event in judgments.events], lines.Origin())
    sentences = _sentences(_without_events(kept), str(place), checks)
    if _write_pool(place / "pool.jsonl", judgments, kept, sentences):
        written.append(place / "pool.jsonl")
    sentence_ids = {sentence.id for sentence in sentences}
    origin = lines.origin_of(judgments, sentence_ids)
    if origin != lines.Origin():
        write_json(place / "origin.json", origin)
        written.append(place / "origin.json")
    for name, rows in lines.lines_of(judgments).items():
        if rows:
            write_jsonl(place / name, rows)
            written.append(place / name)
    for path in before:
        if path not in written:
            path.unlink(missing_ok=True)


def _without_events(documents: Iterable[Document]) -> Iterable[Document]:
    from msgspec.structs import replace

    for document in documents:
        yield replace(
            document, sentences=tuple(replace(sentence, events=None) for sentence in document.sentences)
        )


def _write_pool(
    path: Path, judgments: Judgments, documents: list[Document], sentences: list[Sentence]
) -> bool:
    from tidings.core import cut

    marked = (sentence for document in documents for sentence in cut(document).sentences)
    plain = [(row.event_id, row.id, row.text) for row in _take_all(marked, [e.id for e in judgments.events])]
    rows = [(row.event_id, row.id, row.text) for row in judgments.pool]
    if rows == plain and not any(row.duplicate_of or row.listed_length for row in judgments.pool):
        return False
    texts = {sentence.id: sentence.text for sentence in sentences}
    write_jsonl(path, (lines.pool_line(row, texts.get(row.id, "")) for row in judgments.pool))
    return True
