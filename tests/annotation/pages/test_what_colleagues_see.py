"""What each page and answer of the desk shows to whom: a table of all routes, tried with what a colleague judges."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.annotation.pages.desks import client_at
from tests.annotation.pages.test_every_route import IN_PROJECT, address
from tests.annotation.pages.test_mutated_exports import ASKED, POOL, make_export
from tidings.annotation.store import Act, Desk
from tidings.core.records.judgments import Change, judge_layer
from tidings.core.store import open_store
from tidings.web.visitors import COOKIE

TOPIC, ASK = "/projects/{project}/topics/{topic}", "/api/projects/{project}/topics/{topic}"
OWN = {
    "/projects/{project}/notes", "/projects/{project}/log", "/projects/{project}/log.jsonl",
    "/projects/{project}/corrections", "/projects/{project}/effort", "/api/projects/{project}/effort",
    f"{ASK}/objects", f"{TOPIC}/entities", f"{TOPIC}/events", f"{ASK}/events", f"{TOPIC}/merging",
    f"{TOPIC}/linking", f"{ASK}/linking", f"{ASK}/linking/alike",
    f"{TOPIC}/verification", f"{ASK}/verification", f"{ASK}/verification/statistics",
    f"{TOPIC}/matching", *(f"{ASK}/matching/{word}" for word in ("updates", "states", "nuggets", "hints", "order")),
    f"{TOPIC}/relevance", f"{ASK}/relevance", f"{ASK}/relevance/updates",
    f"{TOPIC}/clusters", f"{ASK}/clusters", *(f"{ASK}/clusters/{word}" for word in ("updates", "alike", "near")),
    f"{TOPIC}/extraction",
    *(f"{ASK}/extraction/{word}" for word in ("revision", "nuggets", "matches", "linked", "resting", "alike")),
}  # fmt: skip
"""Assessors see the same there, whatever a colleague judges alone."""
COUNTS = {
    "/projects/{project}", "/projects/{project}/next/{task}", f"{ASK}/next",
    "/projects/{project}/progress", "/api/projects/{project}/progress", "/api/projects/{project}/scores",
}  # fmt: skip
"""They see how much is done and left, and how runs score so far."""
CLOSED = {f"{ASK}/merging"}
"""Others' lists, which one has to open."""
LEADS = {
    "/projects/{project}/team", "/projects/{project}/agreement", f"{TOPIC}/adjudication", f"{ASK}/entities/short-form",
}  # fmt: skip
PAGES = {route.path: route for method, route in IN_PROJECT if method == "GET"}
_NUMBERS = re.compile(r'"seq": ?\d+|&#34;seq&#34;: ?\d+')


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A project in which others have judged; `newcomer` is an assessor who has not, `stranger` leads another one."""
    folder: Path = tmp_path_factory.mktemp("colleagues")
    make_export(folder)
    with open_store(str(folder / "desk.db"), durable=True) as store:
        made = Desk(store)
        other, stranger = made.projects.add("another"), made.accounts.find("stranger")
        assert stranger is not None
        made.projects.set_member(other.id, stranger.id, "lead")
        # Nobody is assigned, so that everything is open to the newcomer.
        for one in made.projects.assignments(1):
            made.projects.assign(one, False)
        yield made


def seen_by(desk: Desk, name: str) -> dict[str, tuple[int, str]]:
    """Status and text of each page and answer, for an account."""
    account = desk.accounts.find(name)
    assert account is not None
    client = client_at(desk)
    client.cookies.set(COOKIE, desk.accounts.begin_session(account.id))
    colleague = desk.accounts.find("second")
    assert colleague is not None
    asked = {**ASKED, "layer": judge_layer(colleague.id), "kind": "matches"}
    answers = {path: client.get(address(route, 1), params=asked) for path, route in PAGES.items()}
    return {path: (one.status_code, _NUMBERS.sub("", one.text)) for path, one in answers.items()}


def judge(desk: Desk) -> None:
    """A colleague judges a little of everything, unseen."""
    account = desk.accounts.find("second")
    assert account is not None
    layer, update = judge_layer(account.id), POOL[2].id
    (entity,) = [item.id for item in desk.projects.items(1, 1, "day-entity")]
    span: dict[str, Any] = {"nugget": "n2", "start": 15, "end": 25, "automatic": False}
    changes = [
        Change(layer, "matches", update, {"matches": [span]}),
        Change(layer, "matches", POOL[1].id, {"matches": [span]}),
        Change(layer, "look-again", update, {"nuggets": ["n2"]}),
        Change(layer, "relevance", update, {"grade": 2}),
        Change(layer, "cluster", "c7", {"label": "secret label"}),
        Change(layer, "membership", update, {"cluster": "c7"}),
        Change(layer, "event", "e9", {"text": "secret event"}),
        Change(layer, "links", "b-0", {"events": ["1"]}),
        Change(layer, "group", "b-0+b-2", {"sentences": ["b-0", "b-2"], "events": ["1"]}),
        Change(layer, "verdict", "a-1+a-2|1", {"accepted": False}),
        Change(layer, "grade", entity, {"grade": 4}),
        Change(layer, "answer", entity, {"sentence": 3, "important": False}),
        Change(
            layer,
            "note",
            "note-9",
            {"text": "secret note", "about": {"kind": "update", "id": update}, "page": ""},
        ),
        Change(layer, "read", "r3", {"read": True}),
    ]
    desk.log.record(1, Act(key="unseen", operation="match", topic=1, account_id=account.id), changes)


def test_every_route_is_in_the_table() -> None:
    tables = (OWN, COUNTS, CLOSED, LEADS)
    assert set().union(*tables) == PAGES.keys(), "say of a new route what a colleague may see by it"
    assert sum(map(len, tables)) == len(PAGES)


def test_what_a_colleague_judges_is_not_to_be_seen(desk: Desk) -> None:
    before, led = seen_by(desk, "newcomer"), seen_by(desk, "lead")
    judge(desk)
    after, leads = seen_by(desk, "newcomer"), seen_by(desk, "lead")
    assert {path for path in OWN if before[path] != after[path]} == set()
    assert {path: after[path][0] for path in OWN if after[path][0] not in (200, 403)} == {}
    assert "secret" not in "".join(text for _, text in after.values())
    assert {after[path][0] for path in LEADS | CLOSED} == {403}
    assert {leads[path][0] for path in LEADS} == {200} and leads != led


def test_strangers_and_leads_of_other_projects_see_nothing(desk: Desk) -> None:
    assert {status for status, _ in seen_by(desk, "stranger").values()} == {404}
