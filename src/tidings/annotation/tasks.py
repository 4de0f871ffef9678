"""The tasks of the desk: what each judges, what a judgment holds and how it reads. A new task begins here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from tidings.core import LATEST_TIME

Number = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Time = Annotated[int, Meta(ge=0, le=LATEST_TIME)]
Words = Annotated[str, Meta(max_length=1_000_000)]
Id = Annotated[str, Meta(min_length=1, max_length=2000)]
Grade = Annotated[int, Meta(ge=-1, le=100)]


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
    """What an update matches."""

    matches: list[MatchValue]


class SuggestionValue(MatchesValue):
    """What a program takes an update to match, and which program."""

    by: Words


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
    """The events that a sentence reports."""

    events: list[Id]


class GroupValue(LinksValue):
    """The events that sentences report together."""

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


class Kind(Struct, frozen=True, kw_only=True):
    """A kind of objects that a task judges.

    Args:
        id: its word in the log.
        value: what its objects have as their values.
        item: the kind of item that each judges by its own, in a layer for each judge; empty where there is none.
        name: the part of a value by which pages call it; empty where it has no name.
        choices: the parts of a value that are chosen, with what may be: two values with the same choices are the same
            judgment. Empty where what is chosen is more than that: `disagreements.py` and `adjudication.py` compare it.
        words: a value as lines that people read, given what nuggets, clusters and events are called, and the text of
            the item.
    """

    id: str
    value: type
    item: str = ""
    name: str = ""
    choices: Mapping[str, tuple[Any, ...]] = {}
    words: Callable[[Any, Mapping[str, str], str], list[str]] | None = None


def _name_matches(value: Any, names: Mapping[str, str], text: str) -> list[str]:
    lines = []
    for match in value["matches"]:
        nugget, quoted = names.get(match["nugget"], match["nugget"]), text[match["start"] : match["end"]]
        lines.append(f"{nugget}: “{quoted}”" if quoted else str(nugget))
    return lines or ["matches no nugget"]


def _name_cluster(value: Any, names: Mapping[str, str], text: str) -> list[str]:
    cluster = value["cluster"]
    return ["not relevant" if cluster is None else names.get(cluster, cluster)]


def _name_answer(value: Any, names: Mapping[str, str], text: str) -> list[str]:
    return [f"sentence {value['sentence']}", "important" if value["important"] else "not important"]


class Task(Struct, frozen=True):
    """One thing that people do at the desk.

    Args:
        id: its word in addresses and assignments.
        title: its name on pages.
        judged: the kinds of objects that it judges.
        unit: the kind of item of which each is judged by its own: `update` or `day-entity`; empty where a topic
            is done as a whole.
        shared: whether all who do it work on the same list.
        about: what is done, in a sentence.
    """

    id: str
    title: str
    judged: tuple[Kind, ...]
    unit: str = ""
    shared: bool = False
    about: str = ""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The words of what it judges."""
        return tuple(kind.id for kind in self.judged)


_MATCHES = Kind(id="matches", value=MatchesValue, item="update", words=_name_matches)
_RELEVANCE = Kind(
    id="relevance",
    value=GradeValue,
    item="update",
    choices={"grade": (0, 1, 2)},
    words=lambda value, names, text: [("not relevant", "relevant", "highly relevant")[value["grade"]]],
)
_MEMBERSHIP = Kind(id="membership", value=MembershipValue, item="update", words=_name_cluster)
_LINKS = Kind(
    id="links",
    value=LinksValue,
    item="sentence",
    words=lambda value, names, text: (
        [names.get(event, event) for event in value["events"]] or ["reports no event"]
    ),
)
_VERDICT = Kind(
    id="verdict",
    value=VerdictValue,
    item="sentence",
    choices={"accepted": (False, True)},
    words=lambda value, names, text: ["accepted" if value["accepted"] else "rejected"],
)
_GRADE = Kind(
    id="grade",
    value=GradeValue,
    item="day-entity",
    choices={"grade": (1, 2, 3, 4)},
    words=lambda value, names, text: [f"grade {value['grade']}"],
)
_ANSWER = Kind(
    id="answer",
    value=AnswerValue,
    item="day-entity",
    choices={"sentence": (1, 2, 3), "important": (False, True)},
    words=_name_answer,
)

