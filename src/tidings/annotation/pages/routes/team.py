"""The team of a project: who works on it and at what, its settings and its guidelines. For those who lead it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form, HTTPException, Path, Request, Response
from fastapi.responses import RedirectResponse
from msgspec import Struct

from tidings.annotation.desk import team
from tidings.annotation.desk.operations.entities import CLAIMED
from tidings.annotation.pages.visits import LeadOf, ProjectPlace
from tidings.annotation.tasks import TASKS
from tidings.core import Account, ConflictError, StoreError, UsageError
from tidings.web import page, settings_of

team_router = APIRouter(prefix="/projects/{project}/team", include_in_schema=False)

Words = Annotated[str, Form(max_length=300)]
AccountId = Annotated[int, Path(ge=1, le=2**31 - 1)]
_SEE_OTHER, _CONFLICT, _UNPROCESSABLE = 303, 409, 422  # statuses of HTTP


class MemberRow(Struct, frozen=True):
    """A member as the page shows it, and whether the visitor may disable the account or send it a link."""

    account: Account
    role: str
    managed: bool
    linkable: bool


@team_router.get("")
def show(request: Request, place: LeadOf) -> Response:
    """Members, assignments, settings, guidelines and what is with whom."""
    return _team(request, place)


@team_router.post("/members")
def take_in(
    request: Request, place: LeadOf, name: Words, role: Annotated[Literal["assessor", "lead"], Form()]
) -> Response:
    """Take someone in; one without a password gets a link, which is shown once."""
    try:
        account, token = team.take_in(place.desk, place.project, _actor(place), name, role)
    except UsageError as error:
        return _team(request, place, _UNPROCESSABLE, problem=str(error), name=name)
    if not token:
        return _back(place, "members")
    return _team(request, place, link=_link(request, token), invited=account.name)


@team_router.post("/members/{account}/role")
def change_role(
    request: Request,
    place: LeadOf,
    account: AccountId,
    role: Annotated[Literal["assessor", "lead", "out"], Form()],
) -> Response:
    """Make a member an assessor or a lead, or take it out."""
    actor, member = _actor(place), _account(place, account)
    wanted = None if role == "out" else role
    act = partial(team.set_role, place.desk, place.project, actor, member, wanted)
    return _done(request, place, "members", act)


@team_router.post("/members/{account}/link")
def new_link(request: Request, place: LeadOf, account: AccountId) -> Response:
    """A new link with which a member chooses a password, shown once."""
    invited = _account(place, account)
    try:
        token = team.new_link(place.desk, place.project, _actor(place), invited)
    except UsageError as error:
        return _team(request, place, _UNPROCESSABLE, problem=str(error))
    return _team(request, place, link=_link(request, token), invited=invited.name)


@team_router.post("/members/{account}/disabled")
def disable(
    request: Request,
    place: LeadOf,
    account: AccountId,
    disabled: Annotated[Literal["yes", "no"], Form()],
) -> Response:
    """Let a member sign in no more, or again."""
    actor, member = _actor(place), _account(place, account)
    act = partial(team.disable, place.desk, place.project, actor, member, disabled == "yes")
    return _done(request, place, "members", act)


@team_router.post("/assignments")
def assign(
    request: Request,
    place: LeadOf,
    topic: Annotated[int, Form(ge=1, le=2**31 - 1)],
    assigned: Annotated[list[str] | None, Form(max_length=10_000)] = None,
) -> Response:
    """Give the tasks of a topic to those whose boxes are ticked, as `task:account`."""
    if place.desk.projects.topic(place.project.id, topic) is None:
        raise HTTPException(404, "There is no such topic.")
    chosen = set()
    for pair in assigned or []:
        task, _, account = pair.partition(":")
        if not (account.isascii() and account.isdigit() and len(account) < 10):
            raise HTTPException(_UNPROCESSABLE, f"{pair!r} is not an assignment. Send task:account.")
        chosen.add((task, int(account)))
    act = partial(team.assign_topic, place.desk, place.project, _actor(place), topic, chosen)
    return _done(request, place, f"topic-{topic}", act)


@team_router.post("/settings")
def settings(
    request: Request,
    place: LeadOf,
    judges: Annotated[int, Form()],
    idle_minutes: Annotated[float, Form(gt=0, le=1440, allow_inf_nan=False)],
    tasks: Annotated[list[str] | None, Form(max_length=100)] = None,
) -> Response:
    """How many judge each item, when a session of work ends, and what is done."""
    chosen = tuple(task.id for task in TASKS if task.id in (tasks or []))
    desk, actor, idle_s = place.desk, _actor(place), max(1, round(idle_minutes * 60))
    act = partial(
        team.change_settings, desk, place.project, actor, judges=judges, idle_s=idle_s, tasks=chosen
    )
    return _done(request, place, "settings", act)


@team_router.post("/guidelines")
def guidelines(
    request: Request,
    place: LeadOf,
    text: Annotated[str, Form(max_length=400_000)] = "",
    before: Annotated[str, Form(max_length=400_000)] = "",
) -> Response:
    """Write new guidelines; where someone else has in the meantime, what was typed is shown beside what is there."""
    # Browsers send lines of forms ended by CR LF.
    text, before = text.replace("\r\n", "\n"), before.replace("\r\n", "\n")
    try:
        team.change_guidelines(place.desk, place.project, _actor(place), text, before)
    except ConflictError as error:
        return _team(request, place, _CONFLICT, problem=str(error), typed=text)
    except UsageError as error:
        return _team(request, place, _UNPROCESSABLE, problem=str(error), typed=text)
    return _back(place, "guidelines-saved")


@team_router.post("/release")
def release(
    place: LeadOf,
    account: Annotated[int, Form(ge=1, le=2**31 - 1)],
    topic: Annotated[int, Form(ge=1, le=2**31 - 1)],
    task: Words,
) -> Response:
    """Take back what someone has and did not judge of a task of a topic."""
    team.release(place.desk, place.project, _actor(place), account_id=account, topic=topic, task=task)
    return _back(place, "claims")


def _done(request: Request, place: ProjectPlace, part: str, act: Callable[[], object]) -> Response:
    # Back to that part of the page; where the act is refused, the page says why.
    try:
        act()
    except UsageError as error:
        return _team(request, place, _UNPROCESSABLE, problem=str(error))
    return _back(place, part)


def _team(
    request: Request,
    place: ProjectPlace,
    status: int = 200,
    *,
    problem: str = "",
    name: str = "",
    link: str = "",
    invited: str = "",
    typed: str | None = None,
) -> Response:
    desk, actor = place.desk, _actor(place)
    project = desk.projects.get(place.project.id) or place.project
    members = []
    for member in desk.projects.members(project.id):
        account = desk.accounts.get(member.account_id)
        managed = team.may_manage(desk, project, actor, account)
        linkable = account.disabled_time is None and (managed or team.may_invite(desk, actor, account))
        members.append(MemberRow(account, member.role, managed, linkable))
    context: dict[str, Any] = {
        "project": project,
        "members": members,
        "topics": desk.projects.topics(project.id),
        "tasks": TASKS,
        "assigned": {
            (assignment.topic, assignment.task, assignment.account_id)
            for assignment in desk.projects.assignments(project.id)
        },
        "claims": team.open_claims(desk, project),
        "names": {row.account.id: row.account.name for row in members},
        "titles": {word: task.title for word, task in CLAIMED.items()},
        "text": project.guidelines if typed is None else typed,
        "problem": problem,
        "name": name,
        "link": link,
        "invited": invited,
    }
    return page(request, "team.html.j2", status, place=place, **context)


def _actor(place: ProjectPlace) -> team.Actor:
    return team.Actor(place.account_id, place.visitor.session_id)


def _account(place: ProjectPlace, account_id: int) -> Account:
    if place.desk.projects.role(place.project.id, account_id) is None:
        raise HTTPException(404, "There is no such member.")
    try:
        return place.desk.accounts.get(account_id)
    except StoreError as error:
        raise HTTPException(404, "There is no such member.") from error


def _link(request: Request, token: str) -> str:
    address = settings_of(request).public_url or str(request.base_url).rstrip("/")
    return f"{address}/welcome/{token}"


def _back(place: ProjectPlace, part: str) -> Response:
    return RedirectResponse(f"/projects/{place.project.id}/team#{part}", status_code=_SEE_OTHER)
