"""What is with people comes back with a project's backup, whatever the task; and leads can take it back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.annotation.pages.desks import client_of, desk_with
from tidings.annotation.desk.exchange.bringing import restore
from tidings.annotation.desk.exchange.checking import line_check
from tidings.annotation.desk.exchange.folders import export_folder
from tidings.annotation.desk.operations.entities import FORMS
from tidings.annotation.desk.team import Actor, open_claims, release
from tidings.annotation.store import Claim, Desk
from tidings.annotation.tasks import TASKS
from tidings.core.errors import FormatError
from tidings.core.records import Event
from tidings.core.store import open_store
from tidings.evaluation.formats.desk_lines import read_desk_lines

WORDS = {task.id for task in (*TASKS, *FORMS.values())}
SHARED = {task.id for task in TASKS if task.shared}


def test_a_claim_of_every_task_comes_back(tmp_path: Path) -> None:
    with desk_with(tmp_path / "desk.db") as people:
        desk, project = people.desk, people.project
        desk.projects.add_topic(project.id, Event(id="storm", title="A storm", query="storm"))
        for word in WORDS:
            assert desk.claims.take_next(project.id, 1, [Claim(word, "item", 1)], people.first.id) == "item"
        export_folder(desk, project, tmp_path / "out")
    lines = list(read_desk_lines(tmp_path / "out" / "judgments.jsonl", check=line_check()))
    with open_store(str(tmp_path / "new.db"), durable=True) as opened:
        new = Desk(opened)
        project = restore(new, lines, "again").project
        claims = new.transfer.claims(project.id)
        assert {(one.task, one.item_id) for one in claims} == {(word, "item") for word in WORDS}
        assert {one.task for one in open_claims(new, project)} == WORDS - SHARED
        account = claims[0].account_id
        assert release(new, project, Actor(account), account_id=account) == len(WORDS - SHARED)
        assert {one.task for one in new.transfer.claims(project.id)} == SHARED


def test_the_teams_page_names_each_form_of_judging_entities(tmp_path: Path) -> None:
    with desk_with(tmp_path / "desk.db") as people:
        desk, project = people.desk, people.project
        desk.projects.add_topic(project.id, Event(id="storm", title="A storm", query="storm"))
        for form in FORMS.values():
            desk.claims.take_next(project.id, 1, [Claim(form.id, "item", 1)], people.first.id)
        page = client_of(people, people.lead).get(f"/projects/{project.id}/team").text
        for form in FORMS.values():
            assert f"Release {form.title} of topic 1 from first" in page


def test_a_project_has_no_form_as_its_task(tmp_path: Path) -> None:
    with desk_with(tmp_path / "desk.db") as people:
        export_folder(people.desk, people.project, tmp_path / "out")
    file = tmp_path / "out" / "judgments.jsonl"
    file.write_text(file.read_text().replace('"entities"', '"entities-short"', 1))
    with pytest.raises(FormatError, match="entities-short"):
        list(read_desk_lines(file, check=line_check()))
