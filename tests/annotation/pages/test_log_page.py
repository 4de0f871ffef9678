"""The audit log and corrections, as pages."""

from __future__ import annotations

import json

import pytest

from tests.annotation.pages.desks import People, client_of
from tidings.annotation.store import Act
from tidings.core.records.judgments import FINAL, Change, judge_layer


def record(people: People, key: str, account: int | None, change: Change, operation: str = "match") -> None:
    act = Act(key=key, operation=operation, topic=1, account_id=account)
    people.desk.log.record(people.project.id, act, [change])


def match(layer: str, update: str, start: int, end: int) -> Change:
    nugget = {"nugget": "VMTS14.001", "start": start, "end": end, "automatic": False}
    return Change(layer, "matches", update, {"matches": [nugget]})


@pytest.fixture
def judged(people: People) -> People:
    for n, account in enumerate((people.first, people.second)):
        record(people, f"k{n}", account.id, match(judge_layer(account.id), f"secret-{account.name}", n, 5))
    return people


class TestLog:
    def test_leads_see_all_and_others_their_own(self, judged: People) -> None:
        everything = client_of(judged, judged.lead).get("/projects/1/log").text
        assert "secret-first" in everything and "secret-second" in everything
        own = client_of(judged, judged.first)
        for query in ("", f"?who={judged.second.id}", f"?who={judged.second.id}&operation=match"):
            shown = own.get(f"/projects/1/log{query}").text
            assert "secret-first" in shown and "secret-second" not in shown
            lines = own.get(f"/projects/1/log.jsonl{query}").text
            assert "secret-first" in lines and "secret-second" not in lines

    def test_an_act_of_ones_own_does_not_show_what_it_changed_of_others(self, judged: People) -> None:
        """To merge, split or delete nuggets changes matches of judges who work blind."""
        changes = [match(judge_layer(judged.second.id), "secret-second", 3, 4)]
        changes.append(match(judge_layer(judged.first.id), "secret-first", 3, 4))
        act = Act(key="merged", operation="merge-nuggets", topic=1, account_id=judged.first.id)
        judged.desk.log.record(judged.project.id, act, changes)
        for account, seen in ((judged.first, False), (judged.lead, True)):
            client = client_of(judged, account)
            for name in ("log", "log.jsonl"):
                shown = client.get(f"/projects/1/{name}?operation=merge-nuggets").text
                assert "secret-first" in shown and ("secret-second" in shown) == seen

    def test_entries_are_chosen_by_who_and_what_and_topic(self, judged: People) -> None:
        client = client_of(judged, judged.lead)
        by_second = client.get(f"/projects/1/log.jsonl?who={judged.second.id}").text.splitlines()
        assert [json.loads(line)["object_id"] for line in by_second] == ["secret-second"]
        imported = client.get("/projects/1/log.jsonl?operation=import").text.splitlines()
        assert {json.loads(line)["operation"] for line in imported} == {"import"}
        assert client.get("/projects/1/log.jsonl?topic=0").text == ""
        everything = client.get("/projects/1/log.jsonl").text.splitlines()
        numbers = [json.loads(line)["seq"] for line in everything]
        assert numbers == list(range(1, len(numbers) + 1))

    def test_what_is_downloaded_in_parts_is_whole(
        self, judged: People, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tidings.annotation.pages.routes.log._A_PART", 7)
        lines = client_of(judged, judged.lead).get("/projects/1/log.jsonl").text.splitlines()
        last = next(judged.desk.log.entries(1, latest_first=True)).seq
        assert [json.loads(line)["seq"] for line in lines] == list(range(1, last + 1))

    def test_long_logs_come_by_pages(self, judged: People) -> None:
        changes = [Change("shared", "nugget", f"n{n}", {"text": f"Nugget {n}."}) for n in range(120)]
        judged.desk.log.record(1, Act(key="many", operation="import", topic=1), changes)
        client = client_of(judged, judged.lead)
        first = client.get("/projects/1/log").text
        assert first.count("<tr><td") == 100 and "Earlier entries" in first
        last = next(judged.desk.log.entries(1, latest_first=True)).seq
        assert f">{last - 99}<" in first and f">{last - 100}<" not in first
        assert f">{last - 100}<" in client.get(f"/projects/1/log?before={last - 99}").text


class TestCorrections:
    def test_ones_own_spans_stand_beside_what_was_decided(self, people: People) -> None:
        update = people.desk.projects.items(1, 1, "update")[0]
        own = judge_layer(people.first.id)
        record(people, "k1", people.first.id, match(own, update.id, 0, 4))
        other = people.desk.projects.items(1, 1, "update")[1]
        record(people, "k2", people.first.id, match(own, other.id, 0, 4))
        client = client_of(people, people.first)
        assert "0 of 0 decided" in client.get("/projects/1/corrections").text
        record(people, "k3", people.lead.id, match(FINAL, update.id, 0, 7), "adjudicate")
        record(people, "k4", people.lead.id, match(FINAL, other.id, 0, 4), "adjudicate")
        shown = client.get("/projects/1/corrections").text
        assert "1 of 2 decided" in shown and 'class="both"' in shown and 'class="final"' in shown
        assert update.content["text"][4:7] in shown

    def test_clusters_are_compared_by_name_for_their_ids_are_each_judges_own(self, people: People) -> None:
        names = [item.id for item in people.desk.projects.items(1, 1, "update")[:2]]
        own = judge_layer(people.first.id)
        given = ((own, "c1", "Fire"), (FINAL, "c9", "Fire"), (FINAL, "c8", "Rain"))
        for layer, cluster, label in given:
            record(people, f"{layer}-{cluster}", None, Change(layer, "cluster", cluster, {"label": label}))
        for at, (name, decided) in enumerate(zip(names, ("c9", "c8"), strict=True)):
            record(people, f"own{at}", None, Change(own, "membership", name, {"cluster": "c1"}))
            record(people, f"final{at}", None, Change(FINAL, "membership", name, {"cluster": decided}))
        shown = client_of(people, people.first).get("/projects/1/corrections").text
        assert "1 of 2 decided" in shown and "<li>Fire</li>" in shown and "<li>Rain</li>" in shown

    def test_only_leads_see_anothers(self, people: People) -> None:
        path = f"/projects/1/corrections?who={people.first.id}"
        assert client_of(people, people.second).get(path).status_code == 403
        assert "Corrections to first’s judgments" in client_of(people, people.lead).get(path).text


class TestReopening:
    def test_what_is_decided_has_a_button_for_leads_and_is_back_with_its_judges(self, judged: People) -> None:
        record(judged, "k9", judged.lead.id, match(FINAL, "secret-first", 0, 9), "adjudicate")
        lead, first = client_of(judged, judged.lead), client_of(judged, judged.first)
        assert lead.get("/projects/1/log").text.count("data-reopen") == 1
        assert lead.get(f"/projects/1/corrections?who={judged.first.id}").text.count("data-reopen") == 1
        assert "data-reopen" not in first.get("/projects/1/corrections").text
        body = {"key": "reopen-key", "kind": "matches", "id": "secret-first", "reason": "Mind the span."}
        assert lead.post("/api/projects/1/topics/1/reopen", json=body).status_code == 200
        assert "data-reopen" not in lead.get("/projects/1/log").text
        assert "Mind the span." in lead.get("/projects/1/notes").text
        assert "Mind the span." in first.get("/projects/1/notes").text
        assert "Mind the span." not in client_of(judged, judged.second).get("/projects/1/notes").text
        record(judged, "k10", judged.first.id, match(judge_layer(judged.first.id), "secret-first", 0, 9))
        assert "Mind the span." not in first.get("/projects/1/notes").text
