"""Events of 2001, first half: each judge's list of events, and one list made of all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response
from pydantic import AfterValidator, Field
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
    Body,
    Changes,
    ItemId,
    Version,
    WhereListsAreShown,
    act_route,
    doing,
    has_opened_lists,
    lists_are_hidden,
)
from tidings.annotation.pages.topic_reading import judges_of, reading_of, text_of
from tidings.annotation.pages.visits import InTopic, LeadInTopic, TopicPlace
from tidings.core import LATEST_TIME, JudgedObject, judge_layer, layer_account
from tidings.web import page

events_router = APIRouter(tags=["events"])

_PAGE = "/projects/{project}/topics/{topic}"
_API = "/api/projects/{project}/topics/{topic}"


def _checked_time(time: int | None) -> int | None:
    if time is not None and not 0 <= time <= LATEST_TIME:
        raise PydanticCustomError("time", "The time of an event must be between 1970 and 9999.")
    return time


EventId = Annotated[str, Path(min_length=1, max_length=300)]
Words = Annotated[str, Field(max_length=4000)]
Time = Annotated[int | None, AfterValidator(_checked_time)]


class ChangedEventBody(ActBody):
    """An event's words and time; None: no time."""

    text: Words
    time: Time = None


class EventBody(ChangedEventBody):
    """An event in words (empty: those of its sentence), when it was (None: when the sentence was published)."""

    text: Words = ""
    sentence: Annotated[str, Field(max_length=300)] = ""


class Source(Body):
    """One event of a judge's list."""

    layer: Annotated[str, Field(min_length=1, max_length=40)]
    event: ItemId

    @property
    def pair(self) -> tuple[str, str]:
        """As operations take it."""
        return self.layer, self.event


Sources = Annotated[list[Source], Field(max_length=100)]


class MergeBody(ChangedEventBody):
    """Judges' events that are one, and its words and time."""

    sources: Sources


class VersionBody(ActBody):
    """The version that was shown."""

    expected: Version


class MoreBody(VersionBody):
    """Judges' events that are the same as a merged one, whose version was shown."""

    sources: Sources


class ChangedMergedBody(VersionBody, ChangedEventBody):
    """A merged event's words and time, and the version that was shown."""


class SourceBody(ActBody):
    """A judge's event."""

    source: Source


class LessBody(VersionBody, SourceBody):
    """A judge's event that is not the same as the merged one, whose version was shown."""


class LeftOutBody(SourceBody):
    """A judge's event that stays out of the list, and why."""

    reason: Words


class ListBody(ActBody):
    """Whose list of events."""

    account: Annotated[int, Field(ge=1, le=2**31 - 1)]


Listing = Annotated[TopicPlace, doing("events")]
Merging = Annotated[TopicPlace, doing("merging")]


@events_router.get(_PAGE + "/events", include_in_schema=False)
def events_page(request: Request, place: Listing) -> Response:
    """The topic's stories, and the visitor's list of events."""
    data = {"api": f"/api{place.path}", **own_events(place)}
    return page(request, "events.html.j2", place=place, data=data, documents=reading_of(place).documents)


@events_router.get(_API + "/events")
def own_events(place: Listing) -> dict[str, Any]:
    """The visitor's list of events."""
    events = [{"id": event.id, **event.value} for event in place.objects(place.layer, "event")]
    return {"events": events, "closed": has_opened_lists(place)}


def _text_of_sentence(place: TopicPlace, body: EventBody) -> str:
    return text_of(place, body.sentence)


@act_route(events_router, _API + "/events", "add-event", task="events", judged=_text_of_sentence)
def add(place: InTopic, body: EventBody) -> Changes:
    """List an event."""
    return lambda view: add_event(view, place.layer, body.text, time=body.time, sentence=body.sentence)


@act_route(events_router, _API + "/events/{event}/change", "change-event", task="events")
def change(place: InTopic, event: EventId, body: ChangedEventBody) -> Changes:
    """Give an event of one's own other words or another time."""
    return lambda view: edit_event(view, place.layer, event, body.text, time=body.time)


@act_route(events_router, _API + "/events/{event}/remove", "remove-event", task="events")
def remove(place: InTopic, event: EventId, body: ActBody) -> Changes:
    """Take an event from one's own list."""
    return lambda view: remove_event(view, place.layer, event)


@events_router.get(_PAGE + "/merging", include_in_schema=False)
def merging_page(request: Request, place: Merging) -> Response:
    """All judges' lists beside each other, and the one list made of them; before the opening the own list alone."""
    data = {"api": f"/api{place.path}"}
    if lists_are_hidden(place):
        own = own_events(place)["events"]
        return page(request, "merging_closed.html.j2", place=place, data=data, own=own)
    return page(request, "merging.html.j2", place=place, data=data | merging(place))


