"""Agreement of judges: published examples, scikit-learn's figures, and what holds of any judges."""

from __future__ import annotations

from math import isnan

import pytest
from hypothesis import given, strategies as st
from sklearn.metrics import adjusted_mutual_info_score, adjusted_rand_score, cohen_kappa_score

from tests.sweeps import every
from tidings.evaluation.measures.agreement import (
    adjusted_mutual_information,
    adjusted_rand,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    span_overlap,
)

PAIRS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=40)
# Fleiss 1971, Table 1 as it is usually given: 10 subjects, 14 raters, 5 categories; kappa .210.
FLEISS = [[0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
          [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7]]  # fmt: skip
# Krippendorff, Computing Krippendorff's alpha-reliability (2011): four observers, twelve units, some silent.
OBSERVERS = [[1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None], [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
             [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None], [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None]]  # fmt: skip


def test_the_example_of_fleiss() -> None:
    items = [[label for label, count in enumerate(row) for _ in range(count)] for row in FLEISS]
    assert fleiss_kappa(items) == pytest.approx(0.210, abs=0.0005)


@every("scale, alpha", [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_the_example_of_krippendorff(scale, alpha: float) -> None:
    assert krippendorff_alpha(list(zip(*OBSERVERS, strict=True)), scale) == pytest.approx(alpha, abs=0.0005)


@given(PAIRS)
def test_pairs_of_judges_are_as_scikit_learn_has_them(pairs: list[tuple[int, int]]) -> None:
    one, other = [a for a, _ in pairs], [b for _, b in pairs]
    kappa = cohen_kappa(one, other)
    if isnan(kappa):
        assert len({*one, *other}) == 1
    else:
        assert kappa == pytest.approx(cohen_kappa_score(one, other), abs=1e-9)
    assert adjusted_rand(one, other) == pytest.approx(adjusted_rand_score(one, other), abs=1e-9)
    for average in ("max", "arithmetic"):
        expected = adjusted_mutual_info_score(one, other, average_method=average)
        assert adjusted_mutual_information(one, other, average) == pytest.approx(expected, abs=1e-6)


@given(PAIRS)
def test_who_comes_first_does_not_matter(pairs: list[tuple[int, int]]) -> None:
    turned = [(b, a) for a, b in pairs]
    for measure in (fleiss_kappa, krippendorff_alpha):
        assert measure(pairs) == pytest.approx(measure(turned), nan_ok=True, abs=1e-9)


@given(st.lists(st.integers(0, 3), min_size=2, max_size=20))
def test_a_judge_agrees_with_himself(labels: list[int]) -> None:
    alone = len(set(labels)) == 1
    for value in (cohen_kappa(labels, labels), fleiss_kappa([(a, a) for a in labels])):
        assert isnan(value) if alone else value == pytest.approx(1)
    assert adjusted_rand(labels, labels) == 1
    assert adjusted_mutual_information(labels, labels) == pytest.approx(1)


def test_nothing_to_agree_on() -> None:
    assert isnan(cohen_kappa([], []))
    assert isnan(fleiss_kappa([]))
    assert isnan(krippendorff_alpha([(1, None), (None, 2)]))
    assert isnan(adjusted_rand([1], [1]))
    assert isnan(adjusted_mutual_information([], []))
    assert isnan(span_overlap([], []))


def test_spans_that_overlap_themselves_count_once() -> None:
    assert span_overlap([(0, 4), (2, 4)], [(0, 8)]) == pytest.approx(2 / 3)
    assert span_overlap([(0, 4)], []) == 0


@every("measure", [cohen_kappa, adjusted_rand, adjusted_mutual_information])
def test_judges_of_different_items_are_refused(measure) -> None:
    with pytest.raises(ValueError, match="must judge the same items"):
        measure([1, 2], [1])


def test_items_of_different_numbers_of_labels_are_refused() -> None:
    with pytest.raises(ValueError, match="same number of labels"):
        fleiss_kappa([(1, 2), (1, 2, 3)])
