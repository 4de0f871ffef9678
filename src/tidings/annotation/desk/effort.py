"""How long judging took, counted from the log as Baruah, McCreadie and Lin (2017, section 4.1) count it.

They divide a log into sessions of work and add up the time in these. Here a session is all that a person did without a
pause longer than the project's `idle_s`. The time between two acts of a session is spent on what the second one is
about. Of the first act of a session the log cannot say how long it took; counting nothing for it gives the `observed`
time, from the first to the last act of each session, which is a lower bound, and counting the person's median pause for
it gives the `estimated` time. Reading beforehand, and what is done away from the desk, is in neither.

When an act was done is said by the clock of the browser, so that what was kept through a lost connection counts where
it was made. Browsers' clocks are wrong: each sign-in's is set by the act that reached the server fastest.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median
from threading import Lock
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tidings.annotation.store import Desk
from tidings.annotation.tasks import TASKS
from tidings.core import LogEntry, Project, is_store, open_store
from tidings.evaluation import EntryLine, ProjectLine, entry_of, read_desk_lines

OTHER = ""
"""The task of what belongs to none: notes to the lead, reopening."""
_LONGEST_KEPT_MS = 12 * 3_600_000
_PROGRAMS = frozenset({"import"})
_FRAMES = frozenset({"cluster", "group"})
"""Made for what is judged, and not judged themselves."""
_TASK_OF = {kind: task.id for task in TASKS for kind in task.kinds}


class Effort(Struct, frozen=True, kw_only=True):
    """What a person, or several, did of a task in a topic.

    Args:
        person: who; empty for all.
        topic: where; 0 for all.
        task: what, a word of `TASKS`; `OTHER` for what belongs to none.
        assessments: things judged that stand: each update, nugget or other object once, however often it was changed.
            What a program matched along, as exact duplicates, is none, and a new cluster is none.
        acts: what was done that stands, taking back left out.
        assisted: of these acts, those that took a suggestion.
        undone: acts that were taken back; their time is counted, they are not.
        sessions: in how many sessions.
        observed_s: seconds within sessions up to each act.
        estimated_s: the same, with the median pause for the first act of a session.
    """

    person: str = ""
    topic: int = 0
    task: str = OTHER
    assessments: int = 0
    acts: int = 0
    assisted: int = 0
    undone: int = 0
    sessions: int = 0
    observed_s: float = 0.0
    estimated_s: float = 0.0

    @property
    def per_minute(self) -> float | None:
        """Assessments a minute of the estimated time; None where there is no time.

        >>> Effort(assessments=10, estimated_s=120.0).per_minute
        5.0
        """
        return 60 * self.assessments / self.estimated_s if self.estimated_s > 0 else None


class WorkSession(Struct, frozen=True):
    """One person's work without a long pause, from the first act to the last (ms), with seconds by task."""

    person: str
    start_ms: int
    end_ms: int
    acts: int
    seconds: dict[str, float]


class EffortReport(Struct, frozen=True):
    """Effort for each person, topic and task, in this order; the sessions in time order; the pause that ends one."""

    rows: tuple[Effort, ...]
    sessions: tuple[WorkSession, ...]
    idle_s: int


class _Act(Struct):
    person: str
    topic: int
    task: str
    time_ms: int
    undoes: str
    assisted: bool
    objects: set[tuple[str, str]]
    undone: bool = False


def effort_of(entries: Iterable[LogEntry], idle_s: int) -> EffortReport:
    """Effort from a log's entries, in their order; what programs did is left out.

    Args:
        entries: of one project, of all people or of one.
        idle_s: a pause longer than this ends a session.
    """
    people: dict[str, list[_Act]] = {}
    for act in _acts(list(entries)):
        people.setdefault(act.person, []).append(act)
    in_sessions = {person: _sessions(acts, idle_s) for person, acts in people.items()}
    all_pauses = [pause for sessions in in_sessions.values() for pause, _ in _pauses(sessions)]
    rows: list[Effort] = []
    worked: list[WorkSession] = []
    for person, sessions in in_sessions.items():
        typical = _Typical(_pauses(sessions), all_pauses)
        rows += _rows(person, sessions, typical)
        worked += [_session(person, acts, typical) for acts in sessions]
    order = [*(task.id for task in TASKS), OTHER]
    rows.sort(key=lambda row: (row.person, row.topic, order.index(row.task)))
    return EffortReport(
        tuple(rows), tuple(sorted(worked, key=lambda session: (session.start_ms, session.person))), idle_s
    )


