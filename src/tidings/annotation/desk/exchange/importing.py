"""Bringing judgments to the desk: topics and pools as items, what was judged as values of objects.

An import says what its files say and leaves alone what people did: an object that somebody changed since the import
before keeps its value, and what the files no longer hold goes only where an import had brought it: not a nugget to
which somebody has matched an update.

A run whose updates are pooled is an item of kind `run` with topic 0. Of its updates what scorers look at is kept, as
columns; columns that say nothing (no update has a text, say) are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from math import copysign, isfinite
from typing import Any

import msgspec
from msgspec import Struct

from tidings.annotation.desk.exchange.origins import origin_items
from tidings.annotation.store import Act, Desk, ObjectView
from tidings.core import (
    FINAL,
    SHARED,
    Change,
    DeskItem,
    DeskTopic,
    Event,
    Judgments,
    Nugget,
    Project,
    Revision,
    Run,
    RunCard,
    Update,
    UsageError,
    bare_event_id,
)
from tidings.sources import pooled_time

RUNS_TOPIC = 0
"""Where runs stand: they tell of many topics."""
_ALWAYS = ("event_id", "doc_id", "sentence_index", "time", "confidence")
_WHERE_SAID = ("text", "published_time", "source", "title", "url")
_INFINITE = 1000.0
_ID_CHARS = 300


def run_item(project_id: int, run: Run) -> DeskItem:
    """A run as an item: its team, name, card and updates, but not its values, rankings and supports.

    A confidence that is no finite number becomes ±1000, as the official scorers have it.

    >>> run = Run("us", "one", (Update("storm", "d", 0, 60, float("inf"), text="It rains."),))
    >>> item = run_item(1, run)
    >>> item.id, item.kind, item.topic, item.content["updates"]["confidence"]
    ('us/one', 'run', 0, [1000.0])
    >>> run_of_item(item).updates[0].text
    'It rains.'
    """
    columns: dict[str, list[Any]] = {name: [] for name in (*_ALWAYS, *_WHERE_SAID)}
    for update in run.updates:
        for name, column in columns.items():
            column.append(getattr(update, name))
    columns["confidence"] = [
        value if isfinite(value) else copysign(_INFINITE, value) for value in columns["confidence"]
    ]
    kept = {name: column for name, column in columns.items() if name in _ALWAYS or any(column)}
    content = {
        "team": run.team,
        "name": run.name,
        "card": None if run.card is None else msgspec.to_builtins(run.card),
        "updates": kept,
    }
    first = min(columns["time"], default=0)
    return DeskItem(project_id, RUNS_TOPIC, "run", f"{run.team}/{run.name}"[:_ID_CHARS], 0, first, content)


def run_of_item(item: DeskItem) -> Run:
    """The run that `run_item` was given."""
    columns = item.content["updates"]
    names = list(columns)
    updates = tuple(
        Update(**dict(zip(names, row, strict=True))) for row in zip(*columns.values(), strict=True)
    )
    card = item.content["card"]
    return Run(
        item.content["team"],
        item.content["name"],
        updates,
        None if card is None else msgspec.convert(card, RunCard),
    )


def add_runs(desk: Desk, project: Project, runs: Iterable[Run]) -> int:
    """Add runs to a project; says how many were not there yet.

    Raises:
        StoreError: the project has another run of the same team and name.
    """
    return desk.projects.add_items(run_item(project.id, run) for run in runs)


def runs_of(desk: Desk, project: Project) -> list[Run]:
    """The runs of a project, as they were added."""
    return [run_of_item(item) for item in desk.projects.items(project.id, RUNS_TOPIC, "run")]


REVISION = "revision"
"""The kind of the items; an item's content is the text, title, author and comment of a revision."""


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
            raise UsageError(f"a revision's id of {len(one.id)} characters (expected 1 to {_ID_CHARS})")
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
            raise UsageError(f"--topic {event_id} (expected an event of project {project.name}): {listed}")
        return named
    if len(topics) != 1:
        raise UsageError(
            f"{len(topics)} topics in project {project.name} (expected one); "
            f"say which with --topic EVENT_ID: {listed}"
        )
    return topics[0]


