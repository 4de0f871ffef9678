"""Sources of any kind read as one: their documents in the order of time, and what was understood of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from tidings.core import (
    Content,
    Document,
    FormatError,
    Item,
    Notes,
    Problem,
    Problems,
    ReadingOptions,
    StatedTimes,
    as_content,
    is_folder,
    is_regular,
)
from tidings.sources.items.documents import DocumentBuilder, stated_times
from tidings.sources.items.pile import in_order, in_order_with_pauses
from tidings.sources.items.remarks import Assumptions
from tidings.sources.polling.feed_lists import is_address
from tidings.sources.recognition import recognise
from tidings.sources.streams import document_parts, read_stream

__all__ = ["Reading", "is_foreign", "open_reading", "read_items"]


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
    these, `sentences` those that came cut, `titles` those that are a title alone. `first` are three of them, the
    earliest. `notes` tells what was left out and why. `repeats` counts, by why, the items that told nothing new, and
    `corrections` the documents that are a later version of another; `boilerplate` the sentences left out because their
    outlet repeats them. `remarks` are what was assumed, in words.
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
        self.first: list[Document] = []
        self.corrections = self.documents = self.titles = self.items = self.boilerplate = 0
        self.first_time: int | None = None
        self.last_time: int | None = None
        self._assumptions = Assumptions(self.options)

    @property
    def duplicates(self) -> int:
        """How many items told nothing new."""
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
        if len(self.first) < self._SHOWN:
            self.first.append(document)
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
        raise FormatError(
            [Problem(content.name, 0, "nothing that is known", "a feed, a page, a table or an archive")]
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
