"""`tidings entities`, and `follow --entities`: from a stream to rankings that can be scored and shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.sweeps import cases, every
from tidings.cli import run as tidings
from tidings.following.outputs.outputs import read_updates
from tidings.sources import bundled


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


@every("kept", ["file", "store"])
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
    assert "system 'cosine' (expected one of" in capsys.readouterr().err
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
    assert "--entities with --out" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


class TestExplain:
    ANY = ("explain", str(bundled.path()), "--event", "all")
    COMMAND = (*ANY, "--system", "frequency")

    def test_names_place_and_features(self, ranked: Path, capsys: pytest.CaptureFixture[str]) -> None:
        command = [*self.COMMAND, "--day", "2013-07-25", "--entity", "mariano RAJOY", "--format", "json"]
        assert tidings(command) == 0
        said = json.loads(capsys.readouterr().out)
        assert (said["name"], said["type"], said["date"]) == ("Mariano Rajoy", "PER", "2013-07-25")
        assert 1 <= said["place"] <= said["entities"]
        assert any("Rajoy" in sentence["text"] for sentence in said["sentences"])
        assert len(said["contributions"]) >= 1
        assert tidings([*command[:-2]]) == 0
        shown = capsys.readouterr().out
        assert f"place {said['place']} of {said['entities']}" in shown

    @every("system", ["frequency", "frequency:query_names=yes"])
    def test_agrees_with_what_is_ranked(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], system: str
    ) -> None:
        out = tmp_path / "e.jsonl"
        command = ["entities", str(bundled.path()), "--event", "all", "--out", str(out), "--quiet"]
        assert tidings([*command, "--system", system]) == 0
        (run,) = read_updates(out)
        for ranking in run.rankings[1:4]:
            name = ranking.entities[2]
            asked = [*self.ANY, "--system", system, "--day", ranking.date, "--entity", name]
            assert tidings([*asked, "--format", "json"]) == 0
            said = json.loads(capsys.readouterr().out)
            assert (said["place"], said["name"]) == (3, name)
            assert said["score"] == pytest.approx(ranking.scores[2])

    def test_says_that_a_name_of_the_query_is_left_out(self, capsys: pytest.CaptureFixture[str]) -> None:
        asked = [*self.ANY, "--day", "2013-07-25", "--entity", "Santiago de Compostela"]
        for system, is_left_out in (("frequency", True), ("frequency:query_names=yes", False)):
            assert tidings([*asked, "--system", system]) == 0
            assert ("is left out" in capsys.readouterr().out) is is_left_out

    @every(
        "day, entity, message",
        cases(__file__, "what is not there"),
    )
    def test_what_is_not_there(
        self, day: str, entity: str, message: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert tidings([*self.COMMAND, "--day", day, "--entity", entity]) == 2
        assert message in capsys.readouterr().err
