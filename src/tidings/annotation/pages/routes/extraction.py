"""The page on which nuggets are extracted from the revisions of a page, and what its script asks for and sends.

What is done to the list of nuggets is one act for each address, refused where the list is not as the page showed it.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, HTTPException, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from tidings.annotation.desk.differences import Piece, differences, folded, passages
from tidings.annotation.desk.exchange.importing import REVISION
from tidings.annotation.desk.operations.nugget_changes import (
    Share,
    delete_nugget,
    looked_again,
    matches_by_layer,
    merge_nuggets,
    split_nugget,
)
from tidings.annotation.desk.operations.nuggets import (
    AGAIN,
    MATCHES,
    NUGGET,
    Fields,
    Source,
    add_nugget,
    edit_nugget,
    links_to,
    set_needs,
)
from tidings.annotation.pages.acts import ActBody, Acted, ItemId, may_do, perform
from tidings.annotation.pages.visits import InTopic, TopicPlace
from tidings.annotation.store import Desk, ObjectView
from tidings.core import (
    FINAL,
    SHARED,
    Change,
    DeskTopic,
    Project,
    UsageError,
    jaccard,
    judge_layer,
    layer_account,
    shared_analyzer,
)
from tidings.web import page

READ = "read"
"""The kind of the note, in a judge's own layer, that a revision was read."""

_ALIKE = 0.5
"""From which share of common stems on (Jaccard's) a nugget may be there already."""

_MOST_ALIKE = 3
_MOST_LINKED = 500


class NuggetDesk:
    """A topic's nuggets and revisions, as one account sees them."""

    def __init__(self, desk: Desk, project: Project, topic: DeskTopic, account_id: int) -> None:
        self._desk, self._project, self._topic = desk, project, topic
        self._layer = judge_layer(account_id)

    def nuggets(self) -> list[dict[str, Any]]:
        """The nuggets with their versions, by time."""
        objects = self._desk.log.objects(self._project.id, self._topic.number, layer=SHARED, kind=NUGGET)
        listed = [{"id": one.id, "version": one.version, **one.value} for one in objects]
        return sorted(listed, key=lambda one: (one["time"], one["id"]))

    def read(self) -> list[str]:
        """Ids of the revisions that the account has read."""
        objects = self._desk.log.objects(self._project.id, self._topic.number, layer=self._layer, kind=READ)
        return [one.id for one in objects]

    def revision(self, name: str, *, whole: bool) -> dict[str, Any] | None:
        """A revision beside the one before it; None where there is none of that id."""
        projects, project, topic = self._desk.projects, self._project.id, self._topic.number
        item = projects.item(project, topic, REVISION, name)
        if item is None:
            return None
        places = projects.item_places(project, topic, REVISION)
        earlier = [one for one in places if (one[2], one[1]) < (item.time, item.number)]
        before = max(earlier, key=lambda one: (one[2], one[1]), default=None)
        former = None if before is None else projects.item(project, topic, REVISION, before[0])
        text = item.content["text"]
        pieces = differences("" if former is None else former.content["text"], text)
        return {
            "id": item.id,
            "time": item.time,
            **{key: item.content[key] for key in ("title", "author", "comment")},
            "first": former is None,
            "pieces": [_plain(piece) for piece in (pieces if whole else folded(pieces))],
            "passages": passages(pieces, text),
        }

    def counts(self, leads: bool) -> dict[str, int]:
        """How many updates are matched to each nugget: by oneself or decided, for leads by whomever."""
        updates: dict[str, set[str]] = {}
        for one in self._desk.log.objects(self._project.id, self._topic.number, kind=MATCHES):
            if not leads and one.layer not in (self._layer, FINAL):
                continue
            for match in one.value["matches"]:
                updates.setdefault(match["nugget"], set()).add(one.id)
        return {nugget: len(ids) for nugget, ids in updates.items()}

    def again(self, leads: bool) -> list[dict[str, Any]]:
        """Updates whose matches are to be looked at again: one's own, and for leads the final ones."""
        log, project, topic = self._desk.log, self._project.id, self._topic.number
        found = []
        for layer in self._layers(leads):
            for note in log.objects(project, topic, layer=layer, kind=AGAIN):
                judged = log.object(project, topic, layer, MATCHES, note.id)
                item = self._desk.projects.item(project, topic, "update", note.id)
                if judged is None or judged.value is None or judged.version > note.version:
                    continue  # judged anew since
                spans = [m for m in judged.value["matches"] if m["nugget"] in note.value["nuggets"]]
                found.append(
                    {
                        "layer": layer,
                        "update": note.id,
                        "version": judged.version,
                        "nuggets": note.value["nuggets"],
                        "text": "" if item is None else item.content["text"],
                        "matches": spans,
                    }
                )
                if len(found) == _MOST_LINKED:
                    return found
        return found

    def linked(self, nugget: str, leads: bool) -> dict[str, Any]:
        """The matches to a nugget of which the account says where they go; for leads also how many others there are."""
        log, project, topic = self._desk.log, self._project.id, self._topic.number
        every = links_to(log.objects(project, topic, kind=MATCHES), [nugget])
        layers = self._layers(leads)
        own = [one for one in every if one.layer in layers][:_MOST_LINKED]
        texts = {
            item.id: item.content["text"]
            for one in own
            if (item := self._desk.projects.item(project, topic, "update", one.id)) is not None
        }
        return {
            "matches": [
                {
                    "layer": one.layer,
                    "update": one.id,
                    "text": texts.get(one.id, ""),
                    "spans": [[m["start"], m["end"]] for m in one.value["matches"] if m["nugget"] == nugget],
                }
                for one in own
            ],
            "others": len(every) - len(own) if leads else None,
        }

    def resting(self, nugget: str, leads: bool) -> dict[str, Any]:
        """How many matches go where a nugget is deleted and whose they are, and whether one may.

        Leads see others' by name; an assessor sees that there are some, and not how many.
        """
        objects = self._desk.log.objects(self._project.id, self._topic.number, kind=MATCHES)
        by_layer = matches_by_layer(objects, nugget)
        names = {one.account_id: one.name for one in self._desk.projects.members(self._project.id)}
        whose: dict[str, int] = {}
        for layer, number in by_layer.items():
            if layer == self._layer:
                name = "you"
            elif layer == FINAL:
                name = "decided"
            else:
                name = names.get(layer_account(layer) or 0, "a former member") if leads else "others"
            whose[name] = whose.get(name, 0) + number
        return {
            "matches": sum(number for name, number in whose.items() if leads or name != "others"),
            "whose": [
                {"name": name, "matches": number if leads or name != "others" else None}
                for name, number in whose.items()
            ],
            "may": leads or not by_layer.keys() - {self._layer},
        }

    def alike(self, text: str, but: str) -> list[str]:
        """Ids of nuggets that say nearly what a text says, the likest first."""
        stems = shared_analyzer().stems
        words = frozenset(stems(text))
        alike = [
            (jaccard(words, frozenset(stems(one["text"]))), one["id"])
            for one in self.nuggets()
            if one["id"] != but
        ]
        likest = sorted((pair for pair in alike if pair[0] >= _ALIKE), reverse=True)
        return [name for _, name in likest[:_MOST_ALIKE]]

    def _layers(self, leads: bool) -> tuple[str, ...]:
        return (self._layer, FINAL) if leads else (self._layer,)


