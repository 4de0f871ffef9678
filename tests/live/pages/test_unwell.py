"""When /healthz is unwell though a process follows: it stands still, or had to be begun again just now."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests.live.pages.followed import documents, fill, follow_inbox, santiago, site
from tidings.live.hosting.supervision import LONGEST_TURN_S, ServiceStatus
from tidings.live.pages.app import make_app
from tidings.live.pages.settings import LiveSiteSettings
from tidings.live.store.numbers import StoreNumbers
from tidings.sources.polling.filling import CLOCK_VARIABLE

BEGUN = 1_700_000_000


def test_documents_that_wait_while_none_is_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = tmp_path / "clock"
    monkeypatch.setenv(CLOCK_VARIABLE, str(clock))
    with site(str(tmp_path / "a.db"), santiago(), count=5) as (live, inbox):
        status = ServiceStatus(state="following", moved_time=BEGUN)
        app = make_app(live, LiveSiteSettings(open_reading=False), lambda: status)
        with TestClient(app, base_url="http://127.0.0.1") as client:
            clock.write_text(f"{BEGUN + 400}")
            assert client.get("/healthz").status_code == 200  # none waits
            fill(inbox, documents(8)[5:])
            answer = client.get("/healthz")
            assert answer.status_code == 503
            assert answer.json()["trouble"] == "3 documents wait, and none was followed for 400 s"
            clock.write_text(f"{BEGUN + LONGEST_TURN_S}")
            assert client.get("/healthz").status_code == 200
            clock.write_text(f"{BEGUN + 400}")
            follow_inbox(live.store, inbox)
            assert client.get("/healthz").status_code == 200


def test_what_was_begun_again_is_unwell_until_it_has_run_for_long(tmp_path: Path) -> None:
    with site(str(tmp_path / "a.db"), santiago(), count=5) as (live, _):
        status = ServiceStatus(state="following", recovering=True)
        app = make_app(live, LiveSiteSettings(open_reading=False), lambda: status)
        with TestClient(app, base_url="http://127.0.0.1") as client:
            answer = client.get("/healthz")
            assert answer.status_code == 503 and "begun again" in answer.json()["trouble"]
            status = ServiceStatus(state="following")
            assert client.get("/healthz").status_code == 200


def test_the_delay_is_none_before_anything_was_followed() -> None:
    assert StoreNumbers(documents=5, arrived_time=BEGUN).delay_s == 0
    assert StoreNumbers(documents=5, followed=3, arrived_time=BEGUN, followed_time=BEGUN - 9).delay_s == 9
