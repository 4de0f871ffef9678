"""Openings: that a judge asked to see what others judged unseen, after which the own part of it is closed.

Where nobody is assigned by name, anyone may list events and merge the lists, link sentences and verify the links. Who
asks for the others' lists, or for the links of a sentence, is noted in the own layer of judgments; from then on the
own list, or the own linking of that sentence, is closed, so that what agreement is counted of stays unseen. An opening
is of no task, so that no undo takes it back: what was seen was seen.
"""

from __future__ import annotations

from collections.abc import Iterable

from tidings.annotation.store import ObjectView
from tidings.core import Change, ConflictError

__all__ = [
    "OPENED_LINKS",
    "OPENED_LISTS",
    "TOPIC",
    "give_list_back",
    "need_own_list",
    "need_unopened",
    "open_lists",
    "unseen",
]

OPENED_LISTS = "opened-lists"
"""The kind of the note that a judge asked for all lists of a topic; its id is `TOPIC`."""
OPENED_LINKS = "opened-links"
"""The kind of the note that a judge asked for the links of a sentence or a group; its id is the unit's."""
TOPIC = "topic"


def open_lists(layer: str) -> list[Change]:
    """Note that the judge's list of events is finished and all lists are shown."""
    return [Change(layer, OPENED_LISTS, TOPIC, {"opened": True})]


def give_list_back(view: ObjectView, layer: str) -> list[Change]:
    """Let a judge change the own list again; the others' are hidden until the judge asks for them again.

    Raises:
        ConflictError: the list is not closed.
    """
    if view.value(layer, OPENED_LISTS, TOPIC) is None:
        raise ConflictError("this list is not closed", None)
    return [Change(layer, OPENED_LISTS, TOPIC, None)]


def need_own_list(view: ObjectView, layer: str) -> None:
    """Raise ConflictError where the judge has asked for the others' lists."""
    if view.value(layer, OPENED_LISTS, TOPIC) is not None:
        raise ConflictError(
            "you finished your list of events and were shown the others': who leads can open it again", None
        )


def need_unopened(view: ObjectView, layer: str, sentences: Iterable[str]) -> None:
    """Raise ConflictError where the judge has asked for the links of one of the sentences, to verify them."""
    if any(one.value is not None for one in view.some(layer, OPENED_LINKS, list(sentences)).values()):
        raise ConflictError(
            "you verify the links of this sentence: who has seen others' does not link it", None
        )


def unseen(view: ObjectView, changes: Iterable[Change]) -> list[Change]:
    """The changes, where none is of what its judge has closed by an opening.

    Raises:
        ConflictError: one is.
    """
    found = list(changes)
    for change in found:
        if change.kind == "event":
            need_own_list(view, change.layer)
        elif change.kind == "links":
            need_unopened(view, change.layer, [change.id])
        elif change.kind == "group" and change.value is not None:
            need_unopened(view, change.layer, change.value["sentences"])
    return found
