"""Stores are made, told apart, and carried over to made-up later versions: whole, wherever it is stopped."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import Connection, create_engine, inspect, text

from tests.core.store.databases import dump, killed_at, needs_fork, rows
from tidings.core.errors import StoreError
from tidings.core.store import open_store, schema
from tidings.core.store.connect import parse_store
from tidings.core.store.schema import tables

pytestmark = pytest.mark.usefixtures("made_stores")


def second_version(connection: Connection) -> None:
    """A migration as one could be: one more table, and one more column of every run."""
    connection.execute(text("CREATE TABLE run_notes (run_id INTEGER PRIMARY KEY, note TEXT NOT NULL)"))
    connection.execute(text("ALTER TABLE runs ADD COLUMN note TEXT NOT NULL DEFAULT ''"))
    for (run_id,) in connection.execute(text("SELECT id FROM runs")).all():
        connection.execute(text("INSERT INTO run_notes VALUES (:id, 'of old')"), {"id": run_id})


def third_version(connection: Connection) -> None:
    """And one that asks for what the second made."""
    connection.execute(text("UPDATE run_notes SET note = note || ' age'"))


def carry_over(path: Path | str) -> None:
    open_store(str(path)).close()


def put_store(store: str) -> None:
    """Make a store of this version with two runs."""
    with open_store(store) as opened:
        for name in ("one", "two"):
            opened.begin(name, {"system": name}).close()


@pytest.fixture
def version_1(tmp_path: Path) -> Path:
    """A store of version 1."""
    put_store(str(tmp_path / "store.db"))
    return tmp_path / "store.db"


@pytest.fixture
def three_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on this tidings writes version 3."""
    monkeypatch.setattr(schema, "MIGRATIONS", (second_version, third_version))


def version_of(path: Path) -> str:
    with sqlite3.connect(path) as connection:
        (version,) = connection.execute("SELECT value FROM meta WHERE key = 'store_version'").fetchone()
    connection.close()
    return str(version)


def notes(store: str) -> list[tuple[str, str]]:
    engine = create_engine(parse_store(store))
    with engine.connect() as connection:
        query = text("SELECT name, run_notes.note FROM runs JOIN run_notes ON run_id = id ORDER BY id")
        found = [(str(name), str(note)) for name, note in connection.execute(query)]
    engine.dispose()
    return found


class TestSchema:
    def test_a_new_store_has_the_tables_that_the_store_asks(self, any_store: str) -> None:
        with open_store(any_store) as store:
            inspector = inspect(store.engine)
            assert set(inspector.get_table_names()) == set(tables.tables)
            assert inspector.get_view_names() == ["updates"]
            for table in tables.sorted_tables:
                columns = inspector.get_columns(table.name)
                assert [column["name"] for column in columns] == table.c.keys()
                assert [column["nullable"] for column in columns] == [column.nullable for column in table.c]
                kinds = [str(column["type"].compile(store.engine.dialect)) for column in columns]
                assert kinds == [str(column.type.compile(store.engine.dialect)) for column in table.c]
                indexes = {
                    index["name"]: index["column_names"] for index in inspector.get_indexes(table.name)
                }
                for index in table.indexes:
                    assert indexes[index.name] == index.columns.keys()

    def test_each_row_but_those_of_meta_ends_with_its_digest(self) -> None:
        assert {table.name for table in tables.sorted_tables if table.c.keys()[-1] != "digest"} == {"meta"}

    def test_a_store_says_its_version(self, tmp_path: Path) -> None:
        carry_over(tmp_path / "new.db")
        assert version_of(tmp_path / "new.db") == "1"

    @pytest.mark.usefixtures("three_versions")
    def test_a_new_store_is_one_of_the_newest_version_at_once(self, tmp_path: Path) -> None:
        carry_over(tmp_path / "new.db")
        assert version_of(tmp_path / "new.db") == "3"


