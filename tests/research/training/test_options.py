"""Options of trainers: what people write is read, and what is wrong is said in the same words for all."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

import pytest
from msgspec import Meta, Struct
from msgspec.structs import replace as changed

from tests.research.training.alike import alike
from tests.research.training.conftest import make_year
from tests.sweeps import every
from tidings.cli import run as tidings
from tidings.core.errors import UsageError
from tidings.core.models.files import read_model
from tidings.evaluation.matching.learned import NuggetMatcher, judged_event_texts, judged_rows, learn_matcher
from tidings.research.training.labelled_events import load_events
from tidings.research.training.matcher import train
from tidings.research.training.trainers import TRAINERS, Training, read_options, trainer_of
from tidings.sources import bundled
from tidings.sources.streams import read_judgments


class Options(Struct, frozen=True, kw_only=True):
    rate: Annotated[float, Meta(gt=0)] = 0.5
    rounds: Annotated[int, Meta(ge=1)] = 2
    noisy: bool = False
    kind: Literal["few", "many"] = "few"
    limit: float | None = None


@every(
    "given, expected",
    [
        ({}, Options()),
        ({"rate": ".25", "rounds": " 3 "}, Options(rate=0.25, rounds=3)),
        ({"rate": "1e-3", "limit": "2"}, Options(rate=0.001, limit=2.0)),
        ({"noisy": "yes", "kind": "many"}, Options(noisy=True, kind="many")),
        ({"noisy": "False"}, Options(noisy=False)),
    ],
)
def test_texts_become_values(given, expected) -> None:
    assert read_options(Options, given, "own") == expected


@every(
    "given, words",
    [
        ({"rat": "1"}, "option 'rat' (expected one of rate, rounds, noisy, kind, limit"),
        ({"rate": "0"}, "option rate: '0' (expected a number > 0"),
        ({"rate": "nan"}, "option rate: 'nan' (expected a number"),
        ({"rate": "-inf"}, "option rate: '-inf' (expected a number"),
        ({"rounds": "0"}, "option rounds: '0' (expected a whole number >= 1"),
        ({"rounds": "2.5"}, "option rounds: '2.5' (expected a whole number"),
        ({"rounds": "9" * 5000}, "option rounds: '999"),
        ({"noisy": "perhaps"}, "option noisy: 'perhaps' (expected yes or no"),
        ({"kind": "some"}, "option kind: 'some' (expected one of"),
    ],
)
def test_what_is_wrong_is_said(given, words) -> None:
    with pytest.raises(UsageError) as caught:
        read_options(Options, given, "own")
    assert str(caught.value).startswith("training own: ") and words in str(caught.value)


@every(
    "system, name, text",
    [
        *((system, "speeed", "1") for system in TRAINERS),
        ("apsal", "samples", "1"),
        ("ius", "depth", "99"),
        ("l2s", "samples", "0"),
        ("l2s", "ridge", "much"),
        ("l2s", "iterations", "1"),
        ("nnrl", "discount", "1"),
        ("nnrl", "rounds", "many"),
        ("nnrl", "select", "F1"),
        ("tidings", "rounds", "x"),
        ("tidings", "rounds", "0"),
        ("tidings", "ridge", "nan"),
    ],
)
def test_all_trainers_refuse_in_the_same_words(event, system, name, text) -> None:
    if system == "hres":
        pytest.importorskip("torch")
    named = rf"training {system}: option ('speeed' \(expected one of|{name}: '{text}' \(expected )"
    with pytest.raises(UsageError, match=named):
        trainer_of(system)([event], [], Training(system, {name: text}))


def test_a_language_that_is_unknown_is_refused(event) -> None:
    with pytest.raises(UsageError, match="klingon"):
        trainer_of("tidings")([event], [], Training("tidings", {"language": "klingon"}))


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
