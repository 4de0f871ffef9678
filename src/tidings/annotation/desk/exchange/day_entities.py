"""Entities of days in and out: from graded entities or from rankings with their stream, and back to grades.

The answers of many judges to the two questions of the short form are brought together as Tran and others (2015) do.
Each judge says of an entity of a day how far its sentence is about the event (1: not, 2: perhaps, 3: obviously), and
whether the entity is important in the sentence. Judges who agree with the gold answers too rarely can be left out.
"""

from __future__ import annotations

from calendar import timegm
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tidings.annotation.desk.entity_sentences import DaySentences, day_before
from tidings.annotation.desk.exchange.importing import Imported, record_import
from tidings.annotation.desk.exchange.origins import rows_by_topic
from tidings.annotation.store import Desk
from tidings.core import (
    FINAL,
    SHARED,
    Change,
    DeskItem,
    DeskTopic,
    Document,
    EntityGrade,
    EntityRanking,
    Event,
    JudgedObject,
    Project,
    UsageError,
    bare_event_id,
    layer_account,
)


class Answer(Struct, frozen=True):
    """What one judge said of one item: `sentence` 1 to 3, and whether the entity is important in it."""

    sentence: int
    important: bool


class CrowdOpinion(Struct, frozen=True):
    """What those judges that count said of an item: means of 1 to 3 and of 0 to 1, and how many they are."""

    sentence: float
    important: float
    judges: int


class CrowdJudge(Struct, frozen=True):
    """A judge beside the gold.

    `asked` counts the gold items that they answered, `agreement` is the share of their answers to these, two for each
    item, that are as the gold has them (None where they answered none), and `counts` whether their answers count.
    """

    judge: str
    items: int
    asked: int
    agreement: float | None
    counts: bool


def agreement_with(gold: Mapping[str, Answer], answers: Mapping[str, Answer]) -> float | None:
    """The share of answers to gold items, two for each, that are the gold's: 0 to 1; None where there are none.

    >>> gold = {"a": Answer(3, True), "b": Answer(1, False)}
    >>> agreement_with(gold, {"a": Answer(3, True), "b": Answer(2, False), "c": Answer(1, True)})
    0.75
    """
    shared = gold.keys() & answers.keys()
    if not shared:
        return None
    same = sum(
        (gold[item].sentence == answers[item].sentence) + (gold[item].important == answers[item].important)
        for item in shared
    )
    return same / (2 * len(shared))


def brought_together(
    answers: Mapping[str, Mapping[str, Answer]],
    gold: Mapping[str, Answer] | None = None,
    *,
    least: float | None = None,
) -> tuple[dict[str, CrowdOpinion], list[CrowdJudge]]:
    """The mean answers of each item, and how each judge stands beside the gold.

    Args:
        answers: by judge, then by item.
        gold: the right answers of some items.
        least: judges whose agreement with the gold is not above this are left out (the paper: .7); None keeps all.
            Those who answered no gold item stay.

    >>> answers = {"one": {"x": Answer(3, True)}, "two": {"x": Answer(1, True)}}
    >>> brought_together(answers)[0]["x"]
    CrowdOpinion(sentence=2.0, important=1.0, judges=2)
    >>> brought_together(answers, {"x": Answer(3, True)}, least=0.7)[0]["x"]
    CrowdOpinion(sentence=3.0, important=1.0, judges=1)
    """
    judges = []
    for judge, own in answers.items():
        agreement = agreement_with(gold or {}, own)
        counts = least is None or agreement is None or agreement > least
        asked = len((gold or {}).keys() & own.keys())
        judges.append(CrowdJudge(judge, len(own), asked, agreement, counts))
    kept = [answers[judge.judge] for judge in judges if judge.counts]
    items: Iterable[str] = dict.fromkeys(item for own in kept for item in own)
    opinions = {}
    for item in items:
        said = [own[item] for own in kept if item in own]
        opinions[item] = CrowdOpinion(
            sum(answer.sentence for answer in said) / len(said),
            sum(answer.important for answer in said) / len(said),
            len(said),
        )
    return opinions, judges


def judgments_that_count(objects: Iterable[JudgedObject]) -> dict[str, JudgedObject]:
    """The judgment that counts of each object of one kind and topic: the final one; else the first judge's.

    >>> own = JudgedObject(1, "judge-2", "matches", "d-0", 5, {"matches": []})
    >>> final = JudgedObject(1, "final", "matches", "d-0", 9, None)
    >>> judgments_that_count([own, final])["d-0"].version
    5
    """
    order = {SHARED: 0, FINAL: 1}
    chosen: dict[str, JudgedObject] = {}
    for entry in sorted(objects, key=lambda judged: (order.get(judged.layer, 2), judged.version)):
        if entry.value is not None:
            chosen.setdefault(entry.id, entry)
    return chosen


POOL_DEPTH = 10
"""How many entities of each ranking and day are judged."""
_ID_CHARS = 300


