"""Tables of figures, in the forms that people and programs want: aligned text, TSV, CSV, Markdown, LaTeX."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tidings.core.display.aligned import aligned
from tidings.core.display.escaping import csv_text, latex_text, markdown_text
from tidings.core.display.plain import clean
from tidings.core.errors import UsageError

__all__ = ["FORMATS", "Cell", "Markup", "Table", "latex_text", "markdown_text", "render"]

Cell = str | float | int


class Markup(str):
    """A cell that is written in the form's own marks already, such as `**0.31**`: shown as it is, never escaped."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under headings. Numbers are shown with `digits` decimals.

    Columns of numbers, and those in `right` (figures that are already text), are aligned to the right.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    digits: int = 4
    right: tuple[int, ...] = ()

    def text(self, cell: Cell) -> str:
        """One cell as it is shown."""
        if isinstance(cell, Markup):
            return cell
        if isinstance(cell, float):
            return f"{cell:.{self.digits}f}"
        # A tab or a line break inside a name would break every one of the forms; an escape, a terminal.
        return clean(" ".join(str(cell).split())) if isinstance(cell, str) else str(cell)

    def headings(self) -> list[str]:
        """The columns' names as they are shown."""
        return [self.text(column) for column in self.columns]

    def texts(self) -> list[list[str]]:
        """All rows as they are shown."""
        return [[self.text(cell) for cell in row] for row in self.rows]

    def is_number(self, column: int) -> bool:
        """Whether a column holds numbers only, or figures."""
        return column in self.right or (
            bool(self.rows) and all(isinstance(row[column], float | int) for row in self.rows)
        )


def _aligned(table: Table, width: int | None = None) -> str:
    numeric = [table.is_number(column) for column in range(len(table.columns))]
    return aligned(table.headings(), table.texts(), numeric, width)


def _tsv(table: Table) -> str:
    return "\n".join("\t".join(row) for row in [table.headings(), *table.texts()])


def _csv(table: Table) -> str:
    return "\n".join(",".join(map(csv_text, row)) for row in [table.headings(), *table.texts()])


def _markdown(table: Table) -> str:
    rows = [[_escaped(cell, markdown_text) for cell in row] for row in [table.headings(), *table.texts()]]
    rule = ["---:" if table.is_number(column) else "---" for column in range(len(table.columns))]
    return "\n".join(f"| {' | '.join(row)} |" for row in [rows[0], rule, *rows[1:]])


def _escaped(cell: str, escape: Callable[[str], str]) -> str:
    return cell if isinstance(cell, Markup) else escape(cell)


def _latex(table: Table) -> str:
    spec = "".join("r" if table.is_number(column) else "l" for column in range(len(table.columns)))
    head, *lines = [_latex_row(row) for row in [table.headings(), *table.texts()]]
    body = [rf"\begin{{tabular}}{{{spec}}}", r"\hline", head, r"\hline", *lines, r"\hline", r"\end{tabular}"]
    return "\n".join(body)


def _latex_row(cells: list[str]) -> str:
    row = " & ".join(_escaped(cell, latex_text) for cell in cells) + r" \\"
    # After the \\ of the row before, a bracket would be taken for a length, a star for "no page break here".
    return "{}" + row if row.startswith(("[", "*")) else row


FORMATS: dict[str, Callable[[Table], str]] = {
    "table": _aligned,
    "tsv": _tsv,
    "csv": _csv,
    "markdown": _markdown,
    "latex": _latex,
}


def render(table: Table, form: str = "table", width: int | None = None) -> str:
    """The table in one of `FORMATS`, without a line end after the last row.

    Args:
        table: what to show.
        form: `table`, `tsv`, `csv`, `markdown` or `latex`.
        width: the most characters of a line in the form `table`, such as a terminal's; None knows no bound.

    Raises:
        UsageError: there is no such form.

    >>> print(render(Table(("run", "H"), (("2APSal", 0.11624),))))
    run          H
    ------  ------
    2APSal  0.1162
    >>> print(render(Table(("run", "H"), (("a_b", 0.5),), digits=1), "latex").splitlines()[4])
    a\\_b & 0.5 \\\\
    """
    if form not in FORMATS:
        raise UsageError(f"unknown format {form!r}; known are {', '.join(FORMATS)}")
    return _aligned(table, width) if form == "table" else FORMATS[form](table)
