"""Plans of experiments with entities: which events, which of the paper's tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from tidings import __version__
from tidings.core import UsageError, read_text, write_atomically
from tidings.research.experiments.plan_files import PlanFile

_TASK = re.compile(r"^[^\S\n]*task\s*=", re.MULTILINE)


class EntityPlan(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An experiment with rankers of entities. Paths are relative to the folder in which the command runs.

    Attributes:
        task: `entities`; other plans have no such key.
        folders: judgments with streams, one folder for each year.
        output: folder of the tables, one Markdown file for each.
        title: said above the tables.
        takes: how long all of it takes, said before it begins.
        tables: which, by their numbers in the paper.
        event: the event of Table 5; the last one by default.
    """

    task: Literal["entities"]
    folders: Annotated[tuple[str, ...], Meta(min_length=1)]
    output: Annotated[str, Meta(min_length=1)]
    title: str = ""
    takes: str = ""
    tables: Annotated[tuple[Literal[2, 3, 4, 5], ...], Meta(min_length=1)] = (2, 3, 4, 5)
    event: str = ""

    def path_of(self, table: int) -> Path:
        """Where a table is kept."""
        return Path(self.output) / f"table-{table}.md"

    @property
    def _mark(self) -> str:
        words = msgspec.json.encode([msgspec.structs.replace(self, tables=(2,), takes=""), __version__])
        return f"<!-- {sha256(words).hexdigest()[:16]} -->"

    def kept(self, table: int) -> str | None:
        """A table that was made of the same plan by this version of tidings; None where there is none."""
        path = self.path_of(table)
        if not path.is_file():
            return None
        mark, _, text = path.read_text(encoding="utf-8").partition("\n")
        return text if mark == self._mark else None

    def keep(self, table: int, lines: Iterator[str]) -> str:
        """Write a table, whole or not at all; gives its text."""
        text = "\n".join(lines).rstrip("\n") + "\n"
        Path(self.output).mkdir(parents=True, exist_ok=True)
        with write_atomically(self.path_of(table)) as file:
            file.write(f"{self._mark}\n{text}".encode())
        return text


def asks_for_entities(path: str | Path) -> bool:
    """Whether a plan has the key `task`."""
    return _TASK.search(read_text(path)) is not None


def read_entity_plan(path: str | Path) -> EntityPlan:
    """The plan in a file.

    Raises:
        FormatError: not TOML, an unknown or missing key, a value of the wrong kind, an output among judgments.
        UsageError: a folder that is not there.
    """
    file = PlanFile(path)
    plan = file.read(EntityPlan)
    for folder in plan.folders:
        if not Path(folder).is_dir():
            raise UsageError(f"{path}: no folder {folder} (expected judgments with their pool)")
    file.spare_judgments(plan.folders, output=plan.output)
    file.check()
    return plan
