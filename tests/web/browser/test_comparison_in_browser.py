"""The page of a comparison as a browser shows it: legible wide and narrow, light, dark and printed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.evaluation.report.test_comparison import EXTRAS, HOSTILE, example
from tests.sweeps import every
from tests.web.browser.chromium import PAINTED
from tests.web.browser.test_page_in_browser import CONTRAST
from tidings.evaluation.report.comparison import render_comparison
from tidings.evaluation.report.comparison_tables import Provenance

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


@pytest.fixture
def opened(browser: Any, page_file: Path) -> Iterator[Any]:
    page = browser.new_page()
    page.asked, page.said = [], []
    page.on("request", lambda request: page.asked.append(request.url))
    page.on("console", lambda message: page.said.append(message.text))
    page.goto(page_file.as_uri(), wait_until="load")
    yield page
    page.close()


class TestComparisonPage:
    def test_asks_for_nothing_but_itself_and_complains_of_nothing(self, opened: Any, page_file: Path) -> None:
        opened.evaluate(PAINTED)
        assert [url for url in opened.asked if not url.startswith("data:")] == [page_file.as_uri()]
        assert opened.said == []

    @every("width", [320, 360, 768, 1200])
    def test_never_scrolls_sideways_but_in_its_tables(self, opened: Any, width: int) -> None:
        opened.set_viewport_size({"width": width, "height": 740})
        assert opened.evaluate("document.documentElement.scrollWidth") <= width

    @every("scheme", ["light", "dark"])
    def test_every_word_reads_well(self, opened: Any, scheme: str) -> None:
        opened.emulate_media(color_scheme=scheme)
        found = opened.evaluate(CONTRAST)
        assert found["seen"] > 200
        assert found["poor"] == []

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
