"""The page as a browser shows it: nothing fetched, nothing run, legible on a phone, on paper and in the dark."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.evaluation.report.ferry import EVENT, JUDGMENTS, UPDATES, judged_timeline, update
from tests.web.browser.sound_page import CONTRAST, SoundPage, opened
from tidings.evaluation.report.page import render_page

__all__ = ["opened"]

pytestmark = pytest.mark.browser

HOSTILE = (
    '<script>document.title="owned"</script><img src="http://127.0.0.1:9/x.png" onerror="document.title=1">'
)


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page full of hostile text, and of words too long for a phone."""
    nasty = update(
        "d",
        3,
        f"{HOSTILE} {'Donaudampfschifffahrtsgesellschaft' * 5} At least 45 people were killed.",
        HOSTILE,
    )
    nuggets = (msgspec.structs.replace(JUDGMENTS.nuggets[0], text=HOSTILE + "x" * 90), *JUDGMENTS.nuggets[1:])
    timeline = judged_timeline((*UPDATES, nasty), msgspec.structs.replace(JUDGMENTS, nuggets=nuggets))
    event = msgspec.structs.replace(EVENT, title=f"Fire {HOSTILE}")
    path = tmp_path_factory.mktemp("page") / "page.html"
    path.write_text(
        render_page(replace(timeline, event=event, system="cosine:" + "a" * 60)), encoding="utf-8"
    )
    return path


class TestOpening(SoundPage):
    """From a file, without a network."""

    def test_its_policy_lets_its_own_style_through(self, opened: Any) -> None:
        assert opened.locator("h1").evaluate("node => getComputedStyle(node).fontWeight") == "600"

    def test_its_policy_stops_a_script_that_got_in(self, opened: Any) -> None:
        opened.evaluate(
            "() => { const s = document.createElement('script'); s.textContent = 'window.ran = 1';"
            " document.body.append(s); }"
        )
        assert opened.evaluate("window.ran") is None

    def test_shows_hostile_text_as_text(self, opened: Any) -> None:
        assert opened.title().startswith("Fire <script>")
        assert opened.locator("h1").inner_text() == f"Fire {HOSTILE}"
        assert opened.locator("main script, main img").count() == 0


class TestReading:
    """On screens wide and narrow, light and dark."""

    def test_draws_charts_for_the_width_of_the_screen(self, opened: Any) -> None:
        for width, shown in ((360, "narrow"), (1200, "wide")):
            opened.set_viewport_size({"width": width, "height": 740})
            visible = opened.locator("svg.chart:visible")
            assert visible.count() == 2
            assert opened.locator(f".{shown} svg.chart:visible").count() == 2
            smallest = visible.first.evaluate(
                "svg => Math.min(...[...svg.querySelectorAll('text')].map(text => text.getBoundingClientRect().height))"
            )
            assert smallest >= 10

    def test_is_dark_when_the_reader_prefers_it(self, opened: Any) -> None:
        opened.emulate_media(color_scheme="dark")
        assert opened.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(18, 22, 26)"

    def test_filters_updates_with_the_keyboard_alone(self, opened: Any) -> None:
        opened.locator("#show-plain").focus()
        opened.keyboard.press("ArrowRight")
        assert opened.locator(".entry:visible").count() == 7
        opened.keyboard.press("ArrowRight")
        assert opened.locator(".entry:visible").count() == 3
        opened.keyboard.press("ArrowRight")
        assert opened.locator(".entry:visible").count() == 4

    def test_begins_with_a_link_past_the_head(self, opened: Any) -> None:
        opened.keyboard.press("Tab")
        assert opened.evaluate("document.activeElement.getAttribute('href')") == "#timeline"

    def test_leads_from_an_update_to_its_nugget_and_back(self, opened: Any) -> None:
        opened.locator("label[for=show-all]").click()
        opened.locator("#u2 .earned a").first.click()
        nugget = opened.locator(".nugget:target")
        assert "At least 12 dead" in nugget.inner_text() or "40 injured" in nugget.inner_text()
        nugget.locator("a").click()
        assert opened.locator(".entry:target").get_attribute("id") == "u2"

    def test_says_its_charts_in_words(self, opened: Any) -> None:
        labels = [
            opened.evaluate(
                "svg => svg.getAttribute('aria-labelledby').split(' ')"
                ".map(id => document.getElementById(id).textContent).join(' ')",
                svg.element_handle(),
            )
            for svg in opened.locator("svg.chart:visible").all()
        ]
        assert "12 dead, 40 injured" in labels[0]
        assert labels[1].startswith("Comprehensiveness and updates over time")


class TestPaper:
    """Printed."""

    def test_is_light_and_whole_whatever_the_screen_shows(self, opened: Any) -> None:
        opened.emulate_media(color_scheme="dark")
        opened.locator("label[for=only-new]").click()
        opened.emulate_media(color_scheme="dark", media="print")
        assert opened.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert opened.locator(".entry:visible").count() == 7
        assert opened.locator("nav:visible, .filter:visible").count() == 0
        assert opened.evaluate(CONTRAST)["poor"] == []

    def test_becomes_a_document_of_a_few_pages(self, opened: Any) -> None:
        document = opened.pdf(format="A4", prefer_css_page_size=True)
        assert document.startswith(b"%PDF-")
        assert 2 <= document.count(b"/Type /Page\n") <= 12

    def test_begins_its_first_sheet_with_the_story(self, opened: Any, tmp_path: Path) -> None:
        path = tmp_path / "page.html"
        path.write_text(render_page(judged_timeline()), encoding="utf-8")
        opened.goto(path.as_uri(), wait_until="load")
        opened.emulate_media(media="print")
        opened.set_viewport_size({"width": 688, "height": 900})  # A4 without its margins, 182 by 268 mm
        foot = "document.querySelector('{}').getBoundingClientRect().bottom + scrollY"
        assert opened.evaluate(foot.format("#known")) < opened.evaluate(foot.format("#latest")) <= 1013
        assert opened.evaluate(foot.format("#timeline")) < opened.evaluate(foot.format("#judged"))
        style = "(selector, name) => getComputedStyle(document.querySelector(selector))[name]"
        assert opened.evaluate(f"({style})('#figures', 'breakInside')") == "avoid"
        assert opened.locator(".judging:visible").count() == 0

    def test_keeps_headings_with_what_they_head_and_the_scores_together(self, opened: Any) -> None:
        opened.emulate_media(media="print")
        style = "(selector, name) => getComputedStyle(document.querySelector(selector))[name]"
        for selector in ("h2", ".hint", ".day", ".group"):
            assert opened.evaluate(f"({style})('{selector}', 'breakAfter')") == "avoid", selector
        for selector in ("#scores", ".entry", ".nugget", "figure"):
            assert opened.evaluate(f"({style})('{selector}', 'breakInside')") == "avoid", selector
        assert opened.evaluate(f"({style})('footer', 'breakBefore')") == "avoid"
        assert opened.evaluate(f"({style})('td.value', 'whiteSpace')") == "nowrap"
