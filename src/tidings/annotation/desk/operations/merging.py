"""One list of events, made of all judges' lists (2001, step 2).

Every event of a judge's has to be accounted for once: it is part of one merged event, or left out with a reason.
Several people may do this at once: what somebody else has merged meanwhile is refused, with words that say so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from tidings.annotation.desk.operations.events import event_text, next_number
from tidings.annotation.store import ObjectView
from tidings.core import SHARED, Change, ConflictError, JudgedObject, UsageError, layer_account

__all__ = [
    "MergeProgress",
    "add_to_merged",
    "dissolve",
    "edit_merged",
    "leave_out",
    "left_out_id",
    "merge_events",
    "merge_progress",
    "put_back",
    "take_from_merged",
]

Source = tuple[str, str]
"""A judge's layer and the id of an event in it."""

_REASON_CHARS = 500


class MergeProgress(Struct, frozen=True):
    """How many of the judges' events there are, are part of a merged event, and are left out."""

    events: int
    merged: int
    left_out: int

    @property
    def open(self) -> int:
        """How many are not accounted for yet."""
        return self.events - self.merged - self.left_out


def merge_progress(objects: Iterable[JudgedObject]) -> MergeProgress:
    """How far merging has come, of the objects of a topic.

    >>> merge_progress([
    ...     JudgedObject(1, "judge-2", "event", "e1", 1, {"text": "A fire."}),
    ...     JudgedObject(1, "judge-3", "event", "e1", 2, {"text": "The fire."}),
    ...     JudgedObject(1, SHARED, "merged-event", "1", 3, {"text": "A fire.", "from": [["judge-2", "e1"]]}),
    ... ])
    MergeProgress(events=2, merged=1, left_out=0)
    """
    listed, merged, left = set(), set(), set()
    for one in objects:
        if one.value is None:
            continue
        if one.kind == "event":
            listed.add(left_out_id((one.layer, one.id)))
        elif one.kind == "merged-event":
            merged |= {left_out_id((layer, event)) for layer, event in one.value["from"]}
        elif one.kind == "left-out":
            left.add(one.id)
    return MergeProgress(len(listed), len(listed & merged), len(listed & left - merged))


def left_out_id(source: Source) -> str:
    """The id of the note that a judge's event is left out.

    >>> left_out_id(("judge-2", "e1"))
    'judge-2|e1'
    """
    return "|".join(source)


def merge_events(
    view: ObjectView, sources: Sequence[Source], text: str, *, time: int | None = None
) -> list[Change]:
    """Make one event of one or more of the judges', or (of none) one that no judge listed.

    Raises:
        UsageError: no text; ConflictError: one of them is no longer listed, or is accounted for already.
    """
    _need_open(view, sources)
    value = _value(text, time, sources)
    return [Change(SHARED, "merged-event", str(next_number(view, SHARED, "merged-event")), value, expected=0)]


def add_to_merged(
    view: ObjectView, event: str, sources: Sequence[Source], *, expected: int | UnsetType = UNSET
) -> list[Change]:
    """Make more of the judges' events part of a merged one.

    Raises:
        ConflictError: one of them or the merged event is no longer as it was shown.
    """
    before = _merged(view, event)
    _need_open(view, sources)
    joined = [*before["from"], *map(list, sources)]
    return [Change(SHARED, "merged-event", event, before | {"from": joined}, expected=expected)]


def edit_merged(
    view: ObjectView, event: str, text: str, *, time: int | None, expected: int | UnsetType = UNSET
) -> list[Change]:
    """Give a merged event other words or another time (None: no time).

    Raises:
        UsageError: no text; ConflictError: it is no longer as it was shown.
    """
    before = _merged(view, event)
    value = _value(text, time, before["from"])
    return [Change(SHARED, "merged-event", event, value, expected=expected)]


