"""Projects: collections in the making, who works on them and at what, and the items that are judged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import structs
from msgspec.structs import replace
from sqlalchemy import Connection, Row, Select, delete, func, select

from tidings.annotation.store.objects import Asking, item_of
from tidings.annotation.tasks import TASKS
from tidings.core import (
    Assignment,
    DeskItem,
    DeskTopic,
    Event,
    Member,
    Project,
    Role,
    StoreError,
    UsageError,
    bind_row,
    desk_accounts,
    desk_assignments,
    desk_items,
    desk_members,
    desk_projects,
    desk_topics,
    encode,
    insert_numbered,
    insert_row,
    insert_rows,
    match,
    row_values,
    set_columns,
    with_digest,
)
from tidings.web import change_membership, project_of, topic_of

_NAME_CHARS = 200
_ALL_TASKS = tuple(task.id for task in TASKS)
USUAL_TASKS = ("extraction", "matching")
"""Of a project that people make without naming any."""


class Projects(Asking):
    """The projects of a store."""

    def add(
        self,
        name: str,
        *,
        tasks: Sequence[str] = _ALL_TASKS,
        judges: int = 1,
        idle_s: int = 300,
        guidelines: str = "",
    ) -> Project:
        """A new project; UsageError where the name is taken or the settings do not fit."""
        name = name.strip()
        if not name or len(name) > _NAME_CHARS or not name.isprintable():
            raise UsageError(
                f"The project name {name!r} is not valid. Use 1 to {_NAME_CHARS} printable characters."
            )
        made = Project(
            id=0,
            name=name,
            created_time=int(self._clock()),
            tasks=tuple(tasks),
            judges=judges,
            idle_s=idle_s,
            guidelines=guidelines,
        )
        row = _row(made)
        del row["id"]
        with self._store.writing() as connection:
            if connection.execute(select(desk_projects).where(desk_projects.c.name == name)).first():
                raise UsageError(f"A project named {name} already exists. Choose another name.")
            row = insert_numbered(connection, desk_projects, row)
        return replace(made, id=row["id"])

    def change(self, project: Project) -> None:
        """Write its name, settings and guidelines as they are in `project`."""
        row = _row(project)
        with self._store.writing() as connection:
            found = connection.execute(select(desk_projects).where(desk_projects.c.id == project.id)).one()
            same = select(desk_projects).where(
                desk_projects.c.name == project.name, desk_projects.c.id != project.id
            )
            if connection.execute(same).first():
                raise UsageError(f"A project named {project.name} already exists. Choose another name.")
            changes = {key: row[key] for key in ("name", "settings", "guidelines")}
            set_columns(connection, desk_projects, found._asdict(), **changes)

    def all(self) -> list[Project]:
        """All projects, by name."""
        return [
            self._project(row)
            for row in self._store.rows(select(desk_projects).order_by(desk_projects.c.name))
        ]

    def get(self, project_id: int) -> Project | None:
        """The project of that number."""
        return self._find_named(id=project_id)

    def find(self, name: str) -> Project | None:
        """The project of that name."""
        return self._find_named(name=name.strip())

    def _find_named(self, **key: Any) -> Project | None:
        rows = self._store.rows(select(desk_projects).where(*match(desk_projects, **key)))
        return self._project(rows[0]) if rows else None

    def _project(self, found: Row[Any]) -> Project:
        row = row_values(desk_projects, found, str(self._store), f"project {found.id}")
        return project_of(row)

    # Who works on it.

    def set_member(
        self, project_id: int, account_id: int, role: Role | None, *, actor_id: int | None = None
    ) -> None:
        """Give an account its role in a project; None takes it out, with its assignments.

        Links that wait end where they would now open more than when they were asked for: those of an account that
        comes, goes, or has a password and gets another role; and, where someone leads no more, those of all members.

        Args:
            project_id, account_id, role: who is what, where.
            actor_id: the account that does it, where the project must keep a lead who can sign in.

        Raises:
            UsageError: nobody who can sign in would lead the project any more.
        """
        with self._store.writing() as connection:
            change_membership(connection, project_id, account_id, role, int(self._clock()), actor_id)

    def members(self, project_id: int) -> list[Member]:
        """Who works on a project, by name."""
        query = (
            select(desk_members, desk_accounts.c.name)
            .join(desk_accounts, desk_accounts.c.id == desk_members.c.account_id)
            .where(desk_members.c.project_id == project_id)
            .order_by(desk_accounts.c.name)
        )
        return [Member(row.project_id, row.account_id, row.name, row.role) for row in self._store.rows(query)]

    def role(self, project_id: int, account_id: int) -> Role | None:
        """What an account is in a project; None where it is no member."""
        chosen = match(desk_members, project_id=project_id, account_id=account_id)
        rows = self._store.rows(select(desk_members).where(*chosen))
        if not rows:
            return None
        role: Role = row_values(desk_members, rows[0], str(self._store), f"member {account_id}")["role"]
        return role

    def of_account(self, account_id: int) -> list[tuple[Project, Role]]:
        """The projects that an account works on, by name."""
        query = select(desk_members).where(*match(desk_members, account_id=account_id))
        roles: dict[int, Role] = {row.project_id: row.role for row in self._store.rows(query)}
        return [(project, roles[project.id]) for project in self.all() if project.id in roles]

    def assign(self, assignment: Assignment, assigned: bool = True) -> None:
        """Give a task of a topic to an account, or take it away."""
        row = structs.asdict(assignment)
        with self._store.writing() as connection:
            connection.execute(delete(desk_assignments).where(*match(desk_assignments, **row)))
            if assigned:
                insert_row(connection, desk_assignments, row)

    def assignments(self, project_id: int) -> list[Assignment]:
        """Who is to do what, by topic."""
        table = desk_assignments
        query = select(table).where(*match(table, project_id=project_id))
        query = query.order_by(table.c.topic, table.c.task, table.c.account_id)
        return [
            Assignment(row.project_id, row.topic, row.task, row.account_id) for row in self._store.rows(query)
        ]

    # What is judged.

    def add_topic(self, project_id: int, event: Event) -> DeskTopic:
        """Add an event, or find it where it is there already."""
        with self._store.writing() as connection:
            table = desk_topics
            ours = select(table).where(table.c.project_id == project_id)
            found = connection.execute(ours.where(table.c.event_id == event.id)).one_or_none()
            if found is not None:
                return self._topic(found)
            last = select(func.max(table.c.number)).where(table.c.project_id == project_id)
            highest = connection.execute(last).scalar()
            number = (highest or 0) + 1
            row = {"project_id": project_id, "number": number, "event_id": event.id, "event": encode(event)}
            insert_row(connection, table, row)
        return DeskTopic(project_id, number, event)

    def topics(self, project_id: int, number: int | None = None) -> list[DeskTopic]:
        """Its topics by number; only that of `number`, where it is given."""
        table = desk_topics
        query = select(table).where(*match(table, project_id=project_id, number=number))
        return [self._topic(row) for row in self._store.rows(query.order_by(table.c.number))]

    def topic(self, project_id: int, number: int) -> DeskTopic | None:
        """One of its topics."""
        return next(iter(self.topics(project_id, number)), None)

    def _topic(self, found: Row[Any]) -> DeskTopic:
        row = row_values(desk_topics, found, str(self._store), f"topic {found.number}")
        return topic_of(row)

    def add_items(self, items: Iterable[DeskItem]) -> int:
        """Add items that are not there yet, behind those that are; says how many. All of one project.

        An item's `number` is given here. StoreError where one is there with another content.
        """
        with self._store.writing() as connection:
            numbers: dict[tuple[int, str], int] = {}
            there: dict[tuple[int, str], dict[str, str]] = {}
            rows: list[dict[str, Any]] = []
            for item in items:
                place = (item.topic, item.kind)
                if place not in numbers:
                    numbers[place], there[place] = self._present(connection, item)
                content = encode(item.content)
                if item.id in there[place]:
                    if there[place][item.id] != content:
                        raise StoreError(
                            f"{self._store}: the project has a different {item.kind} {item.id}; "
                            "import into a project of another name"
                        )
                    continue
                numbers[place] += 1
                there[place][item.id] = content
                values = {"item_id": item.id, "number": numbers[place], "content": content}
                rows.append(structs.asdict(item) | values)
            insert_rows(connection, desk_items, [bind_row(with_digest(desk_items, row)) for row in rows])
            return len(rows)

    def _present(self, connection: Connection, item: DeskItem) -> tuple[int, dict[str, str]]:
        table = desk_items
        query = select(table.c.item_id, table.c.content, table.c.number).where(
            *match(table, project_id=item.project_id, topic=item.topic, kind=item.kind)
        )
        rows = connection.execute(query).all()
        return max((row.number for row in rows), default=0), {row.item_id: row.content for row in rows}

    def items(self, project_id: int, topic: int, kind: str) -> list[DeskItem]:
        """The items of a kind, as they were added."""
        query = _of_kind(select(desk_items), project_id, topic, kind).order_by(desk_items.c.number)
        return [item_of(row, str(self._store)) for row in self._store.rows(query)]

    def last_number(self, project_id: int, topic: int, kind: str) -> int:
        """The number of the last item of a kind, which is how many there are."""
        return self._store.number(_of_kind(select(func.max(desk_items.c.number)), project_id, topic, kind))

    def item_places(self, project_id: int, topic: int, kind: str) -> list[tuple[str, int, int]]:
        """The id, number and time of each item of a kind, by time and then as they were added; no content is read."""
        table = desk_items
        places = select(table.c.item_id, table.c.number, table.c.time)
        query = _of_kind(places, project_id, topic, kind).order_by(table.c.time, table.c.number)
        return [(row.item_id, row.number, row.time) for row in self._store.rows(query)]

    def item(self, project_id: int, topic: int, kind: str, item_id: str) -> DeskItem | None:
        """One item."""
        chosen = match(desk_items, item_id=item_id)
        rows = self._store.rows(_of_kind(select(desk_items), project_id, topic, kind).where(*chosen))
        return item_of(rows[0], str(self._store)) if rows else None

    def count_items(self, project_id: int) -> dict[tuple[int, str], int]:
        """How many items of each kind each topic has."""
        places = (desk_items.c.topic, desk_items.c.kind)
        chosen = match(desk_items, project_id=project_id)
        query = select(*places, func.count()).where(*chosen).group_by(*places)
        return {(topic, kind): number for topic, kind, number in self._store.rows(query)}


def _of_kind(query: Select[Any], project_id: int, topic: int, kind: str) -> Select[Any]:
    return query.where(*match(desk_items, project_id=project_id, topic=topic, kind=kind))


def _row(project: Project) -> dict[str, Any]:
    unknown = [task for task in project.tasks if task not in {task.id for task in TASKS}]
    if unknown or not project.tasks:
        listed = ", ".join(task.id for task in TASKS)
        raise UsageError(
            f"The tasks {', '.join(project.tasks) or '(none)'} are not valid. Choose some of {listed}."
        )
    if not 1 <= project.judges <= 100:
        raise UsageError(f"Each item needs 1 to 100 judges, not {project.judges}.")
    if project.idle_s < 1:
        raise UsageError(f"A session must last at least 1 second, not {project.idle_s}.")
    settings = encode({"tasks": project.tasks, "judges": project.judges, "idle_s": project.idle_s})
    values = structs.asdict(project) | {"settings": settings}
    return {column.name: values[column.name] for column in desk_projects.c if column.name != "digest"}
