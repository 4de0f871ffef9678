"""Exports that somebody edited: refused with one message that says where, or imported and then shown and exported.

A small project with objects of every kind is exported; one value of one of its lines is made something else at a time.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tests.annotation.desk.event_desks import DOCUMENTS, FERRY
from tests.annotation.desk.histories import HISTORY
from tests.annotation.pages.desks import client_at, desk_with
from tests.annotation.pages.test_every_route import IN_PROJECT, address
from tests.core.store.databases import dump
from tests.sweeps import cases, every
from tidings.annotation.desk.exchange.day_entities import entities_of_grades, import_day_entities
from tidings.annotation.desk.exchange.event_links import import_stream
from tidings.annotation.desk.exchange.folders import export_folder
from tidings.annotation.desk.exchange.importing import add_runs, import_revisions
from tidings.annotation.desk.team import Actor, assign_topic, change_guidelines, change_settings, take_in
from tidings.annotation.store import Act, Claim, Desk
from tidings.annotation.tasks import TASKS
from tidings.cli import run as tidings
from tidings.core.records import Cluster, EntityGrade, Judgments, Match, Nugget, PooledUpdate, Run, Update
from tidings.core.records.judgments import FINAL, SHARED, Change, judge_layer
from tidings.core.store import open_store
from tidings.web.visitors import COOKIE

POOL = tuple(PooledUpdate("TS14.1", f"1500-{n}", 0, f"A ferry burns, {n} are hurt.") for n in range(3))
GIVEN = Judgments(
    name="ferry",
    events=(FERRY,),
    nuggets=(
        Nugget("TS14.1", "n1", 1600, 2, "a ferry burns"),
        Nugget("TS14.1", "n2", 1700, 1, "some are hurt"),
    ),
    pool=POOL,
    matches=(Match("TS14.1", POOL[0].id, "n1", 0, 13),),
    clusters=(Cluster("TS14.1", "c9", (POOL[0].id,), "fire"),),
    entities=(EntityGrade("TS14.1", "1970-01-01", "Oslo", "LOC", 3),),
)
TASK_WORDS = tuple(task.id for task in TASKS)
ODD: list[Any] = [
    None,
    "hello",
    "",
    "\x00",
    "x" * 5000,
    -1,
    7,
    2**40,
    2**62,
    1.5,
    True,
    [],
    {},
    ["n1"],
    {"a": 1},
]
GONE = object()
ASKED = {
    "id": "r2",
    "update": POOL[1].id,
    "nugget": "n1",
    "cluster": "c9",
    "text": "a ferry burns",
    "task": "matching",
}
PAGES = [route for method, route in IN_PROJECT if method == "GET"]


def make_export(folder: Path) -> None:
    """The project with something of every kind, as files."""
    with desk_with(folder / "desk.db", GIVEN, judges=2) as people:
        desk, project = people.desk, people.project
        (topic,) = desk.projects.topics(project.id)
        import_stream(desk, project, DOCUMENTS, [FERRY])
        import_revisions(desk, project, topic, HISTORY)
        import_day_entities(
            desk, project, entities_of_grades(GIVEN.entities), DOCUMENTS, grades=GIVEN.entities
        )
        add_runs(
            desk,
            project,
            [Run("us", "one", (Update("TS14.1", "1500-0", 0, 1600, 1.0, text="A ferry burns."),))],
        )
        first, second = judge_layer(people.first.id), judge_layer(people.second.id)
        about = {"kind": "update", "id": POOL[1].id}
        opened = {"kind": "matches", "id": POOL[1].id, "reason": "look", "times": 1}
        kept, span = POOL[1].id, {"nugget": "n1", "start": 0, "end": 13, "automatic": False}
        (entity,) = [item.id for item in desk.projects.items(project.id, 1, "day-entity")]
        source = {"revision": "r1", "start": 2, "end": 9}
        nugget = {
            "text": "It left the rails",
            "importance": 3,
            "time": 1800,
            "needs": ["n1"],
            "listed_length": 0,
        }
        for key, account, changes in (
            ("add", people.first.id, [Change(SHARED, "nugget", "n3", {**nugget, "source": source})]),
            ("match", people.first.id, [Change(first, "matches", kept, {"matches": [span]})]),
            ("match2", people.second.id, [Change(second, "matches", kept, {"matches": []})]),
            ("again", None, [Change(first, "look-again", kept, {"nuggets": ["n1"]})]),
            ("grade", people.first.id, [Change(first, "relevance", kept, {"grade": 2})]),
            ("new-cluster", people.first.id, [
                Change(first, "cluster", "c1", {"label": "fire", "number": 1}),
                Change(first, "membership", kept, {"cluster": "c1"}),
                Change(first, "membership", POOL[2].id, {"cluster": None}),
            ]),
            ("add-event", people.first.id, [
                Change(first, "event", "e1", {"text": "A ferry burns", "time": 1500, "sentence": "a-0"}),
                Change(first, "event", "e2", {"text": "Nothing"}),
                Change(first, "opened-lists", "topic", {"opened": True}),
            ]),
            ("merge", people.lead.id, [
                Change(SHARED, "merged-event", "1", {"text": "Fire", "from": [[first, "e1"]], "time": 1500}),
                Change(SHARED, "left-out", f"{first}|e2", {"reason": "none"}),
            ]),
            ("link", people.first.id, [
                Change(first, "links", "a-0", {"events": ["1"]}),
                Change(first, "group", "a-1+a-2", {"sentences": ["a-1", "a-2"], "events": ["1"]}),
                Change(second, "opened-links", "a-0", {"opened": True}),
                Change(second, "verdict", "a-0|1", {"accepted": True, "added": False}),
            ]),
            ("day", people.first.id, [
                Change(first, "grade", entity, {"grade": 2}),
                Change(first, "answer", entity, {"sentence": 1, "important": True}),
            ]),
            ("note", people.first.id, [
                Change(first, "note", "note-1", {"text": "?", "about": about, "page": "matching"}),
                Change(first, "reply", "note-1", {"text": "Yes."}),
                Change(first, "read", "r1", {"read": True}),
                Change(FINAL, "reopened", f"matches|{kept}", opened),
            ]),
        ):  # fmt: skip
            claim = Claim("matching", kept, 2) if key.startswith("match") else None
            act = Act(key=key, operation=key.strip("2"), topic=1, account_id=account, made_ms=5, claim=claim)
            desk.log.record(project.id, act, changes)
        actor = Actor(people.lead.id)
        take_in(desk, project, actor, "newcomer", "assessor")
        assign_topic(desk, project, actor, 1, {("matching", people.first.id)})
        change_settings(desk, project, actor, judges=2, idle_s=300, tasks=TASK_WORDS)
        change_guidelines(desk, project, actor, "Be *kind*.", "")
        project = desk.projects.get(project.id) or project
        export_folder(desk, project, folder / "out")


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("export")
    make_export(folder)
    with open_store(str(folder / "empty.db"), durable=True) as store:
        Desk(store).accounts.add("somebody", "hash")
    return folder


def lines_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "out" / "judgments.jsonl").read_text().splitlines()]


def places_in(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where each value of a line stands, the line itself left out."""
    if path:
        yield path
    for key, part in (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    ):
        yield from places_in(part, (*path, key))


