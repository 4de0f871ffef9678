"""Pools as they are judged: copies once, near copies found, and read again where items were added."""

from __future__ import annotations

from pathlib import Path

import msgspec

from tests.annotation.pages.desks import desk_with
from tests.sweeps import cases
from tidings.annotation.desk.pools import TopicPool, topic_pool
from tidings.core.records import Event, PooledUpdate
from tidings.core.records.judgments import DeskItem

TEXTS = cases(__file__, "texts")
POOL = [PooledUpdate("e", name, 0, text, published_time=60) for name, text in TEXTS.items()]


def test_near_copies_are_found_from_either_side_and_exact_ones_are_not_near() -> None:
    pool = TopicPool(POOL)
    assert [one.id for one, _ in pool.near("a-0")] == ["c-0"]
    assert [one.id for one, _ in pool.near("b-0")] == ["c-0"]
    assert [one.id for one, _ in pool.near("c-0")] == ["a-0"]
    assert pool.near("d-0") == pool.near("not there") == []


def test_the_likest_come_first() -> None:
    words = ["a big ferry burns in port", "a big ferry burns in the port", "a big ferry burns"]
    pool = TopicPool(PooledUpdate("e", "d", n, text) for n, text in enumerate(words))
    found = pool.near("d-0")
    assert len(found) == 2 and found[0][1] > found[1][1]
    assert pool.near("d-0", limit=1) == found[:1]


def test_a_time_is_the_stated_one_else_the_documents() -> None:
    pool = TopicPool([*POOL[:1], PooledUpdate("e", "1366055164-6f", 0, "x"), PooledUpdate("e", "12", 0, "y")])
    assert {one.id: pool.time(one) for one in pool.candidates} == {
        "a-0": 60,
        "1366055164-6f-0": 1366055164,
        "12-0": 0,
    }


def test_a_pool_is_read_once_and_again_when_items_are_added(tmp_path: Path) -> None:
    with desk_with(tmp_path / "desk.db") as people:
        desk, project = people.desk, people.project
        topic = desk.projects.add_topic(project.id, Event(id="e", title="e", query="e")).number
        items = [
            DeskItem(project.id, topic, "update", row.id, 0, row.published_time, msgspec.to_builtins(row))
            for row in POOL
        ]
        assert topic_pool(desk, project.id, topic).candidates == ()
        desk.projects.add_items(items[:2])
        first = topic_pool(desk, project.id, topic)
        assert len(first.updates) == 2 and topic_pool(desk, project.id, topic) is first
        desk.projects.add_items(items)
        assert len(topic_pool(desk, project.id, topic).updates) == 4
