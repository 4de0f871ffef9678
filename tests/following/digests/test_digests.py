"""Digests as JSON Lines: a day a line, and back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sweeps import every
from tidings.core.errors import FormatError
from tidings.core.records import Digest, DigestDay, Event, Evidence
from tidings.following.digests.timeline_files import (
    holds_digests,
    read_digests,
    read_timeline_runs,
    write_digests,
)

SAID = Evidence("a1", 3, "The rig\nsank.", 86_400, "Wire", "Rig sinks", "https://example.org/a")
DAYS = (DigestDay("2010-04-22", (SAID,), 12), DigestDay("2010-04-23", ()))


def digest(event: str = "oil") -> Digest:
    return Digest(event=Event(id=event, title="", query=""), system="ours", days=DAYS)


def test_come_back_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    write_digests(path, [digest(), digest("gas")])
    assert read_digests(path) == [digest(), digest("gas")]
    assert holds_digests(path)


def test_are_scored_as_timelines(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    write_digests(path, [digest()])
    (run,) = read_timeline_runs(path)
    assert [(day.date, day.sentences) for day in run.timelines[0].days] == [
        ("2010-04-22", ("The rig sank.",)),
        ("2010-04-23", ()),
    ]
    assert not run.by_topic
    write_digests(path, [digest(), digest("gas")])
    (run,) = read_timeline_runs(path)
    assert run.by_topic
    assert [one.name for one in run.timelines] == ["oil", "gas"]


def test_say_which_line_is_bad(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    path.write_text('{"event": "e", "date": "22 April", "sentences": []}\n{"event": "e"}\n')
    with pytest.raises(FormatError) as raised:
        read_digests(path)
    assert f"{path}:1: the date '22 April' (expected a day such as 2010-04-20)" in str(raised.value)
    assert f"{path}:2:" in str(raised.value)


@every("line", ["", "[[]]", '{"event": "e", "doc": "d"}', "\xff", '{"date": 1, "sentences": []}'])
def test_are_told_from_other_lines(tmp_path: Path, line: str) -> None:
    path = tmp_path / "d.jsonl"
    path.write_text(line, encoding="latin-1")
    assert not holds_digests(path)
