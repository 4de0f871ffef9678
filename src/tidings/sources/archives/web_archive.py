"""Web archives, WARC and ARC: their pages and feeds, each read by whatever reader suits."""

from __future__ import annotations

import io
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import replace

from tidings.core import (
    Content,
    FormatError,
    Item,
    LimitError,
    Notes,
    ReadingOptions,
    StatedTimes,
    as_content,
)
from tidings.sources.archives.tape import Places, Tape, open_tapes
from tidings.sources.archives.web_records import (
    ARC_MARK,
    WITH_DOCUMENTS,
    ArchivedRecord,
    records_of_arc,
    records_of_warc,
)
from tidings.sources.recognition import recognise
from tidings.sources.registry import item_reader

MOST_PAYLOAD = 32 << 20
"""Bytes of a payload, unpacked; more is refused."""

_MOST_HEAD = 64 << 10  # bytes of an answer's head
_MOST_CHUNKS = 1_000_000  # of a chunked body
_MOST_LAYERS = 3  # encodings around one body
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_SIZE = re.compile(rb"[ \t]*([0-9a-fA-F]{1,15})[ \t]*(?:;[^\n]{0,4000})?\r?\n")
_STATUS = re.compile(rb"HTTP/\d[\d.]*[ \t]+(\d{3})")


class HttpPayload(Struct, frozen=True):
    """A payload, with what its head says of it.

    Args:
        data: the bytes, unpacked.
        status: HTTP's; 0 where there is no head.
        content_type: as the server called it.
        last_modified: as the server wrote it.
        fault: what is wrong with it, though it was read.
        refusal: why it cannot be read; "" where it can.
    """

    data: bytes
    status: int = 0
    content_type: str = ""
    last_modified: str = ""
    fault: str = ""
    refusal: str = ""


def http_payload(block: bytes) -> HttpPayload:
    r"""The payload of a block; without a head the block is the payload.

    >>> http_payload(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nFire\r\n0\r\n\r\n").data
    b'Fire'
    >>> http_payload(b"<p>Fire").data
    b'<p>Fire'
    """
    status = _STATUS.match(block)
    if status is None:
        return HttpPayload(block)
    end = _HEAD_END.search(block, 0, _MOST_HEAD)
    if end is None:
        return HttpPayload(b"", int(status[1]), refusal="a head of HTTP without an end")
    fields = _fields(block[: end.start()])
    data, fault, refusal = block[end.end() :], "", ""
    if "chunked" in fields.get("transfer-encoding", "").lower():
        data, fault = _join_chunks(data)
    layers = [coding.strip().lower() for coding in fields.get("content-encoding", "").split(",")]
    layers = [coding for coding in layers if coding not in ("", "identity", "none", "utf-8")]
    if len(layers) > _MOST_LAYERS:
        refusal = "a payload packed too often"
    for layer in reversed(layers if not refusal else ()):
        try:
            data, broken = _unpack(layer, data)
        except OverflowError:
            data, refusal = b"", f"a payload of more than {MOST_PAYLOAD >> 20} MiB"
            break
        except LookupError:
            data, refusal = b"", "a payload packed in an unknown way"
            break
        fault = fault or broken
    return HttpPayload(
        data, int(status[1]), fields.get("content-type", ""), fields.get("last-modified", ""), fault, refusal
    )


def _fields(head: bytes) -> dict[str, str]:
    fields: dict[str, str] = {}
    last = ""
    for line in head.decode("latin-1").splitlines()[1:]:
        if line[:1] in (" ", "\t") and last:
            fields[last] += " " + line.strip()
            continue
        name, _, value = line.partition(":")
        last = name.strip().lower()
        fields.setdefault(last, value.strip())
    return fields


def _join_chunks(data: bytes) -> tuple[bytes, str]:
    # Crawlers often join the chunks and leave the head: what does not begin with a size is taken as it is.
    size = _SIZE.match(data)
    if size is None:
        return data, ""
    parts: list[bytes] = []
    at = 0
    for _ in range(_MOST_CHUNKS):
        size = _SIZE.match(data, at)
        if size is None:
            return b"".join(parts), "a payload with a bad chunk"
        length, begin = int(size[1], 16), size.end()
        if not length:
            return b"".join(parts), ""
        parts.append(data[begin : begin + length])
        at = begin + length
        if at >= len(data):
            return b"".join(parts), "a payload that is cut short"
        at += 2 if data.startswith(b"\r\n", at) else data.startswith(b"\n", at)
    return b"".join(parts), "a payload with a bad chunk"


