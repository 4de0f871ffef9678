"""The four pages on events, without a browser: what they give, to whom, and what they refuse."""

from __future__ import annotations

from typing import Any

from fastapi.testclient import TestClient

from tests.annotation.desk.event_desks import EventDesk
from tidings.annotation.desk.operations.events import merge_events
from tidings.annotation.desk.operations.linking import decide, link_sentence
from tidings.annotation.pages.app import make_app
from tidings.annotation.store import Desk
from tidings.core.records.judgments import Account, Assignment
from tidings.web.visitors import COOKIE

ALIKE = {"a-0": ["b-1"]}
PAGE, API = "/projects/1/topics/1", "/api/projects/1/topics/1"


class Client:
    """Somebody at the topic."""

    def __init__(self, ferry: EventDesk, account: Account, app: Any) -> None:
        self.client = TestClient(app, base_url="http://127.0.0.1", follow_redirects=False)
        self.client.cookies.set(COOKIE, ferry.desk.accounts.begin_session(account.id))
        self.acts = 0

    def get(self, path: str, status: int = 200) -> Any:
        answer = self.client.get(f"{API}/{path}")
        assert answer.status_code == status, answer.text
        return answer.json()

    def page(self, task: str) -> Any:
        return self.client.get(f"{PAGE}/{task}")

    def post(self, path: str, status: int = 200, **body: Any) -> Any:
        self.acts += 1
        key = f"{id(self)}-{self.acts}"
        answer = self.client.post(f"{API}/{path}", json={"key": key, **body})
        assert answer.status_code == status, answer.text
        return answer.json()


_APPS: list[Any] = []


def _app(desk: Desk) -> Any:
    """One application for all tests, at the desk of each: making one takes longer than asking it."""
    if not _APPS:
        _APPS.append(make_app(desk))
    _APPS[0].state.desk = desk
    return _APPS[0]


def clients(ferry: EventDesk) -> tuple[Client, Client, Client]:
    app = _app(ferry.desk)
    people = (ferry.people.first, ferry.people.second, ferry.people.lead)
    first, second, lead = (Client(ferry, account, app) for account in people)
    return first, second, lead


def verifies(ferry: EventDesk, account: Account) -> None:
    """Give verification to somebody by name."""
    ferry.desk.projects.assign(Assignment(ferry.project.id, 1, "verification", account.id))


def test_a_whole_session_of_three_judges(ferry: EventDesk) -> None:
    first, second, lead = clients(ferry)
    # 1: each lists events, unseen by the others.
    first.post("events", sentence="a-0")
    first.post("events", text="Owner and officials contradict each other")
    second.post("events", text="Ferry burns in port of Oslo", time=1500)
    second.post("events", text="Nonsense")
    assert [one["id"] for one in first.get("events")["events"]] == ["e1", "e2"]
    second.post("events/e2/change", text="Two are missing", time=2000)
    # 2: one list.
    lead.post("merging/open")
    state = lead.get("merging")
    assert [judge["name"] for judge in state["judges"]] == ["first", "second"] and state["open"] == 4
    judges = [judge["layer"] for judge in state["judges"]]
    assert state["proposals"] == [[{"layer": judges[0], "event": "e1"}, {"layer": judges[1], "event": "e1"}]]
    lead.post("merging/merge", sources=state["proposals"][0], text="A ferry burns in Oslo", time=1500)
    lead.post("merging/merge", sources=[{"layer": judges[1], "event": "e2"}], text="Two missing", time=2000)
    lead.post("merging/leave-out", source={"layer": judges[0], "event": "e2"}, reason="Not important.")
    state = lead.get("merging")
    assert (state["open"], [one["id"] for one in state["merged"]]) == (0, ["1", "2"])
    assert state["left"] == [{"layer": judges[0], "event": "e2", "reason": "Not important."}]
    # 3: two link, unseen.
    first.post("links", sentence="a-0", events=["1"])
    first.post("links/alike", sentences=["b-1"], events=["1"], assisted="alike")
    first.post("links", sentence="a-1", events=[])
    second.post("links", sentence="b-2", events=["2"])
    second.post("links/group", sentences=["a-1", "a-2"], events=["1"])
    shown = second.get("linking")
    assert shown["links"] == {"b-2": ["2"]}
    assert [group["sentences"] for group in shown["groups"].values()] == [["a-1", "a-2"]]
    assert [one["id"] for one in shown["events"]] == ["1", "2"]
    assert first.get("linking/alike") == ALIKE
    # 4: another verifies.
    verifies(ferry, ferry.people.lead)
    state = lead.get("verification")
    assert state["own"] == 0 and [one["unit"] for one in state["links"] if one["event"] == "2"] == ["b-2"]
    for one in state["links"]:
        lead.post("verification/decide", unit=one["unit"], event=one["event"], accepted=one["unit"] != "b-1")
    lead.post("verification/add", sentence="b-0", event="1")
    lead.post("verification/add", sentence="b-1", event="2")
    found = lead.get("verification/statistics")
    assert (found["sentences"], found["off"], found["single"], found["multi"]) == (6, 0, 6, 0)
    assert found["shares"]["single"] == 1


