"""What is read of each file of a folder of web archives, beside warcio: the table in docs/sources/reading.md.

    python scripts/table_of_archives.py ../shared/data/warc

Records: of any kind. Documents: those of the kinds response, resource and conversion that hold text that a server gave
with a status of 2xx, or without one. Read: how many of these gave bytes of their text. Broken: records with a fault, be
they read or not; after warcio's name, what it stopped at.
"""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Iterator
from pathlib import Path

from tidings.sources.archives.web_archive import http_payload, read_records
from tidings.sources.archives.web_records import WITH_DOCUMENTS

HEAD = "| file | records | documents | read | broken | warcio: records | documents | read | stopped by |"


def main() -> None:
    (folder,) = sys.argv[1:]
    print(HEAD)
    print("|---|" + "---|" * (HEAD.count("|") - 2))
    for path in sorted(Path(folder).iterdir()):
        print(f"| {path.name} | " + " | ".join(map(str, (*ours(path), *warcios(path)))) + " |")


def ours(path: Path) -> tuple[int, int, int, int]:
    """Records, documents, those read, broken records."""
    records = list(read_records(path))
    payloads = [
        (one, http_payload(one.block)) for one in records if one.kind in WITH_DOCUMENTS and not one.broken
    ]
    texts = [
        payload
        for one, payload in payloads
        if is_text(payload.content_type or one.content_type, payload.status)
    ]
    broken = sum(bool(one.fault) for one in records)
    broken += sum(bool(payload.fault or payload.refusal) for one, payload in payloads if not one.fault)
    return len(records), len(texts), sum(bool(one.data.strip()) for one in texts), broken


def warcios(path: Path) -> tuple[int, int, int, str]:
    """Records, documents, those read, and what it stopped at."""
    records = documents = read = 0
    with contextlib.redirect_stderr(io.StringIO()), path.open("rb") as file:
        try:
            for record in records_of(file):
                records += 1
                if record.rec_type not in WITH_DOCUMENTS:
                    continue
                head = record.http_headers
                status = int(head.get_statuscode() or 0) if head else 0
                kind = (head or record.rec_headers).get_header("Content-Type") or ""
                if is_text(kind, status):
                    documents += 1
                    read += bool(record.content_stream().read().strip())
        except Exception as error:  # noqa: BLE001 whatever it stops at is what the table is about
            return records, documents, read, type(error).__name__
    return records, documents, read, ""


def records_of(file: io.BufferedReader) -> Iterator[object]:
    """warcio's records."""
    from warcio.archiveiterator import ArchiveIterator

    return iter(ArchiveIterator(file))


def is_text(kind: str, status: int) -> bool:
    """Whether a payload is a document."""
    kind = kind.partition(";")[0].strip().lower()
    return (not status or 200 <= status < 300) and (
        kind.startswith("text/") or kind.endswith(("json", "xml"))
    )


if __name__ == "__main__":
    main()
