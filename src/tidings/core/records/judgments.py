"""What people said of events: nuggets, matches, pooled updates, clusters, entities.

All are immutable; see `tidings.core.records` for how times and spans are written.
"""

from __future__ import annotations

from msgspec import Struct

from tidings.core.records.documents import Event
from tidings.core.records.outputs import ValueUpdate

__all__ = [
    "Cluster",
    "EntityGrade",
    "Judgments",
    "Match",
    "Mention",
    "Nugget",
    "PooledUpdate",
    "PossibleMatch",
]


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


class PossibleMatch(Struct, frozen=True, gc=False):
    """An update that may say a nugget, as a matcher and no assessor has it.

    Characters start..end of the update's text say it with this probability (0 to 1).
    """

    event_id: str
    update_id: str
    nugget_id: str
    probability: float
    start: int
    end: int


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


class Judgments(Struct, frozen=True, kw_only=True):
    """Everything people said about a set of events, as read from one folder.

    `duplicates` maps an update id to another with the same text (2015). `pool_headless` says that the pool's file
    had no header line (the extended pool of 2014), because the official scorers then lose its first row. `byte_spans`
    says that the official scorers apply the matches' offsets to the UTF-8 bytes of the text, as they do for TREC files.
    `pool_whole` says that the pool is all sentences of the documents: who chooses from the one chooses from both.
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
    pool_whole: bool = False
