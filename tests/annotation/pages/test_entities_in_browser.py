"""The entities of a day in Chromium: by keyboard alone, by mouse, and with the connection gone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.annotation.desk.test_entities import EVENT, GRADES, STREAM
from tests.annotation.pages.desks import People, desk_with, served, sign_in_browser
from tests.web.browser.chromium import PATIENCE_MS, findings
from tidings.annotation.desk.exchange.day_entities import entities_of_grades, import_day_entities
from tidings.core.records.judgments import judge_layer

LAPTOP, TABLET = {"width": 1366, "height": 768}, {"width": 820, "height": 1180}
PAGE = "/projects/1/topics/1/entities"


@pytest.fixture
def people(tmp_path: Path) -> Iterator[People]:
    with desk_with(tmp_path / "d.db") as made:
        import_day_entities(made.desk, made.project, entities_of_grades(GRADES), STREAM, events=[EVENT])
        yield made


@contextmanager
def open_page(browser: Any, people: People, address: str, form: str = "scale", **look: Any) -> Iterator[Any]:
    context = browser.browser.new_context(**{"viewport": LAPTOP, **look})
    context.set_default_timeout(PATIENCE_MS)
    try:
        sign_in_browser(context, people, people.first, address)
        page = context.new_page()
        problems: list[str] = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(f"{address}{PAGE}?form={form}")
        yield page
        assert not problems
    finally:
        context.close()


def judged(people: People, kind: str = "grade") -> dict[str, Any]:
    layer = judge_layer(people.first.id)
    return {
        one.id: one.value for one in people.desk.log.objects(people.project.id, 1, layer=layer, kind=kind)
    }


def saved(page: Any) -> None:
    page.locator("#saving", has_text="all saved").wait_for()


@pytest.mark.long
def test_a_day_is_graded_by_keyboard_alone(browser: Any, people: People) -> None:
    with served(people) as address, open_page(browser, people, address) as page:
        page.keyboard.press("Enter")
        page.wait_for_selector(".entity.current")
        page.keyboard.press("1")
        page.keyboard.press("3")
        saved(page)
        assert judged(people) == {"2024-05-01|Melilla": {"grade": 1}, "2024-05-01|Nador": {"grade": 3}}
        page.keyboard.press("u")
        page.wait_for_selector(".entity.current:not(.judged) >> text=Nador")
        page.keyboard.press("4")
        saved(page)
        assert page.locator("#count").inner_text() == "All 2 of this day are judged."
        assert judged(people)["2024-05-01|Nador"] == {"grade": 4}
        assert findings(page) == []
        page.keyboard.press("d")
        page.wait_for_url("**day=2024-05-02**")
        page.keyboard.press("?")
        assert "undo" in page.locator("#keys").inner_text()


@pytest.mark.long
def test_the_two_questions_are_answered_by_mouse_and_half_an_answer_survives_a_reload(
    browser: Any, people: People
) -> None:
    with served(people) as address, open_page(browser, people, address, "short", viewport=TABLET) as page:
        page.click("#take")
        page.click("article[data-item='2024-05-01|Nador'] [data-sentence='3']")
        page.reload()
        assert (
            page.locator("article[data-item='2024-05-01|Nador'] [aria-pressed=true]")
            .inner_text()
            .endswith("clearly")
        )
        assert judged(people, "answer") == {}
        page.click("article[data-item='2024-05-01|Nador'] [data-important='x']")
        saved(page)
        assert judged(people, "answer") == {"2024-05-01|Nador": {"sentence": 3, "important": False}}
        page.click("article[data-item='2024-05-01|Nador'] [data-important='y']")
        saved(page)
        assert judged(people, "answer")["2024-05-01|Nador"]["important"] is True


@pytest.mark.long
def test_what_was_graded_without_connection_is_sent_later(browser: Any, people: People) -> None:
    with served(people) as address, open_page(browser, people, address) as page:
        page.keyboard.press("Enter")
        page.wait_for_selector(".entity.current")
        page.context.set_offline(True)
        for key in ("1", "3", "k", "2"):
            page.keyboard.press(key)
        page.wait_for_selector("#saving.failed")
        assert judged(people) == {}
        page.context.set_offline(False)
        saved(page)
        assert judged(people) == {"2024-05-01|Melilla": {"grade": 2}, "2024-05-01|Nador": {"grade": 3}}


@pytest.mark.long
def test_what_another_window_changed_is_shown_instead(browser: Any, people: People) -> None:
    with served(people) as address, open_page(browser, people, address) as page:
        page.keyboard.press("Enter")
        page.wait_for_selector(".entity.current")
        other = page.context.new_page()
        other.goto(f"{address}{PAGE}")
        other.keyboard.press("4")
        saved(other)
        page.bring_to_front()
        page.keyboard.press("2")
        page.wait_for_selector(".state:not(:empty)")
        assert page.locator("article [aria-pressed=true]").inner_text().startswith("4")
        page.keyboard.press("k")
        page.keyboard.press("2")
        saved(page)
        assert judged(people)["2024-05-01|Melilla"] == {"grade": 2}


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("form", ["scale", "short"])
def test_nothing_is_wrong_for_those_who_see_less(
    browser: Any, people: People, scheme: str, form: str
) -> None:
    with served(people) as address, open_page(browser, people, address, form, color_scheme=scheme) as page:
        page.keyboard.press("Enter")
        page.wait_for_selector(".entity.current")
        assert findings(page) == []
