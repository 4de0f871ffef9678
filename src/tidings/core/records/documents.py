"""What is followed and what it is followed through: events, documents, sentences, and how far a source was read.

All are immutable; see `tidings.core.records` for how times and spans are written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from msgspec import Struct

_TRACK_PREFIX = re.compile(r"^TS\d+\.")

ARTICLE = "Article: "
"""Before an event's description: it is the beginning of an article of the event, and no words about it."""


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
    """Something that happens in the world and is followed; TREC's *topic* or *event*.

    A document belongs to its period if start_time <= published_time <= end_time. Either end may be open (None). If
    `languages` (ISO 639-1 codes) are given, only documents in these languages are followed, each with the rules of
    its own. A `description` that begins with "Article: " is the beginning of an article of the event.
    """

    id: str
    title: str
    query: str
    start_time: int | None = None
    end_time: int | None = None
    type: str = ""
    description: str = ""
    languages: tuple[str, ...] = ()

    @property
    def article(self) -> str:
        """The beginning of the article by which the event is asked for; "" where it is described otherwise.

        >>> Event(id="fire", title="Fire", query="ferry fire", description="Article: Ferry burns off Nador").article
        'Ferry burns off Nador'
        """
        return self.description.removeprefix(ARTICLE) if self.description.startswith(ARTICLE) else ""

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
    """A sentence of a document, as systems receive it.

    `index` is the sentence's number in its document (from 0; pools hold only some). `start` is its character offset
    in the document's text (0 if the document came already split). `events` names the events for which the sentence
    was pooled; with None it is offered to every event. `title`, `url` and `language` are those of the document.
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
    """An article, a post or a wire report.

    It has either `text`, which is split into sentences, or `sentences` as its source split them. `language` is an ISO
    639 code such as `de`, or "" if it is not known yet. If a document was fetched live, `published_time` is when it
    was first seen, and `stated_time` when it was published according to its outlet (None if the outlet does not say).
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
    """A document that came too late to be taken in order, and was left out.

    `ordinal` counts the source's documents from 1; `bound_time` is the earliest time that was still in order.
    """

    source: str
    ordinal: int
    doc_id: str
    published_time: int
    bound_time: int


class Item(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One article, post or wire report as a feed, a page, a row of a table or an archive holds it.

    Everything is as it was written there, but that `title` and `text` are plain text: markup is taken off by the
    reader, paragraphs stand on lines of their own. What becomes of it (time, language, which other item it repeats) is
    decided by `tidings.sources.items`, which sees all items.

    Args:
        origin: where it stands, for messages: `world.xml:12`, `saved.zip!fire.html`.
        id: by which its outlet calls it (guid, atom:id, a column); "" where it has none.
        title: of the document, on one line.
        text: what it says; "" where there is a title alone.
        sentences: the same where the source has cut it; then `text` is "".
        url: where it stands on the web, without what only counts readers.
        source: the outlet.
        language: as declared there (`en-GB`); "" where nothing is.
        published: when it was published, as written there: text, or seconds or milliseconds since 1970.
        updated: when it was last changed, the same.
        file_time: when its file was last changed, in seconds UTC: used only where that is asked for.
    """

    origin: str
    id: str = ""
    title: str = ""
    text: str = ""
    sentences: tuple[str, ...] = ()
    url: str = ""
    source: str = ""
    language: str = ""
    published: str | int | float | None = None
    updated: str | int | float | None = None
    file_time: int | None = None


class Revision(Struct, frozen=True, kw_only=True):
    """One text of a page's history.

    >>> Revision(time=1374692280, text="A train left the rails.").title
    ''

    Args:
        time: from when on the page said so, in seconds UTC.
        text: all that it said, as plain text.
        id: unique in its history.
        title: of the page then.
        author: who changed it.
        comment: why, as they said.
    """

    time: int
    text: str
    id: str = ""
    title: str = ""
    author: str = ""
    comment: str = ""


class KeptFeed(Struct, frozen=True, kw_only=True):
    """One feed as an inbox keeps it.

    `next_time` is when it is asked next and `error` what was wrong at the last time ("" for nothing), for whoever looks
    into the store; `state` is all that is remembered of it (msgpack, made and understood by who asks it).
    """

    url: str
    title: str = ""
    next_time: int = 0
    error: str = ""
    state: bytes = b""


class Arrival(Struct, frozen=True):
    """A document that came by a feed; its `published_time` is when it was first seen."""

    feed: str
    document: Document


class InboxChange(Struct, frozen=True, kw_only=True):
    """What one fetch changes, to be kept whole or not at all.

    Args:
        now: when, in seconds UTC.
        feeds: those whose state changed.
        hosts: what is remembered of hosts (msgpack), for those that changed.
        arrivals: documents in the order in which they are to be followed.
        waiting: documents whose pages are still to be fetched, by a number that none had before.
        ready: numbers of documents that wait no longer; they stand among `arrivals`.
        fresh: items that are remembered beside `memory`: of each the time and what it was (msgpack).
        memory: what tells a new document from one that came before, these items among them; None where it is as it was,
            for it may be large.
    """

    now: int
    feeds: tuple[KeptFeed, ...] = ()
    hosts: Mapping[str, bytes] = {}
    arrivals: tuple[Arrival, ...] = ()
    waiting: Mapping[int, Arrival] = {}
    ready: tuple[int, ...] = ()
    fresh: tuple[bytes, ...] = ()
    memory: bytes | None = None


class InboxContents(Struct, frozen=True, kw_only=True):
    """What an inbox remembers when it is opened again; see `InboxChange`."""

    feeds: Mapping[str, KeptFeed] = {}
    hosts: Mapping[str, bytes] = {}
    waiting: Mapping[int, Arrival] = {}
    fresh: tuple[bytes, ...] = ()
    memory: bytes = b""
    last_time: int = 0


def place_of(seq: int) -> bytes:
    """How a run remembers that it has read up to a document of an inbox.

    >>> place_to(place_of(12)), place_to(b"elsewhere")
    (12, None)
    """
    return b"inbox %d" % seq


def place_to(place: bytes) -> int | None:
    """The number of the document that `place_of` was given; None for a place of another kind."""
    word, _, number = place.partition(b" ")
    return int(number) if word == b"inbox" and number.isdigit() else None
