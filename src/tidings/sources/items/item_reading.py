"""Sources of any kind read as one: their documents in the order of time, and what was understood of them."""

from __future__ import annotations

import io
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import chain
from operator import attrgetter

from tidings.core import (
    DAY_S,
    LIMITS,
    MIB,
    Content,
    Document,
    FormatError,
    Item,
    LimitError,
    Notes,
    Problems,
    ReadingOptions,
    StatedTimes,
    Unpacked,
    as_content,
    how_many,
    is_folder,
    is_regular,
    open_bytes,
    peek_standard_input,
    sniff,
    source_name,
)
from tidings.sources.items.documents import DocumentBuilder, stated_times
from tidings.sources.items.pile import in_order, in_order_with_pauses
from tidings.sources.polling.feed_lists import is_address
from tidings.sources.recognition import recognise
from tidings.sources.streams import document_parts, read_stream
from tidings.sources.tables.kinds import is_json_lines

_NAMED = 3  # remarks on orders that are given one by one


class Assumptions:
    """Counts what was assumed of the dates of files, and says it.

    >>> times = StatedTimes()
    >>> times.read("17 Feb 2026 08:30"), times.read("03/04/2026 08:30")
    (1771317000, 1775205000)
    >>> assumptions = Assumptions(ReadingOptions()); assumptions.add("a.csv", times)
    >>> for remark in assumptions.in_words(None): print(remark)
    2 times name no zone and are read as UTC (--zone)
    a.csv: 03/04/2026 is read as 3 April in 1 date; no date of the file tells (--day-first, --month-first)
    """

    def __init__(self, options: ReadingOptions) -> None:
        self._options = options
        self._counts: Counter[str] = Counter()
        self._orders: list[str] = []
        self._tomorrow = int(time.time()) + DAY_S
        self._future = 0

    def add(self, name: str, times: StatedTimes) -> None:
        """Count what was assumed of the dates of a file."""
        self._counts.update(times.counts)
        count = times.counts["order"]
        if count:
            day = "3 April" if times.begins_with_day else "4 March"
            self._orders.append(
                f"{name}: 03/04/2026 is read as {day} in {how_many(count, 'date')}; {times.evidence} "
                "(--day-first, --month-first)"
            )

    def see(self, published_time: int) -> None:
        """Count a document's time where it is more than a day from now."""
        self._future += published_time > self._tomorrow

    def in_words(self, last_time: int | None) -> list[str]:
        """A line for each thing that was assumed; `last_time` is the latest of all documents."""
        counts, remarks = self._counts, []
        zone = self._options.zone or "UTC"
        if counts["zone"]:
            asked = "" if self._options.zone else " (--zone)"
            remarks.append(
                f"{how_many(counts['zone'], 'time')} {_verb(counts['zone'], 'names', 'name')} no zone and "
                f"{_verb(counts['zone'], 'is', 'are')} read as {zone}{asked}"
            )
        if counts["year"]:
            remarks.append(
                f"{how_many(counts['year'], 'date')} without a year read as of {self._options.year}"
            )
        if counts["day"]:
            remarks.append(
                f"{how_many(counts['day'], 'date')} without a day read as the first of the month, week or year"
            )
        remarks += self._orders[:_NAMED]
        if len(self._orders) > _NAMED:
            more = len(self._orders) - _NAMED
            remarks.append(
                f"and {how_many(more, 'other file')} with dates whose day and month could be either"
            )
        if self._future and last_time is not None:
            latest = datetime.fromtimestamp(last_time, UTC).strftime("%Y-%m-%d")
            remarks.append(
                f"{how_many(self._future, 'document')} from after tomorrow, the latest of {latest}"
            )
        return remarks


def _verb(count: int, one: str, several: str) -> str:
    return one if count == 1 else several


_HEAD = 4096  # bytes by which a format is recognized
_MARKS = b"\xef\xbb\xbf \t\r\n"


