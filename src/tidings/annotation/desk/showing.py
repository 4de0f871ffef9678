"""Values of objects in words: what a change changed, what a judgment says, and the page on which it is judged."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import msgspec

from tidings.annotation.store import Desk
from tidings.core import TASKS

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


_SHORT_CHARS = 200


class Difference(msgspec.Struct, frozen=True):
    """One part of a value that a change changed."""

    name: str
    before: str
    after: str


def short(value: Any, longest: int = _SHORT_CHARS) -> str:
    """A value as JSON, cut where it is long; empty for None.

    >>> short({"grade": 2}), short(None), short("a" * 20, 8)
    ('{"grade":2}', '', '"aaaaaa…')
    """
    if value is None:
        return ""
    text = value if isinstance(value, str) and longest > _SHORT_CHARS else msgspec.json.encode(value).decode()
    return text if len(text) <= longest else text[: longest - 1] + "…"


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


def in_words(kind: str, value: Any, names: dict[str, str], text: str = "") -> list[str]:
    """A judgment as lines that people read.

    Args:
        kind: of the object.
        value: its value; None is no judgment.
        names: what nuggets, clusters and events are called.
        text: of the item, of which spans are quoted.

    >>> in_words("matches", {"matches": [{"nugget": "n1", "start": 0, "end": 5}]}, {"n1": "A fire"}, "Fires rage.")
    ['A fire: “Fires”']
    >>> in_words("membership", {"cluster": None}, {}), in_words("relevance", {"grade": 2}, {})
    (['not relevant'], ['highly relevant'])
    """
    if value is None:
        return ["no judgment"]
    if kind == "matches":
        return [_match(match, names, text) for match in value["matches"]] or ["tells no nugget"]
    if kind == "relevance":
        return [("not relevant", "relevant", "highly relevant")[value["grade"]]]
    if kind == "membership":
        cluster = value["cluster"]
        return ["not relevant" if cluster is None else names.get(cluster, cluster)]
    if kind == "links":
        return [names.get(event, event) for event in value["events"]] or ["tells of no event"]
    if kind == "verdict":
        return ["accepted" if value["accepted"] else "rejected"]
    if kind == "grade":
        return [f"grade {value['grade']}"]
    if kind == "answer":
        return [f"sentence {value['sentence']}", "important" if value["important"] else "not important"]
    return [short(value)]


def _match(match: dict[str, Any], names: dict[str, str], text: str) -> str:
    quoted = text[match["start"] : match["end"]]
    nugget = names.get(match["nugget"], match["nugget"])
    return f"{nugget}: “{quoted}”" if quoted else str(nugget)


def many(count: int, word: str) -> str:
    """How many of something there are, in words.

    >>> many(1, "topic"), many(2000, "new item")
    ('1 topic', '2,000 new items')
    """
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def names_of(desk: Desk, project_id: int, topic: int, layers: tuple[str, ...]) -> dict[str, str]:
    """What nuggets, clusters and events of some layers are called."""
    words = {"nugget": "text", "cluster": "label", "event": "text", "merged-event": "text"}
    return {
        judged.id: str(judged.value.get(words[judged.kind]) or judged.id)
        for layer in layers
        for judged in desk.log.objects(project_id, topic, layer=layer)
        if judged.kind in words
    }


def text_of(desk: Desk, project_id: int, topic: int, kind: str, object_id: str) -> str:
    """The text of the item that an object judges; empty where it has none."""
    item_kind = {"links": "sentence", "verdict": "sentence", "grade": "day-entity", "answer": "day-entity"}
    shown = object_id.split("|", maxsplit=1)[0] if kind == "verdict" else object_id
    item = desk.projects.item(project_id, topic, item_kind.get(kind, "update"), shown)
    content = item.content if item is not None else {}
    return str(content.get("text", "")) if isinstance(content, dict) else ""
