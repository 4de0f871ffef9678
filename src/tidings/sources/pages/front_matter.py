"""What stands before a text: front matter of `key: value` lines, or headers as those of mail. Nothing is executed."""

from __future__ import annotations

import re

__all__ = ["fields_of"]

_FENCES = {"---": ("---", "..."), "+++": ("+++",)}
_MOST_LINES = 200
_PAIR = re.compile(r"^([A-Za-z][\w .-]{0,40}?)\s*[:=]\s*(.*)$")
_HEADER = re.compile(r"^([A-Za-z][A-Za-z-]{1,30}):[ \t]+(\S.*)$")
_KNOWN = frozenset(
    [
        "date", "subject", "title", "headline", "from", "published", "source", "outlet", "url", "link",
        "language", "lang", "message-id", "publisher", "to", "author", "byline", "updated", "newsgroups",
        "id", "newspaper", "publication",
    ]
)  # fmt: skip


def fields_of(text: str) -> tuple[dict[str, str], str]:
    """The fields before a text by their names in small letters, and the text without them.

    >>> fields_of("---\\ntitle: 'Ferry: fire'\\ntags:\\n  - sea\\n---\\nA ferry burns.")
    ({'title': 'Ferry: fire'}, 'A ferry burns.')
    >>> fields_of("Date: 17 Feb 2026\\nSubject: Ferry\\n\\nA ferry burns.")
    ({'date': '17 Feb 2026', 'subject': 'Ferry'}, 'A ferry burns.')
    """
    lines = text.split("\n")
    start = next((number for number, line in enumerate(lines[:20]) if line.strip()), 0)
    ends = _FENCES.get(lines[start].rstrip())
    if ends is None:
        return _headers(lines, start, text)
    for number in range(start + 1, min(len(lines), start + _MOST_LINES)):
        if lines[number].rstrip() in ends:
            fields = _pairs(lines[start + 1 : number])
            return (fields, "\n".join(lines[number + 1 :])) if fields else ({}, text)
    return {}, text


def _pairs(lines: list[str]) -> dict[str, str]:
    fields: dict[str, str] = {}
    for line in lines:
        match = _PAIR.match(line)  # an indented line belongs to a list or a table, which no field here is
        if match is None:
            continue
        value = match[2].strip()
        if len(value) > 1 and value[0] in "\"'" and value[-1] == value[0]:
            value = value[1:-1]
        else:
            value = re.sub(r"\s#.*$", "", value)
        if value and value[0] not in "[{|>&*!":
            fields.setdefault(_name(match[1]), value)
    return fields


def _headers(lines: list[str], start: int, text: str) -> tuple[dict[str, str], str]:
    fields: dict[str, str] = {}
    last = ""
    for number in range(start, min(len(lines), start + _MOST_LINES)):
        line = lines[number]
        if not line.strip():
            known = _KNOWN.intersection(name.replace("_", "-") for name in fields)
            return (
                ({name: _decoded(value) for name, value in fields.items()}, "\n".join(lines[number + 1 :]))
                if known and (len(fields) > 1 or "date" in known)
                else ({}, text)
            )
        if line[:1] in " \t" and last:
            fields[last] += " " + line.strip()
            continue
        match = _HEADER.match(line)
        if match is None:
            break
        last = _name(match[1])
        fields.setdefault(last, match[2].strip())
    return {}, text


def _decoded(value: str) -> str:
    # A header of mail may hold words in an encoding of its own.
    from email.errors import HeaderParseError
    from email.header import decode_header, make_header

    try:
        return str(make_header(decode_header(value))) if "=?" in value else value
    except (HeaderParseError, LookupError, ValueError):
        return value


def _name(written: str) -> str:
    return re.sub(r"[ .-]+", "_", written.strip().lower())
