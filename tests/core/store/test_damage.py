"""A store that was damaged on disk is not gone on with: it is noticed, or it changes nothing."""

from __future__ import annotations

import random
import sqlite3
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.following.stream.fakes import make_documents, make_event
from tests.sweeps import cases, every
from tidings.core.errors import StoreError, TidingsError
from tidings.core.protocols import Saved
from tidings.core.records import (
    EntityRanking,
    Evidence,
    LateDocument,
    Output,
    Position,
    Support,
    Update,
    ValueUpdate,
)
from tidings.core.store import open_store
from tidings.following.stream.loop import follow_stream
from tidings.following.systems import make

SETTINGS = {"system": "first", "interval": "document"}
DOCUMENTS = make_documents(range(120))
SYSTEM = "first:min_words=0"
OUTPUTS: list[Output] = [
    Update("e", "d1", 0, 60, 0.5, "text", 50, "paper", "title", "url"),
    ValueUpdate("e", 60, "deaths", (3.0,), 0.5, "d1", 0, (Evidence("d1", 0, "three"),)),
    EntityRanking("e", "2013-07-24", ("Santiago", "RENFE"), 70, ("place", "company"), (2.0, 1.0)),
    Support("e", 80, "d1", 0, Evidence("d2", 4, "four", 75, "post"), same=False),
]