class TestWho:
    def test_who_linked_does_not_verify_and_who_verified_does_not_link(self, ferry: EventDesk) -> None:
        first, second, lead = clients(ferry)
        ferry.do(ferry.people.lead, merge_events, [], "A fire", own=False)
        ferry.do(ferry.people.first, link_sentence, "a-0", ["1"])
        ferry.do(ferry.people.lead, decide, "a-0", "1", True, ferry.judges)
        ferry.desk.projects.assign(Assignment(ferry.project.id, 1, "linking", ferry.people.second.id))
        assert "nother judge verifies" in first.get("verification", 403)["message"]
        assert first.page("verification").status_code == 403
        first.post("verification/decide", 403, unit="a-0", event="1", accepted=True)
        first.post("verification/add", 403, sentence="a-1", event="1")
        first.get("verification/statistics", 403)
        assert "so you cannot link it" in lead.get("linking", 403)["message"]
        assert lead.page("linking").status_code == 403
        for path, body in (
            ("links", {"sentence": "a-1"}),
            ("links/alike", {"sentences": ["a-1"]}),
            ("links/group", {"sentences": ["a-1", "a-2"]}),
        ):
            lead.post(path, 403, events=["1"], **body)
        lead.get("linking/alike", 403)
        assert second.page("linking").status_code == 200 and second.page("verification").status_code == 403
        assert lead.page("verification").status_code == 200

    def test_who_is_assigned_to_both_does_both_but_never_an_own_link(self, ferry: EventDesk) -> None:
        first, _, _ = clients(ferry)
        ferry.do(ferry.people.lead, merge_events, [], "A fire", own=False)
        for task in ("linking", "verification"):
            ferry.desk.projects.assign(Assignment(ferry.project.id, 1, task, ferry.people.first.id))
        first.post("links", sentence="a-0", events=["1"])
        assert first.get("verification")["own"] == 1 and first.get("verification")["links"] == []
        said = first.post("verification/decide", 422, unit="a-0", event="1", accepted=True)
        assert "your own" in said["message"]

    def test_who_is_to_link_does_not_look_at_the_links_first(self, ferry: EventDesk) -> None:
        first, _, _ = clients(ferry)
        ferry.desk.projects.assign(Assignment(ferry.project.id, 1, "linking", ferry.people.first.id))
        first.get("verification", 403)

    def test_what_is_assigned_to_others_is_refused(self, ferry: EventDesk) -> None:
        first, _, _ = clients(ferry)
        for task in ("events", "merging", "linking", "verification"):
            ferry.desk.projects.assign(Assignment(ferry.project.id, 1, task, ferry.people.second.id))
            assert first.page(task).status_code == 403
            first.get(task, 403)
        first.post("events", 403, text="A fire")
        first.post("merging/merge", 403, sources=[], text="A fire")

    def test_a_verifier_is_never_told_who_linked(self, ferry: EventDesk) -> None:
        _, _, lead = clients(ferry)
        ferry.do(ferry.people.lead, merge_events, [], "A fire", own=False)
        ferry.do(ferry.people.first, link_sentence, "a-0", ["1"])
        verifies(ferry, ferry.people.lead)
        text = lead.page("verification").text
        assert "A ferry burns" in text and "judge-" not in text and ">first<" not in text