class DayEntity(Struct, frozen=True):
    """An entity of an (event, day) that is to be judged, with a sentence that whoever ranked it gave, if any."""

    event_id: str
    date: str
    entity: str
    type: str = ""
    aliases: tuple[str, ...] = ()
    sentence: str = ""
    sentence_id: str = ""

    @property
    def id(self) -> str:
        """`date|entity`."""
        return f"{self.date}|{self.entity}"[:_ID_CHARS]


def entities_of_grades(grades: Iterable[EntityGrade]) -> list[DayEntity]:
    """The entities that someone graded."""
    return [
        DayEntity(grade.event_id, grade.date, grade.entity, grade.type, grade.aliases) for grade in grades
    ]


def entities_of_rankings(
    rankings: Iterable[EntityRanking], depth: int | None = POOL_DEPTH
) -> list[DayEntity]:
    """The first `depth` entities of each ranking (None: all), each once for a day, whoever ranked it.

    >>> ranking = EntityRanking("fire", "2024-05-01", ("Nador", "Melilla"), types=("LOC", "LOC"))
    >>> [one.id for one in entities_of_rankings([ranking, ranking], 1)]
    ['2024-05-01|Nador']
    """
    pooled: dict[tuple[str, str], DayEntity] = {}
    for ranking in rankings:
        for place, entity in enumerate(ranking.entities[:depth]):
            evidence = ranking.evidence[place] if ranking.evidence else None
            made = DayEntity(
                ranking.event_id, ranking.date, entity, ranking.types[place] if ranking.types else ""
            )
            if evidence is not None:
                sentence_id = f"{evidence.doc_id}-{evidence.sentence_index}"
                made = replace(made, sentence=evidence.text, sentence_id=sentence_id)
            pooled.setdefault((bare_event_id(ranking.event_id), made.id), made)
    return list(pooled.values())


def import_day_entities(
    desk: Desk,
    project: Project,
    entities: Iterable[DayEntity],
    documents: Iterable[Document],
    *,
    events: Iterable[Event] = (),
    grades: Iterable[EntityGrade] = (),
) -> Imported:
    """Add entities of days to a project, each with its sentence of the day and that of the day before.

    Those of a day stand together, by name: how they were ranked is not to be seen. Where no document of the day
    names an entity, the sentence that its ranking gave is shown, and where there is none either, none. What the project
    has already stays as it was shown, so that several runs can come one after the other.

    Args:
        desk: where to.
        project: of which project.
        entities: what is to be judged.
        documents: the stream, of which the sentences are; it is read once.
        events: those of the entities, where the project does not have them yet.
        grades: what is decided already, in nobody's queue.

    Raises:
        UsageError: an entity of an event that neither the project nor `events` has.
    """
    by_event = rows_by_topic(entities)
    topics = _topics(desk, project, by_event, list(events))
    gathered = {bare: _gather(topics[bare].event, of_event) for bare, of_event in by_event.items()}
    for document in documents:
        for sentences in gathered.values():
            sentences.add(document)
    items = desk.projects.add_items(
        item
        for bare, of_event in by_event.items()
        for item in _items(desk, project, topics[bare], of_event, gathered[bare])
    )
    objects = _decide(desk, project, topics, grades)
    return Imported(len(gathered), items, objects)


def _topics(
    desk: Desk, project: Project, bare_ids: Iterable[str], events: list[Event]
) -> dict[str, DeskTopic]:
    topics = {bare_event_id(topic.event.id): topic for topic in desk.projects.topics(project.id)}
    about = {bare_event_id(event.id): event for event in events}
    for bare in bare_ids:
        if bare not in topics and bare not in about:
            known = ", ".join([*topics, *about]) or "none"
            raise UsageError(f"Entities of event {bare!r}, which the project does not have. It has {known}.")
        if bare not in topics:
            topics[bare] = desk.projects.add_topic(project.id, about[bare])
    return topics


def _gather(event: Event, entities: list[DayEntity]) -> DaySentences:
    names: dict[str, tuple[str, ...]] = {}
    for day_entity in entities:
        names[day_entity.entity] = (*names.get(day_entity.entity, (day_entity.entity,)), *day_entity.aliases)
    days = {entity.date for entity in entities}
    return DaySentences(event, names, days | set(map(day_before, days)))


