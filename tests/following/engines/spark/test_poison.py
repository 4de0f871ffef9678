"""A query goes on after documents that cannot be read, and says of each where it is and why."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.following.engines.poison import POISON, document, write_poison
from tidings.cli import run

pytestmark = [pytest.mark.spark, pytest.mark.usefixtures("session")]


def test_every_fault_in_one_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, out = tmp_path / "in", tmp_path / "out.run"
    folder.mkdir()
    for name in POISON:
        write_poison(folder, name)
    (folder / "whole.jsonl").write_bytes(document("whole") + b"\n")
    command = ["follow", str(folder), "--query", "storm", "--system", "first:min_words=0", "--out", str(out)]
    assert run([*command, "--engine", "spark", "--partitions", "2"]) == 0
    said = capsys.readouterr().err
    bad = Path(f"{out}.checkpoint") / "bad-records"
    records = [json.loads(line) for path in bad.glob("*.jsonl") for line in path.read_bytes().splitlines()]
    expected = {
        f"{folder / name}{place}": words for name, (faults, _) in POISON.items() for place, words in faults
    }
    assert {record["where"]: True for record in records} == dict.fromkeys(expected, True)
    assert all(expected[record["where"]] in record["found"] and record["expected"] for record in records)
    assert f"{len(expected)} records could not be read; see {bad}" in said
    documents = 1 + sum(whole for _, whole in POISON.values())
    assert f"{documents} documents" in said
    assert out.read_bytes().count(b"\n") == documents
