"""`tidings entities`, and `follow --entities`: from a stream to rankings that can be scored and shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tidings import bundled
from tidings.cli import run as tidings
from tidings.formats.own.outputs import read_updates


@pytest.fixture(scope="module")
def ranked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("entities") / "e.jsonl"
    assert tidings(["entities", str(bundled.path()), "--event", "all", "--out", str(out), "--quiet"]) == 0
    return out


def test_a_line_for_each_day_with_news(ranked: Path) -> None:
    lines = [json.loads(line) for line in ranked.read_text().splitlines()]
    assert lines[0]["kind"] == "run"
    days = lines[1:]
    assert [day["kind"] for day in days] == ["entities"] * len(days)
    assert [day["date"] for day in days] == [f"2013-07-{n}" for n in range(24, 25 + len(days) - 1)]
    for day in days:
        assert len(day["entities"]) == len(day["types"]) == len(day["evidence"]) == len(day["new"])
        assert all(one["text"] and one["source"] for one in day["evidence"])


def test_what_is_written_is_read_again(ranked: Path) -> None:
    (run,) = read_updates(ranked)
    lines = [json.loads(line) for line in ranked.read_text().splitlines()][1:]
    assert [list(ranking.ids) for ranking in run.rankings] == [line["ids"] for line in lines]
    assert [list(ranking.new) for ranking in run.rankings] == [line["new"] for line in lines]
    assert run.rankings[0].evidence[0].text == lines[0]["evidence"][0]["text"]


@pytest.mark.parametrize("kept", ["file", "store"])
def test_is_scored_from_its_file_and_from_its_store(
    ranked: Path, kept: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run = str(ranked) if kept == "file" else f"{ranked}.db"
    command = ["score", run, "-j", str(bundled.path()), "--rules", "entities-2015", "--format", "jsonl"]
    assert tidings(command) == 0
    scores = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert any(one["measure"] == "MAP" and one["value"] > 0.05 for one in scores)


def test_the_same_command_again_gives_the_same_file(ranked: Path) -> None:
    before = ranked.read_bytes()
    assert tidings(["entities", str(bundled.path()), "--event", "all", "--out", str(ranked), "--quiet"]) == 0
    assert ranked.read_bytes() == before


def test_beside_the_updates(ranked: Path, tmp_path: Path) -> None:
    out = tmp_path / "both.jsonl"
    command = [
        "follow",
        str(bundled.path()),
        "--event",
        "all",
        "--system",
        "cosine",
        "--entities",
        "--out",
        str(out),
    ]
    assert tidings([*command, "--interval", "1h", "--quiet"]) == 0
    (run,) = read_updates(out)
    (alone,) = read_updates(ranked)
    assert run.updates
    assert run.rankings == alone.rankings


def test_wrong_words_are_one_clear_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "e.jsonl")
    assert (
        tidings(["entities", str(bundled.path()), "--event", "all", "--system", "cosine", "--out", out]) == 2
    )
    assert "found system 'cosine', expected one of" in capsys.readouterr().err
    command = [
        "follow",
        str(bundled.path()),
        "--event",
        "all",
        "--entities",
        "--out",
        str(tmp_path / "e.run"),
    ]
    assert tidings(command) == 2
    assert "found --entities with --out" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
