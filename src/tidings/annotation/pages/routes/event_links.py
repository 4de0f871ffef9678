"""Events of 2001, second half: sentences linked to events, each judge alone, and links verified by another."""

from __future__ import annotations

from collections.abc import Callable
from math import isnan
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Request, Response
from pydantic import Field

from tidings.annotation.desk.operations.event_links import (
    final_links,
    later_alike,
    link_statistics,
    listed_events,
    parted_verdict,
)
from tidings.annotation.desk.operations.linking import (
    add_missing,
    decide,
    link_alike,
    link_group,
    link_sentence,
    links_to_verify,
    need_opened,
    open_next,
    open_sentence,
)
from tidings.annotation.pages.acts import (
    ActBody,
    Changes,
    ItemId,
    act_route,
    may_do,
    opened_links,
    opens_links,
    plain,
)
from tidings.annotation.pages.topic_reading import has_judged, is_assigned, judges_of, reading_of, text_of
from tidings.annotation.pages.visits import InTopic, TopicPlace
from tidings.annotation.store import ObjectView
from tidings.core import FINAL, SHARED, Change, JudgedObject
from tidings.web import page

event_links_router = APIRouter(tags=["events"])

_PAGE = "/projects/{project}/topics/{topic}"
_API = "/api/projects/{project}/topics/{topic}"

Events = Annotated[list[ItemId], Field(max_length=500)]


class LinksBody(ActBody):
    """The events that a sentence reports."""

    sentence: ItemId
    events: Events


class SeveralBody(ActBody):
    """Sentences, and events that they report."""

    sentences: Annotated[list[ItemId], Field(max_length=200)]
    events: Events


class VerdictBody(ActBody):
    """A verdict on the link of a sentence or group (`unit`) to an event; None takes it back."""

    unit: ItemId
    event: ItemId
    accepted: bool | None


class OpeningBody(ActBody):
    """The sentence whose links are to be verified; empty: the next that others linked."""

    sentence: Annotated[str, Field(max_length=300)] = ""


class MissingBody(ActBody):
    """A link that all judges missed."""

    sentence: ItemId
    event: ItemId


def _text_judged(place: TopicPlace, body: LinksBody | VerdictBody | MissingBody) -> str:
    return text_of(place, body.unit if isinstance(body, VerdictBody) else body.sentence)


@event_links_router.get(_PAGE + "/linking", include_in_schema=False)
def linking_page(request: Request, place: InTopic) -> Response:
    """The topic's sentences, and the merged events to link them to."""
    data = {"api": f"/api{place.path}", **linking(place)}
    return page(request, "linking.html.j2", place=place, data=data, documents=reading_of(place).documents)


@event_links_router.get(_API + "/linking")
def linking(place: InTopic) -> dict[str, Any]:
    """The merged events, and what the visitor linked to them."""
    _may_link(place)
    return {
        "events": _events(place.objects(SHARED, "merged-event")),
        "links": {linked.id: linked.value["events"] for linked in place.objects(place.layer, "links")},
        "groups": {group.id: group.value for group in place.objects(place.layer, "group")},
        "decided": [decided.id for decided in place.objects(FINAL, "links")],
        "opened": opened_links(place),
    }


def _events(objects: list[JudgedObject]) -> list[dict[str, Any]]:
    return [
        {"id": event.id, "text": event.value["text"], "time": event.value.get("time")}
        for event in listed_events(objects)
    ]


@event_links_router.get(_API + "/linking/alike")
def alike(place: InTopic) -> dict[str, tuple[str, ...]]:
    """For each sentence of the topic the later ones that are identical or nearly so."""
    _may_link(place)
    return later_alike(reading_of(place).texts)


@act_route(event_links_router, _API + "/links", "link", task="linking", judged=_text_judged)
def link(place: InTopic, body: LinksBody) -> Changes:
    """Say which events a sentence reports."""
    _may_link(place)
    return lambda view: link_sentence(view, place.layer, body.sentence, body.events)


@act_route(event_links_router, _API + "/links/alike", "link-alike", task="linking")
def link_more(place: InTopic, body: SeveralBody) -> Changes:
    """Link sentences that are like one that was linked to the same events."""
    _may_link(place)
    return lambda view: link_alike(view, place.layer, body.sentences, body.events)


@act_route(event_links_router, _API + "/links/group", "link-group", task="linking")
def group(place: InTopic, body: SeveralBody) -> Changes:
    """Say which events several sentences report together."""
    _may_link(place)
    return lambda view: link_group(view, place.layer, body.sentences, body.events)


