"""Sources of any kind read as one: their documents in the order of time, and what was understood of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from tidings.errors import FormatError, Problem, Problems
from tidings.formats import read_stream
from tidings.formats.content import Content, Notes, ReadingOptions, as_content
from tidings.formats.recognition import recognise
from tidings.records import Document, Item
from tidings.sources.documents import DocumentBuilder
from tidings.sources.pile import in_order

__all__ = ["Reading", "is_foreign", "open_reading", "read_items"]


def is_foreign(path: str) -> bool:
    """Whether a path holds items of other people's formats, and not documents or a pool as tidings writes them.

    >>> is_foreign("news.jsonl"), is_foreign("-")
    (False, False)
    """
    return path != "-" and recognise(as_content(path)) is not None


class Reading:
    """Sources read as one: iterate over its documents, in the order of their times; then it says what was understood.

    `documents` counts them, `first_time` and `last_time` are their period, `outlets` and `languages` count them by
    these, `duplicates` those that repeated another, and `notes` tells what was left out and why. `first` are three of
    them, the earliest.
    """

    _SHOWN = 3

    def __init__(
        self, sources: Sequence[str], options: ReadingOptions, problems: Problems, pool: str
    ) -> None:
        self.sources, self.options, self.problems, self.pool = sources, options, problems, pool
        self.notes = Notes()
        self.outlets: Counter[str] = Counter()
        self.languages: Counter[str] = Counter()
        self.first: list[Document] = []
        self.documents = 0
        self.duplicates = 0
        self.first_time: int | None = None
        self.last_time: int | None = None

    def __iter__(self) -> Iterator[Document]:
        for document in in_order(self._unordered()):
            self._count(document)
            yield document

    def _unordered(self) -> Iterator[Document]:
        builder = DocumentBuilder(self.options, self.notes)
        for source in self.sources:
            if is_foreign(source):
                for item in read_items(as_content(source), self.options, self.notes):
                    if (document := builder.document(item)) is not None:
                        yield document
            else:
                yield from read_stream(source, pool=self.pool, problems=self.problems)
        self.duplicates = builder.duplicates

    def _count(self, document: Document) -> None:
        self.documents += 1
        self.outlets[document.source] += 1
        self.languages[document.language] += 1
        if len(self.first) < self._SHOWN:
            self.first.append(document)
        if self.first_time is None:
            self.first_time = document.published_time
        self.last_time = document.published_time


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
    sources: Sequence[str],
    options: ReadingOptions | None = None,
    *,
    problems: Problems | None = None,
    pool: str = "sampled",
) -> Reading:
    """Sources of any kind, to be read as one."""
    return Reading(sources, options or ReadingOptions(), problems or Problems(), pool)
