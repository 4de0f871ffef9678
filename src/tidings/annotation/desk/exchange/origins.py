"""What is peculiar to files that were imported, kept so that an export gives them back as they were.

Judgments are what they mean; files have an order of rows too, rows twice, and offsets in a unit of their own. All this
goes into items of kind `origin`, one for each topic and one (topic 0) for what holds of all. An import of other files
adds new ones; the latest counts.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from tidings.annotation.store import Desk
from tidings.core import DeskItem, Judgments, Match, PooledUpdate, Project, ValueUpdate, bare_event_id

ORIGIN = "origin"
"""The kind of these items."""

Row = TypeVar("Row")
Span = tuple[str, int, int]


class TopicOrigin(Struct, frozen=True, omit_defaults=True):
    """What was peculiar to the files of one topic.

    Args:
        nuggets: their ids in the order of the file.
        matches: (update, nugget, start, end) in the order of the file, where that is not the order of the updates.
        clusters: their ids, with those of their updates, in the order of the file.
        entities: (date, entity) of graded ones, in the order of the file.
        rows: (place in the file, row) of pooled updates that the file has a second time.
        spans: (update, start, end) of texts beyond ASCII, where the official scorers take them for bytes.
        values: tracked values, of which the desk judges none.
    """

    nuggets: list[str] = []
    matches: list[tuple[str, str, int, int]] = []
    clusters: list[tuple[str, list[str]]] = []
    entities: list[tuple[str, str]] = []
    rows: list[tuple[int, PooledUpdate]] = []
    spans: list[Span] = []
    values: list[ValueUpdate] = []


class FilesOrigin(Struct, frozen=True, omit_defaults=True):
    """What was peculiar to files of all topics.

    Args:
        byte_spans, pool_headless, pool_whole, duplicates: as of `Judgments`.
        turns: by table (nuggets, matches, pool), which topic has how many rows after each other, where a topic comes
            twice or out of its turn.
    """

    byte_spans: bool = False
    pool_headless: bool = False
    pool_whole: bool = False
    duplicates: dict[str, str] = {}
    turns: dict[str, list[tuple[str, int]]] = {}


def origin_items(
    desk: Desk, project: Project, judgments: Judgments, topics: dict[str, int]
) -> Iterator[DeskItem]:
    """The items of what is peculiar to these judgments, but where the latest say so already.

    `topics` are the numbers of topics by their bare event id.
    """
    texts = {(row.event_id, row.id): row.text for row in reversed(judgments.pool)}
    parts = {name: rows_by_topic(getattr(judgments, name)) for name in _TABLES}
    origins: dict[int, TopicOrigin | FilesOrigin] = {
        number: _origin_of(
            {name: part.get(bare, []) for name, part in parts.items()}, texts, judgments.byte_spans
        )
        for bare, number in topics.items()
    }
    turns = {name: _turns(getattr(judgments, name), topics) for name in ("nuggets", "matches", "pool")}
    origins[0] = FilesOrigin(
        byte_spans=judgments.byte_spans,
        pool_headless=judgments.pool_headless,
        pool_whole=judgments.pool_whole,
        duplicates=judgments.duplicates,
        turns={name: chunks for name, chunks in turns.items() if chunks},
    )
    for number, origin in origins.items():
        before = desk.projects.items(project.id, number, ORIGIN)
        content = msgspec.to_builtins(origin)
        if _words(content) != _words(before[-1].content if before else {}):
            yield DeskItem(project.id, number, ORIGIN, str(len(before) + 1), 0, 0, content)


def _words(content: Any) -> bytes:
    return msgspec.json.encode(content, order="deterministic")


_TABLES = ("nuggets", "matches", "clusters", "entities", "pool", "values")


def _origin_of(
    parts: dict[str, list[Any]], texts: dict[tuple[str, str], str], byte_spans: bool
) -> TopicOrigin:
    matches: list[Match] = parts["matches"]
    first: dict[str, PooledUpdate] = {}
    again = []
    for place, row in enumerate(parts["pool"]):
        if first.setdefault(row.id, row) is not row:
            again.append((place, row))
    spans = {
        (match.update_id, match.start, match.end)
        for match in matches
        if byte_spans and not texts.get((match.event_id, match.update_id), "\x80").isascii()
    }
    in_order = not _out_of_order([match.update_id for match in matches], list(first))
    return TopicOrigin(
        nuggets=[nugget.id for nugget in parts["nuggets"]],
        matches=[]
        if in_order
        else [(match.update_id, match.nugget_id, match.start, match.end) for match in matches],
        clusters=[(cluster.id, list(cluster.update_ids)) for cluster in parts["clusters"]],
        entities=[(grade.date, grade.entity) for grade in parts["entities"]],
        rows=again,
        spans=sorted(spans),
        values=parts["values"],
    )


def rows_by_topic(rows: Iterable[Any]) -> dict[str, list[Any]]:
    """Rows of a table by the bare id of their event."""
    parts: dict[str, list[Any]] = {}
    for event_id, group in groupby(rows, key=lambda row: row.event_id):
        parts.setdefault(bare_event_id(event_id), []).extend(group)
    return parts


def _out_of_order(updates: list[str], pool: list[str]) -> bool:
    # Whether matches come in another order than the pool's rows, or those of one update not after each other.
    place = {update: number for number, update in enumerate(pool)}
    places = [place.get(update, len(pool)) for update, _ in groupby(updates)]
    return places != sorted(set(places))


def _turns(rows: Iterable[Any], topics: dict[str, int]) -> list[tuple[str, int]]:
    turns = [
        (bare_event_id(event), len(list(group)))
        for event, group in groupby(rows, key=lambda row: row.event_id)
    ]
    numbers = [topics[bare] for bare, _ in turns]
    return turns if numbers != sorted(set(numbers)) else []


def topic_origin(desk: Desk, project: Project, number: int) -> TopicOrigin:
    """What is peculiar to the files that a topic came from; nothing, where it came from none."""
    items = desk.projects.items(project.id, number, ORIGIN)
    return msgspec.convert(items[-1].content, TopicOrigin) if items else TopicOrigin()


def files_origin(desk: Desk, project: Project) -> FilesOrigin:
    """The same of the files of all topics; of several imports the latest, but that their duplicates are together."""
    items = desk.projects.items(project.id, 0, ORIGIN)
    found = [msgspec.convert(item.content, FilesOrigin) for item in items]
    if not found:
        return FilesOrigin()
    duplicates = {update: other for origin in found for update, other in origin.duplicates.items()}
    byte_spans = any(origin.byte_spans for origin in found)
    return msgspec.structs.replace(found[-1], duplicates=duplicates, byte_spans=byte_spans)


def listed_first(rows: Sequence[Row], order: Iterable[Hashable], key: Callable[[Row], Hashable]) -> list[Row]:
    """The rows in the order in which a file lists their keys; what it does not list stays behind, as it is.

    >>> listed_first(["n1", "n2", "n3"], ["n3", "gone", "n1"], str)
    ['n3', 'n1', 'n2']
    """
    places: dict[Hashable, deque[int]] = defaultdict(deque)
    for place, one in enumerate(order):
        places[one].append(place)
    last = sum(map(len, places.values()))
    placed = [(places[key(row)].popleft() if places.get(key(row)) else last, row) for row in rows]
    return [row for _, row in sorted(placed, key=lambda pair: pair[0])]


def in_turns(parts: dict[str, list[Row]], turns: Sequence[tuple[str, int]]) -> list[Row]:
    """Rows by topic as one table: in turns where it had them, then what is left, topic by topic.

    >>> in_turns({"1": ["a", "b", "c"], "2": ["d"]}, [("1", 1), ("2", 1)])
    ['a', 'd', 'b', 'c']
    """
    left = {bare: deque(rows) for bare, rows in parts.items()}
    table = [
        left[bare].popleft()
        for bare, count in turns
        if bare in left
        for _ in range(min(count, len(left[bare])))
    ]
    return table + [row for rows in left.values() for row in rows]
