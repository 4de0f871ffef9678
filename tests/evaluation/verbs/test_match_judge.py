"""`tidings match --judge`: what it writes, what it says, and how it goes on after it was stopped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.analysis.judges.stand_in import StandIn, labelled, running
from tests.sweeps import cases, every
from tidings.cli import run as tidings
from tidings.core.records import Run, Update
from tidings.evaluation.formats.judge_answers import read_possible_matches
from tidings.following.outputs.outputs import write_updates

EVENT = {"id": "e", "title": "Ferry fire", "query": "ferry fire", "start_time": 0, "end_time": 900}
TEXTS = ["The ferry burned off the coast.", "Twelve people died on the ferry.", "A goal was scored."]
NUGGETS = ["The ferry burned", "Twelve people died"]
MATCH = ["match", "-j", "event", "--by", "containment", "--least", "0.2", "--out", "matches.jsonl"]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A judged event, to stand in."""
    folder = tmp_path / "event"
    folder.mkdir()
    (folder / "event.json").write_text(json.dumps(EVENT))
    document = {"id": "d", "published_time": 60, "sentences": TEXTS}
    (folder / "documents.jsonl").write_text(json.dumps(document) + "\n")
    lines = [
        {"event": "e", "id": f"N{number}", "time": 50, "importance": 1, "text": text}
        for number, text in enumerate(NUGGETS)
    ]
    (folder / "nuggets.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def server() -> Iterator[StandIn]:
    with running(labelled()) as stand_in:
        yield stand_in


def pairs(path: Path) -> dict[tuple[str, str], float]:
    return {(one.update_id, one.nugget_id): one.probability for one in read_possible_matches(path)}


def test_the_judge_decides_and_is_not_asked_again(
    place: Path, server: StandIn, capsys: pytest.CaptureFixture[str]
) -> None:
    server.rule = labelled(lambda name: "partial" if name == "N1" else "not")
    command = [*MATCH, "--judge", f"{server.url},model=m"]
    assert tidings(command) == 0
    written = (place / "matches.jsonl").read_bytes()
    assert pairs(place / "matches.jsonl") == {("d-1", "N1"): 0.4}
    words = capsys.readouterr().err
    assert "the judge was asked 2 questions: 1 partial, 2 not\n" in words
    assert "what was asked and answered is in matches.answers.jsonl" in words
    assert all("Event: Ferry fire\n" in prompt for prompt in server.prompts)
    assert tidings(command) == 0
    assert (place / "matches.jsonl").read_bytes() == written
    assert len(server.requests) == 2
    (place / "matches.jsonl").unlink()
    assert tidings([*command[:-1], f"{server.url},model=m,partial=.7"]) == 0
    assert pairs(place / "matches.jsonl") == {("d-1", "N1"): 0.7}
    assert len(server.requests) == 2


def test_of_a_run_only_its_updates_are_asked_about(place: Path, server: StandIn) -> None:
    write_updates(place / "run.jsonl", [Run("us", "a", (Update("e", "d", 0, 60),))])
    assert tidings([*MATCH, "run.jsonl", "--judge", f"{server.url},model=m"]) == 0
    assert pairs(place / "matches.jsonl") == {("d-0", "N0"): 0.8}
    (prompt,) = server.prompts
    assert TEXTS[0] in prompt


def test_importance_and_answers_go_where_they_are_told(
    place: Path, server: StandIn, capsys: pytest.CaptureFixture[str]
) -> None:
    server.rule = labelled(lambda name: "support" if "Update:" in server.prompts[-1] else "okay")
    options = ["--judge", f"{server.url},model=m", "--importance", "i.tsv", "--answers", "kept.jsonl"]
    assert tidings([*MATCH, *options]) == 0
    table = (
        "event\tnugget\timportance\ttext\ne\tN0\tokay\tThe ferry burned\ne\tN1\tokay\tTwelve people died\n"
    )
    assert (place / "i.tsv").read_text() == table
    assert len((place / "kept.jsonl").read_text().splitlines()) == 3
    assert not (place / "matches.answers.jsonl").exists()
    assert (
        "importance of 2 nuggets, in i.tsv: the judge was asked 1 question: 2 okay" in capsys.readouterr().err
    )


def test_what_was_not_answered_is_said(
    place: Path, server: StandIn, capsys: pytest.CaptureFixture[str]
) -> None:
    server.ways += ["garbage"]
    assert tidings([*MATCH, "--judge", f"{server.url},model=m,calls=1"]) == 0
    words = capsys.readouterr().err
    assert "the judge was asked 1 question: no label; 1 without an answer (1 unreadable); the last: " in words
    assert "; 2 pairs were not asked about: an event has 1 questions\n" in words
    assert len(pairs(place / "matches.jsonl")) == 3


def test_nobody_at_the_address_leaves_what_was_answered(
    place: Path, server: StandIn, capsys: pytest.CaptureFixture[str]
) -> None:
    judge = f"{server.url},model=m"
    server.ways += ["", "401"]
    assert tidings([*MATCH, "--judge", judge]) == 0  # once it has answered, what it refuses ends nothing
    (place / "matches.jsonl").unlink()
    server.ways += ["401"]
    assert tidings([*MATCH, "--judge", judge]) == 2
    error = capsys.readouterr().err
    assert "the judge refused the question with 401" in error
    assert "Traceback" not in error
    assert not (place / "matches.jsonl").exists()
    assert tidings([*MATCH, "--judge", judge]) == 0
    assert len(server.requests) == 4


@every(
    "options, words",
    cases(__file__, "what does not fit", lists=True),
)
@pytest.mark.usefixtures("place")
def test_what_does_not_fit(options: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert tidings([*MATCH, *options]) == 2
    assert words in capsys.readouterr().err