TASKS: tuple[Task, ...] = (
    Task(
        "extraction",
        "Nuggets",
        (Kind(id="nugget", value=NuggetValue, name="text"),),
        shared=True,
        about="List what the revisions of a page say.",
    ),
    Task(
        "matching", "Matches", (_MATCHES,), "update", about="Link pooled updates to the nuggets they match."
    ),
    Task(
        "relevance",
        "Relevance",
        (_RELEVANCE,),
        "update",
        about="Mark updates not, fairly or highly relevant.",
    ),
    Task(
        "clusters",
        "Clusters",
        (Kind(id="cluster", value=ClusterValue, name="label"), _MEMBERSHIP),
        about="Group updates that say the same thing.",
    ),
    Task(
        "events",
        "Events",
        (Kind(id="event", value=EventValue, name="text"),),
        about="List the events that sentences report.",
    ),
    Task(
        "merging",
        "Merged events",
        (
            Kind(id="merged-event", value=MergedEventValue, name="text"),
            Kind(id="left-out", value=ReasonValue),
        ),
        shared=True,
        about="Make one list of all judges' events.",
    ),
    Task(
        "linking",
        "Links",
        (_LINKS, Kind(id="group", value=GroupValue)),
        about="Link sentences to the events that they report.",
    ),
    Task("verification", "Verification", (_VERDICT,), about="Accept or reject another judge's links."),
    Task(
        "entities", "Entities", (_GRADE, _ANSWER), "day-entity", about="Grade who and what mattered on a day."
    ),
)
"""In the order in which a collection is made."""

KINDS = {kind.id: kind for task in TASKS for kind in task.judged}
"""What the tasks judge, by its word."""

VALUES: dict[str, type] = {
    **{kind.id: kind.value for kind in KINDS.values()},
    "suggestion": SuggestionValue,
    "look-again": LookAgainValue,
    "note": NoteValue,
    "reply": TextValue,
    "guidelines": TextValue,
    "reopened": ReopenedValue,
    "read": ReadValue,
    "opened-lists": OpenedValue,
    "opened-links": OpenedValue,
    "opened-suggestion": OpenedValue,
}
"""What objects of a kind have as their values; nothing is asked of kinds that no page shows by its parts."""

JUDGED_KINDS = tuple(kind.id for kind in KINDS.values() if kind.item)
"""Kinds of objects that several people judge, each in a layer of their own, under the id of an item."""

ITEM_KINDS = tuple(kind for kind in JUDGED_KINDS if kind != "membership")
"""Those that are compared item by item; clusters are compared as wholes."""


def in_words(kind: str, value: Any, names: Mapping[str, str], text: str = "") -> list[str]:
    """A judgment as lines that people read.

    Args:
        kind: of the object.
        value: its value; None is no judgment.
        names: what nuggets, clusters and events are called.
        text: of the item, of which spans are quoted.

    >>> in_words("matches", {"matches": [{"nugget": "n1", "start": 0, "end": 5}]}, {"n1": "A fire"}, "Fires rage.")
    ['A fire: “Fires”']
    >>> in_words("membership", {"cluster": None}, {}), in_words("relevance", {"grade": 2}, {})
    (['not relevant'], ['highly relevant'])
    """
    if value is None:
        return ["no judgment"]
    known = KINDS.get(kind)
    return (
        known.words(value, names, text) if known is not None and known.words is not None else [short(value)]
    )


SHORT_CHARS = 200
"""Characters of a value that are shown where it is one of many."""


def short(value: Any, longest: int = SHORT_CHARS) -> str:
    """A value as JSON, cut where it is long; empty for None.

    >>> short({"grade": 2}), short(None), short("a" * 20, 8)
    ('{"grade":2}', '', '"aaaaaa…')
    """
    if value is None:
        return ""
    text = value if isinstance(value, str) and longest > SHORT_CHARS else msgspec.json.encode(value).decode()
    return text if len(text) <= longest else text[: longest - 1] + "…"