def _few(ids: Iterable[str], most: int = 20) -> Iterator[str]:
    for at, one in enumerate(ids):
        if at == most:
            yield "…"
            return
        yield one


IMPORT = "import"
"""The operation of acts that import."""


class Imported(Struct, frozen=True):
    """What an import did.

    Args:
        topics: that the files tell of.
        items: that were not there before.
        objects: whose judgment is new, another, or gone.
        kept: that the files say something else of, but people have changed them since.
        doubled: places of an update in a further cluster, where the desk has each in one.
    """

    topics: int
    items: int
    objects: int
    kept: int = 0
    doubled: int = 0


def import_judgments(
    desk: Desk, project: Project, judgments: Judgments, *, advanced: Callable[[int], None] | None = None
) -> Imported:
    """Add topics, pool and judgments to a project.

    Nuggets are shared, as everybody matches to the same list; matches, clusters and grades are in the final layer, as
    judged before, and are in nobody's queue. Graded entities need sentences to be shown with, and come by
    `day_entities`. Each topic is one transaction: where this was ended in the middle, the
    same once more makes it whole.

    Args:
        desk: where.
        project: in which project.
        judgments: what is imported; tables that are empty say nothing.
        advanced: called with the number of topics that are done.

    Raises:
        StoreError: the project has another text under an update's id.
    """
    numbers = add_topics(desk, project, _events(judgments))
    desk.projects.add_items(origin_items(desk, project, judgments, numbers))
    items = desk.projects.add_items(_items(project, judgments, numbers))
    written = kept = doubled = 0
    by_topic = _Tables(judgments)
    for done, (bare, number) in enumerate(numbers.items(), 1):
        changes, twice = by_topic.changes(bare)
        doubled += twice
        one_written, one_kept = _record(desk, project, number, changes)
        written, kept = written + one_written, kept + one_kept
        if advanced is not None:
            advanced(done)
    return Imported(len(numbers), items, written, kept, doubled)


def add_topics(desk: Desk, project: Project, events: Iterable[Event]) -> dict[str, int]:
    """The numbers of these events in a project, by bare id; those that it does not have are added."""
    there = {bare_event_id(topic.event.id): topic.number for topic in desk.projects.topics(project.id)}
    numbers = {}
    for event in events:
        bare = bare_event_id(event.id)
        numbers[bare] = there[bare] if bare in there else desk.projects.add_topic(project.id, event).number
    return numbers


def _record(desk: Desk, project: Project, number: int, changes: list[Change]) -> tuple[int, int]:
    # How many objects were changed, and how many were left as people made them.
    kept = 0
    kinds = dict.fromkeys((change.layer, change.kind) for change in changes)

    def make(view: ObjectView) -> Iterator[Change]:
        nonlocal kept
        kept = 0
        view.load(kinds)
        ours = view.made_by(IMPORT)
        named = set()
        for change in changes:
            named.add((change.layer, change.kind, change.id))
            there = view.get(change.layer, change.kind, change.id)
            if there is None or there.version in ours:
                yield change
            elif there.value != change.value:
                kept += 1
        gone = [
            there
            for layer, kind in kinds
            for there in view.all(layer, kind)
            if there.version in ours and (layer, kind, there.id) not in named
        ]
        matched = _matched(view, ours) if any(one.kind == "nugget" for one in gone) else frozenset()
        for there in gone:
            if there.kind == "nugget" and there.id in matched:
                kept += 1
            else:
                yield Change(there.layer, there.kind, there.id, None)

    if not changes:
        return 0, 0
    content = msgspec.json.encode([(one.layer, one.kind, one.id, one.value) for one in changes])
    now = desk.projects.get(project.id) or project
    key = f"import-{number}-{now.last_seq}-{sha256(content).hexdigest()[:24]}"
    recorded = desk.log.record(project.id, Act(key=key, operation=IMPORT, topic=number), make)
    return len(recorded.entries), kept


