"""Where on the desk something is judged: the address of its page, with its place on it."""

from __future__ import annotations

from urllib.parse import quote

from tidings.core import TASKS

__all__ = ["item_link", "task_of_kind"]

_ITEM_TASKS = {
    "update": "matching",
    "sentence": "linking",
    "revision": "extraction",
    "day-entity": "entities",
}


def task_of_kind(kind: str) -> str:
    """The task that judges objects of a kind, or works on items of it; empty where none does.

    >>> task_of_kind("matches"), task_of_kind("day-entity"), task_of_kind("note")
    ('matching', 'entities', '')
    """
    return next((task.id for task in TASKS if kind in task.kinds), _ITEM_TASKS.get(kind, ""))


def item_link(project_id: int, topic: int, kind: str, object_id: str, page: str = "") -> str:
    """The address at which an item or an object is shown; a topic's first page where its kind has none.

    Args:
        project_id, topic: where.
        kind, object_id: what.
        page: the word of the page, where it is known.

    >>> item_link(1, 2, "matches", "d-0#1")
    '/projects/1/topics/2/matching?at=d-0%231'
    >>> item_link(1, 2, "grade", "2012-10-29|Sandy")
    '/projects/1/topics/2/entities?day=2012-10-29'
    """
    word = page or task_of_kind(kind)
    if not word:
        return f"/projects/{project_id}"
    path = f"/projects/{project_id}/topics/{topic}/{quote(word)}"
    if word == "entities":
        return f"{path}?day={quote(object_id.split('|', maxsplit=1)[0], safe='')}"
    shown = object_id.split("|", maxsplit=1)[0] if kind == "verdict" else object_id
    return f"{path}?at={quote(shown, safe='')}"