def put(line: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """The line with another value in a place; GONE takes the place away."""
    made: Any = deepcopy(line)
    place = made
    for key in path[:-1]:
        place = place[key]
    if value is GONE:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return dict(made)


def mutations(lines: list[dict[str, Any]]) -> Iterator[tuple[int, dict[str, Any], str]]:
    """Every value of the first line of each kind, made every odd thing; with its number and what was done."""
    seen = set()
    for number, line in enumerate(lines):
        sort = (line["record"], line.get("kind"), line["record"] == "judgment" and line.get("topic"))
        if sort in seen:
            continue
        seen.add(sort)
        for path in places_in(line):
            for value in (*ODD, GONE):
                words = "gone" if value is GONE else repr(value)[:20]
                yield number, put(line, path, value), f"line {number + 1} {path}: {words}"
        yield number, {**line, "more": 1}, f"line {number + 1}: more"


def try_mutation(given: Path, folder: Path, number: int, line: dict[str, Any], capsys: Any) -> bool:
    """Import the export with this line; gives whether that was done, after a look at all pages."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(given / "out", folder / "in")
    lines = lines_of(given)
    lines[number] = line
    text = "".join(json.dumps(one) + "\n" for one in lines)
    (folder / "in" / "judgments.jsonl").write_text(text)
    store = shutil.copy(given / "empty.db", folder / "desk.db")
    untouched = dump(store)
    code = tidings(["assess", "import", "--project", "again", "--store", str(store), str(folder / "in")])
    said = capsys.readouterr().err
    if code != 0:
        assert code == 2 and "Traceback" not in said
        assert f"judgments.jsonl:{number + 1}: " in said, said
        assert dump(store) == untouched
        return False
    with open_store(str(store), durable=True) as opened:
        desk = Desk(opened)
        project = desk.projects.find("again")
        lead = desk.accounts.find("somebody")
        assert project is not None and lead is not None
        desk.projects.set_member(project.id, lead.id, "lead")
        client = client_at(desk)
        client.cookies.set(COOKIE, desk.accounts.begin_session(lead.id))
        for route in PAGES:
            answer = client.get(address(route, project.id), params=ASKED)
            assert answer.status_code < 500, (route.path, answer.text[:500])
        export_folder(desk, project, folder / "out")
    return True


def sweep(given: Path, tmp_path: Path, capsys: Any, every: int) -> tuple[int, int]:
    """Try every so manieth mutation; gives how many were refused and how many imported."""
    taken = refused = 0
    faults = []
    for number, line, words in list(mutations(lines_of(given)))[::every]:
        try:
            done = try_mutation(given, tmp_path / "try", number, line, capsys)
        except Exception as error:  # noqa: BLE001
            faults.append(f"{words}: {type(error).__name__}: {str(error)[:300]}")
            continue
        taken, refused = taken + done, refused + (not done)
    assert not faults, f"{len(faults)} mutations:\n" + "\n".join(faults[:40])
    return refused, taken


def test_an_export_as_it_was_is_imported(
    given: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert try_mutation(given, tmp_path / "try", 0, lines_of(given)[0], capsys)
    kinds = {line["kind"] for line in lines_of(given) if line["record"] == "judgment"}
    assert kinds >= {kind for task in TASKS for kind in task.kinds}


@every(
    "kind, field, value",
    cases(__file__, "what is not of its kind is said by line"),
)
def test_what_is_not_of_its_kind_is_said_by_line(
    given: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str, field: str, value: Any
) -> None:
    number = next(n for n, line in enumerate(lines_of(given)) if line.get("kind") == kind and field in line)
    assert not try_mutation(
        given, tmp_path / "try", number, {**lines_of(given)[number], field: value}, capsys
    )


@pytest.mark.parametrize("every", [433, pytest.param(3, marks=pytest.mark.long)])
def test_edited_anywhere(given: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], every: int) -> None:
    refused, taken = sweep(given, tmp_path, capsys, every)
    assert refused and taken
