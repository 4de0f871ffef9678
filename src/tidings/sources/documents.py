"""Items understood: each with its time, its id and its language, and the same one only once."""

from __future__ import annotations

from zlib import crc32

from tidings.formats.content import Notes, ReadingOptions
from tidings.records import Document
from tidings.records.items import Item
from tidings.text.stated_times import StatedTimes

__all__ = ["DocumentBuilder"]


class DocumentBuilder:
    """Makes documents of items, one by one and in the order in which they come.

    `duplicates` counts the items that repeat an earlier one and gave no document.

    >>> builder = DocumentBuilder(ReadingOptions(), Notes())
    >>> item = Item(origin="a.xml:1", id="urn:1", title="Ferry burns", published="2026-02-17T08:30:00Z")
    >>> builder.document(item).title, builder.document(item), builder.duplicates
    ('Ferry burns', None, 1)
    """

    def __init__(self, options: ReadingOptions, notes: Notes) -> None:
        self.options, self.notes = options, notes
        self.duplicates = 0
        self._seen: set[str] = set()

    def document(self, item: Item, times: StatedTimes | None = None) -> Document | None:
        """The document that an item is; None where it is none, or one that came before.

        Args:
            item: what a reader found.
            times: reads its dates, as those of its file are to be read.
        """
        times = times or StatedTimes(
            zone=self.options.zone, year=self.options.year, day_first=self.options.day_first
        )
        time = times.read(item.published)
        if time is None:
            time = times.read(item.updated)
        if time is None and self.options.file_times:
            time = item.file_time
        if time is None:
            self.notes.drop(
                item.origin, "no date" if item.published is None else "a date that cannot be read"
            )
            return None
        if not item.title.strip() and not item.text.strip() and not item.sentences:
            self.notes.drop(item.origin, "no text")
            return None
        key = item.id or item.url or item.title + item.text
        if key in self._seen:
            self.duplicates += 1
            return None
        self._seen.add(key)
        return Document(
            id=f"{time}-{crc32(key.encode('utf-8', 'surrogatepass')):08x}",
            published_time=time,
            source=item.source,
            title=item.title,
            url=item.url,
            text=item.text,
            language=item.language,
        )
