"""Clusters and relevance through the desk's addresses: blind layers, copies, conflicts, claims, decided updates."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.annotation.pages.desks import People, client_of, desk_with
from tests.sweeps import cases
from tidings.annotation.store import Act
from tidings.core.records import Cluster, Event, Judgments, PooledUpdate
from tidings.core.records.judgments import FINAL, Assignment, Change

TEXTS = cases(__file__, "texts")
A, B, COPY, RAIN = (f"{name}-0" for name in TEXTS)
API = "/api/projects/1/topics/1"


def judgments(clusters: tuple[Cluster, ...] = ()) -> Judgments:
    pool = tuple(PooledUpdate("E1", name, 0, text) for name, text in reversed(TEXTS.items()))
    return Judgments(
        name="ferry", events=(Event(id="E1", title="Ferry", query="ferry"),), pool=pool, clusters=clusters
    )


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[People]:
    with desk_with(tmp_path_factory.mktemp("desk") / "desk.db", judgments(), judges=2) as made:
        yield made


@pytest.fixture
def ferry(desk: People) -> People:
    """The desk with all judgments and claims taken away; one store serves all tests of this file."""
    for number, one in enumerate(desk.desk.log.objects(1, 1)):
        act = Act(key=f"clean-{one.version}-{number}", operation="import", topic=1)
        desk.desk.log.record(1, act, [Change(one.layer, one.kind, one.id, None)])
    for task in ("clusters", "relevance"):
        for item, accounts in desk.desk.claims.holders(1, 1, task).items():
            for account in accounts:
                desk.desk.claims.release(1, 1, task, item, account)
    return desk


class Sender:
    """A judge's page without a window: numbers its acts."""

    count = 0

    def __init__(self, people: People, account: Any) -> None:
        self.client: TestClient = client_of(people, account)

    def __call__(self, path: str, status: int = 200, **body: Any) -> Any:
        Sender.count += 1
        body.setdefault("key", f"act-number-{Sender.count}")
        answer = self.client.post(f"{API}/{path}", json=body)
        assert answer.status_code == status, answer.text
        return answer.json()

    def state(self, task: str = "clusters") -> Any:
        return self.client.get(f"{API}/{task}").json()

    def places(self) -> dict[str, Any]:
        return {update: there[0] for update, there in self.state()["members"].items()}


@pytest.fixture
def first(ferry: People) -> Sender:
    return Sender(ferry, ferry.first)