def piped_content() -> Content | None:
    """What standard input holds, read to its end, where that is a feed, a page, a table or an archive.

    Its first bytes decide. None where they are tidings' own documents, or of no kind that is known: then nothing is
    taken from it, and it can be read as it comes.

    Raises:
        LimitError: it is larger than what is read as a whole.
        FormatError: it is packed, and damaged.
    """
    start = peek_standard_input(4 * _HEAD)
    head = _unpack(start)
    name, first = source_name("-"), head.lstrip(_MARKS)[:1]
    if first == b"{" and not is_json_lines(Content("a.jsonl", data=head), head):
        return None
    content_type = "application/json" if first and first in b"[{" else ""
    if recognise(Content(name, data=head, content_type=content_type)) is None:
        return None
    with open_bytes("-") as file:
        data = file.read(LIMITS.max_whole_bytes + 1)
    if len(data) > LIMITS.max_whole_bytes:
        most = f"{LIMITS.max_whole_bytes // MIB:,} MiB"
        raise LimitError(f"{name}: more than {most} (expected less from a pipe); save it, and name the file")
    return Content(name, data=data, content_type=content_type)


def _unpack(start: bytes) -> bytes:
    # The first bytes of what is packed; none where they cannot be unpacked.
    if not (how := sniff(start)):
        return start[:_HEAD]
    buffer = bytearray(_HEAD)
    try:
        with Unpacked(io.BufferedReader(io.BytesIO(start)), source_name("-"), how, LIMITS) as file:
            return bytes(buffer[: file.readinto(buffer)])
    except FormatError:
        return b""


def is_foreign(path: str) -> bool:
    """Whether a path holds items of other people's formats, and not documents or a pool as tidings writes them.

    What stands on the web always does.

    >>> is_foreign("news.jsonl"), is_foreign("-"), is_foreign("https://a.example/feed.xml")
    (False, False, True)
    """
    if is_address(path):
        return True
    return path != "-" and not document_parts(path) and recognise(as_content(path)) is not None


