"""A project as the lines of `judgments.jsonl`: all that it takes to make it anew, log included."""

from __future__ import annotations

from collections.abc import Iterator

from tidings.annotation.store import Desk
from tidings.core import Project
from tidings.evaluation import (
    FORM,
    AccountLine,
    AssignmentLine,
    ClaimLine,
    DeskLine,
    EntryLine,
    ItemLine,
    ProjectLine,
    TopicLine,
)

__all__ = ["project_lines"]


def project_lines(desk: Desk, project: Project, *, anonymous: bool = False) -> Iterator[DeskLine]:
    """A project's lines, in the order of the file.

    Args:
        desk: where it is.
        project: which.
        anonymous: number the people (`judge 1`) instead of naming them. What they wrote in notes stays as it is.
    """
    yield ProjectLine(
        project.name, FORM, list(project.tasks), project.judges, project.idle_s, project.guidelines
    )
    names = _people(desk, project, anonymous)
    roles = {member.account_id: member.role for member in desk.projects.members(project.id)}
    for number, name in names.items():
        yield AccountLine(number, name, roles.get(number, ""))
    topics = desk.projects.topics(project.id)
    for topic in topics:
        yield TopicLine(topic.number, topic.event)
    for one in desk.projects.assignments(project.id):
        yield AssignmentLine(one.topic, one.task, one.account_id)
    for number, kind in sorted(desk.projects.count_items(project.id)):
        for item in desk.projects.items(project.id, number, kind):
            yield ItemLine(number, kind, item.id, item.time, item.content)
    for claim in desk.transfer.claims(project.id):
        yield ClaimLine(claim.topic, claim.task, claim.item_id, claim.account_id, claim.time)
    for entry in desk.log.entries(project.id):
        yield EntryLine(
            entry.seq,
            entry.act,
            entry.operation,
            entry.topic,
            entry.layer,
            entry.kind,
            entry.object_id,
            entry.recorded_ms,
            entry.before,
            entry.after,
            entry.account_id,
            names[entry.account_id] if entry.account_id is not None else "",
            entry.made_ms,
            entry.assisted,
            entry.undoes,
            entry.shown,
            entry.guidelines,
        )


def _people(desk: Desk, project: Project, anonymous: bool) -> dict[int, str]:
    # Whoever is a member, judged something, has an item or something to do.
    numbers = {member.account_id for member in desk.projects.members(project.id)}
    numbers |= {one.account_id for one in desk.projects.assignments(project.id)}
    numbers |= {claim.account_id for claim in desk.transfer.claims(project.id)}
    numbers |= desk.transfer.judges(project.id)
    if anonymous:
        return {number: f"judge {place}" for place, number in enumerate(sorted(numbers), 1)}
    return {number: desk.accounts.get(number).name for number in sorted(numbers)}
