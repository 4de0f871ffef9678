"""Notes to who leads a project, with their answers, and reopening what was decided."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from tidings.annotation.desk.notes import notes_of, reopened_of
from tidings.annotation.desk.operations.notes import reopen, reply_to, write_note
from tidings.annotation.pages.acts import ActBody, Acted, ItemId, perform
from tidings.annotation.pages.visits import InProject, InTopic, LeadInTopic
from tidings.web import page

__all__ = ["router"]

router = APIRouter()
_API = "/api/projects/{project}/topics/{topic}"

Kind = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[a-z-]+$")]
Words = Annotated[str, Field(max_length=4000)]


class About(BaseModel):
    """What a note is about: an item or an object."""

    model_config = ConfigDict(extra="forbid")

    kind: Kind
    id: ItemId


class NoteBody(ActBody):
    """A note on an item, written on a page of the topic."""

    about: About
    text: Words
    page: Annotated[str, Field(max_length=40, pattern=r"^[a-z-]*$")] = ""


class ReplyBody(ActBody):
    """An answer to somebody's note; an empty one takes the answer back."""

    writer: Annotated[int, Field(ge=1, le=2**31 - 1)]
    note: ItemId
    text: Words


class ReopenBody(ActBody):
    """A decided object, and why its judges should judge it again."""

    kind: Kind
    id: ItemId
    reason: Words


@router.post(f"{_API}/note", tags=["notes"])
def note(place: InTopic, body: NoteBody) -> Acted:
    """Write a note to who leads the project; no other judge sees it."""
    account = place.visitor.account.id
    changes = write_note(body.key, account, body.about.model_dump(), body.page, body.text)
    return perform(place, body, "note", changes, task=None)


@router.post(f"{_API}/reply", tags=["notes"])
def reply(place: LeadInTopic, body: ReplyBody) -> Acted:
    """Answer a note (leads)."""
    return perform(place, body, "reply", reply_to(body.writer, body.note, body.text), task=None)


@router.post(f"{_API}/reopen", tags=["notes"])
def reopen_object(place: LeadInTopic, body: ReopenBody) -> Acted:
    """Take a final judgment away, so that its judges judge the item again (leads). The log keeps what it was."""
    return perform(place, body, "reopen", reopen(body.kind, body.id, body.reason), task=None)


@router.get("/projects/{project}/notes", include_in_schema=False)
def notes_page(request: Request, place: InProject) -> Response:
    """The visitor's notes with their answers; all notes for leads."""
    own = None if place.leads else place.visitor.account.id
    return page(
        request,
        "notes.html.j2",
        place=place,
        notes=notes_of(place.desk, place.project.id, own),
        reopened=reopened_of(place.desk, place.project.id, own),
    )
