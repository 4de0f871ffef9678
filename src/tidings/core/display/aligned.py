"""Tables as aligned text, made to fit a narrow terminal.

What is too wide is first wrapped inside its text columns; a table of many figures is then cut into blocks that repeat
its names; a table of much text becomes one paragraph for each row. No column is dropped and no figure is torn apart.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["aligned"]

GAP = 2
LEAST_TEXT = 12
"""A text column is not wrapped to fewer characters than this, or than it has."""

Rows = Sequence[Sequence[str]]


def aligned(columns: Sequence[str], rows: Rows, right: Sequence[bool], width: int | None = None) -> str:
    """The rows under their headings, in at most `width` characters (None: as wide as they are).

    `right` says which columns hold figures, set to the right and never wrapped.

    >>> print(aligned(["run", "H", "LC"], [["a long name", "0.1", "0.2"]], [False, True, True], 16))
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
        return _grid(columns, rows, right, _shared(natural, least, width))
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


def _shared(natural: Sequence[int], least: Sequence[int], width: int) -> list[int]:
    """Widths between least and natural that add up to `width`: the narrowest columns get theirs first."""
    widths = list(least)
    room = width - _total(least)
    for left, number in enumerate(sorted(range(len(natural)), key=lambda one: natural[one] - least[one])):
        more = min(natural[number] - least[number], room // (len(natural) - left))
        widths[number] += more
        room -= more
    return widths


def _grid(columns: Sequence[str], rows: Rows, right: Sequence[bool], widths: Sequence[int]) -> str:
    lines: list[str] = []
    for place, row in enumerate((columns, *rows)):
        cells = [_wrapped(cell, width) for cell, width in zip(row, widths, strict=True)]
        for line in range(max(len(cell) for cell in cells)):
            parts = [
                _set(cell[line] if line < len(cell) else "", width, figures)
                for cell, width, figures in zip(cells, widths, right, strict=True)
            ]
            lines.append((" " * GAP).join(parts).rstrip())
        if place == 0:
            lines.append((" " * GAP).join("-" * width for width in widths))
    return "\n".join(lines)


def _set(text: str, width: int, figures: bool) -> str:
    blanks = " " * (width - _chars(text))
    return blanks + text if figures else text + blanks


def _wrapped(text: str, width: int) -> list[str]:
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
        if blocks and _total([widths[one] for one in (*range(keys), *blocks[-1], number)]) <= width:
            blocks[-1].append(number)
        else:
            blocks.append([number])
    parts = []
    for block in blocks:
        chosen = [*range(keys), *block]
        parts.append(
            _grid(
                [columns[one] for one in chosen],
                [[row[one] for one in chosen] for row in rows],
                [right[one] for one in chosen],
                [widths[one] for one in chosen],
            )
        )
    return "\n\n".join(parts)


def _paragraphs(columns: Sequence[str], rows: Rows, width: int) -> str:
    """One paragraph for each row: its first cell, and below it the others with their column's name."""
    parts = []
    for row in rows:
        lines = _wrapped(row[0], width)
        for name, cell in zip(columns[1:], row[1:], strict=True):
            if cell:
                first, *more = _wrapped(f"{name}: {cell}", max(width - 4, 8))
                lines += [f"  {first}", *(f"    {line}" for line in more)]
        parts.append("\n".join(lines))
    return "\n\n".join(parts)
