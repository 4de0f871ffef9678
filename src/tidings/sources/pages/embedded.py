"""Articles that a page holds as data for its scripts, where its own elements show none."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec

__all__ = ["embedded_markup", "embedded_time"]

_LEAST = 400
_MOST = 8 << 20
_STRING = re.compile(
    r'"((?:[^"\\]|\\.)*+)"?', re.DOTALL
)  # takes each character once, also where no end comes
_PARAGRAPH = re.compile(r"<p[ >]|\\u003cp|&lt;p&gt;|<br|\\u003cbr", re.IGNORECASE)
_TIME = re.compile(
    r'\\?"(?:date_?published|published_?(?:at|date|time|on)?|publish_?(?:date|time|at)|publication_?date|pub_?date|first_?published(?:_?at)?|'
    r'deploy_?dt|release_?date|issue_?date|display_?date|created_?at)\\?"\s*:\s*\\?"([^"\\]{8,40})\\?"',
    re.IGNORECASE,
)


def embedded_markup(scripts: Iterable[str]) -> str:
    """The longest string of a page's data that is HTML of several paragraphs; "" where there is none.

    >>> embedded_markup(['x = {"body": "' + "\\u003cp>A ferry burns.\\u003c/p>" * 30 + '"}'])[:24]
    '<p>A ferry burns.</p><p>'
    """
    best = ""
    for script in scripts:
        if len(_PARAGRAPH.findall(script[:_MOST])) < 3:
            continue
        for match in _STRING.finditer(script[:_MOST]):
            text = match[1]
            if len(text) >= max(_LEAST, len(best)) and len(_PARAGRAPH.findall(text)) > 2:
                value = _decoded(text)
                if len(value) > len(best) and "<" in value:
                    best = value
    return best


def _decoded(text: str) -> str:
    try:
        value: Any = msgspec.json.decode(f'"{text}"'.encode("utf-8", "replace"))
    except msgspec.DecodeError:
        return ""
    return value if isinstance(value, str) else ""


def embedded_time(scripts: Iterable[str]) -> str:
    """The first time of publication in a page's data, as written; "" where there is none.

    >>> embedded_time(['{"deployDt":"2026.01.29 18:40"}'])
    '2026.01.29 18:40'
    """
    return next((match[1] for script in scripts if (match := _TIME.search(script[:_MOST]))), "")
