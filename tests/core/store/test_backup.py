"""Stores copied while they are used, and put back."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest

from tests.live.pages.followed import INBOX, documents, fill, follow_inbox, santiago, site
from tidings.annotation.store import Desk
from tidings.core.errors import StoreError
from tidings.core.records.standing import ReaderMark
from tidings.core.store import open_store
from tidings.core.store.backup import back_up, check_contents, put_back
from tidings.live.store import LiveStore
from tidings.sources.inbox import open_inbox


def everything(store: str) -> list[object]:
    """What people see of a store."""
    with open_store(store) as opened:
        live = LiveStore(opened)
        with open_inbox(opened, INBOX, fetching=False) as inbox:
            kept = inbox.documents(0, 500)
        accounts = [one.name for one in Desk(opened).accounts.all()]
        return [live.outputs.after(0), live.events.log(), live.events.all(), kept, accounts]


def fill_store(store: str) -> None:
    with site(store, santiago(), count=30) as (live, inbox):
        Desk(live.store).accounts.add("ada")
        live.events.mark("santiago-2013", ReaderMark(update_id="d-0", text="a\x00 b", mark="known"), "ada")
        follow_inbox(live.store, inbox)


def test_a_copy_is_the_same_and_goes_on_the_same(any_store: str, tmp_path: Path) -> None:
    fill_store(any_store)
    file = tmp_path / "copy.backup"
    contents = back_up(any_store, file)
    assert contents.rows["inbox_items"] == 30 and "1 account" in str(contents)
    assert check_contents(str(file)) == contents
    assert sorted(path.name for path in tmp_path.iterdir() if "copy" in path.name) == ["copy.backup"]
    expected = everything(any_store)
    with pytest.raises(StoreError, match=r"this file exists already"):
        back_up(any_store, file)
    # Put back into the other kind, and over what the store has, which only --force loses.
    other = str(tmp_path / "other.db")
    put_back(file, other)
    assert everything(other) == expected
    with pytest.raises(StoreError, match=r"30 documents of inboxes.*--force"):
        put_back(file, any_store)
    with open_store(any_store) as opened:
        Desk(opened).accounts.add("bo")
    put_back(file, any_store, force=True)
    assert everything(any_store) == expected
    # Both go on: new rows find their numbers, and the run its place.
    told = []
    for store in (any_store, other):
        with open_store(store) as opened, open_inbox(opened, INBOX) as inbox:
            assert Desk(opened).accounts.add("bo").id > 1
            fill(inbox, documents(50)[30:])
            told.append(follow_inbox(opened, inbox))
    assert told[0] == told[1] and told[0]


def test_a_copy_that_is_damaged_is_not_put_back(sqlite_store: str, tmp_path: Path) -> None:
    fill_store(sqlite_store)
    file = tmp_path / "copy"
    back_up(sqlite_store, file)
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE outputs SET text = 'other words' WHERE seq = 2")
    connection.close()
    before = everything(sqlite_store)
    with pytest.raises(StoreError, match="a row of outputs is not as it was written"):
        put_back(file, sqlite_store, force=True)
    with pytest.raises(StoreError, match="there is no such store"):
        put_back(tmp_path / "none", sqlite_store, force=True)
    with pytest.raises(StoreError, match="the copy cannot have the name of the store"):
        put_back(Path(sqlite_store), sqlite_store, force=True)
    file.write_bytes(b"no database at all, of some length" * 100)
    with pytest.raises(StoreError, match="not a store of tidings"):
        put_back(file, sqlite_store, force=True)
    assert everything(sqlite_store) == before


def test_what_is_in_use_is_not_replaced(sqlite_store: str, tmp_path: Path) -> None:
    fill_store(sqlite_store)
    back_up(sqlite_store, tmp_path / "copy")
    with (
        open_store(sqlite_store) as opened,
        opened.asking(),
        pytest.raises(StoreError, match="another program has the store open"),
    ):
        put_back(tmp_path / "copy", sqlite_store, force=True)


def test_copies_while_a_run_goes_on(any_store: str, tmp_path: Path) -> None:
    """Each copy is one moment of the run: it can be gone on with, and gives the same."""
    with site(any_store, santiago(), count=10) as _:
        pass
    ended = threading.Event()

    def follow() -> None:
        with open_store(any_store) as opened, open_inbox(opened, INBOX) as inbox:
            for start in range(10, 40, 2):
                fill(inbox, documents(40)[start : start + 2])
                follow_inbox(opened, inbox)
        ended.set()

    thread = threading.Thread(target=follow)
    thread.start()
    files = []
    while not ended.is_set() and len(files) < 8:
        files.append(tmp_path / f"copy{len(files)}")
        back_up(any_store, files[-1])
    thread.join()
    whole = everything(any_store)[0]
    for file in (files[0], files[-1]):
        with open_store(str(file)) as opened, open_inbox(opened, INBOX) as inbox:
            fill(inbox, [*documents(40)[inbox.last_seq :], *documents(42)[40:]])
            follow_inbox(opened, inbox)
            copied = LiveStore(opened).outputs.after(0)
        assert copied[: len(whole)] == whole  # type: ignore[arg-type]
