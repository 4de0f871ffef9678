"""`tidings assess projects`: which there are, and how they are set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tidings.annotation.verbs.projects import project_named, read_guidelines
from tidings.core import described, say, terminal_width
from tidings.web import VERB_OPTIONS, need_names

if TYPE_CHECKING:
    from tidings.annotation.store import Desk
    from tidings.core import Project


@described(__file__, VERB_OPTIONS)
def assess_projects(
    store: str,
    add: str | None = None,
    change: str | None = None,
    name: str | None = None,
    judges: int | None = None,
    idle: int | None = None,
    tasks: str = "",
    guidelines: str = "",
) -> None:
    """List the projects of a store and what is in them, create one, or change its settings."""
    from tidings.annotation.store import USUAL_TASKS, Desk
    from tidings.core import UsageError, open_store

    need_names({"--add": add, "--change": change, "--name": name})
    settings: dict[str, Any] = {
        "judges": judges,
        "idle_s": idle,
        "tasks": tuple(word.strip() for word in tasks.split(",")) if tasks else None,
        "guidelines": read_guidelines(guidelines) if guidelines else None,
    }
    settings = {key: value for key, value in settings.items() if value is not None}
    if add and change:
        raise UsageError("Use either --add, to create a project, or --change, to change one.")
    if ((settings or name) and not (add or change)) or (name and not change):
        raise UsageError("Name the project with --change NAME, or --add NAME for a new one.")
    with open_store(store, durable=True, read_only=not (add or change)) as opened:
        desk = Desk(opened)
        if add:
            desk.projects.add(add, **{"tasks": USUAL_TASKS} | settings)
            say(f"made project {add}")
        if change:
            _change(desk, project_named(desk, change), settings | ({"name": name} if name else {}))
            say(f"changed project {change}")
        _list(desk)


def _change(desk: Desk, project: Project, settings: dict[str, Any]) -> None:
    from msgspec.structs import replace

    desk.projects.change(replace(project, **settings))


def _list(desk: Desk) -> None:
    """A row for each project."""
    from tidings.core import Table, render

    rows = []
    for project in desk.projects.all():
        counts = desk.projects.count_items(project.id)
        objects = desk.log.count_objects(project.id)
        rows.append(
            (
                project.name,
                len(desk.projects.topics(project.id)),
                sum(count for (_, kind), count in counts.items() if kind == "update"),
                sum(count for (_, _, kind), count in objects.items() if kind == "nugget"),
                sum(objects.values()),
                len(desk.projects.members(project.id)),
                project.judges,
                project.idle_s,
            )
        )
    if not rows:
        say("No projects yet. Create one with --add NAME or `tidings assess import`.")
        return
    columns = ("project", "topics", "updates", "nuggets", "judgments", "people", "judges", "idle")
    print(render(Table(columns, tuple(rows), right=tuple(range(1, 8))), width=terminal_width()))  # noqa: T201
