"""Choosing by folds: every event is left out once, and the middle of a good stretch is taken."""

from __future__ import annotations

import numpy as np
from hypothesis import example, given, strategies as st

from tests.sweeps import every
from tidings.research.training.folds import deal, means_by_folds, summit


@given(st.integers(2, 30), st.integers(2, 6))
@example(2, 4)
def test_every_event_is_left_out_once_and_never_learned_from_then(count, folds):
    dealt = deal(count, folds)
    assert sorted(number for _, out in dealt for number in out) == list(range(count))
    assert all(sorted([*learned, *out]) == list(range(count)) for learned, out in dealt)
    assert len(dealt) == min(count, folds) and all(learned and out for learned, out in dealt)
    sizes = [len(out) for _, out in dealt]
    assert max(sizes) - min(sizes) <= 1


def test_no_event_has_no_folds():
    assert deal(0, 3) == []


def test_means_are_over_events_not_over_folds():
    """Folds of two and one event: each event counts once."""
    asked = []

    def measure(learned, left_out):
        asked.append((list(learned), list(left_out)))
        return np.array([[3.0 * number**2 for number in left_out], [1.0] * len(left_out)])

    assert means_by_folds(3, 2, measure).tolist() == [5.0, 1.0]
    assert asked == [([1], [0, 2]), ([0, 2], [1])]


@every(
    "means, place",
    [
        ([0.1, 0.2], (1,)),  # two are taken as they are
        ([0.0, 0.5, 0.0, 0.4, 0.4, 0.4], (4,)),
        ([0.3, 0.3, 0.0, 0.35, 0.0], (0,)),  # an end has itself for a neighbour
        ([[0.0, 0.0, 0.9, 0.0], [0.3, 0.6, 0.6, 0.4]], (1, 2)),
        ([[0.0, 0.5], [0.6, 0.5], [0.0, 0.2]], (0, 1)),  # the lucky .6 has poor neighbours
    ],
)
def test_summit_is_the_middle_of_a_good_stretch(means, place):
    assert summit(np.array(means)) == place
