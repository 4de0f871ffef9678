"""The inbox: kept whole or not at all, by one process at a time, and pruned of what nobody needs any more."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from sqlalchemy import text

from tests.core.store.databases import dump, killed_at, needs_fork
from tests.sweeps import cases
from tidings.core.errors import StoreError
from tidings.core.records import Document, Event, Position
from tidings.core.records.documents import Arrival, InboxChange, KeptFeed, place_of
from tidings.core.store import open_store
from tidings.following.stream.order import Cursor
from tidings.sources.inbox import open_inbox

FEED = "https://a.example/feed"


def arrival(number: int, *, time: int = 100, size: int = 10) -> Arrival:
    return Arrival(
        FEED, Document(id=f"d{number}", published_time=time, text="x" * size, stated_time=time - 5)
    )


def arrivals(count: int, *, time: int = 100, size: int = 10) -> tuple[Arrival, ...]:
    return tuple(arrival(number, time=time, size=size) for number in range(count))


def position(read: int, cursor: Cursor | None = None, *, time: int = 100) -> Position:
    """Of a run that has read so many, and decided on `d1` last."""
    data = b"" if cursor is None else msgspec.msgpack.encode(cursor)
    return Position(source="x", read=read, last_id="d1", last_time=time, cursor=data)


class TestKept:
    def test_what_was_kept_is_there_again(self, any_store: str) -> None:
        feed = KeptFeed(url=FEED, title="A \x00 paper", next_time=7, error="late", state=b"\x00\xff")
        change = InboxChange(
            now=100,
            feeds=(feed,),
            hosts={"a.example": b"h"},
            arrivals=arrivals(3),
            waiting={5: arrival(5), 6: arrival(6)},
            memory=b"m",
        )
        with open_store(any_store) as store:
            with open_inbox(store, "feeds of x") as inbox:
                inbox.commit(InboxChange(now=1, fresh=(b"before",), memory=b"before"))
                assert inbox.commit(change) == 3
                inbox.commit(InboxChange(now=1, fresh=(b"1", b"2")))
                inbox.commit(InboxChange(now=1, fresh=(b"3",)))
                assert inbox.commit(InboxChange(now=50, arrivals=(arrival(5),), ready=(5,))) == 4
            with open_inbox(store, "feeds of x") as inbox:
                kept = inbox.load()
                documents = inbox.documents(0, 10)
        assert kept.feeds == {FEED: feed}
        assert (kept.hosts, kept.memory, kept.last_time) == ({"a.example": b"h"}, b"m", 100)
        assert kept.waiting == {6: arrival(6)}
        assert kept.fresh == (b"1", b"2", b"3")
        assert [seq for seq, _ in documents] == [1, 2, 3, 4]
        assert documents[3][1] == arrival(5).document

    def test_inboxes_are_apart(self, sqlite_store: str) -> None:
        with (
            open_store(sqlite_store) as store,
            open_inbox(store, "one") as one,
            open_inbox(store, "two") as two,
        ):
            one.commit(InboxChange(now=1, arrivals=arrivals(2), memory=b"1"))
            two.commit(InboxChange(now=1, arrivals=arrivals(1)))
            assert (len(one.documents(0, 10)), len(two.documents(0, 10))) == (2, 1)
            assert two.load().memory == b""

    def test_pages_of_documents(self, sqlite_store: str) -> None:
        with open_store(sqlite_store) as store, open_inbox(store, "x") as inbox:
            inbox.commit(InboxChange(now=1, arrivals=arrivals(5)))
            assert [seq for seq, _ in inbox.documents(2, 2)] == [3, 4]
            assert inbox.documents(5, 2) == []

    def test_the_document_that_a_run_decided_on_last(self, sqlite_store: str) -> None:
        """One of the same id came again in the same second, and another an hour later."""
        times = (100, 100, 100, 3700)
        coming = tuple(arrival(number, time=time) for number, time in zip((0, 1, 1, 1), times, strict=True))
        passed = Cursor(place_of(2), 2, 0, latest=100, bound=100, floor=0)
        with open_store(sqlite_store) as store, open_inbox(store, "x") as inbox:
            assert inbox.number_at(position(3)) == 0
            inbox.commit(InboxChange(now=3700, arrivals=coming))
            numbers = [
                inbox.number_at(position(read, cursor)) for cursor in (None, passed) for read in (2, 3, 4)
            ]
            assert numbers == [2, 3, 3] * 2
            assert inbox.number_at(position(4, time=3700)) == 4
            assert [inbox.number_at(position(4, time=5)), inbox.number_at(Position(source="x"))] == [0, 0]
            # The first three had gone before the run began to read; the fourth goes when it has passed that.
            inbox.prune(101, 1 << 30)
            inbox.commit(InboxChange(now=3800, arrivals=(arrival(1, time=3800),)))
            assert [inbox.number_at(position(read, time=3800)) for read in (1, 2)] == [0, 5]
            inbox.prune(3701, 1 << 30)
            later = replace(passed, place=place_of(4), read=1)
            assert [inbox.number_at(position(read, later, time=3800)) for read in (1, 2)] == [0, 5]

    def test_reading_only_needs_one_that_is_there(self, sqlite_store: str) -> None:
        with open_store(sqlite_store) as store:
            with pytest.raises(StoreError, match="there is no inbox of x; fetch first"):
                open_inbox(store, "x", fetching=False)
            with open_inbox(store, "x") as inbox:
                inbox.commit(InboxChange(now=1, arrivals=arrivals(1)))
                with open_inbox(store, "x", fetching=False) as reader:  # while it is filled
                    assert len(reader.documents(0, 10)) == 1

    def test_one_process_at_a_time(self, any_store: str) -> None:
        with (
            open_store(any_store) as store,
            open_inbox(store, "x"),
            pytest.raises(StoreError, match=r"inbox of x: .* is following it now"),
        ):
            open_inbox(store, "x")

    def test_who_lost_it_keeps_nothing_more(self, sqlite_store: str) -> None:
        with open_store(sqlite_store) as store, open_inbox(store, "x") as first:
            first.commit(InboxChange(now=1, arrivals=arrivals(1)))
            first._lock.release()
            with open_inbox(store, "x") as second:
                with pytest.raises(StoreError, match="another process has taken over"):
                    first.commit(InboxChange(now=1, arrivals=arrivals(1)))
                second.commit(InboxChange(now=1, arrivals=arrivals(1)))
                with pytest.raises(StoreError, match="another process has taken over"):
                    first.prune(1000, 0)
                assert len(second.documents(0, 10)) == 2

    @pytest.mark.kill
    @needs_fork
    @pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.long)])
    def test_killed_at_any_statement_all_or_nothing(self, tmp_path: Path, step: int) -> None:
        def commit(path: str) -> None:
            with open_store(path) as store, open_inbox(store, "x") as inbox:
                inbox.commit(
                    InboxChange(
                        now=1,
                        feeds=(KeptFeed(url=FEED, state=b"1"),),
                        hosts={"a.example": b"h"},
                        arrivals=arrivals(3),
                        waiting={1: arrival(1)},
                        memory=b"m",
                    )
                )

        outcomes = set()
        for statement in range(1, 100, step):
            path = str(tmp_path / f"{statement}.db")
            open_store(path).close()
            killed = killed_at(statement, lambda path=path: commit(path))
            filled = [line for line in dump(path) if line.startswith(("inbox_",))]
            outcomes.add(len(filled))
            if not killed:
                break
        assert outcomes == {0, 7}

    @pytest.mark.parametrize(
        "table",
        cases(__file__, "damage is noticed"),
    )
    def test_damage_is_noticed(self, sqlite_store: str, table: str) -> None:
        with open_store(sqlite_store) as store:
            with open_inbox(store, "x") as inbox:
                inbox.commit(
                    InboxChange(
                        now=1,
                        feeds=(KeptFeed(url=FEED),),
                        hosts={"a.example": b"h"},
                        arrivals=arrivals(3),
                        waiting={1: arrival(1)},
                        memory=b"m",
                    )
                )
                inbox.commit(InboxChange(now=1, fresh=(b"f",)))
            with store.engine.begin() as connection:
                connection.execute(text(f"UPDATE {table} SET digest = digest + 1"))
            with pytest.raises(StoreError, match="damaged"), open_inbox(store, "x") as inbox:
                inbox.load()
                inbox.documents(0, 10)

    def test_a_missing_document_is_noticed(self, sqlite_store: str) -> None:
        with open_store(sqlite_store) as store, open_inbox(store, "x") as inbox:
            inbox.commit(InboxChange(now=1, arrivals=arrivals(3)))
            with store.engine.begin() as connection:
                connection.execute(text("DELETE FROM inbox_items WHERE seq = 2"))
            with pytest.raises(StoreError, match="document 2 is missing"):
                inbox.documents(0, 10)

    def test_a_store_with_nothing_but_an_inbox_is_used(self, tmp_path: Path) -> None:
        path = tmp_path / "s.db"
        with pytest.raises(KeyError), open_store(str(path)) as store:
            with open_inbox(store, "x") as inbox:
                inbox.commit(InboxChange(now=1, arrivals=arrivals(1)))
            raise KeyError
        assert path.exists()


class TestPruned:
    def follow(self, store, name: str, *, upto: int | None, source: str = "x") -> None:
        """A run that has followed the inbox up to a document; None for one without a cursor."""
        cursor = b"" if upto is None else msgspec.msgpack.encode(Cursor(place_of(upto), upto, 0, 1, 1, 1))
        with store.begin(name, {}, events=[Event(id="e", title="", query="q")]) as run:
            position = Position(source=source, released=9, read=9, first_id="d0", cursor=cursor)
            run.commit([position], {}, [], [])

    def left(self, inbox) -> list[int]:
        return [seq for seq, _ in inbox.documents(0, 100)]

    def test_by_age(self, any_store: str) -> None:
        with open_store(any_store) as store, open_inbox(store, "x") as inbox:
            inbox.commit(InboxChange(now=1, arrivals=arrivals(3, time=100)))
            inbox.commit(InboxChange(now=1, arrivals=arrivals(2, time=200)))
            size = inbox.size
            assert inbox.prune(100, 10**9) == 0
            assert inbox.prune(101, 10**9) == 3
            assert (self.left(inbox), inbox.items) == ([4, 5], 2)
            assert 0 < inbox.size < size
            assert inbox.commit(InboxChange(now=1, arrivals=arrivals(1))) == 6

    def test_by_size_the_oldest_first(self, sqlite_store: str) -> None:
        with open_store(sqlite_store) as store, open_inbox(store, "x") as inbox:
            inbox.commit(InboxChange(now=1, arrivals=arrivals(10, size=1000)))
            assert inbox.prune(0, inbox.size - 1) == 1
            assert inbox.prune(0, 5 * inbox.size // 9) == 4
            assert self.left(inbox) == [6, 7, 8, 9, 10]

    def test_never_what_a_run_has_not_followed(self, sqlite_store: str) -> None:
        with open_store(sqlite_store) as store, open_inbox(store, "x") as inbox:
            inbox.commit(InboxChange(now=1, arrivals=arrivals(10)))
            self.follow(store, "far", upto=8)
            self.follow(store, "near", upto=4)
            self.follow(store, "of another", upto=1, source="y")
            assert inbox.prune(1000, 0) == 4
            assert self.left(inbox) == [5, 6, 7, 8, 9, 10]
            self.follow(store, "without a place to go on from", upto=None)
            inbox.commit(InboxChange(now=1, arrivals=arrivals(1)))
            assert inbox.prune(1000, 0) == 0

    def test_many(self, sqlite_store: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tidings.sources.inbox._PRUNED_AT_ONCE", 3)
        with open_store(sqlite_store) as store, open_inbox(store, "x") as inbox:
            inbox.commit(InboxChange(now=1, arrivals=arrivals(10)))
            assert inbox.prune(1000, 0) == 10
            assert (self.left(inbox), inbox.items, inbox.size) == ([], 0, 0)
