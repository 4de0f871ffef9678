"""The head of every page: where one can go, how the service goes, what time it is for it."""

from __future__ import annotations

from pathlib import Path

from tests.live.pages.sites import NOON, client_of, live_in
from tidings.live.hosting.supervision import ServiceStatus
from tidings.live.pages.settings import LiveSiteSettings


def test_the_head_says_where_one_is_and_how_the_service_goes(tmp_path: Path) -> None:
    with live_in(str(tmp_path / "a.db")) as site, client_of(site) as client:
        assert client.get("/status").json()["words"] == ""
        site.status = ServiceStatus(state="following", time=NOON)
        page = client.get("/").text
        assert '<a href="/" aria-current="page">Events</a>' in page
        assert "24 Jul 2013 12:00" in page and ">following<" in page
        assert client.get("/status").json()["is_replay"]  # an hour before the time of the machine
        site.status = ServiceStatus(state="failed", time=NOON + 3600, trouble="<b>no</b>\x1b /home/me/a.db")
        page = client.get("/").text
        assert "failed: &lt;b&gt;no&lt;/b&gt;\ufffd a.db" in page and "service failed" in page
        said = client.get("/status").json()
        assert said["is_failed"] and not said["is_replay"] and said["last_seq"] == 0


def test_who_has_to_sign_in_learns_nothing_before(tmp_path: Path) -> None:
    with live_in(str(tmp_path / "a.db")) as site:
        site.status = ServiceStatus(state="failed", time=NOON, trouble="a secret")
        with client_of(site, LiveSiteSettings(open_reading=False)) as client:
            assert client.get("/status").status_code == 303
            page = client.get("/sign-in").text
            assert "secret" not in page and "Sources" not in page and 'data-status=""' in page


def test_links_stand_under_the_path_that_a_proxy_serves(tmp_path: Path) -> None:
    from fastapi.testclient import TestClient

    from tests.live.pages.sites import app_of

    with live_in(str(tmp_path / "a.db")) as site:
        client = TestClient(app_of(site), base_url="http://127.0.0.1", root_path="/news")
        page = client.get("/news/").text
        assert 'href="/news/search"' in page and '"/news/static/' in page
        assert '<a href="/news/" aria-current="page">' in page
