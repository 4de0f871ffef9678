"""What the values of objects and the contents of items hold, by kind, as a project's history says them."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from tidings.core import LATEST_TIME, PooledUpdate, RunCard

__all__ = ["CONTENTS", "VALUES", "RunContent", "SentenceContent"]

Number = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Time = Annotated[int, Meta(ge=0, le=LATEST_TIME)]
Words = Annotated[str, Meta(max_length=1_000_000)]
Id = Annotated[str, Meta(min_length=1, max_length=2000)]
Grade = Annotated[int, Meta(ge=-1, le=100)]
Date = Annotated[str, Meta(pattern=r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$")]


class Value(Struct, kw_only=True):
    """What any value may say besides: `again` and `stands` of one that was judged after it was opened again."""

    again: Number = 0
    stands: Number = 0


class ReadAt(Struct):
    """Where a nugget was read."""

    revision: str
    start: Number
    end: Number


class NuggetValue(Value):
    """A nugget."""

    text: Words
    importance: Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)]
    time: Time
    needs: list[Id] = []
    listed_length: int = 0
    source: ReadAt | None = None


class MatchValue(Struct):
    """A part of an update that tells a nugget."""

    nugget: Id
    start: Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)]
    end: Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)]
    automatic: bool = False


class MatchesValue(Value):
    """What an update tells."""

    matches: list[MatchValue]


class LookAgainValue(Value):
    """Nuggets in question."""

    nuggets: list[Id]


class GradeValue(Value):
    """A grade, of relevance or of an entity."""

    grade: Grade
    automatic: bool = False


class AnswerValue(Value):
    """Two answers about an entity."""

    sentence: Annotated[int, Meta(ge=1, le=3)]
    important: bool


class ClusterValue(Value):
    """A cluster."""

    label: Words
    number: Number = 0


class MembershipValue(Value):
    """The cluster of an update; None: it is not relevant."""

    cluster: Id | None
    automatic: bool = False


class EventValue(Value):
    """An event of a judge's list."""

    text: Words
    time: Time | None = None
    sentence: str = ""


class MergedEventValue(Value):
    """An event of the list of all, and the layers and ids of those that it is made of."""

    text: Words
    sources: list[tuple[str, Id]] = msgspec.field(name="from")
    time: Time | None = None


class ReasonValue(Value):
    """Why an event is left out."""

    reason: Words


class LinksValue(Value):
    """The events that a sentence tells of."""

    events: list[Id]


class GroupValue(LinksValue):
    """The events that sentences tell of together."""

    sentences: list[Id]


class VerdictValue(Value):
    """Whether a link is right."""

    accepted: bool
    added: bool = False


class AboutValue(Struct):
    """What a note is about."""

    kind: str
    id: Id


class NoteValue(Value):
    """A note."""

    text: Words
    about: AboutValue
    page: str = ""


class TextValue(Value):
    """An answer to a note, or guidelines."""

    text: Words


class ReopenedValue(Value):
    """That a decision was opened again."""

    kind: str
    id: Id
    reason: Words = ""
    times: Number = 1
    renewed: Number = 0


class ReadValue(Value):
    """That a revision was read."""

    read: bool


class OpenedValue(Value):
    """That others' work was opened."""

    opened: bool


VALUES: dict[str, type] = {
    "nugget": NuggetValue,
    "matches": MatchesValue,
    "look-again": LookAgainValue,
    "relevance": GradeValue,
    "cluster": ClusterValue,
    "membership": MembershipValue,
    "event": EventValue,
    "merged-event": MergedEventValue,
    "left-out": ReasonValue,
    "links": LinksValue,
    "group": GroupValue,
    "verdict": VerdictValue,
    "grade": GradeValue,
    "answer": AnswerValue,
    "note": NoteValue,
    "reply": TextValue,
    "guidelines": TextValue,
    "reopened": ReopenedValue,
    "read": ReadValue,
    "opened-lists": OpenedValue,
    "opened-links": OpenedValue,
}
"""What objects of a kind have as their values; nothing is asked of kinds that no page shows by its parts."""


class SentenceContent(PooledUpdate, frozen=True):
    """A sentence, with the title of its document."""

    title: str = ""


class RevisionContent(Struct):
    """A revision of a page."""

    text: str
    title: str
    author: str
    comment: str


class DayEntityContent(Struct):
    """An entity of a day."""

    date: Date
    entity: Id
    type: str
    aliases: list[str]
    sentence: str
    sentence_id: str
    before: str
    before_id: str


class RunColumns(Struct, forbid_unknown_fields=True):
    """The updates of a run, by column."""

    event_id: list[str]
    doc_id: list[str]
    sentence_index: list[Annotated[int, Meta(ge=0, le=2**53)]]
    time: list[Time]
    confidence: list[float]
    text: list[str] | None = None
    published_time: list[Time] | None = None
    source: list[str] | None = None
    title: list[str] | None = None
    url: list[str] | None = None


class RunContent(Struct):
    """A run."""

    team: str
    name: str
    card: RunCard | None
    updates: RunColumns


CONTENTS: dict[str, type] = {
    "update": SentenceContent,
    "sentence": SentenceContent,
    "revision": RevisionContent,
    "day-entity": DayEntityContent,
    "run": RunContent,
}
