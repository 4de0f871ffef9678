"""One process for each run: the lock keeps others out, and where it is lost, the run's fencing number does."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Engine, event

from tests.core.store.databases import rows
from tidings.core.errors import StoreError
from tidings.core.protocols import Saved
from tidings.core.records import Position, Update
from tidings.core.store import Store, open_store
from tidings.core.store.connect import RunLock, connect, parse_store

SETTINGS = {"system": "first"}
TAKEN_OVER = r"^run r: the lock on it was lost.*this commit was discarded[^\n]*$"


def update(number: int) -> Update:
    return Update("e", f"d{number}", number, number, 0.5, "text", number, "paper")


def position(released: int) -> Position:
    return Position(source="s", released=released, read=released, first_id="a", last_id="b")


def lose_lock(store_name: str) -> None:
    """What an administrator, a time limit or somebody who tidies up does."""
    if "://" not in store_name:
        for lock in Path(store_name).parent.glob("*.lock"):
            lock.unlink()
        return
    import psycopg

    with psycopg.connect(store_name, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_locks WHERE locktype = 'advisory' AND classid <> 0"
        )


class TestFence:
    def test_who_lost_the_lock_writes_nothing_more(self, any_store: str) -> None:
        with open_store(any_store) as store, open_store(any_store) as other:
            first = store.begin("r", SETTINGS)
            first.load()
            first.commit([position(1)], {"e": b"1"}, [update(1)], [])
            lose_lock(any_store)
            with other.begin("r", SETTINGS) as second:
                assert second.load() == Saved(positions=(position(1),), states={"e": b"1"})
                before = rows(any_store)
                for _ in range(2):
                    with pytest.raises(StoreError, match=TAKEN_OVER):
                        first.commit([position(2)], {"e": b"2", "f": b"2"}, [update(2)], [])
                assert rows(any_store) == before
                with pytest.raises(StoreError, match="has taken over"):
                    first.load()
                second.commit([position(2)], {"e": b"two"}, [update(2)], [], finished=True)
                with pytest.raises(StoreError, match=TAKEN_OVER):
                    first.commit([position(2)], {"e": b"2"}, [update(2)], [], finished=True)
            first.close()
            assert list(other.updates("r")) == [update(1), update(2)]
            with other.begin("r", SETTINGS) as third:
                assert third.load() == Saved(positions=(position(2),), states={"e": b"two"}, finished=True)

    def test_also_when_the_other_one_begins_anew(self, any_store: str) -> None:
        with open_store(any_store) as store, open_store(any_store) as other:
            first = store.begin("r", SETTINGS)
            first.load()
            lose_lock(any_store)
            with other.begin("r", SETTINGS, restart=True) as second:
                second.load()
                with pytest.raises(StoreError, match=TAKEN_OVER):
                    first.commit([position(1)], {}, [update(1)], [])
                assert second.load() == Saved()
            first.close()

    def test_also_when_the_run_was_empty_and_begun_with_other_settings(self, any_store: str) -> None:
        with open_store(any_store) as store, open_store(any_store) as other:
            first = store.begin("r", SETTINGS)
            lose_lock(any_store)
            with other.begin("r", {"system": "other"}), pytest.raises(StoreError, match=r"has taken over"):
                first.commit([position(1)], {}, [update(1)], [])
            first.close()

    def test_losing_the_lock_alone_stops_nobody(self, any_store: str) -> None:
        with open_store(any_store) as store, store.begin("r", SETTINGS) as run:
            run.load()
            lose_lock(any_store)
            run.commit([position(1)], {}, [update(1)], [])
            assert list(run.updates()) == [update(1)]

    def test_each_process_has_a_higher_number(self, sqlite_store: str) -> None:
        numbers = []
        with open_store(sqlite_store) as store:
            for restart in (False, False, True, True, False):
                with store.begin("r", SETTINGS, restart=restart) as run:
                    run.commit([position(1)], {}, [update(1)], [])
                with store.reader.begin() as connection:
                    numbers.append(connection.exec_driver_sql("SELECT fence FROM runs").scalar_one())
        assert numbers == sorted(set(numbers))

    def test_runs_beside_it_are_not_touched(self, any_store: str) -> None:
        with (
            open_store(any_store) as store,
            store.begin("r", SETTINGS) as run,
            store.begin("s", SETTINGS) as other,
        ):
            for each in (run, other, run):
                each.commit([], {}, [update(1)], [])
            assert (run.emitted, other.emitted) == (2, 1)


class TestOneTransaction:
    """All of a commit or nothing: made to fail before each of its statements, one after the other."""

    def test_a_commit_that_fails_anywhere_leaves_nothing(self, any_store: str) -> None:
        with open_store(any_store) as store, store.begin("r", SETTINGS) as run:
            run.load()
            run.commit([position(1)], {"e": b"1"}, [update(1)], [])
            before, state = rows(any_store), run.load()
            statements = 0
            for number in range(1, 100):
                with failing(store, number):
                    try:
                        run.commit([position(2)], {"e": b"2"}, [update(2), update(3)], [], finished=True)
                    except OSError:
                        statements = number
                    else:
                        break
                assert rows(any_store) == before
                assert run.emitted == 1
            assert statements >= 4
            assert state == Saved(positions=(position(1),), states={"e": b"1"})
            assert run.load() == Saved(positions=(position(2),), states={"e": b"2"}, finished=True)
            assert list(run.updates()) == [update(1), update(2), update(3)]

    def test_it_is_committed_once(self, any_store: str) -> None:
        with open_store(any_store) as store, store.begin("r", SETTINGS) as run:
            run.load()
            commits = []
            event.listen(store.engine, "commit", commits.append)
            run.commit([position(1)], {"e": b"1"}, [update(1)], [])
            assert len(commits) == 1


class failing:  # noqa: N801 - a context
    """While the block runs, the n-th statement of the store's writer fails."""

    def __init__(self, store: Store, number: int) -> None:
        self.store, self.left = store, number

    def __enter__(self) -> None:
        event.listen(self.store.engine, "before_cursor_execute", self.count)

    def __exit__(self, *args: object) -> None:
        event.remove(self.store.engine, "before_cursor_execute", self.count)

    def count(self, *args: object) -> None:
        self.left -= 1
        if not self.left:
            raise OSError("the disk is gone")