def _unpack(how: str, data: bytes) -> tuple[bytes, str]:
    if not data:
        return data, ""
    if how in ("gzip", "x-gzip"):
        return _inflate(data, 31) if data.startswith(b"\x1f\x8b") else (data, "")
    if how == "deflate":
        # By the standard with a head of zlib, by habit without.
        inflated, fault = _inflate(data, 15)
        return (inflated, fault) if inflated else _inflate(data, -15)
    if how == "br":
        return _read_out(data, _brotli)
    if how == "zstd":
        return _read_out(data, _zstandard)
    raise LookupError(how)


def _inflate(data: bytes, window: int) -> tuple[bytes, str]:
    parts: list[bytes] = []
    given = 0
    while data:
        decoder = zlib.decompressobj(window)
        try:
            parts.append(decoder.decompress(data, MOST_PAYLOAD + 1 - given))
        except zlib.error:
            return b"".join(parts), "a payload whose packing is damaged"
        given += len(parts[-1])
        if given > MOST_PAYLOAD:
            raise OverflowError
        if not decoder.eof:
            return b"".join(parts), "a payload that is cut short"
        data = decoder.unused_data if decoder.unused_data.startswith(b"\x1f\x8b") else b""
    return b"".join(parts), ""


def _read_out(data: bytes, opened: Callable[[bytes], Any]) -> tuple[bytes, str]:
    reader, given = opened(data), 0
    parts: list[bytes] = []
    while True:
        try:
            part = reader.read(1 << 16)
        except Exception as error:  # noqa: BLE001 whatever the library of the packing calls damage
            if isinstance(error, MemoryError):
                raise OverflowError from None
            return b"".join(parts), "a payload whose packing is damaged"
        if not part:
            return b"".join(parts), ""
        parts.append(part)
        given += len(part)
        if given > MOST_PAYLOAD:
            raise OverflowError


def _brotli(data: bytes) -> Any:
    from fastwarc.stream_io import BrotliReader

    return BrotliReader(io.BytesIO(data), fsspec_args=False)


def _zstandard(data: bytes) -> Any:
    import zstandard

    return zstandard.ZstdDecompressor(max_window_size=64 << 20).stream_reader(io.BytesIO(data))


_TEXTS = ("text/html", "text/plain", "text/xml", "text/markdown", "text/x-markdown")
_LISTS = ("xml", "json")
_MAJORS = ("image", "video", "audio", "font", "text", "application")
_READ_AS = frozenset({"feed", "page", "sitemap", "text"})


@item_reader
def read_web_archive(content: Content, options: ReadingOptions, notes: Notes) -> Iterator[Item]:
    """The items of the pages and feeds of a WARC or ARC file, in its order.

    A page that states no time has that of its crawl, and that is said. Records that are broken are noted with the byte
    where they begin; so are images and whatever else holds no text, answers that are none (404 and the like), and
    pages that an earlier crawl had already.

    Raises:
        FormatError: there is no record in it.
        LimitError: it unpacks to more than is taken.
    """
    reading = _Reading(content, options, notes)
    any_record = False
    for tape, places in open_tapes(content):
        for record in _records(tape, places):
            any_record = True
            yield from reading.items(record)
        if tape.damage is not None:
            reading.note("damage, or an early end", places.of(tape.end))
    if not any_record:
        raise FormatError.of(content.name, 0, "no record of an archive", "a WARC or ARC file")
    reading.conclude()


def read_records(source: str | Path | Content) -> Iterator[ArchivedRecord]:
    """All records of a WARC or ARC file, also those that hold no document, and the broken ones."""
    for tape, places in open_tapes(as_content(source)):
        yield from _records(tape, places)


def _records(tape: Tape, places: Places) -> Iterator[ArchivedRecord]:
    is_arc = ARC_MARK.match(tape.read(64)) is not None
    tape.seek(0)
    yield from (records_of_arc if is_arc else records_of_warc)(tape, places)


