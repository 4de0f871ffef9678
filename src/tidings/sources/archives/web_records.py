"""Records of web archives, ARC and WARC, as they stand on the tape."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tidings.sources.archives.tape import Places, Tape

MOST_BLOCK = 32 << 20
"""Bytes of a record that are read; larger ones are passed over."""

WITH_DOCUMENTS = ("response", "resource", "conversion")
"""The kinds of records that hold what a server gave, or what was made of it."""

BROKEN = "a record that cannot be read"


class ArchivedRecord(Struct, frozen=True, kw_only=True):
    """A record of a WARC or ARC file.

    Args:
        place: the byte of the file from which on it can be read.
        kind: of record: `response`, `resource`, `conversion`, `request`, `revisit`, `metadata`, `warcinfo`, ….
        url: that was asked for, as written.
        date: when, as written.
        content_type: of the block: `application/http` for what a server gave.
        block: its bytes, at most `MOST_BLOCK`.
        truncated: why the crawler cut it; "" where it did not.
        fault: what is wrong with it, though it was read; "" for nothing.
        broken: whether nothing of it can be read.
    """

    place: int
    kind: str
    url: str = ""
    date: str = ""
    content_type: str = ""
    block: bytes = b""
    truncated: str = ""
    fault: str = ""
    broken: bool = False


_KNOWN = ("md5", "sha1", "sha256", "sha512")


def is_right(stated: str, block: bytes) -> bool:
    """Whether bytes have the digest that is stated of them, in base 32 or 16; true where none is, or an unknown one.

    >>> is_right("sha1:DA39A3EE5E6B4B0D3255BFEF95601890AFD80709", b""), is_right("", b"x"), is_right("md5:00", b"x")
    (True, True, False)
    """
    name, _, text = stated.strip().partition(":")
    name = name.lower().replace("-", "")
    if name not in _KNOWN or not text:
        return True
    digest = hashlib.new(name, block, usedforsecurity=False).digest()
    if text.lower() == digest.hex():
        return True
    try:
        return base64.b32decode(text.upper()) == digest
    except (binascii.Error, ValueError):
        return False


ARC_MARK = re.compile(rb"\A(?:\xef\xbb\xbf)?filedesc:")
_MOST_LINE = 16 << 10  # bytes of a line of a record's head
# URL, address, time, type, then (version 2) status, checksum, location, offset and file, then the length. URLs of
# careless crawlers hold blanks, so the line is read from its end.
_LINE = re.compile(
    rb"(?:(?<=\n)|\A)(?P<url>[a-z][a-z0-9+.-]*:[^\r\n]{0,8000}) (?P<address>[0-9a-fA-F.:]{1,45}) (?P<date>\d{8,20}) "
    rb"(?P<type>[^ \r\n]{1,200}) (?:\S{1,20} \S{1,200} \S{1,8000} \d{1,19} \S{1,1000} )?(?P<length>[^ \r\n]{1,20})\r?\n"
)


def records_of_arc(tape: Tape, places: Places) -> Iterator[ArchivedRecord]:
    """Every record of a pre-WARC archive, versions 1 and 2; after one whose length is wrong, the next line that is
    about a page is looked for.
    """
    position = tape.find(_LINE, tape.tell(), _MOST_LINE)
    while position is not None:
        tape.forget(position)
        tape.seek(position)
        line = _LINE.match(tape.read(_MOST_LINE))
        if line is None:
            position = tape.find(_LINE, position + 1, _MOST_LINE)
            continue
        begin = position + line.end()
        tape.seek(begin)
        stated = line["length"].decode("latin-1")
        length = int(stated) if stated.isascii() and stated.isdigit() else -1
        block = tape.read(min(max(length, 0), MOST_BLOCK))
        fault = BROKEN if length < 0 else ""
        following: int | None = begin
        if length > MOST_BLOCK:
            fault = f"a record of more than {MOST_BLOCK >> 20} MiB"
            tape.seek(begin)
            following = tape.find(_LINE, begin, _MOST_LINE)
        elif not fault:
            following = tape.find(_LINE, begin + length, _MOST_LINE)
            fault = _fault_of(tape, begin, length, following)
            region = tape.kept(begin, tape.end if following is None else following) if fault else b""
            if hidden := _LINE.search(region):
                block, following = block[: hidden.start()].rstrip(b"\n"), begin + hidden.start()
        else:
            following = tape.find(_LINE, begin, _MOST_LINE)
        url = line["url"].decode("utf-8", "replace")
        yield ArchivedRecord(
            place=places.of(position),
            kind="warcinfo" if url.startswith("filedesc:") else "response",
            url=url,
            date=line["date"][:14].decode(),
            content_type=line["type"].decode("latin-1"),
            block=b"" if length > MOST_BLOCK else block,
            fault=fault,
            broken=length < 0 or length > MOST_BLOCK,
        )
        position = following


def _fault_of(tape: Tape, begin: int, length: int, following: int | None) -> str:
    end = begin + length
    if following is None and tape.end < end:
        return "a record that is cut short"
    if tape.kept(end, tape.end if following is None else following).strip():
        return "a record that states a wrong length"
    return ""


MARK = re.compile(rb"(?:(?<=[\n\0])|\A)WARC/\d")
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_MOST_HEAD = 32 << 10  # bytes of a record's head
_MOST_REPEATED = 256 << 20  # bytes looked at twice where records are damaged; then steps are longer


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
        for record in iterator:
            if waiting is not None:
                settled, again = _settle(waiting, tape, record.begin, repeated)
                yield settled
                if again is not None:
                    repeated += record.begin - again
                    break
            elif tape.kept(begin, record.begin).strip(b"\0\r\n\t "):
                yield _unreadable(places.of(begin), "bytes that belong to no record")
            waiting = record
            begin = record.begin
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
