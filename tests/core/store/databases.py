"""What the tests of the store look at beneath it, and how they kill a process there."""

from __future__ import annotations

import os
import signal
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine, event, inspect, text

from tidings.core.store.connect import parse_store

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")


def dump(path: Path | str) -> list[str]:
    """Everything in a SQLite file, tables and rows, as SQL."""
    with sqlite3.connect(path) as connection:
        connection.text_factory = bytes
        lines = [
            repr(row) for row in connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY name")
        ]
        tables = [
            row[0].decode()
            for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        for table in sorted(tables):
            lines += sorted(f"{table}: {row!r}" for row in connection.execute(f"SELECT * FROM {table}"))
    connection.close()
    return lines


def rows(store: str) -> dict[str, list[str]]:
    """Everything in the tables of any database."""
    engine = create_engine(parse_store(store))
    with engine.connect() as connection:
        content = {
            table: sorted(repr(tuple(row)) for row in connection.execute(text(f"SELECT * FROM {table}")))
            for table in inspect(connection).get_table_names()
        }
    engine.dispose()
    return content


def killed_at(statement: int, act: Callable[[], object]) -> bool:
    """Do `act` in a process that is killed before its n-th statement to a database; False where it sent fewer.

    Beginning and ending a transaction count as statements: a kill may come between the last one and its commit.
    """
    child = os.fork()
    if child == 0:
        sent = 0

        def count(*args: object) -> None:
            nonlocal sent
            sent += 1
            if sent == statement:
                os.kill(os.getpid(), signal.SIGKILL)

        event.listen(Engine, "before_cursor_execute", count)
        event.listen(Engine, "commit", count)
        try:
            act()
        except BaseException:  # noqa: BLE001 - nothing of the test goes on in here
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return True
    assert os.WEXITSTATUS(status) == 0, "it failed, instead of being killed"
    return False
