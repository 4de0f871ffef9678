"""A store holds hashes of passwords, addresses with passwords and secrets: its files are their owner's."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sweeps import every
from tidings.core.store import open_store
from tidings.core.store.backup import back_up, put_back
from tidings.core.store.connect import keep_private


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
