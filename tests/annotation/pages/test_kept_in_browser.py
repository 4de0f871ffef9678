"""What was judged stays judged, whatever happens between the page and the disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.annotation.pages.crowd import ServerProcess, server_process
from tests.annotation.pages.desks import People, sign_in_browser
from tests.web.browser.chromium import PATIENCE_MS, ready, until
from tidings.core.records.judgments import judge_layer

pytestmark = pytest.mark.long

MATCHING = "/projects/1/topics/1/matching"


@pytest.fixture
def server(people: People, tmp_path: Path) -> Iterator[ServerProcess]:
    with server_process(str(tmp_path / "desk.db")) as running:
        yield running


@pytest.fixture
def window(browser: Any) -> Iterator[Any]:
    """Opens windows of people who share nothing."""
    contexts = []

    def opened(people: People, account: Any, server: ServerProcess) -> Any:
        context = browser.browser.new_context() if browser.browser else None
        if context is None:
            pytest.skip("this browser opens no second window")
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        sign_in_browser(context, people, account, server.address)
        page = context.new_page()
        page.goto(server.address + MATCHING)
        ready(page)
        return page

    yield opened
    for context in contexts:
        context.close()


def acts(people: People, account: Any) -> list[str]:
    """The updates that the account judged, by the log, each time that it did."""
    entries = people.desk.log.entries(people.project.id, account_id=account.id)
    return [entry.object_id for entry in entries]


def judge(page: Any, key: str = "0") -> None:
    page.keyboard.press(key)


def saved(page: Any) -> None:
    page.wait_for_selector("#saving:text-is('all saved')")


def test_a_server_that_is_killed_while_one_judges(people: People, server: ServerProcess, window: Any) -> None:
    page = window(people, people.first, server)
    judge(page)
    saved(page)
    server.kill()
    for _ in range(3):
        judge(page)
    page.wait_for_selector("#saving.failed")
    assert "not saved" in page.inner_text("#saving")
    assert len(acts(people, people.first)) == 1
    server.start()
    saved(page)
    judged = acts(people, people.first)
    assert len(judged) == len(set(judged)) == 4
    page.reload()
    ready(page)
    assert "4 of" in page.inner_text("#counted")


def test_a_page_loaded_again_before_the_server_is_back(
    people: People, server: ServerProcess, window: Any
) -> None:
    page = window(people, people.first, server)
    server.kill()
    for _ in range(2):
        judge(page)
    page.wait_for_selector("#saving.failed")
    page.on("dialog", lambda dialog: dialog.accept())
    with pytest.raises(Exception, match="ERR_CONNECTION_REFUSED"):
        page.goto(server.address + MATCHING)
    server.start()
    page.goto(server.address + MATCHING)
    saved(page)
    assert len(set(acts(people, people.first))) == 2


def test_a_connection_that_is_lost_for_a_while(people: People, server: ServerProcess, window: Any) -> None:
    page = window(people, people.first, server)
    page.context.set_offline(True)
    for _ in range(3):
        judge(page)
    page.wait_for_selector("#saving.failed")
    page.context.set_offline(False)
    saved(page)
    judged = acts(people, people.first)
    assert len(judged) == len(set(judged)) == 3


def test_back_and_forth(people: People, server: ServerProcess, window: Any) -> None:
    page = window(people, people.first, server)
    for _ in range(2):
        judge(page)
    saved(page)
    page.goto(server.address + "/projects/1")
    page.go_back()
    ready(page)
    assert "2 of" in page.inner_text("#counted")
    judge(page)
    saved(page)
    judged = acts(people, people.first)
    assert len(judged) == len(set(judged)) == 3


def test_a_sign_in_that_ends_while_one_judges(people: People, server: ServerProcess, window: Any) -> None:
    page = window(people, people.first, server)
    judge(page)
    saved(page)
    page.context.clear_cookies()
    judge(page)
    page.wait_for_selector("#saving.failed a")
    assert "signed out" in page.inner_text("#saving")
    sign_in_browser(page.context, people, people.first, server.address)
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    saved(page)
    assert len(set(acts(people, people.first))) == 2


def kept_both() -> Callable[[Any], bool]:
    """Whether the update that is shown and the next are kept for who judges: each is asked for."""
    asked: list[Any] = []

    def seen(response: Any) -> bool:
        asked.extend([response] if response.url.endswith("/take") else [])
        return len(asked) == 2

    return seen


def test_two_on_one_topic(people: People, server: ServerProcess, window: Any) -> None:
    """One judge for each item: nothing goes to both, and neither's work touches the other's."""
    first, second = (window(people, account, server) for account in (people.first, people.second))
    own: dict[str, list[str]] = {}
    for _ in range(10):
        for page in (first, second):
            with page.expect_event("response", kept_both()):
                judge(page)
            saved(page)
        own = {account.name: acts(people, account) for account in (people.first, people.second)}
        if min(map(len, own.values())) >= 3:
            break
    assert min(map(len, own.values())) >= 3
    assert not set(own["first"]) & set(own["second"])
    layers = {one.layer for one in people.desk.log.objects(people.project.id, 1, kind="matches")}
    assert layers == {judge_layer(people.first.id), judge_layer(people.second.id)}


def test_who_judges_faster_than_the_server_keeps_is_kept_what_is_shown(
    people: People, server: ServerProcess, window: Any
) -> None:
    page = window(people, people.first, server)
    held: list[Any] = []
    asked: list[list[str]] = []

    def seen(route: Any) -> None:
        asked.append(route.request.post_data_json["updates"])
        if held:
            route.continue_()
        else:
            held.append(route)

    page.route("**/take", seen)
    judge(page)
    until(page, lambda: held)
    judge(page)
    judge(page)
    shown = parse_qs(urlsplit(page.url).query)["at"]
    held[0].continue_()
    until(page, lambda: shown in asked)
