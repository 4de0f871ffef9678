"""Times that pages write are times that an import of the project's export takes."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests.annotation.pages.desks import People, client_of
from tidings.annotation.desk.exchange.bringing import restore
from tidings.annotation.desk.exchange.checking import line_check
from tidings.annotation.desk.exchange.folders import export_folder
from tidings.annotation.store import Act, Desk
from tidings.core.records.judgments import Change, judge_layer
from tidings.core.store import open_store
from tidings.evaluation.formats.desk_lines import read_desk_lines

API = "/api/projects/1/topics/1"
LATEST = 253402300799


def add(client: TestClient, key: str, **body: object) -> tuple[int, str]:
    answer = client.post(f"{API}/events", json={"key": key, "text": "A fire", **body})
    return answer.status_code, answer.json().get("message", "")


def made_anew(people: People, folder: Path) -> list[tuple[int, int | None]]:
    """The times of a project's log after its export was imported into another store: when made, and of the event."""
    export_folder(people.desk, people.project, folder / "out")
    lines = list(read_desk_lines(folder / "out" / "judgments.jsonl", line_check()))
    with open_store(str(folder / "new.db"), durable=True) as opened:
        desk = Desk(opened)
        project = restore(desk, lines, "again").project
        found = [
            (one.made_ms, one.after.get("time"))
            for one in desk.log.entries(project.id)
            if one.kind == "event"
        ]
        assert restore(desk, lines, "again").entries == 0, "and once more adds nothing"
    return found


def test_every_time_that_a_page_writes_comes_back(people: People, tmp_path: Path) -> None:
    client = client_of(people, people.first)
    times = [-(2**53), -1, 0, LATEST, LATEST + 1, 2**53]
    said = [add(client, f"time-key-{n}", time=time) for n, time in enumerate(times)]
    assert [status for status, _ in said] == [422, 422, 200, 200, 422, 422]
    assert said[0][1] == "body.time: The time of an event must be between 1970 and 9999."
    clocks = [0, LATEST * 1000, LATEST * 1000 + 1, 2**53]
    assert [add(client, f"made-key-{n}", made_ms=clock)[0] for n, clock in enumerate(clocks)] == [
        200,
        200,
        422,
        422,
    ]
    assert made_anew(people, tmp_path) == [(0, 0), (0, LATEST), (0, None), (LATEST * 1000, None)]


@pytest.mark.parametrize(("clock", "kept"), [(2**53, LATEST * 1000), (-5, 0)])
def test_a_log_with_a_clock_that_said_nonsense_comes_back(
    people: People, tmp_path: Path, clock: int, kept: int
) -> None:
    change = Change(judge_layer(people.first.id), "event", "e1", {"text": "A fire"})
    act = Act(key="nonsense", operation="add-event", topic=1, account_id=people.first.id, made_ms=clock)
    people.desk.log.record(people.project.id, act, [change])
    assert made_anew(people, tmp_path) == [(kept, None)]
