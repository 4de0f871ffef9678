"""Notes to who leads a project, with their answers; reopening, taking one's last act back, and what the log has."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request, Response
from pydantic import Field

from tidings.annotation.desk.exchange.importing import SUGGESTION
from tidings.annotation.desk.notes import notes_of, reopen, reopened_of, reply_to, write_note
from tidings.annotation.desk.operations.events import unseen
from tidings.annotation.desk.operations.nugget_changes import still_open_without
from tidings.annotation.desk.operations.nuggets import keep_links_whole
from tidings.annotation.pages.acts import (
    ActBody,
    Acted,
    Body,
    Changes,
    ItemId,
    act_route,
    need_shown_lists,
    perform,
)
from tidings.annotation.pages.visits import InProject, InTopic, LeadInTopic
from tidings.annotation.store.log import last_standing, undone
from tidings.annotation.tasks import TASKS
from tidings.core import FINAL, ConflictError
from tidings.web import page

acts_router = APIRouter(prefix="/api/projects/{project}/topics/{topic}", tags=["acts"])
_DECISIONS = ("adjudicate", "reopen")
"""How the names of operations begin that decide on what others judged."""


class UndoBody(ActBody):
    """Take back the last act of a task; with `decisions` the last decision on what others judged in it."""

    task: Annotated[str, Field(max_length=40)]
    decisions: bool = False


@acts_router.post("/undo")
def undo(place: InTopic, body: UndoBody) -> Acted:
    """Take back one's last act of a task in this topic that still stands; 409 where there is none."""
    kinds = next((task.kinds for task in TASKS if task.id == body.task), ())
    log, account = place.desk.log, place.account_id
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
        raise ConflictError("Nothing to undo.", None)
    if found.entries[0].layer == FINAL and not place.leads:
        raise HTTPException(403, "A project lead decided this. Only a lead can undo it.")
    changes = undone(found.entries, found.since)
    return perform(
        place,
        body,
        "undo",
        lambda view: unseen(view, still_open_without(view, keep_links_whole(view, changes), found.key)),
        task=body.task,
        undoes=found.key,
    )


@acts_router.get("/objects")
def objects(
    place: InTopic,
    layer: Annotated[str, Query(max_length=40)],
    kind: Annotated[str, Query(max_length=40)],
) -> list[dict[str, object]]:
    """Objects of a kind as they are now: of the shared layer or one's own, and for leads of any."""
    if layer not in ("shared", place.layer) and not place.leads:
        layer = place.layer
    if kind in ("merged-event", "left-out") and layer == "shared":
        need_shown_lists(place)
    if kind == SUGGESTION:
        raise HTTPException(403, "Suggestions are shown one at a time, after your own answer.")
    found = place.objects(layer, kind)
    return [{"id": judged.id, "version": judged.version, "value": judged.value} for judged in found]


notes_router = APIRouter(tags=["notes"])
_API = "/api/projects/{project}/topics/{topic}"

Kind = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[a-z-]+$")]
Words = Annotated[str, Field(max_length=4000)]


class About(Body):
    """What a note is about: an item or an object."""

    kind: Kind
    id: ItemId


class NoteBody(ActBody):
    """A note on an item, written on a page of the topic."""

    about: About
    text: Words
    page: Annotated[str, Field(max_length=40, pattern=r"^[a-z-]*$")] = ""


class ReplyBody(ActBody):
    """An answer to someone's note; an empty one takes the answer back."""

    writer: Annotated[int, Field(ge=1, le=2**31 - 1)]
    note: ItemId
    text: Words


class ReopenBody(ActBody):
    """A decided object, and why its judges should judge it again."""

    kind: Kind
    id: ItemId
    reason: Words


@act_route(notes_router, _API + "/note", "note", task=None)
def note(place: InTopic, body: NoteBody) -> Changes:
    """Write a note to who leads the project; no other judge sees it."""
    return write_note(body.key, place.account_id, body.about.model_dump(), body.page, body.text)


@act_route(notes_router, _API + "/reply", "reply", task=None)
def reply(place: LeadInTopic, body: ReplyBody) -> Changes:
    """Answer a note (leads)."""
    return reply_to(body.writer, body.note, body.text)


@act_route(notes_router, _API + "/reopen", "reopen", task=None)
def reopen_object(place: LeadInTopic, body: ReopenBody) -> Changes:
    """Take a final judgment away, so that its judges judge the item again (leads). The log keeps what it was."""
    return reopen(body.kind, body.id, body.reason)


@notes_router.get("/projects/{project}/notes", include_in_schema=False)
def notes_page(request: Request, place: InProject) -> Response:
    """The visitor's notes with their answers; all notes for leads."""
    own = None if place.leads else place.account_id
    return page(
        request,
        "notes.html.j2",
        place=place,
        notes=notes_of(place.desk, place.project.id, own),
        reopened=reopened_of(place.desk, place.project.id, own),
    )
