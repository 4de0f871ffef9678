"""matches.jsonl of a matcher: written, read again, and refused where it is damaged."""

from __future__ import annotations

import pytest

from tests.sweeps import cases, every
from tidings.core.errors import FormatError
from tidings.core.records import PossibleMatch
from tidings.evaluation.formats.judge_answers import read_possible_matches, write_possible_matches

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
