"""How salient an entity is in a document, learned from graded documents: what salience features alone can tell.

A document is a day of its own. Two learners see the features of the salience side and their mean is taken: a linear
RankSVM on pairs of entities of a document that differ in grade, and boosted trees on grades made comparable within
each document.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from msgspec import Struct

from tidings.core import Trees, UsageError
from tidings.following import ENTITY_FEATURES, EntityFeatures
from tidings.research.training.entities.graded import GradedDocument
from tidings.research.training.trees import learn_trees

__all__ = ["COLUMNS", "GradedRows", "SalienceModel", "cross_validated", "learn_salience", "rows_of"]

Array = np.ndarray[Any, Any]

_CONSTANT = {"in_query", "confidence", "documents", "df", "lead_share", "headline_share"}
"""What is the same, or another feature again, where the day is one document."""

COLUMNS = tuple(
    number
    for number, feature in enumerate(ENTITY_FEATURES)
    if feature.side == "salience" and feature.name not in _CONSTANT
)
"""The columns of a matrix that salience is learned from."""

_COST = 0.001
_DEPTH, _RATE = 2, 0.05


class GradedRows(Struct, frozen=True):
    """A document's entities as rows: features by `values` (quantiles) and `raw`, grades, and which are salient.

    `first` is how early an entity is named: minus the tokens before its first mention.
    """

    id: str
    values: Any
    raw: Any
    grades: Any
    salient: Any
    first: Any

    @property
    def mentions(self) -> Array:
        """How often each entity is mentioned."""
        column: Array = self.raw[:, _NAMES.index("mentions")]
        return column


_NAMES = [feature.name for feature in ENTITY_FEATURES]


def rows_of(document: GradedDocument) -> GradedRows:
    """The features of a document's entities; its title stands for the query."""
    matrix = EntityFeatures(document.title).matrix(document.day)
    grades = np.array([document.grades[one] for one in matrix.ids], float)
    before = matrix.raw[:, matrix.names.index("words_before")]
    return GradedRows(document.id, matrix.values, matrix.raw, grades, grades >= document.salient, -before)


class SalienceModel(Struct, frozen=True):
    """Weights of the linear part over `COLUMNS` and the trees, which see quantiles and raw features."""

    weights: Any
    trees: Trees

    def scores(self, rows: GradedRows) -> Array:
        """How salient each entity of a document is, beside the others of it."""
        linear = rows.values[:, COLUMNS] @ self.weights
        return _standard(linear) + _standard(self.trees.predict(_seen(rows)))


def _seen(rows: GradedRows) -> Array:
    return np.hstack([rows.values[:, COLUMNS], rows.raw[:, COLUMNS]]).astype(np.float32)


def _standard(values: Array) -> Array:
    spread = values.std()
    scaled: Array = (values - values.mean()) / (spread if spread > 0 else 1.0)
    return scaled


def learn_salience(documents: Sequence[GradedRows], *, trees: int = 200, seed: int = 0) -> SalienceModel:
    """A model of the grades of documents.

    Each document counts the same in the linear part, however many pairs it has.

    Raises:
        UsageError: scikit-learn is not installed, or no document has two entities of different grades.
    """
    graded = [rows for rows in documents if len(set(rows.grades.tolist())) > 1]
    if not graded:
        raise UsageError("found no document with entities of different grades, expected some to learn from")
    targets = np.concatenate([_standard(rows.grades) for rows in graded])
    seen = np.vstack([_seen(rows) for rows in graded])
    boosted = learn_trees(seen, targets, trees=trees, depth=_DEPTH, rate=_RATE, seed=seed)
    return SalienceModel(_pairwise(graded, seed), boosted)


def _pairwise(documents: Sequence[GradedRows], seed: int) -> Array:
    try:
        from sklearn.svm import LinearSVC
    except ImportError:
        raise UsageError(
            "found no scikit-learn, expected it for training; pip install 'tidings[train]'"
        ) from None
    differences, counts = [], []
    for rows in documents:
        better, worse = np.nonzero(rows.grades[:, None] > rows.grades[None])
        seen = rows.values[:, COLUMNS]
        differences.append(seen[better] - seen[worse])
        counts.append(len(better))
    pairs = np.vstack(differences)
    scale = pairs.std(axis=0)
    scale[scale == 0] = 1.0
    weights = np.repeat(1 / np.array(counts), counts)
    weights *= len(pairs) / weights.sum()
    signs = np.where(np.arange(len(pairs)) % 2, 1, -1)
    learner = LinearSVC(C=1000 * _COST / len(pairs), fit_intercept=False, dual=False, random_state=seed)
    learner.fit(pairs / scale * signs[:, None], signs, sample_weight=weights)
    learned: Array = learner.coef_[0] / scale
    return learned


def cross_validated(
    documents: Sequence[GradedRows],
    learn: Callable[[Sequence[GradedRows]], SalienceModel] = learn_salience,
    *,
    folds: int = 5,
) -> list[Array]:
    """The scores of each document by a model that was learned without it, and without its fold."""
    scores: dict[int, Array] = {}
    for fold in range(folds):
        model = learn([rows for number, rows in enumerate(documents) if number % folds != fold])
        for number in range(fold, len(documents), folds):
            scores[number] = model.scores(documents[number])
    return [scores[number] for number in range(len(documents))]
