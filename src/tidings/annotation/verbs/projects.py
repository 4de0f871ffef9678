"""The project that a verb names."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tidings.annotation.store import Desk
    from tidings.core import Project


def project_named(desk: Desk, name: str) -> Project:
    """The project of that name; UsageError, with those that there are, where there is none."""
    from tidings.core import UsageError

    found = desk.projects.find(name)
    if found is None:
        names = ", ".join(project.name for project in desk.projects.all()) or "none"
        raise UsageError(f"no project named {name} (expected one of these: {names})")
    return found