def take_from_merged(
    view: ObjectView, event: str, source: Source, *, expected: int | UnsetType = UNSET
) -> list[Change]:
    """Take a judge's event out of a merged one again: it is open then.

    Raises:
        UsageError: it is the only one, or no part of it; ConflictError: the merged event is no longer as it was shown.
    """
    before = _merged(view, event)
    rest = [part for part in before["from"] if part != list(source)]
    if len(rest) == len(before["from"]):
        raise UsageError("found a judge's event that is no part of this merged one, expected one that is")
    if not rest:
        raise UsageError("found the only event that this merged one is made of; dissolve the merged one")
    return [Change(SHARED, "merged-event", event, before | {"from": rest}, expected=expected)]


def dissolve(
    view: ObjectView, event: str, judges: Iterable[str], *, expected: int | UnsetType = UNSET
) -> list[Change]:
    """Take a merged event away; the judges' events that it was made of are open again.

    Args:
        view: the topic as it is.
        event: which.
        judges: the layers of all who may have linked sentences to it.
        expected: its version as it was shown.

    Raises:
        UsageError: sentences are linked to it; ConflictError: it is no longer as it was shown.
    """
    _merged(view, event)
    linked = sum(
        event in one.value["events"]
        for layer in judges
        for kind in ("links", "group")
        for one in view.all(layer, kind)
    )
    if linked:
        raise UsageError(
            f"found {linked} link{'s' if linked > 1 else ''} of sentences to this event, expected none; "
            "give it other words instead"
        )
    return [Change(SHARED, "merged-event", event, None, expected=expected)]


def leave_out(view: ObjectView, source: Source, reason: str) -> list[Change]:
    """Leave a judge's event out of the list, and say why.

    Raises:
        UsageError: no reason; ConflictError: it is no longer listed, or is accounted for already.
    """
    words = " ".join(reason.split())
    if not 1 <= len(words) <= _REASON_CHARS:
        raise UsageError(f"found a reason of {len(words)} characters, expected 1 to {_REASON_CHARS}")
    _need_open(view, [source])
    return [Change(SHARED, "left-out", left_out_id(source), {"reason": words})]


def put_back(view: ObjectView, source: Source) -> list[Change]:
    """Take back that a judge's event is left out: it is open then.

    Raises:
        ConflictError: it is not left out.
    """
    found = view.get(SHARED, "left-out", left_out_id(source))
    if found is None or found.value is None:
        raise ConflictError("somebody has put this event back already", found)
    return [Change(SHARED, "left-out", left_out_id(source), None)]


def _need_open(view: ObjectView, sources: Sequence[Source]) -> None:
    if len(set(sources)) < len(sources):
        raise UsageError("found one of the judges' events twice, expected each once")
    merged = {
        (layer, event): one for one in view.all(SHARED, "merged-event") for layer, event in one.value["from"]
    }
    for layer, event in sources:
        if layer_account(layer) is None:
            raise UsageError(f"found an event of {layer}, expected one of a judge's list")
        found = view.get(layer, "event", event)
        if found is None or found.value is None:
            raise ConflictError("one of these events is no longer in its judge's list", found)
        there = merged.get((layer, event))
        if there is not None:
            text = found.value["text"]
            raise ConflictError(f"“{text}” has been merged meanwhile, into event {there.id}", there)
        left = view.get(SHARED, "left-out", left_out_id((layer, event)))
        if left is not None and left.value is not None:
            raise ConflictError(f"“{found.value['text']}” has been left out: {left.value['reason']}", left)


def _merged(view: ObjectView, event: str) -> dict[str, Any]:
    found = view.get(SHARED, "merged-event", event)
    if found is None or found.value is None:
        raise ConflictError("this merged event is no longer there", found)
    value: dict[str, Any] = found.value
    return value


def _value(text: str, time: int | None, sources: Iterable[Sequence[str]]) -> dict[str, Any]:
    value: dict[str, Any] = {"text": event_text(text), "from": [list(source) for source in sources]}
    return value if time is None else value | {"time": time}
