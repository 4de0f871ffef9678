"""The page of a digest as a browser shows it: nothing fetched, legible on a phone, on paper and in the dark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.evaluation.report.test_digest import DAYS, STORY
from tests.web.browser.sound_page import SoundPage, opened
from tidings.core.records import Digest, DigestDay, Evidence
from tidings.evaluation.report.digest import digest_page

__all__ = ["opened"]

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


class TestDigestPage(SoundPage):
    least_words = 60

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
