"""Sentences of a stream of documents, to list and link events in: what a topic's stories say, in time order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from tidings.annotation.store import Desk
from tidings.core import DeskItem, Document, Event, PooledUpdate, Project, UsageError, cut

__all__ = ["import_stream", "sentences_of_topic"]


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
        advanced: is told the number of documents read, now and then.

    Raises:
        UsageError: no event, or no sentence that belongs to any of them.
    """
    listed = list(events)
    if not listed:
        raise UsageError("found no event to bring the stream's sentences to, expected at least one")
    chosen: list[tuple[Event, list[Document]]] = [(event, []) for event in listed]
    for number, document in enumerate(documents, 1):
        for event, own in chosen:
            if event.covers(document.published_time):
                own.append(document)
        if advanced is not None and number % 100 == 0:
            advanced(number)
    if not any(own for _, own in chosen):
        raise UsageError("found no document in the time of any event, expected at least one")
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
