"""What all questions to a judge share: how texts stand in a prompt, and how the object in an answer is read."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import Any

__all__ = ["one_line", "read_pairs", "shown_time"]

_LONGEST = 1_000
_FENCE = re.compile(r"```(?:json)?[ \t\r]*\n(.*?)```", re.DOTALL | re.IGNORECASE)
_THOUGHTS = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)


class _Pairs(list[tuple[str, Any]]):
    # A JSON object as it was written: a name may come twice.
    pass


def read_pairs(text: str) -> list[tuple[str, Any]] | None:
    """The names and values of the JSON object that a model's words are, in order; None where they are none.

    It must stand alone or in one fence of backquotes; thoughts before it, between <think> and </think>, are passed
    over.

    >>> read_pairs('{"N1": "support", "N1": "not"}')
    [('N1', 'support'), ('N1', 'not')]
    >>> read_pairs("Yes, it does.") is None
    True
    """
    words = _THOUGHTS.sub("", text).strip()
    fenced = _FENCE.findall(words)
    if len(fenced) == 1:
        words = fenced[0]
    try:
        said = json.loads(words, object_pairs_hook=_Pairs)
    except (ValueError, RecursionError):
        return None
    return said if isinstance(said, _Pairs) else None


def one_line(text: str) -> str:
    """A text as it stands in a prompt: in one line, of at most 1,000 characters, without halves of characters.

    >>> one_line("A ferry" + chr(10) + "  burns.")
    'A ferry burns.'
    """
    words = " ".join(text.split()).encode("utf-8", "replace").decode()
    return words if len(words) <= _LONGEST else f"{words[:_LONGEST]}…"


def shown_time(seconds: int) -> str:
    """A time (seconds UTC) as it stands in a prompt.

    >>> shown_time(1330003205)
    '2012-02-23 13:20'
    """
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):
        return str(seconds)
