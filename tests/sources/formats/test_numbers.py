"""Numbers beyond all bounds, wherever a file may hold one: a line with its place, skipped when lenient."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.sweeps import cases
from tidings.core.errors import FormatError, Problems
from tidings.evaluation.formats.tweets import read_tweet_judgments
from tidings.following.outputs.runs import read_runs
from tidings.following.outputs.trec_runs import read_run
from tidings.sources.own.documents import read_documents
from tidings.sources.own.events import read_event_file
from tidings.sources.streams import read_judgments
from tidings.sources.trec.judgments import read_matches, read_nuggets, read_pool
from tidings.sources.trec.topics import read_topics

HUGE = {"6000 digits": "9" * 6000, "400 digits": "9" * 400, "65 bits": str(1 << 64), "minus": f"-{1 << 63}0"}
huge = pytest.mark.parametrize("number", HUGE.values(), ids=HUGE)

DOCUMENT = {"id": "a", "published_time": 60, "sentences": [{"text": "A ferry burns.", "id": 1, "start": 4}]}
UPDATE = {"event": "e", "doc": "a", "sentence": 1, "time": 60, "published_time": 50}
EVENT = {"id": "e", "query": "ferry", "start": 5, "end": 60}


def jsonl(good: dict[str, Any], bad: str) -> str:
    return f"{json.dumps(good)}\n{bad}\n{json.dumps(good)}\n"


def fields(record: dict[str, Any], number: str, *names: str) -> dict[str, str]:
    """The record as JSON with each of these numbers in turn replaced."""
    made = {}
    for name in names:
        text = json.dumps(record)
        old = f'"{name}": {json.dumps(_value(record, name))}'
        assert old in text
        made[name] = text.replace(old, f'"{name}": {number}')
    return made


def _value(record: Any, name: str) -> Any:
    if isinstance(record, dict):
        for key, value in record.items():
            if key == name and not isinstance(value, list | dict | str):
                return value
            found = _value(value, name)
            if found is not None:
                return found
    if isinstance(record, list):
        return next((found for one in record if (found := _value(one, name)) is not None), None)
    return None


class TestLines:
    @huge
    @pytest.mark.parametrize("name", ["id", "start", "published_time"])
    def test_of_a_document(self, number: str, name: str, tmp_path: Path) -> None:
        path = tmp_path / "d.jsonl"
        path.write_text(jsonl(DOCUMENT, fields(DOCUMENT, number, name)[name]))
        self.check(lambda problems: list(read_documents(path, problems=problems)), path)

    @huge
    @pytest.mark.parametrize("name", ["sentence", "time", "published_time"])
    def test_of_an_update(self, number: str, name: str, tmp_path: Path) -> None:
        path = tmp_path / "u.jsonl"
        path.write_text(jsonl(UPDATE, fields(UPDATE, number, name)[name]))
        self.check(lambda problems: read_runs(path, problems=problems)[0].updates, path)

    @staticmethod
    def check(read: Callable[[Problems | None], Any], path: Path) -> None:
        with pytest.raises(FormatError) as caught:
            read(None)
        assert str(caught.value).startswith(f"{path}:2: ")
        assert len(str(caught.value)) < 400
        problems = Problems(lenient=True)
        assert len(read(problems)) == 2
        assert problems.count == 1

    @huge
    @pytest.mark.parametrize("name", ["start", "end"])
    def test_of_an_event(self, number: str, name: str, tmp_path: Path) -> None:
        for path in (tmp_path / "e.json", tmp_path / "e.jsonl"):
            path.write_text(fields(EVENT, number, name)[name])
            with pytest.raises(FormatError, match="expected") as caught:
                read_event_file(path)
            assert len(str(caught.value)) < 400

    @huge
    @pytest.mark.parametrize(
        ("file", "line", "names"),
        cases(__file__, "of judgments"),
    )
    def test_of_judgments(
        self, number: str, file: str, line: dict[str, Any], names: tuple[str, ...], tmp_path: Path
    ) -> None:
        (tmp_path / "event.json").write_text(json.dumps(EVENT))
        (tmp_path / "documents.jsonl").write_text(json.dumps(DOCUMENT) + "\n")
        (tmp_path / "nuggets.jsonl").write_text(
            json.dumps({"event": "e", "id": "n", "time": 60, "importance": 1, "text": "t"}) + "\n"
        )
        for name, text in fields(line, number, *names).items():
            (tmp_path / file).write_text(text + "\n")
            if name in ("value", "confidence") and len(number) < 300:
                read_judgments(tmp_path)  # a large number, but a number
                continue
            with pytest.raises(FormatError) as caught:
                read_judgments(tmp_path)
            assert f"{file}:1: " in str(caught.value)
            assert len(str(caught.value)) < 400


ROWS: dict[str, tuple[Callable[[Path], Any], list[str]]] = {
    "nuggets.tsv": (read_nuggets, ["e", "n", "5", "1", "3", "text"]),
    "matches.tsv": (read_matches, ["e", "a-1", "n", "0", "3", "0"]),
    "pool.tsv": (read_pool, ["e", "a-1", "a", "1", "3", "NULL", "text"]),
    "a.run": (read_run, ["e", "team", "run", "a", "1", "5", "0.5"]),
}


class TestTables:
    @huge
    @pytest.mark.parametrize("name", ROWS)
    def test_of_tables(self, number: str, name: str, tmp_path: Path) -> None:
        read, row = ROWS[name]
        path = tmp_path / name
        path.write_text("\t".join(row) + "\n")
        read(path)
        for column, value in enumerate(row):
            if value.isdigit():
                path.write_text("\t".join([*row[:column], number, *row[column + 1 :]]) + "\n")
                try:
                    read(path)
                except FormatError as error:
                    assert f"{name}:1: " in str(error)
                    assert len(str(error)) < 400

    @huge
    def test_of_topics(self, number: str, tmp_path: Path) -> None:
        path = tmp_path / "topics.xml"
        path.write_text(
            f"<topics><event><id>1</id><title>t</title><start>{number}</start><end>5</end><query>q</query>"
            "<type>storm</type></event></topics>"
        )
        with pytest.raises(FormatError, match="expected") as caught:
            read_topics(path)
        assert len(str(caught.value)) < 400

    @huge
    def test_of_tweets(self, number: str, tmp_path: Path) -> None:
        (tmp_path / "qrels.txt").write_text(f"RTS1 Q0 1234 {number}\n")
        (tmp_path / "clusters-2017.json").write_text('{"RTS1": {"clusters": {"1": ["1234"]}}}')
        with pytest.raises(Exception, match="expected") as caught:
            read_tweet_judgments(tmp_path, days=False)
        assert len(str(caught.value)) < 400
