"""Entities of a day: graded by experts, or by the two questions of the short form."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Literal

from fastapi import APIRouter, HTTPException, Query, Request, Response
from msgspec import UNSET, UnsetType
from pydantic import BaseModel, Field

from tidings.annotation.desk.entity_sentences import parts_of
from tidings.annotation.desk.exchange.day_entities import crowd_of
from tidings.annotation.desk.operations.entities import (
    FORMS,
    EntityDay,
    EntityWork,
    day_to_show,
    entity_days,
    grade_item,
    set_answers,
    shown_text,
)
from tidings.annotation.desk.queue import assign
from tidings.annotation.pages.acts import ActBody, Changes, ItemId, Version, act_route, doing, plain
from tidings.annotation.pages.visits import InTopic, LeadInTopic, TopicPlace
from tidings.annotation.store import Claim
from tidings.core import FINAL
from tidings.web import page

entities_router = APIRouter(tags=["entities"])
Judging = Annotated[TopicPlace, doing("entities")]
_API = "/api/projects/{project}/topics/{topic}/entities"

Form = Literal["scale", "short"]
_TYPES = {"PER": "person", "ORG": "organization", "LOC": "place"}
_GRADES = (
    (1, "Unrelated", "It clearly has nothing to do with the event."),
    (
        2,
        "Related, nothing new",
        "It is part of the event, but there is nothing new since the day before.",
    ),
    (
        3,
        "New, minor role",
        "It is part of something new in the event, but plays a minor role in the sentence.",
    ),
    (
        4,
        "New, main role",
        "It is part of something new in the event and plays a main role in the sentence.",
    ),
)


def _days(place: TopicPlace, form: Form) -> list[EntityDay]:
    project, topic, task = place.project.id, place.topic.number, FORMS[form]
    (kind,) = task.kinds
    return entity_days(
        place.desk.projects.items(project, topic, "day-entity"),
        {own.id: own for own in place.objects(place.layer, kind)},
        {final.id: final for final in place.objects(FINAL, kind)},
        place.desk.claims.standing(project, topic, task),
        place.account_id,
        limit=place.project.judges,
        now=int(place.desk.clock()),
    )


def _describe(work: EntityWork) -> dict[str, object]:
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
    place: Judging,
    day: Annotated[str, Query(max_length=10)] = "",
    form: Form = "scale",
) -> Response:
    """The entities of one day, all together."""
    days = _days(place, form)
    shown = day_to_show(days, day)
    at = -1 if shown is None else days.index(shown)
    mine = [] if shown is None else [_describe(work) for work in shown.of("mine")]
    decided = [] if shown is None else [_describe(work) for work in shown.of("decided")]
    (kind,) = FORMS[form].kinds
    beside = {
        "following": days[at + 1].date if 0 <= at < len(days) - 1 else "",
        "preceding": days[at - 1].date if at > 0 else "",
    }
    return page(
        request,
        "entities.html.j2",
        place=place,
        form=form,
        days=days,
        shown=shown,
        mine=mine,
        decided=decided,
        reasons={
            note.value["id"]: note.value["reason"]
            for note in place.objects(FINAL, "reopened")
            if note.value["kind"] == kind
        },
        grades=_GRADES,
        data={
            "api": f"/api{place.path}",
            "path": f"{place.path}/entities",
            "form": form,
            "day": "" if shown is None else shown.date,
            "decided": len(decided),
            "others": 0 if shown is None else len(shown.work) - len(mine),
            "items": {
                str(work["id"]): {key: work[key] for key in ("version", "value", "again")} for work in mine
            },
        }
        | beside,
        following=beside["following"],
        preceding=beside["preceding"],
    )


class OnEntity(ActBody):
    """An act on an entity of a day; `version` is that which the page showed (0: none); left out, it is not asked."""

    item: ItemId
    version: Version | None = None

    @property
    def expected(self) -> int | UnsetType:
        """As operations take it."""
        return UNSET if self.version is None else self.version


class GradeBody(OnEntity):
    """Grade an entity of a day, 1 to 4; without a grade what was said is taken away."""

    grade: Annotated[int, Field(ge=1, le=4)] | None = None


class AnswerBody(OnEntity):
    """Answer the two questions of the short form; without answers what was said is taken away.

    `sentence`: 1 not about the event, 2 perhaps, 3 obviously. `important`: whether the entity is, in the sentence.
    """

    sentence: Annotated[int, Field(ge=1, le=3)] | None = None
    important: bool | None = None


class DayBody(ActBody):
    """A day, as YYYY-MM-DD."""

    date: Annotated[str, Field(max_length=10)]
    form: Form = "scale"


class TakenDay(BaseModel):
    """Which of a day's items went to the visitor by this, or back."""

    date: str
    items: list[str]


