"""The page on which nuggets are extracted from the revisions of a page, and what its script asks for and sends.

What is done to the list of nuggets is one act for each address, refused where the list is not as the page showed it.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Query, Request, Response
from pydantic import Field

from tidings.annotation.desk.differences import differences, fold_unchanged, passages
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
from tidings.annotation.pages.acts import (
    ActBody,
    ActOnShown,
    Body,
    Changes,
    ItemId,
    Version,
    act_route,
    doing,
    last_of_own,
    plain,
)
from tidings.annotation.pages.visits import InTopic, TopicPlace
from tidings.annotation.store import ObjectView
from tidings.core import (
    FINAL,
    SHARED,
    Change,
    DeskItem,
    UsageError,
    jaccard,
    judge_layer,
    shared_analyzer,
)
from tidings.web import page

READ = "read"
"""The kind of the note, in a judge's own layer, that a revision was read."""

_ALIKE = 0.5
"""From which share of common stems on (Jaccard's) a nugget may be there already."""

_MOST_ALIKE = 3  # nuggets shown beside one
_MOST_LINKED = 500  # matches in an answer
_MOST_SHOWN = 1_000  # updates of a pool on the page


class NuggetDesk:
    """A topic's nuggets and revisions, as one account sees them."""

    def __init__(self, place: TopicPlace) -> None:
        self._place, self._projects = place, place.desk.projects
        self._project, self._topic = place.project.id, place.topic.number

    def nuggets(self) -> list[dict[str, Any]]:
        """The nuggets with their versions, by time."""
        objects = self._place.objects(SHARED, NUGGET)
        listed = [{"id": nugget.id, "version": nugget.version, **nugget.value} for nugget in objects]
        return sorted(listed, key=lambda nugget: (nugget["time"], nugget["id"]))

    def read(self) -> list[str]:
        """Ids of the revisions that the account has read."""
        return [read.id for read in self._place.objects(self._place.layer, READ)]

    def revisions(self) -> list[tuple[str, int, int]]:
        """The id, number and time of each revision, by time."""
        return self._projects.item_places(self._project, self._topic, REVISION)

    def pool(self) -> list[DeskItem]:
        """What nuggets can be made of where there is no page history: pooled updates, else sentences, by time."""
        for kind in ("update", "sentence"):
            items = self._projects.items(self._project, self._topic, kind)
            if items:
                return sorted(items, key=lambda item: (item.time, item.number))
        return []

    def revision(self, name: str, *, whole: bool) -> dict[str, Any] | None:
        """A revision beside the one before it; None where there is none of that id."""
        item = self._place.item(REVISION, name)
        if item is None:
            return None
        names = [place[0] for place in self.revisions()]
        at = names.index(name)
        former = self._place.item(REVISION, names[at - 1]) if at else None
        text = item.content["text"]
        pieces = differences("" if former is None else former.content["text"], text)
        return {
            "id": item.id,
            "time": item.time,
            **{key: item.content[key] for key in ("title", "author", "comment")},
            "first": former is None,
            "pieces": [plain(piece) for piece in (pieces if whole else fold_unchanged(pieces))],
            "passages": passages(pieces, text),
        }

    def counts(self) -> dict[str, int]:
        """How many updates are matched to each nugget: by oneself or decided, for leads by whomever."""
        updates: dict[str, set[str]] = {}
        for judged in self._place.objects(kind=MATCHES):
            if self._place.leads or judged.layer in (self._place.layer, FINAL):
                for match in judged.value["matches"]:
                    updates.setdefault(match["nugget"], set()).add(judged.id)
        return {nugget: len(ids) for nugget, ids in updates.items()}

    def again(self) -> list[dict[str, Any]]:
        """Updates whose matches are to be looked at again: one's own, and for leads the final ones."""
        notes = [note for layer in self._layers for note in self._place.objects(layer, AGAIN)]
        found = []
        for note in notes:
            judged = self._place.object(note.layer, MATCHES, note.id)
            if judged is None or judged.version > note.version:
                continue  # judged again since
            asked = note.value["nuggets"]
            found.append(
                {
                    "layer": note.layer,
                    "update": note.id,
                    "version": judged.version,
                    "nuggets": asked,
                    "text": self._text(note.id),
                    "matches": [match for match in judged.value["matches"] if match["nugget"] in asked],
                }
            )
            if len(found) == _MOST_LINKED:
                break
        return found

    def linked(self, nugget: str) -> dict[str, Any]:
        """The matches to a nugget of which the account says where they go; for leads also how many others there are."""
        every = links_to(self._place.objects(kind=MATCHES), [nugget])
        own = [judged for judged in every if judged.layer in self._layers][:_MOST_LINKED]
        return {
            "matches": [
                {
                    "layer": judged.layer,
                    "update": judged.id,
                    "text": self._text(judged.id),
                    "spans": [
                        [match["start"], match["end"]]
                        for match in judged.value["matches"]
                        if match["nugget"] == nugget
                    ],
                }
                for judged in own
            ],
            "others": len(every) - len(own) if self._place.leads else None,
        }

    def resting(self, nugget: str) -> dict[str, Any]:
        """How many matches go where a nugget is deleted and whose they are, and whether one may.

        Leads see others' by name; an assessor sees that there are some, and not how many.
        """
        leads, own = self._place.leads, self._place.layer
        by_layer = matches_by_layer(self._place.objects(kind=MATCHES), nugget)
        called = {own: "you", FINAL: "decided"}
        if leads:
            members = self._projects.members(self._project)
            called = {judge_layer(member.account_id): member.name for member in members} | called
        whose: dict[str, int] = {}
        for layer, number in by_layer.items():
            name = called.get(layer, "a former member" if leads else "others")
            whose[name] = whose.get(name, 0) + number
        seen = {name: number if leads or name != "others" else None for name, number in whose.items()}
        return {
            "matches": sum(number or 0 for number in seen.values()),
            "whose": [{"name": name, "matches": number} for name, number in seen.items()],
            "may": leads or not by_layer.keys() - {own},
        }

    def alike(self, text: str, but: str) -> list[str]:
        """Ids of nuggets that say nearly what a text says, the likest first."""
        stems = shared_analyzer().stems
        words = frozenset(stems(text))
        alike = [
            (jaccard(words, frozenset(stems(nugget["text"]))), nugget["id"])
            for nugget in self.nuggets()
            if nugget["id"] != but
        ]
        likest = sorted((pair for pair in alike if pair[0] >= _ALIKE), reverse=True)
        return [name for _, name in likest[:_MOST_ALIKE]]

    @property
    def _layers(self) -> tuple[str, ...]:
        return (self._place.layer, FINAL) if self._place.leads else (self._place.layer,)

    def _text(self, update: str) -> str:
        item = self._place.item("update", update)
        return "" if item is None else str(item.content["text"])


