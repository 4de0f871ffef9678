"""How often the store is asked for a judgment: what is counted here does not depend on the machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event

from tests.annotation.pages.desks import People, bundled_judgments, client_of, desk_with
from tidings.annotation.desk.pools import topic_pool
from tidings.core.records.judgments import Assignment

API = "/api/projects/1/topics/1"


class Asked:
    """Statements and transactions."""

    def __init__(self) -> None:
        self.statements: list[str] = []
        self.transactions = 0


@contextmanager
def asked(people: People) -> Iterator[Asked]:
    """What the store is asked meanwhile."""
    seen, engine = Asked(), people.desk.store.engine

    def statement(connection: Any, cursor: Any, words: str, *rest: Any) -> None:
        if not words.startswith("BEGIN"):
            seen.statements.append(words)

    def begun(connection: Any) -> None:
        seen.transactions += 1

    event.listen(engine, "before_cursor_execute", statement)
    event.listen(engine, "begin", begun)
    try:
        yield seen
    finally:
        event.remove(engine, "before_cursor_execute", statement)
        event.remove(engine, "begin", begun)


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Iterator[People]:
    """Each test judges other updates as somebody else."""
    with desk_with(tmp_path_factory.mktemp("desk") / "desk.db", bundled_judgments(judged=False)) as made:
        yield made


def judge(client: Any, people: People, number: int) -> Any:
    update = topic_pool(people.desk, 1, 1).candidates[number].id
    body = {"key": f"judged-{number:04}", "update": update, "matches": []}
    return client.post(f"{API}/matching", json=body)


def test_a_judgment_takes_two_transactions(people: People) -> None:
    """Who comes in and where, then the judgment; its log, object, claim and project are written in the second."""
    with client_of(people, people.first) as client:
        judge(client, people, 0)
        second = topic_pool(people.desk, 1, 1).candidates[1].id
        body = {"key": "judged-second", "update": second, "matches": []}
        with asked(people) as seen:
            assert client.post(f"{API}/matching", json=body).status_code == 200
    assert seen.transactions == 2 and len(seen.statements) <= 10
    assert sum(words.startswith(("INSERT", "UPDATE")) for words in seen.statements) == 4


def test_taking_back_takes_three_and_is_done_once(people: People) -> None:
    names = [one.id for one in topic_pool(people.desk, 1, 1).candidates]
    with client_of(people, people.second) as client:
        for number in range(10, 13):
            judge(client, people, number)
        for number in (12, 11, 10):
            body = {"key": f"undo-{number:04}", "task": "matching"}
            with asked(people) as seen:
                answer = client.post(f"{API}/undo", json=body)
            assert names[number] in [one["id"] for one in answer.json()["objects"]]
        assert seen.transactions == 3 and len(seen.statements) <= 9
        assert client.post(f"{API}/undo", json={"key": "undo-more", "task": "matching"}).status_code == 409
        # Sent again, because its answer was lost, it is the same act, whatever is left to take back.
        again = client.post(f"{API}/undo", json=body)
        assert again.status_code == 200
        assert again.json() == {**answer.json(), "repeated": True}


def test_what_changes_for_a_visitor_holds_from_the_next_request(people: People) -> None:
    projects, newcomer = people.desk.projects, people.stranger.id
    with client_of(people, people.stranger) as client:
        assert judge(client, people, 20).status_code == 404
        projects.set_member(1, newcomer, "assessor")
        assert judge(client, people, 20).status_code == 200
        projects.assign(Assignment(1, 1, "matching", people.second.id))
        assert judge(client, people, 21).status_code == 403
        projects.assign(Assignment(1, 2, "matching", newcomer))
        projects.assign(Assignment(1, 1, "relevance", newcomer))
        assert judge(client, people, 21).status_code == 403
        projects.assign(Assignment(1, 1, "matching", newcomer))
        assert judge(client, people, 21).status_code == 200
        projects.set_member(1, newcomer, None)
        assert judge(client, people, 22).status_code == 404
        projects.set_member(1, newcomer, "assessor")
        assert judge(client, people, 22).status_code == 403
        projects.assign(Assignment(1, 1, "matching", people.second.id), assigned=False)
        assert judge(client, people, 22).status_code == 200
        people.desk.accounts.disable(newcomer)
        assert judge(client, people, 23).status_code == 401


def test_an_address_with_another_spelling_of_a_number_leads_nowhere(people: People) -> None:
    api = "/api/projects/{}/topics/{}/matching/nuggets"
    with client_of(people, people.lead) as client:
        assert client.get(api.format("01", 1)).status_code == 200
        for odd in ("+1", "%201", "1.0", "1_0", "١", "0" * 30 + "1"):
            for path in (api.format(odd, 1), api.format(1, odd)):
                assert client.get(path).status_code in (404, 422), path
