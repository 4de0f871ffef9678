"""Who works on a project: members, their accounts and what is theirs to do. Each change is in the project's log."""

from __future__ import annotations

import secrets
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tidings.annotation.desk.operations.entities import CLAIMED
from tidings.annotation.desk.showing import task_of_kind
from tidings.annotation.store import Act, Desk
from tidings.core import SHARED, Account, Assignment, Change, ConflictError, Project, Role, UsageError

_GUIDELINES_CHARS = 100_000


class Actor(Struct, frozen=True):
    """Who changes something, and in which sign-in."""

    account_id: int
    session_id: int | None = None


class OpenClaims(Struct, frozen=True):
    """Items of a task of a topic that an account has and did not judge, and when it got the oldest of them."""

    topic: int
    task: str
    account_id: int
    items: tuple[str, ...]
    since: int


def take_in(desk: Desk, project: Project, actor: Actor, name: str, role: Role) -> tuple[Account, str]:
    """Take someone into a project; gives the account, and for one without a password the token of an invitation.

    An account of that name is made where there is none. UsageError where it is a member, the name is none, or it is
    disabled, or still to be opened by a link of another project.
    """
    account = desk.accounts.find(name)
    if account is None:
        account = desk.accounts.add(name, made_in=project.id)
    elif desk.projects.role(project.id, account.id) is not None:
        raise UsageError(f"{account.name} is already a member.")
    elif account.disabled_time is not None:
        raise UsageError(
            f"The account {account.name} is disabled. Whoever runs the desk can enable it: "
            "`tidings assess users --enable`."
        )
    elif not account.password_hash and not _leads_all_of(desk, actor, account):
        raise UsageError(
            f"{account.name} is invited to another project and has no password yet. Add them once they have one."
        )
    desk.projects.set_member(project.id, account.id, role)
    _note(desk, project, actor, "take-in", "member", str(account.id), {"name": account.name, "role": role})
    invited = may_invite(desk, actor, account)
    return account, desk.accounts.invite(account.id, password_hash="") if invited else ""


def set_role(desk: Desk, project: Project, actor: Actor, account: Account, role: Role | None) -> None:
    """Make a member an assessor or a lead; None takes it out, with its assignments and unjudged items.

    UsageError for who is no member, and where nobody who can sign in would lead the project any more.
    """
    _member_role(desk, project, account)
    desk.projects.set_member(project.id, account.id, role, actor_id=actor.account_id)
    if role is None:
        release(desk, project, actor, account_id=account.id)
    value = None if role is None else {"name": account.name, "role": role}
    _note(desk, project, actor, "set-role" if role else "take-out", "member", str(account.id), value)


def may_manage(desk: Desk, project: Project, actor: Actor, account: Account) -> bool:
    """Whether one who leads a project may disable an account or, though it has a password, have a new link for it.

    They may where the project made it, it never led anything, and it works in projects of theirs alone. Otherwise who
    leads one project could shut anyone out, or sign in as anyone, by taking them in, or by making a lead an assessor.
    """
    return (
        desk.accounts.made_in(account.id) == project.id
        and account.id != actor.account_id
        and _leads_all_of(desk, actor, account)
    )


def may_invite(desk: Desk, actor: Actor, account: Account) -> bool:
    """Whether one who leads may have a link for an account without a password: it works in projects of theirs alone."""
    return not account.password_hash and account.disabled_time is None and _leads_all_of(desk, actor, account)


def _leads_all_of(desk: Desk, actor: Actor, account: Account) -> bool:
    return all(
        desk.projects.role(project.id, actor.account_id) == "lead"
        for project, _ in desk.projects.of_account(account.id)
    )


def disable(desk: Desk, project: Project, actor: Actor, account: Account, disabled: bool) -> None:
    """Let an account sign in no more (or again); its judgments stay. UsageError where that is not the actor's to do."""
    role = _member_role(desk, project, account)
    if not may_manage(desk, project, actor, account):
        raise UsageError(_not_yours(account, "--disable or --enable"))
    if disabled:
        desk.accounts.disable(account.id, for_good=False)
        release(desk, project, actor, account_id=account.id)
    else:
        desk.accounts.enable(account.id)
    value = {"name": account.name, "role": role} | ({"disabled": True} if disabled else {})
    operation = "disable" if disabled else "enable"
    _note(desk, project, actor, operation, "member", str(account.id), value)


def new_link(desk: Desk, project: Project, actor: Actor, account: Account) -> str:
    """The token of a link with which an account's password is chosen; UsageError where the actor may have none."""
    role = _member_role(desk, project, account)
    if not may_invite(desk, actor, account) and not may_manage(desk, project, actor, account):
        raise UsageError(_not_yours(account, "--invite"))
    token = desk.accounts.invite(account.id, password_hash=account.password_hash)
    value = {"name": account.name, "role": role, "invited": int(desk.clock())}
    _note(desk, project, actor, "invite", "member", str(account.id), value)
    return token


