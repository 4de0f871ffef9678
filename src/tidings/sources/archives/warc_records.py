"""The records of a WARC file, by fastwarc; where one states a wrong length, those that it hides are looked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tidings.sources.archives.digests import is_right
from tidings.sources.archives.records import BROKEN, MOST_BLOCK, ArchivedRecord
from tidings.sources.archives.tape import Places, Tape

__all__ = ["MARK", "records_of_warc"]

MARK = re.compile(rb"(?:(?<=[\n\0])|\A)WARC/\d")
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_MOST_HEAD = 32 << 10
_MOST_REPEATED = 256 << 20


class _Open(Struct):
    """A record that waits for what follows it: only that tells whether its length is right."""

    record: ArchivedRecord
    begin: int
    block_begin: int
    block_end: int
    digest: str = ""


def records_of_warc(tape: Tape, places: Places) -> Iterator[ArchivedRecord]:
    """Every record, the broken ones too, in the order of the file.

    A record whose stated length leads to no other record hides some, or is cut short: the first line of a record is
    looked for from its beginning on, until 256 MiB in all were looked through twice.
    """
    repeated, begin = 0, tape.tell()
    while True:
        waiting: _Open | None = None
        again: int | None = None
        iterator = _Iterator(tape, places)
        for one in iterator:
            if waiting is not None:
                settled, again = _settle(waiting, tape, one.begin, repeated)
                yield settled
                if again is not None:
                    repeated += one.begin - again
                    break
            elif tape.kept(begin, one.begin).strip(b"\0\r\n\t "):
                yield _unreadable(places.of(begin), "bytes that belong to no record")
            waiting = one
            begin = one.begin
            tape.forget(begin)
        else:
            begin = waiting.block_end if waiting else begin
            if waiting is not None and not iterator.failed:
                settled, again = _settle(waiting, tape, tape.end, repeated)
                yield settled
                if again is not None:
                    repeated += tape.end - again
            elif waiting is not None:
                yield waiting.record
            if again is None and (iterator.failed or waiting is None):
                at = tape.find(MARK, begin)
                if at is None:
                    return
                yield _unreadable(places.of(begin), BROKEN)
                step = 5 if repeated < _MOST_REPEATED else _MOST_HEAD
                again = at if at > begin + 8 else tape.find(MARK, at + step)
                repeated += _MOST_HEAD
        if again is None:
            return
        begin = tape.seek(again)


class _Iterator:
    """fastwarc over a tape from where it stands; `failed` says that it could not go on."""

    def __init__(self, tape: Tape, places: Places) -> None:
        self.tape, self.places = tape, places
        self.failed = False

    def __iter__(self) -> Iterator[_Open]:
        from fastwarc.warc import ArchiveIterator

        records = ArchiveIterator(
            self.tape,
            parse_http=False,
            quirks_mode=True,
            stream_detect=False,
            fsspec_args=False,
            max_header_len=_MOST_HEAD,
        )
        try:
            for record in records:
                yield self._open(record)
        except OSError:
            self.failed = True

    def _open(self, record: Any) -> _Open:
        begin, length = int(record.stream_pos), int(record.content_length)
        head = {name.lower(): value for name, value in reversed(record.headers.to_tuples())}
        block = bytes(record.reader.read(min(length, MOST_BLOCK)))
        stated = head.get("content-length")
        block_begin = self.tape.search(_HEAD_END, begin, begin + _MOST_HEAD + 4)
        fault = ""
        if stated is None or stated.strip() != str(length) or block_begin is None:
            fault = BROKEN
        elif length > MOST_BLOCK:
            fault = f"a record of more than {MOST_BLOCK >> 20} MiB"
        one = ArchivedRecord(
            place=self.places.of(begin),
            kind=str(record.record_type).rpartition(".")[2],
            url=head.get("warc-target-uri", ""),
            date=head.get("warc-date", ""),
            content_type=head.get("content-type", ""),
            block=b"" if fault == BROKEN else block,
            truncated=head.get("warc-truncated", ""),
            fault=fault,
            broken=bool(fault),
        )
        digest = head.get("warc-block-digest", "")
        block_begin = begin if block_begin is None else block_begin
        return _Open(one, begin, block_begin, block_begin + length, digest)


def _settle(waiting: _Open, tape: Tape, following: int, repeated: int) -> tuple[ArchivedRecord, int | None]:
    # The record as it is now known, and where to begin again: at a record that it hid.
    record, end = waiting.record, waiting.block_end
    clipped = end > following
    if not clipped and not tape.kept(end, following).strip():
        if record.broken or is_right(waiting.digest, record.block):
            return record, None
        return replace(record, fault="a record whose digest is not that of its bytes"), None
    hidden = None
    if repeated < _MOST_REPEATED and tape.start <= waiting.block_begin:
        hidden = MARK.search(tape.kept(waiting.block_begin - 1, following), 1)
    at = waiting.block_begin - 1 + hidden.start() if hidden else None
    if at is not None and (clipped or at < end):
        whole = record.block[: at - waiting.block_begin].rstrip(b"\r\n")
        if at - waiting.block_begin <= MOST_BLOCK and record.fault != BROKEN:
            record = replace(record, block=whole, broken=False)
        return _faulty(record, "a record that states a wrong length"), at
    if clipped:
        return _faulty(record, "a record that is cut short"), None
    return _faulty(record, "a record that states a wrong length"), None


def _unreadable(place: int, fault: str) -> ArchivedRecord:
    return ArchivedRecord(place=place, kind="unknown", broken=True, fault=fault)


def _faulty(record: ArchivedRecord, fault: str) -> ArchivedRecord:
    return record if record.broken else replace(record, fault=fault)
