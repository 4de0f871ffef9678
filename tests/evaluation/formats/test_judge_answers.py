"""answers.jsonl: each answer is there at once, a torn line is cut off, and nobody's file is spoiled.

matches.jsonl of a matcher: written, read again, and refused where it is damaged.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sweeps import cases, every
from tidings.core.errors import FormatError, OutputError, StoreError
from tidings.core.records import Nugget, PossibleMatch
from tidings.evaluation.formats.judge_answers import (
    FileAnswers,
    read_possible_matches,
    write_nugget_importance,
    write_possible_matches,
)

GOOD = '{"key":"a","answer":{"text":"ü"}}\n{"key":"b","answer":{"text":"1"}}\n{"key":"a","answer":{"text":"2"}}\n'


def test_an_answer_is_there_at_once_and_the_latest_counts(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with FileAnswers(path) as book:
        book.put("a", '{"text":"ü"}')
        assert path.read_text("utf-8") == GOOD[: GOOD.index("\n") + 1]
        book.put("b", '{"text":"1"}')
        book.put("a", '{"text":"2"}')
        assert book.get("a") == '{"text":"2"}'
    assert path.read_text("utf-8") == GOOD
    with FileAnswers(path) as book:
        assert (book.get("a"), book.get("b"), book.get("c")) == ('{"text":"2"}', '{"text":"1"}', None)


@every("cut", [*range(0, 40), *range(44, len(GOOD.encode()) + 1, 9)])
def test_stopped_anywhere_whole_lines_are_kept_and_half_ones_go(cut: int, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    left = GOOD.encode()[:cut]
    path.write_bytes(left)
    with FileAnswers(path) as book:
        book.put("c", "3")
        lines = left.count(b"\n")
        assert book.get("b") == ('{"text":"1"}' if lines > 1 else None)
    assert path.read_bytes() == left[: left.rfind(b"\n") + 1] + b'{"key":"c","answer":3}\n'


@every(
    "content, place",
    [
        (b"A letter to nobody", 1),
        (b"A letter to nobody\n", 1),
        (GOOD.encode() + b'{"id": "d"}\n', 4),
        (GOOD.encode() + b"\n", 4),
        (GOOD.encode() + b"My notes", 4),
        (b'{"key":"a","answer":"\xff"}\n', 1),
    ],
)
def test_another_file_stays_as_it_is(content: bytes, place: int, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=rf"a.jsonl:{place}: .* \(expected a question and its answer"):
        FileAnswers(path)
    assert path.read_bytes() == content


def test_two_processes_do_not_write_to_one(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    path = tmp_path / "a.jsonl"
    with FileAnswers(path), pytest.raises(StoreError, match="another process writes answers there"):
        FileAnswers(path)
    FileAnswers(path).__exit__(None, None, None)


def test_a_place_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"a\.jsonl: could not be written"):
        FileAnswers(tmp_path / "no" / "a.jsonl")


def test_importance_is_a_table(tmp_path: Path) -> None:
    weighed = [(Nugget("e", "N1", 0, 1, "A\tfire\n \ud800"), "vital"), (Nugget("e", "N2", 0, 1, "Two"), "")]
    assert write_nugget_importance(tmp_path / "i.tsv", weighed) == 2
    table = "event\tnugget\timportance\ttext\ne\tN1\tvital\tA fire ?\ne\tN2\t\tTwo\n"
    assert (tmp_path / "i.tsv").read_text("utf-8") == table


PAIRS = (
    PossibleMatch("TS14.11", "60-a-0", "VMTS14.11.1", 0.25, 0, 4),
    PossibleMatch("TS14.11", "60-a-0", "VMTS14.11.2", 1.0, 2, 2),
)


def test_what_is_written_is_read_again(tmp_path):
    path = tmp_path / "matches.jsonl.gz"
    assert write_possible_matches(path, iter(PAIRS)) == 2
    assert read_possible_matches(path) == PAIRS
    assert write_possible_matches(path, ()) == 0
    assert read_possible_matches(path) == ()


@every(
    "key, value, said",
    cases(__file__, "a damaged line is named"),
)
def test_a_damaged_line_is_named(tmp_path, key, value, said):
    import json

    line = {
        "event": "1",
        "update": "a-0",
        "nugget": "N",
        "probability": 0.5,
        "start": 0,
        "end": 4,
        key: value,
    }
    path = tmp_path / "matches.jsonl"
    path.write_text(json.dumps(line) + "\n")
    with pytest.raises(FormatError, match=r"matches.jsonl:1") as caught:
        read_possible_matches(path)
    assert said in str(caught.value)
