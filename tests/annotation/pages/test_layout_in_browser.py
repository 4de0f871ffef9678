"""Pages in Chromium where there is little to show, a title is long, or an address names an item."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.annotation.desk.event_desks import DOCUMENTS, FERRY
from tests.annotation.pages.desks import People, bundled_judgments, desk_with, served, sign_in_browser
from tests.sweeps import cases, every
from tidings.annotation.desk.exchange.event_links import import_stream
from tidings.annotation.store import Act
from tidings.core.records import Event
from tidings.core.records.judgments import Change, judge_layer

TABLET = {"width": 820, "height": 1180}
LONG = "A topic whose title goes on and on " * 6


@pytest.fixture(scope="module")
def page(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with desk_with(tmp_path_factory.mktemp("bare") / "d.db") as people, served(people) as address:
        yield from pages(browser, people, address)


def pages(browser: Any, people: People, address: str) -> Iterator[Any]:
    event = Event(id="TS14.1", title=LONG.strip(), query="fire", start_time=0, end_time=86400)
    people.desk.projects.add_topic(people.project.id, event)
    context = browser.browser.new_context(viewport=TABLET, base_url=address)
    sign_in_browser(context, people, people.first, address)
    yield context.new_page()
    context.close()


NOTHING = cases(__file__, "nothing")


@every("task, words", NOTHING)
def test_a_bare_topic_says_so_where_one_looks(page: Any, task: str, words: str) -> None:
    page.goto(f"/projects/1/topics/1/{task}")
    said = page.get_by_text(words).first
    said.wait_for()
    assert said.bounding_box()["y"] < 700


@every("task", ["clusters", "extraction", "matching"])
def test_a_long_title_takes_no_room_from_the_work(page: Any, task: str) -> None:
    page.goto(f"/projects/1/topics/1/{task}")
    page.wait_for_selector("#theme")
    assert page.locator("header.frame").bounding_box()["height"] < 120
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_work_ends_where_the_window_does_however_high_the_frame_is(browser: Any, tmp_path: Path) -> None:
    with desk_with(tmp_path / "d.db") as people, served(people) as address:
        for page in pages(browser, people, address):
            page.set_viewport_size({"width": 520, "height": 900})
            page.goto("/projects/1/topics/1/clusters")
            page.wait_for_selector("#none:not([hidden])")
            assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


@pytest.mark.long
def test_the_links_of_lists_open_what_they_name(browser: Any, tmp_path: Path) -> None:
    """As those of the log, of corrections and of notes do: `?at=` and the item; all pages read it in one place."""
    with desk_with(tmp_path / "d.db", bundled_judgments(judged=False)) as people, served(people) as address:
        desk, project = people.desk, people.project
        import_stream(desk, project, DOCUMENTS, [FERRY])
        last = desk.projects.items(1, 1, "update")[-1]
        layer = judge_layer(people.first.id)
        act = Act(key="graded", operation="grade-relevance", topic=1, account_id=people.first.id)
        desk.log.record(1, act, [Change(layer, "relevance", last.id, {"grade": 1})])
        for page in pages(browser, people, address):
            for topic, task, asked, text in (
                (1, "relevance", f"?at={last.id}", last.content["text"]),
                (1, "clusters", f"#item={last.id}", last.content["text"]),
                (2, "linking", "?at=b-2", "Two are missing."),
                (2, "events", "#item=b-2", "Two are missing."),
            ):
                page.goto(f"/projects/1/topics/{topic}/{task}{asked}")
                page.locator("[aria-current=true]", has_text=text).wait_for()
            page.goto("about:blank")  # another place of the same page alone would not be loaded
            page.goto("/projects/1/topics/2/events#item=%25%")
            page.locator("[aria-current=true]").first.wait_for()
