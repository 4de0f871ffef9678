"""Which column is taken for what: by a person's words, by names in many languages, by a look at the cells."""

from __future__ import annotations

from typing import Any

import pytest

from tests.sweeps import cases, every
from tidings.core.errors import UsageError
from tidings.core.files.reading import ReadingOptions
from tidings.sources.tables.fields import NAMES, parse_columns, ranks_of, simple
from tidings.sources.tables.guessing import Columns, choose_columns

ROW = cases(__file__, "row")


def chosen(names: list[str], *rows: list[Any], **options: Any) -> dict[str, list[str]]:
    columns = choose_columns(names, list(rows), ReadingOptions(**options), "a.csv")
    return {field: [names[place] for place in places] for field, places in columns.places.items()}


@pytest.mark.parametrize(
    "names",
    cases(__file__, "names in many languages"),
)
@pytest.mark.parametrize("turned", [False, True])
def test_names_in_many_languages(names: str, turned: bool) -> None:
    columns = names.split()
    cells = list(ROW.values())
    order = range(len(columns))[:: -1 if turned else 1]
    found = chosen([columns[place] for place in order], [cells[place] for place in order])
    assert {field: found[field][0] for field in found} == {
        field: name for field, name in zip(ROW, columns, strict=True) if field in found
    }
    assert len(found) >= 6


def test_by_cells_alone() -> None:
    found = chosen(["a", "b", "c", "d", "e"], ["7", *[ROW[key] for key in ("url", "title", "time", "text")]])
    assert found == {"url": ["b"], "time": ["d"], "text": ["e"], "title": ["c"]}


def test_the_likelier_name_is_taken() -> None:
    day = "2026-02-17"
    found = chosen(
        ["created", "date", "published", "summary", "body", "text"],
        [day, day, day, "Short one.", "Body text.", "Text text."],
    )
    assert found == {"time": ["published"], "text": ["text", "body", "summary"]}


def test_a_name_whose_cells_say_otherwise_is_not_taken() -> None:
    found = chosen(["date", "day", "text"], ["soon", "2026-02-17", "A fire at sea."])
    assert found["time"] == ["day"]
    found = chosen(["text", "body", "date"], [str(1), "A fire at sea.", "2026-02-17"])
    assert found["text"][0] == "body"
    found = chosen(
        ["link", "url", "date", "text"], ["12", "https://a.example", "2026-02-17", "A fire at sea."]
    )
    assert found["url"] == ["url"]


def test_odd_dates_are_left_to_the_reader_of_dates() -> None:
    assert chosen(["date", "text"], ["once upon a time", "A fire at sea."])["time"] == ["date"]


def test_ids_that_repeat_are_none() -> None:
    rows = [["wire", f"2026-02-{day}", "A fire at sea."] for day in range(10, 20)]
    assert "id" not in chosen(["id", "date", "text"], *rows)
    assert chosen(["id", "date", "text"], *[[str(number), *row[1:]] for number, row in enumerate(rows)])[
        "id"
    ] == ["id"]


def test_ids_and_names_of_parts_are_not_the_documents() -> None:
    names = ["source.id", "source.name", "author.id", "user.created_at", "created_at", "text"]
    found = chosen(names, ["wire", "The Wire", "7", "2020-01-01", "2026-02-17", "A fire at sea."])
    assert found == {"time": ["created_at"], "text": ["text"], "outlet": ["source.name"]}


def test_objects_that_hold_the_whole_are_looked_into() -> None:
    names = ["_index", "_source.id", "_source.date", "_source.body"]
    assert chosen(names, ["i", "7", "2026-02-17", "A fire at sea."]) == {
        "time": ["_source.date"], "text": ["_source.body"], "id": ["_source.id"]
    }  # fmt: skip


def test_a_date_and_a_time_of_day() -> None:
    columns = choose_columns(
        ["date", "time", "text"], [["17.02.2026", "08:30", "A fire at sea."]], ReadingOptions(), "a.csv"
    )
    assert columns.describe() == "columns taken: time=date and time, text=text"
    assert columns.needed == [0, 1, 2]


def test_a_time_of_day_beside_a_full_time_is_nothing() -> None:
    columns = choose_columns(
        ["date", "time", "text"], [["17.02.2026 09:00", "08:30", "A fire at sea."]], ReadingOptions(), "a.csv"
    )
    assert columns.clock is None


def test_what_a_person_says_goes_before() -> None:
    names = ["date", "when", "text", "words"]
    row = ["2026-02-17", "2026-02-18", "A fire at sea.", "All is calm."]
    found = chosen(names, row, columns=(("time", "When"), ("text", "4")))
    assert (found["time"], found["text"]) == (["when"], ["words"])


@every("column", ["0", "5", "99999999999999999999", "", "dates", "-1", "x\x1b[31m"])
def test_a_column_that_is_not_there(column: str) -> None:
    with pytest.raises(
        UsageError, match=r"^a\.csv: no column .* for time \(expected one of date, b, c, text\)"
    ) as error:
        chosen(["date", "b", "c", "text"], ["2026-02-17", "", "", "A fire."], columns=(("time", column),))
    assert "\x1b" not in str(error.value)


def test_many_columns_are_not_all_listed() -> None:
    with pytest.raises(UsageError, match="c29 and 9,970 more") as error:
        chosen([f"c{number}" for number in range(10_000)], columns=(("time", "date"),))
    assert len(str(error.value)) < 500


@every(
    "words, pairs",
    cases(__file__, "pairs"),
)
def test_pairs(words: str, pairs: tuple[tuple[str, str], ...]) -> None:
    assert parse_columns(words) == pairs


@every(
    "words, said",
    cases(__file__, "pairs that are none"),
)
def test_pairs_that_are_none(words: str, said: str) -> None:
    with pytest.raises(UsageError) as error:
        parse_columns(words)
    assert str(error.value).startswith(said)


def test_every_list_of_names_holds_each_once() -> None:
    for field in NAMES:
        names = ranks_of(field)
        assert all(names), field
        assert sorted(names.values()) == sorted(set(names.values()))
    assert simple("Ｄａｔｅ") == simple("date")


def test_no_name_is_of_two_fields_by_mistake() -> None:
    fields = ["time", "title", "text", "url", "id", "language", "updated"]
    for one in fields:
        for other in fields:
            shared = set(ranks_of(one)) & set(ranks_of(other)) if one < other else set()
            assert shared <= {"data"}, (one, other, shared)


def test_columns_in_words() -> None:
    columns = Columns(names=("d", "t" * 100), places={"time": (0,), "text": (1,)})
    assert columns.describe() == f"columns taken: time=d, text={'t' * 60}"


def test_a_text_that_is_mostly_empty_stands_in_only() -> None:
    rows = [["2026-02-17", text, "A fire at sea."] for text in ("", "", "Full text.", "")]
    assert chosen(["date", "text", "body"], *rows)["text"] == ["body", "text"]
