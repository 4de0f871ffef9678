"""/healthz and /metrics."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.live.pages.followed import documents, fill, follow_inbox, santiago, site
from tidings.core.errors import StoreError
from tidings.live.hosting.supervision import LONGEST_TURN_S, ServiceStatus
from tidings.live.pages.app import make_app
from tidings.live.pages.settings import LiveSiteSettings
from tidings.sources.polling.filling import CLOCK_VARIABLE


def test_whether_it_is_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with site(str(tmp_path / "a.db"), santiago(), count=20) as (live, _):
        status = ServiceStatus(state="following")
        app = make_app(live, LiveSiteSettings(open_reading=False), lambda: status)
        with TestClient(app, base_url="http://127.0.0.1") as client:
            answer = client.get("/healthz")
            assert answer.status_code == 200
            told = answer.json()
            assert (told["status"], told["state"]) == ("ok", "following") and told[
                "last_commit"
            ] > 1_700_000_000
            status = ServiceStatus(state="failed", trouble="secret /path")
            answer = client.get("/healthz")
            assert (answer.status_code, answer.json()["status"]) == (
                503,
                "unwell",
            ) and "secret" not in answer.text

            def fail(*_: object) -> Any:
                raise StoreError("secret.db: locked")

            monkeypatch.setattr("tidings.live.pages.routes.service.store_numbers", fail)
            status = ServiceStatus(state="following")
            answer = client.get("/healthz")
            assert answer.status_code == 503 and answer.json()["trouble"] == "the store cannot be asked"


def test_polling_that_hangs_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = tmp_path / "clock"
    monkeypatch.setenv(CLOCK_VARIABLE, str(clock))
    with site(str(tmp_path / "a.db"), santiago(), count=5) as (live, _):
        status = ServiceStatus(state="following", turn_time=1_700_000_000)
        app = make_app(live, LiveSiteSettings(open_reading=False), lambda: status)
        with TestClient(app, base_url="http://127.0.0.1") as client:
            clock.write_text(f"{1_700_000_000 + LONGEST_TURN_S}")
            assert client.get("/healthz").status_code == 200
            clock.write_text(f"{1_700_000_000 + 400}")
            answer = client.get("/healthz")
            assert answer.status_code == 503
            assert answer.json()["trouble"].startswith("no feed has been looked at for 400 s")
            status = ServiceStatus(state="ended", turn_time=1_700_000_000)  # polled until a given time
            assert client.get("/healthz").status_code == 200
            status = ServiceStatus(state="following")  # files, which have times of their own
            assert client.get("/healthz").status_code == 200


def test_metrics(tmp_path: Path) -> None:
    pytest.importorskip("prometheus_client", reason="prometheus-client is not installed")
    with site(str(tmp_path / "a.db"), santiago(), count=20) as (live, inbox):
        fill(inbox, documents(25)[20:])
        app = make_app(
            live, LiveSiteSettings(open_reading=False), lambda: ServiceStatus(state="ended", starts=3)
        )
        with TestClient(app, base_url="http://127.0.0.1", client=("127.0.0.1", 5)) as client:
            answer = client.get("/metrics")
            assert answer.headers["content-type"].startswith("text/plain")
            lines = dict(line.rsplit(" ", 1) for line in answer.text.splitlines() if not line.startswith("#"))
            delay = documents(25)[-1].published_time - documents(20)[-1].published_time
            expected = {
                "tidings_documents_total": 25,
                "tidings_followed_documents_total": 20,
                "tidings_queue_documents": 5,
                "tidings_delay_seconds": delay,
                'tidings_decisions_total{kind="update"}': len(live.outputs.after(0, kinds=["update"])),
                'tidings_events{state="followed"}': 1,
                'tidings_alarms{delivery="waiting"}': 0,
                'tidings_follower_state{state="ended"}': 1,
                "tidings_follower_starts_total": 3,
                "tidings_open_streams": 0,
            }
            assert {name: float(lines[name]) for name in expected} == expected
            follow_inbox(live.store, inbox)
            assert "tidings_delay_seconds 0.0" in client.get("/metrics").text
            passed_on = {"x-forwarded-for": "192.0.2.9"}
            assert client.get("/metrics", headers=passed_on, follow_redirects=False).status_code == 303
        with TestClient(app, base_url="http://127.0.0.1", client=("10.0.0.7", 5)) as other:
            answer = other.get("/metrics", follow_redirects=False)
            assert answer.status_code == 303  # to sign in
            assert other.get("/healthz").status_code == 200