def sum_up(rows: Iterable[Effort], *by: str) -> list[Effort]:
    """Effort added up over all but `by` (of person, topic, task), in the order of the rows; without, one row for all.

    Sessions of several topics or tasks overlap, so that their sum counts those that were shared more than once.

    >>> rows = [Effort(person="a", task="matching", acts=2), Effort(person="b", task="matching", acts=1)]
    >>> [(row.task, row.person, row.acts) for row in sum_up(rows, "task")]
    [('matching', '', 3)]
    """
    totals: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in rows:
        total = totals.setdefault(
            tuple(getattr(row, name) for name in by), {name: getattr(row, name) for name in by}
        )
        for name in ("assessments", "acts", "assisted", "undone", "sessions", "observed_s", "estimated_s"):
            total[name] = total.get(name, 0) + getattr(row, name)
    return [Effort(**total) for total in totals.values()]


class _Typical:
    # The median pause before an act: a person's own of the task, else of all they did, else of everyone.

    def __init__(self, own: list[tuple[float, str]], everybodys: list[float]) -> None:
        by_task: dict[str, list[float]] = {}
        for pause, task in own:
            by_task.setdefault(task, []).append(pause)
        self._of_task = {task: median(pauses) for task, pauses in by_task.items()}
        pauses = [pause for pause, _ in own] or everybodys
        self._otherwise = median(pauses) if pauses else 0.0

    def of(self, task: str) -> float:
        return self._of_task.get(task, self._otherwise)


def _acts(entries: list[LogEntry]) -> list[_Act]:
    times = _times(entries)
    acts: dict[str, _Act] = {}
    for entry in entries:
        if entry.account_id is None or entry.operation in _PROGRAMS:
            continue
        act = acts.get(entry.act)
        if act is None:
            acts[entry.act] = act = _Act(
                entry.account or f"account {entry.account_id}",
                entry.topic,
                _TASK_OF.get(entry.kind, OTHER),
                times[entry.seq],
                entry.undoes,
                bool(entry.assisted),
                set(),
            )
        # One act has one task: that of the first thing in it that belongs to any.
        act.task = act.task or _TASK_OF.get(entry.kind, OTHER)
        if entry.after is not None and entry.kind not in _FRAMES and not _is_automatic(entry):
            act.objects.add((entry.kind, entry.object_id))
    for act in acts.values():
        if act.undoes in acts:
            acts[act.undoes].undone = True
    return sorted(acts.values(), key=lambda act: act.time_ms)


def _is_automatic(entry: LogEntry) -> bool:
    matches = entry.after.get("matches", []) if isinstance(entry.after, dict) else []
    return bool(matches) and all(match.get("automatic") for match in matches)


def _times(entries: Sequence[LogEntry]) -> dict[int, int]:
    behind: dict[int | None, int] = {}
    for entry in entries:
        if entry.made_ms:
            late = entry.recorded_ms - entry.made_ms
            behind[entry.session_id] = min(behind.get(entry.session_id, late), late)
    times: dict[int, int] = {}
    for entry in entries:
        time = entry.made_ms + behind[entry.session_id] if entry.made_ms else entry.recorded_ms
        kept = entry.recorded_ms - time
        times[entry.seq] = time if kept <= _LONGEST_KEPT_MS else entry.recorded_ms
    return times


def _sessions(acts: list[_Act], idle_s: int) -> list[list[_Act]]:
    sessions: list[list[_Act]] = []
    for act in acts:
        if sessions and act.time_ms - sessions[-1][-1].time_ms <= 1000 * idle_s:
            sessions[-1].append(act)
        else:
            sessions.append([act])
    return sessions


