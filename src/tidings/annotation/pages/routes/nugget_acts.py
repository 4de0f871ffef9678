"""What is done to the list of nuggets: each address is one act, refused where the list is not as the page showed it."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, HTTPException
from pydantic import BaseModel, ConfigDict, Field

from tidings.annotation.desk.exchange.revisions import REVISION
from tidings.annotation.desk.operations.nugget_deleting import delete_nugget
from tidings.annotation.desk.operations.nugget_merging import merge_nuggets
from tidings.annotation.desk.operations.nugget_splitting import Share, looked_again, split_nugget
from tidings.annotation.desk.operations.nuggets import (
    NUGGET,
    Fields,
    Source,
    add_nugget,
    edit_nugget,
    set_needs,
)
from tidings.annotation.pages.acts import ActBody, Acted, ItemId, perform
from tidings.annotation.pages.extraction import READ
from tidings.annotation.pages.visits import InTopic, TopicPlace
from tidings.annotation.store import ObjectView
from tidings.core import FINAL, SHARED, Change, UsageError

__all__ = ["router"]

_TASK = "extraction"
router = APIRouter(prefix="/api/projects/{project}/topics/{topic}/nuggets", tags=[_TASK])

Text = Annotated[str, Field(max_length=20_000)]
Number = Annotated[int, Field(ge=-(2**53), le=2**53)]
Version = Annotated[int, Field(ge=0, le=2**53)]
Ids = Annotated[list[ItemId], Field(max_length=1000)]


class SourceBody(BaseModel):
    """Characters start..end of a revision's text."""

    model_config = ConfigDict(extra="forbid")

    revision: ItemId
    start: Annotated[int, Field(ge=0, le=2**31)]
    end: Annotated[int, Field(ge=0, le=2**31)]


class FieldsBody(BaseModel):
    """What a nugget says."""

    model_config = ConfigDict(extra="forbid")

    text: Text
    importance: Number
    time: Number
    source: SourceBody | None = None


class AddBody(ActBody, FieldsBody):
    """A new nugget."""

    needs: Annotated[list[ItemId], Field(default_factory=list, max_length=1000)]


class OnNugget(ActBody):
    """An act on a nugget.

    `expected` is the version that the page showed; where the page has sent another act on it that it has no answer to
    yet, `after` is the key of that one. Where that one made the nugget, `nugget` may be left out.
    """

    nugget: Annotated[str, Field(max_length=300)] = ""
    expected: Version = 0
    after: Annotated[str, Field(max_length=100)] = ""


class EditBody(OnNugget):
    """What a nugget says from now on; what is left out stays."""

    text: Text | None = None
    importance: Number | None = None
    time: Number | None = None


class NeedsBody(OnNugget):
    """What a nugget depends on."""

    needs: Ids


class DeleteBody(OnNugget):
    """Take a nugget away; `with_matches` is how many matches the page said go with it, of all judges and decided."""

    with_matches: Annotated[int, Field(ge=0, le=2**31, strict=True)] = 0


class MergeBody(ActBody, FieldsBody):
    """Make `others` and `into` one nugget; `expected` has the version of each that the page showed."""

    into: ItemId
    others: Annotated[list[ItemId], Field(min_length=1, max_length=100)]
    expected: Annotated[dict[ItemId, Version], Field(max_length=101)]


class ShareBody(BaseModel):
    """To which parts the matches of an update go."""

    model_config = ConfigDict(extra="forbid")

    layer: Annotated[str, Field(max_length=40)]
    update: ItemId
    parts: Annotated[list[Annotated[int, Field(ge=0, le=100)]], Field(max_length=100)]


class SplitBody(OnNugget):
    """Make parts of a nugget."""

    parts: Annotated[list[FieldsBody], Field(max_length=100)]
    shares: Annotated[list[ShareBody], Field(default_factory=list, max_length=5000)]


class AgainBody(ActBody):
    """Which of the nuggets in question an update tells, after a second look."""

    layer: Annotated[str, Field(max_length=40)]
    update: ItemId
    expected: Version
    nuggets: Ids


class ReadBody(ActBody):
    """That a revision was read, or was not."""

    revision: ItemId
    read: bool = True


@router.post("/add")
def add(place: InTopic, body: AddBody) -> Acted:
    """Add a nugget."""

    def make(view: ObjectView) -> list[Change]:
        if body.source is not None:
            _check_source(view, body.source)
        return add_nugget(view, place.topic.event, _fields(body), body.needs)

    return perform(place, body, "add-nugget", make, task=_TASK, judged=body.text)


