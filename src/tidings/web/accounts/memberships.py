"""Who is what in a project, and which links that wait for a password end with it."""

from __future__ import annotations

from sqlalchemy import Connection, and_, delete, or_, select

from tidings.core import (
    Role,
    UsageError,
    desk_accounts,
    desk_assignments,
    desk_invitations,
    desk_made_accounts,
    desk_members,
    desk_projects,
    insert_row,
    set_columns,
)

__all__ = ["change_membership", "end_invitations", "end_invitations_of_projects"]


def change_membership(
    connection: Connection,
    project_id: int,
    account_id: int,
    role: Role | None,
    now: int,
    actor_id: int | None,
) -> None:
    """Give an account its role in a project, as `Projects.set_member` says."""
    ours = (desk_members.c.project_id == project_id, desk_members.c.account_id == account_id)
    # One change of a project's members after the other, as of its log.
    connection.execute(select(desk_projects.c.id).where(desk_projects.c.id == project_id).with_for_update())
    before = connection.execute(select(desk_members.c.role).where(*ours)).scalar()
    account = connection.execute(select(desk_accounts).where(desk_accounts.c.id == account_id)).one()
    if before == "lead" and role != "lead":
        if actor_id is not None:
            _need_other_lead(connection, project_id, account_id, account.name, actor_id)
        end_invitations_of_projects(connection, account_id, now, project_id)
    if before != role and (before is None or role is None or account.password_hash):
        end_invitations(connection, account_id, now)
    if role == "lead":
        # Whoever has led is nobody else's to sign in as, whatever becomes of them.
        connection.execute(delete(desk_made_accounts).where(desk_made_accounts.c.account_id == account_id))
    connection.execute(delete(desk_members).where(*ours))
    if role is not None:
        row = {"project_id": project_id, "account_id": account_id, "role": role}
        insert_row(connection, desk_members, row)
    else:
        mine = (desk_assignments.c.project_id == project_id, desk_assignments.c.account_id == account_id)
        connection.execute(delete(desk_assignments).where(*mine))


def _need_other_lead(
    connection: Connection, project_id: int, account_id: int, name: str, actor_id: int
) -> None:
    # Whoever acts is signed in; the others may never open their links.
    able = and_(desk_accounts.c.password_hash != "", desk_accounts.c.disabled_time.is_(None))
    query = (
        select(desk_members.c.account_id)
        .join(desk_accounts, desk_accounts.c.id == desk_members.c.account_id)
        .where(
            desk_members.c.project_id == project_id,
            desk_members.c.role == "lead",
            desk_members.c.account_id != account_id,
            or_(desk_members.c.account_id == actor_id, able),
        )
    )
    if connection.execute(query).first() is None:
        raise UsageError(
            f"{name} is the only lead who can sign in. First make somebody else a lead who has a password."
        )


def end_invitations(connection: Connection, account_id: int, now: int) -> None:
    """Links of an account that were not used yet work no more."""
    query = select(desk_invitations).where(
        desk_invitations.c.account_id == account_id, desk_invitations.c.used_time.is_(None)
    )
    for row in connection.execute(query).all():
        set_columns(connection, desk_invitations, row._asdict(), used_time=now)


def end_invitations_of_projects(connection: Connection, lead_id: int, now: int, project_id: int = 0) -> None:
    """End those of all members of a project, or of all projects that an account leads.

    Whoever leads a project may have kept a link that they asked for, and must gain nothing by it afterwards.
    """
    led = select(desk_members.c.project_id).where(
        desk_members.c.account_id == lead_id, desk_members.c.role == "lead"
    )
    if project_id:
        led = led.where(desk_members.c.project_id == project_id)
    query = select(desk_members.c.account_id).where(desk_members.c.project_id.in_(led)).distinct()
    for account_id in connection.execute(query).scalars().all():
        end_invitations(connection, account_id, now)