class TestCarriedOver:
    def test_each_migration_is_done_once_in_its_order(
        self, any_store: str, request: pytest.FixtureRequest
    ) -> None:
        put_store(any_store)
        request.getfixturevalue("three_versions")
        for _ in range(2):
            carry_over(any_store)
            assert notes(any_store) == [("one", "of old age"), ("two", "of old age")]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(schema, "MIGRATIONS", (second_version,))
            with pytest.raises(StoreError, match=r"store of version 3 \(expected 2"):
                open_store(any_store)

    def test_one_who_reads_carries_it_over_where_it_may_be_written(
        self, version_1: Path, request: pytest.FixtureRequest
    ) -> None:
        request.getfixturevalue("three_versions")
        open_store(str(version_1), read_only=True).close()
        assert version_of(version_1) == "3"

    def test_else_it_is_left_and_said(
        self, version_1: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        request.getfixturevalue("three_versions")
        monkeypatch.setattr("os.access", lambda *args, **options: False)
        before = dump(version_1)
        with pytest.raises(
            StoreError, match=r"store\.db: a store of version 1 \(expected 3.*cannot be written.*copy"
        ):
            open_store(str(version_1), read_only=True)
        assert dump(version_1) == before
        assert [file.name for file in version_1.parent.iterdir()] == ["store.db"]

    def test_a_failing_migration_leaves_the_version_before(
        self, version_1: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(connection: Connection) -> None:
            second_version(connection)
            connection.execute(text("SELECT nothing FROM nowhere"))

        before = dump(version_1)
        monkeypatch.setattr(schema, "MIGRATIONS", (fail, third_version))
        with pytest.raises(StoreError, match=r"store\.db: the store cannot be used"):
            open_store(str(version_1))
        assert dump(version_1) == before


class TestTwoAtOnce:
    """Both find an old version; who comes second finds the new one within its transaction, and leaves it."""

    def test_the_second_one_leaves_it(self, any_store: str, monkeypatch: pytest.MonkeyPatch) -> None:
        put_store(any_store)
        monkeypatch.setattr(schema, "MIGRATIONS", (second_version, third_version))
        others = [lambda: carry_over(any_store)]
        carried: list[dict[str, list[str]]] = []
        look = schema.read_version

        def look_and_wait(connection: Connection, where: str) -> int:
            version = look(connection, where)
            if others:
                connection.commit()  # so that the other one need not wait for us
                others.pop()()
                carried.append(rows(any_store))
            return version

        monkeypatch.setattr(schema, "read_version", look_and_wait)
        carry_over(any_store)
        assert carried == [rows(any_store)]

    def test_a_new_store_too(self, any_store: str, monkeypatch: pytest.MonkeyPatch) -> None:
        others = [lambda: kept(any_store)]
        look = schema.read_version

        def kept(store_name: str) -> None:
            with open_store(store_name) as store:
                store.begin("r", {}).close()

        def look_and_wait(connection: Connection, where: str) -> int:
            version = look(connection, where)
            if others:
                connection.commit()
                others.pop()()
            return version

        monkeypatch.setattr(schema, "read_version", look_and_wait)
        with open_store(any_store) as store:
            assert [info.name for info in store.runs()] == ["r"]


@pytest.mark.kill
@needs_fork
class TestKilled:
    """A migration is one transaction: killed anywhere, a store is of the version before it or after it, whole."""

    def test_at_every_statement(self, version_1: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        whole = [dump(version_1)]
        carried = Path(shutil.copy(version_1, version_1.with_name("carried.db")))
        for migrations in ((second_version,), (second_version, third_version)):
            monkeypatch.setattr(schema, "MIGRATIONS", migrations)
            carry_over(carried)
            whole.append(dump(carried))
        left: list[int] = []
        for statement in range(1, 200):
            path = Path(shutil.copy(version_1, version_1.with_name(f"killed-{statement}.db")))
            killed = killed_at(statement, lambda path=path: carry_over(path))
            left.append(whole.index(dump(path)))
            carry_over(path)
            assert dump(path) == whole[-1]
            if not killed:
                break
        assert left == sorted(left) and set(left) == {0, 1, 2}

    @pytest.mark.parametrize("step", [13, pytest.param(1, marks=pytest.mark.long)])
    def test_while_a_new_store_is_made(self, tmp_path: Path, step: int) -> None:
        """By default at every thirteenth."""
        carry_over(tmp_path / "whole.db")
        expected = dump(tmp_path / "whole.db")
        for statement in range(1, 10_000, step):
            path = tmp_path / f"killed-{statement}.db"
            if not killed_at(statement, lambda path=path: carry_over(path)):
                break
            carry_over(path)
            assert dump(path) == expected, f"killed at {statement}"
        assert statement > 40

    @pytest.mark.long
    def test_at_every_statement_on_a_server(
        self, postgres_store: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        import psycopg

        def anew() -> None:
            with psycopg.connect(postgres_store, autocommit=True) as connection:
                connection.execute("DROP SCHEMA public CASCADE")
                connection.execute("CREATE SCHEMA public")
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(schema, "MIGRATIONS", ())
                put_store(postgres_store)

        def content() -> dict[str, list[str]]:
            return {name: found for name, found in rows(postgres_store).items() if name != "runs"}

        monkeypatch.setattr(schema, "MIGRATIONS", (second_version, third_version))
        whole: dict[str, dict[str, list[str]]] = {}
        for statement in range(1, 200):
            anew()
            killed = killed_at(statement, lambda: carry_over(postgres_store))
            left = content()
            assert whole.setdefault(str(left["meta"]), left) == left, f"killed at {statement}"
            carry_over(postgres_store)
            assert "('store_version', '3')" in content()["meta"]
            if not killed:
                break
        assert len(whole) == 3


class TestRefused:
    @pytest.mark.parametrize("version", ["2", "70"])
    def test_a_newer_version_is_left_as_it_is(self, version_1: Path, version: str) -> None:
        with sqlite3.connect(version_1) as connection:
            connection.execute("UPDATE meta SET value = ?", (version,))
        connection.close()
        before = dump(version_1)
        for read_only in (False, True):
            with pytest.raises(
                StoreError, match=rf"store of version {version} \(expected 1.*upgrade tidings"
            ):
                open_store(str(version_1), read_only=read_only)
        assert dump(version_1) == before

    @pytest.mark.parametrize("version", ["0", "-1", "", "\xb2", "two"])
    def test_a_version_that_never_was(self, version_1: Path, version: str) -> None:
        with sqlite3.connect(version_1) as connection:
            connection.execute("UPDATE meta SET value = ?", (version,))
        connection.close()
        with pytest.raises(StoreError, match="no schema version"):
            open_store(str(version_1))
