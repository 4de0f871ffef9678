"""Events and links of 2001 as files: what `tidings score` and `tidings agreement` read, and the words of the events.

`links.tsv` is the final mapping with every sentence of each topic, `judges.tsv` what each judge marked (1 and 2
linked, 3 accepted); `tidings.evaluation.formats.linked_2001` says their form. `merged_events.jsonl` holds the merged
events: topic_id, id, text, time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from tidings.annotation.desk.exchange.importing import record_import
from tidings.annotation.desk.operations.event_links import event_links, final_units, group_id, listed_events
from tidings.annotation.store import Desk
from tidings.core import (
    FINAL,
    SHARED,
    BadRecordError,
    Change,
    DeskItem,
    Document,
    Event,
    JudgedLink,
    JudgedObject,
    PooledUpdate,
    Project,
    SentenceLinks,
    UsageError,
    bare_event_id,
    cut,
    find,
    read_jsonl,
    write_jsonl,
)
from tidings.evaluation import read_links, write_judges, write_links


def import_stream(
    desk: Desk,
    project: Project,
    documents: Iterable[Document],
    events: Iterable[Event],
    *,
    advanced: Callable[[int], None] | None = None,
) -> int:
    """Bring the sentences of documents to a project; says how many were not there before.

    Each event becomes a topic. A document goes to every event in whose time it was published (an event without times
    takes all), cut into sentences as `tidings.core.text.sentences.cut` does; one that came cut stays as it is. What
    is there already stays.

    Args:
        desk: where.
        project: of it.
        documents: in any order; a topic's sentences are kept by time, then document, as they stand in it.
        events: at least one.
        advanced: called with the number of documents read, now and then.

    Raises:
        UsageError: no event, or no sentence that belongs to any of them.
    """
    listed = list(events)
    if not listed:
        raise UsageError("no event to bring the stream's sentences to; import topics first")
    chosen: list[tuple[Event, list[Document]]] = [(event, []) for event in listed]
    for number, document in enumerate(documents, 1):
        for event, own in chosen:
            if event.covers(document.published_time):
                own.append(document)
        if advanced is not None and number % 100 == 0:
            advanced(number)
    if not any(own for _, own in chosen):
        raise UsageError("no document was published in the time of any event")
    added = 0
    for event, own in chosen:
        if own:
            topic = desk.projects.add_topic(project.id, event)
            own.sort(key=lambda document: (document.published_time, document.id))
            added += desk.projects.add_items(_items(project.id, topic.number, event.id, own))
    return added


def _items(project_id: int, topic: int, event_id: str, documents: Iterable[Document]) -> Iterator[DeskItem]:
    for document in documents:
        for sentence in cut(document).sentences:
            if not sentence.text.strip():
                continue
            row = PooledUpdate(
                event_id,
                document.id,
                sentence.index,
                sentence.text,
                published_time=document.published_time,
                source=document.source,
            )
            content: dict[str, Any] = msgspec.to_builtins(row)
            if document.title:
                content["title"] = document.title
            yield DeskItem(project_id, topic, "sentence", row.id, 0, document.published_time, content)


def sentences_of_topic(desk: Desk, project_id: int, topic: int) -> list[DeskItem]:
    """What is read of a topic, by time, document and place in it: its stream's sentences, or else its pool."""
    items = desk.projects.items(project_id, topic, "sentence") or desk.projects.items(
        project_id, topic, "update"
    )
    return sorted(items, key=lambda item: (item.time, item.content["doc_id"], item.content["sentence_index"]))


LINKS, JUDGES, EVENTS = "links.tsv", "judges.tsv", "merged_events.jsonl"


class TopicEvent(Struct, frozen=True):
    """A merged event of a topic; `time` in seconds UTC, None where nobody said when."""

    topic_id: str
    id: str
    text: str
    time: int | None = None


class EventLinkFiles(Struct, frozen=True):
    """What the files of links and of merged events hold."""

    links: tuple[SentenceLinks, ...]
    events: tuple[TopicEvent, ...] = ()


def topic_links(topic_id: str, sentences: Iterable[str], objects: list[JudgedObject]) -> SentenceLinks:
    """The final mapping of a topic with the ids of all its sentences, as `tidings score` takes it."""
    order = list(sentences)
    final = final_units(objects)
    listed = {sentence: final.get((sentence,), ()) for sentence in order}
    events = [event.id for event in listed_events(objects)]
    pairs = [(event, sentence) for event in events for sentence, own in listed.items() if event in own]
    groups = [
        (event, unit)
        for event in events
        for unit, own in final.items()
        if event in own and len(unit) > 1 and {*unit} <= listed.keys()
    ]
    told_of = {event for event, _ in (*pairs, *groups)}
    lone = tuple(event for event in events if event not in told_of)
    return SentenceLinks(topic_id, tuple(pairs), tuple(order), tuple(groups), lone)


