"""The entities of a day, asked for and judged without a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.annotation.desk.copies import copied
from tests.annotation.desk.test_entities import EVENT, GRADES, STREAM
from tests.annotation.pages.desks import People, client_of, desk_with
from tidings.annotation.desk.exchange.day_entities import entities_of_grades, import_day_entities
from tidings.core.records import EntityGrade
from tidings.core.records.judgments import Assignment, judge_layer

PAGE, API = "/projects/1/topics/1/entities", "/api/projects/1/topics/1/entities"
NADOR = "2024-05-01|Nador"


@pytest.fixture(scope="module")
def desk_of_days(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("entities") / "days.db"
    with desk_with(path) as made:
        bring(made)
    return path


@pytest.fixture
def people(desk_of_days: Path, tmp_path: Path) -> Iterator[People]:
    with copied(desk_of_days, tmp_path / "d.db") as made:
        yield made


def bring(people: People, grades: tuple[EntityGrade, ...] = ()) -> None:
    odd = EntityGrade("fire", "2024-05-01", "<script>alert(1)</script>", "PER", 1)
    entities = entities_of_grades((*GRADES, odd))
    import_day_entities(people.desk, people.project, entities, STREAM, events=[EVENT], grades=grades)


def grade(client: TestClient, number: int | None, key: str = "12345678", **more: Any) -> Any:
    return client.post(f"{API}/grade", json={"key": key, "item": NADOR, "grade": number, **more})


class TestJudging:
    def test_a_grade_is_in_the_store_when_it_is_answered(self, people: People) -> None:
        answer = grade(client_of(people, people.first), 4, version=0).json()
        layer = judge_layer(people.first.id)
        there = people.desk.log.object(people.project.id, 1, layer, "grade", NADOR)
        assert there is not None and there.value == {"grade": 4}
        assert answer["objects"] == [
            {"layer": layer, "kind": "grade", "id": NADOR, "version": there.version, "value": {"grade": 4}}
        ]
        (entry,) = people.desk.log.entries(people.project.id)
        assert (entry.operation, entry.account, len(entry.shown)) == ("grade-entity", "first", 16)

    def test_an_item_goes_to_as_many_as_are_asked(self, people: People) -> None:
        assert grade(client_of(people, people.first), 4).status_code == 200
        refused = grade(client_of(people, people.second), 2, "87654321")
        assert refused.status_code == 409 and "taken by 1 other" in refused.json()["message"]

    def test_the_two_forms_ask_people_apart(self, people: People) -> None:
        assert grade(client_of(people, people.first), 4).status_code == 200
        both = {"key": "87654321", "item": NADOR, "sentence": 3, "important": False}
        assert client_of(people, people.second).post(f"{API}/answer", json=both).status_code == 200
        half = {"key": "87654322", "item": NADOR, "sentence": 3}
        assert client_of(people, people.second).post(f"{API}/answer", json=half).status_code == 422

    def test_another_window_is_not_written_over(self, people: People) -> None:
        client = client_of(people, people.first)
        seen = grade(client, 4, version=0).json()["objects"][0]["version"]
        stale = grade(client, 2, "87654321", version=0)
        assert stale.status_code == 409 and stale.json()["current"]["value"] == {"grade": 4}
        assert grade(client, 2, "87654322", version=seen).status_code == 200

    def test_a_grade_is_taken_back(self, people: People) -> None:
        client = client_of(people, people.first)
        grade(client, 4)
        undo = client.post("/api/projects/1/topics/1/undo", json={"key": "87654321", "task": "entities"})
        assert undo.json()["objects"][0]["value"] is None
        grade(client, 3, "87654323")
        assert grade(client, None, "87654322").json()["objects"][0]["value"] is None

    @pytest.mark.parametrize("wrong", [{"grade": 5}, {"grade": 0}, {"item": ""}, {"more": 1}])
    def test_what_is_no_judgment_is_refused(self, people: People, wrong: dict[str, Any]) -> None:
        body = {"key": "12345678", "item": NADOR, "grade": 1, **wrong}
        assert client_of(people, people.first).post(f"{API}/grade", json=body).status_code == 422

    def test_an_unknown_item_is_not_found(self, people: People) -> None:
        assert grade(client_of(people, people.first), 1, item="2024-05-01|Ceuta").status_code == 404


class TestDays:
    def take(self, client: TestClient, key: str, what: str = "take", day: str = "2024-05-01") -> Any:
        return client.post(f"{API}/{what}", json={"key": key, "date": day}).json()

    def test_the_items_of_a_day_come_together_and_go_back(self, people: People) -> None:
        first, second = client_of(people, people.first), client_of(people, people.second)
        assert len(self.take(first, "12345678")["items"]) == 3
        assert self.take(second, "12345679")["items"] == []
        assert "3 for this day taken by others" in second.get(f"{PAGE}?day=2024-05-01").text
        grade(first, 4)
        assert len(self.take(first, "12345670", "give-back")["items"]) == 2
        assert len(self.take(second, "12345671")["items"]) == 2
        assert NADOR not in self.take(first, "12345672")["items"]

    def test_a_day_that_is_not_there_is_not_found(self, people: People) -> None:
        client = client_of(people, people.first)
        assert client.post(f"{API}/take", json={"key": "12345678", "date": "2024"}).status_code == 404

    def test_the_page_shows_what_one_has_with_both_sentences_and_nothing_runs(self, people: People) -> None:
        client = client_of(people, people.first)
        self.take(client, "12345678", day="2024-05-02")
        self.take(client, "12345679")
        text = client.get(f"{PAGE}?day=2024-05-02").text
        assert "<mark>The port</mark> is closed, and so it stays." in text
        text = client.get(f"{PAGE}?day=2024-05-01").text
        assert "not named the day before" in text and "not named on this day" in text
        assert "&lt;script&gt;alert(1)" in text and "<script>alert" not in text

    def test_what_is_decided_is_shown_and_not_asked(self, people: People) -> None:
        bring(people, GRADES)
        text = client_of(people, people.first).get(f"{PAGE}?day=2024-05-02").text
        assert "1 decided" in text and "data-grade" not in text
        assert grade(client_of(people, people.first), 1).status_code == 409

    def test_a_topic_without_entities_says_how_they_come(self, tmp_path: Path) -> None:
        with desk_with(tmp_path / "e.db") as empty:
            empty.desk.projects.add_topic(empty.project.id, EVENT)
            assert "assess import" in client_of(empty, empty.first).get(PAGE).text


class TestWhoMay:
    def test_where_others_are_assigned_one_may_not(self, people: People) -> None:
        people.desk.projects.assign(Assignment(people.project.id, 1, "entities", people.second.id))
        client = client_of(people, people.first)
        assert [client.get(PAGE).status_code, grade(client, 1).status_code] == [403, 403]
        for what in ("take", "give-back"):
            body = {"key": "12345678", "date": "2024-05-01"}
            assert client.post(f"{API}/{what}", json=body).status_code == 403
        assert client_of(people, people.second).get(PAGE).status_code == 200

    def test_what_the_short_form_adds_up_to_is_for_leads(self, people: People) -> None:
        both = {"key": "87654321", "item": NADOR, "sentence": 3, "important": False}
        client_of(people, people.second).post(f"{API}/answer", json=both)
        assert client_of(people, people.second).get(f"{API}/short-form").status_code == 403
        told = client_of(people, people.lead).get(f"{API}/short-form", params={"least": 0.7}).json()
        assert told["items"] == {NADOR: {"sentence": 3.0, "important": 0.0, "judges": 1}}
        assert [one["judge"] for one in told["judges"]] == ["second"]
