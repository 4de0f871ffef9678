"""The disagreements of a project, listed for people: what is contested, by whom, and where it is decided."""

from __future__ import annotations

from itertools import combinations
from urllib.parse import quote

from msgspec import Struct

from tidings.annotation.desk.alignment import apart, clusterings
from tidings.annotation.desk.corrections import names_of
from tidings.annotation.desk.disagreements import Answer, compare_objects
from tidings.annotation.desk.links import task_of_kind
from tidings.annotation.desk.showing import in_words
from tidings.annotation.store import Desk
from tidings.core import SHARED, DeskTopic, Project

__all__ = ["Contested", "contested_of"]


class Contested(Struct, frozen=True):
    """Something that judges see differently.

    Args:
        topic: where.
        task, sort: of which task, and on what: relevance, link, span, grade, verdict, sentence, importance or cluster.
        kind, id: the object.
        answers: what each judge said, in words, by the judge's name.
        decided: whether it has a final judgment.
        link: where it is decided.
    """

    topic: DeskTopic
    task: str
    sort: str
    kind: str
    id: str
    answers: dict[str, str]
    decided: bool
    link: str


def contested_of(desk: Desk, project: Project, topic: DeskTopic | None = None) -> list[Contested]:
    """What judges of a project see differently, by topic and task, decided or not; of one topic where it is given."""
    accounts = {account.id: account.name for account in desk.accounts.all()}
    found: list[Contested] = []
    for one in desk.projects.topics(project.id):
        if topic is None or one.number == topic.number:
            found += _of_topic(desk, project, one, accounts)
    return found


def _of_topic(desk: Desk, project: Project, topic: DeskTopic, accounts: dict[int, str]) -> list[Contested]:
    objects = desk.log.objects(project.id, topic.number)
    final = {(one.kind, one.id) for one in objects if one.layer == "final"}
    shared = names_of(desk, project.id, topic.number, (SHARED,))
    place = f"/projects/{project.id}/topics/{topic.number}/adjudication"
    texts = {
        item.id: str(item.content.get("text", ""))
        for item in desk.projects.items(project.id, topic.number, "update")
    }
    found: list[Contested] = []

    def add(kind: str, object_id: str, sort: str, answers: dict[str, str]) -> None:
        task = task_of_kind(kind)
        if task in project.tasks:
            query = f"?task={task}#item={quote(object_id, safe='|')}"
            found.append(
                Contested(
                    topic, task, sort, kind, object_id, answers, (kind, object_id) in final, place + query
                )
            )

    def words(kind: str, object_id: str, answer: Answer) -> str:
        return "; ".join(in_words(kind, answer.value, shared, texts.get(object_id, "")))

    for judged in compare_objects(objects, decided=True).contested:
        said = {accounts.get(a.account_id, "?"): words(judged.kind, judged.id, a) for a in judged.answers}
        add(judged.kind, judged.id, judged.sort, said)
    for one, other in combinations(clusterings(objects), 2):
        for placed in apart(one, other):
            labels = [
                "not relevant" if cluster is None else side.labels.get(cluster, cluster)
                for side, cluster in ((one, placed.one), (other, placed.other))
            ]
            names = [accounts.get(side.account_id, "?") for side in (one, other)]
            add("membership", placed.update, "cluster", dict(zip(names, labels, strict=True)))
    return found
