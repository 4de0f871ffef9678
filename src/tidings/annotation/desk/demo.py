"""A project half judged, to look at: three people, runs that are pooled, and what two of them have judged so far.

Their judgments are those of a finished collection, with slips that differ: there is something to agree on, something
to decide, and work left to do. The same collection gives the same project, but for the hours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from tidings.annotation.desk.exchange.day_entities import entities_of_grades, import_day_entities
from tidings.annotation.desk.exchange.importing import add_runs, import_judgments
from tidings.annotation.desk.operations.matches import Span, match_update
from tidings.annotation.desk.pools import TopicPool
from tidings.annotation.store import USUAL_TASKS, Act, Claim, Desk, ObjectView
from tidings.core import Account, Change, Document, Judgments, PooledUpdate, Project, Run, judge_layer
from tidings.evaluation import Candidate, pool_runs

NAMES = ("lead", "first", "second")
GUIDELINES = """# How we judge

- A **nugget** is one fact that a reader would miss. 3: nobody may miss it; 0: it could be left out.
- An update **matches** a nugget where it says it, in whatever words. Mark those words.
- An update that says nothing of what happened matches nothing: press `0`.
- In doubt, leave a note to the lead (`n`) and go on.
"""
_PACE_MS = 9_000
_SLIP = 4
"""Every how many updates the second judge overlooks what the first one found."""


class _Slow:
    # A clock that says when each judgment would have been made, the last one some minutes ago.

    def __init__(self, now: float, steps: int) -> None:
        self.ms = int(now * 1000) - 600_000 - steps * _PACE_MS

    def __call__(self) -> float:
        self.ms += _PACE_MS
        return self.ms / 1000


def demo_project(
    desk: Desk,
    name: str,
    judgments: Judgments,
    runs: Sequence[Run],
    documents: Iterable[Document],
    *,
    depth: int = 40,
) -> Project:
    """Make the project with its accounts; the first half of the updates is judged by one, the first quarter by both.

    Args:
        desk: where; accounts of these names are taken where they are there.
        name: of the project.
        judgments: a finished collection of one event.
        runs: of which updates are pooled.
        documents: its stream, for the sentences that show what entities did.
        depth: how many updates of each run are pooled.
    """
    project = desk.projects.add(
        name, tasks=(*USUAL_TASKS, "clusters", "entities"), judges=2, guidelines=GUIDELINES
    )
    accounts = [desk.accounts.find(name) or desk.accounts.add(name) for name in NAMES]
    for account, role in zip(accounts, ("lead", "assessor", "assessor"), strict=True):
        desk.projects.set_member(project.id, account.id, "lead" if role == "lead" else "assessor")
    pool = pool_runs(runs, depth=depth).updates
    import_judgments(desk, project, replace(judgments, pool=pool, matches=(), clusters=(), pool_whole=False))
    stream = list(documents)
    half = judgments.entities[: len(judgments.entities) // 2]
    entities = entities_of_grades(judgments.entities)
    import_day_entities(desk, project, entities, stream, events=judgments.events, grades=half)
    add_runs(desk, project, runs)
    _judge(desk, project, judgments, accounts[1:])
    return project


def _judge(desk: Desk, project: Project, judgments: Judgments, judges: Sequence[Account]) -> None:
    number = desk.projects.topics(project.id)[0].number
    candidates = _candidates(desk, project, number)
    first, second = judges
    half, quarter = len(candidates) // 2, len(candidates) // 4
    slow = Desk(desk.store, _Slow(desk.clock(), half + quarter + half))
    match_as(slow, project, judgments, first, half)
    match_as(slow, project, judgments, second, quarter, overlooks=_SLIP)
    _cluster(slow, project, judgments, first, [candidate.id for candidate in candidates[:half]])


def match_as(
    desk: Desk, project: Project, judgments: Judgments, account: Account, count: int, *, overlooks: int = 0
) -> None:
    """Match the first updates of the first topic as a finished collection does, in an account's name.

    Args:
        desk: where.
        project: with the nuggets of that collection.
        judgments: the collection.
        account: who judges.
        count: how many updates.
        overlooks: of every so many updates one match is overlooked in the last; 0: none is.
    """
    number = desk.projects.topics(project.id)[0].number
    candidates = _candidates(desk, project, number)
    texts = {item.id: item.content["text"] for item in desk.projects.items(project.id, number, "update")}
    listed: dict[str, list[Span]] = {}
    for match in judgments.matches:
        listed.setdefault(match.update_id, []).append(Span(match.nugget_id, match.start, match.end))
    layer = judge_layer(account.id)
    for place, candidate in enumerate(candidates[:count], 1):
        spans = listed.get(candidate.id, [])
        if overlooks and place % overlooks == 0:
            spans = spans[1:]
        act = Act(
            key=f"demo-match-{account.name}-{place}",
            operation="match" if spans else "match-nothing",
            topic=number,
            account_id=account.id,
            claim=Claim("matching", candidate.id, project.judges),
        )
        copies = {copy: texts[copy] for copy in candidate.copies}
        desk.log.record(project.id, act, _match_act(layer, copies, candidate.id, spans))


def _candidates(desk: Desk, project: Project, number: int) -> tuple[Candidate, ...]:
    rows = desk.projects.items(project.id, number, "update")
    return TopicPool(msgspec.convert(item.content, PooledUpdate) for item in rows).candidates


def _match_act(
    layer: str, texts: dict[str, str], target: str, spans: list[Span]
) -> Callable[[ObjectView], list[Change]]:
    def make(view: ObjectView) -> list[Change]:
        return match_update(view, layer, texts, target, spans, 0)

    return make


def _cluster(desk: Desk, project: Project, judgments: Judgments, judge: Account, updates: list[str]) -> None:
    # Clusters as the judge would have begun them: each with its first update of the half that was read.
    layer = judge_layer(judge.id)
    cluster_of = {update: cluster for cluster in judgments.clusters for update in cluster.update_ids}
    made: dict[str, int] = {}
    for place, update in enumerate(updates):
        cluster = cluster_of.get(update)
        value: dict[str, Any] = {"cluster": None if cluster is None else cluster.id}
        changes = [Change(layer, "membership", update, value)]
        if cluster is not None and cluster.id not in made:
            made[cluster.id] = len(made) + 1
            label = {"label": cluster.label, "number": made[cluster.id]}
            changes.insert(0, Change(layer, "cluster", cluster.id, label))
        act = Act(
            key=f"demo-cluster-{place}",
            operation="new-cluster" if len(changes) > 1 else "add" if cluster else "remove",
            topic=1,
            account_id=judge.id,
        )
        desk.log.record(project.id, act, changes)
