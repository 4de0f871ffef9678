"""`tidings train matcher`: learned from what assessors matched, with a card, and refused where nothing is matched."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from msgspec.structs import replace as changed

from tests.research.training.alike import alike
from tests.research.training.conftest import make_year
from tidings.cli import run as tidings
from tidings.core.errors import UsageError
from tidings.core.models.files import read_model
from tidings.evaluation.matching.learned import NuggetMatcher, judged_event_texts, judged_rows, learn_matcher
from tidings.research.training.labelled_events import load_events
from tidings.research.training.matcher import train
from tidings.research.training.trainers import Training
from tidings.sources import bundled
from tidings.sources.streams import read_judgments


def test_the_verb_writes_a_model_with_a_card(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    year = make_year(tmp_path / "2030", ["A.1", "A.2", "A.3"])
    out = tmp_path / "matcher.safetensors"
    arguments = ["train", "matcher", "-j", str(year), "-o", str(out), "--seed", "3", "--set", "steps=20"]
    assert tidings([*arguments, "--without", "A.2"]) == 0
    said = " ".join(capsys.readouterr().err.split())
    assert "matcher learned from 2 events" in said
    assert "average precision and the best F1 of events left out" in said
    card = read_model("matcher", out).card
    assert (card.system, card.seed) == ("matcher", 3)
    assert [(one.name, one.events) for one in card.data] == [("2030 (learned from)", ("A.1", "A.3"))]
    assert len(card.data[0].digest) == 64
    assert card.command.startswith(f"tidings train matcher --judgments {year} ")
    assert card.command.endswith("--seed 3 --without A.2 --development none --set steps=20")
    assert 0 < card.scores["average precision"] <= 1
    assert 0 < card.scores["F1"] <= 1
    assert "matched pairs" in card.notes
    folder = str(bundled.path())
    assert tidings(["match", "-j", folder, "-o", str(tmp_path / "m.jsonl"), "--model", str(out)]) == 0
    assert (tmp_path / "m.jsonl").stat().st_size


@pytest.mark.long
def test_what_is_learned_is_that_of_the_judgments_of_the_events_given(tmp_path: Path) -> None:
    year = make_year(tmp_path / "2030", ["A.1", "A.2", "A.3"])
    first, second, third = load_events([year])
    learned = train([first], [third], Training("matcher", {"steps": "5"}))
    rows = [judged_rows(one) for one in judged_event_texts(read_judgments(year)) if one.event_id != "A.2"]
    assert [one.event_id for one in rows] == ["A.1", "A.3"]
    assert alike(learned.arrays, learn_matcher(rows, steps=5).export()[0])
    assert not alike(learned.arrays, train([first, second], [], Training("matcher", {"steps": "5"})).arrays)
    alone = train([first], [], Training("matcher", {"steps": "5"}))
    assert (alone.scores, alone.about_scores) == ({}, ""), "one event leaves none to be tested on"


def test_events_without_matches_are_refused(event) -> None:
    for unmatched in (
        replace(event, judgments=None),
        replace(event, judgments=changed(event.judgments, matches=())),
    ):
        with pytest.raises(UsageError, match="training matcher: no update that is matched"):
            train([unmatched], [], Training("matcher", {}))


def test_the_card_of_the_weights_that_come_along_names_the_verb() -> None:
    card = read_model("matcher").card
    assert card.command.startswith("tidings train matcher ")
    assert card.data and all(one.digest for one in card.data)
    assert card.scores["average precision"] > 0.2
    assert NuggetMatcher()
