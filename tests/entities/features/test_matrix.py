"""The matrix of a day: its shape, its bounds, what it remembers, and that it does not look ahead."""

from __future__ import annotations

import numpy as np
import pytest

from tests.entities.features.small_days import small_day
from tidings.entities.features import FEATURES, EntityFeatures
from tidings.entities.features.matrix import quantiles

IDS: dict[str, int] = {}
DAYS = [
    small_day(
        ["[Boston|LOC] was hit by two bombs .", "[Barack Obama|PER] said <he|Barack Obama> would help ."],
        ["The [FBI|ORG] leads the inquiry in [Boston|LOC] ."],
        ids=IDS,
        date="2013-04-15",
    ),
    small_day(
        ["[Boston|LOC] was hit by two bombs .", "[Tamerlan Tsarnaev|PER] died ."], ids=IDS, date="2013-04-19"
    ),
    small_day(
        ["[Obama|PER=Barack Obama] spoke in [Boston|LOC] of [Tamerlan Tsarnaev|PER] ."],
        ids=IDS,
        date="2013-04-20",
    ),
]


def matrices(days, features=None):
    features = features or EntityFeatures("Boston bombing")
    return [features.matrix(day) for day in days]


def test_every_entity_has_a_row_and_every_feature_a_column_within_bounds() -> None:
    for day, matrix in zip(DAYS, matrices(DAYS), strict=True):
        assert matrix.ids == tuple(one.id for one in day.entities)
        assert matrix.values.shape == matrix.raw.shape == (len(day.entities), len(FEATURES))
        assert np.isfinite(matrix.raw).all()
        assert matrix.values.min() >= 0 and matrix.values.max() <= 1


def test_nothing_of_a_later_day_is_used() -> None:
    for end in (1, 2):
        for alone, whole in zip(matrices(DAYS[:end]), matrices(DAYS), strict=False):
            assert (alone.raw == whole.raw).all()


def test_resumed_is_undisturbed() -> None:
    first = EntityFeatures("Boston bombing")
    matrices(DAYS[:2], first)
    second = EntityFeatures("Boston bombing")
    second.restore(first.state())
    assert (first.matrix(DAYS[2]).raw == second.matrix(DAYS[2]).raw).all()
    assert first.state() == second.state()


def test_quantiles_put_ends_at_0_and_1_and_ties_in_the_middle() -> None:
    values = np.array([[0.0, 5.0], [0.0, 5.0], [2.0, 5.0], [2.0, 5.0], [9.0, 5.0]])
    assert quantiles(values)[:, 0] == pytest.approx([0, 0, 0.625, 0.625, 1])
    assert (quantiles(values)[:, 1] == 0).all()
    assert (quantiles(values[:1]) == 0).all()


@pytest.mark.parametrize(
    "documents",
    [
        [],
        [["No name at all ."]],
        [["[Rome|LOC]"]],
        [["[ROME|LOC] WAS HIT BY A STORM , [MAYOR ROSSI|PER] SAID ."]],
        [["[東京|LOC] で 地震 が あり 、 [安倍晋三|PER] が 会見 した 。"]],
        [["", "[Rome|LOC] ."]],
        [["is it [The|LOC] ?"], ["[Ω|ORG] : !"]],
    ],
)
@pytest.mark.parametrize("query", ["", "storm", "東京"])
def test_odd_days_have_finite_features(documents, query) -> None:
    features = EntityFeatures(query)
    day = small_day(*documents)
    for _ in range(3):
        matrix = features.matrix(day)
        assert np.isfinite(matrix.raw).all()
        assert len(matrix.values) == len(day.entities)
        assert ((matrix.values >= 0) & (matrix.values <= 1)).all()
