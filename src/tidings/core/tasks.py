"""The nouns of the field's other tasks: tracked values, linked sentences, entity rankings, daily facts.

As in `tidings.core.records`, all are immutable and times are integer seconds UTC.
"""

from __future__ import annotations

from msgspec import Struct

from tidings.core.records import EntityRanking, ValueUpdate

__all__ = [
    "Fact",
    "FactRun",
    "JudgedLink",
    "RankingRun",
    "Request",
    "SentenceLinks",
    "ValueRun",
]


class ValueRun(Struct, frozen=True):
    """All tracked values that one system predicts, in the order of its file."""

    team: str
    name: str
    updates: tuple[ValueUpdate, ...]


class SentenceLinks(Struct, frozen=True):
    """Which sentences of a topic tell of which of its events, as judges linked them (UMass, 2001).

    `links` are (event of the topic, update id) pairs; a sentence may be linked to several events. `sentences` are the
    ids of all the topic's sentences, those of no event too (may be empty: not known).
    """

    topic_id: str
    links: tuple[tuple[str, str], ...]
    sentences: tuple[str, ...] = ()


class JudgedLink(Struct, frozen=True):
    """That one judge linked a sentence to an event of a topic: judges 1 and 2 on their own, 3 verifying both."""

    topic_id: str
    event_id: str
    judge: int
    sentence_id: str


class RankingRun(Struct, frozen=True):
    """All entity rankings of one system."""

    team: str
    name: str
    rankings: tuple[EntityRanking, ...]


class Fact(Struct, frozen=True):
    """One line of a CrisisFACTS summary: what a system tells for one request, that is one event and day.

    `stream_id` is the item of the stream that says it (may be empty), `sources` those that support it.
    """

    request_id: str
    text: str
    time: int
    importance: float
    sources: tuple[str, ...] = ()
    stream_id: str = ""
    needs: tuple[str, ...] = ()


class Request(Struct, frozen=True):
    """What CrisisFACTS asks for: a summary of one event over start_time <= t <= end_time, mostly a day."""

    id: str
    event_id: str
    start_time: int
    end_time: int


class FactRun(Struct, frozen=True):
    """All facts of one CrisisFACTS run, in the order of its file."""

    team: str
    name: str
    facts: tuple[Fact, ...]