class TestClusters:
    def test_updates_are_given_in_time_order_with_copies_as_one(self, first: Sender) -> None:
        assert first.client.get("/projects/1/topics/1/clusters").status_code == 200
        rows, again = (first.client.get(f"{API}/{task}/updates").json() for task in ("clusters", "relevance"))
        assert rows == again
        assert [(row[0], row[1], row[3]) for row in rows] == [
            (A, 1374684000, [COPY]),
            (B, 1374684060, []),
            (RAIN, 1374684180, []),
        ]

    def test_a_cluster_is_called_as_its_update_and_copies_follow_it(
        self, ferry: People, first: Sender
    ) -> None:
        first("clusters/new", update=A, cluster="c-one", number=1)
        (cluster,) = first.state()["clusters"]
        assert (cluster["label"], cluster["number"], cluster["final"]) == (TEXTS["1374684000-a"], 1, False)
        stored = ferry.desk.log.objects(1, 1, kind="membership")
        assert {one.id: one.value for one in stored} == {
            A: {"cluster": "c-one"},
            COPY: {"cluster": "c-one", "automatic": True},
        }
        (entry, *_) = ferry.desk.log.entries(1, latest_first=True, limit=1)
        assert entry.operation == "new-cluster" and entry.shown

    def test_a_copy_is_judged_as_its_original(self, first: Sender) -> None:
        first("clusters/remove", update=COPY)
        assert first.places() == {A: None}

    def test_judges_see_nothing_of_each_other(self, ferry: People, first: Sender) -> None:
        first("clusters/new", update=A, cluster="c-one")
        second = Sender(ferry, ferry.second)
        assert second.state()["clusters"] == [] and second.places() == {}
        second("clusters/add", 409, update=B, cluster="c-one")
        second("clusters/new", update=A, cluster="c-two")
        assert first.places() == {A: "c-one"} and second.places() == {A: "c-two"}

    def test_all_that_is_done_and_taken_back(self, first: Sender) -> None:
        first("clusters/new", update=A, cluster="c-one")
        first("clusters/new", update=RAIN, cluster="c-two", label="weather")
        first(
            "clusters/rename",
            cluster="c-one",
            label=" burning\nferry ",
            expected=first.state()["clusters"][0]["version"],
        )
        first("clusters/add", update=B, cluster="c-one")
        first("clusters/merge", cluster="c-two", into="c-one")
        assert [one["label"] for one in first.state()["clusters"]] == ["burning ferry"]
        assert first.places() == {A: "c-one", B: "c-one", RAIN: "c-one"}
        first("undo", task="clusters")
        assert first.places() == {A: "c-one", B: "c-one", RAIN: "c-two"}
        first("clusters/empty", cluster="c-one")
        assert first.places() == {RAIN: "c-two"}
        first("clusters/put-back", update=RAIN, expected=first.state()["members"][RAIN][1])
        assert first.places() == {}
        for _ in range(6):
            first("undo", task="clusters")
        assert first.places() == {} and first.state()["clusters"] == []
        first("undo", 409, task="clusters")

    def test_what_changed_since_the_page_was_shown_is_not_written_over(self, first: Sender) -> None:
        first("clusters/new", update=A, cluster="c-one")
        answer = first("clusters/remove", 409, update=A, expected=0)
        assert "Someone changed this" in answer["message"] and answer["current"]["value"] == {
            "cluster": "c-one"
        }
        first("clusters/rename", 409, cluster="c-one", label="x", expected=0)
        first("clusters/remove", update=A, expected=first.state()["members"][A][1])

    def test_an_act_sent_before_the_last_was_answered_names_it(self, first: Sender) -> None:
        first("clusters/new", update=A, cluster="c-one", key="first-act")
        first("clusters/rename", cluster="c-one", label="fire", after="first-act")
        first("clusters/remove", update=A, after="first-act", key="second-act")
        first("clusters/add", 409, update=A, cluster="c-one", after="first-act")
        first("clusters/add", 409, update=A, cluster="c-one", after="no-such-act")
        first("clusters/add", update=A, cluster="c-one", after="second-act")

    def test_what_is_there_not_is_said(self, first: Sender) -> None:
        first("clusters/remove", 404, update="nothing-0")
        assert first.client.get(f"{API}/clusters/near", params={"update": "x"}).status_code == 404
        assert first.client.get(f"{API}/clusters/alike", params={"cluster": "x"}).status_code == 404

    def test_a_cluster_sorts_updates_and_an_update_knows_those_like_it(self, first: Sender) -> None:
        first("clusters/new", update=RAIN, cluster="c-one", label="ferry burns")
        alike = first.client.get(f"{API}/clusters/alike", params={"cluster": "c-one"}).json()
        assert [one["id"] for one in alike] == [B, A, RAIN]
        near = first.client.get(f"{API}/clusters/near", params={"update": A}).json()
        assert [one["id"] for one in near] == [B] and 0.15 < near[0]["score"] <= 1

    def test_what_was_suggested_is_recorded_as_such(self, ferry: People, first: Sender) -> None:
        first("clusters/new", update=A, cluster="c-one")
        first("clusters/add", update=B, cluster="c-one", assisted="most-alike")
        (entry,) = ferry.desk.log.entries(1, latest_first=True, limit=1)
        assert (entry.object_id, entry.assisted) == (B, "most-alike")


class TestDecided:
    def test_a_final_membership_is_shown_and_left_alone(self, ferry: People, first: Sender) -> None:
        changes = [
            Change(FINAL, "cluster", "old", {"label": "ferry"}),
            Change(FINAL, "membership", A, {"cluster": "old"}),
            Change(FINAL, "membership", "not-pooled", {"cluster": "old"}),
        ]
        ferry.desk.log.record(1, Act(key="decided-first", operation="import", topic=1), changes)
        first("clusters/new", update=RAIN, cluster="c-one")
        state = first.state()
        assert [(one["id"], one["number"], one["final"]) for one in state["clusters"]] == [
            ("old", 1, True),
            ("c-one", 2, False),
        ]
        assert state["members"][A][0::2] == ["old", True]
        assert "decided" in first("clusters/remove", 409, update=A)["message"]
        assert "decided" in first("clusters/empty", 409, cluster="old")["message"]
        first("clusters/add", update=B, cluster="old")
        assert first.places() == {A: "old", B: "old", RAIN: "c-one"}

    def test_a_cluster_that_was_taken_away_leaves_its_updates_to_be_placed(
        self, ferry: People, first: Sender
    ) -> None:
        ferry.desk.log.record(
            1,
            Act(key="decided-again", operation="import", topic=1),
            [Change(FINAL, "cluster", "old", {"label": "x"})],
        )
        first("clusters/add", update=B, cluster="old")
        ferry.desk.log.record(
            1, Act(key="taken-away", operation="reopen", topic=1), [Change(FINAL, "cluster", "old", None)]
        )
        assert first.places() == {}


