"""Web archives, WARC and ARC: their pages and feeds, each read by whatever reader suits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from pathlib import Path
from urllib.parse import urlsplit

from msgspec.structs import replace

from tidings.core import (
    Content,
    FormatError,
    Item,
    LimitError,
    Notes,
    Problem,
    ReadingOptions,
    StatedTimes,
    as_content,
)
from tidings.sources.archives.arc_records import ARC_MARK, records_of_arc
from tidings.sources.archives.http_payload import HttpPayload, http_payload
from tidings.sources.archives.records import WITH_DOCUMENTS, ArchivedRecord
from tidings.sources.archives.tape import Places, Tape, open_tapes
from tidings.sources.archives.warc_records import records_of_warc
from tidings.sources.recognition import recognise

__all__ = ["read_records", "read_web_archive"]

_TEXTS = ("text/html", "text/plain", "text/xml", "text/markdown", "text/x-markdown")
_LISTS = ("xml", "json")
_MAJORS = ("image", "video", "audio", "font", "text", "application")
_READ_AS = frozenset({"feed", "page", "sitemap", "text"})


def read_web_archive(
    source: str | Path | Content, *, options: ReadingOptions | None = None, notes: Notes | None = None
) -> Iterator[Item]:
    """The items of the pages and feeds of a WARC or ARC file, in its order.

    A page that states no time has that of its crawl, and that is said. Records that are broken are noted with the byte
    where they begin; so are images and whatever else holds no text, answers that are none (404 and the like), and
    pages that an earlier crawl had already.

    Raises:
        FormatError: there is no record in it.
        LimitError: it unpacks to more than is taken.
    """
    content = as_content(source)
    reading = _Reading(content, options or ReadingOptions(), Notes() if notes is None else notes)
    any_record = False
    for tape, places in open_tapes(content):
        for record in _records(tape, places):
            any_record = True
            yield from reading.items(record)
        if tape.damage is not None:
            reading.note("damage, or an early end", places.of(tape.end))
    if not any_record:
        raise FormatError([Problem(content.name, 0, "no record of an archive", "a WARC or ARC file")])
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
                yield self._completed(item, member, record)
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

    def _completed(self, item: Item, member: Content, record: ArchivedRecord) -> Item:
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
                f"{self.content.name}: no time that can be read on {self._timeless:,} of its pages; "
                "they have that of their crawl"
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
