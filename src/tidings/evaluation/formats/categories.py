"""categories.tsv: which nuggets and clusters belong together, as a person sorted them.

Columns event, kind (nugget, cluster or relationship), id, category, text. The text of a nugget or a cluster is there
for who reads the file; that of a `relationship` (its id is empty) says how those of the category relate.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from tidings.core import FormatError, Problem, Problems, read_text, write_tsv

COLUMNS = ("event", "kind", "id", "category", "text")
_KINDS = ("nugget", "cluster", "relationship")


class CategoryLine(Struct, frozen=True):
    """A line of the file."""

    event: str
    kind: str
    id: str
    category: str
    text: str = ""


def read_categories(path: str | Path, *, problems: Problems | None = None) -> tuple[CategoryLine, ...]:
    """The lines of a file, its heading left out.

    Raises:
        FormatError: the heading is another, or lines are damaged, all together.
    """
    kept = problems if problems is not None else Problems()
    name = str(path)
    heading, *rows = read_text(path).split("\n")
    if tuple(heading.split("\t")) != COLUMNS:
        expected = f"the columns {', '.join(COLUMNS)}, apart by tabs"
        raise FormatError([Problem(name, 1, repr(heading[:80]), expected)])
    lines = []
    for number, row in enumerate(rows, 2):
        cells = row.split("\t")
        if not row.strip():
            continue
        if len(cells) != len(COLUMNS):
            kept.add(name, number, f"{len(cells)} columns", f"{len(COLUMNS)}, apart by tabs")
        elif cells[1] not in _KINDS:
            kept.add(name, number, f"kind {cells[1]!r}", f"one of {', '.join(_KINDS)}")
        elif not cells[3].strip():
            kept.add(name, number, "no category", "one in each line", "name one, or leave the line out")
        else:
            lines.append(CategoryLine(*cells))
    kept.check()
    return tuple(lines)


def write_categories(path: str | Path, lines: Iterable[CategoryLine]) -> None:
    """Write the file, whole or not at all."""
    rows = ((line.event, line.kind, line.id, line.category, line.text) for line in lines)
    write_tsv(path, (COLUMNS, *rows))
