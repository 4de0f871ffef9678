"""A run is read from a store without touching it."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.core.store.test_damage import OUTPUTS
from tests.core.store.test_outputs import CARD, FERRY, SETTINGS, STORM
from tests.sweeps import every
from tidings.core.errors import StoreError
from tidings.core.records import EntityRanking, Evidence, Run, RunCard, Update, ValueUpdate
from tidings.core.store import is_store, open_store, read_stored_runs


def fill(store_name: str) -> None:
    with open_store(store_name) as store:
        with store.begin("first.run", SETTINGS, card=CARD) as run:
            run.commit([], {}, OUTPUTS, [], finished=True)
        with store.begin("second.run", SETTINGS, events=[FERRY]) as run:
            run.commit([], {}, OUTPUTS[:1] * 2, [])


class TestIsStore:
    @every("url", ["sqlite:///a.db", "postgresql://a/b", "postgres://a", "postgresql+psycopg://a"])
    def test_urls_of_databases(self, url: str) -> None:
        assert is_store(url)

    @every("name", ["-", "", "http://a/b.db", "no.db", "."])
    def test_what_is_none(self, name: str) -> None:
        assert not is_store(name)

    def test_a_file_by_what_it_holds(self, sqlite_store: str, tmp_path: Path) -> None:
        fill(sqlite_store)
        assert is_store(sqlite_store)
        assert is_store(Path(sqlite_store))
        (tmp_path / "run.db").write_text("a run\n")
        assert not is_store(tmp_path / "run.db")

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
    def test_a_pipe_is_not_opened(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        assert not is_store(tmp_path / "pipe")

    def test_asking_loads_no_database(self) -> None:
        code = "import sys; from tidings.core.store import is_store; is_store('-'); print('sqlalchemy' in sys.modules)"
        said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert said.stdout == "False\n"


class TestReadRuns:
    def test_all_or_one_with_their_cards(self, any_store: str) -> None:
        fill(any_store)
        first, second = read_stored_runs(any_store)
        values = tuple(one for one in OUTPUTS if isinstance(one, ValueUpdate))
        rankings = tuple(one for one in OUTPUTS if isinstance(one, EntityRanking))
        assert first == Run("", "first.run", (OUTPUTS[0],), CARD, values, rankings, (OUTPUTS[3],))
        assert first.card is not None
        assert first.card.events == (STORM, FERRY)
        assert second == Run("", "second.run", (OUTPUTS[0], OUTPUTS[0]), RunCard(events=(FERRY,)))
        assert read_stored_runs(any_store, "second.run") == [second]

    def test_a_run_that_is_not_there(self, any_store: str) -> None:
        fill(any_store)
        with pytest.raises(
            StoreError, match=r"no run 'x' \(expected one of those it holds: first.run, second.run"
        ):
            read_stored_runs(any_store, "x")

    def test_no_file_is_made(self, tmp_path: Path) -> None:
        with pytest.raises(StoreError, match=r"none\.db: there is no such store"):
            read_stored_runs(str(tmp_path / "none.db"))
        assert list(tmp_path.iterdir()) == []

    def test_nothing_is_written(self, sqlite_store: str, monkeypatch: pytest.MonkeyPatch) -> None:
        fill(sqlite_store)
        folder, content = Path(sqlite_store).parent, Path(sqlite_store).read_bytes()
        changed = folder.stat().st_mtime_ns
        read_stored_runs(sqlite_store)
        assert folder.stat().st_mtime_ns == changed, "a file was made, if only for a moment"
        assert Path(sqlite_store).read_bytes() == content
        assert [path.name for path in folder.iterdir()] == ["store.db"]

    def test_a_run_that_is_being_followed(self, sqlite_store: str) -> None:
        with open_store(sqlite_store) as store, store.begin("r", SETTINGS) as run:
            for number in range(1, 4):
                run.commit([], {}, OUTPUTS[:1], [])
                (read,) = read_stored_runs(sqlite_store)
                assert len(read.updates) == number

    def test_one_that_somebody_opened_meanwhile_is_read_again(
        self, sqlite_store: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        fill(sqlite_store)
        real, stores = open_store, []

        def open_late(name: str, *, read_only: bool) -> object:
            opened = real(name, read_only=read_only)
            if not stores:  # after the reader has decided that nobody has it open
                with opened.reader.begin():
                    stores.append(real(name))
                    with stores[0].begin("third.run", SETTINGS) as run:
                        run.commit([], {}, OUTPUTS, [])
            return opened

        monkeypatch.setattr("tidings.core.store.store.open_store", open_late)
        assert [run.name for run in read_stored_runs(sqlite_store)] == [
            "first.run",
            "second.run",
            "third.run",
        ]
        stores[0].close()

    def test_of_a_killed_process(self, sqlite_store: str) -> None:
        code = (
            "import os, signal, sys\n"
            "from tests.core.store.test_reading import fill\n"
            "fill(sys.argv[1])\n"
            "from tidings.core.store import open_store\n"
            "from tests.core.store.test_damage import OUTPUTS\n"
            "run = open_store(sys.argv[1]).begin('third.run', {})\n"
            "run.commit([], {}, OUTPUTS, [])\n"
            "os.kill(os.getpid(), signal.SIGKILL)\n"
        )
        root = Path(__file__).parents[3]
        subprocess.run([sys.executable, "-c", code, sqlite_store], check=False, cwd=root)
        assert [run.name for run in read_stored_runs(sqlite_store)] == [
            "first.run",
            "second.run",
            "third.run",
        ]

    def test_a_file_that_is_no_store(self, tmp_path: Path) -> None:
        path = tmp_path / "other.db"
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE recipes (name TEXT)")
        connection.close()
        with pytest.raises(StoreError, match="store of tidings"):
            read_stored_runs(str(path))

    def test_an_empty_database(self, tmp_path: Path) -> None:
        path = tmp_path / "empty.db"
        with sqlite3.connect(path) as connection:
            connection.execute("VACUUM")
        connection.close()
        with pytest.raises(StoreError, match="store of tidings"):
            read_stored_runs(str(path))


def test_a_run_is_read_with_outputs_of_every_kind(tmp_path: Path) -> None:
    path = str(tmp_path / "kinds.db")
    update = Update("e", "d", 0, 60, text="Two died.")
    value = ValueUpdate("e", 60, "deaths", (2.0,), evidence=(Evidence("d", 0, "Two died."),))
    ranking = EntityRanking("e", "2030-01-01", ("Nador",), 60)
    with open_store(path) as store, store.begin("mixed", {}) as run:
        run.commit([], {}, [value, update, ranking], [], finished=True)
    (read,) = read_stored_runs(path)
    assert (read.updates, read.values, read.rankings) == ((update,), (value,), (ranking,))
