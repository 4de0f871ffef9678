"""What readers have seen: ranges that merge, visits, and how much of it is kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tests.core.store.conftest import any_store, postgres_server, postgres_store, sqlite_store
from tests.sweeps import every
from tidings.core.errors import UsageError
from tidings.core.store import open_store
from tidings.live.store import LiveStore, readers
from tidings.live.store.readers import MOST_RANGES, Ranges

__all__ = ["any_store", "postgres_server", "postgres_store", "sqlite_store"]

HOUR = 3600.0


@given(st.lists(st.tuples(st.integers(1, 60), st.integers(0, 9)), max_size=20))
def test_ranges_hold_what_was_added(added: list[tuple[int, int]]) -> None:
    ranges, numbers = Ranges(), set[int]()
    for first, length in added:
        ranges = ranges.added(first, first + length)
        numbers |= set(range(first, first + length + 1))
    assert {number for number in range(80) if number in ranges} == numbers
    assert Ranges.read(ranges.written()) == ranges
    assert all(one[1] + 1 < other[0] for one, other in zip(ranges.parts, ranges.parts[1:], strict=False))


def test_ranges_are_bounded_and_the_oldest_close_up() -> None:
    ranges = Ranges()
    for number in range(MOST_RANGES + 5):
        ranges = ranges.added(10 * number + 1, 10 * number + 1)
    assert len(ranges.parts) == MOST_RANGES
    assert 5 in ranges and 10 * (MOST_RANGES + 4) + 1 in ranges and 10 * (MOST_RANGES + 3) + 5 not in ranges


def test_a_visit_begins_after_a_pause(any_store: str) -> None:
    time = [0.0]
    with open_store(any_store) as store:
        kept = LiveStore(store, clock=lambda: time[0]).readers
        assert kept.last_visit("account 1") is None and kept.seen("account 1") == {}
        kept.note_seen("account 1", "storm", 3, 5, 5)
        visit = kept.last_visit("account 1")
        assert visit is not None and visit.cursor == 0  # the first visit goes on
        time[0] = 10 * 60
        kept.note_seen("account 1", "storm", 6, 7, 9)
        kept.note_seen("account 1", "ferry", 8, 8, 9)
        kept.note_seen("account 2", "ferry", 1, 1, 9)
        time[0] = 2 * HOUR
        visit = kept.last_visit("account 1")
        assert visit is not None and visit.cursor == 9  # who is back after the pause was away since number 9
        kept.note_seen("account 1", "storm", 10, 12, 20)
        visit = kept.last_visit("account 1")
        assert visit is not None and visit.cursor == 9  # and that stays so while the visit lasts
        assert {name: one.written() for name, one in kept.seen("account 1").items()} == {
            "storm": "3-7,10-12",
            "ferry": "8",
        }


@every("first, last", [(0, 1), (4, 3), (1, 10)])
def test_numbers_that_no_output_has_are_refused(tmp_path: Path, first: int, last: int) -> None:
    with open_store(str(tmp_path / "a.db")) as store:
        kept = LiveStore(store).readers
        with pytest.raises(UsageError, match="numbers go from 1 to 9"):
            kept.note_seen("account 1", "storm", first, last, 9)
        assert kept.seen("account 1") == {}


def test_browsers_are_forgotten_before_there_are_too_many(
    any_store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readers, "MOST_READERS", 3)
    time = [0.0]
    with open_store(any_store) as store:
        kept = LiveStore(store, clock=lambda: time[0]).readers
        kept.note_seen("account 1", "storm", 1, 1, 9)
        for number in range(5):
            time[0] += 60
            kept.note_seen(f"browser {number}", "storm", 1, 1, 9)
        there = [
            name for name in ("account 1", *(f"browser {number}" for number in range(5))) if kept.seen(name)
        ]
        assert there == ["account 1", "browser 2", "browser 3", "browser 4"]


def test_a_page_that_was_left_open_takes_no_visit_back(tmp_path: Path) -> None:
    time = [0.0]
    with open_store(str(tmp_path / "a.db")) as store:
        kept = LiveStore(store, clock=lambda: time[0]).readers
        kept.note_seen("account 1", "storm", 1, 1, 9)
        kept.note_seen("account 1", "storm", 2, 2, 4)
        time[0] = 2 * HOUR
        visit = kept.last_visit("account 1")
        assert visit is not None and visit.cursor == 9
