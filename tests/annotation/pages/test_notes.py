"""Notes to the lead, guidelines beside the data, and what is next."""

from __future__ import annotations

from msgspec.structs import replace

from tests.annotation.pages.desks import People, client_of


def write(people: People, text: str = "Is this one in?", key: str = "note-key-1") -> str:
    about = {"kind": "update", "id": people.desk.projects.items(people.project.id, 1, "update")[0].id}
    answer = client_of(people, people.first).post(
        "/api/projects/1/topics/1/note", json={"key": key, "about": about, "text": text, "page": "matching"}
    )
    assert answer.status_code == 200, answer.text
    return str(answer.json()["objects"][0]["id"])


class TestNotes:
    def test_the_lead_answers_and_only_who_asked_sees_it(self, people: People) -> None:
        note = write(people, "Is <b>this</b> in?")
        lead = client_of(people, people.lead)
        assert "Is &lt;b&gt;this&lt;/b&gt; in?" in lead.get("/projects/1/notes").text
        body = {"key": "reply-key-1", "writer": people.first.id, "note": note, "text": "It is."}
        assert lead.post("/api/projects/1/topics/1/reply", json=body).status_code == 200
        assert "It is." in client_of(people, people.first).get("/projects/1/notes").text
        others = client_of(people, people.second).get("/projects/1/notes").text
        assert "It is." not in others and note not in others

    def test_judges_cannot_answer_or_reopen(self, people: People) -> None:
        note, client = write(people), client_of(people, people.first)
        body = {"key": "reply-key-1", "writer": people.first.id, "note": note, "text": "Yes."}
        assert client.post("/api/projects/1/topics/1/reply", json=body).status_code == 403
        again = {"key": "reopen-key", "kind": "matches", "id": "d-0", "reason": "Look."}
        assert client.post("/api/projects/1/topics/1/reopen", json=again).status_code == 403

    def test_a_key_is_of_one_act_alone(self, people: People) -> None:
        client, path = client_of(people, people.first), "/api/projects/1/topics/1"
        about = {"about": {"kind": "update", "id": "d"}, "text": "?"}
        body = {"key": "only-key-1", "made_ms": 5, **about}
        first, again = (client.post(f"{path}/note", json=body) for _ in range(2))
        assert (first.status_code, again.status_code) == (200, 200) and again.json()["repeated"]
        event = {"key": "only-key-1", "made_ms": 5, "text": "A fire"}
        assert client.post(f"{path}/events", json=event).status_code == 409
        assert client.post(f"{path}/note", json={**body, "made_ms": 6}).status_code == 409
        assert people.desk.log.objects(1, 1, kind="event") == []

    def test_an_empty_note_is_refused(self, people: People) -> None:
        body = {"key": "note-key-1", "about": {"kind": "update", "id": "d"}, "text": "  "}
        answer = client_of(people, people.first).post("/api/projects/1/topics/1/note", json=body)
        assert answer.status_code == 422 and "has 0 characters" in answer.json()["message"]


class TestNext:
    def test_the_next_item_is_given_and_what_is_left_counted(self, people: People) -> None:
        first, second = client_of(people, people.first), client_of(people, people.second)
        mine = first.get("/api/projects/1/topics/1/next?task=matching").json()
        theirs = second.get("/api/projects/1/topics/1/next?task=matching").json()
        assert mine["item"] and theirs["item"] and mine["item"] != theirs["item"]
        assert theirs["left"] == mine["left"] - 1
        assert first.get("/api/projects/1/topics/1/next?task=sleeping").status_code == 404

    def test_a_task_leads_to_the_first_topic_that_is_not_done(self, people: People) -> None:
        answer = client_of(people, people.first).get("/projects/1/next/clusters")
        assert answer.headers["location"] == "/projects/1/topics/1/clusters"
        answer = client_of(people, people.second).get("/projects/1/next/clusters")
        assert answer.headers["location"] == "/projects/1#done"


def test_guidelines_stand_on_the_pages_and_run_nothing(people: People) -> None:
    text = "# How\n\n*Judge* <script>alert(1)</script> ![x](https://elsewhere.example/p.png)"
    people.desk.projects.change(replace(people.project, guidelines=text))
    shown = client_of(people, people.first).get("/projects/1").text
    assert "<em>Judge</em> &lt;script&gt;" in shown and "<img" not in shown
