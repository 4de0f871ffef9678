"""`tidings assess agreement`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.annotation.pages.desks import bundled_judgments, client_of, desk_with
from tidings.annotation.store import Act
from tidings.cli import run
from tidings.core.records.judgments import Change, judge_layer


@pytest.fixture
def store(tmp_path: Path) -> str:
    path = tmp_path / "desk.db"
    with desk_with(path, bundled_judgments(judged=False), judges=2) as people:
        updates = people.desk.projects.items(1, 1, "update")[:4]
        for account, given in ((people.first.id, "0122"), (people.second.id, "0022")):
            changes = [
                Change(judge_layer(account), "relevance", update.id, {"grade": int(grade)})
                for update, grade in zip(updates, given, strict=True)
            ]
            people.desk.log.record(
                1, Act(key=f"k{account}", operation="grade", topic=1, account_id=account), changes
            )
        page = client_of(people, people.lead).get("/projects/1/agreement").text
        assert "0.750" in page and updates[1].id in page and updates[0].id not in page
        assert "open</td>" in page
    return str(path)


def test_figures_and_disagreements(
    store: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    out = tmp_path / "differ.tsv"
    arguments = ["assess", "agreement", "--project", "collection", "--store", store]
    assert run([*arguments, "--disagreements", str(out)]) == 0
    shown = capfd.readouterr().out
    assert "relevance" in shown and "0.75" in shown
    lines = [line.split("\t") for line in out.read_text().splitlines()]
    assert lines[0][2] == "on" and len(lines) == 2
    assert lines[1][2] == "relevance" and lines[1][5] == "first: relevant | second: not relevant"
    assert run([*arguments, "--json"]) == 0
    overall, topic = json.loads(capfd.readouterr().out)
    assert (overall["topic"], overall["items"], overall["same"]) == ("all", 4, 0.75)
    assert topic["links"] is None and topic["judges"] == 2


def test_a_project_that_is_not_there_is_one_line(store: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["assess", "agreement", "--project", "none", "--store", store]) == 2
    assert "no project named none; the store has: collection" in capfd.readouterr().err
