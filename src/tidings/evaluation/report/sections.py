"""A report in parts: words and tables under a title, for a terminal, Markdown, LaTeX and a page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from msgspec import Struct

from tidings.core import Table, latex_text, markdown_text, render
from tidings.evaluation.report.charts import Chart

__all__ = ["Section", "marked", "page_tables", "print_sections", "without_nan"]


class Section(Struct, frozen=True):
    """A part: its name on a page, its title, what it says in words, and tables under captions."""

    name: str
    title: str
    words: tuple[str, ...]
    tables: tuple[tuple[str, Table], ...]


def print_sections(
    title: str,
    lede: str,
    sections: Sequence[Section],
    command: str = "",
    form: str = "table",
    width: int | None = None,
) -> str:
    """All parts as text, in `table`, `markdown` or `latex`, without a line end after the last line."""
    blocks = [_titled(title, lede, form, 1)]
    for section in sections:
        lines = "\n".join(_note(line, form) for line in section.words)
        body = [lines] if lines else []
        for caption, table in section.tables:
            body += [
                *([_caption(caption, form)] if caption else []),
                _latin(render(table, form, width), form),
            ]
        blocks.append(_titled(section.title, "\n\n".join(body), form, 2))
    if command:
        blocks.append(_note(f"command: {command}", form))
    return "\n\n".join(blocks)


def _titled(title: str, body: str, form: str, depth: int) -> str:
    if form == "markdown":
        return f"{'#' * depth} {markdown_text(title)}\n\n{body}"
    return f"% {latex_text(title)}\n{body}" if form == "latex" else f"{title}\n\n{body}"


def _caption(caption: str, form: str) -> str:
    if form == "markdown":
        return f"**{markdown_text(caption)}**"
    return f"% {latex_text(caption)}" if form == "latex" else f"{caption}:"


def _note(line: str, form: str) -> str:
    return {"markdown": f"- {markdown_text(line)}", "latex": f"% {line}"}.get(form, f"* {line}")


def _latin(text: str, form: str) -> str:
    if form != "latex":
        return text
    for plain, typeset in (("–", "--"), ("τ", r"$\tau$"), ("²", "$^2$"), ("±", r"$\pm$"), ("−", "$-$")):
        text = text.replace(plain, typeset)
    return text


def page_tables(section: Section) -> list[tuple[str, list[tuple[str, bool]], list[list[str]]]]:
    """A part's tables for a page: caption, (heading, are these figures), rows as they are shown."""
    return [
        (
            caption,
            [(heading, table.is_number(place)) for place, heading in enumerate(table.headings())],
            table.texts(),
        )
        for caption, table in section.tables
    ]


def marked(chart: Chart) -> Chart:
    """A chart whose picture a template does not escape: it is our own."""
    from markupsafe import Markup

    picture: Markup = Markup(chart.wide)  # noqa: S704 our own SVG
    return replace(chart, wide=picture, narrow=picture)


def without_nan(value: Any) -> Any:
    """A value of dicts, lists and figures in which what is no number is None.

    >>> without_nan({"a": [float("nan"), 1.0]})
    {'a': [None, 1.0]}
    """
    if isinstance(value, dict):
        return {key: without_nan(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [without_nan(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
