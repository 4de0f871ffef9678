"""The nouns: everything that moves through tidings is one of these.

All are immutable. Times are integer seconds UTC since 1970 and end in `_time` (an update's own
is just `time`); spans are half-open character offsets into the text as stored.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

__all__ = [
    "Cluster",
    "Document",
    "EntityGrade",
    "Event",
    "Judgments",
    "LateDocument",
    "Match",
    "Mention",
    "Nugget",
    "PooledUpdate",
    "Position",
    "Run",
    "Sentence",
    "Timeline",
    "TimelineDay",
    "Update",
    "ValueUpdate",
    "bare_event_id",
    "update_id",
]

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

    A document belongs to its period when start_time <= published_time <= end_time.
    """

    id: str
    title: str
    query: str
    start_time: int
    end_time: int
    type: str = ""
    description: str = ""


class Sentence(Struct, frozen=True, gc=False):
    """One sentence of one document, as a system sees it.

    `index` is the sentence's number in its document (from 0; pools hold only some). `start` is the
    character offset in the document's text (0 where the document came already split). `events` names
    the events the sentence was pooled for; None offers it to every event.
    """

    doc_id: str
    index: int
    text: str
    published_time: int
    source: str = ""
    start: int = 0
    events: tuple[str, ...] | None = None

    @property
    def id(self) -> str:
        """The update id that this sentence would have."""
        return f"{self.doc_id}-{self.index}"


class Document(Struct, frozen=True, kw_only=True):
    """One article, post or wire report.

    Either `text` as stored, from which sentences are cut, or `sentences` as the source cut them.
    """

    id: str
    published_time: int
    source: str = ""
    title: str = ""
    url: str = ""
    text: str = ""
    sentences: tuple[Sentence, ...] = ()


class Update(Struct, frozen=True, gc=False):
    """What a system tells its reader: one sentence, at the time at which it was decided.

    `time` is never earlier than `published_time`. Runs read from files may lack text and source.
    """

    event_id: str
    doc_id: str
    sentence_index: int
    time: int
    confidence: float = 1.0
    text: str = ""
    published_time: int = 0
    source: str = ""

    @property
    def id(self) -> str:
        """`doc_id-index`, by which judgments know the update."""
        return f"{self.doc_id}-{self.sentence_index}"


class Run(Struct, frozen=True):
    """All updates of one system, over any number of events, in the order of its file."""

    team: str
    name: str
    updates: Sequence[Update]


class TimelineDay(Struct, frozen=True):
    """What a timeline says of one day (`date` as YYYY-MM-DD): sentences, in their order."""

    date: str
    sentences: tuple[str, ...]


class Timeline(Struct, frozen=True):
    """A summary of an event by days, as people or systems wrote it, in the order of its file.

    Reference timelines are not always in time order, and some list a day twice.
    """

    name: str
    days: tuple[TimelineDay, ...]


class Nugget(Struct, frozen=True, gc=False):
    """One atomic fact about an event, with the time at which it could first be known.

    `importance` is 0 to 3 (TREC 2013 holds a few -1); `length_words` counts spaces + 1, as the
    official scorers do, unless the file's own figure is used.
    """

    event_id: str
    id: str
    time: int
    importance: int
    text: str
    listed_length: int = 0


class Match(Struct, frozen=True, gc=False):
    """An assessor's link: characters start..end of the update's text say the nugget."""

    event_id: str
    update_id: str
    nugget_id: str
    start: int
    end: int
    automatic: bool = False


class PooledUpdate(Struct, frozen=True, gc=False):
    """A sentence that assessors judged (or that copies one exactly).

    `duplicate_of` is the id of the pooled update whose text it repeats, or empty. `listed_length` is the
    length column of the file: words in 2013, characters in 2014 and 2015.
    """

    event_id: str
    doc_id: str
    sentence_index: int
    text: str
    duplicate_of: str = ""
    listed_length: int = 0
    published_time: int = 0
    source: str = ""

    @property
    def id(self) -> str:
        """`doc_id-index`."""
        return f"{self.doc_id}-{self.sentence_index}"


class Cluster(Struct, frozen=True):
    """Updates that say the same thing, as an assessor grouped them."""

    event_id: str
    id: str
    update_ids: tuple[str, ...]
    label: str = ""


class EntityGrade(Struct, frozen=True):
    """How much an entity matters to an event on one day (date as YYYY-MM-DD, UTC)."""

    event_id: str
    date: str
    entity: str
    type: str
    grade: int
    aliases: tuple[str, ...] = ()


class Mention(Struct, frozen=True):
    """Where a sentence names an entity: characters start..end of the sentence's text."""

    doc_id: str
    sentence_index: int
    start: int
    end: int
    entity: str
    type: str = ""


class ValueUpdate(Struct, frozen=True):
    """A tracked value (deaths, injuries, displaced, financialimpact, location) as known at `time`.

    Location values are (latitude, longitude) in degrees; all others one number.
    """

    event_id: str
    time: int
    attribute: str
    value: tuple[float, ...]
    confidence: float = 1.0
    doc_id: str = ""
    sentence_index: int = -1


class Judgments(Struct, frozen=True, kw_only=True):
    """Everything people said about a set of events, as read from one folder.

    `duplicates` maps an update id to another with the same text (2015). `pool_headless` says that the pool's file
    had no header line (the extended pool of 2014), because the official scorers then lose its first row. `byte_spans`
    says that the official scorers apply the matches' offsets to the UTF-8 bytes of the text, as they do for TREC files.
    """

    name: str
    events: tuple[Event, ...] = ()
    nuggets: tuple[Nugget, ...] = ()
    matches: tuple[Match, ...] = ()
    pool: tuple[PooledUpdate, ...] = ()
    clusters: tuple[Cluster, ...] = ()
    entities: tuple[EntityGrade, ...] = ()
    values: tuple[ValueUpdate, ...] = ()
    duplicates: dict[str, str] = {}
    pool_headless: bool = False
    byte_spans: bool = False


class Position(Struct, frozen=True, kw_only=True):
    """How far a run has followed one source.

    `released` counts the documents decided on, `read` those taken from the source (some may still have
    been waiting for their turn), `late` those that came too late. `first_id` is the source's first document;
    `last_id`, `last_time` and `digest` (CRC-32 over the ids released) show whether a source read again is
    still the same. `ends` holds (documents read, latest time decided) for each earlier end of the source,
    for a source that has grown since.
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


class LateDocument(Struct, frozen=True):
    """A document that came too late to be told in order, and was left out.

    `ordinal` counts the source's documents from 1; `bound_time` is the earliest time that was still in order.
    """

    source: str
    ordinal: int
    doc_id: str
    published_time: int
    bound_time: int
