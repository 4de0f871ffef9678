"""The page of a digest as a browser shows it: nothing fetched, legible on a phone, on paper and in the dark."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.evaluation.report.test_digest import DAYS, STORY
from tests.sweeps import every
from tests.web.browser.chromium import PAINTED
from tests.web.browser.test_page_in_browser import CONTRAST
from tidings.core.records import Digest, DigestDay, Evidence
from tidings.evaluation.report.digest import digest_page

pytestmark = pytest.mark.browser

LONG = Evidence(
    "x" * 90, 7, "Officials said " + "w" * 200 + " and more of it .", 1_714_651_200, "y" * 80, "z" * 80
)
MONTHS = tuple(DigestDay(f"2025-{month:02d}-11", DAYS[1].sentences, 3) for month in range(1, 13))
PAGE = Digest(
    event=STORY.event, system="ours", days=(*DAYS, *MONTHS, DigestDay("2026-01-01", (LONG,), 9)), documents=9
)


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("digest") / "page.html"
    path.write_text(digest_page(PAGE), encoding="utf-8")
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


class TestDigestPage:
    def test_asks_for_nothing_but_itself_and_complains_of_nothing(self, opened: Any, page_file: Path) -> None:
        opened.evaluate(PAINTED)
        assert [url for url in opened.asked if not url.startswith("data:")] == [page_file.as_uri()]
        assert opened.said == []

    @every("width", [320, 360, 768, 1200])
    def test_never_scrolls_sideways(self, opened: Any, width: int) -> None:
        opened.set_viewport_size({"width": width, "height": 740})
        assert opened.evaluate("document.documentElement.scrollWidth") <= width

    @every("scheme", ["light", "dark"])
    def test_every_word_reads_well(self, opened: Any, scheme: str) -> None:
        opened.emulate_media(color_scheme=scheme)
        seen = opened.evaluate(CONTRAST)
        assert seen["seen"] > 60
        assert seen["poor"] == []

    def test_days_stand_in_a_column(self, opened: Any) -> None:
        opened.set_viewport_size({"width": 1200, "height": 740})
        days = [opened.locator(".told-day h3").nth(number).bounding_box() for number in range(3)]
        assert len({day["x"] for day in days}) == 1
        assert days[0]["y"] < days[1]["y"] < days[2]["y"]
        said = opened.locator(".told-day .said").first.bounding_box()
        assert said["x"] >= days[0]["x"] + days[0]["width"]

    def test_on_a_phone_days_stand_above_their_sentences(self, opened: Any) -> None:
        opened.set_viewport_size({"width": 360, "height": 740})
        day, said = (
            opened.locator(name).first.bounding_box() for name in (".told-day h3", ".told-day .said")
        )
        assert said["y"] >= day["y"] + day["height"] - 1

    def test_months_lead_to_their_days(self, opened: Any) -> None:
        opened.locator("nav a").last.click()
        assert opened.evaluate("location.hash") == "#d2026-01-01"

    def test_prints_light_and_from_its_first_sheet_on(self, opened: Any) -> None:
        opened.emulate_media(color_scheme="dark", media="print")
        assert opened.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert opened.locator("nav").is_hidden()
        document = opened.pdf(format="A4", prefer_css_page_size=True)
        assert 2 <= document.count(b"/Type /Page\n") <= 5
