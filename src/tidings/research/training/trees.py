"""Boosted regression trees learned with scikit-learn and written down for `Trees`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tidings.core import Trees
from tidings.following import Array
from tidings.research.training.model_files import need


def learn_trees(
    rows: Array,
    targets: Array,
    *,
    trees: int = 100,
    depth: int = 3,
    rate: float = 0.1,
    seed: int = 0,
) -> Trees:
    """Gradient boosting on squared error; each tree sees half of the rows and a third of the features.

    Raises:
        UsageError: scikit-learn is not installed.
    """
    learner = need("sklearn.ensemble").GradientBoostingRegressor(
        n_estimators=trees,
        max_depth=depth,
        learning_rate=rate,
        subsample=0.5,
        max_features=0.33,
        min_samples_leaf=20,
        random_state=seed,
    )
    learner.fit(rows, targets)
    return trees_of(learner, float(learner.init_.constant_.ravel()[0]))


def trees_of(learner: Any, start: float) -> Trees:
    """The trees of a fitted learner of scikit-learn, whose sums begin at `start`."""
    trees, questions, rate = learner.n_estimators, 2**learner.max_depth - 1, learner.learning_rate
    features = np.zeros((trees, questions), dtype=np.int16)
    thresholds = np.full((trees, questions), np.inf, dtype=np.float32)
    leaves = np.zeros((trees, questions + 1), dtype=np.float32)
    for number, (tree,) in enumerate(learner.estimators_):
        _write(tree.tree_, 0, 0, features[number], thresholds[number], leaves[number], rate)
    return Trees(start, features, thresholds, leaves)


def _write(
    tree: Any, node: int, place: int, features: Any, thresholds: Any, leaves: Any, rate: float
) -> None:
    if place >= len(features):
        leaves[place - len(features)] = rate * tree.value[node].ravel()[0]
        return
    left, right = int(tree.children_left[node]), int(tree.children_right[node])
    if left < 0:  # a leaf above the lowest level: all questions below it go left
        _write(tree, node, 2 * place + 1, features, thresholds, leaves, rate)
        return
    features[place] = tree.feature[node]
    # Rounded down, so that float32 features fall on the side on which the learner saw them.
    threshold = np.float32(tree.threshold[node])
    if threshold > tree.threshold[node]:
        threshold = np.nextafter(threshold, np.float32(-np.inf))
    thresholds[place] = threshold
    _write(tree, left, 2 * place + 1, features, thresholds, leaves, rate)
    _write(tree, right, 2 * place + 2, features, thresholds, leaves, rate)
