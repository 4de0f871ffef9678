"""Matching without a browser: what is kept of a judgment, for whom it can be seen, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.annotation.pages.desks import People, client_of, desk_with
from tests.sweeps import cases
from tidings.annotation.desk.exchange.importing import import_suggestions
from tidings.annotation.desk.suggested import suggestion_figures
from tidings.annotation.store import Act
from tidings.cli import run as tidings
from tidings.core.records import Event, Judgments, Match, Nugget, PooledUpdate, PossibleMatch
from tidings.core.records.judgments import FINAL, SHARED, Assignment, Change, judge_layer
from tidings.evaluation.formats.judge_answers import write_possible_matches

API = "/api/projects/1/topics/1"
TEXTS = cases(__file__, "texts")
NUGGETS = [Nugget("e", "N1", 0, 3, "a ferry burns"), Nugget("e", "N2", 60, 1, "in port")]


def collection(**more: Any) -> Judgments:
    pool = tuple(PooledUpdate("e", name, 0, text, published_time=60) for name, text in TEXTS.items())
    events = (Event(id="e", title="Ferry", query="ferry fire"),)
    return Judgments(name="ferry", events=events, nuggets=tuple(NUGGETS), pool=pool, **more)


@pytest.fixture
def ferry(tmp_path: Path) -> Iterator[People]:
    with desk_with(tmp_path / "desk.db", collection()) as people:
        yield people


def sent(client: TestClient, update: str, *matches: tuple[str, int, int], **more: Any) -> Any:
    body = {
        "key": f"{update}-{len(matches)}-{more}"[:100],
        "update": update,
        "matches": [{"nugget": nugget, "start": start, "end": end} for nugget, start, end in matches],
        **more,
    }
    return client.post(f"{API}/matching", json=body)


def kept(people: People, layer: str) -> dict[str, list[tuple[str, int, int, bool]]]:
    return {
        one.id: [(m["nugget"], m["start"], m["end"], m["automatic"]) for m in one.value["matches"]]
        for one in people.desk.log.objects(people.project.id, 1, layer=layer, kind="matches")
    }


class TestJudging:
    def test_copies_get_the_same_matches_by_themselves_and_follow_every_change(self, ferry: People) -> None:
        client, layer = client_of(ferry, ferry.first), judge_layer(ferry.first.id)
        first = sent(client, "a-0", ("N1", 3, 14), ("N2", 0, 35), ("N1", 9, 21))
        assert first.status_code == 200
        assert kept(ferry, layer) == {
            "a-0": [("N2", 0, 35, False), ("N1", 3, 14, False), ("N1", 9, 21, False)],
            "b-0": [("N2", 0, 34, True), ("N1", 2, 13, True), ("N1", 8, 20, True)],
        }
        version = next(one["version"] for one in first.json()["objects"] if one["id"] == "a-0")
        assert sent(client, "a-0", expected=version).status_code == 200
        assert kept(ferry, layer) == {"a-0": [], "b-0": []}
        assert client.post(f"{API}/undo", json={"key": "undo-once", "task": "matching"}).status_code == 200
        assert len(kept(ferry, layer)["b-0"]) == 3

    def test_who_leads_takes_back_judgments_and_decisions_where_they_were_made(self, ferry: People) -> None:
        client, layer = client_of(ferry, ferry.lead), judge_layer(ferry.lead.id)
        sent(client, "d-0", ("N1", 0, 4))
        decision = {"key": "decided-1", "task": "matching", "kind": "matches", "id": "c-0", "seen": {}}
        answer = client.post(f"{API}/adjudication", json={**decision, "value": {"matches": []}})
        assert answer.status_code == 200
        undo: dict[str, Any] = {"task": "matching"}
        assert client.post(f"{API}/undo", json={**undo, "key": "undo-judged"}).status_code == 200
        assert (kept(ferry, layer), kept(ferry, FINAL)) == ({}, {"c-0": []})
        sent(client, "d-0", ("N1", 0, 4), key="judged-again", expected=0)
        undo["decisions"] = True
        assert client.post(f"{API}/undo", json={**undo, "key": "undo-decided"}).status_code == 200
        assert (list(kept(ferry, layer)), kept(ferry, FINAL)) == (["d-0"], {})
        assert client.post(f"{API}/undo", json={**undo, "key": "undo-more"}).status_code == 409

    def test_a_page_that_is_behind_is_refused_and_told_what_is_there(self, ferry: People) -> None:
        client = client_of(ferry, ferry.first)
        sent(client, "d-0", ("N1", 0, 4))
        answer = sent(client, "d-0", ("N2", 0, 4), key="another-tab")
        assert answer.status_code == 409
        assert answer.json()["current"]["value"]["matches"][0]["nugget"] == "N1"

    def test_a_page_need_not_wait_for_an_answer_to_go_on_with_the_same_update(self, ferry: People) -> None:
        client = client_of(ferry, ferry.first)
        sent(client, "d-0", ("N1", 0, 4), key="the-first-act")
        second = sent(client, "d-0", ("N1", 0, 4), ("N2", 5, 13), after="the-first-act")
        assert second.status_code == 200
        # The one that follows an act that was refused is refused too.
        assert sent(client, "d-0", key="too-late-1").status_code == 409
        assert sent(client, "d-0", key="too-late-2", after="too-late-1").status_code == 409

    @pytest.mark.parametrize(
        ("match", "words"),
        cases(__file__, "what cannot be is refused"),
    )
    def test_what_cannot_be_is_refused(self, ferry: People, match: tuple[str, int, int], words: str) -> None:
        answer = sent(client_of(ferry, ferry.first), "d-0", match)
        assert answer.status_code == 422 and words in answer.json()["message"]
        assert kept(ferry, judge_layer(ferry.first.id)) == {}

    def test_the_same_match_twice_is_refused_and_unknown_updates_are_too(self, ferry: People) -> None:
        client = client_of(ferry, ferry.first)
        assert "twice" in sent(client, "d-0", ("N1", 0, 4), ("N1", 0, 4)).json()["message"]
        assert sent(client, "x-0").status_code == 404

    def test_characters_are_not_bytes_nor_halves_of_them(self, ferry: People) -> None:
        assert sent(client_of(ferry, ferry.first), "d-0", ("N1", 14, 16)).status_code == 200

    def test_what_suggested_it_is_in_the_log(self, ferry: People) -> None:
        sent(client_of(ferry, ferry.first), "a-0", ("N1", 3, 14), assisted="likely")
        entries = list(ferry.desk.log.entries(ferry.project.id, account_id=ferry.first.id))
        assert {(one.operation, one.assisted) for one in entries} == {("match", "likely")}
        assert entries[0].shown


class TestManyJudges:
    def test_an_update_goes_to_as_many_as_are_asked_whichever_copy_they_name(self, ferry: People) -> None:
        assert sent(client_of(ferry, ferry.first), "a-0").status_code == 200
        answer = sent(client_of(ferry, ferry.second), "b-0")
        assert answer.status_code == 409 and "Already taken by 1 other" in answer.json()["message"]

    def test_what_is_kept_for_one_is_not_given_to_another(self, ferry: People) -> None:
        one, other = client_of(ferry, ferry.first), client_of(ferry, ferry.second)
        asked = {"updates": ["b-0", "c-0"]}
        assert one.post(f"{API}/matching/take", json=asked).json() == {"update": "a-0"}
        assert one.post(f"{API}/matching/take", json=asked).json() == {"update": "a-0"}
        assert other.post(f"{API}/matching/take", json=asked).json() == {"update": "c-0"}
        assert other.post(f"{API}/matching/take", json={"updates": ["a-0", "x"]}).json() == {"update": None}
        assert other.get(f"{API}/matching/states").json() == {"states": {}, "gone": [0], "mine": [1]}
        assert '"at":2' in other.get("/projects/1/topics/1/matching?at=d-0").text
        assert '"at":1' in other.get("/projects/1/topics/1/matching").text

    def test_what_one_holds_already_comes_before_what_stands_behind_it(
        self, ferry: People, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from tidings.annotation.store import Claims

        one, other = client_of(ferry, ferry.first), client_of(ferry, ferry.second)
        assert other.post(f"{API}/matching/take", json={"updates": ["a-0"]}).json() == {"update": "a-0"}
        assert one.post(f"{API}/matching/take", json={"updates": ["c-0"]}).json() == {"update": "c-0"}
        names = {"updates": ["a-0", "c-0", "d-0"]}
        assert one.post(f"{API}/matching/take", json=names).json() == {"update": "c-0"}
        assert "d-0" not in ferry.desk.claims.holders(ferry.project.id, 1, "matching")
        # Two requests of one judge at once: the one that comes second finds what the first has just been given.
        asked = [{}]
        original = Claims.holders

        def late(self: Claims, *place: Any) -> Any:
            return asked.pop() if asked else original(self, *place)

        monkeypatch.setattr(Claims, "holders", late)
        assert one.post(f"{API}/matching/take", json=names).json() == {"update": "c-0"}

    def test_two_who_judge_the_same_do_not_see_each_other(self, tmp_path: Path) -> None:
        with desk_with(tmp_path / "double.db", collection(), judges=2) as people:
            one, other = client_of(people, people.first), client_of(people, people.second)
            sent(one, "c-0", ("N1", 2, 13))
            blind = other.get(f"{API}/matching/states").json()
            assert blind == {"states": {}, "gone": [], "mine": []}
            assert other.get(f"{API}/matching/hints", params={"update": "a-0"}).json()["near"] == []
            assert "matches\\u003e" not in other.get("/projects/1/topics/1/matching").text
            assert other.get(f"{API}/matching/states?judge={people.first.id}").status_code == 403
            assert sent(other, "c-0").status_code == 200
            lead = client_of(people, people.lead)
            seen = lead.get(f"{API}/matching/states?judge={people.first.id}").json()["states"]
            assert [one["nugget"] for one in seen["1"]["matches"]] == ["N1"]
            assert lead.get(f"{API}/matching/states?judge={people.stranger.id}").status_code == 404

    def test_where_others_are_assigned_nobody_else_sees_or_judges(self, ferry: People) -> None:
        ferry.desk.projects.assign(Assignment(ferry.project.id, 1, "matching", ferry.second.id))
        client = client_of(ferry, ferry.first)
        paths = ["updates", "states", "nuggets", "order", "hints?update=a-0"]
        assert {client.get(f"{API}/matching/{path}").status_code for path in paths} == {403}
        assert client.get("/projects/1/topics/1/matching").status_code == 403
        assert sent(client, "a-0").status_code == 403
        assert client.post(f"{API}/matching/take", json={"updates": ["a-0"]}).status_code == 403
        assert sent(client_of(ferry, ferry.second), "a-0").status_code == 200


class TestDecided:
    @pytest.fixture
    def half(self, tmp_path: Path) -> Iterator[People]:
        with desk_with(tmp_path / "desk.db", collection()) as people:
            value = {"matches": [{"nugget": "N1", "start": 2, "end": 13, "automatic": False}]}
            changes = [Change(FINAL, "matches", name, value) for name in ("b-0", "c-0")]
            act = Act(key="earlier", operation="import", topic=1)
            people.desk.log.record(people.project.id, act, changes)
            yield people

    def test_only_who_leads_decides_anew(self, half: People) -> None:
        states = client_of(half, half.first).get(f"{API}/matching/states").json()["states"]
        assert states["1"]["decided"] and "decided" not in states["0"]
        shown = {"expected": states["1"]["version"], "decided": True}
        assert sent(client_of(half, half.first), "c-0", **shown).status_code == 403
        late = sent(client_of(half, half.first), "c-0", key="not-seen-yet")
        assert late.status_code == 409 and late.json()["current"]["layer"] == "final"
        assert sent(client_of(half, half.lead), "c-0", **shown).status_code == 200
        assert kept(half, FINAL)["c-0"] == []

    def test_a_copy_that_is_decided_stays_and_is_shown_beside_the_others(self, half: People) -> None:
        client = client_of(half, half.first)
        hints = client.get(f"{API}/matching/hints", params={"update": "a-0"}).json()
        assert [one["update"] for one in hints["near"]] == ["b-0", "c-0"]
        assert hints["near"][0]["matches"] == [{"nugget": "N1", "start": 3, "end": 14}]
        assert sent(client, "a-0", ("N2", 15, 26)).status_code == 200
        assert kept(half, judge_layer(half.first.id)) == {"a-0": [("N2", 15, 26, False)]}
        assert kept(half, FINAL)["b-0"] == [("N1", 2, 13, False)]

    def test_of_what_was_opened_again_a_decision_comes_too_late(self, half: People) -> None:
        act = Act(key="reopening", operation="reopen", topic=1)
        half.desk.log.record(half.project.id, act, [Change(FINAL, "matches", "c-0", None)])
        answer = sent(client_of(half, half.lead), "c-0", decided=True, expected=2)
        assert answer.status_code == 409 and "reopened" in answer.json()["message"]


class TestLessWork:
    def test_likely_nuggets_have_their_words(self, ferry: People) -> None:
        hints = client_of(ferry, ferry.first).get(f"{API}/matching/hints", params={"update": "c-0"}).json()
        assert {one["nugget"] for one in hints["likely"]} == {"N1", "N2"}
        first = hints["likely"][0]
        assert TEXTS["c"][first["start"] : first["end"]] == "ferry burns"

    def test_a_matcher_suggests_before_the_judge_has_matched_anything(
        self, ferry: People, monkeypatch
    ) -> None:
        monkeypatch.setattr("tidings.annotation.desk.pools._WAIT_S", 10.0)
        client = client_of(ferry, ferry.first)

        def first() -> str:
            hints = client.get(f"{API}/matching/hints", params={"update": "c-0"}).json()
            return str(hints["likely"][0]["nugget"])

        monkeypatch.setattr(
            "tidings.evaluation.NuggetMatcher.match",
            lambda _, nuggets, updates: [PossibleMatch("", one.id, "N2", 0.9, 0, 5) for one in updates],
        )
        assert first() == "N2"
        assert sent(client, "a-0", ("N1", 3, 14)).status_code == 200
        assert first() == "N1"

    def test_the_likeliest_come_first_and_what_is_judged_does_not_come(self, ferry: People) -> None:
        client = client_of(ferry, ferry.first)
        assert client.get(f"{API}/matching/order?by=time").json() == [0, 1, 2]
        assert client.get(f"{API}/matching/order?by=yield").json()[-1] == 2
        sent(client, "a-0", ("N1", 3, 14))
        assert set(client.get(f"{API}/matching/order?by=yield").json()) == {1, 2}

    def test_a_nugget_that_is_gone_is_suggested_no_more(self, ferry: People) -> None:
        client = client_of(ferry, ferry.first)
        sent(client, "c-0", ("N1", 2, 13))
        act = Act(key="gone-now", operation="remove-nugget", topic=1)
        ferry.desk.log.record(ferry.project.id, act, [Change(SHARED, "nugget", "N1", None)])
        hints = client.get(f"{API}/matching/hints", params={"update": "a-0"}).json()
        assert "N1" not in {one["nugget"] for one in hints["likely"]}
        assert hints["near"][0]["matches"] == [] and hints["near"][0]["lost"] == 1
        assert [one["id"] for one in client.get(f"{API}/matching/nuggets").json()] == ["N2"]


class TestPage:
    def test_it_has_what_stands_around_the_place_and_the_rest_is_asked_for(self, ferry: People) -> None:
        client = client_of(ferry, ferry.first)
        text = client.get("/projects/1/topics/1/matching?at=c-0").text
        assert '"at":1,' in text and "matching.js" in text
        rows = client.get(f"{API}/matching/updates?start=0&count=2").json()
        assert rows == [["a-0", TEXTS["a"], 60, "", ["b-0"]], ["c-0", TEXTS["c"], 60, "", []]]

    def test_a_topic_without_a_pool_says_so(self, ferry: People) -> None:
        ferry.desk.projects.add_topic(ferry.project.id, Event(id="f", title="f", query="f"))
        assert "no pooled updates" in client_of(ferry, ferry.first).get("/projects/1/topics/2/matching").text


def test_what_is_judged_here_is_exported_as_matches(ferry: People) -> None:
    from tidings.annotation.desk.exchange.exporting import export_judgments

    sent(client_of(ferry, ferry.first), "a-0", ("N1", 3, 14))
    assert set(export_judgments(ferry.desk, ferry.project).matches) == {
        Match("e", "a-0", "N1", 3, 14, False),
        Match("e", "b-0", "N1", 2, 13, True),
    }


class TestOpenedAgain:
    def test_it_is_judged_once_more_even_where_the_judgment_stays_the_same(self, ferry: People) -> None:
        from tidings.annotation.desk.notes import reopened_id

        client, layer = client_of(ferry, ferry.first), judge_layer(ferry.first.id)
        first = sent(client, "c-0", ("N1", 2, 13)).json()["objects"][0]["version"]
        change = Change(FINAL, "reopened", reopened_id("matches", "c-0"), {"why": "look again"})
        ferry.desk.log.record(ferry.project.id, Act(key="reopening", operation="reopen", topic=1), [change])
        shown = client.get(f"{API}/matching/states").json()["states"]["1"]
        assert shown["again"] and shown["version"] == first
        sent(client, "a-0")
        sent(client, "d-0")
        assert '"at":1,' in client.get("/projects/1/topics/1/matching").text
        answer = sent(client, "c-0", ("N1", 2, 13), key="once-more", expected=first)
        assert answer.json()["objects"][0]["version"] > first
        assert "again" not in client.get(f"{API}/matching/states").json()["states"]["1"]
        assert kept(ferry, layer)["c-0"] == [("N1", 2, 13, False)]


class TestSuggestionsOfAProgram:
    """What a program suggests is seen after one's own answer alone, and what is changed then is recorded as such."""

    PAIRS = (
        PossibleMatch("e", "d-0", "N1", 0.9, 0, 4),
        PossibleMatch("e", "d-0", "N2", 0.2, 0, 4),
        PossibleMatch("e", "c-0", "N2", 0.1, 0, 4),
        PossibleMatch("e", "x-0", "N1", 0.9, 0, 4),
        PossibleMatch("other", "d-0", "N1", 0.9, 0, 4),
    )

    def hints(self, client: TestClient, update: str) -> tuple[bool, Any]:
        found = client.get(f"{API}/matching/hints", params={"update": update}).json()
        return found["suggests"], found["suggested"]

    def compare(self, client: TestClient, update: str) -> int:
        body = {"key": f"compare-{update}", "update": update}
        return client.post(f"{API}/matching/compare", json=body).status_code

    def test_nothing_is_suggested_unless_somebody_imported_it(self, ferry: People) -> None:
        client = client_of(ferry, ferry.first)
        assert 'id="suggested"' not in client.get("/projects/1/topics/1/matching").text
        assert self.hints(client, "d-0") == (False, None)
        assert self.compare(client, "d-0") == 404

    @pytest.fixture
    def ferry(self, tmp_path: Path) -> Iterator[People]:
        with desk_with(tmp_path / "desk.db", collection(), judges=3) as people:
            yield people

    def test_it_is_seen_after_ones_own_answer_and_recorded(self, ferry: People) -> None:
        assert import_suggestions(ferry.desk, ferry.project, self.PAIRS, "qwen") == (2, 2)
        assert import_suggestions(ferry.desk, ferry.project, self.PAIRS, "qwen")[0] == 0
        first, second = client_of(ferry, ferry.first), client_of(ferry, ferry.second)
        assert 'id="suggested"' in first.get("/projects/1/topics/1/matching").text
        for client in (first, second, client_of(ferry, ferry.lead)):
            listed = client.get(f"{API}/objects", params={"layer": "shared", "kind": "suggestion"})
            assert listed.status_code == 403
            assert self.hints(client, "d-0") == (True, None)
            assert self.compare(client, "d-0") == 409
        answer = sent(first, "d-0", ("N2", 0, 4))
        assert self.hints(first, "d-0") == (True, None)  # a second match may still come
        assert self.compare(first, "d-0") == 200
        shown = {"by": "qwen", "matches": [{"nugget": "N1", "start": 0, "end": 4}]}
        assert self.hints(first, "d-0") == (True, shown)
        assert self.hints(second, "d-0") == (True, None)
        version = next(one["version"] for one in answer.json()["objects"] if one["id"] == "d-0")
        assert sent(first, "d-0", ("N1", 0, 4), key="changed-mind", expected=version).status_code == 200
        (entry,) = (one for one in ferry.desk.log.entries(1) if one.act == "changed-mind")
        assert entry.assisted == "seen qwen"
        assert sent(second, "d-0", ("N1", 0, 4), key="by-the-second").status_code == 200
        assert sent(second, "c-0", key="nothing-by-the-second").status_code == 200
        everybody, one, other = suggestion_figures(ferry.desk, ferry.project)
        assert (one.judge, one.updates, one.same, one.changed) == ("first", 1, 0.0, 1)
        assert (other.judge, other.updates, other.same, other.changed) == ("second", 2, 1.0, 0)
        assert (everybody.updates, everybody.precision, everybody.recall) == (3, 0.5, 0.5)

    def test_the_command_imports_them_and_shows_the_agreement(self, tmp_path: Path, capsys: Any) -> None:
        store, pairs = tmp_path / "desk.db", tmp_path / "qwen.matches.jsonl"
        with desk_with(store, collection()) as people:
            sent(client_of(people, people.first), "d-0", ("N1", 0, 4))
        write_possible_matches(pairs, self.PAIRS)
        place = ["--project", "collection", "--store", str(store)]
        assert tidings(["assess", "import", *place, "--suggestions", str(pairs)]) == 0
        assert "2 new suggestions by qwen" in capsys.readouterr().err
        assert tidings(["assess", "agreement", *place]) == 0
        assert "qwen" in capsys.readouterr().out
        assert tidings(["assess", "agreement", *place, "--json"]) == 0
        rows = json.loads(capsys.readouterr().out)
        assert [(row["task"], row["by"], row["same"]) for row in rows] == [("suggestion", "qwen", 1.0)] * 2
        assert tidings(["assess", "export", *place, "--out", str(tmp_path / "out")]) == 0
        again = ["--project", "again", "--store", str(tmp_path / "again.db")]
        assert tidings(["assess", "import", *again, str(tmp_path / "out")]) == 0
        assert tidings(["assess", "agreement", *again, "--json"]) == 0
        assert json.loads(capsys.readouterr().out) == rows
