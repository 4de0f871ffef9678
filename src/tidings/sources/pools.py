"""Pools of judged sentences as documents: what was pooled of each, with the events it was pooled for."""

from __future__ import annotations

from collections.abc import Iterable

from tidings.core import Document, PooledUpdate, Problems, Sentence

__all__ = ["pool_documents", "pooled_time"]


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
