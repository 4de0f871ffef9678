"""Events of 2001, first half: each judge's list of events, and one list made of all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response
from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

from tidings.annotation.desk.operations.event_links import listed_events, proposed_merges
from tidings.annotation.desk.operations.events import (
    OPENED_LISTS,
    add_event,
    add_to_merged,
    dissolve,
    edit_event,
    edit_merged,
    give_list_back,
    leave_out,
    merge_events,
    merge_progress,
    open_lists,
    put_back,
    remove_event,
    take_from_merged,
)
from tidings.annotation.pages.acts import (
    ActBody,
    Acted,
    ItemId,
    WhereListsAreShown,
    has_opened_lists,
    lists_are_hidden,
    may_do,
    perform,
)
from tidings.annotation.pages.reading import judges_of, reading_of, text_of
from tidings.annotation.pages.visits import InTopic, LeadInTopic, TopicPlace
from tidings.core import LATEST_TIME, JudgedObject, judge_layer, layer_account
from tidings.web import page

events_router = APIRouter(tags=["events"])

_PAGE = "/projects/{project}/topics/{topic}"
_API = "/api/projects/{project}/topics/{topic}"


def _checked_time(time: int | None) -> int | None:
    if time is not None and not 0 <= time <= LATEST_TIME:
        raise PydanticCustomError("time", "the time of an event must lie between 1970 and the year 9999")
    return time


EventId = Annotated[str, Path(min_length=1, max_length=300)]
Words = Annotated[str, Field(max_length=4000)]
Time = Annotated[int | None, AfterValidator(_checked_time)]
Version = Annotated[int, Field(ge=0, le=2**53)]


class EventBody(ActBody):
    """An event in words (empty: those of its sentence), when it was (None: when the sentence was published)."""

    text: Words = ""
    time: Time = None
    sentence: Annotated[str, Field(max_length=300)] = ""


class ChangedEventBody(ActBody):
    """An event's words and time; None: no time."""

    text: Words
    time: Time = None


class Source(BaseModel):
    """One event of a judge's list."""

    model_config = ConfigDict(extra="forbid")

    layer: Annotated[str, Field(min_length=1, max_length=40)]
    event: ItemId

    @property
    def pair(self) -> tuple[str, str]:
        """As operations take it."""
        return self.layer, self.event


Sources = Annotated[list[Source], Field(max_length=100)]


class MergeBody(ActBody):
    """Judges' events that are one, and its words and time."""

    sources: Sources
    text: Words
    time: Time = None


class MoreBody(ActBody):
    """Judges' events that are the same as a merged one, whose version was shown."""

    sources: Sources
    expected: Version


class ChangedMergedBody(ActBody):
    """A merged event's words and time, and the version that was shown."""

    text: Words
    time: Time = None
    expected: Version


class LessBody(ActBody):
    """A judge's event that is not the same as the merged one, whose version was shown."""

    source: Source
    expected: Version


class VersionBody(ActBody):
    """The version that was shown."""

    expected: Version


class LeftOutBody(ActBody):
    """A judge's event that stays out of the list, and why."""

    source: Source
    reason: Words


class ListBody(ActBody):
    """Whose list of events."""

    account: Annotated[int, Field(ge=1, le=2**31 - 1)]


class SourceBody(ActBody):
    """A judge's event."""

    source: Source


@events_router.get(_PAGE + "/events", include_in_schema=False)
def events_page(request: Request, place: InTopic) -> Response:
    """The topic's stories, and the visitor's list of events."""
    may_do(place, "events")
    data = {"api": f"/api{place.path}", **_own_events(place)}
    return page(request, "events.html.j2", place=place, data=data, documents=reading_of(place).documents)


@events_router.get(_API + "/events")
def own_events(place: InTopic) -> dict[str, Any]:
    """The visitor's list of events."""
    may_do(place, "events")
    return _own_events(place)


def _own_events(place: TopicPlace) -> dict[str, Any]:
    found = place.desk.log.objects(
        place.project.id, place.topic.number, layer=place.visitor.layer, kind="event"
    )
    return {"events": [{"id": one.id, **one.value} for one in found], "closed": has_opened_lists(place)}


@events_router.post(_API + "/events")
def add(place: InTopic, body: EventBody) -> Acted:
    """List an event."""
    layer = place.visitor.layer
    return perform(
        place,
        body,
        "add-event",
        lambda view: add_event(view, layer, body.text, time=body.time, sentence=body.sentence),
        task="events",
        judged=text_of(place, body.sentence),
    )


@events_router.post(_API + "/events/{event}/change")
def change(place: InTopic, event: EventId, body: ChangedEventBody) -> Acted:
    """Give an event of one's own other words or another time."""
    layer = place.visitor.layer
    return perform(
        place,
        body,
        "change-event",
        lambda view: edit_event(view, layer, event, body.text, time=body.time),
        task="events",
    )


@events_router.post(_API + "/events/{event}/remove")
def remove(place: InTopic, event: EventId, body: ActBody) -> Acted:
    """Take an event from one's own list."""
    layer = place.visitor.layer
    return perform(place, body, "remove-event", lambda view: remove_event(view, layer, event), task="events")


@events_router.get(_PAGE + "/merging", include_in_schema=False)
def merging_page(request: Request, place: InTopic) -> Response:
    """All judges' lists beside each other, and the one list made of them; before the opening the own list alone."""
    may_do(place, "merging")
    if lists_are_hidden(place):
        data = {"api": f"/api{place.path}"}
        return page(
            request, "merging_closed.html.j2", place=place, data=data, own=_own_events(place)["events"]
        )
    data = {"api": f"/api{place.path}", **_merging(place)}
    return page(request, "merging.html.j2", place=place, data=data)


