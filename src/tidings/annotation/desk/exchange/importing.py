"""Bringing judgments to the desk: topics and pools as items, what was judged as values of objects.

An import says what its files say and leaves alone what people did: an object that someone changed since the import
before keeps its value, and what the files no longer hold goes only where an import had brought it: not a nugget to
which someone has matched an update.

A run whose updates are pooled is an item of kind `run` with topic 0. Of its updates what scorers look at is kept, as
columns; columns that say nothing (no update has a text, say) are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from math import copysign, isfinite
from typing import Any

import msgspec
from msgspec import Struct

from tidings.annotation.desk.exchange.origins import origin_items, rows_by_topic
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
    PossibleMatch,
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
"""Where runs stand: they are about many topics."""
_ALWAYS = ("event_id", "doc_id", "sentence_index", "time", "confidence")
_WHERE_SAID = ("text", "published_time", "source", "title", "url")
_INFINITE = 1000.0  # what the official scorers read for a confidence without bound
_ID_CHARS = 300
_LISTED = 20  # ids in a message


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
    columns = {name: [getattr(update, name) for update in run.updates] for name in (*_ALWAYS, *_WHERE_SAID)}
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
    card = msgspec.convert(item.content["card"], RunCard | None)
    return Run(item.content["team"], item.content["name"], updates, card)


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
    for revision in sorted(revisions, key=lambda revision: revision.time):
        name, text = revision.id, revision.text
        if text == last:
            unchanged += 1
            continue
        if not 1 <= len(name) <= _ID_CHARS:
            raise UsageError(f"A revision has an id of {len(name)} characters. Use 1 to {_ID_CHARS}.")
        last = text
        content = {key: getattr(revision, key) for key in ("text", "title", "author", "comment")}
        changed.append(DeskItem(project.id, topic.number, REVISION, name, 0, revision.time, content))
    return ImportedRevisions(desk.projects.add_items(changed), unchanged)


def topic_for(desk: Desk, project: Project, event_id: str = "") -> DeskTopic:
    """The topic that is meant: that of the event, or the only one; UsageError where none or several may be."""
    topics = desk.projects.topics(project.id)
    chosen = [topic for topic in topics if event_id in ("", topic.event.id)]
    if len(chosen) == 1:
        return chosen[0]
    ids = [topic.event.id for topic in topics]
    listed = ", ".join([*ids[:_LISTED], *(["…"] if len(ids) > _LISTED else [])]) or "none"
    if event_id:
        raise UsageError(f"--topic {event_id}: project {project.name} has no such event; it has {listed}")
    raise UsageError(
        f"project {project.name} has {len(topics)} topics; say which with --topic EVENT_ID: {listed}"
    )


SUGGESTION = "suggestion"
"""The kind of what a program says that an update matches."""
LEAST_SUGGESTED = 0.5
"""The probability from which a program takes it that an update says a nugget."""

IMPORT = "import"
"""The operation of acts that import."""


class Imported(Struct, frozen=True):
    """What an import did.

    Args:
        topics: that the files are about.
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

    Nuggets are shared, as everyone matches to the same list; matches, clusters and grades are in the final layer, as
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


