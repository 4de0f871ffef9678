"""Affinity propagation: by hand, against scikit-learn, and what holds for every matrix."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.sweeps import every
from tidings.following.systems.affinity import affinity_propagation


def distances(points) -> np.ndarray:
    at = np.asarray(points, dtype=float).reshape(len(points), -1)
    return -((at[:, None] - at[None]) ** 2).sum(axis=2)


def test_one_round_by_hand():
    """Two points, s(0,1) = -.1, s(1,0) = -.5, preferences -1, damping .5: the second stands for both.

    Round 1: r(0,1) = (-.1 + 1)/2 = .45 = -r(0,0), r(1,0) = (-.5 + 1)/2 = .25 = -r(1,1);
    a(1,1) = .45/2 = .225, a(0,0) = .25/2 = .125: r + a is -.025 at point 1 and -.325 at point 0, no exemplar yet.
    Round 2: with a(0,1) = -.25/2 and a(1,0) = -.45/2, r(1,1) = (-.25 - .275)/2 and r(0,1) = (.45 + .775)/2, so
    a(1,1) = (.225 + .6125)/2 and r + a at point 1 is .156.
    """
    S = np.array([[0.0, -0.1], [-0.5, 0.0]])
    assert affinity_propagation(S, -1.0, iterations=1).tolist() == [0, 1]  # none found: each its own
    assert affinity_propagation(S, -1.0, iterations=2).tolist() == [1, 1]
    assert affinity_propagation(S, -1.0).tolist() == [1, 1]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("damping", [0.5, 0.7])
def test_as_scikit_learn(seed, damping):
    """The same clusters and the same exemplars, with a median preference and with one for each point."""
    sklearn = pytest.importorskip("sklearn.cluster")
    rng = np.random.default_rng(seed)
    S = distances(rng.normal(size=(40, 2)) + 4 * rng.integers(0, 3, size=(40, 1)))
    for preference in (None, S.mean() * rng.uniform(0.5, 1.5, 40)):
        theirs = sklearn.AffinityPropagation(
            affinity="precomputed",
            damping=damping,
            preference=preference,
            max_iter=500,
            random_state=0,
        )
        theirs.fit(S.copy())
        if preference is None:
            preference = float(np.median(S))  # noqa: PLW2901  scikit-learn counts the diagonal too
        ours = affinity_propagation(S, preference, damping, 500)
        assert ours.tolist() == theirs.cluster_centers_indices_[theirs.labels_].tolist()


def test_preference_decides_how_many():
    S = distances(np.arange(12.0))
    counts = [len(set(affinity_propagation(S, p).tolist())) for p in (-1000.0, -20.0, -2.0, -0.1)]
    assert counts == sorted(counts)
    assert (counts[0], counts[-1]) == (1, 12)


def test_copies_do_not_oscillate():
    """Three times three equal points are three clusters."""
    found = affinity_propagation(distances([0.0] * 3 + [5.0] * 3 + [9.0] * 3))
    assert [len(set(found[n : n + 3])) for n in (0, 3, 6)] == [1, 1, 1]
    assert len(set(found)) == 3


def test_all_alike():
    S = np.full((4, 4), -1.0)
    assert affinity_propagation(S, -2.0).tolist() == [0, 0, 0, 0]
    assert affinity_propagation(S, 0.0).tolist() == [0, 1, 2, 3]


def test_none_and_one():
    assert affinity_propagation(np.zeros((0, 0))).tolist() == []
    assert affinity_propagation(np.zeros((1, 1))).tolist() == [0]


@every(
    "similarity, preference, damping",
    [
        (np.zeros((2, 3)), None, 0.5),
        (np.array([[0, np.nan], [0, 0]]), None, 0.5),
        (np.eye(2), np.inf, 0.5),
        (np.eye(2), None, 1.0),
        (np.eye(2), np.zeros(3), 0.5),
    ],
)
def test_refuses(similarity, preference, damping):
    with pytest.raises(ValueError):
        affinity_propagation(similarity, preference, damping)


@given(
    st.lists(st.floats(-100, 100, width=32), min_size=2, max_size=12),
    st.floats(-50, 0),
    st.integers(1, 60),
)
def test_exemplars_are_their_own(points, preference, iterations):
    """Whatever the matrix and however early it stops, exemplars stand for themselves; the input is untouched."""
    S = distances(points)
    before = S.copy()
    found = affinity_propagation(S, preference, iterations=iterations)
    assert (found[found] == found).all()
    assert np.array_equal(S, before)
    assert found.tolist() == affinity_propagation(S, preference, iterations=iterations).tolist()
