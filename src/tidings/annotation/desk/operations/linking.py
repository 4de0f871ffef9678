"""Sentences linked to the merged events, each judge alone and unseen (2001, step 3), and the links verified (step 4).

The verifier sees what any judge linked, never who. Verdicts are in the verifier's own layer; what they add up to is
derived (`final_links`), so that taking one back takes back all that followed from it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from msgspec import UNSET, Struct, UnsetType

from tidings.annotation.desk.operations.event_links import event_links, group_id, verdict_id
from tidings.annotation.desk.operations.events import OPENED_LINKS, need_unopened, sentence_of
from tidings.annotation.store import ObjectView
from tidings.core import FINAL, SHARED, Change, ConflictError, JudgedObject, UsageError

_SENTENCES_OF_GROUP = 50


def link_sentence(
    view: ObjectView,
    layer: str,
    sentence: str,
    events: Sequence[str],
) -> list[Change]:
    """Say which events a sentence reports; none: that it was read and is off-event.

    Args:
        view: the topic as it is.
        layer: the judge's.
        sentence: its id.
        events: ids of merged events, each once.

    Raises:
        UsageError: no such sentence; ConflictError: one of the events is no longer there, the sentence's links
            were decided, or the judge verifies them.
    """
    sentence_of(view, sentence)
    _need_events(view, events)
    view.need_open(
        "links", sentence, "The events of this sentence are already decided. A project lead can change them."
    )
    need_unopened(view, layer, [sentence])
    return [Change(layer, "links", sentence, {"events": list(events)})]


def link_alike(view: ObjectView, layer: str, sentences: Iterable[str], events: Sequence[str]) -> list[Change]:
    """Link more sentences, alike one that was linked, to the same events; what else they report stays.

    Sentences whose links were decided, or that the judge verifies, are left as they are.

    Raises:
        UsageError: no such sentence, or no event; ConflictError: one of the events is no longer there.
    """
    if not events:
        raise UsageError("Choose at least one event to link the similar sentences to.")
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
    """Say which events several sentences report together; none: that they are no group (any more).

    Raises:
        UsageError: fewer than two sentences, more than fifty, one twice or none of that id; ConflictError: one of the
            events is no longer there, or the judge verifies the links of one of the sentences.
    """
    if not 2 <= len(sentences) <= _SENTENCES_OF_GROUP or len(set(sentences)) < len(sentences):
        raise UsageError(
            f"A group needs 2 to {_SENTENCES_OF_GROUP} different sentences, each once; this has {len(set(sentences))}."
        )
    _need_events(view, events)
    items = [sentence_of(view, sentence) for sentence in sentences]
    need_unopened(view, layer, sentences)
    ordered = [item.id for item in sorted(items, key=lambda item: (item.time, item.number))]
    value = {"sentences": ordered, "events": list(events)} if events else None
    return [Change(layer, "group", group_id(sentences), value)]


def _need_events(view: ObjectView, events: Sequence[str]) -> None:
    if len(set(events)) < len(events):
        raise UsageError("An event is listed twice.")
    for event in events:
        found = view.get(SHARED, "merged-event", event)
        if found is None:
            raise UsageError(f"no event {event} in this topic's list")
        if found.value is None:
            raise ConflictError(f"Event {event} has been removed from the list.", found)


class LinkToVerify(Struct, frozen=True):
    """A link as a verifier sees it: without who made it.

    Args:
        id: of its verdict.
        unit: the sentence's id, or the group's.
        event: the merged event's id.
        sentences: ids; more than one in a group.
        accepted: the verifier's own verdict; None while there is none.
        version: of that verdict.
        added: whether the verifier added it.
    """

    id: str
    unit: str
    event: str
    sentences: tuple[str, ...]
    accepted: bool | None
    version: int
    added: bool


def links_to_verify(
    objects: list[JudgedObject], layer: str, *, opened: Collection[str] | None = None
) -> tuple[list[LinkToVerify], int]:
    """The links that a verifier may decide on, and how many there are besides that are the verifier's own.

    Args:
        objects: of the topic, all layers.
        layer: the verifier's.
        opened: the units whose links the verifier has asked for; None: all.

    >>> from tidings.core.records.judgments import judge_layer
    >>> objects = [
    ...     JudgedObject(1, SHARED, "merged-event", "1", 1, {"text": "A fire.", "from": []}),
    ...     JudgedObject(1, "judge-2", "links", "d-0", 2, {"events": ["1"]}),
    ...     JudgedObject(1, "judge-3", "links", "d-4", 3, {"events": ["1"]}),
    ... ]
    >>> links, own = links_to_verify(objects, judge_layer(3))
    >>> [one.id for one in links], own
    (['d-0|1'], 1)
    """
    seen = [judged for judged in objects if judged.kind != "verdict" or judged.layer == layer]
    verdicts = {judged.id: judged for judged in seen if judged.kind == "verdict"}
    links = event_links(seen)
    foreign = [link for link in links if layer not in link.layers]
    shown = []
    for link in foreign:
        if opened is None or link.unit in opened:
            verdict = verdicts.get(link.id)
            accepted = None if verdict is None else bool(verdict.value["accepted"])
            version = 0 if verdict is None else verdict.version
            shown.append(
                LinkToVerify(
                    link.id, link.unit, link.event, link.sentences, accepted, version, not link.layers
                )
            )
    return shown, len(links) - len(foreign)


def decide(
    view: ObjectView,
    layer: str,
    unit: str,
    event: str,
    accepted: bool | None,
    judges: Iterable[str],
    *,
    expected: int | UnsetType = UNSET,
) -> list[Change]:
    """Accept or reject a link; None takes the verdict back.

    Args:
        view: the topic as it is.
        layer: the verifier's.
        unit: the sentence's id, or the group's.
        event: the merged event's id.
        accepted: the verdict.
        judges: the layers of all who may have linked.
        expected: the version of the verdict that was shown.

    Raises:
        UsageError: the link is the verifier's own; ConflictError: nobody makes it any more.
    """
    makers = [judge for judge in judges if _makes(view, judge, unit, event)]
    if layer in makers:
        raise UsageError("This is your own link. Another judge verifies it.")
    before = view.value(layer, "verdict", verdict_id(unit, event))
    added = bool(before and before.get("added"))
    if not makers and not added and accepted is not None:
        raise ConflictError(
            "The judge who made this link has removed it. There is nothing left to verify.", None
        )
    value = None if accepted is None else {"accepted": accepted} | ({"added": True} if added else {})
    return [Change(layer, "verdict", verdict_id(unit, event), value, expected=expected)]


def _makes(view: ObjectView, layer: str, unit: str, event: str) -> bool:
    value = view.value(layer, "links", unit) or view.value(layer, "group", unit)
    return bool(value) and event in value["events"]


def add_missing(
    view: ObjectView, layer: str, sentence: str, event: str, judges: Iterable[str]
) -> list[Change]:
    """Add a link that all judges missed; where one of them made it, it is accepted.

    Raises:
        UsageError: no such sentence or event, or the link is the verifier's own.
    """
    sentence_of(view, sentence)
    if view.value(SHARED, "merged-event", event) is None:
        raise UsageError(f"no event {event} in this topic's list")
    makers = [judge for judge in judges if _makes(view, judge, sentence, event)]
    if makers:
        return decide(view, layer, sentence, event, True, makers)
    return [Change(layer, "verdict", verdict_id(sentence, event), {"accepted": True, "added": True})]


def open_sentence(view: ObjectView, layer: str, sentence: str) -> list[Change]:
    """Ask for the links of a sentence to verify them, and of the groups that it is in; it is then not linked any more.

    Args:
        view: the topic as it is.
        layer: the verifier's.
        sentence: its id.

    Raises:
        UsageError: no such sentence; ConflictError: the verifier has linked it.
    """
    sentence_of(view, sentence)
    own = _links_of(view, layer)
    if sentence in own:
        raise ConflictError("You linked this sentence. Another judge verifies its links.", None)
    opened = {sentence: None}
    for unit, sentences in _marked_units(view, layer).items():
        if sentence in sentences and own.isdisjoint(sentences):
            opened |= dict.fromkeys((unit, *sentences))
    return [Change(layer, OPENED_LINKS, unit, {"opened": True}) for unit in opened]


def open_next(view: ObjectView, layer: str, order: Sequence[str]) -> list[Change]:
    """Ask for the links of the first sentence that others linked and the verifier did not.

    Args:
        view: the topic as it is.
        layer: the verifier's.
        order: the ids of the topic's sentences, as they are read.

    Raises:
        ConflictError: there is none.
    """
    own = _links_of(view, layer)
    opened = {judged.id for judged in view.all(layer, OPENED_LINKS)}
    place = {sentence: number for number, sentence in enumerate(order)}
    waiting = [
        min(sentences, key=lambda sentence: place.get(sentence, len(place)))
        for unit, sentences in _marked_units(view, layer).items()
        if unit not in opened and own.isdisjoint(sentences)
    ]
    there = [sentence for sentence in waiting if sentence in place]
    if not there:
        raise ConflictError("No more links to verify right now.", None)
    return open_sentence(view, layer, min(there, key=place.__getitem__))


def need_opened(view: ObjectView, layer: str, unit: str) -> None:
    """Raise ConflictError unless the verifier has asked for the links of the sentence or group."""
    if view.value(layer, OPENED_LINKS, unit) is None:
        raise ConflictError("Open this sentence for verification first.", None)


def _links_of(view: ObjectView, layer: str) -> set[str]:
    """The sentences that a judge has linked, to events or to none, alone or in groups."""
    grouped = {sentence for judged in view.all(layer, "group") for sentence in judged.value["sentences"]}
    return grouped | {judged.id for judged in view.all(layer, "links")}


def _marked_units(view: ObjectView, layer: str) -> dict[str, tuple[str, ...]]:
    """The sentences of each sentence or group that another judge linked to an event of the list."""
    listed = {event.id for event in view.all(SHARED, "merged-event")}
    return {
        judged.id: (judged.id,) if judged.kind == "links" else tuple(judged.value["sentences"])
        for kind in ("links", "group")
        for judged in view.in_all_layers(kind)
        if judged.layer not in (layer, FINAL) and not listed.isdisjoint(judged.value["events"])
    }
