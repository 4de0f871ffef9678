"""Entities of a day: graded by experts, or by the two questions of the short form."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Literal

from fastapi import APIRouter, HTTPException, Query, Request, Response
from msgspec import UNSET
from pydantic import BaseModel, Field

from tidings.annotation.desk.entity_sentences import parts_of
from tidings.annotation.desk.exchange.day_entities import crowd_of
from tidings.annotation.desk.operations.entities import (
    FORMS,
    EntityDay,
    EntityWork,
    answered,
    day_to_show,
    entity_days,
    graded,
    shown_text,
)
from tidings.annotation.desk.queue import assign
from tidings.annotation.pages.acts import ActBody, Acted, ItemId, may_do, perform
from tidings.annotation.pages.visits import InTopic, LeadInTopic, TopicPlace
from tidings.annotation.store import Claim
from tidings.core import FINAL, DeskItem
from tidings.web import page

entities_router = APIRouter(tags=["entities"])
_API = "/api/projects/{project}/topics/{topic}/entities"

Form = Literal["scale", "short"]
_TYPES = {"PER": "person", "ORG": "organization", "LOC": "place"}
_GRADES = (
    (1, "Not of the event", "It obviously has nothing to do with the event."),
    (
        2,
        "Of the event, nothing new",
        "It belongs to the event, but nothing new is told since the day before.",
    ),
    (
        3,
        "New, in a side part",
        "It belongs to the event and to something new, but plays no main part in the sentence.",
    ),
    (
        4,
        "New, in a main part",
        "It belongs to the event and to something new, and plays a main part in the sentence.",
    ),
)


def _days(place: TopicPlace, form: Form) -> list[EntityDay]:
    project, topic, task = place.project.id, place.topic.number, FORMS[form]
    log, (kind,) = place.desk.log, task.kinds
    own = log.objects(project, topic, layer=place.visitor.layer, kind=kind)
    final = log.objects(project, topic, layer=FINAL, kind=kind)
    return entity_days(
        place.desk.projects.items(project, topic, "day-entity"),
        {one.id: one for one in own},
        {one.id: one for one in final},
        place.desk.claims.standing(project, topic, task),
        place.visitor.account.id,
        limit=place.project.judges,
        now=int(place.desk.clock()),
    )


def _shown(work: EntityWork) -> dict[str, object]:
    content = work.item.content
    names = [content["entity"], *content["aliases"]]
    return {
        "id": work.item.id,
        "entity": content["entity"],
        "type": _TYPES.get(content["type"], content["type"]),
        "aliases": content["aliases"],
        "today": parts_of(content["sentence"], names),
        "before": parts_of(content["before"], names),
        "value": work.value,
        "version": work.version,
        "again": work.again,
    }


@entities_router.get("/projects/{project}/topics/{topic}/entities", include_in_schema=False)
def entities_page(
    request: Request,
    place: InTopic,
    day: Annotated[str, Query(max_length=10)] = "",
    form: Form = "scale",
) -> Response:
    """The entities of one day, all together."""
    may_do(place, "entities")
    days = _days(place, form)
    shown = day_to_show(days, day)
    at = days.index(shown) if shown is not None else -1
    mine = [] if shown is None else [_shown(one) for one in shown.of("mine")]
    reopened = place.desk.log.objects(place.project.id, place.topic.number, layer=FINAL, kind="reopened")
    (kind,) = FORMS[form].kinds
    return page(
        request,
        "entities.html.j2",
        place=place,
        form=form,
        days=days,
        shown=shown,
        mine=mine,
        decided=[] if shown is None else [_shown(one) for one in shown.of("decided")],
        following=days[at + 1].date if 0 <= at < len(days) - 1 else "",
        preceding=days[at - 1].date if at > 0 else "",
        reasons={one.value["id"]: one.value["reason"] for one in reopened if one.value["kind"] == kind},
        grades=_GRADES,
        data={
            "api": f"/api{place.path}",
            "path": f"{place.path}/entities",
            "form": form,
            "day": "" if shown is None else shown.date,
            "following": days[at + 1].date if 0 <= at < len(days) - 1 else "",
            "preceding": days[at - 1].date if at > 0 else "",
            "decided": 0 if shown is None else len(shown.of("decided")),
            "others": 0 if shown is None else len(shown.work) - len(mine),
            "items": {
                str(one["id"]): {key: one[key] for key in ("version", "value", "again")} for one in mine
            },
        },
    )


class GradeBody(ActBody):
    """Grade an entity of a day, 1 to 4; without a grade what was said is taken away.

    `version` is that of the grade that the page showed (0: none); left out, it is not asked.
    """

    item: ItemId
    grade: Annotated[int, Field(ge=1, le=4)] | None = None
    version: Annotated[int, Field(ge=0, le=2**53)] | None = None


class AnswerBody(ActBody):
    """Answer the two questions of the short form; without answers what was said is taken away.

    `sentence`: 1 not about the event, 2 perhaps, 3 obviously. `important`: whether the entity is, in the sentence.
    """

    item: ItemId
    sentence: Annotated[int, Field(ge=1, le=3)] | None = None
    important: bool | None = None
    version: Annotated[int, Field(ge=0, le=2**53)] | None = None


class DayBody(ActBody):
    """A day, as YYYY-MM-DD."""

    date: Annotated[str, Field(max_length=10)]
    form: Form = "scale"


class TakenDay(BaseModel):
    """Which of a day's items went to the visitor by this, or back."""

    date: str
    items: list[str]


