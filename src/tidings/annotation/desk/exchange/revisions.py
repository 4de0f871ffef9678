"""Bringing the history of a page to the desk, from which nuggets are extracted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from tidings.annotation.store import Desk
from tidings.core import DeskItem, DeskTopic, Project, Revision, UsageError

__all__ = ["REVISION", "ImportedRevisions", "import_revisions", "topic_for"]

REVISION = "revision"
"""The kind of the items; an item's content is the text, title, author and comment of a revision."""

_ID_CHARS = 300


class ImportedRevisions(Struct, frozen=True):
    """How many came in that were not there, and how many were left out because they change nothing."""

    added: int
    unchanged: int


def import_revisions(
    desk: Desk, project: Project, topic: DeskTopic, revisions: Iterable[Revision]
) -> ImportedRevisions:
    """Add revisions to a topic, by their times; those that are there already stay.

    A revision that says to the letter what the one before it said is left out: there is nothing to read in it. The same
    history once more adds nothing, and a longer one of the same page what is new in it.

    Raises:
        StoreError: another text is there under the same id and nothing was added.
        UsageError: an id is too long.
    """
    changed: list[DeskItem] = []
    unchanged, last = 0, None
    for one in sorted(revisions, key=lambda one: one.time):
        if one.text == last:
            unchanged += 1
            continue
        if not 1 <= len(one.id) <= _ID_CHARS:
            raise UsageError(f"found a revision's id of {len(one.id)} characters, expected 1 to {_ID_CHARS}")
        last = one.text
        changed.append(_item(project, topic, one))
    return ImportedRevisions(desk.projects.add_items(changed), unchanged)


def _item(project: Project, topic: DeskTopic, one: Revision) -> DeskItem:
    content = {"text": one.text, "title": one.title, "author": one.author, "comment": one.comment}
    return DeskItem(project.id, topic.number, REVISION, one.id, 0, one.time, content)


def topic_for(desk: Desk, project: Project, event_id: str = "") -> DeskTopic:
    """The topic that is meant: that of the event, or the only one; UsageError where none or several may be."""
    topics = desk.projects.topics(project.id)
    listed = ", ".join(_few(topic.event.id for topic in topics)) or "none"
    if event_id:
        named = next((topic for topic in topics if topic.event.id == event_id), None)
        if named is None:
            raise UsageError(
                f"found --topic {event_id}, expected an event of project {project.name}: {listed}"
            )
        return named
    if len(topics) != 1:
        raise UsageError(
            f"found {len(topics)} topics in project {project.name}, expected one; "
            f"say which with --topic EVENT_ID: {listed}"
        )
    return topics[0]


def _few(ids: Iterable[str], most: int = 20) -> Iterator[str]:
    for at, one in enumerate(ids):
        if at == most:
            yield "…"
            return
        yield one
