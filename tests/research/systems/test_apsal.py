"""`apsal`: latent vectors, processes of salience, and what affinity propagation is given."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.following.systems.streams import FERRY, follow, stream
from tests.sweeps import cases, every
from tidings.core.errors import UsageError
from tidings.core.models.files import Model, read_model
from tidings.core.records import ModelCard, Sentence
from tidings.following.systems.affinity import affinity_propagation
from tidings.following.systems.interval_followers import WaitingSentence
from tidings.following.systems.registry import make
from tidings.research.systems.apsal import ApsalFollower, Exemplar, similarities_and_preferences
from tidings.research.systems.apsal_knowledge import (
    FEATURES,
    GaussianProcess,
    Knowledge,
    LatentSpace,
    Salience,
    grouped_kernel,
    processes_of,
    store_processes,
)


def process(rng: np.random.Generator, n: int, groups: np.ndarray) -> GaussianProcess:
    size = len(groups)
    return GaussianProcess(
        rng.normal(size=size),
        rng.uniform(0.5, 2, size),
        rng.normal(size=(n, size)),
        rng.normal(size=n),
        float(rng.normal()),
        rng.uniform(0.5, 2, int(groups.max()) + 1),
        rng.uniform(0.5, 3, size),
        groups,
    )


def test_latent_vector_is_where_the_weighted_squares_are_least():
    """Moved in any direction, the loss grows: w = 1 for the cells of the text, .01 for all others."""
    rng = np.random.default_rng(0)
    factors, idf = rng.normal(size=(6, 3)), rng.uniform(1, 3, 6)
    space = LatentSpace(list("abcdef"), idf, factors, 0.01, 2.0)
    x = np.array([2 * idf[0], 0, idf[2], 0, 0, 0])
    weights = np.where(x > 0, 1.0, 0.01)

    def loss(q: np.ndarray) -> float:
        return float((weights * (factors @ q - x) ** 2).sum() + 2.0 * (q * q).sum())

    unit = space.vectors([["a", "c", "a", "unheard"]])[0]
    lengths = np.linspace(0.01, 5, 2_000)
    q = unit * lengths[np.argmin([loss(unit * length) for length in lengths])]
    for step in rng.normal(size=(50, 3)):
        assert loss(q) <= loss(q + 0.05 * step / np.linalg.norm(step))


def test_texts_of_unknown_words_have_no_direction():
    space = LatentSpace(["a"], np.ones(1), np.ones((1, 2)), 0.01, 1.0)
    assert space.vectors([["b"], []]).tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert space.vectors([]).shape == (0, 2)


def test_one_by_one_or_together_the_vectors_are_the_same():
    """Else a follower restored from its state would decide otherwise; the last bit is the matter of each BLAS."""
    space = Knowledge.of(read_model("apsal")).space
    texts = [["ferri", "fire"], ["storm", "coast", "kill"], ["polic"], ["crash"] * 3] * 80
    together = space.vectors(texts)
    assert np.array([space.vectors([text])[0] for text in texts]) == pytest.approx(together, abs=1e-9)


@given(st.integers(0, 1_000))
def test_all_processes_at_once_predict_the_mean_of_each(seed):
    rng = np.random.default_rng(seed)
    groups = np.array([0, 0, 1, 2, 2])
    processes = [process(rng, n, groups) for n in (4, 7, 1)]
    features = rng.normal(size=(6, 5))
    mean = np.mean([one.predict(features) for one in processes], axis=0)
    assert Salience(processes).predict(features) == pytest.approx(mean, abs=1e-9)


def test_kernel_is_the_sum_over_groups_written_out():
    rng = np.random.default_rng(1)
    one, other = rng.normal(size=(3, 4)), rng.normal(size=(2, 4))
    lengths, groups = np.array([0.5, 1.0, 2.0, 3.0]), np.array([0, 1, 0, 1])
    found = grouped_kernel(one, other, np.array([2.0, 0.5]), lengths, groups)
    for i in range(3):
        for j in range(2):
            squares = ((one[i] - other[j]) / lengths) ** 2
            first, second = squares[groups == 0].sum(), squares[groups == 1].sum()
            assert found[i, j] == pytest.approx(2.0 * np.exp(-first / 2) + 0.5 * np.exp(-second / 2))


def test_stored_processes_predict_the_same_but_for_half_precision():
    groups = np.repeat(np.arange(4), [len(part) for part in np.array_split(np.arange(len(FEATURES)), 4)])
    shipped = read_model("apsal")
    originals = processes_of(shipped)
    again = processes_of(Model(card=ModelCard(system="apsal"), arrays=store_processes(originals)))
    rows = np.random.default_rng(2).uniform(0, 1, (10, len(FEATURES)))
    assert len(groups) == len(originals[0].groups)
    for one, other in zip(originals, again, strict=True):
        assert one.predict(rows) == pytest.approx(other.predict(rows), abs=1e-4)


def test_likeness_and_preferences_by_hand():
    """Three texts, two of them alike: cosines .8, 0, 0 have mean .2667 and standard deviation .3771."""
    latent = np.array([[1.0, 0.0, 0.0], [0.8, 0.6, 0.0], [0.0, 0.0, 1.0]])
    salience = np.array([0.5, 2.0, -1.0])
    likeness, preferences = similarities_and_preferences(latent, salience)
    pairs = (np.array([0.8, 0.0, 0.0]) - 0.8 / 3) / np.std([0.8, 0.0, 0.0])
    most = max(pairs.max(), 2.0)
    assert likeness[0, 1] == pytest.approx(pairs[0] - most)
    assert likeness[2, 0] == likeness[1, 2] == pytest.approx(pairs[1] - most)
    assert preferences == pytest.approx(salience - most)


@given(st.integers(0, 1_000), st.integers(2, 12))
def test_nothing_costs_less_than_nothing(seed, n):
    """All likenesses and preferences are at most 0 and one of them is 0, whatever the vectors."""
    rng = np.random.default_rng(seed)
    latent = rng.normal(size=(n, 3))
    latent /= np.linalg.norm(latent, axis=1, keepdims=True)
    likeness, preferences = similarities_and_preferences(latent, rng.normal(size=n))
    off = likeness[~np.eye(n, dtype=bool)]
    assert max(off.max(), preferences.max()) == pytest.approx(0.0, abs=1e-9)


def test_the_more_salient_of_two_alike_stands_for_both():
    latent = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
    for salience, wanted in (([1.0, 0.0, 0.0, 1.0], [0, 0, 3, 3]), ([0.0, 1.0, 1.0, 0.0], [1, 1, 2, 2])):
        found = similarities_and_preferences(latent, np.array(salience))
        assert affinity_propagation(*found, 0.7, 500).tolist() == wanted


def test_less_salience_asked_for_tells_no_less():
    pushes = list(stream(1, 60))
    told = [
        len(follow(make(f"apsal:least=2,group=1,similarity=1,salience={level}").start(FERRY), pushes))
        for level in (99, 1, -99)
    ]
    assert told[0] == 0 < told[1] < told[2]


@every(
    "other, index, held",
    cases(__file__, "pages and short sentences are left out"),
)
def test_pages_and_short_sentences_are_left_out(other, index, held):
    """Two sentences are asked for: where the other one is left out, nothing is told of the hour."""
    follower = make("apsal:least=2,group=1,salience=-99").start(FERRY)
    one = "ferry fire in port kills many people while the whole crew has fled ashore"
    follower.push([Sentence("d", 0, one, 10), Sentence("d", index, other, 10)], 10)
    assert bool(follower.push([], 3600)) is held


def test_a_model_of_other_features_is_refused():
    shipped = read_model("apsal")
    settings = shipped.settings | {"features": ["length"]}
    with pytest.raises(UsageError, match="train it again"):
        Knowledge.of(Model(card=ModelCard(system="apsal"), arrays=shipped.arrays, settings=settings))


def test_limits_are_the_models_unless_told_otherwise():
    """The model's `group` and `similarity` hold; an option above 0 takes their place."""
    knowledge = Knowledge.of(read_model("apsal"))
    own = ApsalFollower(make("apsal"), FERRY, knowledge)
    asked = ApsalFollower(make("apsal:group=3,similarity=0.25"), FERRY, knowledge)
    assert (own._group, own._limit) == (knowledge.group, knowledge.similarity)
    assert (asked._group, asked._limit) == (3, 0.25)
    row = lambda size, salience: Exemplar(  # noqa: E731
        WaitingSentence(Sentence(f"d{size}-{salience}", 0, "A ferry sank", 9), (f"w{size}",)),
        salience,
        size,
        None,
    )
    exemplars = [row(4, 2.0), row(3, 0.0), row(2, 1.0), row(5, -0.1)]
    assert [u.doc_id for u in asked.choose(exemplars, 9)] == ["d4-2.0", "d3-0.0"]
    assert asked.choose([row(4, 2.0)], 10) == []
