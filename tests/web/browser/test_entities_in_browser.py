"""The entities of an event's days as a browser shows them: a name opens what was said of it, by mouse and by keys."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.evaluation.report.test_entities import EVENT, ranking
from tests.sweeps import every
from tests.web.browser.sound_page import SoundPage, opened
from tidings.evaluation.report.page import render_page
from tidings.following.report.timeline import build_timeline

__all__ = ["opened"]

pytestmark = pytest.mark.browser

DAYS = [
    ranking(f"2015-01-{day:02d}", "Maria Rossi", "w" * 90, "Genoa", new=(day == 1, False, True))
    for day in range(1, 21)
]


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("entities") / "page.html"
    path.write_text(render_page(build_timeline(EVENT, [], rankings=DAYS), charts=False), encoding="utf-8")
    return path


class TestTrack(SoundPage):
    least_words = 60

    @every("width", [320, 1200])
    def test_scrolls_sideways_within_its_frame_only(self, opened: Any, width: int) -> None:
        opened.set_viewport_size({"width": width, "height": 740})
        assert opened.evaluate("document.documentElement.scrollWidth") <= width
        frame = opened.locator(".entity-track")
        assert frame.evaluate("frame => frame.scrollWidth > frame.clientWidth")
        assert opened.said == []

    def test_a_click_shows_what_was_said_and_a_second_name_takes_its_place(self, opened: Any) -> None:
        card = opened.locator("#e2015-01-02-1")
        assert not card.is_visible()
        opened.locator('[popovertarget="e2015-01-02-1"]').first.click()
        assert card.is_visible()
        assert "Maria Rossi left the" in card.inner_text()
        assert card.locator("a").get_attribute("href") == "https://example.org/1"
        opened.keyboard.press("Escape")
        assert not card.is_visible()

    def test_keys_alone_reach_a_name_and_close_it_again(self, opened: Any) -> None:
        button = opened.locator('[popovertarget="e2015-01-01-3"]').first
        opened.locator('[popovertarget="e2015-01-01-2"]').first.focus()
        opened.keyboard.press("Tab")
        assert button.evaluate("one => one === document.activeElement")
        opened.keyboard.press("Enter")
        card = opened.locator("#e2015-01-01-3")
        assert card.is_visible()
        card.get_by_role("button", name="Close").press("Enter")
        assert not card.is_visible()

    def test_a_flow_begins_and_ends_at_the_edges_of_its_names(self, opened: Any) -> None:
        opened.set_viewport_size({"width": 1200, "height": 740})
        drawing = opened.locator(".entity-drawing").bounding_box()
        flow = opened.locator(".entity-drawing path").first.evaluate(
            "path => { const box = path.getBBox(); return {x: box.x, y: box.y, width: box.width}; }"
        )
        left, right = (
            opened.locator(f'[popovertarget="e2015-01-{day}-1"]').first.bounding_box() for day in ("01", "02")
        )
        assert drawing["x"] + flow["x"] == pytest.approx(left["x"] + left["width"], abs=1.5)
        assert drawing["x"] + flow["x"] + flow["width"] == pytest.approx(right["x"], abs=1.5)
        assert drawing["y"] + flow["y"] == pytest.approx(left["y"] + left["height"] / 2, abs=1.5)

    def test_paper_shows_every_name_with_its_sentence(self, opened: Any) -> None:
        opened.emulate_media(media="print")
        assert not opened.locator(".entity-track").is_visible()
        cards = opened.locator(".entity-card")
        assert all(cards.nth(number).is_visible() for number in (0, 1, 59))
        assert "Maria Rossi left the" in cards.first.inner_text()
        assert opened.locator(".entity-day h3").first.is_visible()
        assert not cards.first.get_by_role("button", name="Close").is_visible()
