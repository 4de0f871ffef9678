"""Events as one judge lists them (2001, step 1), the one list that is made of all judges' lists (step 2), and openings.

An event is what happened, in the judge's own words or a sentence's, and when. Every event of a judge's has to be
accounted for once: it is part of one merged event, or left out with a reason. Several people may do this at once: what
someone else has merged in the meantime is refused, with words that say so.

An opening says that a judge asked to see what others judged unseen. Where nobody is assigned by name, anyone may list
events and merge the lists, link sentences and verify the links. Who asks for the others' lists, or for the links of a
sentence, is noted in the own layer of judgments; from then on the own list, or the own linking of that sentence, is
closed, so that what agreement is counted of stays unseen. An opening is of no task, so that no undo takes it back: what
was seen was seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from tidings.annotation.store import ObjectView
from tidings.core import (
    SHARED,
    Change,
    ConflictError,
    DeskItem,
    JudgedObject,
    UsageError,
    how_many,
    layer_account,
)

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
        raise ConflictError("This list is not closed.", None)
    return [Change(layer, OPENED_LISTS, TOPIC, None)]


def need_own_list(view: ObjectView, layer: str) -> None:
    """Raise ConflictError where the judge has asked for the others' lists."""
    if view.value(layer, OPENED_LISTS, TOPIC) is not None:
        raise ConflictError(
            "Your list of events is closed because you have seen the others'. A project lead can reopen it.",
            None,
        )


def need_unopened(view: ObjectView, layer: str, sentences: Iterable[str]) -> None:
    """Raise ConflictError where the judge has asked for the links of one of the sentences, to verify them."""
    if any(
        sentence.value is not None for sentence in view.some(layer, OPENED_LINKS, list(sentences)).values()
    ):
        raise ConflictError("You verify this sentence, so you cannot link it.", None)


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
    for judged in objects:
        if judged.kind == "event":
            listed.add(left_out_id((judged.layer, judged.id)))
        elif judged.kind == "merged-event":
            merged |= {left_out_id((layer, event)) for layer, event in judged.value["from"]}
        elif judged.kind == "left-out":
            left.add(judged.id)
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
    before = _merge(view, event)
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
    before = _merge(view, event)
    value = _value(text, time, before["from"])
    return [Change(SHARED, "merged-event", event, value, expected=expected)]


def take_from_merged(
    view: ObjectView, event: str, source: Source, *, expected: int | UnsetType = UNSET
) -> list[Change]:
    """Take a judge's event out of a merged one again: it is open then.

    Raises:
        UsageError: it is the only one, or no part of it; ConflictError: the merged event is no longer as it was shown.
    """
    before = _merge(view, event)
    rest = [part for part in before["from"] if part != list(source)]
    if len(rest) == len(before["from"]):
        raise UsageError("This event is not part of the merged one.")
    if not rest:
        raise UsageError("This is the only event in the merged one. Dissolve the merged event instead.")
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
    _merge(view, event)
    number = sum(
        event in linked.value["events"]
        for layer in judges
        for kind in ("links", "group")
        for linked in view.all(layer, kind)
    )
    if number:
        raise UsageError(
            f"{how_many(number, 'link')} of sentences would be lost. Edit the event instead of dissolving it."
        )
    return [Change(SHARED, "merged-event", event, None, expected=expected)]


def leave_out(view: ObjectView, source: Source, reason: str) -> list[Change]:
    """Leave a judge's event out of the list, and say why.

    Raises:
        UsageError: no reason; ConflictError: it is no longer listed, or is accounted for already.
    """
    words = " ".join(reason.split())
    if not 1 <= len(words) <= _REASON_CHARS:
        raise UsageError(f"The reason has {len(words)} characters. Use 1 to {_REASON_CHARS}.")
    _need_open(view, [source])
    return [Change(SHARED, "left-out", left_out_id(source), {"reason": words})]


