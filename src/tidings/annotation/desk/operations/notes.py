"""Notes to who leads a project, and their answers; and what was decided, reopened.

A note stands in its writer's own layer, and so does its answer: other judges see neither.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tidings.annotation.store import ObjectView
from tidings.core import FINAL, Change, ConflictError, UsageError, judge_layer

__all__ = ["reopen", "reopened_id", "reply_to", "write_note"]

_TEXT_CHARS = 4000


def write_note(note_id: str, account_id: int, about: dict[str, str], page: str, text: str) -> list[Change]:
    """The change that makes a note; UsageError where it says nothing or too much."""
    value = {"text": _words(text), "about": about, "page": page}
    return [Change(judge_layer(account_id), "note", note_id, value, expected=0)]


def reply_to(writer_id: int, note_id: str, text: str) -> Callable[[ObjectView], list[Change]]:
    """The change that answers a note, or answers it anew; an empty text takes the answer back."""

    def make(view: ObjectView) -> list[Change]:
        layer = judge_layer(writer_id)
        if view.value(layer, "note", note_id) is None:
            raise ConflictError("this note is not there any more", None)
        value = {"text": _words(text)} if text.strip() else None
        return [Change(layer, "reply", note_id, value)]

    return make


def reopened_id(kind: str, object_id: str) -> str:
    """The id of the object that says that another was reopened.

    >>> reopened_id("matches", "d-0")
    'matches|d-0'
    """
    return f"{kind}|{object_id}"


def reopen(kind: str, object_id: str, reason: str) -> Callable[[ObjectView], list[Change]]:
    """The changes that take a final judgment away, so that its judges judge it again; the log keeps what it was."""

    def make(view: ObjectView) -> list[Change]:
        final = view.get(FINAL, kind, object_id)
        if final is None or final.value is None:
            raise ConflictError("this is not decided: its judges can change it as it is", final)
        before = view.value(FINAL, "reopened", reopened_id(kind, object_id)) or {}
        # Counted, so that the same words a second time are a change too.
        value: dict[str, Any] = {
            "kind": kind,
            "id": object_id,
            "reason": _words(reason),
            "times": before.get("times", 0) + 1,
        }
        return [
            Change(FINAL, kind, object_id, None, expected=final.version),
            Change(FINAL, "reopened", reopened_id(kind, object_id), value),
        ]

    return make


def _words(text: str) -> str:
    text = text.strip()
    if not text or len(text) > _TEXT_CHARS:
        raise UsageError(f"found a text of {len(text)} characters, expected 1 to {_TEXT_CHARS}")
    return text
