"""Tables of figures, in the forms that people and programs want: aligned text, TSV, CSV, Markdown, LaTeX.

Aligned text is made to fit a narrow terminal. What is too wide is first wrapped inside its text columns; a table of
many figures is then cut into blocks that repeat its names; a table of much text becomes one paragraph for each row. No
column is dropped and no figure is torn apart. Text from strangers is escaped: nothing in it is taken for Markdown,
LaTeX or a spreadsheet's formula.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tidings.core.display.plain import clean
from tidings.core.errors import UsageError

GAP = 2
LEAST_TEXT = 12
"""A text column is not wrapped to fewer characters than this, or than it has."""

Rows = Sequence[Sequence[str]]


def align_rows(columns: Sequence[str], rows: Rows, right: Sequence[bool], width: int | None = None) -> str:
    """The rows under their headings, in at most `width` characters (None: as wide as they are).

    `right` says which columns hold figures, set to the right and never wrapped.

    >>> print(align_rows(["run", "H", "LC"], [["a long name", "0.1", "0.2"]], [False, True, True], 16))
    run            H
    -----------  ---
    a long name  0.1
    <BLANKLINE>
    run           LC
    -----------  ---
    a long name  0.2
    """
    natural = [max(_chars(row[number]) for row in (columns, *rows)) for number in range(len(columns))]
    if width is None or _total(natural) <= width:
        return _grid(columns, rows, right, natural)
    least = [
        chars if figures else min(chars, max(LEAST_TEXT, _chars(name)))
        for chars, figures, name in zip(natural, right, columns, strict=True)
    ]
    if _total(least) <= width:
        return _grid(columns, rows, right, _share_room(natural, least, width))
    if sum(right) * 2 < len(right):
        return _paragraphs(columns, rows, width)
    return _blocks(columns, rows, right, natural, least, width)


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def _chars(text: str) -> int:
    # Letters of East Asia take two columns; most text is ASCII and needs no table to tell.
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _share_room(natural: Sequence[int], least: Sequence[int], width: int) -> list[int]:
    """Widths between least and natural that add up to `width`: the narrowest columns get theirs first."""
    widths = list(least)
    room = width - _total(least)
    for left, number in enumerate(
        sorted(range(len(natural)), key=lambda column: natural[column] - least[column])
    ):
        more = min(natural[number] - least[number], room // (len(natural) - left))
        widths[number] += more
        room -= more
    return widths


def _grid(columns: Sequence[str], rows: Rows, right: Sequence[bool], widths: Sequence[int]) -> str:
    lines: list[str] = []
    for place, row in enumerate((columns, *rows)):
        cells = [_wrap(cell, width) for cell, width in zip(row, widths, strict=True)]
        for line in range(max(len(cell) for cell in cells)):
            parts = [
                _pad(cell[line] if line < len(cell) else "", width, figures)
                for cell, width, figures in zip(cells, widths, right, strict=True)
            ]
            lines.append((" " * GAP).join(parts).rstrip())
        if place == 0:
            lines.append((" " * GAP).join("-" * width for width in widths))
    return "\n".join(lines)


def _pad(text: str, width: int, figures: bool) -> str:
    blanks = " " * (width - _chars(text))
    return blanks + text if figures else text + blanks


def _wrap(text: str, width: int) -> list[str]:
    """The text in lines of at most `width` characters, broken at blanks, and inside words longer than a line."""
    if _chars(text) <= width:
        return [text]
    lines, line = [], ""
    for word in text.split(" "):
        rest = word
        if line and _chars(line) + 1 + _chars(rest) <= width:
            line = f"{line} {rest}"
            continue
        if line:
            lines.append(line)
        while _chars(rest) > width:
            taken = 1
            while _chars(rest[: taken + 1]) <= width:
                taken += 1
            lines.append(rest[:taken])
            rest = rest[taken:]
        line = rest
    return [*lines, line] if line else lines


def _blocks(
    columns: Sequence[str],
    rows: Rows,
    right: Sequence[bool],
    natural: Sequence[int],
    least: Sequence[int],
    width: int,
) -> str:
    """The table cut between columns; every block begins with the names that lead the table."""
    keys = next((number for number, figures in enumerate(right) if figures), 1) or 1
    widths = [*least[:keys], *natural[keys:]]
    blocks: list[list[int]] = []
    for number in range(keys, len(columns)):
        widths[number] = natural[number] if right[number] else min(natural[number], max(width // 2, 1))
        if blocks and _total([widths[place] for place in (*range(keys), *blocks[-1], number)]) <= width:
            blocks[-1].append(number)
        else:
            blocks.append([number])
    parts = []
    for block in blocks:
        chosen = [*range(keys), *block]
        parts.append(
            _grid(
                [columns[place] for place in chosen],
                [[row[place] for place in chosen] for row in rows],
                [right[place] for place in chosen],
                [widths[place] for place in chosen],
            )
        )
    return "\n\n".join(parts)


def _paragraphs(columns: Sequence[str], rows: Rows, width: int) -> str:
    """One paragraph for each row: its first cell, and below it the others with their column's name."""
    parts = []
    for row in rows:
        lines = _wrap(row[0], width)
        for name, cell in zip(columns[1:], row[1:], strict=True):
            if cell:
                first, *more = _wrap(f"{name}: {cell}", max(width - 4, 8))
                lines += [f"  {first}", *(f"    {line}" for line in more)]
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
        "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
        "|": r"\textbar{}",
    }
)  # fmt: skip

