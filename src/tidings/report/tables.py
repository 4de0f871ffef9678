"""Tables of figures, in the forms that people and programs want: aligned text, TSV, Markdown, LaTeX."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tidings.errors import UsageError
from tidings.report.plain import clean

__all__ = ["FORMATS", "Cell", "Table", "latex_text", "render"]

Cell = str | float | int

_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
        "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    }
)  # fmt: skip


def latex_text(text: str) -> str:
    r"""The text with everything that LaTeX would take for its own made plain.

    >>> latex_text("a_b & 5%")
    'a\\_b \\& 5\\%'
    """
    return text.translate(_LATEX)


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
        if isinstance(cell, float):
            return f"{cell:.{self.digits}f}"
        # A tab or a line break inside a name would break every one of the forms; an escape, a terminal.
        return clean(" ".join(str(cell).split())) if isinstance(cell, str) else str(cell)

    def texts(self) -> list[list[str]]:
        """All rows as they are shown."""
        return [[self.text(cell) for cell in row] for row in self.rows]

    def is_number(self, column: int) -> bool:
        """Whether a column holds numbers only, or figures."""
        return column in self.right or (
            bool(self.rows) and all(isinstance(row[column], float | int) for row in self.rows)
        )


def _aligned(table: Table) -> str:
    rows = [list(table.columns), *table.texts()]
    widths = [max(len(row[column]) for row in rows) for column in range(len(table.columns))]
    numeric = [table.is_number(column) for column in range(len(table.columns))]
    lines = [
        "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, numeric, strict=True)
        ).rstrip()
        for row in rows
    ]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)


def _tsv(table: Table) -> str:
    return "\n".join("\t".join(row) for row in [list(table.columns), *table.texts()])


def _markdown(table: Table) -> str:
    rows = [[cell.replace("|", r"\|") for cell in row] for row in [list(table.columns), *table.texts()]]
    rule = ["---:" if table.is_number(column) else "---" for column in range(len(table.columns))]
    return "\n".join(f"| {' | '.join(row)} |" for row in [rows[0], rule, *rows[1:]])


def _latex(table: Table) -> str:
    spec = "".join("r" if table.is_number(column) else "l" for column in range(len(table.columns)))
    lines = [" & ".join(latex_text(cell) for cell in row) + r" \\" for row in table.texts()]
    head = " & ".join(latex_text(cell) for cell in table.columns) + r" \\"
    body = [rf"\begin{{tabular}}{{{spec}}}", r"\hline", head, r"\hline", *lines, r"\hline", r"\end{tabular}"]
    return "\n".join(body)


FORMATS: dict[str, Callable[[Table], str]] = {
    "table": _aligned,
    "tsv": _tsv,
    "markdown": _markdown,
    "latex": _latex,
}


def render(table: Table, form: str = "table") -> str:
    """The table in one of `FORMATS`, without a line end after the last row.

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
    return FORMATS[form](table)
