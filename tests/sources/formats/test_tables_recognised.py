"""What is taken for a table of other people's, and what stays tidings' own or TREC's."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.sources.formats import samples
from tests.sweeps import cases, every
from tidings.core.errors import FormatError
from tidings.core.files.reading import Content, as_content
from tidings.sources.recognition import recognise
from tidings.sources.tables.parquet import read_parquet


def kind(name: str, data: bytes | str, content_type: str = "") -> str:
    found = recognise(
        Content(name, data=data if isinstance(data, bytes) else data.encode(), content_type=content_type)
    )
    return "" if found is None else found.name


@every("name", ["csv", "json", "json-lines", "parquet", "timeline17", "crisisfacts"])
def test_every_sample_is_recognised(tmp_path: Path, name: str) -> None:
    found = recognise(as_content(samples.write_sample(tmp_path, name)))
    assert found is not None
    assert found.name == name


@every("name", ["pool", "nuggets", "matches", "documents", "updates", "rankings", "facts", "requests",
                                  "links", "judges", "official-scores", "run"])  # fmt: skip
def test_what_is_tidings_own_or_trecs_stays(name: str) -> None:
    assert kind(*samples.FILES[name]) == ""


@every(
    "name, data",
    cases(__file__, "what stays what it is"),
)
def test_what_stays_what_it_is(name: str, data: str) -> None:
    assert kind(name, data) == ""


@every(
    "name, data, other",
    cases(__file__, "prose is no table"),
)
def test_prose_is_no_table(name: str, data: str, other: str) -> None:
    assert kind(name, data) == other


@every(
    "name, data, format_name",
    [
        ("news.csv", "anything", "csv"),
        ("news.tsv", "date\tbody\n2026-02-17\tA fire.\n", "csv"),
        ("news.tsv", "1\t2026-02-17\tA fire.\n", "csv"),
        ("news.dat", "date|title|text\n", "csv"),
        ("news.txt", "Datum;Titel;Inhalt\n", "csv"),
        ("export", "date,title,text\n", "csv"),
        ("x", "a,b", ""),
        ("news.json", "[]", "json"),
        ("news.json", '{"a": 1}\n{"a": 2}\n', "json-lines"),
        ("news.json", '{\n"a": 1}', "json"),
        ("news.jsonl", '{"id": "a", "time": "2026-02-17", "text": "A fire."}', "json-lines"),
        ("news.jsonl", '{"id": "a", "published_time": 60, "body": "A fire."}', "json-lines"),
        ("news.jsonl", '\n\n{"text": "' + "long " * 20_000 + '", "date": "2026-02-17"}', "json-lines"),
        ("articles.jsonl", '{"id": "1", "time": "2013-07-24", "text": "A fire .\\nTwo dead ."}', "timeline17"),
        ("x.jsonl", '{"docno": "CrisisFACTS-001-News-1-0", "text": "A", "unix_timestamp": 1, '
         '"source_type": "News"}', "crisisfacts"),
        ("any", b"PAR1....", "parquet"),
        ("news.jsonl", '{"version": "https://jsonfeed.org/version/1.1", "items": []}', "feed"),
    ],
)  # fmt: skip
def test_what_is_a_table(name: str, data: str | bytes, format_name: str) -> None:
    assert kind(name, data) == format_name


def test_what_a_server_calls_a_table() -> None:
    assert kind("https://x.example/export?x=1", "a,b\n", "text/csv; charset=utf-8") == "csv"
    assert kind("https://x.example/api", '{"articles": []}', "application/json") == "json"
    assert kind("https://x.example/api", '{"a": 1}\n{"a": 2}', "application/x-ndjson") == "json-lines"


def test_utf_16_lines() -> None:
    assert kind("a.jsonl", json.dumps({"date": "2026-02-17", "body": "x"}).encode("utf-16")) == "json-lines"


def test_parquet(tmp_path: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    path = tmp_path / "a.parquet"
    table = pyarrow.table(
        {
            "id": [1, 2, 3],
            "when": [datetime(2026, 2, 17, 8, 30, tzinfo=UTC), datetime(2026, 2, 18, tzinfo=UTC), None],
            "headline": ["Ferry on fire", "Fire is out", None],
            "article": [{"body": "A ferry burns."}, {"body": "It is out."}, {"body": None}],
            "vector": [[0.5] * 10] * 3,
        }
    )  # fmt: skip
    parquet.write_table(table, path)
    first, second = read_parquet(path)
    assert (first.id, first.title, first.text) == ("1", "Ferry on fire", "A ferry burns.")
    assert (first.published, second.origin) == ("2026-02-17T08:30:00+00:00", f"{path}:2")
    data = path.read_bytes()
    assert len(list(read_parquet(Content("inner", data=data)))) == 2
    with pytest.raises(FormatError, match="a whole Parquet file"):
        list(read_parquet(Content("inner", data=data[:-20])))


def test_parquet_without_its_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import sys

    from tidings.core.errors import UsageError

    path = samples.write_sample(tmp_path, "parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(
        UsageError, match=r"Parquet needs pyarrow. Run: .venv/bin/pip install -e '\.\[parquet\]'"
    ):
        list(read_parquet(path))


def test_rows_of_parquet_are_numbered_over_groups(tmp_path: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    rows = 2500
    table = pyarrow.table(
        {"date": ["2026-02-17"] * rows, "text": [f"Row {number}" for number in range(rows)]}
    )
    parquet.write_table(table, tmp_path / "a.parquet", row_group_size=700)
    items = list(read_parquet(tmp_path / "a.parquet"))
    assert [item.origin.rpartition(":")[2] for item in items] == [str(number + 1) for number in range(rows)]
    assert items[-1].text == "Row 2499"