def _matched(view: ObjectView, ours: set[int]) -> frozenset[str]:
    # Nuggets to which people have matched updates.
    return frozenset(
        match["nugget"]
        for one in view.in_all_layers("matches")
        if one.version not in ours
        for match in one.value["matches"]
    )


def _events(judgments: Judgments) -> list[Event]:
    listed = {bare_event_id(event.id): event for event in judgments.events}
    for event_id in _event_ids(judgments):
        listed.setdefault(bare_event_id(event_id), Event(id=event_id, title=event_id, query=event_id))
    return list(listed.values())


def _event_ids(judgments: Judgments) -> dict[str, None]:
    ids = dict.fromkeys(row.event_id for row in judgments.pool)
    ids.update(dict.fromkeys(nugget.event_id for nugget in judgments.nuggets))
    ids.update(dict.fromkeys(match.event_id for match in judgments.matches))
    ids.update(dict.fromkeys(cluster.event_id for cluster in judgments.clusters))
    return ids


def _items(project: Project, judgments: Judgments, numbers: dict[str, int]) -> Iterator[DeskItem]:
    seen = set()
    for row in judgments.pool:
        number = numbers[bare_event_id(row.event_id)]
        if (number, row.id) not in seen:
            seen.add((number, row.id))
            content = msgspec.to_builtins(row)
            yield DeskItem(project.id, number, "update", row.id, 0, pooled_time(row) or 0, content)


class _Tables:
    """Judgments by topic."""

    def __init__(self, judgments: Judgments) -> None:
        self.nuggets = _grouped(judgments.nuggets)
        self.pool = _grouped(judgments.pool) if judgments.matches else {}
        self.matches = _grouped(judgments.matches)
        self.clusters = _grouped(judgments.clusters)

    def changes(self, bare: str) -> tuple[list[Change], int]:
        """What a topic's judgments are as changes, and how many places in further clusters are left out."""
        changes = [Change(SHARED, "nugget", one.id, nugget_value(one)) for one in self.nuggets.get(bare, ())]
        matches: dict[str, list[Any]] = {row.id: [] for row in self.pool.get(bare, ())}
        for one in self.matches.get(bare, ()):
            span = {"nugget": one.nugget_id, "start": one.start, "end": one.end, "automatic": one.automatic}
            matches.setdefault(one.update_id, []).append(span)
        changes += [Change(FINAL, "matches", name, {"matches": found}) for name, found in matches.items()]
        cluster_of: dict[str, str] = {}
        places = 0
        for cluster in self.clusters.get(bare, ()):
            changes.append(Change(FINAL, "cluster", cluster.id, {"label": cluster.label}))
            places += len(cluster.update_ids)
            for update_id in cluster.update_ids:
                cluster_of.setdefault(update_id, cluster.id)
        changes += [Change(FINAL, "membership", name, {"cluster": own}) for name, own in cluster_of.items()]
        return changes, places - len(cluster_of)


def _grouped(rows: Sequence[Any]) -> dict[str, list[Any]]:
    grouped: dict[str, list[Any]] = {}
    bare: dict[str, str] = {}
    for row in rows:
        event_id = row.event_id
        if event_id not in bare:
            bare[event_id] = bare_event_id(event_id)
        grouped.setdefault(bare[event_id], []).append(row)
    return grouped


def nugget_value(nugget: Nugget) -> dict[str, Any]:
    """A nugget as the value of an object.

    >>> nugget_value(Nugget("storm", "n1", 60, 2, "It rains."))["importance"]
    2
    """
    return {
        "text": nugget.text,
        "importance": nugget.importance,
        "time": nugget.time,
        "needs": [],
        "listed_length": nugget.listed_length,
    }