def change_settings(
    desk: Desk, project: Project, actor: Actor, *, judges: int, idle_s: int, tasks: tuple[str, ...]
) -> Project:
    """Change how many judge an item, when a session of work ends, and what is done; UsageError where that cannot be."""
    changed = replace(project, judges=judges, idle_s=idle_s, tasks=tasks)
    desk.projects.change(changed)
    value = {"judges": judges, "idle_s": idle_s, "tasks": list(tasks)}
    _note(desk, project, actor, "settings", "settings", "settings", value)
    return changed


def change_guidelines(desk: Desk, project: Project, actor: Actor, text: str, before: str) -> Project:
    """Write new guidelines; ConflictError where they are no longer as in `before`, which was shown."""
    if len(text) > _GUIDELINES_CHARS:
        raise UsageError(f"The guidelines have {len(text)} characters. Use at most {_GUIDELINES_CHARS}.")
    there = desk.projects.get(project.id) or project
    if there.guidelines != before:
        raise ConflictError("Someone changed the guidelines in the meantime.", there.guidelines)
    changed = replace(there, guidelines=text)
    desk.projects.change(changed)
    _note(desk, project, actor, "guidelines", "guidelines", "guidelines", {"text": text})
    return changed


def assign_topic(desk: Desk, project: Project, actor: Actor, topic: int, chosen: set[tuple[str, int]]) -> int:
    """Give the tasks of a topic to those chosen, as (task, account); says how many changed.

    UsageError for a task or an account that is not the project's.
    """
    members = {member.account_id for member in desk.projects.members(project.id)}
    for task, account in chosen:
        if task not in project.tasks or account not in members:
            raise UsageError(
                f"{task} cannot be assigned to account {account}: choose a task and a member of the project."
            )
    before = {
        (assignment.task, assignment.account_id)
        for assignment in desk.projects.assignments(project.id)
        if assignment.topic == topic
    }
    for task, account in sorted(before ^ chosen):
        given = (task, account) in chosen
        desk.projects.assign(Assignment(project.id, topic, task, account), given)
    if before != chosen:
        value = {"assigned": [list(pair) for pair in sorted(chosen)]} if chosen else None
        _note(desk, project, actor, "assign", "assignments", str(topic), value)
    return len(before ^ chosen)


def open_claims(desk: Desk, project: Project) -> list[OpenClaims]:
    """What is with people and not judged, by topic and task."""
    found = []
    for topic in desk.projects.topics(project.id):
        for word, task in CLAIMED.items():
            if task.shared or task_of_kind(task.kinds[0]) not in project.tasks:
                continue
            standing = desk.claims.standing(project.id, topic.number, task)
            held: dict[int, list[tuple[int, str]]] = {}
            for item, holders in standing.holders.items():
                for account, since in holders.items():
                    if account not in standing.judged.get(item, ()) and item not in standing.decided:
                        held.setdefault(account, []).append((since, item))
            for account, items in sorted(held.items()):
                listed = tuple(item for _, item in sorted(items))
                found.append(OpenClaims(topic.number, word, account, listed, min(items)[0]))
    return found


def release(
    desk: Desk, project: Project, actor: Actor, *, account_id: int, topic: int = 0, task: str = ""
) -> int:
    """Take unjudged items back from an account, so that others get them: of one task and topic, or (0, "") of all."""
    count = 0
    for claims in open_claims(desk, project):
        if claims.account_id == account_id and topic in (0, claims.topic) and task in ("", claims.task):
            for item in claims.items:
                desk.claims.release(project.id, claims.topic, claims.task, item, account_id)
                count += 1
    if count:
        value = {"items": count, "topic": topic, "task": task, "at": int(desk.clock())}
        _note(desk, project, actor, "release", "released", str(account_id), value)
    return count


def _not_yours(account: Account, option: str) -> str:
    return (
        f"The account {account.name} was not made by this project, has led one, or works in others too. "
        f"Whoever runs the desk can do this: `tidings assess users {option}`."
    )


def _member_role(desk: Desk, project: Project, account: Account) -> Role:
    role = desk.projects.role(project.id, account.id)
    if role is None:
        raise UsageError(f"{account.name} is not a member of this project.")
    return role


def _note(
    desk: Desk, project: Project, actor: Actor, operation: str, kind: str, object_id: str, value: Any
) -> None:
    act = Act(
        key=secrets.token_hex(16),
        operation=operation,
        topic=0,
        account_id=actor.account_id,
        session_id=actor.session_id,
    )
    desk.log.record(project.id, act, [Change(SHARED, kind, object_id, value)])
