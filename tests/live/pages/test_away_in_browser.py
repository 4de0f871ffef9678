"""While you were away in Chromium: what was on screen is seen, and marks are kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.live.pages.sites import live_in, served, update
from tests.live.pages.test_pages_in_browser import QUICK, page
from tests.web.browser.chromium import findings

__all__ = ["page"]


@pytest.mark.long
def test_what_is_on_screen_for_a_second_is_seen_and_marks_are_kept(page: Any, tmp_path: Path) -> None:
    from tidings.annotation.store import Desk

    with live_in(str(tmp_path / "a.db")) as site:
        site.tell(*(update(n, f"Sentence {n} of the story so far.") for n in range(1, 41)))
        accounts = Desk(site.live.store).accounts
        token = accounts.begin_session(accounts.add("ada").id)
        with served(site, QUICK) as address:
            page.goto(f"{address}/away")
            assert page.locator("ol.away li").count() == 12 and findings(page) == []
            with page.expect_response("**/api/seen") as answer:
                page.goto(f"{address}/events/ferry")
            assert answer.value.status == 204
            page.goto(f"{address}/away")
            texts = page.locator("ol.away .said").all_inner_texts()
            assert texts and "Sentence 40 of the story so far." not in texts
            page.context.add_cookies([{"name": "tidings_desk", "value": token, "url": address}])
            page.goto(f"{address}/events/ferry")
            page.locator("#u39").get_by_role("button", name="Off topic").click()
            page.locator("#u39 .marks [role=status]", has_text="noted").wait_for()
            assert site.live.events.log()[-1].mark.update_id == "d39-0"
            page.locator("#u39").get_by_role("button", name="Off topic").click()
            page.locator("#u39 .marks [role=status]", has_text="Undone").wait_for()
            assert site.live.events.log()[-1].mark.withdrawn and findings(page) == []