@events_router.get(_API + "/merging")
def merging(place: WhereListsAreShown) -> dict[str, Any]:
    """Judges' lists, merged events, those left out, and which are probably the same."""
    events = place.objects(kind="event")
    in_order = sorted(events, key=_event_place)
    left = place.objects(kind="left-out")
    objects = [*events, *place.objects(kind="merged-event"), *left]
    merged = listed_events(objects)
    accounted = [(layer, event) for found in merged for layer, event in found.value["from"]]
    accounted += [_source_of(note) for note in left]
    progress = merge_progress(objects)
    finished = _names(place, OPENED_LISTS) if place.leads else {}
    return {
        "finished": [{"account": layer_account(layer), "name": name} for layer, name in finished.items()],
        "judges": [
            {
                "layer": layer,
                "name": name,
                "events": [_words_of(event) for event in in_order if event.layer == layer],
            }
            for layer, name in _names(place, "event").items()
        ],
        "merged": [
            {**_words_of(event), "version": event.version, "from": _named_sources(event.value["from"])}
            for event in merged
        ],
        "left": [_named_sources([_source_of(note)])[0] | {"reason": note.value["reason"]} for note in left],
        "proposals": [_named_sources(group) for group in proposed_merges(in_order, accounted)],
        "total": progress.events,
        "open": progress.open,
    }


def _words_of(event: JudgedObject) -> dict[str, Any]:
    return {"id": event.id, "text": event.value["text"], "time": event.value.get("time")}


def _named_sources(sources: Iterable[Sequence[str]]) -> list[dict[str, str]]:
    return [{"layer": layer, "event": event} for layer, event in sources]


def _event_place(judged: JudgedObject) -> tuple[bool, int, str, int, str]:
    time = judged.value.get("time")
    return time is None, time or 0, judged.layer, len(judged.id), judged.id


def _source_of(judged: JudgedObject) -> tuple[str, str]:
    layer, _, event = judged.id.partition("|")
    return layer, event


def _names(place: TopicPlace, kind: str) -> dict[str, str]:
    """The names of all who have objects of a kind, by layer."""
    members = {member.account_id: member.name for member in place.desk.projects.members(place.project.id)}
    layers = judges_of(place, kind)
    return {layer: members.get(layer_account(layer) or 0, "a former member") for layer in layers}


@act_route(events_router, _API + "/merging/open", "open-lists", task="merging")
def finish_list(place: InTopic, body: ActBody) -> Changes:
    """Say that the own list of events is finished: it is closed, and all lists are shown."""
    return open_lists(place.layer)


@act_route(events_router, _API + "/merging/give-back", "give-list-back", task="merging")
def give_back(place: LeadInTopic, body: ListBody) -> Changes:
    """Let a judge change a list that was finished again (leads)."""
    return lambda view: give_list_back(view, judge_layer(body.account))


@act_route(events_router, _API + "/merging/merge", "merge-events", task="merging")
def merge(place: WhereListsAreShown, body: MergeBody) -> Changes:
    """Make one event of some of the judges'."""
    return lambda view: merge_events(view, _pairs(body.sources), body.text, time=body.time)


@act_route(events_router, _API + "/merging/{event}/add", "merge-events", task="merging")
def add_more(place: WhereListsAreShown, event: EventId, body: MoreBody) -> Changes:
    """Make more of the judges' events part of a merged one."""
    return lambda view: add_to_merged(view, event, _pairs(body.sources), expected=body.expected)


@act_route(events_router, _API + "/merging/{event}/change", "change-event", task="merging")
def change_merged(place: WhereListsAreShown, event: EventId, body: ChangedMergedBody) -> Changes:
    """Give a merged event other words or another time."""
    return lambda view: edit_merged(view, event, body.text, time=body.time, expected=body.expected)


@act_route(events_router, _API + "/merging/{event}/take-out", "part-events", task="merging")
def take_out(place: WhereListsAreShown, event: EventId, body: LessBody) -> Changes:
    """Take a judge's event out of a merged one."""
    return lambda view: take_from_merged(view, event, body.source.pair, expected=body.expected)


@act_route(events_router, _API + "/merging/{event}/dissolve", "dissolve-event", task="merging")
def dissolve_merged(place: WhereListsAreShown, event: EventId, body: VersionBody) -> Changes:
    """Take a merged event away; what it was made of is open again."""
    judges = judges_of(place, "links", "group")
    return lambda view: dissolve(view, event, judges, expected=body.expected)


@act_route(events_router, _API + "/merging/leave-out", "leave-out", task="merging")
def leave(place: WhereListsAreShown, body: LeftOutBody) -> Changes:
    """Leave a judge's event out of the list."""
    return lambda view: leave_out(view, body.source.pair, body.reason)


@act_route(events_router, _API + "/merging/put-back", "put-back", task="merging")
def put(place: WhereListsAreShown, body: SourceBody) -> Changes:
    """Take back that a judge's event is left out."""
    return lambda view: put_back(view, body.source.pair)


def _pairs(sources: Sequence[Source]) -> list[tuple[str, str]]:
    return [source.pair for source in sources]
