"""What a stream argument names: documents as JSON Lines, or a pool of judged sentences as a stream in time order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from tidings.core import (
    Document,
    Event,
    FormatError,
    Judgments,
    Place,
    Problems,
    UsageError,
    as_content,
    ending,
    find,
    is_folder,
    is_regular,
    is_there,
    need_folder,
    nothing_there,
    part_files,
    source_name,
)
from tidings.sources.registry import DOCUMENT_FORMATS, is_own_folder
from tidings.sources.trec.folder import pool_path

T = TypeVar("T")

_KINDS = "a feed, pages, texts, a table, an archive, documents (.jsonl)"


def read_stream(
    path: str | Path, *, pool: str = "sampled", problems: Problems | None = None, zone: str = ""
) -> Iterator[Document]:
    """The documents that a path names.

    - `-` and files ending in .jsonl or .ndjson: tidings' documents, in file order and flat memory;
    - a folder with documents.jsonl: that file;
    - a folder of nothing but such files: all of them, in the order of their times and then ids;
    - a TREC folder: its pool (`sampled` or `extended`), in time order;
    - any other file (.tsv): a TREC table of pooled updates, in time order.

    `zone` is that of times of documents that name none, "" for UTC.

    Raises:
        UsageError: no such file or folder, or a folder without documents or pool.
        FormatError: bad lines, together; those of a file of documents when reading reaches them.
    """
    file = document_file(path)
    if file is None and (parts := document_parts(path)):
        return _of_parts(parts, problems, zone)
    if file is None:
        return _pool_stream(_pool(path, pool), problems)
    return _not_empty(DOCUMENT_FORMATS["documents"].read(file, problems=problems, zone=zone), file, problems)


def read_stream_places(
    path: str | Path,
    *,
    cursor: bytes = b"",
    pool: str = "sampled",
    problems: Problems | None = None,
    zone: str = "",
) -> Iterator[Document | Place] | None:
    """As `read_stream`, with a `Place` now and then from which reading can go on; `cursor` is what one gave.

    A file of documents has such places, a pool or a folder of several files has none. None where the cursor cannot be
    trusted any more.

    Raises:
        UsageError, FormatError: as `read_stream`.
    """
    file = document_file(path)
    if file is None and (parts := document_parts(path)):
        return None if cursor else _of_parts(parts, problems, zone)
    if file is None:
        return None if cursor else _pool_stream(_pool(path, pool), problems)
    from tidings.sources.own.documents import read_document_places

    documents = read_document_places(file, cursor=cursor, problems=problems, zone=zone)
    return documents if documents is None or cursor else _not_empty(documents, file, problems)


def read_stream_times(path: str | Path, *, cursor: bytes = b"", zone: str = "") -> Iterator[int] | None:
    """The times of the documents that `read_stream_places` gives, quickly; None for a pool, or where it gives None."""
    file = document_file(path)
    if file is None:
        return None
    from tidings.sources.own.documents import read_times

    return read_times(file, cursor=cursor, zone=zone)


def document_file(path: str | Path) -> str | Path | None:
    """The file of documents that a stream argument names, itself or by its folder; None for a pool."""
    if DOCUMENT_FORMATS["documents"].is_name_of(path):
        return path
    place = Path(path)
    file = find(place, "documents.jsonl") if is_folder(place) else None
    if file is None and is_own_folder(place):
        raise UsageError(f"{path}: there is no documents.jsonl in the folder")
    return file


def document_parts(path: str | Path) -> tuple[Path, ...]:
    """The files of a folder that holds documents in files of any names, and no judgments; none for any other stream."""
    place = Path(path)
    if not is_folder(place) or find(place, "documents.jsonl") or is_own_folder(place):
        return ()
    return part_files(place)


def _of_parts(parts: Sequence[Path], problems: Problems | None, zone: str) -> Iterator[Document]:
    documents = [
        document
        for part in parts
        for document in DOCUMENT_FORMATS["documents"].read(part, problems=problems, zone=zone)
    ]
    documents.sort(key=lambda document: (document.published_time, document.id))
    yield from documents


def _pool(path: str | Path, pool: str) -> Path:
    place = Path(path)
    if is_folder(place):
        if pool not in {"sampled", "extended"}:
            raise UsageError(f"there is no pool {pool!r}; it is sampled or extended")
        if not any(place.iterdir()):
            raise UsageError(f"{path}: the folder is empty; put {_KINDS} into it")
        place = pool_path(place, pool)
    if not is_there(place):
        raise nothing_there(path, "file or folder")
    if is_regular(place) and not as_content(place).head():
        raise FormatError.of(
            source_name(path), 0, "an empty file", _KINDS, "check that what writes it has ended"
        )
    if DOCUMENT_FORMATS.choose("events", place) is not None:
        raise FormatError.of(
            source_name(path),
            0,
            f"a {ending(place)} file that is no feed and no page",
            "documents (.jsonl), a pool (.tsv) or a folder",
        )
    if ending(place) != ".tsv" and is_regular(place) and b"\t" not in as_content(place).head():
        mend = "docs/core/formats.md lists all kinds"
        raise FormatError.of(
            source_name(path), 0, "nothing that is known", f"{_KINDS} or a pool (.tsv)", mend
        )
    return place


def _not_empty(items: Iterator[T], path: str | Path, problems: Problems | None) -> Iterator[T]:
    empty = True
    for item in items:
        empty = empty and isinstance(item, Place)
        yield item
    if empty and is_regular(path) and not (problems is not None and problems.count):
        mend = "check that it is the right file, and that what writes it has begun"
        raise FormatError.of(source_name(path), 0, "no document", "a document a line", mend)


def _pool_stream(path: Path, problems: Problems | None) -> Iterator[Document]:
    from tidings.sources.own.documents import pool_documents

    yield from pool_documents(
        DOCUMENT_FORMATS["pool"].read(path, problems=problems), str(path), problems=problems
    )


def read_events(path: str | Path) -> list[Event]:
    """The events of a folder, of a topics file (.xml) or of an event file (.json, .jsonl).

    Raises:
        UsageError: no such file or folder, or a folder without events.
        FormatError: the file is not of its format.
    """
    place = Path(path)
    events: list[Event]
    if is_folder(place):
        folder = DOCUMENT_FORMATS.choose("judgments", place)
        assert folder is not None  # any folder will do for TREC's
        events = folder.read_events(place)
        return events
    chosen = DOCUMENT_FORMATS.choose("events", path)
    if chosen is None:
        if is_regular(path):
            ends = f"a file ending in {ending(path) or 'nothing that is known'}"
            expected = "an event (.json, .jsonl), topics (.xml) or a folder"
            raise FormatError.of(source_name(path), 0, ends, expected)
        chosen = DOCUMENT_FORMATS["topics"]  # a pipe, or nothing at all
    events = chosen.read(path)
    return events


def read_judgments(
    folder: str | Path, *, pool: str = "sampled", problems: Problems | None = None
) -> Judgments:
    """Everything judged in a folder: one of TREC Temporal Summarization, or one in tidings' own format.

    A folder with event.json, events.jsonl or nuggets.jsonl is tidings' own; its pool is all sentences of its
    documents, whatever `pool` says. `pool` chooses between TREC's tables of judged updates.

    Raises:
        UsageError: no such folder, or one without judgments.
        FormatError: bad lines, all those of a file together.
    """

    chosen = DOCUMENT_FORMATS.choose("judgments", need_folder(folder))
    assert chosen is not None  # any folder will do for TREC's
    pools = {"pool": pool} if chosen.name == "trec" else {}
    judgments: Judgments = chosen.read(folder, problems=problems, **pools)
    return judgments
