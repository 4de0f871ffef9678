"""What a page in wiki markup says: templates, references, tables and files left out, links by what they show."""

from __future__ import annotations

import re

__all__ = ["without_markup"]

_OUT = re.compile(
    r"<!--.*?(?:-->|\Z)|<ref\b[^<>]*/>|<(ref|gallery|math|timeline|syntaxhighlight)\b[^<>]*>.*?(?:</\1\s*>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,300}>")
_BRACES = re.compile(r"\{\{|\}\}|\{\||\|\}")
_BRACKETS = re.compile(r"\[\[|\]\]")
_ADDRESS = re.compile(r"\[(?:https?:)?//[^\s\[\]]+ ?([^\[\]\n]*)\]")
_QUOTES = re.compile(r"'{2,5}")
_NAMED = {"&nbsp;": " ", "&ndash;": "\N{EN DASH}", "&mdash;": "\N{EM DASH}", "&lt;": "<", "&gt;": ">", "&quot;": '"',
          "&amp;": "&"}  # fmt: skip
_ENTITY = re.compile("|".join(_NAMED))
_FILES = re.compile(
    r"(?:file|image|category|datei|bild|kategorie|fichier|catégorie|archivo|categoría)\s*:", re.IGNORECASE
)


def without_markup(text: str) -> str:
    """The text of a page, a line for each paragraph, heading and item.

    >>> without_markup("{{Infobox|dead=4}}A '''train''' left [[rail|the rails]].<ref>[http://a.org A]</ref>")
    'A train left the rails.'
    """
    text = _balanced(_OUT.sub("", text), _BRACES, ("{{", "{|"), lambda inner: "")
    text = _balanced(text, _BRACKETS, ("[[",), _label)
    text = _QUOTES.sub("", _TAG.sub("", _ADDRESS.sub(r"\1", text)))
    text = _ENTITY.sub(lambda match: _NAMED[match[0]], text)
    lines = (" ".join(_unled(line.strip()).split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def _unled(line: str) -> str:
    # Without what makes it a heading or an item.
    return line.strip("=") if line.startswith("=") and line.endswith("=") else line.lstrip("*#:;")


def _label(inner: str) -> str:
    if _FILES.match(inner):
        return ""
    return inner.rsplit("|", 1)[-1].lstrip(":")


def _balanced(text: str, marks: re.Pattern[str], opening: tuple[str, ...], shown: object) -> str:
    # In one pass, the innermost first: what stands between marks as `shown` gives it; what never ends stays.
    assert callable(shown)
    stack: list[tuple[str, list[str]]] = [("", [])]
    place = 0
    for match in marks.finditer(text):
        stack[-1][1].append(text[place : match.start()])
        place = match.end()
        mark = match[0]
        if mark in opening:
            stack.append((mark, []))
        elif len(stack) > 1:
            _, parts = stack.pop()
            stack[-1][1].append(shown("".join(parts)))
        else:
            stack[-1][1].append(mark)
    stack[-1][1].append(text[place:])
    return "".join(mark + "".join(parts) for mark, parts in stack)