def _may_link(place: TopicPlace) -> None:
    may_do(place, "linking")
    if not has_judged(place, "verdict") or is_assigned(place, "linking"):
        return
    if not opens_links(place) or not _has_opened_what_it_judged(place):
        raise HTTPException(
            403, "You verify this topic and have seen the others' links, so you cannot link it."
        )


@event_links_router.get(_PAGE + "/verification", include_in_schema=False)
def verification_page(request: Request, place: InTopic) -> Response:
    """What any other judge linked, to be accepted or rejected."""
    data = {"api": f"/api{place.path}", **verification(place)}
    documents = reading_of(place).documents
    return page(request, "verification.html.j2", place=place, data=data, documents=documents)


@event_links_router.get(_API + "/verification")
def verification(place: InTopic) -> dict[str, Any]:
    """The links that the visitor may verify, without whose they are, and their own verdicts."""
    _may_verify(place)
    objects, opening = place.objects(), opens_links(place)
    opened = set(opened_links(place)) if opening else None
    links, own = links_to_verify(objects, place.layer, opened=opened)
    own_sentences = {
        sentence
        for judged in objects
        if judged.layer == place.layer and judged.kind in ("links", "group")
        for sentence in judged.value.get("sentences", [judged.id])
    }
    return {
        "opening": opening,
        "linked": sorted(own_sentences),
        "events": _events(objects),
        "links": plain(links),
        "own": own,
        "decided": [judged.id for judged in objects if judged.kind == "links" and judged.layer == FINAL],
    }


@event_links_router.get(_API + "/verification/statistics")
def statistics(place: InTopic) -> dict[str, Any]:
    """How many of the topic's sentences report no event, one, and several, as far as it is verified."""
    _may_verify(place)
    opened = set(opened_links(place)) if opens_links(place) else None
    sentences = [item.id for item in reading_of(place).items if opened is None or item.id in opened]
    found = link_statistics(sentences, final_links(place.objects()))
    numbers = {"off": found.off_event, "single": found.single_event, "multi": found.multi_event}
    shares = {name: found.share(number) for name, number in numbers.items()}
    return {
        "sentences": found.sentences,
        **numbers,
        "shares": {name: None if isnan(share) else share for name, share in shares.items()},
    }


@act_route(event_links_router, _API + "/verification/open", "open-links", task="verification")
def open_links(place: InTopic, body: OpeningBody) -> Changes:
    """Ask for the links of a sentence to verify them, after which the visitor does not link it any more."""
    _may_verify(place)
    if not opens_links(place):
        raise HTTPException(
            403, "The judges who verify this topic are assigned by name, so there is nothing to open."
        )
    if body.sentence:
        return lambda view: open_sentence(view, place.layer, body.sentence)
    order = [item.id for item in reading_of(place).items]
    return lambda view: open_next(view, place.layer, order)


@act_route(
    event_links_router, _API + "/verification/decide", "verify", task="verification", judged=_text_judged
)
def verify(place: InTopic, body: VerdictBody) -> Changes:
    """Accept or reject a link."""
    _may_verify(place)
    judges = judges_of(place, "links", "group")
    return _open_before(
        place,
        body.unit,
        lambda view: decide(view, place.layer, body.unit, body.event, body.accepted, judges),
    )


@act_route(
    event_links_router, _API + "/verification/add", "add-link", task="verification", judged=_text_judged
)
def missing(place: InTopic, body: MissingBody) -> Changes:
    """Add a link that all judges missed."""
    _may_verify(place)
    judges = judges_of(place, "links", "group")
    return _open_before(
        place,
        body.sentence,
        lambda view: add_missing(view, place.layer, body.sentence, body.event, judges),
    )


def _may_verify(place: TopicPlace) -> None:
    may_do(place, "verification")
    if is_assigned(place, "verification") or opens_links(place):
        return
    if is_assigned(place, "linking") or has_judged(place, "links", "group"):
        raise HTTPException(403, "You link this topic, so another judge verifies it.")


def _open_before(place: TopicPlace, unit: str, make: Callable[[ObjectView], list[Change]]) -> Changes:
    """What makes the changes, after the visitor's opening of the unit where one is needed."""

    def checked(view: ObjectView) -> list[Change]:
        need_opened(view, place.layer, unit)
        return make(view)

    return checked if opens_links(place) else make


def _has_opened_what_it_judged(place: TopicPlace) -> bool:
    """Whether the visitor has opened each sentence on whose links they decided: none was shown to them otherwise."""
    verdicts = place.desk.log.ids(place.project.id, place.topic.number, "verdict", [place.layer])
    return {parted_verdict(verdict)[0] for verdict in verdicts} <= set(opened_links(place))
