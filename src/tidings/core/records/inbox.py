"""What an inbox keeps of what was fetched: documents as they came, and what is remembered of each feed."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from tidings.core.records.documents import Document

__all__ = ["Arrival", "InboxChange", "InboxContents", "KeptFeed", "place_of", "place_to"]


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