def _before(acts: list[_Act]) -> list[tuple[float, _Act]]:
    # The pause in seconds before each act of a session but its first.
    return [((act.time_ms - previous.time_ms) / 1000, act) for previous, act in pairwise(acts)]


def _pauses(sessions: list[list[_Act]]) -> list[tuple[float, str]]:
    return [(pause, act.task) for acts in sessions for pause, act in _before(acts)]


def _rows(person: str, sessions: list[list[_Act]], typical: _Typical) -> list[Effort]:
    places: dict[tuple[int, str], dict[str, Any]] = {}
    judged: dict[tuple[int, str], set[tuple[str, str]]] = {}
    for acts in sessions:
        pauses = [(None, acts[0]), *_before(acts)]
        seen: set[tuple[int, str]] = set()
        for pause, act in pauses:
            place = (act.topic, act.task)
            row = places.setdefault(place, _empty())
            if place not in seen:
                row["sessions"] += 1
                seen.add(place)
            row["observed_s"] += pause or 0.0
            row["estimated_s"] += typical.of(act.task) if pause is None else pause
            row["undone"] += act.undone
            if not act.undone and not act.undoes:
                row["acts"] += 1
                row["assisted"] += act.assisted
                judged.setdefault(place, set()).update(act.objects)
    return [
        Effort(person=person, topic=topic, task=task, assessments=len(judged.get((topic, task), ())), **row)
        for (topic, task), row in places.items()
    ]


def _empty() -> dict[str, Any]:
    return {"acts": 0, "assisted": 0, "undone": 0, "sessions": 0, "observed_s": 0.0, "estimated_s": 0.0}


def _session(person: str, acts: list[_Act], typical: _Typical) -> WorkSession:
    seconds = {acts[0].task: typical.of(acts[0].task)}
    for pause, act in _before(acts):
        seconds[act.task] = seconds.get(act.task, 0.0) + pause
    return WorkSession(person, acts[0].time_ms, acts[-1].time_ms, len(acts), seconds)


_MOST_PROJECTS = 8  # whose counts stay in memory


class EffortLog:
    """The entries of some projects without the values that they changed, as far as they were read."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._read: OrderedDict[tuple[str, int], list[LogEntry]] = OrderedDict()

    def report(self, desk: Desk, project: Project, account_id: int | None = None) -> EffortReport:
        """The effort of a project as its log is now, of everyone or of one account."""
        key = (str(desk.store), project.id)
        with self._lock:
            entries = self._read.setdefault(key, [])
            last = entries[-1].seq if entries else 0
            entries += [_light(entry) for entry in desk.log.entries(project.id, after=last)]
            self._read.move_to_end(key)
            while len(self._read) > _MOST_PROJECTS:
                self._read.popitem(last=False)
            chosen = [entry for entry in entries if account_id is None or entry.account_id == account_id]
        return effort_of(chosen, project.idle_s)


def _light(entry: LogEntry) -> LogEntry:
    after: Any = None
    if isinstance(entry.after, dict):
        flags = [{"automatic": match.get("automatic")} for match in entry.after.get("matches", [])]
        after = {"matches": flags}
    return replace(entry, before=None, after=after)


def logged_effort(path: str | Path, project: str = "") -> list[Effort]:
    """Effort for each person, topic and task of the project of that name; of all together where none is named.

    Raises:
        FormatError: the file is no export of a project. StoreError: the store cannot be read.
    """
    if not is_store(path):
        idle_s, entries = 0, []
        for line in read_desk_lines(path):
            if isinstance(line, ProjectLine):
                if project not in ("", line.name):
                    return []
                idle_s = line.idle_s
            elif isinstance(line, EntryLine):
                entries.append(entry_of(line))
        return list(effort_of(entries, idle_s).rows)
    with open_store(str(path), read_only=True) as opened:
        return list(_of_store(Desk(opened), project))


def _of_store(desk: Desk, project: str) -> Iterator[Effort]:
    for held_project in desk.projects.all():
        if project in ("", held_project.name):
            yield from effort_of(desk.log.entries(held_project.id), held_project.idle_s).rows
