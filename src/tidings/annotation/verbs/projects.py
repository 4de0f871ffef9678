"""The project, and the file of guidelines, that a verb names."""

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
        raise UsageError(f"no project named {name}; the store has: {names}")
    return found


def read_guidelines(path: str) -> str:
    """The text of a file of guidelines; UsageError where it cannot be read."""
    from pathlib import Path

    from tidings.core import UsageError

    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"{path}: cannot be read as guidelines ({error}); save it as text in UTF-8"
        ) from None