def follow_to(store_name: str, documents: int) -> list[Output]:
    """Go on with the run until so many documents are decided, and return all that it gave."""
    left = iter(range(documents))
    with open_store(store_name) as store, store.begin("r", SETTINGS, events=[make_event()]) as run:
        steps = follow_stream(
            DOCUMENTS, [make_event()], make(SYSTEM), run, lateness_s=0, stop=lambda: next(left, None) is None
        )
        for _ in steps:
            pass
        return [output for _, output in run.outputs()]


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a run that was stopped half-way."""
    path = tmp_path_factory.mktemp("stopped") / "store.db"
    follow_to(str(path), 60)
    return path.read_bytes()


def check_flips(stopped: bytes, path: Path, seed: int, flips: int) -> tuple[int, int]:
    """Flip one bit after the other, each in the whole file; returns how many were noticed and how many did nothing."""
    chance = random.Random(seed)
    whole = path.with_name("whole.db")
    whole.write_bytes(stopped)
    expected = follow_to(str(whole), 10**6)
    noticed = harmless = 0
    for _ in range(flips):
        bit = chance.randrange(len(stopped) * 8)
        content = bytearray(stopped)
        content[bit // 8] ^= 1 << bit % 8
        path.write_bytes(content)
        try:
            outputs = follow_to(str(path), 10**6)
        except TidingsError as error:
            assert "\n" not in str(error)
            noticed += 1
        else:
            assert outputs == expected, f"bit {bit} of seed {seed} changed what the run gave"
            harmless += 1
        for companion in path.parent.glob(f"{path.name}*"):
            companion.unlink()
    return noticed, harmless


class TestFlippedBits:
    def test_each_is_noticed_or_changes_nothing(self, stopped: bytes, tmp_path: Path) -> None:
        noticed, _ = check_flips(stopped, tmp_path / "store.db", 1, 60)
        assert noticed

    @pytest.mark.long
    @pytest.mark.parametrize("seed", range(100, 120))
    def test_many_more(self, stopped: bytes, tmp_path: Path, seed: int) -> None:
        check_flips(stopped, tmp_path / "store.db", seed, 200)


def _changed(value: object) -> object:
    if isinstance(value, bytes):
        return bytes([value[0] ^ 1, *value[1:]]) if value else b"x"
    if isinstance(value, str):
        return chr(ord(value[0]) ^ 1) + value[1:] if value else "x"
    return value + 100 if isinstance(value, int | float) else 1


def kept_run(path: str) -> None:
    """Put a store with one run there: the file that the first call makes, and copies of it."""
    Path(path).write_bytes(kept_bytes())


@cache
def kept_bytes() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "store.db"
        make_kept_run(str(path))
        return path.read_bytes()


def make_kept_run(path: str) -> None:
    with open_store(path) as store, store.begin("r", SETTINGS, events=[make_event()]) as run:
        run.load()
        position = Position(source="s", released=3, read=4, first_id="a", last_id="b", cursor=b"\x01")
        run.commit([position], {"e": b"state"}, OUTPUTS, [LateDocument("s", 1, "d", 0, 1)])


COLUMNS = cases(__file__, "columns")
MORE = cases(__file__, "more")
CASES = [(table, column) for columns in (COLUMNS, MORE) for table in columns for column in columns[table]]
NAMED = cases(__file__, "named")


def read_all(path: str) -> None:
    with open_store(path) as store, store.begin("r", SETTINGS) as run:
        run.load()
        list(run.outputs())
        store.late("r")
        store.events("r")
        store.runs()


class TestRows:
    @pytest.mark.parametrize(("table", "column"), CASES, ids=lambda name: name)
    def test_a_changed_value_is_noticed_and_named(self, tmp_path: Path, table: str, column: str) -> None:
        path = str(tmp_path / "store.db")
        kept_run(path)
        read_all(path)
        with sqlite3.connect(path) as connection:
            (value,) = connection.execute(f"SELECT {column} FROM {table}").fetchone()
            place = connection.execute(f"SELECT min(rowid) FROM {table}").fetchone()
            connection.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (_changed(value), *place))
        connection.close()
        with pytest.raises(StoreError, match=rf"the store is damaged: .*({NAMED[table]}).*; put a copy"):
            read_all(path)

    @pytest.mark.parametrize("table", ["events", "positions", "follower_states", "outputs"])
    @pytest.mark.parametrize("which", ["min", "max"])
    def test_a_missing_row_is_noticed(self, tmp_path: Path, table: str, which: str) -> None:
        path = str(tmp_path / "store.db")
        kept_run(path)
        with sqlite3.connect(path) as connection:
            connection.execute(f"DELETE FROM {table} WHERE rowid = (SELECT {which}(rowid) FROM {table})")
        connection.close()
        with pytest.raises(StoreError, match="the store is damaged"):
            read_all(path)

    @every("number", [1, 2, 3])
    def test_a_missing_output_is_noticed_where_it_was(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
    ) -> None:
        path = str(tmp_path / "store.db")
        kept_run(path)
        with sqlite3.connect(path) as connection:
            connection.execute("DELETE FROM outputs WHERE seq = ?", (number,))
        connection.close()
        for page in (5000, 1):
            monkeypatch.setattr("tidings.core.store.store._PAGE", page)
            with (
                open_store(path, read_only=True) as store,
                pytest.raises(StoreError, match=f"output {number} of run 'r'"),
            ):
                list(store.outputs("r"))

    def test_a_missing_position_is_noticed_where_runs_are_listed(self, tmp_path: Path) -> None:
        path = str(tmp_path / "store.db")
        with open_store(path) as store, store.begin("r", SETTINGS) as run:
            run.commit([Position(source="s", read=3), Position(source="t", read=4)], {}, [], [])
        with sqlite3.connect(path) as connection:
            connection.execute("DELETE FROM positions WHERE number = 0")
        connection.close()
        with (
            open_store(path, read_only=True) as store,
            pytest.raises(StoreError, match="position 1 of run 'r'"),
        ):
            store.runs()

    def test_a_missing_last_output_is_noticed_wherever_it_is_asked_for(self, tmp_path: Path) -> None:
        path = str(tmp_path / "store.db")
        kept_run(path)
        with sqlite3.connect(path) as connection:
            connection.execute("DELETE FROM outputs WHERE seq = 4")
        connection.close()
        with open_store(path) as store, store.begin("r", SETTINGS) as run:
            with pytest.raises(StoreError, match="they end at 3, not 4"):
                run.load()
            with pytest.raises(StoreError, match="output 4 of run 'r'"):
                list(store.outputs("r"))

    def test_a_run_is_not_hidden_by_a_damaged_name(self, tmp_path: Path) -> None:
        path = str(tmp_path / "store.db")
        kept_run(path)
        with sqlite3.connect(path) as connection:
            connection.execute("UPDATE runs SET name = 's'")
        connection.close()
        with (
            open_store(path) as store,
            pytest.raises(StoreError, match="the row of run 's' is not as it was"),
        ):
            store.begin("r", SETTINGS)

    def test_a_row_of_an_earlier_commit_is_noticed(self, tmp_path: Path) -> None:
        """Its digest fits, but it is not the one that the run goes on from."""
        path = str(tmp_path / "store.db")
        kept_run(path)
        with sqlite3.connect(path) as connection:
            before = connection.execute("SELECT state, digest FROM follower_states").fetchone()
        with open_store(path) as store, store.begin("r", SETTINGS) as run:
            run.load()
            run.commit([], {"e": b"later"}, [], [])
        with sqlite3.connect(path) as connection:
            connection.execute("UPDATE follower_states SET state = ?, digest = ?", before)
        connection.close()
        with pytest.raises(StoreError, match="what run 'r' goes on from"):
            read_all(path)

    @pytest.mark.parametrize("wrong", ["'text'", "x'00ff'", "7.5", "NULL", "'\x1bno json'"])
    @pytest.mark.parametrize(("table", "column"), [("follower_states", "state"), ("outputs", "text")])
    def test_a_value_of_another_kind_is_noticed(
        self, tmp_path: Path, table: str, column: str, wrong: str
    ) -> None:
        path = str(tmp_path / "store.db")
        kept_run(path)
        with sqlite3.connect(path) as connection:
            connection.execute("PRAGMA ignore_check_constraints = ON")
            connection.execute("PRAGMA writable_schema = ON")
            connection.execute("UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '')")
            connection.execute("PRAGMA writable_schema = RESET")
            connection.execute(f"UPDATE {table} SET {column} = {wrong}")
        connection.close()
        with pytest.raises(StoreError, match="the store is damaged"):
            read_all(path)

    def test_begun_anew_it_is_whole_again(self, tmp_path: Path) -> None:
        path = str(tmp_path / "store.db")
        kept_run(path)
        with sqlite3.connect(path) as connection:
            connection.execute("UPDATE runs SET settings = 'no json', fence = 'none'")
        connection.close()
        with open_store(path) as store:
            with pytest.raises(StoreError, match="damaged"):
                store.begin("r", SETTINGS)
            with store.begin("r", SETTINGS, restart=True) as run:
                assert run.load() == Saved()
                run.commit([], {"e": b"x"}, OUTPUTS, [])
                assert [output for _, output in run.outputs()] == OUTPUTS

    def test_bytes_that_are_no_text_are_noticed(self, tmp_path: Path) -> None:
        path = tmp_path / "store.db"
        kept_run(str(path))
        content = path.read_bytes()
        assert content.count(b"Santiago") == 1
        path.write_bytes(content.replace(b"Santiago", b"Sant\xffago"))
        with pytest.raises(StoreError, match="output 3 of run 'r' is not as it was written"):
            read_all(str(path))


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        place = Path(folder) / "store.db"
        follow_to(str(place), 60)
        print(
            check_flips(place.read_bytes(), Path(folder) / "flipped.db", int(sys.argv[1]), int(sys.argv[2]))
        )