class TestWhoMay:
    def test_a_topic_goes_to_as_many_as_are_asked_and_to_those_it_is_assigned_to(
        self, ferry: People, first: Sender
    ) -> None:
        second, lead = Sender(ferry, ferry.second), Sender(ferry, ferry.lead)
        first("clusters/remove", update=A)
        second("clusters/remove", update=A)
        page = lead.client.get("/projects/1/topics/1/clusters").text
        assert "Enough other judges have taken this topic" in page
        assert "Already taken by 2 others" in lead("clusters/remove", 409, update=A)["message"]
        given = Assignment(1, 1, "clusters", ferry.lead.id)
        ferry.desk.projects.assign(given)
        try:
            assert "has gone" not in lead.client.get("/projects/1/topics/1/clusters").text
            lead("clusters/remove", update=A)
            first("clusters/remove", 403, update=B)
            assert first.client.get("/projects/1/topics/1/clusters").status_code == 403
        finally:
            ferry.desk.projects.assign(given, assigned=False)
        assert "has gone" not in first.client.get("/projects/1/topics/1/clusters").text


class TestRelevance:
    def test_a_grade_goes_to_the_copies_and_the_clusters_page_knows_it(
        self, ferry: People, first: Sender
    ) -> None:
        first("relevance/grade", update=A, grade=2)
        first("relevance/grade", update=RAIN, grade=0)
        grades = first.state("relevance")["grades"]
        assert {update: one[0] for update, one in grades.items()} == {A: 2, RAIN: 0}
        assert first.state()["grades"] == {A: 2, RAIN: 0}
        assert Sender(ferry, ferry.second).state()["grades"] == {}

    def test_a_grade_is_changed_taken_away_and_taken_back(self, first: Sender) -> None:
        first("relevance/grade", update=A, grade=2)
        first("relevance/grade", 409, update=A, grade=1)
        first("relevance/grade", update=A, grade=1, expected=first.state("relevance")["grades"][A][1])
        first("relevance/grade", update=A, grade=None, expected=first.state("relevance")["grades"][A][1])
        assert first.state("relevance")["grades"] == {}
        first("undo", task="relevance")
        assert first.state("relevance")["grades"][A][0] == 1

    def take(self, sender: Sender, *besides: str) -> str | None:
        answer = sender.client.post(f"{API}/relevance/take", json={"besides": besides})
        return answer.json()["update"]  # type: ignore[no-any-return]

    def test_updates_are_given_out_by_time_and_to_no_more_than_are_asked(
        self, ferry: People, first: Sender
    ) -> None:
        second, lead = Sender(ferry, ferry.second), Sender(ferry, ferry.lead)
        assert self.take(first) == self.take(first) == A
        assert self.take(first, A) == B
        assert self.take(second) == A and self.take(lead) == B
        assert first.state("relevance")["mine"] == [A, B]
        assert lead.state("relevance")["gone"] == [A]
        first("relevance/grade", update=A, grade=1)
        assert self.take(first, B) == RAIN
        assert self.take(first, B, RAIN) is None
        message = lead("relevance/grade", 409, update=A, grade=1)["message"]
        assert "Already taken by 2 others" in message

    def test_final_grades_are_nobodys_to_give(self, ferry: People, first: Sender) -> None:
        final = [Change(FINAL, "relevance", A, {"grade": 1})]
        ferry.desk.log.record(1, Act(key="final-grade", operation="import", topic=1), final)
        assert self.take(first) == B
        assert first.state("relevance")["grades"][A][0::2] == [1, True]
        assert first.state()["grades"] == {A: 1}
        assert "decided" in first("relevance/grade", 409, update=A, grade=0)["message"]


def test_a_project_without_the_task_has_no_such_page(tmp_path: Path) -> None:
    with desk_with(tmp_path / "desk.db") as people:
        project = people.desk.projects.add("clusters only", tasks=["clusters"])
        people.desk.projects.set_member(project.id, people.first.id, "assessor")
        people.desk.projects.add_topic(project.id, Event(id="E1", title="E", query="e"))
        client = client_of(people, people.first)
        there = f"projects/{project.id}/topics/1"
        assert client.get(f"/{there}/relevance").status_code == 403
        assert client.get(f"/{there}/clusters").status_code == 200
        assert client.get(f"/api/{there}/clusters").json()["grades"] is None
