"""Runs in a database, on SQLite and (in the long suite) on PostgreSQL.

A store holds hashes of passwords, addresses with passwords and secrets: its files are their owner's.
"""

from __future__ import annotations

import math
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tests.following.stream.fakes import Every, make_documents, make_event
from tests.sweeps import every
from tidings.core.errors import StoreError, UsageError
from tidings.core.protocols import Saved
from tidings.core.records import LateDocument, Position, Update
from tidings.core.store import open_store
from tidings.core.store.backup import back_up, put_back
from tidings.core.store.connect import keep_private
from tidings.following.stream import loop
from tidings.following.stream.loop import follow_stream

SETTINGS = {"system": "every", "interval": "document"}


def update(number: int, text: str = "text") -> Update:
    return Update("e", f"d{number}", number, number, 0.5, text, number, "paper")


class TestRun:
    def test_a_new_run_has_nothing(self, any_store: str) -> None:
        with open_store(any_store) as store, store.begin("r", SETTINGS) as run:
            assert run.load() == Saved()
            assert list(run.updates()) == []

    def test_what_is_committed_is_there_again(self, any_store: str) -> None:
        position = Position(
            source="a",
            released=3,
            read=4,
            late=1,
            first_id="x",
            last_id="y",
            last_time=9,
            digest=2**32 - 1,
            ends=((4, 9),),
        )
        late = LateDocument("a", 2, "d2", 1, 5)
        with open_store(any_store) as store:
            with store.begin("r", SETTINGS) as run:
                run.load()
                run.commit([position], {"e": b"\x00\xff"}, [update(1), update(2)], [late])
                run.commit([position], {"e": b"new", "f": b""}, [update(3)], [late])
            with store.begin("r", SETTINGS) as run:
                assert run.load() == Saved(positions=(position,), states={"e": b"new", "f": b""})
                assert run.emitted == 3
                run.commit([position], {}, [], [late], finished=True)
                assert run.load().finished
            assert list(store.updates("r")) == [update(1), update(2), update(3)]
            assert store.late("r") == [late]
            (info,) = store.runs()
            assert (info.name, info.settings, info.updates, info.positions) == ("r", SETTINGS, 3, (position,))
            assert info.finished_time is not None

    def test_several_runs_are_kept_apart(self, any_store: str) -> None:
        with open_store(any_store) as store, store.begin("a", SETTINGS) as a, store.begin("b", {}) as b:
            a.load(), b.load()
            a.commit([], {"e": b"a"}, [update(1)], [])
            b.commit([], {"e": b"b"}, [update(2)], [])
            assert a.load().states == {"e": b"a"}
            assert list(store.updates("b")) == [update(2)]
            with pytest.raises(StoreError, match="no run 'c'"):
                store.updates("c")

    def test_restart_forgets_this_run_only(self, any_store: str) -> None:
        with open_store(any_store) as store:
            for name in ("a", "b"):
                with store.begin(name, SETTINGS) as run:
                    run.load()
                    run.commit(
                        [Position(source="s", released=1)],
                        {"e": b"x"},
                        [update(1)],
                        [LateDocument("s", 1, "d", 0, 1)],
                    )
            with store.begin("a", {"system": "other"}, restart=True) as run:
                assert run.load() == Saved()
                assert list(run.updates()) == []
                assert store.late("a") == []
            assert len(list(store.updates("b"))) == 1

    def test_other_settings_are_refused_by_name(self, any_store: str) -> None:
        with open_store(any_store) as store:
            with store.begin("r", SETTINGS) as run:
                run.load()
                run.commit([Position(source="s", released=1)], {}, [], [])
            with pytest.raises(UsageError) as caught:
                store.begin("r", {"system": "every", "interval": "15m", "mixed": "yes"})
            message = str(caught.value)
            assert "interval (started with document, now 15m)" in message
            assert "mixed (started with none, now yes)" in message
            assert "system" not in message
            assert "--restart" in message
            store.begin("r", SETTINGS).close()

    def test_settings_of_a_run_that_followed_nothing_may_change(self, any_store: str) -> None:
        """Such as one whose stream was the wrong file."""
        with open_store(any_store) as store:
            with store.begin("r", SETTINGS) as run:
                run.load()
                run.commit([Position(source="s", read=3)], {}, [], [LateDocument("s", 1, "d", 0, 1)])
            with store.begin("r", {"system": "other"}) as run:
                assert run.load() == Saved()
            (info,) = store.runs()
            assert info.settings == {"system": "other"}
            assert store.late("r") == []

    @given(
        st.text(alphabet=st.characters(), max_size=20),
        st.floats().map(lambda number: number + 0.0),  # a database has one zero only, without a sign
    )
    def test_any_text_and_number_comes_back_as_it_was(
        self, sqlite_store: str, text: str, number: float
    ) -> None:
        """Also lone surrogates (bytes that are no UTF-8) and NUL."""
        self.check_any_text(sqlite_store, text, number)

    @pytest.mark.parametrize(
        "text", ["\x00", "\udcff caf\xe9", '\x1b"a"', "\x1b", "\U0001f600", "\ud83d\ude00", ""]
    )
    def test_hostile_text_comes_back(self, any_store: str, text: str) -> None:
        self.check_any_text(any_store, text, math.inf)

    @staticmethod
    def check_any_text(store_name: str, text: str, number: float) -> None:
        told = Update(text, text, 1, 1, number, text, 1, text)
        with open_store(store_name) as store, store.begin("r" + text, SETTINGS, restart=True) as run:
            run.load()
            position = Position(source=text, released=1, first_id=text, last_id=text)
            run.commit([position], {text: b""}, [told], [LateDocument(text, 1, text, 1, 1)])
            (back,) = run.updates()
            assert repr(back) == repr(told)
            assert run.load().positions == (position,)
            assert run.load().states == {text: b""}

    def test_many_updates_are_read_page_by_page(
        self, sqlite_store: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tidings.core.store.store._PAGE", 7)
        with open_store(sqlite_store) as store, store.begin("r", SETTINGS) as run:
            run.load()
            run.commit([], {}, [update(number) for number in range(28)], [])
            assert [one.sentence_index for one in run.updates()] == list(range(28))

    def test_a_followed_run_equals_one_without_a_store(
        self, any_store: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(loop, "_COMMIT_EVERY_S", 0.001)
        documents = make_documents(range(300))
        plain = [one for _, some in follow_stream(documents, [make_event()], Every(3)) for one in some]
        with open_store(any_store) as store:
            for stop_after in (50, 120, 10**9):
                left = iter(range(stop_after))
                with store.begin("r", SETTINGS) as run:

                    def stop(left=left):
                        return next(left, None) is None

                    list(follow_stream(documents, [make_event()], Every(3), run, lateness_s=0, stop=stop))
            assert list(store.updates("r")) == plain


class TestLock:
    HOLD = (
        "import sys, time\n"
        "from tidings.core.store import open_store\n"
        "store = open_store(sys.argv[1])\n"
        "run = store.begin('r', {})\n"
        "print('held', flush=True)\n"
        "time.sleep(600)\n"
    )

    def test_a_second_process_is_refused_and_a_killed_ones_lock_is_taken_over(self, any_store: str) -> None:
        holder = subprocess.Popen([sys.executable, "-c", self.HOLD, any_store], stdout=subprocess.PIPE)
        try:
            assert holder.stdout.readline() == b"held\n"
            with open_store(any_store) as store:
                with pytest.raises(StoreError, match="is following it now") as caught:
                    store.begin("r", {})
                if "://" not in any_store:
                    assert f"process {holder.pid}" in str(caught.value)
                store.begin("other", {}).close()
                holder.kill()
                holder.wait()
                import time

                for _ in range(600):  # a server takes a moment to notice that its client is gone
                    try:
                        store.begin("r", {}).close()
                        break
                    except StoreError:
                        time.sleep(0.1)
                else:
                    pytest.fail("the lock of a killed process was not taken over")
        finally:
            holder.kill()
            holder.wait()
            holder.stdout.close()

    def test_no_lock_is_left_behind(self, sqlite_store: str) -> None:
        with open_store(sqlite_store) as store:
            with store.begin("r", {}) as run:
                run.load()
                run.commit([], {}, [update(1)], [])
            with pytest.raises(UsageError):
                store.begin("r", {"a": "b"})
        assert [path.name for path in Path(sqlite_store).parent.iterdir()] == ["store.db"]

    def test_within_one_process_too(self, any_store: str) -> None:
        held = pytest.raises(StoreError, match="is following it now")
        with open_store(any_store) as store, store.begin("r", {}), held:
            store.begin("r", {})


class TestRefused:
    def test_a_store_of_a_newer_version(self, any_store: str) -> None:
        from sqlalchemy import text

        with open_store(any_store) as store, store.engine.begin() as connection:
            connection.execute(text("UPDATE meta SET value = '8'"))
        with pytest.raises(StoreError, match=r"store of version 8 \(expected 1.*upgrade tidings"):
            open_store(any_store)

    def test_a_file_that_is_no_database_is_left_as_it_is(self, tmp_path: Path) -> None:
        path = tmp_path / "notes.txt"
        path.write_bytes(b"these are my notes\n" * 100)
        with pytest.raises(StoreError, match=r"notes.txt: this file is not a store of tidings"):
            open_store(str(path))
        assert path.read_bytes() == b"these are my notes\n" * 100

    def test_a_database_of_something_else_is_left_as_it_is(self, tmp_path: Path) -> None:
        import sqlite3

        path = tmp_path / "other.db"
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE recipes (name TEXT)")
        connection.close()
        with pytest.raises(StoreError, match="other tables \\(recipes\\) and is no store of tidings"):
            open_store(str(path))

    def test_a_database_with_another_meta_table(self, any_store: str) -> None:
        from sqlalchemy import create_engine, text

        from tidings.core.store.connect import parse_store

        engine = create_engine(parse_store(any_store))
        with engine.begin() as connection:
            connection.execute(text("CREATE TABLE meta (a INTEGER)"))
        engine.dispose()
        with pytest.raises(StoreError, match="no schema version"):
            open_store(any_store)

    def test_a_folder_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(StoreError, match="no does not exist"):
            open_store(str(tmp_path / "no" / "store.db"))

    def test_a_folder_in_place_of_a_file(self, tmp_path: Path) -> None:
        with pytest.raises(StoreError, match=r"this is a folder"):
            open_store(str(tmp_path))

    def test_a_file_locked_by_another_program(self, tmp_path: Path) -> None:
        import sqlite3

        path = tmp_path / "store.db"
        with open_store(str(path)) as store, store.begin("r", {}) as run:
            run.load()
            other = sqlite3.connect(path, isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            locked = pytest.raises(StoreError, match=r"holds the store locked.*try again")
            with open_store(f"sqlite:///{path}?timeout=0.1") as impatient, locked:
                impatient.begin("s", {})
            other.execute("ROLLBACK")
            other.close()
            run.commit([], {}, [update(1)], [])

    @every("url", ["mysql://a/b", "http://a", "://"])
    def test_a_kind_that_is_not_supported(self, url: str) -> None:
        with pytest.raises(StoreError, match=r"not known|neither a path nor a URL"):
            open_store(url)

    def test_a_server_that_is_not_there_and_no_password_is_shown(self, tmp_path: Path) -> None:
        pytest.importorskip("psycopg", reason="psycopg is not installed")
        with pytest.raises(StoreError) as caught:
            open_store(f"postgresql://me:secret@/x?host={tmp_path}")
        assert "secret" not in str(caught.value)

    def test_a_damaged_store_is_said_to_be(self, sqlite_store: str) -> None:
        with open_store(sqlite_store) as store, store.begin("r", {}) as run:
            run.load()
            run.commit([], {"e": b"x" * 100_000}, [update(n) for n in range(200)], [])
        path = Path(sqlite_store)
        content = bytearray(path.read_bytes())
        content[4096:] = b"\xaa" * (len(content) - 4096)
        path.write_bytes(content)
        with pytest.raises(StoreError, match=r"store\.db"), open_store(sqlite_store) as store:
            store.begin("r", {})


@pytest.fixture
def umask() -> Iterator[None]:
    """Puts the umask back that a test changes."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def modes_in(folder: Path) -> dict[str, int]:
    """The rights of each file of a folder; of a lock, whose name has a number, by its ending."""
    return {
        "lock" if path.suffix == ".lock" else path.name: stat.S_IMODE(path.stat().st_mode)
        for path in folder.iterdir()
    }


@every("mask", [0o022, 0o000, 0o027])
def test_what_is_made_is_for_its_owner_alone(
    mask: int, tmp_path: Path, umask: None, made_stores: None
) -> None:
    """The store, what stands beside it while it is used, its lock, a backup, and a store put back from that."""
    os.umask(mask)
    with open_store(str(tmp_path / "store.db")) as store, store.begin("run", {}):
        back_up(str(tmp_path / "store.db"), tmp_path / "backup.db")
        put_back(tmp_path / "backup.db", str(tmp_path / "again.db"))
        found = modes_in(tmp_path)
    assert {"store.db", "store.db-wal", "store.db-shm", "lock", "backup.db", "again.db"} <= set(found)
    assert set(found.values()) == {0o600}


# What stands there, and what it is after its owner has opened it.
@every("before, after", [(0o644, 0o600), (0o666, 0o600), (0o664, 0o600), (0o640, 0o640), (0o660, 0o660)])
def test_a_store_that_everybody_may_read_is_made_private_when_it_is_opened(
    before: int, after: int, tmp_path: Path, umask: None
) -> None:
    """One that somebody shared with a group stays shared, with its lock and what SQLite puts beside it."""
    path = tmp_path / "store.db"
    open_store(str(path)).close()
    path.chmod(before)
    os.umask(0)
    with open_store(str(path)) as store, store.begin("run", {}):
        assert set(modes_in(tmp_path).values()) == {after}


def test_a_store_put_back_has_the_rights_of_the_one_before(tmp_path: Path) -> None:
    store, backup = tmp_path / "store.db", tmp_path / "backup.db"
    open_store(str(store)).close()
    back_up(str(store), backup)
    store.chmod(0o660)
    put_back(backup, str(store))
    assert stat.S_IMODE(store.stat().st_mode) == 0o660


def test_only_to_read_a_store_changes_no_rights(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    open_store(str(path)).close()
    path.chmod(0o644)
    open_store(str(path), read_only=True).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


def test_a_folder_in_the_place_of_a_store_keeps_its_rights(tmp_path: Path) -> None:
    folder = tmp_path / "open"
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)
    keep_private(folder)
    assert folder.stat().st_mode & 0o777 == 0o755
