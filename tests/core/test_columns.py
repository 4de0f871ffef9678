"""Updates held as columns of text: each as it was written, wherever it is asked for."""

from __future__ import annotations

import pytest

from tidings.core.columns import UpdateColumns
from tidings.core.records import Update

COLUMNS = UpdateColumns(
    [("storm", 0, 2), ("fire", 2, 3)], ["a-b-0", "c-12", "d-3"], ["60", "61", "62"], ["0.5", "-inf", "7"]
)
UPDATES = (
    Update("storm", "a-b", 0, 60, 0.5),
    Update("storm", "c", 12, 61, -1000.0),
    Update("fire", "d", 3, 62, 7.0),
)


def test_each_is_of_the_event_of_its_block() -> None:
    assert tuple(COLUMNS) == UPDATES
    assert [COLUMNS[place] for place in range(-3, 3)] == [*UPDATES, *UPDATES]
    assert COLUMNS[1:] == UPDATES[1:] and COLUMNS[::-2] == UPDATES[::-2]


def test_what_is_beyond_them_is_none_of_them() -> None:
    for place in (3, -4):
        with pytest.raises(IndexError):
            COLUMNS[place]


def test_they_equal_what_says_the_same_in_the_same_order() -> None:
    assert COLUMNS == UPDATES and list(UPDATES) == COLUMNS
    assert UPDATES[:2] != COLUMNS and UPDATES[::-1] != COLUMNS
    assert {"a-b-0"} != COLUMNS


def test_columns_are_given_as_they_were_written() -> None:
    assert (COLUMNS.id(1), COLUMNS.ids(1, 3)) == ("c-12", ["c-12", "d-3"])
    assert (COLUMNS.time(2), COLUMNS.written_times(0, 2)) == (62, ["60", "61"])
    assert [COLUMNS.confidence(place) for place in range(3)] == [0.5, -1000.0, 7.0]