@entities_router.post(f"{_API}/grade")
def grade(place: InTopic, body: GradeBody) -> Acted:
    """Grade an entity of a day on the scale of four; 409 where the item went to enough others or is decided."""
    item = _item(place, body.item)
    expected = UNSET if body.version is None else body.version
    return perform(
        place,
        body,
        "grade-entity",
        lambda view: graded(view, place.visitor.layer, body.item, body.grade, expected),
        task="entities",
        judged=shown_text(item),
        claim=Claim(FORMS["scale"].id, body.item, place.project.judges),
    )


@entities_router.post(f"{_API}/answer")
def answer(place: InTopic, body: AnswerBody) -> Acted:
    """Answer the two questions of the short form; 409 as for `grade`."""
    item = _item(place, body.item)
    expected = UNSET if body.version is None else body.version
    if (body.sentence is None) != (body.important is None):
        raise HTTPException(422, "one answer (expected both or none)")
    answers = None if body.sentence is None or body.important is None else (body.sentence, body.important)
    return perform(
        place,
        body,
        "answer-entity",
        lambda view: answered(view, place.visitor.layer, body.item, answers, expected),
        task="entities",
        judged=shown_text(item),
        claim=Claim(FORMS["short"].id, body.item, place.project.judges),
    )


@entities_router.post(f"{_API}/take")
def take(place: InTopic, body: DayBody) -> TakenDay:
    """Take all items of a day that may still go to the visitor: they come together."""
    may_do(place, "entities")
    day = next((one for one in _days(place, body.form) if one.date == body.date), None)
    if day is None:
        raise HTTPException(404, "no such day")
    account, limit, now = place.visitor.account.id, place.project.judges, int(place.desk.clock())
    taken: list[str] = []
    for one in day.of("free"):
        item_id = place.desk.claims.take(
            place.project.id,
            place.topic.number,
            FORMS[body.form],
            account,
            partial(assign, [one.item.id], account_id=account, limit=limit, now=now),
        )
        taken += [] if item_id is None else [item_id]
    return TakenDay(date=body.date, items=taken)


@entities_router.post(f"{_API}/give-back")
def give_back(place: InTopic, body: DayBody) -> TakenDay:
    """Give back the items of a day that the visitor has and has not judged, so that others can have them."""
    may_do(place, "entities")
    given: list[str] = []
    for day in _days(place, body.form):
        for one in day.of("mine") if day.date == body.date else ():
            if one.value is None:
                place.desk.claims.release(
                    place.project.id,
                    place.topic.number,
                    FORMS[body.form].id,
                    one.item.id,
                    place.visitor.account.id,
                )
                given.append(one.item.id)
    return TakenDay(date=body.date, items=given)


@entities_router.get(f"{_API}/short-form")
def short_form(
    place: LeadInTopic, least: Annotated[float | None, Query(ge=0, le=1)] = None
) -> dict[str, object]:
    """What the answers of the short form add up to, and how each judge stands beside the gold; for leads.

    Gold are the final answers, else those of leads. Judges who agree with it no better than `least` are left out.
    """
    opinions, judges = crowd_of(place.desk, place.project, place.topic.number, least=least)
    return {
        "items": {
            item: {"sentence": one.sentence, "important": one.important, "judges": one.judges}
            for item, one in opinions.items()
        },
        "judges": [
            {
                "judge": one.judge,
                "items": one.items,
                "asked": one.asked,
                "agreement": one.agreement,
                "counts": one.counts,
            }
            for one in judges
        ],
    }


def _item(place: TopicPlace, item_id: str) -> DeskItem:
    found = place.desk.projects.item(place.project.id, place.topic.number, "day-entity", item_id)
    if found is None:
        raise HTTPException(404, "no such entity of a day")
    return found
