"""What was decided and opened again is judged again by those alone whose new answer stands."""

from __future__ import annotations

from typing import Any

import pytest

from tests.annotation.pages.desks import People, client_of
from tidings.annotation.desk.disagreements import compare_objects
from tidings.annotation.desk.notes import reopen
from tidings.annotation.desk.queue import task_named
from tidings.annotation.store import Act
from tidings.core.records.judgments import FINAL, Account, Change, judge_layer

KIND = "relevance"
keys = iter(range(10**6))


def record(people: People, account: Account, make: Any, operation: str = "judge") -> None:
    act = Act(key=f"again-key-{next(keys)}", operation=operation, topic=1, account_id=account.id)
    people.desk.log.record(1, act, make)


@pytest.fixture
def update(people: People) -> str:
    """An update that both have judged, and that was decided and opened again."""
    name = people.desk.projects.items(1, 1, "update")[0].id
    for account in (people.first, people.second):
        judge(people, account, name, 1)
    record(people, people.lead, [Change(FINAL, KIND, name, {"grade": 1})], "adjudicate")
    record(people, people.lead, reopen(KIND, name, "look again"), "reopen")
    return name


def judge(people: People, account: Account, name: str, grade: int) -> None:
    record(people, account, [Change(judge_layer(account.id), KIND, name, {"grade": grade})])


def undo(people: People, account: Account) -> None:
    body = {"key": f"again-key-{next(keys)}", "task": "relevance"}
    answer = client_of(people, account).post("/api/projects/1/topics/1/undo", json=body)
    assert answer.status_code == 200, answer.text


def judged(people: People, name: str) -> set[int]:
    task = task_named("relevance")
    assert task is not None
    return people.desk.claims.standing(1, 1, task).judged.get(name, set())


def ready(people: People) -> int:
    compared = compare_objects(people.desk.log.objects(1, 1))
    return len(compared.agreed) + len(compared.contested)


def test_a_new_answer_that_is_taken_back_was_not_given(people: People, update: str) -> None:
    first, second = people.first, people.second
    judge(people, second, update, 2)
    judge(people, first, update, 2)
    assert (judged(people, update), ready(people)) == ({first.id, second.id}, 1)
    undo(people, first)
    assert (judged(people, update), ready(people)) == ({second.id}, 0)
    values = {one.layer: one.value["grade"] for one in people.desk.log.objects(1, 1, kind=KIND)}
    assert values == {judge_layer(first.id): 1, judge_layer(second.id): 2}
    judge(people, first, update, 0)
    assert (judged(people, update), ready(people)) == ({first.id, second.id}, 1)
    undo(people, first)
    assert judged(people, update) == {second.id}


def test_of_two_new_answers_the_first_stands_where_the_second_is_taken_back(
    people: People, update: str
) -> None:
    judge(people, people.first, update, 2)
    judge(people, people.first, update, 0)
    undo(people, people.first)
    assert judged(people, update) == {people.first.id}
    undo(people, people.first)
    assert judged(people, update) == set()
