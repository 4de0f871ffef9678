"""What links of sentences to events add up to: all that was marked, what a verifier accepted, and how far judges agree.

Two or more judges link sentences to the merged events, each alone; another one verifies what any of them marked
(Khandelwal, Gupta and Allan 2001, section 3.1). The unit is a sentence, or a group of sentences that report an event
together, with one event. All here is derived from the objects of a topic; nothing of it is stored.

Judges of 2001 neglected later sentences that were like one that they had linked (Khandelwal, Gupta and Allan 2001,
section 3.3), so the desk shows these.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import sha256
from math import nan

from msgspec import Struct

from tidings.core import FINAL, SHARED, JudgedObject, NearDuplicates, jaccard, shared_analyzer, shingles
from tidings.evaluation import event_agreement, topic_agreement

_SENTENCES_LIKENESS = 0.5  # Jaccard's, of stems: such sentences are offered together
_EVENTS_LIKENESS = 0.4  # Jaccard's, of stems: such events of two judges are offered as one
_MOST = 20  # sentences offered with one


@lru_cache(maxsize=8)
def later_alike(sentences: tuple[tuple[str, str], ...]) -> dict[str, tuple[str, ...]]:
    """For each sentence the later ones that are identical or nearly so, at most twenty.

    Two are alike whose sets of runs of two stems overlap by half or more (Jaccard), or whose words are the same.

    Args:
        sentences: (id, text) in their order.

    >>> later_alike((("a-0", "A ferry burns in port."), ("b-0", "Nobody was hurt."), ("c-0", "A ferry burns in port!")))
    {'a-0': ('c-0',)}
    """
    analyzer = shared_analyzer()
    index = NearDuplicates(threshold=_SENTENCES_LIKENESS)
    later: dict[str, list[str]] = {}
    for number, (sentence, text) in enumerate(sentences):
        members = shingles(analyzer.stems(text)) or frozenset(text.split())
        for earlier, _ in index.find(members, now=number):
            followers = later.setdefault(earlier, [])
            if len(followers) < _MOST:
                followers.append(sentence)
        index.add(sentence, members, time=number)
    place = {sentence: number for number, (sentence, _) in enumerate(sentences)}
    return {sentence: tuple(later[sentence]) for sentence in sorted(later, key=place.__getitem__)}


def proposed_merges(
    events: Sequence[JudgedObject], accounted: Iterable[tuple[str, str]] = ()
) -> list[list[tuple[str, str]]]:
    """Which of the judges' events are probably the same: (layer, event id) of each, at most one of each judge.

    Likeness is Jaccard's of the sets of stems. The likest pair of two judges' events is joined first; an event joins
    others only where it is like each of them.

    Args:
        events: of all judges.
        accounted: those that are merged or left out already; they are not proposed again.

    >>> lists = [("judge-2", "e1", "A ferry burned in the port"), ("judge-3", "e1", "Ferry burns in port of Oslo"),
    ...          ("judge-3", "e2", "Nobody was hurt")]
    >>> proposed_merges([JudgedObject(1, layer, "event", name, 1, {"text": text}) for layer, name, text in lists])
    [[('judge-2', 'e1'), ('judge-3', 'e1')]]
    """
    done = set(accounted)
    analyzer = shared_analyzer()
    stems = {
        (event.layer, event.id): frozenset(analyzer.stems(event.value["text"]))
        for event in events
        if event.value is not None and (event.layer, event.id) not in done
    }
    names = list(stems)
    pairs = [
        (likeness, pair, other)
        for number, pair in enumerate(names)
        for other in names[number + 1 :]
        if pair[0] != other[0] and (likeness := jaccard(stems[pair], stems[other])) >= _EVENTS_LIKENESS
    ]
    like = {frozenset((one, other)) for _, one, other in pairs}
    parts = {name: [name] for name in names}
    for _, one, other in sorted(
        pairs, key=lambda pair: (-pair[0], names.index(pair[1]), names.index(pair[2]))
    ):
        first, second = parts[one], parts[other]
        judges = [layer for layer, _ in (*first, *second)]
        if first is second or len(set(judges)) < len(judges):
            continue
        if all(frozenset((left, right)) in like for left in first for right in second):
            joined = sorted((*first, *second), key=names.index)
            for name in joined:
                parts[name] = joined
    seen: set[int] = set()
    proposed = []
    for part in parts.values():
        if len(part) > 1 and id(part) not in seen:
            seen.add(id(part))
            proposed.append(part)
    return proposed


class EventLink(Struct, frozen=True):
    """That a sentence, or a group of them, reports an event.

    Args:
        unit: the sentence's id, or the group's.
        event: the merged event's id.
        sentences: ids, in order; more than one in a group.
        layers: of the judges who marked it, in the order in which they did; none where the verifier added it.
        accepted: the verdict; None while there is none.
    """

    unit: str
    event: str
    sentences: tuple[str, ...]
    layers: tuple[str, ...] = ()
    accepted: bool | None = None

    @property
    def id(self) -> str:
        """The id of its verdict."""
        return verdict_id(self.unit, self.event)


class EventVerdicts(Struct, frozen=True):
    """What became of one event's links: numbers of different sentences.

    Args:
        event: the merged event's id.
        marked: in the union of what the linking judges marked, alone or in groups.
        accepted: of these, by the verifier.
        undecided: of these, in a link that has no verdict yet.
    """

    event: str
    marked: int
    accepted: int
    undecided: int

    @property
    def agreement(self) -> float:
        """Sentences that the verifier accepted / sentences in the union of what was marked; within 0..1."""
        union = set(map(str, range(self.marked)))
        return event_agreement(union, set(), set(map(str, range(self.accepted))))


class LinkStatistics(Struct, frozen=True):
    """Of how many events the sentences of a topic tell (Khandelwal, Gupta and Allan 2001, Table 3)."""

    sentences: int
    off_event: int
    single_event: int
    multi_event: int

    def share(self, number: int) -> float:
        """A number of sentences as a share of all, within 0..1; nan where there is no sentence.

        >>> LinkStatistics(50, 36, 12, 2).share(36)
        0.72
        """
        return number / self.sentences if self.sentences else nan


def group_id(sentences: Iterable[str]) -> str:
    """The id of a group: the same for the same sentences, whoever groups them.

    >>> group_id(["d-1", "d-0"]) == group_id(["d-0", "d-1"]), group_id(["d-0", "d-1"])[:6]
    (True, 'group-')
    """
    joined = "\x00".join(sorted(set(sentences)))
    return f"group-{sha256(joined.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def verdict_id(unit: str, event: str) -> str:
    """The id of the verdict on a unit's link.

    >>> verdict_id("d-0", "3"), parted_verdict("d|x-0|3")
    ('d-0|3', ('d|x-0', '3'))
    """
    return f"{unit}|{event}"


def parted_verdict(verdict: str) -> tuple[str, str]:
    """The unit and the event of a verdict's id."""
    unit, _, event = verdict.rpartition("|")
    return unit, event


