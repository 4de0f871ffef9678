"""The page of a comparison as a browser shows it: legible wide and narrow, light, dark and printed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.evaluation.report.test_comparison import EXTRAS, HOSTILE, example
from tests.web.browser.sound_page import SoundPage, opened
from tidings.evaluation.report.comparison import render_comparison
from tidings.evaluation.report.comparison_tables import Provenance

__all__ = ["opened"]

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A comparison with a run whose name means harm and one whose name is too long for a phone."""
    provenance = Provenance(
        "tidings compare " + "a" * 90, "/data/" + "x" * 90, "trec-2014", (), (("run", "f" * 64),)
    )
    path = tmp_path_factory.mktemp("comparison") / "page.html"
    path.write_text(render_comparison(example(HOSTILE + "y" * 50), provenance, EXTRAS), encoding="utf-8")
    return path


class TestComparisonPage(SoundPage):
    least_words = 200

    def test_names_stay_in_a_phones_tables_while_figures_scroll(self, opened: Any) -> None:
        opened.set_viewport_size({"width": 360, "height": 740})
        table = opened.locator(".scroll").nth(1)
        name = table.locator("tbody th").first
        before = name.bounding_box()
        table.evaluate("node => { node.scrollLeft = 120; }")
        after = name.bounding_box()
        assert before["x"] == after["x"]
        assert after["width"] >= 90

    def test_tables_can_be_reached_and_scrolled_by_keyboard(self, opened: Any) -> None:
        regions = opened.locator(".scroll")
        for number in range(regions.count()):
            region = regions.nth(number)
            assert region.get_attribute("tabindex") == "0"
            label = region.get_attribute("aria-labelledby")
            assert opened.locator(f"#{label}").count() == 1

    def test_prints_light_and_whole(self, opened: Any) -> None:
        opened.emulate_media(color_scheme="dark", media="print")
        assert opened.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        document = opened.pdf(format="A4", prefer_css_page_size=True)
        assert 2 <= document.count(b"/Type /Page\n") <= 8
