"""Files of any kind in the library: feeds and tables by their paths, understood as the caller asks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tidings
from tidings.core.files.reading import ReadingOptions
from tidings.following.library.arguments import ArgumentTypeError, ArgumentValueError

TABLE = (
    "when,title,body\n"
    "18/02/2026 09:00,Fire is out,The fire on the ferry off Nador is out.\n"
    "17/02/2026 08:30,Ferry on fire,A ferry burns off the port of Nador.\n"
)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "news.csv"
    path.write_text(TABLE)
    return path


def texts(documents: Any) -> list[str]:
    return [document.text for document in documents]


def test_a_table_is_read_in_order_of_time(table: Path) -> None:
    first, second = tidings.read_documents(table)
    assert (first.title, first.published_time) == ("Ferry on fire", 1771317000)
    assert second.title == "Fire is out"


@pytest.mark.parametrize(
    "reading",
    [
        {"zone": "Europe/Madrid"},
        {"zone": "+01:00", "columns": "time=when"},
        {"zone": "+01:00", "columns": {"time": "when", "text": "body"}},
        {"zone": "+01:00", "columns": [("time", "when")], "day_first": True},
        ReadingOptions(zone="+01:00"),
    ],
)
def test_as_the_caller_asks(table: Path, reading: Any) -> None:
    first, _ = tidings.read_documents(table, reading=reading)
    assert first.published_time == 1771313400


def test_columns_and_language(table: Path) -> None:
    first, _ = tidings.read_documents(table, reading={"columns": {"text": "title"}, "language": "EN"})
    assert (first.text, first.language) == ("Ferry on fire", "en")


def test_a_table_is_followed(table: Path, tmp_path: Path) -> None:
    reading = {"zone": "+01:00"}
    plain = tidings.follow(table, query="ferry", system="first", reading=reading)
    updates = list(plain)
    assert updates[0].time == 1771313400
    for _ in range(2):  # the second time from the store
        kept = tidings.follow(
            str(table), query="ferry", system="first", store=tmp_path / "s.db", reading=reading
        )
        assert list(kept) == updates


def test_a_table_is_digested(table: Path) -> None:
    days = tidings.digest(table, query="ferry fire", reading={"zone": "+01:00"}).days
    assert days[0].sentences[0].text == "A ferry burns off the port of Nador."


def test_a_feed_is_read(tmp_path: Path) -> None:
    path = tmp_path / "world.xml"
    path.write_text(
        "<rss version='2.0'><channel><title>World</title><item><title>Ferry burns</title><guid>1</guid>"
        "<pubDate>Tue, 17 Feb 2026 08:30:00 GMT</pubDate></item></channel></rss>"
    )
    [document] = tidings.read_documents(path)
    assert (document.title, document.source) == ("Ferry burns", "World")


@pytest.mark.parametrize(
    ("reading", "error", "said"),
    [
        ("UTC", ArgumentTypeError, r"reading: a str \(expected a dict such as"),
        (
            {"zones": "UTC"},
            ArgumentValueError,
            r"reading: 'zones' \(expected one of zone, year, day_first,",
        ),
        ({"zone": "Atlantis"}, ArgumentValueError, "reading: .*Atlantis"),
        ({"zone": None}, ArgumentTypeError, "reading: zone: None"),
        ({"year": True}, ArgumentTypeError, "reading: year: a bool"),
        ({"language": "german"}, ArgumentValueError, "reading: language: 'german'"),
        ({"columns": "time"}, ArgumentValueError, r"reading: columns: 'time' is no pair of a field"),
        (
            {"columns": {"when": "date"}},
            ArgumentValueError,
            r"reading: columns: 'when' \(expected one of id, time, ",
        ),
        (
            {"columns": {"time": 3}},
            ArgumentTypeError,
            r"reading: columns: .'time', 3. \(expected a field and",
        ),
        ({"columns": ["time"]}, ArgumentTypeError, r"reading: columns: 'time' \(expected a field and"),
        ({"file_times": "yes"}, ArgumentTypeError, "reading: file_times: a str"),
    ],
)
def test_what_makes_no_sense_is_said_at_the_call(table: Path, reading: Any, error: type, said: str) -> None:
    for call in (
        lambda: tidings.read_documents(table, reading=reading),
        lambda: tidings.follow(table, query="x", system="first", reading=reading),
    ):
        with pytest.raises(error, match=said):
            call()


def test_documents_in_memory_are_understood_already() -> None:
    document = {"id": "a", "published_time": 60, "text": "A fire."}
    with pytest.raises(ArgumentValueError, match="expected only with the path of a file"):
        tidings.follow([document], query="fire", system="first", reading={"zone": "+01:00"})
    assert list(tidings.follow([document], query="fire", system="first", reading=None))
