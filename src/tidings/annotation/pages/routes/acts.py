"""What all tasks share: taking one's last act back, and asking what the log has."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, HTTPException, Query
from pydantic import Field

from tidings.annotation.desk.operations.nuggets import keep_links_whole
from tidings.annotation.desk.operations.opened_again import still_open_without
from tidings.annotation.desk.operations.openings import unseen
from tidings.annotation.desk.operations.undo import last_standing, undone
from tidings.annotation.pages.acts import ActBody, Acted, perform
from tidings.annotation.pages.openings import need_shown_lists
from tidings.annotation.pages.visits import InTopic
from tidings.core import FINAL, TASKS, ConflictError

__all__ = ["router"]

router = APIRouter(prefix="/api/projects/{project}/topics/{topic}", tags=["acts"])
_DECISIONS = ("adjudicate", "reopen")
"""How the names of operations begin that decide on what others judged."""


class UndoBody(ActBody):
    """Take back the last act of a task; with `decisions` the last decision on what others judged in it."""

    task: Annotated[str, Field(max_length=40)]
    decisions: bool = False


@router.post("/undo")
def undo(place: InTopic, body: UndoBody) -> Acted:
    """Take back one's last act of a task in this topic that still stands; 409 where there is none."""
    kinds = next((task.kinds for task in TASKS if task.id == body.task), ())
    log, account = place.desk.log, place.visitor.account.id
    latest = log.latest(place.project.id, place.topic.number, account)
    # An act is of the task whose kind it changed first: to merge nuggets also changes matches. Who leads a project and
    # judges in it too takes back on the page of a task what was judged there, and decisions where these are made.
    found = last_standing(
        latest,
        lambda first: first.kind in kinds and first.operation.startswith(_DECISIONS) == body.decisions,
    )
    if found is None:
        if log.act(place.project.id, body.key):
            return perform(place, body, "undo", [], task=body.task)
        raise ConflictError("there is nothing to take back", None)
    if found.entries[0].layer == FINAL and not place.leads:
        raise HTTPException(403, "this was decided as one who leads: only those who do may take it back")
    changes = undone(found.entries, found.since)
    return perform(
        place,
        body,
        "undo",
        lambda view: unseen(view, still_open_without(view, keep_links_whole(view, changes), found.key)),
        task=body.task,
        undoes=found.key,
    )


@router.get("/objects")
def objects(
    place: InTopic,
    layer: Annotated[str, Query(max_length=40)],
    kind: Annotated[str, Query(max_length=40)],
) -> list[dict[str, object]]:
    """Objects of a kind as they are now: of the shared layer or one's own, and for leads of any."""
    if layer not in ("shared", place.visitor.layer) and not place.leads:
        layer = place.visitor.layer
    if kind in ("merged-event", "left-out") and layer == "shared":
        need_shown_lists(place)
    found = place.desk.log.objects(place.project.id, place.topic.number, layer=layer, kind=kind)
    return [{"id": one.id, "version": one.version, "value": one.value} for one in found]
