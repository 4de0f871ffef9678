"""How far the judging of a project is, and what the pooled runs score with the judgments so far.

The scores are those of TREC Temporal Summarization, whose rules count what is not judged as worthless: while people
judge they rise, and the order of runs may change. So each stands beside the share of the run that was judged.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from time import monotonic

from msgspec import Struct
from msgspec.structs import replace

from tidings.annotation.desk.exchange.day_entities import judgments_that_count
from tidings.annotation.desk.exchange.exporting import export_judgments
from tidings.annotation.desk.exchange.importing import runs_of
from tidings.annotation.store import Desk
from tidings.annotation.tasks import KINDS, TASKS, Task
from tidings.core import FINAL, SHARED, DeskTopic, Judgments, Project, Run, bare_event_id, layer_account
from tidings.evaluation import Measure, scorer_for

_COUNTED_BY = {
    "clusters": ("update", "membership"),
    "linking": ("sentence", "links"),
}
"""Tasks that are done topic by topic, and the items by which one sees how far they are."""


class TaskProgress(Struct, frozen=True, kw_only=True):
    """How far a task of a topic is.

    Args:
        topic: its number.
        title: what it is called.
        task: a word of `TASKS`.
        items: how many there are to judge; None where that is not known beforehand, as of nuggets.
        judged: how many someone judged, or, where their number is not known, how many there are now.
        decided: of these, those with a final judgment.
        left: how many still need a judge: neither decided nor judged by as many as are asked; None as for `items`.
        by: who judged how many; `FINAL` for those decided, `SHARED` for what all work on together.
    """

    topic: int
    title: str
    task: str
    items: int | None
    judged: int
    decided: int
    left: int | None
    by: dict[str, int]


def progress_of(desk: Desk, project: Project) -> list[TaskProgress]:
    """How far each task of a project is, by topic; tasks of which a topic has nothing are left out."""
    names = {member.account_id: member.name for member in desk.projects.members(project.id)}
    items = desk.projects.count_items(project.id)
    counts = desk.log.count_objects(project.id)
    found = []
    for topic in desk.projects.topics(project.id):
        for task in TASKS:
            if task.id in project.tasks:
                figures = _task(desk, project, topic, task, items, counts, names)
                if figures.items or figures.judged:
                    found.append(figures)
    return found


def _task(
    desk: Desk,
    project: Project,
    topic: DeskTopic,
    task: Task,
    items: dict[tuple[int, str], int],
    counts: dict[tuple[int, str, str], int],
    names: dict[int, str],
) -> TaskProgress:
    unit, kind = _COUNTED_BY.get(task.id, (task.unit, ""))
    kinds = (KINDS[kind],) if kind else task.judged
    words = [of_kind.id for of_kind in kinds]
    by: dict[str, int] = {}
    for (number, layer, of_kind), count in counts.items():
        if number == topic.number and of_kind in words:
            account = layer_account(layer)
            name = layer if account is None else names.get(account, f"account {account}")
            by[name] = by.get(name, 0) + count
    order = {SHARED: 0, FINAL: 2}
    progress = TaskProgress(
        topic=topic.number,
        title=topic.event.title or topic.event.id,
        task=task.id,
        items=None,
        judged=sum(by.values()),
        decided=by.get(FINAL, 0),
        left=None,
        by=dict(sorted(by.items(), key=lambda judge: (order.get(judge[0], 1), judge[0]))),
    )
    if not unit:
        return progress
    standing = desk.claims.standing(
        project.id, topic.number, Task(task.id, task.title, kinds, unit, task.shared)
    )
    total = items.get((topic.number, unit), 0)
    enough = {item for item, judges in standing.judged.items() if len(judges) >= project.judges}
    return replace(
        progress,
        items=total,
        judged=len(standing.decided | standing.judged.keys()),
        decided=len(standing.decided),
        left=max(0, total - len(standing.decided | enough)),
    )


RULES = "trec-2014"
MEASURES = ("nE[G]", "nE[LG]", "C", "LC", "H")
"""Shown of each run, as means over the topics that have nuggets."""


class RunStanding(Struct, frozen=True, kw_only=True):
    """A run so far.

    Args:
        team, name: of the run.
        updates: how many it has in the project's topics.
        judged: of these, those of the pool that someone judged (or whose exact duplicate was).
        waiting: those of the pool that nobody judged yet.
        unpooled: those that are not in the pool, and will not be judged.
        scores: measure to its mean over topics with nuggets; empty where there are none.
        topics: over how many topics.
    """

    team: str
    name: str
    updates: int
    judged: int
    waiting: int
    unpooled: int
    scores: dict[str, float]
    topics: int


def run_scores(desk: Desk, project: Project, rules: str = RULES) -> list[RunStanding]:
    """Each pooled run with its scores so far, by team and name.

    Args:
        desk: where from.
        project: of which project.
        rules: a rule set of TREC Temporal Summarization.
    """
    runs = runs_of(desk, project)
    if not runs:
        return []
    judgments = export_judgments(desk, project)
    pool, judged = _pool_and_judged(desk, project, judgments)
    scorer = scorer_for(rules, judgments) if judgments.nuggets else None
    known = {bare_event_id(event.id) for event in judgments.events}
    standings = []
    for run in sorted(runs, key=lambda run: (run.team, run.name)):
        ours = [update for update in run.updates if bare_event_id(update.event_id) in known]
        ids = [(bare_event_id(update.event_id), update.id) for update in ours]
        pooled, done = sum(place in pool for place in ids), sum(place in judged for place in ids)
        scores: dict[str, float] = {}
        over = 0
        if scorer is not None:
            made = scorer.score_run(Run(run.team, run.name, tuple(ours), run.card), map(Measure, MEASURES))
            scores = {str(measure): made.mean(measure) for measure in made.measures}
            over = len(made.over)
        standings.append(
            RunStanding(
                team=run.team,
                name=run.name,
                updates=len(ours),
                judged=done,
                waiting=pooled - done,
                unpooled=len(ours) - pooled,
                scores=scores,
                topics=over,
            )
        )
    return standings


_Places = set[tuple[str, str]]


def _pool_and_judged(desk: Desk, project: Project, judgments: Judgments) -> tuple[_Places, _Places]:
    done: _Places = set()
    for topic in desk.projects.topics(project.id):
        objects = desk.log.objects(project.id, topic.number, kind="matches")
        done |= {(bare_event_id(topic.event.id), update) for update in judgments_that_count(objects)}
    pool: _Places = set()
    judged: _Places = set()
    for row in judgments.pool:
        bare = bare_event_id(row.event_id)
        pool.add((bare, row.id))
        if (bare, row.id) in done or (row.duplicate_of and (bare, row.duplicate_of) in done):
            judged.add((bare, row.id))
    return pool, judged


class _Made(Struct, frozen=True):
    state: tuple[int, int]
    standings: list[RunStanding]
    until: float


class ScoreCache:
    """The standings last made of some projects: made again when the log, the pool or the runs have grown.

    While people judge, that is after every judgment; so they stay for some seconds, and for as long as it took to make
    them.

    Args:
        most: of how many projects.
        least_s: how long they stay at least, in seconds.
        clock: the time in seconds.
    """

    def __init__(
        self, most: int = 8, *, least_s: float = 5.0, clock: Callable[[], float] = monotonic
    ) -> None:
        self._most, self._least_s, self._clock, self._lock = most, least_s, clock, Lock()
        self._made: OrderedDict[tuple[str, int, str], _Made] = OrderedDict()

    def get(
        self,
        desk: Desk,
        project: Project,
        rules: str = RULES,
        make: Callable[[Desk, Project, str], list[RunStanding]] = run_scores,
    ) -> list[RunStanding]:
        """The standings of a project as its log is now or was some seconds ago.

        One at a time makes them, and others wait for it.
        """
        key = (str(desk.store), project.id, rules)
        with self._lock:
            now = desk.projects.get(project.id) or project
            state = (now.last_seq, sum(desk.projects.count_items(project.id).values()))
            there = self._made.get(key)
            began = self._clock()
            if there is None or (there.state != state and began >= there.until):
                standings = make(desk, now, rules)
                ended = self._clock()
                until = ended + max(self._least_s, ended - began)
                there = self._made[key] = _Made(state, standings, until)
            self._made.move_to_end(key)
            while len(self._made) > self._most:
                self._made.popitem(last=False)
            return there.standings