class TestTogether:
    def test_two_who_merge_at_once_are_told_and_nothing_is_written_over(self, ferry: EventDesk) -> None:
        first, second, lead = clients(ferry)
        first.post("events", text="A fire")
        for one in (second, lead):
            one.post("merging/open")
        layer = lead.get("merging")["judges"][0]["layer"]
        source = {"layer": layer, "event": "e1"}
        lead.post("merging/merge", sources=[source], text="A fire")
        said = second.post("merging/merge", 409, sources=[source], text="Fire!")
        assert "already been merged into event 1" in said["message"]
        version = lead.get("merging")["merged"][0]["version"]
        lead.post("merging/1/change", text="A great fire", expected=version)
        said = second.post("merging/1/change", 409, text="A small fire", expected=version)
        assert said["current"]["value"]["text"] == "A great fire"
        for path, body in (
            ("1/add", {"sources": []}),
            ("1/take-out", {"source": source}),
            ("1/dissolve", {}),
        ):
            second.post(f"merging/{path}", 422 if path == "1/take-out" else 409, expected=version, **body)

    def test_leaving_out_can_be_undone(self, ferry: EventDesk) -> None:
        first, _, lead = clients(ferry)
        first.post("events", text="A fire")
        lead.post("merging/open")
        source = {"layer": lead.get("merging")["judges"][0]["layer"], "event": "e1"}
        lead.post("merging/leave-out", source=source, reason="No.")
        assert lead.get("merging")["open"] == 0
        lead.post("undo", task="merging")
        assert lead.get("merging")["open"] == 1
        lead.post("merging/leave-out", source=source, reason="No.")
        lead.post("merging/put-back", source=source)
        assert lead.get("merging")["open"] == 1

    def test_an_event_with_links_is_not_dissolved(self, ferry: EventDesk) -> None:
        first, _, lead = clients(ferry)
        lead.post("merging/open")
        lead.post("merging/merge", sources=[], text="A fire")
        first.post("links", sentence="a-0", events=["1"])
        version = lead.get("merging")["merged"][0]["version"]
        assert "1 link " in lead.post("merging/1/dissolve", 422, expected=version)["message"]
        first.post("links", sentence="a-0", events=[])
        lead.post("merging/1/dissolve", expected=version)


def test_markup_in_a_story_stays_text(ferry: EventDesk) -> None:
    from tidings.annotation.desk.exchange.event_links import import_stream
    from tidings.core.records import Document, Event

    late = Document(
        id="x", published_time=1600, title="</script>", text="<script>alert(1)</script> <b>bold</b>."
    )
    topic = Event(id="TS14.9", title="<i>Nine</i>", query="nine")
    import_stream(ferry.desk, ferry.project, [late], [topic])
    client = clients(ferry)[0].client
    for task in ("events", "linking", "verification", "merging"):
        text = client.get(f"/projects/1/topics/2/{task}").text
        assert "<script>alert" not in text and "<i>Nine" not in text and "<b>bold" not in text


def test_what_is_shown_follows_what_was_imported(ferry: EventDesk) -> None:
    from tests.annotation.desk.event_desks import FERRY
    from tidings.annotation.desk.exchange.event_links import import_stream
    from tidings.core.records import Document

    first, _, _ = clients(ferry)
    assert "Brand new" not in first.page("events").text
    later = Document(id="n", published_time=1700, text="Brand new.")
    import_stream(ferry.desk, ferry.project, [later], [FERRY])
    assert "Brand new" in first.page("events").text


def test_the_log_has_what_was_shown_and_what_suggested_it(ferry: EventDesk) -> None:
    first, _, lead = clients(ferry)
    lead.post("merging/open")
    lead.post("merging/merge", sources=[], text="A fire")
    first.post("links", sentence="a-0", events=["1"])
    first.post("links/alike", sentences=["b-1"], events=["1"], assisted="alike")
    entries = list(ferry.desk.log.entries(ferry.project.id))
    assert [(one.operation, bool(one.shown), one.assisted) for one in entries] == [
        ("open-lists", False, ""),
        ("merge-events", False, ""),
        ("link", True, ""),
        ("link-alike", False, "alike"),
    ]
