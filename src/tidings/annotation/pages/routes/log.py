"""The audit log: who did what when, and what was there before; and how someone was corrected."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec
from fastapi import APIRouter, HTTPException, Query, Request, Response
from fastapi.responses import StreamingResponse
from msgspec import Struct

from tidings.annotation.desk.corrections import corrections_of
from tidings.annotation.desk.showing import Difference, differences, item_link, task_of_kind
from tidings.annotation.pages.visits import InProject, ProjectPlace
from tidings.annotation.tasks import JUDGED_KINDS
from tidings.core import FINAL, LogEntry, layer_account
from tidings.web import page

log_router = APIRouter(prefix="/projects/{project}", include_in_schema=False)

_ENTRIES_A_PAGE, _A_PART = 100, 2000
Number = Annotated[int | None, Query(ge=0, le=2**53)]
Account = Annotated[int | None, Query(ge=1, le=2**31 - 1)]
Words = Annotated[str, Query(max_length=60)]


class LogRow(Struct, frozen=True):
    """An entry as the page shows it; `decided` where it is what counts now, and could be opened again."""

    entry: LogEntry
    changed: list[Difference]
    link: str
    decided: bool


@log_router.get("/log")
def log_page(
    request: Request,
    place: InProject,
    topic: Annotated[str, Query(max_length=12)] = "",
    who: Annotated[str, Query(max_length=12)] = "",
    operation: Words = "",
    before: Number = None,
) -> Response:
    """What was done, the latest first: one's own; all for leads."""
    chosen_topic, account = _number(topic), _whose(place, _number(who))
    entries = list(
        place.desk.log.entries(
            place.project.id,
            topic=chosen_topic,
            account_id=account,
            operation=operation or None,
            before=before,
            limit=_ENTRIES_A_PAGE + 1,
            latest_first=True,
        )
    )
    # Clusters are reopened by their updates.
    standing = {
        (judged.topic, judged.kind, judged.id, judged.version)
        for judged in place.desk.log.objects(place.project.id, chosen_topic, layer=FINAL)
        if judged.kind in JUDGED_KINDS
    }
    rows = [
        LogRow(
            entry,
            differences(entry.before, entry.after),
            item_link(place.project.id, entry.topic, entry.kind, entry.object_id)
            if task_of_kind(entry.kind)
            else "",
            place.leads and (entry.topic, entry.kind, entry.object_id, entry.seq) in standing,
        )
        for entry in entries[:_ENTRIES_A_PAGE]
        if _is_shown(place, entry)
    ]
    return page(
        request,
        "log.html.j2",
        place=place,
        rows=rows,
        more=entries[_ENTRIES_A_PAGE - 1].seq if len(entries) > _ENTRIES_A_PAGE else None,
        topics=place.desk.projects.topics(place.project.id),
        members=place.desk.projects.members(place.project.id) if place.leads else [],
        operations=place.desk.log.operations(place.project.id),
        chosen={"topic": chosen_topic, "who": _number(who), "operation": operation},
    )


@log_router.get("/log.jsonl")
def log_lines(
    place: InProject,
    topic: Annotated[str, Query(max_length=12)] = "",
    who: Annotated[str, Query(max_length=12)] = "",
    operation: Words = "",
) -> Response:
    """The log as JSON Lines, the earliest first: one's own; all for leads."""
    chosen_topic, account = _number(topic), _whose(place, _number(who))

    def lines() -> Iterator[bytes]:
        after = 0
        while True:
            part = list(
                place.desk.log.entries(
                    place.project.id,
                    topic=chosen_topic,
                    account_id=account,
                    operation=operation or None,
                    after=after,
                    limit=_A_PART,
                )
            )
            yield b"".join(msgspec.json.encode(entry) + b"\n" for entry in part if _is_shown(place, entry))
            if len(part) < _A_PART:
                return
            after = part[-1].seq

    headers = {"content-disposition": 'attachment; filename="log.jsonl"'}
    return StreamingResponse(lines(), media_type="application/jsonl", headers=headers)


def _whose(place: ProjectPlace, who: int | None) -> int | None:
    return who if place.leads else place.account_id


def _is_shown(place: ProjectPlace, entry: LogEntry) -> bool:
    """Merging, splitting or deleting nuggets changes what others judged unseen; it stays so."""
    return place.leads or layer_account(entry.layer) in (None, place.account_id)


def _number(text: str) -> int | None:
    """A number of the form's, None where all are meant or it is none."""
    return int(text) if text.isascii() and text.isdigit() and int(text) < 2**31 else None


corrections_router = APIRouter(include_in_schema=False)

_A_PAGE = 50  # corrections


@corrections_router.get("/projects/{project}/corrections")
def corrections_page(
    request: Request,
    place: InProject,
    who: Annotated[int | None, Query(ge=1, le=2**31 - 1)] = None,
    skip: Annotated[int, Query(ge=0, le=10**7)] = 0,
) -> Response:
    """The visitor's judgments beside what was decided; for leads those of any member."""
    account = place.account_id if who is None else who
    if account != place.account_id and not place.leads:
        raise HTTPException(403, "Only project leads can see other people's corrections.")
    members = place.desk.projects.members(place.project.id)
    name = next((member.name for member in members if member.account_id == account), None)
    if name is None:
        raise HTTPException(404, "There is no such member.")
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
