"""What is done before the first visitor comes."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from fastapi import FastAPI
from sqlalchemy import text

from tests.annotation.pages.desks import People, bundled_judgments, desk_with
from tidings.annotation.desk import pools
from tidings.annotation.pages.app import PART, ask, latest_topics, make_app, warm
from tidings.annotation.store import Act
from tidings.core.records import Event
from tidings.core.records.judgments import SHARED, Change
from tidings.web import pages


class Clock:
    now = 1_700_000_000.0

    def __call__(self) -> float:
        self.now += 1
        return self.now


def warm_beside(app: FastAPI, people: People) -> None:
    """In a thread of its own: Chromium's driver has a loop in this one."""
    with ThreadPoolExecutor(1) as beside:
        beside.submit(warm, app, people.desk).result()


def test_routes_templates_and_the_pool_at_hand_are_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with desk_with(tmp_path / "desk.db", bundled_judgments(judged=False)) as people:
        app = make_app(people.desk)
        warm_beside(app, people)
        assert app.middleware_stack is not None
        with ThreadPoolExecutor(1) as beside:
            assert beside.submit(asyncio.run, ask(app, "/sign-in")).result() == 200
        compiled = pages._environment(PART).cache
        assert compiled is not None and {name for _, name in compiled} >= {
            "matching.html.j2",
            "sign_in.html.j2",
        }
        monkeypatch.setattr(pools, "TopicPool", None)
        assert pools.topic_pool(people.desk, 1, 1).candidates


def test_a_store_that_cannot_be_read_is_served_all_the_same(tmp_path: Path) -> None:
    with desk_with(tmp_path / "desk.db", bundled_judgments(judged=False)) as people:
        with people.desk.store.writing() as connection:
            connection.execute(text("UPDATE desk_items SET content = '{}'"))
        warm_beside(make_app(people.desk), people)


def test_people_go_on_where_they_were(tmp_path: Path) -> None:
    with desk_with(tmp_path / "desk.db", clock=Clock()) as people:
        desk = people.desk
        assert latest_topics(desk) == []
        for number in range(5):
            project = desk.projects.add(f"project {number}").id
            for topic in (1, 2):
                desk.projects.add_topic(project, Event(id=f"e{topic}", title="Fire", query="fire"))
        for key, (project, topic) in enumerate(((2, 1), (3, 2), (4, 1), (5, 1), (6, 2), (2, 2))):
            change = Change(SHARED, "nugget", "n1", {"text": f"A fire, {key}."})
            desk.log.record(project, Act(key=f"key {key}", operation="edit-nugget", topic=topic), [change])
        assert latest_topics(desk) == [(2, 2), (6, 2), (5, 1), (4, 1)]