class Reading:
    """Sources read as one: iterate over its documents, in the order of their times; then it says what was understood.

    `documents` counts them, `first_time` and `last_time` are their period, `outlets` and `languages` count them by
    these, `sentences` those that came cut, `titles` those that are a title alone. `latest` are three of them, the
    newest first. `notes` tells what was left out and why. `repeats` counts, by why, the items with nothing new,
    and `corrections` the documents that are a later version of another; `boilerplate` the sentences left out because
    their outlet repeats them. `remarks` are what was assumed, in words.
    """

    _SHOWN = 3

    def __init__(
        self, sources: Sequence[str | Content], options: ReadingOptions, problems: Problems, pool: str
    ) -> None:
        self.sources, self.options, self.problems, self.pool = sources, options, problems, pool
        self._clear()

    def _clear(self) -> None:
        self.notes = Notes()
        self.outlets: Counter[str] = Counter()
        self.languages: Counter[str] = Counter()
        self.repeats: Counter[str] = Counter()
        self.latest: list[Document] = []
        self.corrections = self.documents = self.titles = self.items = self.boilerplate = 0
        self.first_time: int | None = None
        self.last_time: int | None = None
        self._assumptions = Assumptions(self.options)

    @property
    def duplicates(self) -> int:
        """How many items said nothing new."""
        return sum(self.repeats.values())

    @property
    def remarks(self) -> list[str]:
        """What was assumed of dates, and what the readers remarked, a line each."""
        return [
            *self._assumptions.in_words(self.last_time),
            *self.notes.remarks,
            *self.problems.remarks,
        ]

    @property
    def left_out(self) -> str:
        """What was left out most, and why, in words; "" where nothing was."""
        dropped = self.notes.dropped
        if not dropped:
            return ""
        why = ", ".join(f"{reason}: {count:,}" for reason, count in dropped.most_common(3))
        dates = any("date" in reason for reason in dropped)
        mend = "; see --columns, --year and --file-times" if dates else ""
        return f"left out: {why}; first {self.notes.examples[0][0]}{mend}"

    def __iter__(self) -> Iterator[Document]:
        ordered = self.unordered()
        for document in ordered if all(map(_is_foreign, self.sources)) else in_order(ordered):
            self._count(document)
            yield document

    def unordered(self) -> Iterator[Document]:
        """The same documents for those who put them in order themselves, not counted; see `steps`."""
        return (document for document in self.steps() if document is not None)

    def steps(self) -> Iterator[Document | None]:
        """The documents of `unordered`, with None now and then while they are being read.

        Those of other people's formats come first and are in order, as only then it can be said which of two that are
        the same was first; those that tidings wrote follow as they stand in their files.
        """
        self._clear()
        builder = DocumentBuilder(self.options, self.notes)
        self.repeats = builder.repeats
        foreign = [_content(source, self.options) for source in self.sources if _is_foreign(source)]
        understood = chain.from_iterable(self._understood(content, builder) for content in foreign)
        for document in in_order_with_pauses(understood) if foreign else ():
            new = None if document is None else builder.new(document)
            if document is None:
                yield None
            elif new is not None:
                self.corrections, self.boilerplate = builder.corrections, builder.boilerplate.sentences
                yield new
        for source in self.sources:
            if not isinstance(source, Content) and not _is_foreign(source):
                for document in read_stream(
                    source, pool=self.pool, problems=self.problems, zone=self.options.zone
                ):
                    self.items += 1
                    yield document

    def _understood(self, content: Content, builder: DocumentBuilder) -> Iterator[Document]:
        times = stated_times(self.options)
        place = content.path
        again = content.data is not None or (place is not None and (is_regular(place) or is_folder(place)))
        noted = False
        for item in read_items(content, self.options, self.notes):
            self.items += 1
            if not noted and (times.is_open(item.published) or times.is_open(item.updated)):
                noted = True
                if again:
                    self._note(content, times)
            if noted and not again:
                times.note(item.published)
            document = builder.understood(item, times)
            if document is not None:
                yield document
        self._assumptions.add(content.name, times)

    def _note(self, content: Content, times: StatedTimes) -> None:
        """Let all dates of a file say in which order its day and month stand."""
        for item in read_items(content, self.options, Notes()):
            times.note(item.published)
            times.note(item.updated)

    def _count(self, document: Document) -> None:
        self.documents += 1
        self.outlets[document.source] += 1
        self.languages[document.language] += 1
        self.titles += not document.text and not document.sentences
        self._assumptions.see(document.published_time)
        if len(self.latest) < self._SHOWN or document.published_time >= self.latest[-1].published_time:
            newer = sorted([*self.latest[::-1], document], key=attrgetter("published_time"))
            self.latest = newer[-self._SHOWN :][::-1]
        if self.first_time is None:
            self.first_time = document.published_time
        self.last_time = document.published_time


def _content(source: str | Content, options: ReadingOptions) -> Content:
    if isinstance(source, Content) or not is_address(source):
        return as_content(source)
    from tidings.sources.polling.once import fetch

    return fetch(source, allow_private=options.allow_private)


def _is_foreign(source: str | Content) -> bool:
    return isinstance(source, Content) or is_foreign(source)


def read_items(content: Content, options: ReadingOptions, notes: Notes) -> Iterator[Item]:
    """The items of a content of any kind.

    Raises:
        FormatError: it is of no kind that is known, or not what it seems to be.
    """
    kind = recognise(content)
    if kind is None:
        raise FormatError.of(
            content.name, 0, "nothing that is known", "a feed, a page, a table or an archive"
        )
    items: Iterator[Item] = kind.read(content, options=options, notes=notes)
    return items


def open_reading(
    sources: Sequence[str | Content],
    options: ReadingOptions | None = None,
    *,
    problems: Problems | None = None,
    pool: str = "sampled",
) -> Reading:
    """Sources of any kind, to be read as one."""
    return Reading(sources, options or ReadingOptions(), problems or Problems(), pool)
