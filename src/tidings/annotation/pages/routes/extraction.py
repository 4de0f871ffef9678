"""The page on which nuggets are extracted from the revisions of a page, and what its script asks for."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request, Response

from tidings.annotation.desk.exchange.revisions import REVISION
from tidings.annotation.pages.acts import ItemId, may_do
from tidings.annotation.pages.extraction import NuggetDesk
from tidings.annotation.pages.visits import InTopic
from tidings.web import page

__all__ = ["router"]

router = APIRouter()
_API = "/api/projects/{project}/topics/{topic}"
_TASK = "extraction"


@router.get("/projects/{project}/topics/{topic}/extraction", include_in_schema=False)
def extraction_page(
    request: Request, place: InTopic, at: Annotated[str, Query(max_length=300)] = ""
) -> Response:
    """The page, at the revision `at` or at the first that is not read."""
    may_do(place, _TASK)
    desk = NuggetDesk(place.desk, place.project, place.topic, place.visitor.account.id)
    places = sorted(
        place.desk.projects.item_places(place.project.id, place.topic.number, REVISION), key=_order
    )
    data = {
        "api": f"/api{place.path}",
        "matching": f"{place.path}/matching" if "matching" in place.project.tasks else "",
        "topic": f"{place.project.id}-{place.topic.number}-{place.visitor.account.id}",
        "start": place.topic.event.start_time,
        "revisions": [[name, time] for name, _, time in places],
        "read": desk.read(),
        "at": at,
        "nuggets": desk.nuggets(),
        "seq": place.project.last_seq,
    }
    return page(request, "extraction.html.j2", place=place, data=data, revisions=places)


def _order(place: tuple[str, int, int]) -> tuple[int, int]:
    return place[2], place[1]


@router.get(_API + "/extraction/revision", tags=[_TASK])
def revision(
    place: InTopic, name: Annotated[str, Query(alias="id", max_length=300)], whole: bool = False
) -> dict[str, Any]:
    """What a revision changed: the pieces of its text beside the one before, folded unless `whole`."""
    may_do(place, _TASK)
    desk = NuggetDesk(place.desk, place.project, place.topic, place.visitor.account.id)
    found = desk.revision(name, whole=whole)
    if found is None:
        raise HTTPException(404, "no such revision")
    return found


@router.get(_API + "/extraction/nuggets", tags=[_TASK])
def nuggets(place: InTopic, after: Annotated[int, Query(ge=0, le=2**53)] = 0) -> dict[str, Any]:
    """The nuggets as they are now; nothing of them where the project's log has not grown since its entry `after`."""
    may_do(place, _TASK)
    if after == place.project.last_seq:
        return {"seq": after, "nuggets": None}
    desk = NuggetDesk(place.desk, place.project, place.topic, place.visitor.account.id)
    return {"seq": place.project.last_seq, "nuggets": desk.nuggets()}


@router.get(_API + "/extraction/matches", tags=[_TASK])
def matches(place: InTopic) -> dict[str, Any]:
    """How many updates are matched to each nugget, and one's own that are to be looked at again.

    Counted are one's own matches and decided ones; for leads, those of all.
    """
    may_do(place, _TASK)
    desk = NuggetDesk(place.desk, place.project, place.topic, place.visitor.account.id)
    return {"counts": desk.counts(place.leads), "again": desk.again(place.leads)}


@router.get(_API + "/extraction/linked", tags=[_TASK])
def linked(place: InTopic, nugget: ItemId) -> dict[str, Any]:
    """The matches to a nugget on which the visitor decides, with their texts; for leads how many others there are."""
    may_do(place, _TASK)
    desk = NuggetDesk(place.desk, place.project, place.topic, place.visitor.account.id)
    return desk.linked(nugget, place.leads)


@router.get(_API + "/extraction/resting", tags=[_TASK])
def resting(place: InTopic, nugget: ItemId) -> dict[str, Any]:
    """What goes where a nugget is deleted: how many matches of whom (of others for leads), and whether one may."""
    may_do(place, _TASK)
    desk = NuggetDesk(place.desk, place.project, place.topic, place.visitor.account.id)
    return desk.resting(nugget, place.leads)


@router.get(_API + "/extraction/alike", tags=[_TASK])
def alike(
    place: InTopic,
    text: Annotated[str, Query(max_length=2000)],
    but: Annotated[str, Query(max_length=300)] = "",
) -> list[str]:
    """Nuggets, but for one, that say nearly what a text says, the likest first."""
    may_do(place, _TASK)
    desk = NuggetDesk(place.desk, place.project, place.topic, place.visitor.account.id)
    return desk.alike(text, but)
