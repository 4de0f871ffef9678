"""Tables as HTML, for notebooks: every text escaped, nothing loaded, no style of its own."""

from __future__ import annotations

from html import escape

from tidings.core import Table, clean

__all__ = ["html_lines", "html_table"]


def html_table(table: Table, caption: str = "") -> str:
    """One table; figures stand to the right.

    >>> html_table(Table(("run",), (("<b>",),)), "means")
    '<table><caption>means</caption><tr><th>run</th></tr><tr><td>&lt;b&gt;</td></tr></table>'
    """
    head = "".join(f"<th>{escape(text)}</th>" for text in table.headings())
    right = [table.is_number(column) for column in range(len(table.columns))]
    rows = "".join(
        "<tr>"
        + "".join(
            f'<td align="right">{escape(text)}</td>' if number else f"<td>{escape(text)}</td>"
            for text, number in zip(row, right, strict=True)
        )
        + "</tr>"
        for row in table.texts()
    )
    title = f"<caption>{escape(clean(caption))}</caption>" if caption else ""
    return f"<table>{title}<tr>{head}</tr>{rows}</table>"


def html_lines(lines: tuple[str, ...] | list[str]) -> str:
    """Remarks under a table; empty where there are none."""
    return f"<ul>{''.join(f'<li>{escape(clean(line))}</li>' for line in lines)}</ul>" if lines else ""