class TestLockFile:
    @pytest.fixture
    def engine(self, sqlite_store: str) -> Engine:
        return connect(parse_store(sqlite_store))

    def lock(self, engine: Engine, store: str) -> RunLock:
        return RunLock(engine, parse_store(store), "r")

    @staticmethod
    def before_locking(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
        """Once, between the opening of the lock's file and the locking, somebody else does this."""
        real, waiting = fcntl.flock, [act]

        def flock(file: int, how: int) -> None:
            if waiting:
                waiting.pop()()
            real(file, how)

        monkeypatch.setattr(fcntl, "flock", flock)

    def test_a_file_that_its_owner_was_just_removing_locks_nothing(
        self, engine: Engine, sqlite_store: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = self.path(sqlite_store, engine)
        path.touch()
        self.before_locking(monkeypatch, path.unlink)
        lock = self.lock(engine, sqlite_store)
        assert path.exists()
        with pytest.raises(StoreError, match=f"process {os.getpid()} is following it now"):
            self.lock(engine, sqlite_store)
        lock.release()

    def test_nor_one_in_whose_place_there_is_another(
        self, engine: Engine, sqlite_store: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = self.path(sqlite_store, engine)
        path.touch()
        others: list[RunLock] = []

        def replace() -> None:
            path.unlink()
            others.append(self.lock(engine, sqlite_store))

        self.before_locking(monkeypatch, replace)
        with pytest.raises(StoreError, match="is following it now"):
            self.lock(engine, sqlite_store)
        others[0].release()

    def path(self, store: str, engine: Engine) -> Path:
        lock = self.lock(engine, store)
        (path,) = Path(store).parent.glob("*.lock")
        lock.release()
        assert not path.exists()
        return path


class TestFileInPlace:
    def test_a_store_that_was_removed_is_not_written_to(self, sqlite_store: str) -> None:
        with open_store(sqlite_store) as store, store.begin("r", SETTINGS) as run:
            run.commit([position(1)], {}, [update(1)], [])
            Path(sqlite_store).unlink()
            with pytest.raises(StoreError, match="was removed or replaced while it was in use"):
                run.commit([position(2)], {}, [update(2)], [])
            Path(sqlite_store).touch()
            with pytest.raises(StoreError, match="was removed or replaced"):
                store.begin("s", SETTINGS)