@events_router.get(_API + "/merging")
def merging(place: WhereListsAreShown) -> dict[str, Any]:
    """Judges' lists, merged events, those left out, and which are probably the same."""
    return _merging(place)


def _merging(place: TopicPlace) -> dict[str, Any]:
    log, project, topic = place.desk.log, place.project.id, place.topic.number
    events = log.objects(project, topic, kind="event")
    objects = [
        *events,
        *log.objects(project, topic, kind="merged-event"),
        *log.objects(project, topic, kind="left-out"),
    ]
    merged = listed_events(objects)
    left = [one for one in objects if one.kind == "left-out"]
    accounted = [(layer, event) for one in merged for layer, event in one.value["from"]]
    accounted += [_source_of(one) for one in left]
    names = {
        layer: name
        for layer, name in _names(place, "event").items()
        if any(one.layer == layer for one in events)
    }
    progress = merge_progress(objects)
    finished = _names(place, OPENED_LISTS) if place.leads else {}
    return {
        "finished": [{"account": layer_account(layer), "name": name} for layer, name in finished.items()],
        "judges": [
            {
                "layer": layer,
                "name": name,
                "events": [
                    {"id": one.id, "text": one.value["text"], "time": one.value.get("time")}
                    for one in sorted(events, key=_event_place)
                    if one.layer == layer
                ],
            }
            for layer, name in names.items()
        ],
        "merged": [
            {
                "id": one.id,
                "version": one.version,
                "text": one.value["text"],
                "time": one.value.get("time"),
                "from": [{"layer": layer, "event": event} for layer, event in one.value["from"]],
            }
            for one in merged
        ],
        "left": [
            {"layer": _source_of(one)[0], "event": _source_of(one)[1], "reason": one.value["reason"]}
            for one in left
        ],
        "proposals": [
            [{"layer": layer, "event": event} for layer, event in group]
            for group in proposed_merges(sorted(events, key=_event_place), accounted)
        ],
        "total": progress.events,
        "open": progress.open,
    }


def _event_place(one: JudgedObject) -> tuple[bool, int, str, int, str]:
    time = one.value.get("time")
    return time is None, time or 0, one.layer, len(one.id), one.id


def _source_of(one: JudgedObject) -> tuple[str, str]:
    layer, _, event = one.id.partition("|")
    return layer, event


def _names(place: TopicPlace, kind: str) -> dict[str, str]:
    """The names of all who have objects of a kind, by layer."""
    members = {one.account_id: one.name for one in place.desk.projects.members(place.project.id)}
    layers = judges_of(place, kind)
    return {layer: members.get(layer_account(layer) or 0, "a former member") for layer in layers}


@events_router.post(_API + "/merging/open")
def finish_list(place: InTopic, body: ActBody) -> Acted:
    """Say that the own list of events is finished: it is closed, and all lists are shown."""
    return perform(place, body, "open-lists", open_lists(place.visitor.layer), task="merging")


@events_router.post(_API + "/merging/give-back")
def give_back(place: LeadInTopic, body: ListBody) -> Acted:
    """Let a judge change a list that was finished again (leads)."""
    layer = judge_layer(body.account)
    return perform(place, body, "give-list-back", lambda view: give_list_back(view, layer), task="merging")


@events_router.post(_API + "/merging/merge")
def merge(place: WhereListsAreShown, body: MergeBody) -> Acted:
    """Make one event of some of the judges'."""
    return perform(
        place,
        body,
        "merge-events",
        lambda view: merge_events(view, _pairs(body.sources), body.text, time=body.time),
        task="merging",
    )


@events_router.post(_API + "/merging/{event}/add")
def add_more(place: WhereListsAreShown, event: EventId, body: MoreBody) -> Acted:
    """Make more of the judges' events part of a merged one."""
    return perform(
        place,
        body,
        "merge-events",
        lambda view: add_to_merged(view, event, _pairs(body.sources), expected=body.expected),
        task="merging",
    )


@events_router.post(_API + "/merging/{event}/change")
def change_merged(place: WhereListsAreShown, event: EventId, body: ChangedMergedBody) -> Acted:
    """Give a merged event other words or another time."""
    return perform(
        place,
        body,
        "change-event",
        lambda view: edit_merged(view, event, body.text, time=body.time, expected=body.expected),
        task="merging",
    )


@events_router.post(_API + "/merging/{event}/take-out")
def take_out(place: WhereListsAreShown, event: EventId, body: LessBody) -> Acted:
    """Take a judge's event out of a merged one."""
    return perform(
        place,
        body,
        "part-events",
        lambda view: take_from_merged(view, event, body.source.pair, expected=body.expected),
        task="merging",
    )


@events_router.post(_API + "/merging/{event}/dissolve")
def dissolve_merged(place: WhereListsAreShown, event: EventId, body: VersionBody) -> Acted:
    """Take a merged event away; what it was made of is open again."""
    judges = judges_of(place, "links", "group")
    return perform(
        place,
        body,
        "dissolve-event",
        lambda view: dissolve(view, event, judges, expected=body.expected),
        task="merging",
    )


@events_router.post(_API + "/merging/leave-out")
def leave(place: WhereListsAreShown, body: LeftOutBody) -> Acted:
    """Leave a judge's event out of the list."""
    return perform(
        place, body, "leave-out", lambda view: leave_out(view, body.source.pair, body.reason), task="merging"
    )


@events_router.post(_API + "/merging/put-back")
def put(place: WhereListsAreShown, body: SourceBody) -> Acted:
    """Take back that a judge's event is left out."""
    return perform(place, body, "put-back", lambda view: put_back(view, body.source.pair), task="merging")


def _pairs(sources: Sequence[Source]) -> list[tuple[str, str]]:
    return [source.pair for source in sources]
