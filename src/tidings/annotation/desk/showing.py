"""Values of objects in words: what a change changed, what a judgment says, and the page on which it is judged."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import msgspec

from tidings.annotation.store import Desk
from tidings.annotation.tasks import KINDS, TASKS, short

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


class Difference(msgspec.Struct, frozen=True):
    """One part of a value that a change changed."""

    name: str
    before: str
    after: str


def differences(before: Any, after: Any) -> list[Difference]:
    """What differs between two values: by their parts where both have parts.

    >>> differences({"text": "A fire.", "time": 1}, {"text": "A great fire.", "time": 1})
    [Difference(name='text', before='"A fire."', after='"A great fire."')]
    >>> differences(None, {"grade": 2})
    [Difference(name='grade', before='', after='2')]
    """
    earlier = before if isinstance(before, dict) else {} if before is None else {"": before}
    other = after if isinstance(after, dict) else {} if after is None else {"": after}
    return [
        Difference(name, short(earlier.get(name)), short(other.get(name)))
        for name in dict.fromkeys([*earlier, *other])
        if earlier.get(name) != other.get(name)
    ]


def names_of(desk: Desk, project_id: int, topic: int, layers: tuple[str, ...]) -> dict[str, str]:
    """What nuggets, clusters and events of some layers are called."""
    return {
        judged.id: str(judged.value.get(KINDS[judged.kind].name) or judged.id)
        for layer in layers
        for judged in desk.log.objects(project_id, topic, layer=layer)
        if judged.kind in KINDS and KINDS[judged.kind].name
    }


def text_of(desk: Desk, project_id: int, topic: int, kind: str, object_id: str) -> str:
    """The text of the item that an object judges; empty where it has none."""
    item_kind = KINDS[kind].item if kind in KINDS else ""
    shown = object_id.split("|", maxsplit=1)[0] if kind == "verdict" else object_id
    item = desk.projects.item(project_id, topic, item_kind or "update", shown)
    content = item.content if item is not None else {}
    return str(content.get("text", "")) if isinstance(content, dict) else ""