def put_back(view: ObjectView, source: Source) -> list[Change]:
    """Take back that a judge's event is left out: it is open then.

    Raises:
        ConflictError: it is not left out.
    """
    if view.judged(SHARED, "left-out", left_out_id(source)) is None:
        raise ConflictError("This event has already been put back.", None)
    return [Change(SHARED, "left-out", left_out_id(source), None)]


def _need_open(view: ObjectView, sources: Sequence[Source]) -> None:
    if len(set(sources)) < len(sources):
        raise UsageError("An event is listed twice.")
    merged = {
        (layer, event): whole
        for whole in view.all(SHARED, "merged-event")
        for layer, event in whole.value["from"]
    }
    for layer, event in sources:
        if layer_account(layer) is None:
            raise UsageError(f"The event of {layer} is not on a judge's list.")
        found = view.judged(layer, "event", event)
        if found is None:
            raise ConflictError("One of these events is no longer in its judge's list.", None)
        there = merged.get((layer, event))
        if there is not None:
            text = found.value["text"]
            raise ConflictError(f"“{text}” has already been merged into event {there.id}.", there)
        left = view.judged(SHARED, "left-out", left_out_id((layer, event)))
        if left is not None:
            raise ConflictError(f"“{found.value['text']}” has been left out: {left.value['reason']}", left)


def _merge(view: ObjectView, event: str) -> dict[str, Any]:
    value: dict[str, Any] | None = view.value(SHARED, "merged-event", event)
    if value is None:
        raise ConflictError("This merged event no longer exists.", None)
    return value


def _value(text: str, time: int | None, sources: Iterable[Sequence[str]]) -> dict[str, Any]:
    value: dict[str, Any] = {"text": event_text(text), "from": [list(source) for source in sources]}
    return value if time is None else value | {"time": time}


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
) -> list[Change]:
    """Give an event of the judge's other words or another time (None: no time).

    Raises:
        UsageError: the text is empty; ConflictError: the event is no longer listed, or the list is closed.
    """
    before = _event(view, layer, event)
    value = {key: kept for key, kept in before.items() if key not in ("text", "time")}
    value |= {"text": event_text(text)} | ({} if time is None else {"time": time})
    return [Change(layer, "event", event, value)]


def remove_event(view: ObjectView, layer: str, event: str) -> list[Change]:
    """Take an event from the judge's list.

    Raises:
        ConflictError: it is no longer listed, or the list is closed.
    """
    _event(view, layer, event)
    return [Change(layer, "event", event, None)]


def _event(view: ObjectView, layer: str, event: str) -> dict[str, Any]:
    need_own_list(view, layer)
    value: dict[str, Any] | None = view.value(layer, "event", event)
    if value is None:
        raise ConflictError("This event is no longer in your list.", None)
    return value


def event_text(text: str) -> str:
    """The words of an event, white space made even.

    Raises:
        UsageError: there are none, or more than 2,000 characters.

    >>> event_text("  At least 40\\n people died. ")
    'At least 40 people died.'
    """
    words = " ".join(text.split())
    if not 1 <= len(words) <= _EVENT_CHARS:
        raise UsageError(f"The event has {len(words)} characters. Use 1 to {_EVENT_CHARS}.")
    return words


def sentence_of(view: ObjectView, sentence: str) -> DeskItem:
    """A sentence of the topic: of an imported stream, or else of the pool.

    Raises:
        UsageError: there is none of that id.
    """
    item = view.item("sentence", sentence) or view.item("update", sentence)
    if item is None:
        raise UsageError(f"no sentence {sentence} in this topic's stream or pool")
    return item


def next_number(view: ObjectView, layer: str, kind: str, prefix: str = "") -> int:
    """The next number for the id of a new object; numbers of those taken away are not given again."""
    number = len(view.all(layer, kind)) + 1
    while view.get(layer, kind, f"{prefix}{number}") is not None:
        number += 1
    return number