@router.post("/edit")
def edit(place: InTopic, body: EditBody) -> Acted:
    """Change what a nugget says."""
    nugget, expected = _there(place, body)
    return perform(
        place,
        body,
        "edit-nugget",
        lambda view: edit_nugget(
            view, nugget, expected, text=body.text, importance=body.importance, time=body.time
        ),
        task=_TASK,
        judged=body.text or "",
    )


@router.post("/needs")
def needs(place: InTopic, body: NeedsBody) -> Acted:
    """Say what a nugget depends on."""
    nugget, expected = _there(place, body)
    return perform(
        place,
        body,
        "set-nugget-needs",
        lambda view: set_needs(view, nugget, expected, body.needs),
        task=_TASK,
    )


@router.post("/delete")
def delete(place: InTopic, body: DeleteBody) -> Acted:
    """Take a nugget away; who does not lead takes one away on which no matches of others and no decided ones rest."""
    nugget, expected = _there(place, body)
    own = None if place.leads else place.visitor.layer
    return perform(
        place,
        body,
        "delete-nugget",
        lambda view: delete_nugget(view, nugget, expected, with_matches=body.with_matches, own=own),
        task=_TASK,
    )


@router.post("/merge")
def merge(place: InTopic, body: MergeBody) -> Acted:
    """Make one nugget of several."""
    return perform(
        place,
        body,
        "merge-nuggets",
        lambda view: merge_nuggets(view, body.into, body.others, body.expected, _fields(body)),
        task=_TASK,
        judged=body.text,
    )


@router.post("/split")
def split(place: InTopic, body: SplitBody) -> Acted:
    """Make several nuggets of one; the visitor says where their own matches go, who leads also final ones."""
    nugget, expected = _there(place, body)
    for share in body.shares:
        _check_layer(place, share.layer)
    shares = [Share(one.layer, one.update, tuple(one.parts)) for one in body.shares]
    parts = [_fields(one) for one in body.parts]
    return perform(
        place,
        body,
        "split-nugget",
        lambda view: split_nugget(view, place.topic.event, nugget, expected, parts, shares),
        task=_TASK,
    )


@router.post("/again")
def again(place: InTopic, body: AgainBody) -> Acted:
    """Say what an update tells of the parts of a nugget that was split."""
    _check_layer(place, body.layer)
    return perform(
        place,
        body,
        "look-again",
        lambda view: looked_again(view, body.layer, body.update, body.expected, body.nuggets),
        task=_TASK,
    )


@router.post("/read")
def read(place: InTopic, body: ReadBody) -> Acted:
    """Note that the visitor has read a revision."""

    def make(view: ObjectView) -> list[Change]:
        if view.item(REVISION, body.revision) is None:
            raise HTTPException(404, "no such revision")
        return [Change(place.visitor.layer, READ, body.revision, {"read": True} if body.read else None)]

    return perform(place, body, "read-revision", make, task=_TASK)


def _fields(body: FieldsBody) -> Fields:
    source = None if body.source is None else Source(body.source.revision, body.source.start, body.source.end)
    return Fields(text=body.text, importance=body.importance, time=body.time, source=source)


def _check_source(view: ObjectView, source: SourceBody) -> None:
    item = view.item(REVISION, source.revision)
    length = 0 if item is None else len(item.content["text"])
    if not source.start < source.end <= length:
        raise UsageError(
            f"found characters {source.start} to {source.end} of revision {source.revision} as a nugget's source, "
            f"expected some of its {length:,}"
        )


def _check_layer(place: TopicPlace, layer: str) -> None:
    if layer != place.visitor.layer and not (place.leads and layer == FINAL):
        raise HTTPException(403, "these matches are for others to decide")


def _there(place: TopicPlace, body: OnNugget) -> tuple[str, int]:
    """Which nugget is meant and in which version: what the page showed, or what its act before this one made of it."""
    made: Any = None
    if body.after:
        for entry in place.desk.log.act(place.project.id, body.after):
            is_own = entry.account_id == place.visitor.account.id and entry.topic == place.topic.number
            is_nugget = (entry.layer, entry.kind) == (SHARED, NUGGET)
            if is_own and is_nugget and body.nugget in ("", entry.object_id):
                made = made or entry
    if made is not None:
        return made.object_id, made.seq
    if not body.nugget:
        raise UsageError("found an act on no nugget, expected one; load the page again")
    return body.nugget, body.expected
