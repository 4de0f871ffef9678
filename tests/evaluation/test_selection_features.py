"""What is seen of an update, and the learning on it, held against plain arithmetic."""

from __future__ import annotations

import numpy as np
import pytest
import train_selection

from tidings.core.records import Nugget, PooledUpdate
from tidings.evaluation.selection.pool_texts import PoolTexts, Terms, candidates_of
from tidings.evaluation.selection.selection import (
    FEATURES,
    NUGGET_FEATURES,
    Prior,
    Selection,
    Surroundings,
    describe,
    fit_logistic,
    linear,
    probability,
    shipped_prior,
)

TEXTS = ("ferry fire", "ferry fire harbour", "ferry bread", "olive bread recipe oil salt", "goal")
NUGGETS = tuple(
    Nugget("e", f"N{n}", 0, 1, text) for n, text in enumerate(("ferry fire", "harbour", "oil", "win"))
)


def pool() -> PoolTexts:
    return PoolTexts(
        PooledUpdate("e", "d", 30 * place, text, published_time=place) for place, text in enumerate(TEXTS)
    )


def level(values) -> np.ndarray:
    column = np.array(values, dtype=float)
    return (column - column.mean()) / column.std()


def column(name: str) -> np.ndarray:
    texts = pool()
    made = describe(
        Surroundings(
            texts.rows,
            texts.rows_of([one.text for one in NUGGETS]),
            texts.rows_of(["fire"]),
            texts.lengths,
            texts.places,
        )
    )
    return made[:, (*FEATURES, *NUGGET_FEATURES).index(name)]


def cosines() -> np.ndarray:
    texts = pool()
    return texts.rows.cosines(texts.rows)


def test_features_are_what_they_say() -> None:
    texts = pool()
    to_nuggets = texts.rows.cosines(texts.rows_of([one.text for one in NUGGETS]))
    assert column("constant") == pytest.approx(np.ones(5))
    assert column("query") == pytest.approx(level(texts.rows.cosines(texts.rows_of(["fire"]))[:, 0]))
    assert column("length") == pytest.approx(level(np.log1p([2, 3, 2, 5, 1])))
    assert column("place") == pytest.approx(level([0, 20, 20, 20, 20]))
    assert column("nearest") == pytest.approx(level(to_nuggets.max(axis=1)))
    assert column("nearest 5") == pytest.approx(level(to_nuggets.mean(axis=1)))
    assert column("nuggets met") == pytest.approx(level((to_nuggets > 0).sum(axis=1)))


def test_the_middle_of_the_pool_leaves_out_the_update_itself() -> None:
    every = cosines()
    np.fill_diagonal(every, 0.0)
    assert column("middle") == pytest.approx(level(every.sum(axis=1)))
    assert column("promising") == pytest.approx(level(every.sum(axis=1)))  # of five all are


def test_cosines_of_equal_texts_are_1_and_of_unlike_ones_0() -> None:
    every = cosines()
    assert np.diag(every) == pytest.approx(np.ones(5))
    assert every[0, 3] == every[3, 4] == 0
    assert 0 < every[0, 2] < every[0, 1] < 1


def test_longer_texts_are_longer_where_terms_are_learned() -> None:
    texts = pool()
    lengths = texts.scaled.times_squared(np.ones(texts.scaled.width)) ** 0.5
    assert lengths == pytest.approx((np.array([2, 3, 2, 5, 1]) / 2.6) ** 0.2)


def test_rare_terms_weigh_more() -> None:
    terms = Terms([("a", "b"), ("a", "c"), ("a",)])
    assert terms.rarity.tolist() == pytest.approx([np.log(4 / 3.5), np.log(4 / 1.5), np.log(4 / 1.5)])
    assert len(terms) == 3


def test_logistic_regression_finds_where_the_slope_is_0() -> None:
    random = np.random.default_rng(7)
    terms = Terms([("a", "b"), ("c",), ("a", "c"), ("b",)])
    rows = terms.matrix([("a",), ("b", "a"), ("c",), ("b", "c"), ("a", "c"), ("c", "c", "b")])
    features = np.stack([np.ones(6), random.normal(size=6)], axis=1)
    answers, importance = np.array([1.0, 1, 0, 0, 1, 0]), np.array([2.0, 1, 1, 3, 1, 0.5])
    penalty, offset = np.array([0.5, 0.5, 0.7, 0.1, 2.0]), random.normal(size=6)
    weights = fit_logistic(rows, features, answers, importance, penalty, offset)
    residual = importance * (probability(linear(rows, features, weights) + offset) - answers)
    slope = np.concatenate([rows.transposed_times(residual), features.T @ residual]) + penalty * weights
    assert np.abs(slope).max() < 0.02
    assert np.abs(weights).max() > 0.2


