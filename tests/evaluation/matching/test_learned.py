"""What is told of a pair, and what is learned from assessors' matches."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tidings.cli import run as tidings
from tidings.core.errors import UsageError
from tidings.core.models.files import Model, read_model, write_model_bytes
from tidings.core.records import ModelCard, Nugget, PooledUpdate
from tidings.core.text.tokens import shared_analyzer
from tidings.evaluation.formats.judge_answers import read_possible_matches
from tidings.evaluation.matching.features import (
    NAMES,
    RISING,
    number_agreement,
    pair_containment,
    pair_features,
)
from tidings.evaluation.matching.learned import (
    JudgedRows,
    NuggetMatcher,
    learn_matcher,
    out_of_fold,
    read_weights,
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
    assert min(one.probability for one in pairs) >= 0.05
    assert tidings(["match", "-j", folder, "-o", str(out), "--by", "sum", "--model", "x"]) == 2
    assert "--by learned" in capsys.readouterr().err
    assert not list(NuggetMatcher().match([], []))
