"""`tidings score --matches` and `--automatic`, as a user calls them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.research.training.conftest import make_year
from tests.sweeps import cases, every
from tidings.cli import run as tidings
from tidings.core.records import Run, Update
from tidings.following.outputs.outputs import write_updates
from tidings.sources import bundled
from tidings.sources.streams import read_judgments

EVENT = "santiago-2013"
NEWS = "A passenger train derailed near Santiago de Compostela in Spain."


@pytest.fixture
def told(tmp_path: Path) -> Path:
    """A run of one judged update, and of two that nobody judged."""
    every = read_judgments(bundled.path()).matches
    telling = {one.update_id for one in every if one.nugget_id == "derail"}
    matched = next(one.update_id for one in every if one.update_id not in telling)
    doc, _, index = matched.rpartition("-")
    updates = (
        Update(EVENT, doc, int(index), 1374700000),
        Update(EVENT, "new", 0, 1374700100, 1.0, NEWS),
        Update(EVENT, "wordless", 0, 1374700200),
    )
    path = tmp_path / "run.jsonl"
    write_updates(path, [Run("us", "a", updates)])
    return path


@pytest.fixture
def matches(tmp_path: Path) -> Path:
    path = tmp_path / "matches.jsonl"
    line = {"event": EVENT, "update": "new-0", "nugget": "derail", "probability": 0.5, "start": 0, "end": 30}
    path.write_text(json.dumps(line) + "\n")
    return path


def score(*arguments: object) -> int:
    return tidings(["score", *map(str, arguments), "--judgments", str(bundled.path())])


def rows(text: str) -> dict[tuple[str, str, str], dict[str, float]]:
    lines = [json.loads(line) for line in text.splitlines()]
    return {(one["event"], one["by"], one["measure"]): one for one in lines}


def test_each_way_of_judging_is_named_in_every_form(told: Path, matches: Path, capsys) -> None:
    assert score(told, "--matches", matches, "-m", "C,H", "--draws", 40) == 0
    shown = capsys.readouterr()
    head, _, *lines = shown.out.splitlines()
    assert head.split() == ["team", "run", "event", "by", "C", "H"]
    assert [re.split(r"\s{2,}", line)[3] for line in lines] == [
        "people",
        "automatic",
        "expected",
        "2.5 %",
        "97.5 %",
    ]
    assert (
        "of 3 updates 1 judged by people, 1 by the matcher, 1 by nobody, because their text is missing"
        in shown.err
    )
    assert "automatic: with the matcher's pairs of at least 0.134" in shown.err
    assert score(told, "--matches", matches, "-m", "C", "--per-event", "-f", "jsonl", "--draws", 40) == 0
    by = rows(capsys.readouterr().out)
    assert list(dict.fromkeys(event for event, _, _ in by)) == [EVENT, "all"]
    people, automatic, expected = (by["all", name, "C"] for name in ("people", "automatic", "expected"))
    assert people["value"] < automatic["value"]
    assert expected["low"] == pytest.approx(people["value"])
    assert expected["high"] == pytest.approx(automatic["value"])
    assert expected["low"] < expected["value"] < expected["high"]
    assert set(people) == {"team", "run", "event", "by", "measure", "value"}
    for form in ("csv", "tsv", "markdown", "latex"):
        assert score(told, "--matches", matches, "-f", form, "--draws", 2) == 0
        out = capsys.readouterr().out
        assert all(word in out for word in ("people", "automatic", "expected", "97.5"))
        assert ("cH" in out) == (form in ("csv", "tsv"))


def test_how_matches_are_taken_is_chosen(told: Path, matches: Path, capsys) -> None:
    def of(*options: object) -> dict[str, float]:
        assert score(told, "--matches", matches, "-m", "C", "-f", "jsonl", *options) == 0
        by = rows(capsys.readouterr().out)
        return {name: by["all", name, "C"]["value"] for name in ("people", "automatic", "expected")}

    usual = of()
    assert of("--threshold", 0.6)["automatic"] == usual["people"]
    assert of("--seed", 1)["expected"] != usual["expected"]
    assert of("--spread", 0)["expected"] != usual["expected"]
    assert of("--draws", 3)["expected"] != usual["expected"]
    wrong = matches.read_text().replace("new-0", read_judgments(bundled.path()).pool[0].id)
    matches.write_text(matches.read_text() + wrong)
    assert of()["expected"] < of("--no-calibrate")["expected"], "people matched none of what else is likely"
    over_all = of("--mean", "all")
    assert over_all["automatic"] == pytest.approx(usual["automatic"]), "there is one event"
    only = of("--matches-only")
    assert only["people"] == usual["people"]
    assert only["automatic"] == pytest.approx(usual["automatic"] - usual["people"])


@pytest.mark.long
def test_a_program_matches_here_and_now(told: Path, tmp_path: Path, capsys) -> None:
    out = tmp_path / "scores.jsonl"
    assert score(told, "--automatic", "-m", "C", "--out", out, "--draws", 20) == 0
    by = rows(out.read_text())
    assert by["all", "automatic", "C"]["value"] > by["all", "people", "C"]["value"]
    assert "learned from" not in capsys.readouterr().err, "from other events"


def test_a_program_that_learned_from_the_judged_events_is_named(tmp_path: Path, capsys) -> None:
    make_year(tmp_path / "year", ["TS13.1"])
    run = tmp_path / "run.jsonl"
    write_updates(run, [Run("us", "a", (Update("TS13.1", "d", 0, 5, 1.0, "a ferry sank"),))])
    command = ["score", str(run), "-j", str(tmp_path / "year"), "--automatic", "-m", "C", "--draws", "2"]
    assert tidings(command) == 0
    assert "the matcher learned from 1 of the judged events" in capsys.readouterr().err


REFUSED = tuple(cases(__file__, "refused"))


@every("options, said", REFUSED)
def test_what_makes_no_sense_is_refused(told: Path, matches: Path, capsys, options, said) -> None:
    given = [str(one).replace("{}", str(matches)) for one in options]
    assert score(told, *given) == 2
    assert said in capsys.readouterr().err


def test_matches_of_other_events_are_refused(told: Path, matches: Path, capsys) -> None:
    matches.write_text(matches.read_text().replace(EVENT, "another"))
    assert score(told, "--matches", matches) == 2
    assert "no pair is of a judged event" in capsys.readouterr().err


def test_an_unknown_event_is_named_with_its_line(told: Path, matches: Path, capsys) -> None:
    told.write_text(told.read_text().replace(EVENT, "elsewhere"))
    assert score(told, "--matches", matches) == 2
    assert f"{told}:1: event 'elsewhere'" in capsys.readouterr().err
