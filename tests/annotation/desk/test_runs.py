"""Pooled runs as items of a project: what scorers need of them is kept as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.annotation.pages.desks import desk_with
from tests.sweeps import every
from tidings.annotation.desk.exchange.importing import add_runs, run_item, run_of_item, runs_of
from tidings.core.errors import StoreError
from tidings.core.records import Event, Run, RunCard, Update

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