class _Reading:
    def __init__(self, content: Content, options: ReadingOptions, notes: Notes) -> None:
        self.content, self.options, self.notes = content, options, notes
        self._times = StatedTimes(zone=options.zone, year=options.year, day_first=options.day_first)
        self._faults: Counter[str] = Counter()
        self._first: dict[str, int] = {}
        self._timeless = 0

    def items(self, record: ArchivedRecord) -> Iterator[Item]:
        """The items of one record."""
        place = f"{self.content.name}, byte {record.place:,}"
        if record.broken:
            self.notes.drop(place, record.fault)
            return
        if record.fault:
            self.note(record.fault, record.place)
        if record.truncated:
            self.note("a record that the crawler cut short", record.place)
        if record.kind == "revisit":
            self.notes.drop(place, "a page that an earlier crawl had (revisit)")
        if record.kind not in WITH_DOCUMENTS:
            return
        payload = http_payload(record.block)
        if payload.fault:
            self.note(payload.fault, record.place)
        member = self._member(record, payload)
        reason = payload.refusal or _unread(member, payload)
        kind = None if reason else recognise(member)
        if kind is None or kind.name not in _READ_AS:
            self.notes.drop(place, reason or "neither a page nor a feed")
            return
        try:
            for item in kind.read(member, options=self.options, notes=self.notes):
                yield self._complete(item, member, record)
        except (FormatError, LimitError):
            self.notes.drop(place, f"a {kind.name} that cannot be read")

    def note(self, fault: str, place: int) -> None:
        """Count a fault of what was read all the same, or in part."""
        self._faults[fault] += 1
        self._first.setdefault(fault, place)

    def _member(self, record: ArchivedRecord, payload: HttpPayload) -> Content:
        url = record.url.strip().removeprefix("<").removesuffix(">").replace(" ", "%20")
        return Content(
            f"{self.content.name}!{url}",
            data=payload.data,
            url=url,
            content_type=payload.content_type or ("" if payload.status else record.content_type),
            modified_time=_seconds(payload.last_modified),
        )

    def _complete(self, item: Item, member: Content, record: ArchivedRecord) -> Item:
        outlet = item.source or (urlsplit(member.url).hostname or "").removeprefix("www.")
        completed = replace(item, url=item.url or member.url, source=outlet)
        if self._times.read(item.published) is not None or self._times.read(item.updated) is not None:
            return completed
        if self.options.file_times and item.file_time is not None:
            return completed
        if (crawled := _crawl_time(record.date)) is None:
            return completed
        self._timeless += 1
        return replace(completed, published=crawled)

    def conclude(self) -> None:
        """Remark on what was noticed in several records, once for each kind."""
        for fault, count in self._faults.items():
            where = f"{count:,} times, first" if count > 1 else "once,"
            self.notes.remark(
                f"{self.content.name}: {fault} ({where} at byte {self._first[fault]:,}); what is there was read"
            )
        if self._timeless:
            self.notes.remark(
                f"{self.content.name}: no readable time on {self._timeless:,} of its pages; "
                "they got the time of their crawl"
            )


def _unread(member: Content, payload: HttpPayload) -> str:
    # Why a payload is not read; "" where it is to be.
    if payload.status and not 200 <= payload.status < 300:
        return f"HTTP status {payload.status}"
    if not payload.data.strip(b"\0 \t\r\n"):
        return "an empty answer"
    stated = member.content_type.partition(";")[0].strip().lower()
    if not stated or stated in _TEXTS or (stated.startswith("application/") and stated.endswith(_LISTS)):
        return ""
    major = stated.partition("/")[0]
    return f"no text ({major if major in _MAJORS else 'of another type'})"


def _crawl_time(date: str) -> str | None:
    # 14 digits in ARC (some crawlers append more), ISO 8601 in WARC.
    if date.isascii() and date.isdigit() and len(date) >= 8:
        digits = date[:14].ljust(14, "0")
        day = f"{digits[:4]}-{digits[4:6]}-{digits[6:8]}"
        date = f"{day}T{digits[8:10]}:{digits[10:12]}:{digits[12:14]}Z"
    return date if StatedTimes().read(date) is not None else None


def _seconds(stated: str) -> int | None:
    try:
        moment = parsedate_to_datetime(stated)
        return int(moment.timestamp())
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
