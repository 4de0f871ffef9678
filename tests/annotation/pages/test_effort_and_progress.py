"""The pages of effort and of progress: who sees what, and that scores are not taken for final ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.annotation.desk.copies import copied
from tests.annotation.desk.test_progress import RUN
from tests.annotation.pages.desks import (
    People,
    bundled_judgments,
    client_of,
    desk_with,
    served,
    sign_in_browser,
)
from tests.web.browser.chromium import findings
from tidings.annotation.desk.effort import WorkSession
from tidings.annotation.desk.exchange.importing import add_runs
from tidings.annotation.pages.routes.progress import WIDTH, effort_chart
from tidings.annotation.store import Act
from tidings.core.records.judgments import Change, judge_layer

START = 1_700_000_000
DAY_MS = 86_400_000


@pytest.fixture(scope="module")
def worked_desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path, clock = tmp_path_factory.mktemp("effort") / "desk.db", [float(START)]
    given = bundled_judgments(judged=False)
    with desk_with(path, given, clock=lambda: clock[0]) as people:
        add_runs(people.desk, people.project, [RUN])
        for number, (account, pause) in enumerate([(people.first, 12), (people.second, 40)] * 12):
            clock[0] += pause if number % 8 else 20_000
            kind = "matches" if number % 3 else "relevance"
            value: Any = {"matches": []} if kind == "matches" else {"grade": 1}
            act = Act(key=f"act-{number:04}", operation="judge", topic=1, account_id=account.id)
            change = Change(judge_layer(account.id), kind, given.pool[number].id, value)
            people.desk.log.record(people.project.id, act, [change])
    return path


@pytest.fixture(scope="module")
def people(worked_desk: Path) -> Iterator[People]:
    with copied(worked_desk, worked_desk.with_name("copy.db")) as made:
        made.desk.projects.set_member(made.project.id, made.stranger.id, "assessor")
        yield made


@pytest.fixture(scope="module")
def lead(people: People) -> TestClient:
    return client_of(people, people.lead)


@pytest.fixture(scope="module")
def first(people: People) -> TestClient:
    return client_of(people, people.first)


class TestEffort:
    def test_leads_see_everybody_and_others_themselves(self, lead: TestClient, first: TestClient) -> None:
        everybodys, own = (client.get("/projects/1/effort").text for client in (lead, first))
        assert "By person" in everybodys and '<th scope="row">second</th>' in everybodys
        assert "Your effort" in own and "second" not in own
        # Nothing that the content policy forbids.
        assert "<svg" in own and "style=" not in own and "<style" not in own
        rows = first.get("/api/projects/1/effort").json()["rows"]
        assert {row["person"] for row in rows} == {"first"} and sum(row["acts"] for row in rows) == 12
        rows = lead.get("/api/projects/1/effort").json()["rows"]
        assert sum(row["acts"] for row in rows) == 24

    def test_who_did_nothing_sees_that(self, people: People) -> None:
        idle = client_of(people, people.stranger)
        assert "No judgments yet" in idle.get("/projects/1/effort").text


class TestChart:
    def test_a_day_is_as_high_as_its_work_and_tasks_stand_on_each_other(self) -> None:
        sessions = [
            WorkSession("a", 0, 60_000, 2, {"matching": 600.0, "relevance": 300.0}),
            WorkSession("b", DAY_MS, DAY_MS + 1, 2, {"matching": 450.0}),
        ]
        chart = effort_chart(sessions)
        assert chart is not None and chart.top_minutes == 15
        assert [(bar.shade, bar.height) for bar in chart.bars] == [(0, 100.0), (1, 50.0), (0, 75.0)]
        first, second, third = chart.bars
        assert (first.y, second.y, third.y) == (50.0, 0.0, 75.0) and first.x == second.x < third.x
        assert {bar.width for bar in chart.bars} == {48.0}, "few days have no wider bars than that"
        assert first.words == "1 Jan, Matches: 10 min"

    def test_only_the_last_month_is_shown(self) -> None:
        sessions = [WorkSession("a", n * DAY_MS, n * DAY_MS, 1, {"matching": 60.0}) for n in range(100)]
        chart = effort_chart(sessions)
        assert chart is not None and len(chart.bars) == 31
        assert all(bar.x >= 0 and bar.x + bar.width <= WIDTH for bar in chart.bars)
        assert len(chart.labels) <= 11

    def test_no_work_no_chart(self) -> None:
        assert effort_chart([]) is None
        assert effort_chart([WorkSession("a", 0, 0, 1, {"matching": 0.0})]) is None


class TestProgress:
    def test_everybody_sees_what_is_judged_by_whom_and_left(self, first: TestClient) -> None:
        text = " ".join(first.get("/projects/1/progress").text.split())
        pool = len(bundled_judgments().pool)
        cells = (
            f'<td class="number">16</td> <td class="number">{pool}</td> <td class="number">{pool - 16}</td>'
        )
        assert "each item goes to one judge" in text
        assert cells in text and "first 8, second 8" in text and "Not final" in text
        rows = first.get("/api/projects/1/progress").json()
        assert {row["task"]: row["judged"] for row in rows}["relevance"] == 8

    def test_scores_come_with_what_is_not_judged(self, first: TestClient) -> None:
        (run,) = first.get("/api/projects/1/scores").json()
        assert (run["judged"], run["waiting"], run["unpooled"], run["topics"]) == (16, 24, 1, 1)

    def test_without_runs_it_says_how_they_come(self, people: People) -> None:
        other = people.desk.projects.add("without runs")
        people.desk.projects.set_member(other.id, people.first.id, "assessor")
        assert "--run FILE" in client_of(people, people.first).get(f"/projects/{other.id}/progress").text


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_pages_are_for_everybody(browser: Any, people: People, scheme: str) -> None:
    context = browser.browser.new_context(color_scheme=scheme, viewport={"width": 820, "height": 1180})
    try:
        with served(people) as address:
            sign_in_browser(context, people, people.lead, address)
            page = context.new_page()
            page.goto(f"{address}/projects/1/progress")
            page.wait_for_selector("#scores:not([hidden]) tbody tr")
            assert (
                "24 pooled updates of this run are not judged yet"
                in page.locator("#scores-state").inner_text()
            )
            for there in ("progress", "effort"):
                page.goto(f"{address}/projects/1/{there}")
                assert findings(page) == []
                words = "all => all.map(one => getComputedStyle(one).overflowWrap)"
                assert "anywhere" not in page.eval_on_selector_all(".scroll td, .scroll th", words)
    finally:
        context.close()
