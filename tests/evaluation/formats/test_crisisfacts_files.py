"""CrisisFACTS runs and requests in JSON Lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tests.sweeps import cases, every
from tidings.core.errors import FormatError, Problems, TidingsError
from tidings.core.records.outputs import Fact, FactRun, Request
from tidings.evaluation.formats.crisisfacts import read_facts, read_requests, write_facts, write_requests

GOOD = {
    "requestID": "CrisisFACTS-001-r3", "factText": "Increased threat of wind damage.", "unixTimestamp": 1512604876,
    "importance": 0.71, "sources": ["CrisisFACTS-001-News-4-2"], "streamID": None, "informationNeeds": ["001-15"],
}  # fmt: skip


def put(folder: Path, *lines: object, name: str = "mine.jsonl") -> Path:
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    (folder / name).write_text(text)
    return folder / name


def test_a_line_is_a_fact(tmp_path: Path) -> None:
    assert read_facts(put(tmp_path, GOOD)) == FactRun(
        "-",
        "mine",
        (
            Fact(
                "CrisisFACTS-001-r3", "Increased threat of wind damage.", 1512604876, 0.71,
                ("CrisisFACTS-001-News-4-2",), "", ("001-15",),
            ),
        ),
    )  # fmt: skip


@every(
    "changes, said",
    cases(__file__, "the checkers rules", lists=True),
)
def test_the_checkers_rules(tmp_path: Path, changes: dict, said: str) -> None:
    path = put(tmp_path, GOOD, GOOD | changes)
    with pytest.raises(FormatError, match=r"mine\.jsonl:2: ") as caught:
        read_facts(path)
    assert said in str(caught.value)
    lenient = Problems(lenient=True)
    assert len(read_facts(path, problems=lenient).facts) == lenient.count == 1


def test_a_missing_key_and_an_empty_file(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="no 'sources'"):
        read_facts(put(tmp_path, {key: value for key, value in GOOD.items() if key != "sources"}))
    with pytest.raises(FormatError, match="no fact"):
        read_facts(put(tmp_path, ""))


words = st.text(st.characters(codec="utf-8", categories=["L", "P"]), min_size=1, max_size=6)
facts = st.builds(
    Fact, words, words, st.integers(0, 10**10), st.floats(0, 1), st.lists(words, max_size=2).map(tuple),
    words | st.just(""), st.lists(words, max_size=2).map(tuple),
)  # fmt: skip


@given(st.lists(facts, min_size=1, max_size=4))
def test_what_is_written_is_read_again(tmp_path_factory: pytest.TempPathFactory, told: list[Fact]) -> None:
    path = tmp_path_factory.mktemp("facts") / "run.jsonl.gz"
    write_facts(path, FactRun("-", "run", tuple(told)))
    assert read_facts(path) == FactRun("-", "run", tuple(told))


@given(st.binary(max_size=80) | st.text(alphabet='{"}:[],1', max_size=60).map(str.encode))
def test_hostile_bytes_give_a_clear_error(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("facts") / "run.jsonl"
    path.write_bytes(json.dumps(GOOD).encode() + b"\n" + data)
    for read in (read_facts, read_requests):
        try:
            read(path)
        except TidingsError as error:
            assert "run.jsonl" in str(error)


class TestRequests:
    def test_there_and_back(self, tmp_path: Path) -> None:
        asked = [Request("e-r1", "e", 0, 86399), Request("e-r2", "e", 86400, 172799)]
        write_requests(tmp_path / "requests.jsonl", asked)
        assert read_requests(tmp_path / "requests.jsonl") == asked

    @every(
        "start, end, name, said",
        [(5, 4, "e-r2", "before the start"), (1, 2, "e-r1", "its own id"), (1, 2, "", "its own id")],
    )
    def test_bad_lines(self, tmp_path: Path, start: int, end: int, name: str, said: str) -> None:
        one = {"request": "e-r1", "event": "e", "start": 0, "end": 9}
        path = put(tmp_path, one, one | {"request": name, "start": start, "end": end})
        with pytest.raises(FormatError, match=said):
            read_requests(path)
