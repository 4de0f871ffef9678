"""Everything that one call of `tidings assess import` brings: read and checked first, then written.

A project is made again from `judgments.jsonl`: people, topics, items, and the log as it was.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, structs
from msgspec.structs import replace

from tidings.annotation.desk.exchange.checking import line_check
from tidings.annotation.desk.exchange.day_entities import (
    entities_of_grades,
    entities_of_rankings,
    import_day_entities,
)
from tidings.annotation.desk.exchange.event_links import import_event_links, import_stream, read_event_links
from tidings.annotation.desk.exchange.importing import (
    Imported,
    add_runs,
    add_topics,
    import_judgments,
    import_revisions,
    import_suggestions,
    topic_for,
)
from tidings.annotation.revisions import read_revisions
from tidings.annotation.store import USUAL_TASKS, Desk
from tidings.annotation.store.transfer import GivenItem
from tidings.annotation.tasks import TASKS
from tidings.core import (
    LATEST_TIME,
    Assignment,
    DeskItem,
    Event,
    Judgments,
    LogEntry,
    PossibleMatch,
    Project,
    Revision,
    Run,
    StoreError,
    UsageError,
    bare_event_id,
    find,
    how_many,
    judge_layer,
)
from tidings.evaluation import (
    DESK_LOG_FILE,
    FORMATS,
    AccountLine,
    AssignmentLine,
    ClaimLine,
    DeskLine,
    EntryLine,
    ItemLine,
    ProjectLine,
    TopicLine,
    entry_of,
    read_desk_lines,
    read_possible_matches,
    read_runs,
)
from tidings.sources import is_own_folder, pool_documents, read_events, read_judgments, read_stream


class Restored(Struct, frozen=True):
    """What came of it: the project, how many topics, new items and new entries of its log, and who has no password."""

    project: Project
    topics: int
    items: int
    entries: int
    new_accounts: tuple[str, ...]


def restore(desk: Desk, lines: Iterable[DeskLine], name: str) -> Restored:
    """Make a project of its lines, or add what a project lacks of them.

    People are found by name, and get an account without a password where there is none. The log's entries keep their
    numbers, times and people; they come last and in one transaction: what was ended in the middle is made whole by the
    same once more.

    Args:
        desk: where to.
        lines: as `read_desk_lines` gives them.
        name: of the project, whatever the lines call it.

    Raises:
        UsageError: the project has judgments that are not the first of these. StoreError: it has other topics or
            other items under the same ids.
    """
    parts: defaultdict[type, list[Any]] = defaultdict(list)
    for line in lines:
        parts[type(line)].append(line)
    project = _project(desk, parts[ProjectLine][0], name)
    numbers, made = _accounts(desk, project, parts[AccountLine])
    layers = {judge_layer(old): judge_layer(new) for old, new in numbers.items() if old != new}
    for topic in parts[TopicLine]:
        found = desk.projects.add_topic(project.id, topic.event)
        if found.number != topic.number:
            raise StoreError(
                f"{desk.store}: topic {topic.event.id} as number {found.number} of the project {project.name} "
                f"instead of {topic.number}; import into a project of another name"
            )
    for assigned in parts[AssignmentLine]:
        desk.projects.assign(Assignment(project.id, assigned.topic, assigned.task, numbers[assigned.account]))
    items = desk.projects.add_items(
        DeskItem(project.id, item.topic, item.kind, item.id, 0, item.time, item.content)
        for item in parts[ItemLine]
    )
    entries = [_entry(entry, numbers, layers) for entry in parts[EntryLine]]
    claims = [
        GivenItem(claim.topic, claim.task, claim.item, numbers[claim.account], claim.time)
        for claim in parts[ClaimLine]
    ]
    written = desk.transfer.take_over(project.id, entries, claims)
    return Restored(project, len(parts[TopicLine]), items, written, made)


def _project(desk: Desk, line: ProjectLine, name: str) -> Project:
    found = desk.projects.find(name)
    if found is not None:
        return found
    return desk.projects.add(
        name, tasks=line.tasks, judges=line.judges, idle_s=line.idle_s, guidelines=line.guidelines
    )


def _accounts(
    desk: Desk, project: Project, lines: list[AccountLine]
) -> tuple[dict[int, int], tuple[str, ...]]:
    numbers, made = {}, []
    members = {member.account_id for member in desk.projects.members(project.id)}
    there = {line.number: desk.accounts.find(line.name) for line in lines}
    # Two that differ in case alone are two: the account is of the one who is written like it.
    exact = {account.id for line in lines if (account := there[line.number]) and account.name == line.name}
    for line in lines:
        account = there[line.number]
        if account is None or (account.name != line.name and account.id in exact):
            account = desk.accounts.add(line.name, as_written=True)
            made.append(line.name)
        exact.add(account.id)
        numbers[line.number] = account.id
        if line.role and account.id not in members:
            desk.projects.set_member(project.id, account.id, "lead" if line.role == "lead" else "assessor")
    return numbers, tuple(made)


def _entry(line: EntryLine, numbers: dict[int, int], layers: dict[str, str]) -> LogEntry:
    return structs.replace(
        entry_of(line),
        layer=layers.get(line.layer, line.layer),
        before=_rename(line.before, layers),
        after=_rename(line.after, layers),
        account_id=None if line.account is None else numbers[line.account],
        # A browser's clock may say anything.
        made_ms=min(max(line.made_ms, 0), LATEST_TIME * 1000),
    )


_WORDS = ("text", "label")
"""Keys of what people write, in which nothing is renamed."""


def _rename(value: Any, layers: dict[str, str]) -> Any:
    """A value with the layers that it names (a merged event's, say) as they are called here."""
    if not layers:
        return value
    if isinstance(value, str):
        return layers.get(value, value)
    if isinstance(value, list):
        return [_rename(part, layers) for part in value]
    if isinstance(value, dict):
        return {
            layers.get(key, key): part if key in _WORDS else _rename(part, layers)
            for key, part in value.items()
        }
    return value


Moved = Callable[[int, int, str], None]
"""Called with how much is done, of how much (0: nobody knows), and what it is."""


class Inputs(Struct, frozen=True, kw_only=True):
    """What was read.

    Args:
        judgments: topics, pool and judgments of a folder, or of a pool and topics alone; None where nothing of it came.
        history: the lines of an export's judgments.jsonl, which says all that the folder's tables say.
        folder: where graded entities, links and the documents of these stand; None where there is none.
        events: of --topics and of the runs' cards.
        runs: to show scores of.
        streams: paths of documents.
        revisions: of a page, and the event that they belong to (empty: the only one).
        guidelines: Markdown; None where none came.
        unjudged: whether what is judged stays out.
        suggestions: what a program says that updates match.
        suggested_by: the name of their file, without its ending.
    """

    judgments: Judgments | None = None
    history: tuple[DeskLine, ...] = ()
    folder: Path | None = None
    events: tuple[Event, ...] = ()
    runs: tuple[Run, ...] = ()
    streams: tuple[str, ...] = ()
    revisions: tuple[Revision, ...] = ()
    topic: str = ""
    guidelines: str | None = None
    unjudged: bool = False
    suggestions: tuple[PossibleMatch, ...] = ()
    suggested_by: str = ""

    @classmethod
    def read(
        cls,
        *,
        folder: str | None = None,
        pool: str | None = None,
        topics: str | None = None,
        runs: Sequence[str] = (),
        streams: Sequence[str] = (),
        revisions: str | None = None,
        topic: str = "",
        guidelines: str | None = None,
        unjudged: bool = False,
        tables: bool = False,
        suggestions: str | None = None,
        notes: list[str] | None = None,
    ) -> Inputs:
        """Read what was named; nothing is written anywhere.

        Raises:
            UsageError: nothing was named, or what does not go together. FormatError: bad lines.
        """
        if not any((folder, pool, topics, runs, streams, revisions, suggestions)) and guidelines is None:
            raise UsageError(
                "nothing to import: name a FOLDER, or give --pool, --topics, --run, --stream, --revisions, "
                "--suggestions or --guidelines"
            )
        if topic and not revisions:
            raise UsageError("--topic needs --revisions: it says whose history that is")
        if folder and pool:
            raise UsageError(f"--pool {pool} and {folder}: give one of them, as the folder has a pool")
        read = tuple(run for path in runs for run in read_runs(path))
        about = _events(topics, read)
        history = () if tables or unjudged else _history(folder)
        judgments = None if history else _judgments(folder, pool, about, unjudged)
        if any(run.rankings for run in read) and judgments is None and not streams:
            raise UsageError(
                "a run that ranks entities needs documents, whose sentences judges are shown: give --stream FILE or "
                "FOLDER"
            )
        return cls(
            judgments=judgments,
            history=history,
            folder=Path(folder) if folder else None,
            events=about if judgments is None else judgments.events,
            runs=read,
            streams=tuple(streams),
            revisions=tuple(read_revisions(revisions, notes=notes)) if revisions is not None else (),
            topic=topic,
            guidelines=guidelines,
            unjudged=unjudged,
            suggestions=read_possible_matches(suggestions) if suggestions is not None else (),
            suggested_by=Path(suggestions or "").name.split(".")[0],
        )

    def bring(
        self, desk: Desk, name: str, *, judges: int | None = None, moved: Moved = lambda *_: None
    ) -> list[str]:
        """Write it into the project of that name, made where there is none; gives lines that say what was done.

        Where this was ended in the middle, the same once more brings what is missing.

        Raises:
            UsageError, StoreError: as the parts say; what came before such a part stays.
        """
        lines = []
        project = desk.projects.find(name)
        if self.history:
            moved(0, 0, "history")
            done = restore(desk, self.history, name)
            project = done.project
            lines.append(
                f"{name}: {how_many(done.topics, 'topic')}, {how_many(done.items, 'new item')}, "
                f"{how_many(done.entries, 'judgment')} of its log"
            )
            if done.new_accounts:
                lines.append(f"new accounts, without a password yet: {', '.join(done.new_accounts)}")
        if project is None:
            project = desk.projects.add(name, tasks=self._tasks())
        project = self._settings(desk, project, judges)
        if self.judgments is not None:
            imported = import_judgments(
                desk, project, self.judgments, advanced=lambda at: moved(at, len(self.events), "topics")
            )
            lines += _imported_lines(name, imported)
            lines += self._beside(desk, project, self.judgments, moved)
        elif self.events and not self.history:
            lines.append(f"{name}: {how_many(len(add_topics(desk, project, self.events)), 'topic')}")
        return lines + self._rest(desk, project, moved)

    def _tasks(self) -> tuple[str, ...]:
        """The usual tasks, and those for which there is something to judge or that was judged."""
        judged, ranked = self.judgments, any(run.rankings for run in self.runs)
        linked = bool(self.streams) or (self.folder is not None and bool(read_event_links(self.folder).links))
        wanted = {
            *USUAL_TASKS,
            *(("clusters",) if judged is not None and judged.clusters else ()),
            *(("entities",) if ranked or (judged is not None and judged.entities) else ()),
            *(("events", "merging", "linking", "verification") if linked else ()),
        }
        return tuple(task.id for task in TASKS if task.id in wanted)

    def _settings(self, desk: Desk, project: Project, judges: int | None) -> Project:
        changed = project
        if judges is not None:
            changed = replace(changed, judges=judges)
        if self.guidelines is not None:
            changed = replace(changed, guidelines=self.guidelines)
        if changed != project:
            desk.projects.change(changed)
        return changed

    def _beside(self, desk: Desk, project: Project, judgments: Judgments, moved: Moved) -> list[str]:
        # What stands in the folder beside nuggets, matches and clusters.
        if self.folder is None:
            return []
        lines = []
        if judgments.entities:
            moved(0, 0, "entities")
            done = import_day_entities(
                desk,
                project,
                entities_of_grades(judgments.entities),
                self._documents(judgments),
                events=judgments.events,
                grades=() if self.unjudged else judgments.entities,
            )
            lines.append(f"{done.items:,} new entities of days, {how_many(done.objects, 'grade')}")
        links = read_event_links(self.folder)
        if links.links and not self.unjudged:
            count = import_event_links(desk, project, links)
            lines.append(f"{count:,} merged events and linked sentences")
        return lines

    def _documents(self, judgments: Judgments) -> Iterable[Any]:
        if self.streams:
            return (document for path in self.streams for document in read_stream(path))
        if self.folder is not None and is_own_folder(self.folder):
            return read_stream(self.folder)
        return pool_documents(judgments.pool)

    def _rest(self, desk: Desk, project: Project, moved: Moved) -> list[str]:
        lines = []
        if self.streams:
            documents = (document for path in self.streams for document in read_stream(path))
            events = [topic.event for topic in desk.projects.topics(project.id)]
            added = import_stream(
                desk, project, documents, events, advanced=lambda at: moved(at, 0, "documents")
            )
            lines.append(f"{how_many(added, 'new sentence')} of the stream")
        if self.revisions:
            moved(0, 0, "revisions")
            place = topic_for(desk, project, self.topic)
            done = import_revisions(desk, project, place, self.revisions)
            left_out = f"; {done.unchanged:,} that change nothing were left out" if done.unchanged else ""
            lines.append(f"{project.name}: {done.added:,} new revisions for {place.event.id}{left_out}")
        if self.suggestions:
            moved(0, 0, "suggestions")
            written, lacking = import_suggestions(desk, project, self.suggestions, self.suggested_by)
            lines.append(
                f"{how_many(written, 'new suggestion')} by {self.suggested_by}, shown to a judge after their own answer"
            )
            if lacking:
                lines.append(
                    f"{how_many(lacking, 'pair')} left out: the project lacks the update or the nugget"
                )
        scored = [run for run in self.runs if run.updates or not run.rankings]
        if scored:
            moved(0, 0, "runs")
            lines.append(
                f"{how_many(add_runs(desk, project, scored), 'new run')}, whose scores show while people judge"
            )
        return lines + self._import_ranked(desk, project, moved)

    def _import_ranked(self, desk: Desk, project: Project, moved: Moved) -> list[str]:
        # Entities of days that runs rank (`tidings entities`), to be judged.
        rankings = [ranking for run in self.runs for ranking in run.rankings]
        if not rankings:
            return []
        moved(0, 0, "entities")
        documents = self._documents(self.judgments or Judgments(name=project.name))
        entities = entities_of_rankings(rankings)
        done = import_day_entities(desk, project, entities, documents, events=self.events)
        return [f"{done.items:,} new entities of days, to be judged"]


def _imported_lines(name: str, done: Imported) -> list[str]:
    lines = [
        f"{name}: {how_many(done.topics, 'topic')}, {how_many(done.items, 'new item')}, "
        f"{how_many(done.objects, 'new or other judgment')}"
    ]
    if done.kept:
        lines.append(
            f"{how_many(done.kept, 'judgment')} that people changed since the import before stay as they are"
        )
    if done.doubled:
        lines.append(
            f"{how_many(done.doubled, 'place')} of updates in further clusters left out; each is kept in its first"
        )
    return lines


def _events(topics: str | None, runs: Sequence[Run]) -> tuple[Event, ...]:
    listed = list(read_events(topics)) if topics else []
    listed += [event for run in runs if run.card is not None for event in run.card.events]
    return tuple({bare_event_id(event.id): event for event in reversed(listed)}.values())[::-1]


def _history(folder: str | None) -> tuple[DeskLine, ...]:
    path = find(folder, DESK_LOG_FILE) if folder else None
    return () if path is None else tuple(read_desk_lines(path, line_check()))


def _judgments(
    folder: str | None, pool: str | None, about: tuple[Event, ...], unjudged: bool
) -> Judgments | None:
    if folder:
        given = read_judgments(folder)
    elif pool:
        rows = tuple(FORMATS["pool"].read(pool))
        ids = dict.fromkeys(row.event_id for row in rows)
        given = Judgments(name=Path(pool).stem, pool=rows, events=_known_events(about, ids))
    else:
        return None
    if about and folder:
        ids = dict.fromkeys(event.id for event in given.events)
        given = replace(given, events=_known_events(about, ids))
    return replace(given, matches=(), clusters=()) if unjudged else given


def _known_events(about: tuple[Event, ...], ids: Iterable[str]) -> tuple[Event, ...]:
    # What is known of events, under the ids that the judgments have.
    known = {bare_event_id(event.id): event for event in about}
    by_bare = {bare_event_id(event_id): event_id for event_id in ids}
    listed = [replace(event, id=by_bare.get(bare, event.id)) for bare, event in known.items()]
    plain = [
        Event(id=event_id, title=event_id, query=event_id)
        for bare, event_id in by_bare.items()
        if bare not in known
    ]
    return (*listed, *plain)