_MARKDOWN = re.compile(
    r"(?P<mark>[\\`|*~$])"  # code, cells, emphasis, strikethrough, formulas
    r"|(?<=\])(?P<link>[(:\[])"  # [words](address), [words]: address, [words][name]
    r"|(?P<edge>(?<![^\W_])_|_(?![^\W_]))"  # emphasis; an underscore inside a word is none
    r"|(?P<bare>(?<=http)s?:|(?<=ftp):|(?<=www)\.|(?<=mailto):|(?<=xmpp):|@)"  # addresses that become links
    r"|(?P<tag><)|(?P<entity>&)(?=#|\w+;)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[+\-−]?(?:\d[\d,]*)?\.?\d+(?:[eE][+-]?\d+)?%?")
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")


def latex_text(text: str) -> str:
    r"""The text with everything that LaTeX would take for its own made plain.

    >>> latex_text("a_b & 5%")
    'a\\_b \\& 5\\%'
    """
    return text.translate(_LATEX)


def markdown_text(text: str) -> str:
    r"""The text with everything that Markdown would take for a mark, a link, a cell or HTML made plain.

    What cannot be taken for anything stays, so that tables read well as they stand.

    >>> markdown_text("<img onerror=x> a_b `code` E[LG] [here](http://x)")
    '&lt;img onerror=x> a_b \\`code\\` E[LG] [here]\\(http\\://x)'
    """
    return _MARKDOWN.sub(_with_backslash, text)


def _with_backslash(match: re.Match[str]) -> str:
    kind, matched = match.lastgroup, match.group()
    if kind == "tag":
        return "&lt;"
    if kind == "entity":
        return "&amp;"
    return f"{matched[:-1]}\\{matched[-1]}"


def csv_text(text: str) -> str:
    """One field of a CSV file, quoted as RFC 4180 says.

    A spreadsheet runs what begins with `=`, `+`, `-` or `@` as a formula, quoted or not, and names come from strangers:
    such a text, where it is no number, gets an apostrophe in front. TSV and JSON Lines, which spreadsheets do not open
    by a double click, hold names as they are.

    >>> print(csv_text('a "b", c'), csv_text("=1+1"), csv_text("-0.25"))
    "a ""b"", c" '=1+1 -0.25
    """
    if text.startswith(_FORMULA) and not _NUMBER.fullmatch(text):
        text = f"'{text}"
    if any(letter in text for letter in ',"\r\n') or text != text.strip():
        return '"' + text.replace('"', '""') + '"'
    return text


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


def _as_text(table: Table, width: int | None = None) -> str:
    numeric = [table.is_number(column) for column in range(len(table.columns))]
    return align_rows(table.headings(), table.texts(), numeric, width)


def _tsv(table: Table) -> str:
    return "\n".join("\t".join(row) for row in [table.headings(), *table.texts()])


def _csv(table: Table) -> str:
    return "\n".join(",".join(map(csv_text, row)) for row in [table.headings(), *table.texts()])


def _markdown(table: Table) -> str:
    rows = [[_escape(cell, markdown_text) for cell in row] for row in [table.headings(), *table.texts()]]
    rule = ["---:" if table.is_number(column) else "---" for column in range(len(table.columns))]
    return "\n".join(f"| {' | '.join(row)} |" for row in [rows[0], rule, *rows[1:]])


def _escape(cell: str, escape: Callable[[str], str]) -> str:
    return cell if isinstance(cell, Markup) else escape(cell)


def _latex(table: Table) -> str:
    spec = "".join("r" if table.is_number(column) else "l" for column in range(len(table.columns)))
    head, *lines = [_latex_row(row) for row in [table.headings(), *table.texts()]]
    body = [rf"\begin{{tabular}}{{{spec}}}", r"\hline", head, r"\hline", *lines, r"\hline", r"\end{tabular}"]
    return "\n".join(body)


def _latex_row(cells: list[str]) -> str:
    row = " & ".join(_escape(cell, latex_text) for cell in cells) + r" \\"
    # After the \\ of the row before, a bracket would be taken for a length, a star for "no page break here".
    return "{}" + row if row.startswith(("[", "*")) else row


FORMATS: dict[str, Callable[[Table], str]] = {
    "table": _as_text,
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
    return _as_text(table, width) if form == "table" else FORMATS[form](table)
