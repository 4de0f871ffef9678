"""Editing pages in Chromium: an event begun by keyboard after a preview; nothing wrong for axe-core, phones too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.live.pages.followed import follow_inbox, site
from tests.live.pages.sites import Site, served
from tests.web.browser.chromium import findings
from tidings.annotation.store import Desk
from tidings.live.pages.settings import LiveSiteSettings
from tidings.web.visitors import COOKIE

pytestmark = pytest.mark.long


def test_an_event_is_begun_after_a_preview(page: Any, tmp_path: Path) -> None:
    with site(str(tmp_path / "a.db")) as (live, inbox):
        accounts = Desk(live.store).accounts
        token = accounts.begin_session(accounts.add("ada").id)
        with served(Site(live, None, ()), LiveSiteSettings(requests_per_s=0)) as address:
            page.context.add_cookies([{"name": COOKIE, "value": token, "url": address}])
            shown = [checked(page, f"{address}/edit/new")]
            page.fill("input[name=query]", "santiago train derailment")
            page.keyboard.press("Enter")
            page.wait_for_selector(".preview li", timeout=60_000)
            shown.append(checked(page))
            page.get_by_role("button", name="Follow").press("Enter")
            page.wait_for_selector(".history li")
            assert "/edit/events/santiago-train-derailment" in page.url
            told = follow_inbox(live.store, inbox)
            page.reload()
            assert "applied after 40 articles" in page.text_content(".history")
            page.fill("input[name=about]", "3/day")
            page.get_by_role("button", name="Save").click()
            page.wait_for_selector(".history li:nth-child(2)")
            shown += [checked(page), checked(page, f"{address}/edit")]
            assert told and [one.about for one in live.events.all()] == ["3/day"]
    assert shown == [[]] * 4


def checked(page: Any, address: str = "") -> list[str]:
    """What axe-core finds wrong with a page, and where it is wider than a phone."""
    if address:
        page.goto(address)
    found = findings(page)
    page.set_viewport_size({"width": 390, "height": 800})
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        found.append(f"{page.url} is wider than a phone")
    page.set_viewport_size({"width": 1100, "height": 800})
    return list(found)
