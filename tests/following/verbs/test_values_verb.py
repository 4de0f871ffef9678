"""`tidings values`: what it writes, how it is scored, and what it says when something is wrong."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.sweeps import every
from tidings.cli import run
from tidings.sources import bundled

EVENT = str(bundled.path())


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture(scope="module")
def tracked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("values") / "v.jsonl"
    assert run(["values", EVENT, "--event", "all", "--lateness", "6h", "--out", str(out), "-q"]) == 0
    return out


def test_writes_a_line_whenever_a_value_changes(tracked: Path) -> None:
    card, *values = lines(tracked)
    assert (card["kind"], card["system"]) == ("run", "values")
    assert {value["kind"] for value in values} == {"value"}
    deaths = [value for value in values if value["attribute"] == "deaths"]
    assert [value["value"] for value in deaths][-3:] == [80, 78, 79]
    last = deaths[-1]
    assert last["event"] == "santiago-2013"
    assert isinstance(last["time"], int)
    assert 0 < last["confidence"] <= 1
    assert {"doc", "sentence", "text", "published_time", "source"} <= set(last["evidence"][0])
    assert deaths[1]["reported"] == [10, 20]
    assert "reported" not in last, "78 had stood for days when the toll rose"


def test_is_scored_as_the_track_scores_in_every_form(tracked: Path, tmp_path: Path, capfd) -> None:
    table = tmp_path / "v.tsv"
    command = [
        "values",
        EVENT,
        "--event",
        "all",
        "--lateness",
        "6h",
        "--format",
        "trec",
        "--out",
        str(table),
        "-q",
    ]
    assert run(command) == 0
    rows = [line.split("\t") for line in table.read_text().splitlines()]
    assert {len(row) for row in rows} == {9}
    assert {row[6] for row in rows} <= {"deaths", "injuries", "displaced", "financialimpact", "location"}
    scores = []
    for path in (tracked, table, f"{tracked}.db"):
        capfd.readouterr()
        assert run(["score", str(path), "-j", EVENT, "--rules", "values-2013", "-f", "csv"]) == 0
        scores.append(capfd.readouterr().out.splitlines()[1].split(",")[-6:])
    assert scores[0] == scores[1] == scores[2]
    assert float(scores[0][0]) < 4


def test_a_run_without_values_is_refused_by_that_score(tmp_path: Path, capfd) -> None:
    out = tmp_path / "u.jsonl"
    assert run(["follow", EVENT, "--event", "all", "--system", "first", "--out", str(out), "-q"]) == 0
    capfd.readouterr()
    assert run(["score", str(out), "-j", EVENT, "--rules", "values-2013"]) == 2
    assert "no values" in capfd.readouterr().err


def test_values_stand_beside_updates_in_one_pass(tracked: Path, tmp_path: Path) -> None:
    out, alone = tmp_path / "both.jsonl", tmp_path / "alone.jsonl"
    command = ["follow", EVENT, "--event", "all", "--system", "cosine", "--lateness", "6h", "-q", "--out"]
    assert run([*command, str(out), "--values"]) == 0
    assert run([*command, str(alone)]) == 0
    both = lines(out)
    assert both[0]["system"] == "cosine:values=yes"
    plain, own = (
        [{**line, "run": ""} for line in some if line["kind"] == "update"] for some in (both, lines(alone))
    )
    assert plain == own
    beside, apart = (
        [line["value"] for line in some[1:] if line["kind"] == "value" and line["attribute"] == "deaths"]
        for some in (both, lines(tracked))
    )
    assert set(apart) <= {*beside, 77.0} and beside[-1] == apart[-1] == 79
    assert "Sixty people" in str(plain) and 60 in beside and 60 not in apart  # as soon as an update says so


def test_values_are_not_counted_as_updates(tmp_path: Path, capfd) -> None:
    out = tmp_path / "both.jsonl"
    command = [
        "follow",
        EVENT,
        "--event",
        "all",
        "--system",
        "first",
        "--lateness",
        "6h",
        "--values",
        "--out",
        str(out),
    ]
    assert run(command) == 0
    kinds = Counter(line["kind"] for line in lines(out))
    told, said = kinds["update"], f"{kinds['update']:,} updates and {kinds['value']:,} values"
    assert kinds["value"]
    assert f"{said}: {lines(out)[0]['events'][0]['id']} {told:,}" in capfd.readouterr().err
    assert run(command) == 0
    assert f"this run is finished ({said})" in capfd.readouterr().err
    assert run([*command, "--entities", "--restart"]) == 0
    named = Counter(line["kind"] for line in lines(out))["entities"]
    counted = f"{told:,} updates, {kinds['value']:,} values and {named:,} lists of key names: "
    assert named and counted in capfd.readouterr().err


@every("out", ["both.run", "-"])
def test_a_trec_run_cannot_hold_values(tmp_path: Path, capfd, out: str) -> None:
    target = out if out == "-" else str(tmp_path / out)
    assert run(["follow", EVENT, "--event", "all", "--values", "--out", target, "-q"]) == 2
    assert "a TREC run holds updates alone" in capfd.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_the_baselines_are_systems_too(tmp_path: Path) -> None:
    out = tmp_path / "zero.jsonl"
    assert run(["values", EVENT, "--event", "all", "--system", "no-value", "--out", str(out), "-q"]) == 0
    assert {line["value"] for line in lines(out)[1:]} == {0}


def test_values_are_shown_as_they_change(tmp_path: Path, capfd) -> None:
    out = tmp_path / "v.jsonl"
    command = ["values", EVENT, "--event", "all", "--lateness", "6h", "--out", str(out), "--show"]
    assert run(command) == 0
    printed = capfd.readouterr()
    assert "dead reported" in printed.out
    assert "values: santiago-2013" in printed.err


@every("system", ["cosine", "nothing", "values:speed=3", "values:keep=0"])
def test_another_system_is_refused(system: str, tmp_path: Path, capfd) -> None:
    out = tmp_path / "v.jsonl"
    assert run(["values", EVENT, "--event", "all", "--system", system, "--out", str(out)]) == 2
    error = capfd.readouterr().err
    assert "expected" in error
    assert "Traceback" not in error
    assert list(tmp_path.iterdir()) == []


def test_a_query_can_be_tracked(tmp_path: Path) -> None:
    out = tmp_path / "v.jsonl"
    assert (
        run(
            [
                "values",
                EVENT,
                "--query",
                "santiago train derailment",
                "--lateness",
                "6h",
                "--out",
                str(out),
                "-q",
            ]
        )
        == 0
    )
    assert lines(out)[-1]["event"] == "query"
