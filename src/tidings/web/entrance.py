"""Coming in: who is signed in, what they are in a project, and the topic at which they work, read by one statement.

Every request asks for this first, so it must be quick; nothing of it is kept in memory, so that whoever is disabled,
taken out of a project or assigned elsewhere is stopped at the next request.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, Integer, and_, bindparam, func, select

from tidings.core import (
    Account,
    DeskTopic,
    Event,
    LockedError,
    Project,
    Role,
    Store,
    checked_part,
    decode,
    desk_accounts,
    desk_assignments,
    desk_items,
    desk_members,
    desk_projects,
    desk_sessions,
    desk_topics,
    set_columns,
)

_SEEN_EVERY_S = 60  # a session is noted as used; more often would write at each request
_PATIENCE_S = 0.25  # for a note that can be left out


class Entrance(Struct, frozen=True, kw_only=True):
    """A session, whose it is, and what they find at the place that they name.

    Args:
        account: who is signed in.
        session_id: of their sign-in.
        project: the project that was named; None where there is none or the account is no member of it.
        role: what the account is in it.
        topic: the topic of it that was named; None where there is none.
        assigned: who is to do which task of the topic, as (task, account).
        last_update: the number of the topic's last pooled update, which is how many there are.
    """

    account: Account
    session_id: int
    project: Project | None = None
    role: Role | None = None
    topic: DeskTopic | None = None
    assigned: frozenset[tuple[str, int]] = frozenset()
    last_update: int = 0


class Entrances:
    """The way into a store's projects. `clock` gives the time in seconds."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._store, self._clock = store, clock

    def enter(
        self, token: str, *, idle_s: int, longest_s: int, project: int = 0, topic: int = 0
    ) -> Entrance | None:
        """Who is signed in with a token, and what they find in a project and at a topic of it (0: none is asked for).

        None where the session ended, was idle for more than `idle_s` seconds, is older than `longest_s`, or the account
        is disabled.
        """
        now = int(self._clock())
        asked = {"token": token_digest(token), "project": project, "topic": topic}
        where = str(self._store)
        with self._store.asking() as connection:
            row = connection.execute(_ENTRANCE, asked).one_or_none()
            if row is None:
                return None
            start, parts = 0, []
            for table in _TABLES:
                parts.append(checked_part(table, row, start, where))
                start += len(table.columns)
            session, account, member, found, at = parts
            assert session is not None and account is not None
            if (
                session["ended_time"] is not None
                or account["disabled_time"] is not None
                or now - session["seen_time"] > idle_s
                or now - session["created_time"] > longest_s
            ):
                return None
            assigned = _find_assigned(connection, project, topic) if at is not None else frozenset()
        if now - session["seen_time"] >= _SEEN_EVERY_S:
            with suppress(LockedError):  # the next request notes it
                self._note_seen(asked, now)
        del account["digest"]
        return Entrance(
            account=Account(**account),
            session_id=session["id"],
            project=None if found is None else project_of(found),
            role=None if member is None else member["role"],
            topic=None if at is None else topic_of(at),
            assigned=assigned,
            last_update=row[start] or 0,
        )

    def _note_seen(self, asked: dict[str, object], now: int) -> None:
        query = select(desk_sessions).where(desk_sessions.c.token_digest == asked["token"])
        with self._store.writing(patience_s=_PATIENCE_S) as connection:
            fresh = connection.execute(query).one_or_none()
            if fresh is not None and fresh.ended_time is None:
                set_columns(connection, desk_sessions, fresh._asdict(), seen_time=now)


def token_digest(token: str) -> str:
    """What is kept of a token."""
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


_TABLES = (desk_sessions, desk_accounts, desk_members, desk_projects, desk_topics)
_PROJECT, _TOPIC = bindparam("project", type_=Integer), bindparam("topic", type_=Integer)
_LAST_UPDATE = (
    select(func.max(desk_items.c.number))
    .where(desk_items.c.project_id == _PROJECT, desk_items.c.topic == _TOPIC, desk_items.c.kind == "update")
    .scalar_subquery()
)
_MEMBER = and_(desk_members.c.account_id == desk_accounts.c.id, desk_members.c.project_id == _PROJECT)
_AT = and_(desk_topics.c.project_id == desk_projects.c.id, desk_topics.c.number == _TOPIC)
_ENTRANCE = (
    select(*_TABLES, _LAST_UPDATE)
    .select_from(
        desk_sessions.join(desk_accounts, desk_accounts.c.id == desk_sessions.c.account_id)
        .outerjoin(desk_members, _MEMBER)
        .outerjoin(desk_projects, desk_projects.c.id == desk_members.c.project_id)
        .outerjoin(desk_topics, _AT)
    )
    .where(desk_sessions.c.token_digest == bindparam("token"))
)
_ASSIGNED = select(desk_assignments.c.task, desk_assignments.c.account_id).where(
    desk_assignments.c.project_id == _PROJECT, desk_assignments.c.topic == _TOPIC
)


def _find_assigned(connection: Connection, project: int, topic: int) -> frozenset[tuple[str, int]]:
    rows = connection.execute(_ASSIGNED, {"project": project, "topic": topic}).all()
    return frozenset((row.task, row.account_id) for row in rows)


def project_of(row: dict[str, Any]) -> Project:
    """A project of its row."""
    settings = decode(row["settings"])
    return Project(
        id=row["id"],
        name=row["name"],
        created_time=row["created_time"],
        tasks=tuple(settings["tasks"]),
        judges=settings["judges"],
        idle_s=settings["idle_s"],
        guidelines=row["guidelines"],
        last_seq=row["last_seq"],
    )


def topic_of(row: dict[str, Any]) -> DeskTopic:
    """A topic of its row."""
    return DeskTopic(row["project_id"], row["number"], msgspec.convert(decode(row["event"]), Event))
