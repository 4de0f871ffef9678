"""What is followed and what it is followed through: events, documents, sentences, and how far a source was read.

All are immutable; see `tidings.core.records` for how times and spans are written.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

__all__ = ["Document", "Event", "LateDocument", "Place", "Position", "Sentence", "bare_event_id", "update_id"]

_TRACK_PREFIX = re.compile(r"^TS\d+\.")


def bare_event_id(event_id: str) -> str:
    """An event's id without the track's prefix: runs write `11` where judgments write `TS14.11`.

    >>> bare_event_id("TS14.11"), bare_event_id("santiago-2013")
    ('11', 'santiago-2013')
    """
    return _TRACK_PREFIX.sub("", event_id)


def update_id(doc_id: str, sentence_index: int) -> str:
    """The name of a sentence in runs and judgments: `doc_id-index`.

    >>> update_id("1326502200-8b5e", 3)
    '1326502200-8b5e-3'
    """
    return f"{doc_id}-{sentence_index}"


class Event(Struct, frozen=True, kw_only=True):
    """Something that happens in the world and is followed: TREC's *topic* or *event*.

    A document belongs to its period when start_time <= published_time <= end_time; a period may be open at either end
    (None). `languages` are codes of ISO 639-1: only documents in these are followed, each in its own; none: all.
    """

    id: str
    title: str
    query: str
    start_time: int | None = None
    end_time: int | None = None
    type: str = ""
    description: str = ""
    languages: tuple[str, ...] = ()

    def covers(self, time: int) -> bool:
        """Whether `time` (seconds UTC) lies in the event's period.

        >>> storm = Event(id="storm", title="Storm", query="storm", start_time=100)
        >>> storm.covers(99), storm.covers(100)
        (False, True)
        """
        return (self.start_time is None or self.start_time <= time) and (
            self.end_time is None or time <= self.end_time
        )

    def reads(self, language: str) -> bool:
        """Whether documents of a language are followed; one that is not known ("") always is.

        >>> storm = Event(id="storm", title="Storm", query="Sturm", languages=("de",))
        >>> storm.reads("de"), storm.reads("fr"), storm.reads("")
        (True, False, True)
        """
        return not self.languages or not language or language in self.languages


class Sentence(Struct, frozen=True, gc=False):
    """One sentence of one document, as a system sees it.

    `index` is the sentence's number in its document (from 0; pools hold only some). `start` is the
    character offset in the document's text (0 where the document came already split). `events` names
    the events the sentence was pooled for; None offers it to every event. `title`, `url` and `language` are the
    document's.
    """

    doc_id: str
    index: int
    text: str
    published_time: int
    source: str = ""
    start: int = 0
    events: tuple[str, ...] | None = None
    title: str = ""
    url: str = ""
    language: str = ""

    @property
    def id(self) -> str:
        """The update id that this sentence would have."""
        return f"{self.doc_id}-{self.index}"


class Document(Struct, frozen=True, kw_only=True):
    """One article, post or wire report.

    Either `text` as stored, from which sentences are cut, or `sentences` as the source cut them. `language` is a code
    of ISO 639 (`de`), "" where nobody has said or looked. Of a document that was fetched as it came, `published_time`
    is when it was first seen, and `stated_time` when its outlet says that it was published (None where it does not).
    """

    id: str
    published_time: int
    source: str = ""
    title: str = ""
    url: str = ""
    text: str = ""
    sentences: tuple[Sentence, ...] = ()
    language: str = ""
    stated_time: int | None = None


class Place(Struct, frozen=True):
    """Stands between two documents of a source that can be read on from there.

    `cursor` gives what the source needs to find the place again; it is asked only when a run is committed.
    """

    cursor: Callable[[], bytes]


class Position(Struct, frozen=True, kw_only=True):
    """How far a run has followed one source.

    `released` counts the documents decided on, `read` those taken from the source (some may still have
    been waiting for their turn), `late` those that came too late. `first_id` is the source's first document;
    `last_id`, `last_time` and `digest` (CRC-32 over what was released) show whether a source read again is
    still the same. `ends` holds (documents read, latest time decided) for each earlier end of the source,
    for a source that has grown since. `cursor` is where reading can go on without what came before (msgpack, made and
    understood by the source and its ordering alone); empty where the source has no such place.
    """

    source: str
    released: int = 0
    read: int = 0
    late: int = 0
    first_id: str = ""
    last_id: str = ""
    last_time: int = 0
    digest: int = 0
    ends: tuple[tuple[int, int], ...] = ()
    cursor: bytes = b""


class LateDocument(Struct, frozen=True):
    """A document that came too late to be told in order, and was left out.

    `ordinal` counts the source's documents from 1; `bound_time` is the earliest time that was still in order.
    """

    source: str
    ordinal: int
    doc_id: str
    published_time: int
    bound_time: int
