"""A store that fails: who is signed in is told how, a stranger is not told where it lies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.annotation.pages.desks import client_of, desk_with
from tidings.core.errors import StoreError

PLACE = "/srv/newsroom/secret.db"


def test_a_stranger_is_not_told_where_the_store_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any, **__: Any) -> Any:
        raise StoreError(f"{PLACE}: the store cannot be written")

    with desk_with(tmp_path / "desk.db") as people:
        stranger, member = client_of(people, None), client_of(people, people.first)
        monkeypatch.setattr(type(people.desk.accounts), "note_attempt", fail)
        monkeypatch.setattr(type(people.desk.projects), "topics", fail)
        refused = stranger.post("/sign-in", data={"name": "lead", "password": "wrong"})
        assert refused.status_code == 503 and "is not available right now" in refused.text
        assert PLACE not in refused.text and PLACE in caplog.text
        told = member.get(f"/projects/{people.project.id}")
        assert told.status_code == 503 and PLACE in told.text