def import_suggestions(
    desk: Desk, project: Project, pairs: Iterable[PossibleMatch], by: str
) -> tuple[int, int]:
    """Keep what a program says that updates match, to be shown beside people's own answers.

    Args:
        desk: where.
        project: in which project.
        pairs: as `tidings match` writes them; an update matches those of at least LEAST_SUGGESTED, perhaps nothing.
        by: whose suggestions they are.

    Returns:
        How many updates have another suggestion than before, and how many pairs are of updates or nuggets that the
        project lacks.
    """
    listed: dict[str, dict[str, list[PossibleMatch]]] = {}
    for pair in pairs:
        listed.setdefault(bare_event_id(pair.event_id), {}).setdefault(pair.update_id, []).append(pair)
    written = lacking = 0
    for topic in desk.projects.topics(project.id):
        updates = listed.pop(bare_event_id(topic.event.id), {})
        pool = desk.projects.items(project.id, topic.number, "update") if updates else ()
        lengths = {item.id: len(item.content["text"]) for item in pool}
        nuggets = desk.log.ids(project.id, topic.number, "nugget", [SHARED])
        changes = []
        for update_id, found in updates.items():
            length = lengths.get(update_id, -1)
            known = [pair for pair in found if pair.nugget_id in nuggets and pair.end <= length]
            lacking += len(found) - len(known)
            if known:
                likely = sorted(
                    (pair for pair in known if pair.probability >= LEAST_SUGGESTED),
                    key=lambda pair: (-pair.probability, pair.nugget_id),
                )
                matches = [{"nugget": one.nugget_id, "start": one.start, "end": one.end} for one in likely]
                changes.append(Change(SHARED, SUGGESTION, update_id, {"by": by, "matches": matches}))
        written += _record(desk, project, topic.number, changes)[0]
    return written, lacking + sum(len(found) for updates in listed.values() for found in updates.values())


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
        matched = _match(view, ours) if any(there.kind == "nugget" for there in gone) else frozenset()
        for there in gone:
            if there.kind == "nugget" and there.id in matched:
                kept += 1
            else:
                yield Change(there.layer, there.kind, there.id, None)

    if not changes:
        return 0, 0
    content = [(change.layer, change.kind, change.id, change.value) for change in changes]
    now = desk.projects.get(project.id) or project
    key = f"import-{number}-{now.last_seq}-{_digest(content)}"
    recorded = desk.log.record(project.id, Act(key=key, operation=IMPORT, topic=number), make)
    return len(recorded.entries), kept


def record_import(
    desk: Desk, project: Project, topic: int, what: str, changes: list[Change], content: Any
) -> int:
    """Write changes of a topic as an act that the same `content` does not repeat; says how many objects changed."""
    key = f"import-{what}-{topic}-{_digest(content)}"
    recorded = desk.log.record(project.id, Act(key=key, operation=IMPORT, topic=topic), changes)
    return 0 if recorded.repeated else len(recorded.entries)


def _digest(content: Any) -> str:
    return sha256(msgspec.json.encode(content)).hexdigest()[:24]


def _match(view: ObjectView, ours: set[int]) -> frozenset[str]:
    # Nuggets to which people have matched updates.
    return frozenset(
        match["nugget"]
        for judged in view.in_all_layers("matches")
        if judged.version not in ours
        for match in judged.value["matches"]
    )


def _events(judgments: Judgments) -> list[Event]:
    listed = {bare_event_id(event.id): event for event in judgments.events}
    tables = (judgments.pool, judgments.nuggets, judgments.matches, judgments.clusters)
    for event_id in dict.fromkeys(row.event_id for table in tables for row in table):
        listed.setdefault(bare_event_id(event_id), Event(id=event_id, title=event_id, query=event_id))
    return list(listed.values())


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
        self.nuggets = rows_by_topic(judgments.nuggets)
        self.pool = rows_by_topic(judgments.pool) if judgments.matches else {}
        self.matches = rows_by_topic(judgments.matches)
        self.clusters = rows_by_topic(judgments.clusters)

    def changes(self, bare: str) -> tuple[list[Change], int]:
        """What a topic's judgments are as changes, and how many places in further clusters are left out."""
        changes = [
            Change(SHARED, "nugget", nugget.id, nugget_value(nugget)) for nugget in self.nuggets.get(bare, ())
        ]
        matches: dict[str, list[Any]] = {row.id: [] for row in self.pool.get(bare, ())}
        for match in self.matches.get(bare, ()):
            matches.setdefault(match.update_id, []).append(
                {
                    "nugget": match.nugget_id,
                    "start": match.start,
                    "end": match.end,
                    "automatic": match.automatic,
                }
            )
        changes += [Change(FINAL, "matches", name, {"matches": found}) for name, found in matches.items()]
        clusters = self.clusters.get(bare, ())
        changes += [Change(FINAL, "cluster", cluster.id, {"label": cluster.label}) for cluster in clusters]
        places = [(update, cluster.id) for cluster in clusters for update in cluster.update_ids]
        cluster_of = dict(reversed(places))
        changes += [
            Change(FINAL, "membership", update, {"cluster": cluster_of[update]})
            for update in dict.fromkeys(update for update, _ in places)
        ]
        return changes, len(places) - len(cluster_of)


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