def _text_shown(place: TopicPlace, body: OnEntity) -> str:
    item = place.item("day-entity", body.item)
    if item is None:
        raise HTTPException(404, "There is no such entity.")
    return shown_text(item)


def _claim(form: Form) -> Callable[[TopicPlace, OnEntity], Claim]:
    return lambda place, body: Claim(FORMS[form].id, body.item, place.project.judges)


@act_route(
    entities_router,
    f"{_API}/grade",
    "grade-entity",
    task="entities",
    judged=_text_shown,
    claim=_claim("scale"),
)
def grade(place: InTopic, body: GradeBody) -> Changes:
    """Grade an entity of a day on the scale of four; 409 where the item went to enough others or is decided."""
    return lambda view: grade_item(view, place.layer, body.item, body.grade, body.expected)


@act_route(
    entities_router,
    f"{_API}/answer",
    "answer-entity",
    task="entities",
    judged=_text_shown,
    claim=_claim("short"),
)
def answer(place: InTopic, body: AnswerBody) -> Changes:
    """Answer the two questions of the short form; 409 as for `grade`."""
    if (body.sentence is None) != (body.important is None):
        raise HTTPException(422, "Answer both questions, or clear both answers.")
    answers = None if body.sentence is None or body.important is None else (body.sentence, body.important)
    return lambda view: set_answers(view, place.layer, body.item, answers, body.expected)


@entities_router.post(f"{_API}/take")
def take(place: Judging, body: DayBody) -> TakenDay:
    """Take all items of a day that may still go to the visitor: they come together."""
    day = next((day for day in _days(place, body.form) if day.date == body.date), None)
    if day is None:
        raise HTTPException(404, "There is no such day.")
    account, limit, now = place.account_id, place.project.judges, int(place.desk.clock())
    taken = [
        place.desk.claims.take(
            place.project.id,
            place.topic.number,
            FORMS[body.form],
            account,
            partial(assign, [work.item.id], account_id=account, limit=limit, now=now),
        )
        for work in day.of("free")
    ]
    return TakenDay(date=body.date, items=[item_id for item_id in taken if item_id is not None])


@entities_router.post(f"{_API}/give-back")
def give_back(place: Judging, body: DayBody) -> TakenDay:
    """Give back the items of a day that the visitor has and has not judged, so that others can have them."""
    given = [
        work.item.id
        for day in _days(place, body.form)
        if day.date == body.date
        for work in day.of("mine")
        if work.value is None
    ]
    for item_id in given:
        place.desk.claims.release(
            place.project.id, place.topic.number, FORMS[body.form].id, item_id, place.account_id
        )
    return TakenDay(date=body.date, items=given)


@entities_router.get(f"{_API}/short-form")
def short_form(
    place: LeadInTopic, least: Annotated[float | None, Query(ge=0, le=1)] = None
) -> dict[str, object]:
    """What the answers of the short form add up to, and how each judge stands beside the gold; for leads.

    Gold are the final answers, else those of leads. Judges who agree with it no better than `least` are left out.
    """
    opinions, judges = crowd_of(place.desk, place.project, place.topic.number, least=least)
    return {"items": plain(opinions), "judges": plain(judges)}
