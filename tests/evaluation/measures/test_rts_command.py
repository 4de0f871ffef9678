"""`tidings score` with the rules of tweets, as a script calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tidings.cli import run
from tidings.evaluation.measures.rts_rules import RULES

BEGIN = 1501286400  # 29 July 2017


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Judgments of one topic with one cluster on the first of eight days."""
    (tmp_path / "batch-qrels.txt").write_text("RTS1 Q0 1 2\nRTS1 Q0 2 -2\n")
    (tmp_path / "batch-clusters.json").write_text('{"RTS1": {"clusters": {"c": {"tweets": ["1"]}}}}')
    (tmp_path / "batch-tweets2dayepoch.txt").write_text(f"1 20170729 {BEGIN}\n2 20170730 {BEGIN + 86400}\n")
    (tmp_path / "mobile-qrels.txt").write_text("RTS1 1 1470100000 2\n")
    return tmp_path


def scores(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> dict[tuple[str, str, str], float]:
    """(run, event, measure) to value."""
    assert run(["score", *map(str, arguments), "--per-event", "--format", "jsonl"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert all(set(line) == {"team", "run", "event", "measure", "value"} for line in lines)
    return {(line["run"], line["event"], line["measure"]): line["value"] for line in lines}


def test_pushes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every measure has its name and its value for each topic."""
    path = folder / "a.run"
    path.write_text("RTS1\t1\t0729-00:00:09\tus\nRTS1\t2\t0730-00:00:09\tus\n")
    found = scores(capsys, path, "-j", folder, "--rules", "rts-2017-a")
    names = "EG-1 EG-0 EG-p nCG-1 nCG-0 nCG-p GMP@.33 GMP@.5 GMP@.66 latency_mean latency_median pushes"
    assert [name for _, event, name in found if event == "RTS1"] == names.split()
    assert found["us", "RTS1", "EG-1"] == (1 + 6) / 8
    assert found["us", "all", "EG-p"] == pytest.approx((1 + 6 + 0.9) / 8)
    assert found["us", "RTS1", "latency_mean"] == 9
    assert found["us", "RTS1", "GMP@.5"] == 0.5 / 8
    found = scores(capsys, path, "-j", folder, "--rules", "rts-2017-a", "--mode", "guideline", "-m", "GMP@.5")
    assert found["us", "RTS1", "GMP@.5"] == 0


@pytest.mark.parametrize(
    ("rules", "name", "value"), [("rts-2017-a", "EG-1", 7 / 8), ("rts-2017-b", "nDCG@10-p", 7 / 8)]
)
def test_an_empty_run_is_right_about_silent_days(
    folder: Path, capsys: pytest.CaptureFixture[str], rules: str, name: str, value: float
) -> None:
    path = folder / "silence.run"
    path.write_text("")
    assert scores(capsys, path, "-j", folder, "--rules", rules)["silence", "all", name] == value


def test_telephones(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "a.run"
    path.write_text("RTS1 1 1470100000 us\n")
    assert scores(capsys, path, "-j", folder, "--rules", "rts-2016-mobile")["us", "all", "P-strict"] == 1


def test_timelines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "qrels.txt").write_text("MB1 Q0 1 2\n")
    (tmp_path / "clusters.json").write_text('{"topics": {"MB1": {"clusters": [["1"]]}}}')
    path = tmp_path / "ttg.run"
    path.write_text("MB1 Q0 1 1 1.0 us\nMB1 Q0 2 2 0.5 us\n")
    found = scores(capsys, path, "-j", tmp_path, "--rules", "ttg-2014")
    names = [name for _, event, name in found if event == "MB1"]
    assert set(names) == {"cP", "cR", "cRw", "F1", "F1w", "cPw"}
    assert found["us", "MB1", "cP"] == 0.5


def test_what_is_wrong_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "a.run"
    path.write_text("RTS1 1 5 us\nRTS1 1 us\nRTS7 1 5 us\n")
    assert run(["score", str(path), "-j", str(folder), "--rules", "rts-2017-a"]) == 2
    assert f"{path}:2: 3 columns" in capsys.readouterr().err
    assert run(["score", str(path), "-j", str(folder), "--rules", "rts-2017-a", "--lenient"]) == 0
    said = capsys.readouterr().err
    assert "skipped 1 bad line" in said
    assert "run us tells of RTS7, for which there are no judgments: left out" in said
    assert run(["score", str(path), "-j", str(folder), "--rules", "rts-2017-a", "-m", "EG"]) == 2
    assert "did you mean" in capsys.readouterr().err
    assert run(["score", str(path), "-j", str(folder / "none"), "--rules", "rts-2017-a"]) == 2
    assert "there is no such folder" in capsys.readouterr().err


@pytest.mark.parametrize("rules", ["mb-2015-a", "mb-2015-b", "rts-2016-a", "rts-2016-b"])
def test_judgments_of_another_year_are_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], rules: str
) -> None:
    """No tweet of theirs is of the evaluation, so every day would look silent and every run perfect."""
    path = folder / "silence.run"
    path.write_text("")
    assert run(["score", str(path), "-j", str(folder), "--rules", rules]) == 2
    assert f"tweets of 20170729 to 20170730 (expected some of {RULES[rules].first_day}" in (
        capsys.readouterr().err
    )