def listed_events(objects: Iterable[JudgedObject]) -> list[JudgedObject]:
    """The merged events among a topic's objects by time, those without one last, then by number."""
    shared = [judged for judged in objects if judged.layer == SHARED and judged.kind == "merged-event"]
    return sorted((judged for judged in shared if judged.value is not None), key=_event_place)


def _event_place(judged: JudgedObject) -> tuple[bool, int, int, str]:
    time = judged.value.get("time")
    return time is None, time or 0, len(judged.id), judged.id


def event_links(objects: Sequence[JudgedObject]) -> list[EventLink]:
    """All links of a topic that a judge marked or a verifier added, by event (as listed), then sentence id.

    Verdicts of several count as elsewhere at the desk: the final one, else the first. Links to an event that is no
    longer listed are left out.

    >>> objects = [
    ...     JudgedObject(1, SHARED, "merged-event", "1", 1, {"text": "A fire.", "from": []}),
    ...     JudgedObject(1, "judge-2", "links", "d-0", 2, {"events": ["1"]}),
    ...     JudgedObject(1, "judge-3", "links", "d-4", 3, {"events": ["1"]}),
    ...     JudgedObject(1, "judge-4", "verdict", "d-0|1", 4, {"accepted": True}),
    ... ]
    >>> [(one.unit, one.layers, one.accepted) for one in event_links(objects)]
    [('d-0', ('judge-2',), True), ('d-4', ('judge-3',), None)]
    """
    place = {event.id: number for number, event in enumerate(listed_events(objects))}
    marked: dict[tuple[str, str], tuple[tuple[str, ...], list[str]]] = {}
    verdicts: dict[str, JudgedObject] = {}
    for entry in sorted(objects, key=lambda judged: (judged.layer != FINAL, judged.version)):
        if entry.value is None:
            continue
        if entry.kind == "verdict":
            verdicts.setdefault(entry.id, entry)
        elif entry.kind in ("links", "group") and entry.layer != FINAL:
            sentences = (entry.id,) if entry.kind == "links" else tuple(entry.value["sentences"])
            for event in entry.value["events"]:
                _, layers = marked.setdefault((entry.id, event), (sentences, []))
                layers.append(entry.layer)
    found = []
    for (unit, event), (sentences, layers) in marked.items():
        verdict = verdicts.pop(verdict_id(unit, event), None)
        accepted = None if verdict is None else bool(verdict.value["accepted"])
        found.append(EventLink(unit, event, sentences, tuple(layers), accepted))
    for verdict in verdicts.values():
        unit, event = parted_verdict(verdict.id)
        if verdict.value.get("added"):
            found.append(EventLink(unit, event, (unit,), (), bool(verdict.value["accepted"])))
    listed = [link for link in found if link.event in place]
    return sorted(listed, key=lambda link: (place[link.event], link.sentences, link.unit))