def _items(
    desk: Desk, project: Project, topic: DeskTopic, entities: list[DayEntity], sentences: DaySentences
) -> Iterator[DeskItem]:
    seen = {item.id for item in desk.projects.items(project.id, topic.number, "day-entity")}
    for day_entity in sorted(
        entities, key=lambda entity: (entity.date, entity.entity.casefold(), entity.entity)
    ):
        if day_entity.id in seen:
            continue
        seen.add(day_entity.id)
        today = sentences.best(day_entity.date, day_entity.entity)
        before = sentences.best(day_before(day_entity.date), day_entity.entity)
        content = {
            "date": day_entity.date,
            "entity": day_entity.entity,
            "type": day_entity.type,
            "aliases": list(day_entity.aliases),
            "sentence": day_entity.sentence if today is None else today.text,
            "sentence_id": day_entity.sentence_id if today is None else today.id,
            "before": "" if before is None else before.text,
            "before_id": "" if before is None else before.id,
        }
        time = timegm(date.fromisoformat(day_entity.date).timetuple())
        yield DeskItem(project.id, topic.number, "day-entity", day_entity.id, 0, time, content)


def _decide(desk: Desk, project: Project, topics: dict[str, DeskTopic], grades: Iterable[EntityGrade]) -> int:
    written = 0
    for bare, of_event in rows_by_topic(grades).items():
        topic = topics[bare].number if bare in topics else 0
        by_id = {DayEntity(grade.event_id, grade.date, grade.entity).id: grade for grade in of_event}
        changes = [
            Change(FINAL, "grade", item_id, {"grade": grade.grade})
            for item_id, grade in by_id.items()
            if topic and desk.projects.item(project.id, topic, "day-entity", item_id)
        ]
        if changes:
            content = [(change.id, change.value) for change in changes]
            written += record_import(desk, project, topic, "entities", changes, content)
    return written


# Out again.


def export_entities(desk: Desk, project: Project, *, layer: str | None = None) -> tuple[EntityGrade, ...]:
    """The grades that count: the final one of an entity, else that of the first judge; or those of `layer`."""
    found: list[EntityGrade] = []
    for topic in desk.projects.topics(project.id):
        items = {item.id: item for item in desk.projects.items(project.id, topic.number, "day-entity")}
        objects = desk.log.objects(project.id, topic.number, kind="grade", layer=layer)
        chosen = judgments_that_count(objects)
        for item in sorted(items.values(), key=lambda item: (item.time, item.number)):
            if item.id in chosen:
                content = item.content
                found.append(
                    EntityGrade(
                        topic.event.id,
                        content["date"],
                        content["entity"],
                        content["type"],
                        chosen[item.id].value["grade"],
                        tuple(content["aliases"]),
                    )
                )
    return tuple(found)


def crowd_of(
    desk: Desk, project: Project, topic: int, *, least: float | None = None
) -> tuple[dict[str, CrowdOpinion], list[CrowdJudge]]:
    """What the judges' answers of the short form add up to in a topic, by item, and the judges.

    Gold are the final answers, and where there is none those of who leads the project.

    Args:
        desk: where from.
        project: of which project.
        topic: the number of a topic.
        least: judges who agree with the gold no better are left out; None keeps all.
    """
    members = {member.account_id: member for member in desk.projects.members(project.id)}
    answers: dict[str, dict[str, Answer]] = {}
    final: dict[str, Answer] = {}
    of_leads: dict[str, Answer] = {}
    for judged in desk.log.objects(project.id, topic, kind="answer"):
        answer = Answer(judged.value["sentence"], judged.value["important"])
        account = layer_account(judged.layer)
        if account is None:
            final[judged.id] = answer
            continue
        member = members.get(account)
        name = member.name if member is not None else judged.layer
        answers.setdefault(name, {})[judged.id] = answer
        if member is not None and member.role == "lead":
            of_leads.setdefault(judged.id, answer)
    return brought_together(answers, {**of_leads, **final}, least=least)


def provenance_lines(desk: Desk, project: Project, *, least: float | None = None) -> Iterator[dict[str, Any]]:
    """Every entity of a day as a line: its sentences, who graded it how, and what the short form's answers add up to.

    `least` is as `crowd_of` has it.
    """
    names = {member.account_id: member.name for member in desk.projects.members(project.id)}
    for topic in desk.projects.topics(project.id):
        opinions, judges = crowd_of(desk, project, topic.number, least=least)
        kept = {judge.judge for judge in judges if judge.counts}
        grades = desk.log.objects(project.id, topic.number, kind="grade")
        chosen = judgments_that_count(grades)
        by_item: dict[str, dict[str, Any]] = {}
        for grade in grades:
            by_item.setdefault(grade.id, {})[_judge(grade.layer, names)] = grade.value["grade"]
        items = desk.projects.items(project.id, topic.number, "day-entity")
        for item in sorted(items, key=lambda item: (item.time, item.number)):
            line = {"event": topic.event.id, **item.content}
            if item.id in chosen:
                line["grade"] = chosen[item.id].value["grade"]
                line["grades"] = by_item[item.id]
            if item.id in opinions:
                line["crowd"] = msgspec.to_builtins(opinions[item.id])
                line["crowd_left_out"] = sorted({judge.judge for judge in judges} - kept)
            yield line


def _judge(layer: str, names: dict[int, str]) -> str:
    account = layer_account(layer)
    return layer if account is None else names.get(account, layer)
