"""Bringing judgments to the desk: topics and pools as items, what was judged as values of objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct

from tidings.records import Event, Judgments, Nugget, bare_event_id
from tidings.records.assessment import FINAL, SHARED, Change, DeskItem, DeskTopic, Project
from tidings.store.desk import Act, Desk

__all__ = ["Imported", "import_judgments"]


class Imported(Struct, frozen=True):
    """How much came in: topics, items that were not there before, and objects whose judgment is new or another."""

    topics: int
    items: int
    objects: int


def import_judgments(
    desk: Desk, project: Project, judgments: Judgments, *, advanced: Callable[[int], None] | None = None
) -> Imported:
    """Add a folder's topics, pool and judgments to a project; what is there already stays.

    Nuggets are shared, as everybody matches to the same list; matches, clusters and grades are in the final layer, as
    judged before, and are in nobody's queue.
    """
    topics = {
        bare_event_id(event.id): desk.projects.add_topic(project.id, event) for event in _events(judgments)
    }
    items = desk.projects.add_items(_items(project, judgments, topics))
    objects = 0
    for bare, topic in topics.items():
        changes = list(_changes(judgments, bare))
        content = msgspec.json.encode([(one.layer, one.kind, one.id, one.value) for one in changes])
        key = f"import-{topic.number}-{sha256(content).hexdigest()[:24]}"
        recorded = desk.log.record(project.id, Act(key=key, operation="import", topic=topic.number), changes)
        objects += 0 if recorded.repeated else len(recorded.entries)
        if advanced is not None:
            advanced(1)
    return Imported(len(topics), items, objects)


def _events(judgments: Judgments) -> list[Event]:
    listed = {bare_event_id(event.id): event for event in judgments.events}
    for row in judgments.pool:
        listed.setdefault(
            bare_event_id(row.event_id), Event(id=row.event_id, title=row.event_id, query=row.event_id)
        )
    for nugget in judgments.nuggets:
        listed.setdefault(
            bare_event_id(nugget.event_id),
            Event(id=nugget.event_id, title=nugget.event_id, query=nugget.event_id),
        )
    return list(listed.values())


def _items(project: Project, judgments: Judgments, topics: dict[str, DeskTopic]) -> Iterator[DeskItem]:
    for row in judgments.pool:
        topic = topics[bare_event_id(row.event_id)]
        content = msgspec.to_builtins(row)
        yield DeskItem(project.id, topic.number, "update", row.id, 0, row.published_time, content)


def _changes(judgments: Judgments, bare: str) -> Iterator[Change]:
    for nugget in judgments.nuggets:
        if bare_event_id(nugget.event_id) == bare:
            yield Change(SHARED, "nugget", nugget.id, nugget_value(nugget))
    matches: dict[str, list[Any]] = {}
    for row in judgments.pool:
        if bare_event_id(row.event_id) == bare and judgments.matches:
            matches[row.id] = []
    for match in judgments.matches:
        if bare_event_id(match.event_id) == bare:
            matches.setdefault(match.update_id, []).append(
                {
                    "nugget": match.nugget_id,
                    "start": match.start,
                    "end": match.end,
                    "automatic": match.automatic,
                }
            )
    for update_id, found in matches.items():
        yield Change(FINAL, "matches", update_id, {"matches": found})
    for cluster in judgments.clusters:
        if bare_event_id(cluster.event_id) == bare:
            yield Change(FINAL, "cluster", cluster.id, {"label": cluster.label})
            for update_id in cluster.update_ids:
                yield Change(FINAL, "membership", update_id, {"cluster": cluster.id})


def nugget_value(nugget: Nugget) -> dict[str, Any]:
    """A nugget as the value of an object."""
    return {
        "text": nugget.text,
        "importance": nugget.importance,
        "time": nugget.time,
        "needs": [],
        "listed_length": nugget.listed_length,
    }