def final_links(objects: Sequence[JudgedObject]) -> dict[str, tuple[str, ...]]:
    """The events of each sentence that reports any, alone or in a group, by sentence id: `final_units` by sentence.

    >>> final_links([
    ...     JudgedObject(1, SHARED, "merged-event", "1", 1, {"text": "A fire.", "from": []}),
    ...     JudgedObject(1, "judge-2", "links", "d-0", 2, {"events": ["1"]}),
    ...     JudgedObject(1, "judge-2", "links", "d-1", 3, {"events": ["1"]}),
    ...     JudgedObject(1, "judge-4", "verdict", "d-0|1", 4, {"accepted": True}),
    ... ])
    {'d-0': ('1',)}
    """
    order = [event.id for event in listed_events(objects)]
    events: dict[str, set[str]] = {}
    for unit, own in final_units(objects).items():
        for sentence in unit:
            events.setdefault(sentence, set()).update(own)
    return {
        sentence: tuple(event for event in order if event in events[sentence]) for sentence in sorted(events)
    }


def final_units(objects: Sequence[JudgedObject]) -> dict[tuple[str, ...], tuple[str, ...]]:
    """The final mapping of a topic: the events of each sentence, and of each group that reports any together.

    Of a sentence with links in the final layer (imported, or decided by who leads) these count, and of groups those of
    that layer. Of others those that the verifier accepted or added; where the topic has no verdict at all, the first
    judge's of each.
    """
    order = [event.id for event in listed_events(objects)]
    events: dict[tuple[str, ...], set[str]] = {}
    for judged in objects:
        if judged.kind in ("links", "group") and _final(judged):
            unit = (judged.id,) if judged.kind == "links" else tuple(judged.value["sentences"])
            events[unit] = set(judged.value["events"])
    decided = set(events)
    verified = any(judged.kind == "verdict" and judged.value is not None for judged in objects)
    first = {} if verified else _first_judges(objects)
    for link in event_links(objects):
        counts = link.accepted if verified else first[link.unit] in link.layers
        if counts and link.sentences not in decided:
            events.setdefault(link.sentences, set()).add(link.event)
    mapped = {unit: tuple(event for event in order if event in events[unit]) for unit in sorted(events)}
    return {unit: chosen for unit, chosen in mapped.items() if chosen}


def _final(judged: JudgedObject) -> bool:
    return judged.layer == FINAL and judged.value is not None


def _first_judges(objects: Iterable[JudgedObject]) -> dict[str, str]:
    """The layer of who was the first to judge each sentence or group."""
    first: dict[str, str] = {}
    for entry in sorted(objects, key=lambda judged: judged.version):
        if entry.kind in ("links", "group") and entry.layer != FINAL and entry.value is not None:
            first.setdefault(entry.id, entry.layer)
    return first


def event_verdicts(objects: Sequence[JudgedObject]) -> list[EventVerdicts]:
    """What became of the links of each event that any judge marked a sentence of, in the order of the list.

    What the verifier added was marked by nobody and is not counted.
    """
    by_event: dict[str, list[EventLink]] = {}
    for link in event_links(objects):
        if link.layers:
            by_event.setdefault(link.event, []).append(link)
    return [
        EventVerdicts(
            event,
            len({sentence for link in links for sentence in link.sentences}),
            len({sentence for link in links if link.accepted for sentence in link.sentences}),
            len({sentence for link in links if link.accepted is None for sentence in link.sentences}),
        )
        for event, links in by_event.items()
    ]


def links_agreement(objects: Sequence[JudgedObject]) -> float:
    """The agreement of a topic's judges: the mean of `EventVerdicts.agreement` over its events, within 0..1.

    Events none of whose links has a verdict are left out, nan where that leaves none; of the others a link without
    verdict counts as not accepted.

    >>> from math import isnan
    >>> isnan(links_agreement([]))
    True
    """
    found = [
        verdicts.agreement for verdicts in event_verdicts(objects) if verdicts.undecided < verdicts.marked
    ]
    return topic_agreement(found) if found else nan


def link_statistics(sentences: Iterable[str], final: dict[str, tuple[str, ...]]) -> LinkStatistics:
    """How many sentences report no event, one, and several.

    Args:
        sentences: the ids of all sentences of the topic.
        final: the events of those that report any, as `final_links` gives them.

    >>> link_statistics(["d-0", "d-1", "d-2"], {"d-0": ("1", "2"), "d-2": ("1",)})
    LinkStatistics(sentences=3, off_event=1, single_event=1, multi_event=1)
    """
    numbers = [len(final.get(sentence, ())) for sentence in dict.fromkeys(sentences)]
    single = numbers.count(1)
    off = numbers.count(0)
    return LinkStatistics(len(numbers), off, single, len(numbers) - off - single)