def judged_links(topic_id: str, objects: list[JudgedObject]) -> list[JudgedLink]:
    """What each judge marked: judge 1 linked first, 2 is every other one who linked, 3 what the verifier accepted.

    Only the union of what 1 and 2 marked is used by the measure of agreement, which is that of the desk then. What a
    verifier added is in the final mapping only. The sentences of a group are marked each.
    """
    first: dict[str, int] = {}
    for judged in sorted(objects, key=lambda judged: judged.version):
        if judged.kind in ("links", "group") and judged.layer != FINAL:
            first.setdefault(judged.layer, min(len(first), 1) + 1)
    rows: dict[JudgedLink, None] = {}
    for link in event_links(objects):
        judges = sorted({first[layer] for layer in link.layers})
        if link.accepted and judges:
            judges.append(3)
        for judge in judges:
            for sentence in link.sentences:
                rows[JudgedLink(topic_id, link.event, judge, sentence)] = None
    return list(rows)


def export_event_links(desk: Desk, project: Project, folder: Path) -> list[Path]:
    """Write the three files into a folder; none of a project that has no merged events. Says what was written."""
    links: list[SentenceLinks] = []
    judges: list[JudgedLink] = []
    events: list[TopicEvent] = []
    for topic in desk.projects.topics(project.id):
        objects = desk.log.objects(project.id, topic.number)
        listed = listed_events(objects)
        if listed:
            name = topic.event.id
            sentences = [item.id for item in sentences_of_topic(desk, project.id, topic.number)]
            links.append(topic_links(name, sentences, objects))
            judges += judged_links(name, objects)
            events += [
                TopicEvent(name, event.id, event.value["text"], event.value.get("time")) for event in listed
            ]
    written = []
    if events:
        written += [folder / LINKS, folder / EVENTS]
        write_links(folder / LINKS, links)
        write_jsonl(folder / EVENTS, events)
    if judges:
        written.append(folder / JUDGES)
        write_judges(folder / JUDGES, judges)
    return written


def read_event_links(folder: Path) -> EventLinkFiles:
    """The mapping and the events of a folder; nothing where there is no links.tsv. `merged_events.jsonl` may be absent.

    Raises:
        FormatError: bad lines.
    """
    links, events = find(folder, LINKS), find(folder, EVENTS)
    if links is None:
        return EventLinkFiles(())
    listed = () if events is None else tuple(read_jsonl(events, TopicEvent, _check, what="an event"))
    return EventLinkFiles(tuple(read_links(links)), listed)


def _check(event: TopicEvent) -> TopicEvent:
    if "|" in event.id:
        raise BadRecordError(f"the event id {event.id!r}", "one without |")
    return event


def import_event_links(desk: Desk, project: Project, files: EventLinkFiles) -> int:
    """Bring events and links to the topics of a project; says how many objects have another judgment now.

    Events are in the shared list; the mapping comes as final, judged before.

    Raises:
        UsageError: a topic that the project does not have (bring its documents or pool first).
    """
    topics = {bare_event_id(topic.event.id): topic for topic in desk.projects.topics(project.id)}
    changed = 0
    for links in files.links:
        bare = bare_event_id(links.topic_id)
        if bare not in topics:
            raise UsageError(f"The project has no topic {links.topic_id}. Import its documents first.")
        changes = _events(links, [event for event in files.events if bare_event_id(event.topic_id) == bare])
        changes += _final(links)
        content = [(change.layer, change.kind, change.id, change.value) for change in changes]
        changed += record_import(desk, project, topics[bare].number, "links", changes, content)
    return changed


def _events(links: SentenceLinks, events: Iterable[TopicEvent]) -> list[Change]:
    values: dict[str, dict[str, Any]] = {}
    for event in events:
        values[event.id] = {"text": event.text, "from": []}
        if event.time is not None:
            values[event.id]["time"] = event.time
    for name, _ in (*links.links, *links.groups):
        if "|" in name:
            raise UsageError(f"The event id {name!r} in {LINKS} contains |. Use one without.")
        values.setdefault(name, {"text": f"Event {name}", "from": []})
    return [Change(SHARED, "merged-event", name, value) for name, value in values.items()]


def _final(links: SentenceLinks) -> list[Change]:
    events: dict[str, list[str]] = {sentence: [] for sentence in links.sentences}
    for event, sentence in links.links:
        events.setdefault(sentence, []).append(event)
    changes = [Change(FINAL, "links", sentence, {"events": own}) for sentence, own in events.items()]
    groups: dict[tuple[str, ...], list[str]] = {}
    for event, group in links.groups:
        groups.setdefault(group, []).append(event)
    changes += [
        Change(FINAL, "group", group_id(group), {"sentences": list(group), "events": own})
        for group, own in groups.items()
    ]
    return changes
