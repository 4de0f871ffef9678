"""The list of nuggets over the network: who may do what, what each sees, and what two people at once come to."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.annotation.desk.histories import HISTORY
from tests.annotation.pages.desks import People, client_of
from tidings.annotation.desk.exchange.importing import import_revisions
from tidings.annotation.store import Act
from tidings.core.records.documents import Revision
from tidings.core.records.judgments import FINAL, SHARED, Assignment, Change, judge_layer

API = "/api/projects/1/topics/1"
keys = iter(range(10**6))


class Judge:
    """Someone at the page."""

    def __init__(self, people: People, name: str) -> None:
        self.account = getattr(people, name)
        self.client: TestClient = client_of(people, self.account)
        self.layer = judge_layer(self.account.id)

    def get(self, path: str, **query: Any) -> Any:
        return self.client.get(f"{API}/extraction/{path}", params=query)

    def do(self, path: str, status: int = 200, **body: Any) -> Any:
        body.setdefault("key", f"test-key-{next(keys)}")
        where = f"{API}/undo" if path == "undo" else f"{API}/nuggets/{path}"
        answer = self.client.post(where, json=body)
        assert answer.status_code == status, answer.text
        return answer.json()

    def add(self, text: str, **more: Any) -> dict[str, Any]:
        made: dict[str, Any] = self.do("add", **{"text": text, "importance": 1, "time": 10, **more})[
            "objects"
        ][0]
        return made

    def nuggets(self) -> dict[str, Any]:
        return {one["id"]: one for one in self.get("nuggets").json()["nuggets"]}


@pytest.fixture
def first(people: People) -> Judge:
    topic = people.desk.projects.topics(people.project.id)[0]
    import_revisions(people.desk, people.project, topic, HISTORY)
    return Judge(people, "first")


@pytest.fixture
def second(people: People) -> Judge:
    return Judge(people, "second")


def match(people: People, layer: str, update: str, *nuggets: str) -> None:
    matches = [{"nugget": one, "start": 0, "end": 4, "automatic": False} for one in nuggets]
    key = f"test-key-{next(keys)}"
    people.desk.log.record(
        1, Act(key=key, operation="match", topic=1), [Change(layer, "matches", update, {"matches": matches})]
    )


def matched(people: People) -> dict[tuple[str, str], list[str]]:
    return {
        (one.layer, one.id): [m["nugget"] for m in one.value["matches"]]
        for one in people.desk.log.objects(1, kind="matches")
    }


def updates(people: People, number: int = 3) -> list[str]:
    return [item.id for item in people.desk.projects.items(1, 1, "update")[:number]]


class TestPage:
    def test_it_holds_the_revisions_by_time_and_the_nuggets(self, first: Judge) -> None:
        answer = first.client.get("/projects/1/topics/1/extraction")
        assert answer.status_code == 200
        for part in ('["r1",1374692400],["r2",1374693300],["r3",1374694400]', '"id":"derail"', '"read":[]'):
            assert part in answer.text

    def test_without_revisions_it_says_how_they_come_in(self, people: People, second: Judge) -> None:
        answer = second.client.get("/projects/1/topics/1/extraction")
        assert answer.status_code == 200 and "assess import --revisions" in answer.text

    def test_a_nugget_cannot_become_a_part_of_the_page(self, first: Judge) -> None:
        first.add("</script><script>alert(1)</script>")
        assert "<script>alert" not in first.client.get("/projects/1/topics/1/extraction").text

    def test_it_is_for_those_to_whom_the_task_is_assigned(
        self, people: People, first: Judge, second: Judge
    ) -> None:
        people.desk.projects.assign(Assignment(1, 1, "extraction", people.first.id))
        for path in ("nuggets", "matches", "linked?nugget=derail", "alike?text=x", "revision?id=r1"):
            assert first.client.get(f"{API}/extraction/{path}").status_code == 200
            assert second.client.get(f"{API}/extraction/{path}").status_code == 403
        assert second.client.get("/projects/1/topics/1/extraction").status_code == 403
        second.do("add", 403, text="x", importance=1, time=1)


class TestRevisions:
    def test_one_is_shown_beside_the_one_before(self, first: Judge) -> None:
        shown = first.get("revision", id="r4").json()
        assert (shown["first"], shown["time"], shown["title"]) == (False, HISTORY[4].time, HISTORY[4].title)
        assert [(one["op"], one["text"]) for one in shown["pieces"] if one["op"] in ("ins", "del")] == [
            ("del", "ten"),
            ("ins", "35"),
            ("ins", " It carried 218 passengers."),
        ]
        assert shown["pieces"][0]["op"] == "fold"
        assert [HISTORY[4].text[start:end] for start, end in shown["passages"]] == [
            "At least 35 people have died, the regional government said.",
            "It carried 218 passengers.",
        ]
        whole = first.get("revision", id="r4", whole=True).json()
        assert "".join(one["text"] for one in whole["pieces"] if one["op"] != "del") == HISTORY[4].text

    def test_the_first_has_none_before_it(self, first: Judge) -> None:
        shown = first.get("revision", id="r1").json()
        assert shown["first"] and [one["op"] for one in shown["pieces"]] == ["ins"]
        assert first.get("revision", id="r9").status_code == 404

    def test_one_that_came_in_late_stands_at_its_time(self, people: People, first: Judge) -> None:
        topic = people.desk.projects.topics(people.project.id)[0]
        late = Revision(time=HISTORY[0].time + 60, text=HISTORY[0].text + " Roads are shut.", id="late")
        import_revisions(people.desk, people.project, topic, [late])
        came = [
            one["text"] for one in first.get("revision", id="late").json()["pieces"] if one["op"] == "ins"
        ]
        assert came == [" Roads are shut."]
        went = [one["text"] for one in first.get("revision", id="r2").json()["pieces"] if one["op"] == "del"]
        assert "shut" in "".join(went)

    def test_what_one_has_read_is_kept_for_oneself(self, first: Judge, second: Judge) -> None:
        first.do("read", revision="r1")
        first.do("read", revision="r3")
        first.do("read", revision="r3", read=False)
        first.do("read", 404, revision="r9")
        assert '"read":["r1"]' in first.client.get("/projects/1/topics/1/extraction").text
        assert '"read":[]' in second.client.get("/projects/1/topics/1/extraction").text
        first.do("undo", 409, task="extraction")


class TestList:
    def test_a_nugget_with_its_source(self, first: Judge, second: Judge) -> None:
        source = {"revision": "r3", "start": 2, "end": 9}
        made = first.add("A passenger train", time=60, importance=3, source=source)
        there = second.nuggets()[made["id"]]
        assert (there["text"], there["importance"], there["time"], there["source"]) == (
            "A passenger train",
            3,
            60,
            source,
        )
        for odd in ({"start": 9, "end": 9}, {"end": 5000}, {"revision": "r9"}):
            first.do("add", 422, text="x", importance=1, time=1, source={**source, **odd})

    def test_only_what_changed_is_sent_again(self, first: Judge) -> None:
        seq = first.get("nuggets").json()["seq"]
        assert first.get("nuggets", after=seq).json() == {"seq": seq, "nuggets": None}
        made = first.add("A fire")
        assert made["id"] in {one["id"] for one in first.get("nuggets", after=seq).json()["nuggets"]}

    def test_two_people_never_overwrite_each_other(self, first: Judge, second: Judge) -> None:
        made = first.add("A fire")
        on = {"nugget": made["id"], "expected": made["version"]}
        first.do("edit", **on, text="A great fire")
        refused = second.do("edit", 409, **on, importance=3)
        assert refused["current"]["value"]["text"] == "A great fire"
        second.do("delete", 409, **on)
        second.do("needs", 409, **on, needs=[])
        second.do("split", 409, **on, parts=[{"text": "a", "importance": 1, "time": 1}] * 2)
        first.do("delete", nugget=made["id"], expected=refused["current"]["version"])
        assert "been deleted or merged" in second.do("edit", 409, **on, text="x")["message"]

    def test_acts_that_wait_for_one_another_are_taken_in_their_order(
        self, first: Judge, second: Judge
    ) -> None:
        first.add("A fire", key="the-first-key")
        first.do("edit", after="the-first-key", importance=3, key="the-second-key")
        first.do("edit", after="the-second-key", text="A great fire")
        there = next(one for one in first.nuggets().values() if one["text"] == "A great fire")
        assert there["importance"] == 3
        second.do("edit", 422, after="the-first-key", text="not mine")
        second.do("edit", 409, after="the-first-key", nugget=there["id"], expected=1, text="not mine")

    def test_each_act_can_be_taken_back(self, people: People, first: Judge, second: Judge) -> None:
        a, b = first.add("A fire"), first.add("A blaze")
        match(people, second.layer, "d-0", a["id"], b["id"])
        match(people, FINAL, "d-1", b["id"])
        before = first.nuggets(), matched(people)

        def check(who: Judge = first) -> None:
            who.do("undo", task="extraction")
            now = first.nuggets()
            assert matched(people) == before[1]
            assert {n: (one["text"], one["needs"]) for n, one in now.items()} == {
                n: (one["text"], one["needs"]) for n, one in before[0].items()
            }

        def version(one: dict[str, Any]) -> int:
            found: int = first.nuggets()[one["id"]]["version"]
            return found

        expected = {one["id"]: version(one) for one in (a, b)}
        fields = {"text": "A fire", "importance": 2, "time": 5}
        merged = first.do("merge", into=a["id"], others=[b["id"]], expected=expected, **fields)
        assert matched(people) == {(second.layer, "d-0"): [a["id"]], (FINAL, "d-1"): [a["id"]]}
        assert second.layer not in {one["layer"] for one in merged["objects"]}
        check()
        parts = [fields, {**fields, "text": "Smoke"}]
        first.do("split", nugget=b["id"], expected=version(b), parts=parts)
        assert len(matched(people)[second.layer, "d-0"]) == 3
        check()
        lead = Judge(people, "lead")
        on = {"nugget": b["id"], "expected": version(b)}
        lead.do("delete", 422, **on)
        lead.do("delete", **on, with_matches=2)
        assert matched(people)[FINAL, "d-1"] == []
        check(lead)

    def test_others_matches_are_taken_away_by_who_leads_alone(
        self, people: People, first: Judge, second: Judge
    ) -> None:
        made = first.add("A fire")
        on = {"nugget": made["id"], "expected": made["version"]}
        match(people, first.layer, "d-0", made["id"])

        def resting(who: Judge) -> tuple[int, dict[str, int], bool]:
            found = who.get("resting", nugget=made["id"]).json()
            return found["matches"], {one["name"]: one["matches"] for one in found["whose"]}, found["may"]

        lead = Judge(people, "lead")
        assert resting(first) == (1, {"you": 1}, True)
        assert resting(second) == (0, {"others": None}, False)
        match(people, second.layer, "d-0", made["id"])
        match(people, second.layer, "d-1", made["id"])
        match(people, FINAL, "d-2", made["id"])
        assert resting(first) == (2, {"decided": 1, "you": 1, "others": None}, False)
        assert resting(lead) == (4, {"decided": 1, "first": 1, "second": 2}, True)
        there = first.nuggets(), matched(people)
        for said in (0, 1, 4):
            refused = first.do("delete", 422, **on, with_matches=said)["message"]
            assert "(by others, 1 decided)" in refused and "leads the project" in refused
        assert "4 matches" in lead.do("delete", 409, **on, with_matches=3)["message"]
        assert (first.nuggets(), matched(people)) == there
        lead.do("delete", **on, with_matches=4)
        assert not any(matched(people).values()) and made["id"] not in first.nuggets()
        first.do("undo", 409, task="extraction")
        lead.do("undo", task="extraction")
        assert matched(people) == there[1]

    def test_what_is_built_upon_is_not_taken_back(self, people: People, first: Judge, second: Judge) -> None:
        a, b = first.add("A fire"), first.add("A blaze")
        match(people, second.layer, "d-0", b["id"])
        assert "matched" in first.do("undo", 409, task="extraction")["message"]
        expected = {one["id"]: one["version"] for one in (a, b)}
        first.do("merge", into=a["id"], others=[b["id"]], expected=expected, text="x", importance=1, time=1)
        match(people, second.layer, "d-0")
        refused = first.do("undo", 409, task="extraction")
        assert "judged since" in refused["message"] and refused["current"] is None

    def test_no_match_comes_back_to_a_nugget_that_is_gone(self, people: People, first: Judge) -> None:
        made = first.add("A fire")
        update = updates(people, 1)[0]

        def judge(matches: list[Any], expected: int) -> int:
            body = {
                "key": f"test-key-{next(keys)}",
                "update": update,
                "matches": matches,
                "expected": expected,
            }
            answer = first.client.post(f"{API}/matching", json=body)
            assert answer.status_code == 200, answer.text
            versions = [one["version"] for one in answer.json()["objects"] if one["id"] == update]
            return int(versions[0])

        version = judge([{"nugget": made["id"], "start": 0, "end": 4}], 0)
        judge([], version)
        first.do("delete", nugget=made["id"], expected=made["version"])
        assert "which would be lost" in first.do("undo", 409, task="matching")["message"]


class TestSplitting:
    def test_one_decides_on_ones_own_matches_and_leads_on_final_ones(
        self, people: People, first: Judge, second: Judge
    ) -> None:
        own, others, final = updates(people)
        made = first.add("Ten died and a fire broke out")
        nugget = made["id"]
        for layer, update in ((first.layer, own), (second.layer, others), (FINAL, final)):
            match(people, layer, update, nugget)
        linked = first.get("linked", nugget=nugget).json()
        assert ([one["update"] for one in linked["matches"]], linked["others"]) == ([own], None)
        assert linked["matches"][0]["text"] and linked["matches"][0]["spans"] == [[0, 4]]
        lead = Judge(people, "lead")
        linked = lead.get("linked", nugget=nugget).json()
        assert ([one["update"] for one in linked["matches"]], linked["others"]) == ([final], 2)
        # An assessor is shown nothing from which to guess what colleagues matched unseen.
        counts = {who: who.get("matches").json()["counts"][nugget] for who in (first, second, lead)}
        assert counts == {first: 2, second: 2, lead: 3}
        parts = [{"text": text, "importance": 1, "time": 5} for text in ("Ten died", "A fire broke out")]
        body = {"nugget": nugget, "expected": made["version"], "parts": parts}
        for layer in (second.layer, FINAL, SHARED):
            first.do("split", 403, **body, shares=[{"layer": layer, "update": others, "parts": [0]}])
        done = first.do("split", **body, shares=[{"layer": first.layer, "update": own, "parts": [1]}])
        ids = [one["id"] for one in done["objects"] if one["kind"] == "nugget"]
        assert matched(people) == {
            (first.layer, own): [ids[1]],
            (second.layer, others): ids,
            (FINAL, final): ids,
        }
        assert first.get("matches").json()["again"] == []
        (asked,) = second.get("matches").json()["again"]
        assert (asked["update"], asked["nuggets"], bool(asked["text"])) == (others, ids, True)
        second.do("again", 403, layer=FINAL, update=final, expected=1, nuggets=[])
        second.do("again", layer=second.layer, update=others, expected=asked["version"], nuggets=ids[:1])
        assert matched(people)[second.layer, others] == ids[:1]
        assert second.get("matches").json()["again"] == []
        (asked,) = lead.get("matches").json()["again"]
        assert asked["layer"] == FINAL
        part = lead.nuggets()[ids[1]]
        lead.do(
            "split",
            nugget=ids[1],
            expected=part["version"],
            parts=parts,
            shares=[{"layer": FINAL, "update": final, "parts": [0]}],
        )
        assert matched(people)[FINAL, final] == ids
        match(people, FINAL, final, ids[1])
        assert lead.get("matches").json()["again"] == []


def test_what_is_nearly_there_is_said(first: Judge) -> None:
    assert (
        first.get("alike", text="A passenger train derailed near Santiago de Compostela").json()[0]
        == "derail"
    )
    assert (
        "derail"
        not in first.get("alike", text="A passenger train derailed near Santiago", but="derail").json()
    )
    assert first.get("alike", text="Octopus is sold in the park").json() == []
