"""Events as one judge lists them: what happened, in the judge's own words or a sentence's, and when (2001, step 1).

Each judge's list is in the judge's own layer and seen by nobody else until the lists are merged.
"""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, UnsetType

from tidings.annotation.desk.operations.openings import need_own_list
from tidings.annotation.store import ObjectView
from tidings.core import Change, ConflictError, DeskItem, JudgedObject, UsageError

__all__ = ["add_event", "edit_event", "event_text", "next_number", "remove_event", "sentence_of"]

_EVENT_CHARS = 2_000


def add_event(
    view: ObjectView, layer: str, text: str, *, time: int | None = None, sentence: str = ""
) -> list[Change]:
    """List an event.

    Args:
        view: the topic as it is.
        layer: the judge's.
        text: what happened; empty where it is said in the sentence's words.
        time: when, seconds UTC; None: when the sentence's document was published.
        sentence: the id of the sentence from which it is made; empty where it is made from none.

    Raises:
        UsageError: there is no text and no sentence, or the sentence is not in the topic; ConflictError: the judge's
            list is closed.
    """
    need_own_list(view, layer)
    value: dict[str, Any] = {"text": text}
    if sentence:
        item = sentence_of(view, sentence)
        value = {
            "text": text or item.content["text"],
            "time": item.time if time is None else time,
            "sentence": sentence,
        }
    elif time is not None:
        value["time"] = time
    value["text"] = event_text(value["text"])
    return [Change(layer, "event", f"e{next_number(view, layer, 'event', 'e')}", value, expected=0)]


def edit_event(
    view: ObjectView,
    layer: str,
    event: str,
    text: str,
    *,
    time: int | None = None,
    expected: int | UnsetType = UNSET,
) -> list[Change]:
    """Give an event of the judge's other words or another time (None: no time).

    Raises:
        UsageError: the text is empty; ConflictError: the event is no longer listed, or the list is closed.
    """
    before = _event(view, layer, event).value
    value = {key: kept for key, kept in before.items() if key not in ("text", "time")}
    value |= {"text": event_text(text)} | ({} if time is None else {"time": time})
    return [Change(layer, "event", event, value, expected=expected)]


def remove_event(
    view: ObjectView, layer: str, event: str, *, expected: int | UnsetType = UNSET
) -> list[Change]:
    """Take an event from the judge's list.

    Raises:
        ConflictError: it is no longer listed, or the list is closed.
    """
    _event(view, layer, event)
    return [Change(layer, "event", event, None, expected=expected)]


def _event(view: ObjectView, layer: str, event: str) -> JudgedObject:
    need_own_list(view, layer)
    found = view.get(layer, "event", event)
    if found is None or found.value is None:
        raise ConflictError("this event is no longer in your list", found)
    return found


def event_text(text: str) -> str:
    """The words of an event, white space made even.

    Raises:
        UsageError: there are none, or more than 2,000 characters.

    >>> event_text("  At least 40\\n people died. ")
    'At least 40 people died.'
    """
    words = " ".join(text.split())
    if not 1 <= len(words) <= _EVENT_CHARS:
        raise UsageError(f"found an event of {len(words)} characters, expected 1 to {_EVENT_CHARS}")
    return words


def sentence_of(view: ObjectView, sentence: str) -> DeskItem:
    """A sentence of the topic: of an imported stream, or else of the pool.

    Raises:
        UsageError: there is none of that id.
    """
    item = view.item("sentence", sentence) or view.item("update", sentence)
    if item is None:
        raise UsageError(f"found no sentence {sentence} in this topic, expected one of its stream or pool")
    return item


def next_number(view: ObjectView, layer: str, kind: str, prefix: str = "") -> int:
    """The next number for the id of a new object; numbers of those taken away are not given again."""
    number = len(view.all(layer, kind)) + 1
    while view.get(layer, kind, f"{prefix}{number}") is not None:
        number += 1
    return number
