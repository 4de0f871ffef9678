"""The team's page: who is in, who does what, and what one lead cannot do to other projects."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.annotation.pages.desks import People, client_of
from tidings.annotation.desk.queue import take_next, task_named
from tidings.annotation.store import Act
from tidings.core.records.judgments import FINAL, Account, Assignment, Change

TEAM = "/projects/1/team"


def lead(people: People) -> Any:
    return client_of(people, people.lead)


def role(people: People, account: int) -> str | None:
    return people.desk.projects.role(people.project.id, account)


class TestMembers:
    def test_a_new_name_gets_a_link_that_is_shown_once_and_opens_the_desk(self, people: People) -> None:
        client = lead(people)
        shown = client.post(f"{TEAM}/members", data={"name": "newcomer", "role": "assessor"}).text
        link = re.search(r'value="http://127\.0\.0\.1(/welcome/[^"]+)"', shown)
        assert link is not None and link[1] not in client.get(TEAM).text
        browser = client_of(people, None)
        chosen = browser.post(link[1], data={"password": "correct horse", "again": "correct horse"})
        assert chosen.status_code == 303
        assert "collection" in browser.get("/").text
        assert browser.get(TEAM).status_code == 403

    def test_someone_with_an_account_is_taken_in_without_a_link(self, people: People) -> None:
        people.desk.accounts.set_password(people.stranger.id, "hash")
        answer = lead(people).post(f"{TEAM}/members", data={"name": "stranger", "role": "assessor"})
        assert answer.status_code == 303 and role(people, people.stranger.id) == "assessor"

    def test_nobody_is_taken_in_twice(self, people: People) -> None:
        answer = lead(people).post(f"{TEAM}/members", data={"name": "first", "role": "lead"})
        assert answer.status_code == 422 and "is already a member" in answer.text
        assert role(people, people.first.id) == "assessor"

    def test_who_is_taken_out_loses_what_was_theirs_but_no_judgment(self, people: People) -> None:
        task = task_named("matching")
        assert task is not None
        item = take_next(people.desk, people.project, 1, task, people.first.id)
        people.desk.projects.assign(Assignment(1, 1, "matching", people.first.id))
        lead(people).post(f"{TEAM}/members/{people.first.id}/role", data={"role": "out"})
        assert role(people, people.first.id) is None
        assert client_of(people, people.first).get("/projects/1").status_code == 404
        assert take_next(people.desk, people.project, 1, task, people.second.id) == item
        assert people.desk.projects.assignments(1) == []

    @pytest.mark.parametrize("to", ["assessor", "out"])
    def test_somebody_always_leads(self, people: People, to: str) -> None:
        answer = lead(people).post(f"{TEAM}/members/{people.lead.id}/role", data={"role": to})
        assert answer.status_code == 422 and "only lead" in answer.text
        lead(people).post(f"{TEAM}/members/{people.first.id}/role", data={"role": "lead"})
        answer = lead(people).post(f"{TEAM}/members/{people.lead.id}/role", data={"role": to})
        assert answer.status_code == 422 and "only lead who can sign in" in answer.text
        people.desk.accounts.set_password(people.first.id, "hash")
        assert (
            lead(people).post(f"{TEAM}/members/{people.lead.id}/role", data={"role": to}).status_code == 303
        )

    def test_a_disabled_account_is_out_and_can_come_back(self, people: People) -> None:
        lead(people).post(f"{TEAM}/members", data={"name": "newcomer", "role": "assessor"})
        made = people.desk.accounts.find("newcomer")
        assert made is not None
        path = f"{TEAM}/members/{made.id}/disabled"
        client = client_of(people, made)
        assert lead(people).post(path, data={"disabled": "yes"}).status_code == 303
        assert client.get("/").status_code == 303
        assert lead(people).post(f"{TEAM}/members/{made.id}/link").status_code == 422
        lead(people).post(path, data={"disabled": "no"})
        assert client.get("/").status_code == 303
        assert client_of(people, made).get("/").status_code == 200


class TestOtherProjects:
    """Who leads a project has no power over who leads or judges elsewhere."""

    @pytest.fixture
    def elsewhere(self, people: People) -> People:
        other = people.desk.projects.add("another")
        people.desk.projects.set_member(other.id, people.stranger.id, "lead")
        people.desk.projects.set_member(other.id, people.first.id, "assessor")
        return people

    def test_they_get_no_link_even_while_they_have_no_password(self, elsewhere: People) -> None:
        client = lead(elsewhere)
        answer = client.post(f"{TEAM}/members", data={"name": "stranger", "role": "assessor"})
        assert answer.status_code == 422 and "no password yet" in answer.text
        elsewhere.desk.projects.set_member(1, elsewhere.stranger.id, "assessor")
        for account in (elsewhere.stranger, elsewhere.first):
            answer = client.post(f"{TEAM}/members/{account.id}/link")
            assert answer.status_code == 422 and "/welcome/" not in answer.text

    def test_they_are_not_disabled(self, elsewhere: People) -> None:
        answer = lead(elsewhere).post(
            f"{TEAM}/members/{elsewhere.first.id}/disabled", data={"disabled": "yes"}
        )
        assert answer.status_code == 422
        assert elsewhere.desk.accounts.get(elsewhere.first.id).disabled_time is None

    def test_who_is_no_member_is_not_touched(self, elsewhere: People) -> None:
        for act, data in (("role", {"role": "lead"}), ("disabled", {"disabled": "yes"}), ("link", {})):
            path = f"{TEAM}/members/{elsewhere.stranger.id}/{act}"
            assert lead(elsewhere).post(path, data=data).status_code == 404

    def test_another_lead_with_a_password_gets_no_new_link(self, people: People) -> None:
        people.desk.accounts.set_password(people.first.id, "hash")
        people.desk.projects.set_member(1, people.first.id, "lead")
        assert lead(people).post(f"{TEAM}/members/{people.first.id}/link").status_code == 422


class TestTakingOver:
    """What one who leads could do to be signed in as somebody else; each way here once was open, or nearly."""

    @pytest.fixture
    def known(self, people: People) -> People:
        """The stranger and the assessors have passwords."""
        for account in (people.lead, people.first, people.stranger):
            people.desk.accounts.set_password(account.id, "hash")
        return people

    def take_in(self, people: People, name: str, role: str = "assessor") -> str:
        shown = lead(people).post(f"{TEAM}/members", data={"name": name, "role": role}).text
        link = re.search(r'value="http://127\.0\.0\.1(/welcome/[^"]+)"', shown)
        return link[1] if link else ""

    def refused(self, people: People, account: Account) -> bool:
        client = lead(people)
        answer = client.post(f"{TEAM}/members/{account.id}/link")
        put_out = client.post(f"{TEAM}/members/{account.id}/disabled", data={"disabled": "yes"})
        kept = people.desk.accounts.get(account.id)
        return (
            answer.status_code == put_out.status_code == 422
            and "/welcome/" not in answer.text
            and kept.disabled_time is None
            and kept.password_hash == "hash"
        )

    def test_by_taking_somebody_in(self, known: People) -> None:
        self.take_in(known, "stranger")
        assert self.refused(known, known.stranger)

    def test_by_making_another_lead_an_assessor(self, known: People) -> None:
        accounts = known.desk.accounts
        link = self.take_in(known, "made", "assessor")
        made = accounts.accept(link.rpartition("/")[2], "hash")
        assert made is not None
        for role in ("lead", "assessor"):
            lead(known).post(f"{TEAM}/members/{made.id}/role", data={"role": role})
        assert self.refused(known, made)

    def test_by_taking_another_lead_out_and_in_again(self, known: People) -> None:
        known.desk.projects.set_member(1, known.first.id, "lead")
        lead(known).post(f"{TEAM}/members/{known.first.id}/role", data={"role": "out"})
        self.take_in(known, "first")
        assert self.refused(known, known.first)

    def test_by_a_link_kept_from_before_somebody_worked_elsewhere(self, known: People) -> None:
        link = self.take_in(known, "newcomer")
        newcomer = known.desk.accounts.find("newcomer")
        assert newcomer is not None
        other = known.desk.projects.add("another")
        known.desk.projects.set_member(other.id, newcomer.id, "lead")
        assert client_of(known, None).get(link).status_code == 410

    def test_by_a_link_kept_from_before_one_led_no_more(self, known: People) -> None:
        known.desk.projects.set_member(1, known.first.id, "lead")
        link = self.take_in(known, "puppet", "lead")
        client = client_of(known, known.first)
        assert client.post(f"{TEAM}/members/{known.lead.id}/role", data={"role": "out"}).status_code == 303
        assert client_of(known, None).get(link).status_code == 410

    def test_by_an_older_link(self, known: People) -> None:
        link = self.take_in(known, "newcomer")
        newcomer = known.desk.accounts.find("newcomer")
        assert newcomer is not None
        lead(known).post(f"{TEAM}/members/{newcomer.id}/link")
        assert client_of(known, None).get(link).status_code == 410
        token = known.desk.accounts.invite(newcomer.id)
        known.desk.accounts.set_password(newcomer.id, "hash")
        assert client_of(known, None).get(f"/welcome/{token}").status_code == 410

    def test_a_lead_does_not_undo_what_whoever_runs_the_desk_disabled(self, known: People) -> None:
        self.take_in(known, "newcomer")
        newcomer = known.desk.accounts.find("newcomer")
        assert newcomer is not None
        known.desk.accounts.disable(newcomer.id)
        path = f"{TEAM}/members/{newcomer.id}/disabled"
        assert lead(known).post(path, data={"disabled": "no"}).status_code == 422
        assert known.desk.accounts.get(newcomer.id).disabled_time is not None

    def test_an_assessor_of_the_project_who_forgot_the_password_gets_a_link(self, known: People) -> None:
        link = self.take_in(known, "newcomer")
        newcomer = known.desk.accounts.accept(link.rpartition("/")[2], "hash")
        assert newcomer is not None
        client = client_of(known, newcomer)
        assert "/welcome/" in lead(known).post(f"{TEAM}/members/{newcomer.id}/link").text
        assert client.get("/").status_code == 200
        other = known.desk.projects.add("another")
        known.desk.projects.set_member(other.id, newcomer.id, "assessor")
        assert self.refused(known, newcomer)


class TestSettings:
    def test_boxes_say_who_does_what(self, people: People) -> None:
        first, second = people.first.id, people.second.id
        boxes = [f"matching:{first}", f"clusters:{second}"]
        lead(people).post(f"{TEAM}/assignments", data={"topic": "1", "assigned": boxes})
        given = {(one.task, one.account_id) for one in people.desk.projects.assignments(1)}
        assert given == {("matching", first), ("clusters", second)}
        lead(people).post(f"{TEAM}/assignments", data={"topic": "1", "assigned": boxes[:1]})
        assert [one.task for one in people.desk.projects.assignments(1)] == ["matching"]
        lead(people).post(f"{TEAM}/assignments", data={"topic": "1"})
        assert people.desk.projects.assignments(1) == []

    @pytest.mark.parametrize("box", ["matching:999", "sleeping:1", "matching", "matching:x"])
    def test_only_tasks_and_members_of_the_project_fit(self, people: People, box: str) -> None:
        answer = lead(people).post(f"{TEAM}/assignments", data={"topic": "1", "assigned": [box]})
        assert answer.status_code == 422 and people.desk.projects.assignments(1) == []

    def test_settings_are_kept_or_refused(self, people: People) -> None:
        data = {"judges": "2", "idle_minutes": "1.5", "tasks": ["clusters", "matching"]}
        lead(people).post(f"{TEAM}/settings", data=data)
        project = people.desk.projects.get(1)
        assert project is not None
        assert (project.judges, project.idle_s, project.tasks) == (2, 90, ("matching", "clusters"))
        assert lead(people).post(f"{TEAM}/settings", data={**data, "judges": "0"}).status_code == 422

    def test_guidelines_are_not_written_over_somebody_elses(self, people: People) -> None:
        client = lead(people)
        assert (
            client.post(f"{TEAM}/guidelines", data={"text": "One.\r\nTwo.", "before": ""}).status_code == 303
        )
        late = client.post(f"{TEAM}/guidelines", data={"text": "Mine.", "before": ""})
        assert late.status_code == 409 and "Mine." in late.text
        project = people.desk.projects.get(1)
        assert project is not None and project.guidelines == "One.\nTwo."
        client.post(f"{TEAM}/guidelines", data={"text": "Three.", "before": "One.\r\nTwo."})
        after = people.desk.projects.get(1)
        assert after is not None and after.guidelines == "Three."


class TestLog:
    def test_what_leads_change_is_in_the_log_with_what_was_before(self, people: People) -> None:
        lead(people).post(f"{TEAM}/members/{people.first.id}/role", data={"role": "lead"})
        lead(people).post(f"{TEAM}/members/{people.first.id}/role", data={"role": "assessor"})
        last = next(people.desk.log.entries(1, latest_first=True))
        assert (last.operation, last.account) == ("set-role", "lead")
        assert (last.before["role"], last.after["role"]) == ("lead", "assessor")

    def test_a_claim_taken_back_is_anothers(self, people: People) -> None:
        task = task_named("matching")
        assert task is not None
        item = take_next(people.desk, people.project, 1, task, people.first.id)
        assert "Release" in lead(people).get(TEAM).text
        data = {"account": str(people.first.id), "topic": "1", "task": "matching"}
        final = [Change(FINAL, "matches", item or "", {"matches": []})]
        people.desk.log.record(1, Act(key="final", operation="adjudicate", topic=1), final)
        assert "Release" not in lead(people).get(TEAM).text
        undone = [Change(FINAL, "matches", item or "", None)]
        people.desk.log.record(1, Act(key="undone", operation="undo", topic=1), undone)
        lead(people).post(f"{TEAM}/release", data=data)
        assert take_next(people.desk, people.project, 1, task, people.second.id) == item

    def test_who_leads_no_more_takes_no_decision_back(self, people: People) -> None:
        """One of one's own acts may be taken back; a decision is the project's."""
        item = people.desk.projects.items(1, 1, "update")[0].id
        act = Act(key="decided", operation="adjudicate", topic=1, account_id=people.first.id)
        people.desk.log.record(1, act, [Change(FINAL, "matches", item, {"matches": []})])
        undo = {"key": "take-back", "task": "matching", "decisions": True}
        assert (
            client_of(people, people.first).post("/api/projects/1/topics/1/undo", json=undo).status_code
            == 403
        )
        people.desk.projects.set_member(1, people.first.id, "lead")
        assert (
            client_of(people, people.first).post("/api/projects/1/topics/1/undo", json=undo).status_code
            == 200
        )
