"""What a feed's answer holds: new documents, in the order of the times that they state."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from operator import itemgetter

from msgspec import Struct
from msgspec.structs import replace

from tidings.errors import TidingsError
from tidings.formats.content import Content, Notes, ReadingOptions
from tidings.formats.recognition import recognise
from tidings.records import Document, Item
from tidings.sources.documents import DocumentBuilder, stated_times

__all__ = ["New", "Understanding", "UnreadableError", "first_seen", "read_body", "stated_gap"]

_MOST_ITEMS = 5000
_LATEST = 10


class UnreadableError(TidingsError):
    """What came is no feed."""


def read_body(url: str, body: bytes, content_type: str, kind: str, options: ReadingOptions) -> list[Item]:
    """The items of a body that is to be of that kind of format: `feed` or `page`.

    Raises:
        UnreadableError: it is of another.
    """
    content = Content(url, data=body, url=url, content_type=content_type)
    form = recognise(content)
    if form is None or kind not in form.name:
        raise UnreadableError(f"no {kind}" + (f", but a {form.name}" if form is not None else ""))
    try:
        return list(islice(form.read(content, options=options, notes=Notes()), _MOST_ITEMS))
    except TidingsError as error:
        raise UnreadableError(" ".join(str(error).removeprefix(f"{url}: ").split())[:200]) from error
    except Exception as error:  # what one outlet sends must not end the following of others
        raise UnreadableError(f"no {kind} that can be read ({type(error).__name__})") from error


def stated_gap(times: list[int]) -> float | None:
    """Seconds between the latest of some times, on average; None for fewer than three.

    >>> stated_gap([0, 100, 200, 300]), stated_gap([5])
    (100.0, None)
    """
    latest = sorted(times)[-_LATEST:]
    return None if len(latest) < 3 else max((latest[-1] - latest[0]) / (len(latest) - 1), 1.0)


class New(Struct, frozen=True):
    """The documents of one answer that none had seen before, as first seen now, in the order of the times they state.

    `items` are what they were made of, for whoever has to remember them again; `gap_s` as of `stated_gap`.
    """

    documents: tuple[Document, ...]
    items: tuple[Item, ...]
    gap_s: float | None


class Understanding:
    """Makes documents of what feeds hold, each once, whichever feed brings it.

    Args:
        options: how dates and languages are understood.
        memory: what an earlier one remembered.
    """

    def __init__(self, options: ReadingOptions, memory: bytes = b"") -> None:
        self.options = options
        self._builder = DocumentBuilder(options, Notes())
        if memory:
            self._builder.restore(memory)

    def memory(self) -> bytes:
        """What tells a new document from one that came before."""
        return self._builder.state()

    def new(self, items: Sequence[Item], now: int) -> New:
        """The documents among these items that are new, or tell something new; their published_time is `now`."""
        times = stated_times(self.options)
        for item in items:
            times.note(item.published)
            times.note(item.updated)
        understood = [
            (document.published_time, item, document)
            for item in items
            if (document := self._builder.understood(item, times, seen_time=now)) is not None
        ]
        understood.sort(key=itemgetter(0))
        documents, made_of = [], []
        for stated, item, document in understood:
            new = self._builder.new(document)
            if new is not None:
                documents.append(first_seen(new, now, None if is_undated(item) else stated))
                made_of.append(item)
        past = [time for time, item, _ in understood if time <= now and not is_undated(item)]
        return New(tuple(documents), tuple(made_of), stated_gap(past))

    def remember(self, items: Sequence[Item], now: int) -> None:
        """Remember again what was new at that time."""
        self.new(items, now)


def is_undated(item: Item) -> bool:
    """Whether an item does not say when it was published."""
    return item.published is None and item.updated is None


def first_seen(document: Document, now: int, stated_time: int | None) -> Document:
    """The document as it counts: published when it was first seen, with its stated time beside."""
    return replace(
        document,
        published_time=now,
        stated_time=stated_time,
        sentences=tuple(replace(sentence, published_time=now) for sentence in document.sentences),
    )
