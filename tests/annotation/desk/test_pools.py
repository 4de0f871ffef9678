"""Pools as they are judged: copies once, near copies found, and read again where items were added.

Pooled runs as items of a project: what scorers need of them is kept as it was.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.annotation.pages.desks import desk_with
from tests.sweeps import cases, every
from tidings.annotation.desk.exchange.importing import add_runs, run_item, run_of_item, runs_of
from tidings.annotation.desk.pools import TopicPool, topic_pool
from tidings.core.errors import StoreError
from tidings.core.records import Event, PooledUpdate, Run, RunCard, Update
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


UPDATES = (Update("storm", "d", 0, 60, 0.5), Update("storm", "e-1", 12, 30, 1.0))


class TestRunItem:
    def test_a_run_comes_back_as_it_was(self) -> None:
        card = RunCard(system="cosine", choice="pool", events=(Event(id="storm", title="S", query="s"),))
        full = Update("fire", "f", 3, 90, 0.25, "It burns.", 80, "Wire", "Fire!", "https://wire.example/")
        run = Run("us", "one", (*UPDATES, full), card)
        assert run_of_item(run_item(1, run)) == run

    def test_columns_that_say_nothing_take_no_room(self) -> None:
        content = run_item(1, Run("us", "one", UPDATES)).content
        assert set(content["updates"]) == {"event_id", "doc_id", "sentence_index", "time", "confidence"}

    def test_a_run_stands_where_it_begins(self) -> None:
        assert run_item(1, Run("us", "one", UPDATES)).time == 30
        assert run_item(1, Run("us", "silent", ())).time == 0

    def test_a_silent_run_is_a_run(self) -> None:
        assert run_of_item(run_item(1, Run("us", "silent", ()))) == Run("us", "silent", ())

    @every("given, kept", [("inf", 1000.0), ("-inf", -1000.0)])
    def test_an_endless_confidence_is_as_scorers_have_it(self, given: str, kept: float) -> None:
        run = Run("us", "one", (Update("storm", "d", 0, 60, float(given)),))
        assert run_of_item(run_item(1, run)).updates[0].confidence == kept


def test_a_store_keeps_them_once_and_refuses_another_of_the_same_name(tmp_path: Path) -> None:
    run = Run("us", "one", UPDATES)
    with desk_with(tmp_path / "d.db") as people:
        assert add_runs(people.desk, people.project, [run, Run("us", "two", ())]) == 2
        assert add_runs(people.desk, people.project, [run]) == 0
        assert runs_of(people.desk, people.project) == [run, Run("us", "two", ())]
        with pytest.raises(StoreError, match="different run us/one"):
            add_runs(people.desk, people.project, [Run("us", "one", UPDATES[:1])])