def _plain(piece: Piece) -> Any:
    return msgspec.to_builtins(piece)


_TASK = "extraction"
extraction_router = APIRouter()
_API = "/api/projects/{project}/topics/{topic}"


@extraction_router.get("/projects/{project}/topics/{topic}/extraction", include_in_schema=False)
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


@extraction_router.get(_API + "/extraction/revision", tags=[_TASK])
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


@extraction_router.get(_API + "/extraction/nuggets", tags=[_TASK])
def nuggets(place: InTopic, after: Annotated[int, Query(ge=0, le=2**53)] = 0) -> dict[str, Any]:
    """The nuggets as they are now; nothing of them where the project's log has not grown since its entry `after`."""
    may_do(place, _TASK)
    if after == place.project.last_seq:
        return {"seq": after, "nuggets": None}
    desk = NuggetDesk(place.desk, place.project, place.topic, place.visitor.account.id)
    return {"seq": place.project.last_seq, "nuggets": desk.nuggets()}


@extraction_router.get(_API + "/extraction/matches", tags=[_TASK])
def matches(place: InTopic) -> dict[str, Any]:
    """How many updates are matched to each nugget, and one's own that are to be looked at again.

    Counted are one's own matches and decided ones; for leads, those of all.
    """
    may_do(place, _TASK)
    desk = NuggetDesk(place.desk, place.project, place.topic, place.visitor.account.id)
    return {"counts": desk.counts(place.leads), "again": desk.again(place.leads)}


@extraction_router.get(_API + "/extraction/linked", tags=[_TASK])
def linked(place: InTopic, nugget: ItemId) -> dict[str, Any]:
    """The matches to a nugget on which the visitor decides, with their texts; for leads how many others there are."""
    may_do(place, _TASK)
    desk = NuggetDesk(place.desk, place.project, place.topic, place.visitor.account.id)
    return desk.linked(nugget, place.leads)


@extraction_router.get(_API + "/extraction/resting", tags=[_TASK])
def resting(place: InTopic, nugget: ItemId) -> dict[str, Any]:
    """What goes where a nugget is deleted: how many matches of whom (of others for leads), and whether one may."""
    may_do(place, _TASK)
    desk = NuggetDesk(place.desk, place.project, place.topic, place.visitor.account.id)
    return desk.resting(nugget, place.leads)


@extraction_router.get(_API + "/extraction/alike", tags=[_TASK])
def alike(
    place: InTopic,
    text: Annotated[str, Query(max_length=2000)],
    but: Annotated[str, Query(max_length=300)] = "",
) -> list[str]:
    """Nuggets, but for one, that say nearly what a text says, the likest first."""
    may_do(place, _TASK)
    desk = NuggetDesk(place.desk, place.project, place.topic, place.visitor.account.id)
    return desk.alike(text, but)


nugget_acts_router = APIRouter(prefix="/api/projects/{project}/topics/{topic}/nuggets", tags=[_TASK])

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


@nugget_acts_router.post("/add")
def add(place: InTopic, body: AddBody) -> Acted:
    """Add a nugget."""

    def make(view: ObjectView) -> list[Change]:
        if body.source is not None:
            _check_source(view, body.source)
        return add_nugget(view, place.topic.event, _fields(body), body.needs)

    return perform(place, body, "add-nugget", make, task=_TASK, judged=body.text)


@nugget_acts_router.post("/edit")
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


@nugget_acts_router.post("/needs")
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


@nugget_acts_router.post("/delete")
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


@nugget_acts_router.post("/merge")
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


@nugget_acts_router.post("/split")
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


@nugget_acts_router.post("/again")
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


@nugget_acts_router.post("/read")
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
            f"characters {source.start} to {source.end} of revision {source.revision} as a nugget's source "
            f"(expected some of its {length:,})"
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
        raise UsageError("an act on no nugget (expected one); load the page again")
    return body.nugget, body.expected