_TASK = "extraction"
extraction_router = APIRouter(tags=[_TASK])
_API = "/api/projects/{project}/topics/{topic}"

Extracting = Annotated[TopicPlace, doing(_TASK)]


async def _nugget_desk(place: Extracting) -> NuggetDesk:
    return NuggetDesk(place)


Nuggets = Annotated[NuggetDesk, Depends(_nugget_desk)]


@extraction_router.get("/projects/{project}/topics/{topic}/extraction", include_in_schema=False)
def extraction_page(
    request: Request, place: InTopic, desk: Nuggets, at: Annotated[str, Query(max_length=300)] = ""
) -> Response:
    """The page, at the revision `at` or at the first that is not read."""
    places = desk.revisions()
    data = {
        "api": f"/api{place.path}",
        "matching": f"{place.path}/matching" if "matching" in place.project.tasks else "",
        "topic": f"{place.project.id}-{place.topic.number}-{place.account_id}",
        "start": place.topic.event.start_time,
        "revisions": [[name, time] for name, _, time in places],
        "read": desk.read(),
        "at": at,
        "nuggets": desk.nuggets(),
        "seq": place.project.last_seq,
    }
    pool = [] if places else desk.pool()
    shown = pool[:_MOST_SHOWN]
    more = len(pool) - len(shown)
    return page(
        request, "extraction.html.j2", place=place, data=data, revisions=places, pool=shown, more=more
    )


