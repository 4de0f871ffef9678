"""What a visitor is shown of others' lists and links where nobody was assigned by name: nothing before an opening."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, HTTPException

from tidings.annotation.desk.operations.openings import OPENED_LINKS, OPENED_LISTS, TOPIC
from tidings.annotation.pages.acts import may_do
from tidings.annotation.pages.visits import InTopic, TopicPlace

__all__ = [
    "WhereListsAreShown",
    "has_opened_lists",
    "lists_are_hidden",
    "need_shown_lists",
    "opened_links",
    "opens_links",
    "where_lists_are_shown",
]


def has_opened_lists(place: TopicPlace) -> bool:
    """Whether the visitor asked for all lists of events, and so has closed the own one."""
    found = place.desk.log.object(
        place.project.id, place.topic.number, place.visitor.layer, OPENED_LISTS, TOPIC
    )
    return found is not None and found.value is not None


def lists_are_hidden(place: TopicPlace) -> bool:
    """Whether the visitor may still list events unseen, so that others' lists are not shown before an opening."""
    own, listing = place.visitor.account.id, place.assigned_to("events")
    if "events" not in place.project.tasks or own in place.assigned_to("merging"):
        return False
    return (not listing or own in listing) and not has_opened_lists(place)


def where_lists_are_shown(place: InTopic) -> TopicPlace:
    """The topic of the address, for one who may merge its lists; 403 where these are hidden."""
    may_do(place, "merging")
    need_shown_lists(place)
    return place


def need_shown_lists(place: TopicPlace) -> None:
    """Raise 403 where others' lists are hidden from the visitor."""
    if lists_are_hidden(place):
        raise HTTPException(403, "finish your own list of events first: others' are hidden until you say so")


WhereListsAreShown = Annotated[TopicPlace, Depends(where_lists_are_shown)]


def opens_links(place: TopicPlace) -> bool:
    """Whether the visitor may link and verify sentences, and so sees others' links only of those that were opened."""
    assigned = place.assigned_to("linking") or place.assigned_to("verification")
    return "linking" in place.project.tasks and not assigned


def opened_links(place: TopicPlace) -> list[str]:
    """The sentences and groups whose links the visitor asked for."""
    layer = place.visitor.layer
    found = place.desk.log.objects(place.project.id, place.topic.number, layer=layer, kind=OPENED_LINKS)
    return [one.id for one in found]