def test_the_shipped_prior_fits_the_features() -> None:
    prior = shipped_prior()
    assert prior.with_nuggets.shape == (len(FEATURES) + len(NUGGET_FEATURES),)
    assert prior.without_nuggets.shape == (len(FEATURES),)
    assert 1 < prior.links < 4


def test_the_prior_learns_topics_alike_however_large_they_are() -> None:
    learn_prior = train_selection.learn_prior
    features = np.stack([np.ones(4), np.array([1.0, 1, -1, -1])], axis=1)
    yes, no = np.array([1.0, 1, 0, 0]), np.array([0.0, 0, 1, 1])
    assert learn_prior([(features, yes)])[1] > 1
    assert learn_prior([(np.tile(features, (9, 1)), np.tile(yes, 9)), (features, no)])[1] == pytest.approx(
        0, abs=0.05
    )
    twice = learn_prior([(features, np.array([3.0, 0, 1, 0]))])
    assert twice[1] > 0.3  # what has more links counts for more


def test_promises_are_links_and_chances_their_odds_without_the_links() -> None:
    prior = Prior(np.zeros(10), np.zeros(6), 2.0)
    (first, *_) = Selection(pool(), prior=prior).order({})
    assert first.probability == pytest.approx(1 / 3)
    assert first.expected == pytest.approx(2 / 3)


def test_links_of_copies_come_together_and_count() -> None:
    rows = [
        PooledUpdate("e", doc, 0, text) for doc, text in (("b", "a fire"), ("a", "a fire"), ("c", "fire out"))
    ]
    selection = Selection(PoolTexts([*rows, PooledUpdate("e", "d", 0, "bread")]))
    apart = selection.order({"a-0": ["N1"], "b-0": ["N2"], "d-0": []})
    assert apart == selection.order({"b-0": ["N1", "N2"], "d-0": []})
    assert apart[0].expected > selection.order({"b-0": ["N1"], "d-0": []})[0].expected


def test_candidates_stand_by_time_then_document_then_sentence() -> None:
    places = [("z", 1, 5), ("a", 2, 9), ("a", 1, 9), ("b", 0, 9), ("y", 0, 7)]
    rows = [PooledUpdate("e", doc, n, f"{doc} {n}", published_time=time) for doc, n, time in places]
    assert [one.id for one in candidates_of(rows)] == ["z-1", "y-0", "a-1", "a-2", "b-0"]


def test_promising_is_likeness_to_those_that_seem_best_other_than_itself() -> None:
    words = [
        "ferry fire",
        "ferry fire sea",
        "ferry sea",
        "fire ferry port",
        "fire sea port",
        "goal win",
        "goal bread",
    ]
    texts = PoolTexts(PooledUpdate("e", f"d{n}", 0, text, published_time=n) for n, text in enumerate(words))
    nothing = texts.rows_of([])
    made = describe(Surroundings(texts.rows, nothing, texts.rows_of(["ferry"]), texts.lengths, texts.places))
    every = texts.rows.cosines(texts.rows)
    first = every[:, :5].sum(axis=1)
    expected = [(first[n] - 1) / 4 if n < 5 else first[n] / 5 for n in range(7)]
    assert made[:, FEATURES.index("promising")] == pytest.approx(level(expected))


def test_an_update_of_several_links_counts_for_as_many() -> None:
    texts = ("sea one", "sea two", "land one", "land two", "sea three", "land three")
    rows = [PooledUpdate("e", f"{n}", 0, text, published_time=n) for n, text in enumerate(texts)]
    judged = {"0-0": ["A", "B", "C", "D"], "1-0": [], "2-0": ["A"], "3-0": []}
    prior = Prior(np.zeros(10), np.zeros(6), 2.0)
    ranked = Selection(PoolTexts(rows), prior=prior).order(judged)
    assert [one.update_id for one in ranked] == ["4-0", "5-0"]
    assert ranked[0].probability > ranked[1].probability + 0.02
