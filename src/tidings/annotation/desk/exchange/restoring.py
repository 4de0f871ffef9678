"""A project made anew from `judgments.jsonl`: people, topics, items, and the log as it was."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct, structs

from tidings.annotation.store import Desk
from tidings.annotation.store.transfer import GivenItem
from tidings.core import LATEST_TIME, Assignment, DeskItem, LogEntry, Project, StoreError, judge_layer
from tidings.evaluation import (
    AccountLine,
    AssignmentLine,
    ClaimLine,
    DeskLine,
    EntryLine,
    ItemLine,
    ProjectLine,
    TopicLine,
    entry_of,
)

__all__ = ["Restored", "restore"]


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
    parts: dict[type, list[Any]] = {}
    for line in lines:
        parts.setdefault(type(line), []).append(line)
    project = _project(desk, parts[ProjectLine][0], name)
    numbers, made = _accounts(desk, project, parts.get(AccountLine, []))
    layers = {judge_layer(old): judge_layer(new) for old, new in numbers.items() if old != new}
    for topic in parts.get(TopicLine, []):
        found = desk.projects.add_topic(project.id, topic.event)
        if found.number != topic.number:
            raise StoreError(
                f"{desk.store}: found topic {topic.event.id} as number {found.number} of the project {project.name}, "
                f"expected {topic.number}; import into a project of another name"
            )
    for one in parts.get(AssignmentLine, []):
        desk.projects.assign(Assignment(project.id, one.topic, one.task, numbers[one.account]))
    items: list[ItemLine] = parts.get(ItemLine, [])
    new = desk.projects.add_items(
        DeskItem(project.id, one.topic, one.kind, one.id, 0, one.time, one.content) for one in items
    )
    entries = [_entry(one, numbers, layers) for one in parts.get(EntryLine, [])]
    claims: list[ClaimLine] = parts.get(ClaimLine, [])
    given = [GivenItem(one.topic, one.task, one.item, numbers[one.account], one.time) for one in claims]
    written = desk.transfer.take_over(project.id, entries, given)
    return Restored(project, len(parts.get(TopicLine, [])), new, written, made)


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
        before=_renamed(line.before, layers),
        after=_renamed(line.after, layers),
        account_id=None if line.account is None else numbers[line.account],
        # A browser's clock may say anything.
        made_ms=min(max(line.made_ms, 0), LATEST_TIME * 1000),
    )


_WORDS = ("text", "label")
"""Keys of what people write, in which nothing is renamed."""


def _renamed(value: Any, layers: dict[str, str]) -> Any:
    """A value with the layers that it names (a merged event's, say) as they are called here."""
    if not layers:
        return value
    if isinstance(value, str):
        return layers.get(value, value)
    if isinstance(value, list):
        return [_renamed(one, layers) for one in value]
    if isinstance(value, dict):
        return {
            layers.get(key, key): one if key in _WORDS else _renamed(one, layers)
            for key, one in value.items()
        }
    return value
