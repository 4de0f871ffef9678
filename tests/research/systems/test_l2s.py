"""The learned policy at work: its score by hand, its memory of what was told, its threshold."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from tests.following.systems.streams import FERRY, run, stream
from tidings.core.errors import UsageError
from tidings.core.models.files import Model, Trees, write_model_bytes
from tidings.core.records import ModelCard, Sentence
from tidings.core.text.vectors import unit_vector
from tidings.following.systems.features.extractor import NAMES
from tidings.following.systems.features.word_models import WordModels
from tidings.following.systems.registry import make
from tidings.research.systems.l2s import DYNAMIC, FACTORS, L2S, EmittedSentences, Policy, dynamic, standard

WIDTH = len(NAMES) + len(DYNAMIC) + 1


def policy(seed: int = 0, weights: np.ndarray | None = None) -> Policy:
    rng = np.random.default_rng(seed)
    words = WordModels.from_counts(Counter(ferri=3, fire=2), {"storm": Counter(fire=1)}, Counter(ferri=3), 9)
    trees = Trees(0.1, rng.integers(0, len(NAMES), (5, 3)), rng.random((5, 3)), rng.random((5, 4)))
    if weights is None:
        weights = rng.normal(size=(WIDTH, len(FACTORS)))
    return Policy(words, trees, rng.random(len(NAMES)), rng.random(len(NAMES)) + 0.5, (0.2, 3.0), weights)


def weights_of(**given: float) -> np.ndarray:
    weights = np.zeros((WIDTH, len(FACTORS)))
    names = [*NAMES, *DYNAMIC, "one"]
    for name, value in given.items():
        weights[names.index(name), 0] = value
    return weights


def model_file(folder, chosen: Policy, system: str = "l2s") -> str:
    arrays, settings = chosen.export()
    path = folder / f"{system}.safetensors"
    path.write_bytes(
        write_model_bytes(Model(card=ModelCard(system=system), arrays=arrays, settings=settings))
    )
    return str(path)


@given(st.integers(0, 100), st.floats(-1, 1), st.floats(0, 1), st.integers(0, 9))
def test_score_is_the_conjoined_sum(seed, change, highest, told):
    """The score in parts equals Σ_f Σ_k w[f,k]·x_f·c_k over the whole table."""
    chosen = policy(seed)
    rows = np.random.default_rng(seed + 1).random((3, len(NAMES)))
    values = dynamic(highest, highest * told, told)
    factors = chosen.factors(rows, change)
    for line, static, factor in zip(rows, chosen.static_scores(rows), factors, strict=True):
        base = [*standard(line[None], chosen.mean, chosen.scale)[0], *values, 1.0]
        salience = np.clip((chosen.trees.predict(line[None])[0] - 0.2) * 3.0, -3, 3)
        assert factor == pytest.approx([1.0, salience, change, salience * change])
        whole = np.outer(base, factor) * chosen.weights
        assert chosen.score(static, factor, values) == pytest.approx(whole.sum(), abs=1e-9)


def test_policy_survives_being_written():
    chosen = policy(5)
    again = Policy.read(*chosen.export())
    rows = np.random.default_rng(1).random((4, len(NAMES)))
    assert np.allclose(again.static_scores(rows), chosen.static_scores(rows), atol=1e-4)
    assert np.allclose(again.factors(rows, 0.5), chosen.factors(rows, 0.5), atol=1e-4)


def test_model_with_other_features_is_refused():
    arrays, settings = policy().export()
    settings["features"] = settings["features"][1:]
    with pytest.raises(UsageError, match="train it again"):
        Policy.read(arrays, settings)


@given(st.lists(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=6), min_size=1, max_size=12))
def test_told_by_brute_force(said):
    told, kept = EmittedSentences(5), []
    for stems in said:
        vector = unit_vector(stems)
        cosines = [sum(vector.get(s, 0) * w for s, w in other.items()) for other in kept[-5:]]
        highest, summed = told.near(vector)
        assert highest == pytest.approx(max(cosines, default=0.0))
        assert summed == pytest.approx(sum(cosines))
        told.add(vector)
        kept.append(vector)
        assert len(told) == len(kept[-5:])


def test_a_policy_that_dislikes_repetition_tells_each_thing_once(tmp_path):
    path = model_file(tmp_path, policy(weights=weights_of(one=0.5, told_max=-2.0)))
    pushes = [
        ([Sentence(f"d{n}", 0, text, n)], n) for n, text in enumerate(["ferry fire", "ferry fire", "storm"])
    ]
    told = run(L2S(model=path, level=0.0, overlap=0), pushes)
    assert [update.text for update in told] == ["ferry fire", "storm"]


def test_the_level_is_added_to_the_models(tmp_path):
    chosen = policy(weights=weights_of(one=0.5))
    chosen.level = 0.4
    path = model_file(tmp_path, chosen)
    pushes = [([Sentence("d", 0, "ferry fire", 1)], 1)]
    found = [len(run(L2S(model=path, level=level, overlap=0), pushes)) for level in (0.0, 0.05, 0.15)]
    assert found == [1, 1, 0]


def test_threshold_takes_away_only_what_is_alike(tmp_path):
    """`l2s-cos` never tells two sentences that are more alike than its threshold, and `l2s` does."""
    path = model_file(tmp_path, policy(weights=weights_of(one=1.0)))
    pushes = [([replace(one, events=("E1",)) for one in some], now) for some, now in stream(4)]
    everything = run(make(f"l2s:model={path},level=0,overlap=0"), pushes)
    told = run(make(f"l2s-cos:model={path},level=0,overlap=0,similarity=0.5"), pushes)
    assert len(everything) == sum(len(sentences) for sentences, _ in pushes)
    extractor = make(f"l2s:model={path}").start(FERRY)._features
    vectors = [extractor.vector(extractor.see([Sentence("x", 0, u.text, 0)], 0)[0].stems) for u in told]
    assert 3 < len(told) < len(everything)
    for n, vector in enumerate(vectors):
        assert all(sum(vector.get(s, 0) * w for s, w in other.items()) <= 0.5 + 1e-6 for other in vectors[:n])


def test_weights_serve_both_systems(tmp_path):
    pushes = list(stream(4))
    one = model_file(tmp_path, policy(3))
    both = model_file(tmp_path, policy(3), "l2s-cos")
    assert run(make(f"l2s-cos:model={one},similarity=1"), pushes) == run(make(f"l2s:model={one}"), pushes)
    assert run(make(f"l2s-cos:model={both}"), pushes) == run(make(f"l2s-cos:model={one}"), pushes)
    with pytest.raises(UsageError, match="l2s-cos"):
        make(f"l2s:model={both}").start(FERRY)


def test_only_the_first_sentences_of_a_document_are_looked_at(tmp_path):
    path = model_file(tmp_path, policy(weights=weights_of(one=1.0)))
    document = [Sentence("d", n, f"ferry fire place{n}", 5) for n in range(30)]
    assert len(run(L2S(model=path, level=0.0), [(document, 5)])) == 20
    assert len(run(L2S(model=path, level=0.0, first_sentences=3), [(document, 5)])) == 3
