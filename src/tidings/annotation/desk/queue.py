"""Who judges what next: real overlap. Each item goes to as many people as are asked, and to nobody twice.

`assign` is a plain function of how a task stands; the store calls it inside the transaction that writes the claim, so
two who ask at once never get what only one of them may have. A claim that was not judged for `KEEP_S` seconds has
lapsed: it stays its holder's until someone else asks and gets the item in their place.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec import Struct

from tidings.annotation.desk.pools import topic_pool
from tidings.annotation.store import WHOLE_TOPIC, Choice, Desk, Standing
from tidings.annotation.tasks import TASKS, Task
from tidings.core import DeskTopic, Project

if TYPE_CHECKING:
    from collections.abc import Collection


KEEP_S = 24 * 3600
"""So long a claim that nobody judged keeps others away."""


class Queue(Struct, frozen=True):
    """What an account can do of a task of a topic.

    Args:
        task, topic: which.
        items: how many there are.
        judged: by the account.
        decided: with a final judgment.
        held: given to the account and not judged yet.
        open: that could be given to it.
        assigned: whether the task of the topic is the account's to do.
    """

    task: Task
    topic: DeskTopic
    items: int
    judged: int = 0
    decided: int = 0
    held: int = 0
    open: int = 0
    assigned: bool = True

    @property
    def left(self) -> int:
        """What there is to do."""
        return self.held + self.open if self.assigned else 0


def task_named(task: str) -> Task | None:
    """The task of that word."""
    return next((kind_of_task for kind_of_task in TASKS if kind_of_task.id == task), None)


def assign(
    items: Iterable[str], standing: Standing, account_id: int, *, limit: int, now: int, keep_s: int = KEEP_S
) -> Choice | None:
    """The next item for an account: what it has and did not judge, else the first that may go to it.

    Args:
        items: in the order in which they should be judged.
        standing: who has and who has judged which.
        account_id: who asks.
        limit: how many people judge each item.
        now: the time, which says what has lapsed.
        keep_s: how long a claim stands unjudged.

    Returns:
        The item, with the claims on it that have lapsed; None where nothing is left for the account.

    >>> standing = Standing(holders={"a": {1: 100}, "b": {2: 100}}, judged={"a": {1}})
    >>> [assign("abc", standing, who, limit=1, now=200).item_id for who in (1, 2, 3)]
    ['c', 'b', 'c']
    >>> assign("abc", standing, 3, limit=1, now=100 + KEEP_S + 1)
    Choice(item_id='b', lapsed=(2,))
    """
    ordered = list(items)
    for item in ordered:
        if _is_held(item, standing, account_id):
            return Choice(item)
    for item in ordered:
        choice = _may_have(item, standing, account_id, limit, now - keep_s)
        if choice is not None:
            return choice
    return None


def _is_held(item: str, standing: Standing, account_id: int) -> bool:
    return (
        item not in standing.decided
        and account_id in standing.holders.get(item, ())
        and account_id not in standing.judged.get(item, ())
    )


def _may_have(item: str, standing: Standing, account_id: int, limit: int, lapses: int) -> Choice | None:
    if item in standing.decided:
        return None
    judged, holders = standing.judged.get(item, set()), standing.holders.get(item, {})
    if account_id in judged or account_id in holders:
        return None
    lapsed = tuple(account for account, since in holders.items() if account not in judged and since < lapses)
    having = judged | set(holders) - set(lapsed)
    if len(having) >= limit:
        return None
    # What lapsed gives way only as far as room is needed.
    needed = max(0, len(judged | set(holders)) + 1 - limit)
    return Choice(item, lapsed[:needed])


def items_of(desk: Desk, project_id: int, topic: int, task: Task) -> list[str]:
    """What of a topic is given out for a task: its items by time, or the topic as a whole."""
    if not task.unit:
        return [WHOLE_TOPIC]
    if task.id in ("matching", "relevance"):  # one judgment serves an update and its exact copies
        return [candidate.id for candidate in topic_pool(desk, project_id, topic).candidates]
    return [name for name, _, _ in desk.projects.item_places(project_id, topic, task.unit)]


def take_next(desk: Desk, project: Project, topic: int, task: Task, account_id: int) -> str | None:
    """Give an account its next item of a task, or the topic; None where nothing is left for it."""
    items = items_of(desk, project.id, topic, task)
    if task.unit == "update":
        # Exact copies go out once: who judges one judges all of them.
        pool = topic_pool(desk, project.id, topic)
        firsts = {candidate.id for candidate in pool.candidates}
        items = [item for item in items if item in firsts]
    limit = project.judges if not task.shared else 1_000_000
    now = int(desk.clock())
    return desk.claims.take(
        project.id,
        topic,
        task,
        account_id,
        lambda standing: assign(items, standing, account_id, limit=limit, now=now),
    )


def queue_of(
    desk: Desk, project: Project, topic: DeskTopic, task: Task, account_id: int, assigned: Collection[int]
) -> Queue:
    """What an account can do of a task of a topic; `assigned` are those to whom it was given, if any was."""
    items = items_of(desk, project.id, topic.number, task)
    standing = desk.claims.standing(project.id, topic.number, task)
    limit = project.judges if not task.shared else 1_000_000
    lapses = int(desk.clock()) - KEEP_S
    return Queue(
        task,
        topic,
        len(items),
        judged=sum(account_id in standing.judged.get(item, ()) for item in items),
        decided=sum(item in standing.decided for item in items),
        held=sum(_is_held(item, standing, account_id) for item in items),
        open=sum(_may_have(item, standing, account_id, limit, lapses) is not None for item in items),
        assigned=not assigned or account_id in assigned,
    )


def assigned_to(desk: Desk, project_id: int) -> dict[tuple[int, str], frozenset[int]]:
    """To whom each task of each topic was given, where it was given to anyone."""
    given: dict[tuple[int, str], set[int]] = {}
    for assignment in desk.projects.assignments(project_id):
        given.setdefault((assignment.topic, assignment.task), set()).add(assignment.account_id)
    return {place: frozenset(accounts) for place, accounts in given.items()}