@extraction_router.get(_API + "/extraction/revision")
def revision(
    desk: Nuggets, name: Annotated[str, Query(alias="id", max_length=300)], whole: bool = False
) -> dict[str, Any]:
    """What a revision changed: the pieces of its text beside the one before, folded unless `whole`."""
    found = desk.revision(name, whole=whole)
    if found is None:
        raise HTTPException(404, "There is no such revision.")
    return found


@extraction_router.get(_API + "/extraction/nuggets")
def nuggets(
    place: InTopic, desk: Nuggets, after: Annotated[int, Query(ge=0, le=2**53)] = 0
) -> dict[str, Any]:
    """The nuggets as they are now; nothing of them where the project's log has not grown since its entry `after`."""
    last = place.project.last_seq
    return {"seq": last, "nuggets": None if after == last else desk.nuggets()}


@extraction_router.get(_API + "/extraction/matches")
def matches(desk: Nuggets) -> dict[str, Any]:
    """How many updates are matched to each nugget, and one's own that are to be looked at again.

    Counted are one's own matches and decided ones; for leads, those of all.
    """
    return {"counts": desk.counts(), "again": desk.again()}


@extraction_router.get(_API + "/extraction/linked")
def linked(desk: Nuggets, nugget: ItemId) -> dict[str, Any]:
    """The matches to a nugget on which the visitor decides, with their texts; for leads how many others there are."""
    return desk.linked(nugget)


@extraction_router.get(_API + "/extraction/resting")
def resting(desk: Nuggets, nugget: ItemId) -> dict[str, Any]:
    """What goes where a nugget is deleted: how many matches of whom (of others for leads), and whether one may."""
    return desk.resting(nugget)


@extraction_router.get(_API + "/extraction/alike")
def alike(
    desk: Nuggets,
    text: Annotated[str, Query(max_length=2000)],
    but: Annotated[str, Query(max_length=300)] = "",
) -> list[str]:
    """Nuggets, but for one, that say nearly what a text says, the likest first."""
    return desk.alike(text, but)


nugget_acts_router = APIRouter(prefix="/api/projects/{project}/topics/{topic}/nuggets", tags=[_TASK])

Text = Annotated[str, Field(max_length=20_000)]
Number = Annotated[int, Field(ge=-(2**53), le=2**53)]
Ids = Annotated[list[ItemId], Field(max_length=1000)]


class SourceBody(Body):
    """Characters start..end of a revision's text."""

    revision: ItemId
    start: Annotated[int, Field(ge=0, le=2**31)]
    end: Annotated[int, Field(ge=0, le=2**31)]


class FieldsBody(Body):
    """What a nugget says."""

    text: Text
    importance: Number
    time: Number
    source: SourceBody | None = None


class AddBody(ActBody, FieldsBody):
    """A new nugget."""

    needs: Annotated[list[ItemId], Field(default_factory=list, max_length=1000)]


class OnNugget(ActOnShown):
    """An act on a nugget. Where the act `after` made the nugget, `nugget` may be left out."""

    nugget: Annotated[str, Field(max_length=300)] = ""


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


class ShareBody(Body):
    """To which parts the matches of an update go."""

    layer: Annotated[str, Field(max_length=40)]
    update: ItemId
    parts: Annotated[list[Annotated[int, Field(ge=0, le=100)]], Field(max_length=100)]


class SplitBody(OnNugget):
    """Make parts of a nugget."""

    parts: Annotated[list[FieldsBody], Field(max_length=100)]
    shares: Annotated[list[ShareBody], Field(default_factory=list, max_length=5000)]


class AgainBody(ActBody):
    """Which of the nuggets in question an update matches, after a second look."""

    layer: Annotated[str, Field(max_length=40)]
    update: ItemId
    expected: Version
    nuggets: Ids


class ReadBody(ActBody):
    """That a revision was read, or was not."""

    revision: ItemId
    read: bool = True


def _own_words(place: TopicPlace, body: AddBody | EditBody | MergeBody) -> str:
    return body.text or ""


