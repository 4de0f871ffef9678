"""Sentences linked to the merged events, each judge alone and unseen (2001, step 3).

A sentence tells of no event, of one or of several; some events only several sentences tell together: a group.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import UNSET, UnsetType

from tidings.annotation.desk.operations.event_links import group_id
from tidings.annotation.desk.operations.events import sentence_of
from tidings.annotation.desk.operations.openings import OPENED_LINKS, need_unopened
from tidings.annotation.store import ObjectView
from tidings.core import FINAL, SHARED, Change, ConflictError, UsageError

__all__ = ["link_alike", "link_group", "link_sentence"]

_SENTENCES_OF_GROUP = 50


def link_sentence(
    view: ObjectView,
    layer: str,
    sentence: str,
    events: Sequence[str],
    *,
    expected: int | UnsetType = UNSET,
) -> list[Change]:
    """Say which events a sentence tells of; of none: that it was read and is off-event.

    Args:
        view: the topic as it is.
        layer: the judge's.
        sentence: its id.
        events: ids of merged events, each once.
        expected: the version of the judgment that was shown.

    Raises:
        UsageError: no such sentence; ConflictError: one of the events is no longer there, the sentence's links
            were decided, or the judge verifies them.
    """
    sentence_of(view, sentence)
    _need_events(view, events)
    _need_undecided(view, sentence)
    need_unopened(view, layer, [sentence])
    return [Change(layer, "links", sentence, {"events": list(events)}, expected=expected)]


def link_alike(view: ObjectView, layer: str, sentences: Iterable[str], events: Sequence[str]) -> list[Change]:
    """Link more sentences, alike one that was linked, to the same events; what else they tell of stays.

    Sentences whose links were decided, or that the judge verifies, are left as they are.

    Raises:
        UsageError: no such sentence, or no event; ConflictError: one of the events is no longer there.
    """
    if not events:
        raise UsageError("found no event to link the like sentences to, expected at least one")
    _need_events(view, events)
    changes = []
    for sentence in dict.fromkeys(sentences):
        sentence_of(view, sentence)
        if view.value(FINAL, "links", sentence) or view.value(layer, OPENED_LINKS, sentence):
            continue
        before = view.value(layer, "links", sentence)
        linked = dict.fromkeys([*(before["events"] if before else ()), *events])
        changes.append(Change(layer, "links", sentence, {"events": list(linked)}))
    return changes


def link_group(view: ObjectView, layer: str, sentences: Sequence[str], events: Sequence[str]) -> list[Change]:
    """Say which events several sentences tell of together; of none: that they are no group (any more).

    Raises:
        UsageError: fewer than two sentences, more than fifty, one twice or none of that id; ConflictError: one of the
            events is no longer there, or the judge verifies the links of one of the sentences.
    """
    if not 2 <= len(sentences) <= _SENTENCES_OF_GROUP or len(set(sentences)) < len(sentences):
        raise UsageError(
            f"found a group of {len(set(sentences))} different sentences, expected 2 to {_SENTENCES_OF_GROUP}, "
            "each once"
        )
    _need_events(view, events)
    items = [sentence_of(view, sentence) for sentence in sentences]
    need_unopened(view, layer, sentences)
    ordered = [item.id for item in sorted(items, key=lambda item: (item.time, item.number))]
    value = {"sentences": ordered, "events": list(events)} if events else None
    return [Change(layer, "group", group_id(sentences), value)]


def _need_events(view: ObjectView, events: Sequence[str]) -> None:
    if len(set(events)) < len(events):
        raise UsageError("found an event twice, expected each once")
    for event in events:
        found = view.get(SHARED, "merged-event", event)
        if found is None:
            raise UsageError(f"found no merged event {event} in this topic, expected one of its list")
        if found.value is None:
            raise ConflictError(f"event {event} was taken from the list meanwhile", found)


def _need_undecided(view: ObjectView, sentence: str) -> None:
    decided = view.get(FINAL, "links", sentence)
    if decided is not None and decided.value is not None:
        raise ConflictError(
            "the events of this sentence were decided already; who leads can change them", decided
        )
