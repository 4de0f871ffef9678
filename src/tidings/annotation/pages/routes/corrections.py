"""How somebody was corrected."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request, Response

from tidings.annotation.desk.corrections import corrections_of
from tidings.annotation.pages.visits import InProject
from tidings.web import page

__all__ = ["router"]

router = APIRouter(include_in_schema=False)

_A_PAGE = 50


@router.get("/projects/{project}/corrections")
def corrections_page(
    request: Request,
    place: InProject,
    who: Annotated[int | None, Query(ge=1, le=2**31 - 1)] = None,
    skip: Annotated[int, Query(ge=0, le=10**7)] = 0,
) -> Response:
    """The visitor's judgments beside what was decided; for leads those of any member."""
    account = place.visitor.account.id if who is None else who
    if account != place.visitor.account.id and not place.leads:
        raise HTTPException(403, "only those who lead the project may see others' corrections")
    members = place.desk.projects.members(place.project.id)
    name = next((one.name for one in members if one.account_id == account), None)
    if name is None:
        raise HTTPException(404, "no such member")
    found, compared = corrections_of(place.desk, place.project.id, account)
    return page(
        request,
        "corrections.html.j2",
        place=place,
        corrections=found[skip : skip + _A_PAGE],
        number=len(found),
        compared=compared,
        skip=skip,
        a_page=_A_PAGE,
        who=account,
        name=name,
        members=members if place.leads else [],
    )