@act_route(nugget_acts_router, "/add", "add-nugget", task=_TASK, judged=_own_words)
def add(place: InTopic, body: AddBody) -> Changes:
    """Add a nugget."""

    def make(view: ObjectView) -> list[Change]:
        if body.source is not None:
            _check_source(view, body.source)
        return add_nugget(view, place.topic.event, _fields(body), body.needs)

    return make


@act_route(nugget_acts_router, "/edit", "edit-nugget", task=_TASK, judged=_own_words)
def edit(place: InTopic, body: EditBody) -> Changes:
    """Change what a nugget says."""
    nugget, expected = _there(place, body)
    return lambda view: edit_nugget(
        view, nugget, expected, text=body.text, importance=body.importance, time=body.time
    )


@act_route(nugget_acts_router, "/needs", "set-nugget-needs", task=_TASK)
def needs(place: InTopic, body: NeedsBody) -> Changes:
    """Say what a nugget depends on."""
    nugget, expected = _there(place, body)
    return lambda view: set_needs(view, nugget, expected, body.needs)


@act_route(nugget_acts_router, "/delete", "delete-nugget", task=_TASK)
def delete(place: InTopic, body: DeleteBody) -> Changes:
    """Take a nugget away; who does not lead takes one away on which no matches of others and no decided ones rest."""
    nugget, expected = _there(place, body)
    own = None if place.leads else place.layer
    return lambda view: delete_nugget(view, nugget, expected, with_matches=body.with_matches, own=own)


@act_route(nugget_acts_router, "/merge", "merge-nuggets", task=_TASK, judged=_own_words)
def merge(place: InTopic, body: MergeBody) -> Changes:
    """Make one nugget of several."""
    return lambda view: merge_nuggets(view, body.into, body.others, body.expected, _fields(body))


@act_route(nugget_acts_router, "/split", "split-nugget", task=_TASK)
def split(place: InTopic, body: SplitBody) -> Changes:
    """Make several nuggets of one; the visitor says where their own matches go, who leads also final ones."""
    nugget, expected = _there(place, body)
    for share in body.shares:
        _check_layer(place, share.layer)
    shares = [Share(share.layer, share.update, tuple(share.parts)) for share in body.shares]
    parts = [_fields(part) for part in body.parts]
    return lambda view: split_nugget(view, place.topic.event, nugget, expected, parts, shares)


@act_route(nugget_acts_router, "/again", "look-again", task=_TASK)
def again(place: InTopic, body: AgainBody) -> Changes:
    """Say which parts of a nugget that was split an update matches."""
    _check_layer(place, body.layer)
    return lambda view: looked_again(view, body.layer, body.update, body.expected, body.nuggets)


@act_route(nugget_acts_router, "/read", "read-revision", task=_TASK)
def read(place: InTopic, body: ReadBody) -> Changes:
    """Note that the visitor has read a revision."""

    def make(view: ObjectView) -> list[Change]:
        if view.item(REVISION, body.revision) is None:
            raise HTTPException(404, "There is no such revision.")
        return [Change(place.layer, READ, body.revision, {"read": True} if body.read else None)]

    return make


def _fields(body: FieldsBody) -> Fields:
    source = None if body.source is None else Source(body.source.revision, body.source.start, body.source.end)
    return Fields(text=body.text, importance=body.importance, time=body.time, source=source)


def _check_source(view: ObjectView, source: SourceBody) -> None:
    item = view.item(REVISION, source.revision)
    length = 0 if item is None else len(item.content["text"])
    if not source.start < source.end <= length:
        raise UsageError(
            f"characters {source.start} to {source.end} of revision {source.revision} as a nugget's source "
            f"(it has {length:,})"
        )


def _check_layer(place: TopicPlace, layer: str) -> None:
    if layer != place.layer and not (place.leads and layer == FINAL):
        raise HTTPException(403, "Only a project lead can decide these matches.")


def _there(place: TopicPlace, body: OnNugget) -> tuple[str, int]:
    """Which nugget is meant and in which version: what the page showed, or what its act before this one made of it."""
    made = last_of_own(place, body, SHARED, NUGGET, body.nugget)
    if made is not None:
        return made.object_id, made.seq
    if not body.nugget:
        raise UsageError("The nugget is missing. Reload the page.")
    return body.nugget, body.expected
