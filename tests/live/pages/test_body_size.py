"""How long a request to live pages may be, whoever sends it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from tests.live.pages.streaming import telling_in, update
from tests.sweeps import every
from tidings.live.pages.app import make_app
from tidings.live.pages.settings import LiveSiteSettings

LONGEST = 64 * 1024
JSON, FORM = "application/json", "application/x-www-form-urlencoded"
PLACES = [
    ("/api/seen", JSON),
    ("/api/events/ferry/marks", JSON),
    ("/sign-in", FORM),
    ("/edit/new", FORM),
    ("/alarms/rules/0", FORM),
]


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FastAPI]:
    with telling_in(str(tmp_path_factory.mktemp("bodies") / "live.db")) as made:
        made.tell(update(1))
        yield make_app(made.live, LiveSiteSettings(requests_per_s=0))


@every("where, kind", PLACES)
def test_long_bodies_are_refused_as_they_come(app: FastAPI, where: str, kind: str) -> None:

    def body() -> Iterator[bytes]:
        for _ in range(LONGEST // 1024 + 100):
            yield b"x" * 1024

    client = TestClient(app, base_url="http://127.0.0.1")
    for content in (b"x" * (LONGEST + 1), body()):
        answer = client.post(where, content=content, headers={"content-type": kind})
        assert answer.status_code == 413 and "at most 64 KiB" in answer.text


def test_unknown_keys_are_never_many(app: FastAPI) -> None:
    client = TestClient(app, base_url="http://127.0.0.1")
    keys = ",".join(f'"{n}":[]' for n in range(100_000))
    answer = client.post("/api/seen", content="{" + keys + "}", headers={"content-type": JSON})
    assert answer.status_code == 413


def test_what_pages_send_is_taken(app: FastAPI) -> None:
    client = TestClient(app, base_url="http://127.0.0.1")
    seen = client.post("/api/seen", json={"event": "ferry", "from": 1, "to": 1})
    assert seen.status_code == 204, seen.text
    long = client.post(
        "/sign-in", data={"name": "n" * 2000, "password": "p" * 2000, "next": "/" + "x" * 1999}
    )
    assert long.status_code == 403
