"""/healthz and /metrics."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.live.pages.followed import documents, fill, follow_inbox, santiago, site
from tidings.core.errors import StoreError
from tidings.live.hosting.supervision import LONGEST_TURN_S, ServiceStatus
from tidings.live.pages.app import make_app
from tidings.live.pages.settings import LiveSiteSettings
from tidings.live.store import LiveStore
from tidings.live.store.numbers import StoreNumbers
from tidings.sources import StoredInbox
from tidings.sources.polling.filling import CLOCK_VARIABLE

BEGUN = 1_700_000_000


class Watched:
    """A store of which `count` documents were followed, its inbox, and a client that asks how `status` goes."""

    def __init__(self, live: LiveStore, inbox: StoredInbox, clock: Path) -> None:
        self.live, self.inbox, self._clock = live, inbox, clock
        self.status = ServiceStatus(state="following")
        self.client: TestClient
        self.app = make_app(live, LiveSiteSettings(open_reading=False), lambda: self.status)

    def at(self, seconds: int) -> None:
        """Let it be so many seconds after the beginning."""
        self._clock.write_text(f"{BEGUN + seconds}")

    def trouble(self) -> str:
        """What /healthz says is wrong; nothing where it is well."""
        answer = self.client.get("/healthz")
        said = answer.json()
        assert answer.status_code == (200 if said["status"] == "ok" else 503)
        return str(said.get("trouble", ""))


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Watched]:
    monkeypatch.setenv(CLOCK_VARIABLE, str(tmp_path / "clock"))
    with site(str(tmp_path / "a.db"), santiago(), count=5) as (live, inbox):
        made = Watched(live, inbox, tmp_path / "clock")
        with TestClient(made.app, base_url="http://127.0.0.1") as made.client:
            made.at(0)
            yield made


def test_whether_it_is_well(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    said = watched.client.get("/healthz").json()
    assert (said["status"], said["state"]) == ("ok", "following") and said["last_commit"] > BEGUN
    watched.status = ServiceStatus(state="failed", trouble="secret /path")
    answer = watched.client.get("/healthz")
    assert (answer.status_code, answer.json()["status"]) == (503, "unwell")
    assert "secret" not in answer.text

    def fail(*_: object) -> Any:
        raise StoreError("secret.db: locked")

    monkeypatch.setattr("tidings.live.pages.routes.service.store_numbers", fail)
    watched.status = ServiceStatus(state="following")
    assert watched.trouble() == "the store cannot be read"


def test_polling_that_hangs(watched: Watched) -> None:
    watched.status = ServiceStatus(state="following", turn_time=BEGUN)
    watched.at(LONGEST_TURN_S)
    assert not watched.trouble()
    watched.at(400)
    assert watched.trouble().startswith("no feed has been checked for 400 s")
    watched.status = ServiceStatus(state="ended", turn_time=BEGUN)  # polled until a given time
    assert not watched.trouble()


def test_documents_that_wait_while_none_is_followed(watched: Watched) -> None:
    watched.status = ServiceStatus(state="following", moved_time=BEGUN)
    watched.at(400)
    assert not watched.trouble()  # none waits
    fill(watched.inbox, documents(8)[5:])
    assert watched.trouble() == "3 articles are waiting and none has been read for 400 s"
    watched.at(LONGEST_TURN_S)
    assert not watched.trouble()
    watched.at(400)
    follow_inbox(watched.live.store, watched.inbox)
    assert not watched.trouble()


def test_what_was_begun_again_is_unwell_until_it_has_run_for_long(watched: Watched) -> None:
    watched.status = ServiceStatus(state="following", recovering=True)
    assert "restarted" in watched.trouble()
    watched.status = ServiceStatus(state="following")
    assert not watched.trouble()


def test_the_delay_is_none_before_anything_was_followed() -> None:
    assert StoreNumbers(documents=5, arrived_time=BEGUN).delay_s == 0
    assert StoreNumbers(documents=5, followed=3, arrived_time=BEGUN, followed_time=BEGUN - 9).delay_s == 9


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
