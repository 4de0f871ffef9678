"""Kendall, Pearson and least squares: by hand, and as SciPy has them."""

from __future__ import annotations

from math import isnan
from random import Random

import pytest

from tidings.evaluation.measures.agreement import kendall_tau_b, least_squares, pearson_r, sign


def test_kendall_by_hand() -> None:
    # Six pairs: 4 concordant, 1 discordant, 1 tied in the second series.
    assert kendall_tau_b([1, 2, 3, 4], [1, 3, 2, 3]) == pytest.approx(3 / (6 * 5) ** 0.5)
    assert kendall_tau_b([1, 2, 3], [3, 2, 1]) == -1
    assert isnan(kendall_tau_b([1, 1, 1], [1, 2, 3]))
    assert isnan(kendall_tau_b([1, 2, 3], [2, 2, 2]))
    assert isnan(kendall_tau_b([1], [2]))


def test_what_only_rounding_made_is_no_difference() -> None:
    assert sign(0.1 + 0.2 - 0.3) == 0
    assert (sign(1e-11), sign(-1e-11)) == (1, -1)
    assert kendall_tau_b([0.3, 0.1 + 0.2, 1], [1, 2, 3]) == pytest.approx(kendall_tau_b([0, 0, 1], [1, 2, 3]))


def test_pearson_and_the_line_by_hand() -> None:
    x, y = [0, 1, 2, 3], [1, 3, 2, 4]
    # Centred: x −1.5 −.5 .5 1.5, y −1.5 .5 −.5 1.5: Σxy 4, Σx² 5, Σy² 5.
    assert pearson_r(x, y) == pytest.approx(0.8)
    line = least_squares(x, y)
    assert (line.slope, line.intercept, line.r2) == pytest.approx((0.8, 1.3, 0.64))
    assert line.at(10) == pytest.approx(9.3)


def test_where_nothing_varies() -> None:
    assert isnan(pearson_r([1, 1], [1, 2]))
    assert isnan(least_squares([1, 1], [1, 2]).slope)
    level = least_squares([1, 2], [4, 4])
    assert (level.slope, level.intercept) == (0, 4)
    assert isnan(level.r2)
    assert isnan(least_squares([1], [1]).slope)


def test_as_many_figures_are_expected() -> None:
    for measure in (kendall_tau_b, pearson_r, least_squares):
        with pytest.raises(ValueError, match=r"1 figures beside 2"):
            measure([1], [1, 2])


@pytest.mark.long
def test_as_scipy_has_them() -> None:
    stats = pytest.importorskip("scipy.stats")
    draw = Random(3)
    for size in (2, 5, 30):
        x = [draw.randrange(8) / 7 for _ in range(size)]
        y = [one + draw.randrange(5) / 3 for one in x]
        if len(set(x)) < 2 or len(set(y)) < 2:
            continue
        assert kendall_tau_b(x, y) == pytest.approx(stats.kendalltau(x, y).statistic)
        assert pearson_r(x, y) == pytest.approx(stats.pearsonr(x, y).statistic)
        theirs, ours = stats.linregress(x, y), least_squares(x, y)
        assert (ours.slope, ours.intercept, ours.r2) == pytest.approx(
            (theirs.slope, theirs.intercept, theirs.rvalue**2)
        )
