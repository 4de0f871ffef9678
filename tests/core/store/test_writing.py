"""Rows as they are written in few steps: the same rows, under the same names, whatever they hold."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from sqlalchemy import Engine, event
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.engine import Dialect

from tidings.core.records import Event, Position, Update
from tidings.core.store import open_store
from tidings.core.store.rows import output_values
from tidings.core.store.table_rows import AnyText, row_digest

TEXTS = [
    "",
    "storm",
    "caf\xe9",
    "\U0001f600",
    "a\\x1bb",
    "\x00",
    "\x1b",
    "\udcff",
    "a\x00b\x1bc",
    '\x1b"a"',
    "\x00\ud83d\ude00",
]
NUMBERS = [0.5, -0.5, 0.0, -0.0, 1.0, math.inf, -math.inf, 1e-300]


class TestAnyText:
    @pytest.mark.parametrize(
        "dialect", [PGDialect_psycopg(), SQLiteDialect_pysqlite()], ids=lambda one: one.name
    )
    @pytest.mark.parametrize("text", TEXTS, ids=ascii)
    def test_on_either_database_what_it_refuses_is_escaped(self, dialect: Dialect, text: str) -> None:
        kind: Any = AnyText().dialect_impl(dialect)
        stored = kind.bind_processor(dialect)(text)
        assert "\x00" not in stored
        stored.encode()
        assert kind.result_processor(dialect, None)(stored) == text


class TestOutputs:
    @pytest.mark.parametrize("text", TEXTS, ids=ascii)
    def test_texts_come_back(self, any_store: str, text: str) -> None:
        updates = [
            Update(text, text, 1, 2, 0.5, text, 3, text, text, text),
            Update(text, text, 1, 2, -0.0, text, 3, text, text, text),
        ]
        with open_store(any_store) as store, store.begin("r", {}) as run:
            run.commit([], {}, updates, [])
            assert list(run.updates()) == updates
            assert list(run.updates(event_id=text)) == updates

    def test_numbers_come_back(self, any_store: str) -> None:
        updates = [Update("e", "d", number, -number, value) for number, value in enumerate(NUMBERS)]
        with open_store(any_store) as store, store.begin("r", {}) as run:
            run.commit([], {}, [*updates, Update("e", "d", 0, 0, math.nan)], [])
            *read, unknown = run.updates()
            assert read == updates
            assert math.isnan(unknown.confidence)

    def test_numbers_of_numpy_are_numbers(self, any_store: str) -> None:
        given: Any = Update(np.str_("e"), "d", np.int64(7), np.int32(8), np.float64(0.5), "text", np.int64(9))
        whole: Any = Update("e", "d", 7, 8, 1)
        with open_store(any_store) as store, store.begin("r", {}) as run:
            run.commit([], {}, [given, whole], [])
            assert list(run.updates()) == [
                Update("e", "d", 7, 8, 0.5, "text", 9),
                Update("e", "d", 7, 8, 1.0),
            ]

    @pytest.mark.parametrize("text", TEXTS, ids=ascii)
    def test_the_digest_is_that_of_what_was_meant(self, text: str) -> None:
        values = output_values(3, 4, Update("e", text, 1, 2, 0.5, "text", 5))
        meant = (3, 4, "update", "e", text, 1, 2, 0.5, "text", 5, "", "", "", "")
        assert values[-1] == row_digest("outputs", meant)


class TestStatements:
    def test_a_commit_takes_one_for_each_table(self, sqlite_store: str) -> None:
        sent: list[str] = []

        def note(*args: Any) -> None:
            sent.append(" ".join(args[2].split()[:3]))

        updates = [Update("e", "d", number, 60) for number in range(50)]
        with open_store(sqlite_store) as store, store.begin("r", {}) as run:
            run.load()
            event.listen(Engine, "before_cursor_execute", note)
            try:
                run.commit([Position(source="s", released=1)], {"e": b"1", "f": b"2"}, updates, [])
            finally:
                event.remove(Engine, "before_cursor_execute", note)
        tables = ["positions", "follower_states", "outputs"]
        assert sent == ["BEGIN IMMEDIATE", "UPDATE runs SET", *(f"INSERT INTO {table}" for table in tables)]

    def test_all_of_the_row_that_stands_for_a_run_is_kept(self, any_store: str) -> None:
        with open_store(any_store) as store:
            with store.begin("r", {"a": "1"}) as run:
                run.commit([], {"e": b"1"}, [Update("e", "d", 0, 60)], [], finished=True)
            with store.begin("r", {"a": "1"}, events=[Event(id="e", title="E", query="e")]) as run:
                assert run.load().finished
                run.commit([], {"e": b"2"}, [], [])
            (info,) = store.runs()
            assert (info.settings, info.events, info.counts) == (
                {"a": "1"},
                (Event(id="e", title="E", query="e"),),
                {"update": 1},
            )
            assert info.finished_time is None
