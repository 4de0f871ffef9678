"""Learning to search: the oracle, the losses by brute force, and that learning lowers them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import ROOT
from tests.training.alike import alike, same_curve
from tidings.errors import UsageError
from tidings.systems.l2s import DYNAMIC, L2S, L2SFollower, Policy
from tidings.training import Training, load_events, trainer_of
from tidings.training.l2s.inputs import Inputs, learn_sample
from tidings.training.l2s.prepare import look
from tidings.training.l2s.search import Regression, advantages, loss, oracle, roll_in
from tidings.training.trees import learn_trees
from tidings.training.word_models import learn_words, words_without

bits = st.integers(0, 31)
sequences = st.lists(st.tuples(bits, st.booleans()), max_size=14)


@given(st.lists(bits, max_size=20), st.integers(0, 20), bits)
def test_oracle_tells_exactly_what_brings_a_nugget(nuggets, start, covered):
    told = oracle(nuggets, start, covered)
    for number in range(start, len(nuggets)):
        new = nuggets[number] & ~covered
        assert (number in told) == bool(new)
        covered |= nuggets[number]
    assert all(number >= start for number in told)


@given(sequences)
def test_advantages_by_brute_force(steps):
    """Try both actions after what was told, let the oracle finish, compare the losses."""
    nuggets, told = [n for n, _ in steps], [t for _, t in steps]
    wanted = set(oracle(nuggets))
    for number, found in enumerate(advantages(nuggets, told)):
        before = [k for k in range(number) if told[k]]
        covered = 0
        for k in before:
            covered |= nuggets[k]
        skipped = before + oracle(nuggets, number + 1, covered)
        chosen = [*before, number, *oracle(nuggets, number + 1, covered | nuggets[number])]
        assert found == pytest.approx(loss(wanted, skipped) - loss(wanted, chosen), abs=1e-12)


@given(st.lists(bits, min_size=1, max_size=14))
def test_following_the_oracle_every_other_step_costs(nuggets):
    """On the oracle's own way no deviation is better: telling is worth it exactly where the oracle tells."""
    wanted = set(oracle(nuggets))
    saved = advantages(nuggets, [number in wanted for number in range(len(nuggets))])
    for number, value in enumerate(saved):
        assert value > 0 if number in wanted else value < 0


@given(st.sets(st.integers(0, 9)), st.sets(st.integers(0, 9)))
def test_loss_is_half_of_one_minus_dice(wanted, told):
    found = loss(wanted, sorted(told))
    size = len(wanted) + len(told)
    assert found == pytest.approx(0.5 + 0.5 * (1 - (2 * len(wanted & told) / size if size else 1)))


def test_regression_is_weighted_least_squares():
    """As numpy finds it from rows repeated by their cost, with the ridge as further rows."""
    rng = np.random.default_rng(0)
    rows, advantage = rng.normal(size=(40, 3)), rng.integers(-3, 4, 40).astype(float)
    regression = Regression(3, 0.1)
    regression.add(rows[:15], advantage[:15])
    regression.add(rows[15:], advantage[15:])
    root = np.sqrt(np.abs(advantage))
    ridge = np.sqrt(0.1 * np.abs(advantage).sum()) * np.eye(3)
    expected = np.linalg.lstsq(
        np.vstack([rows * root[:, None], ridge]),
        np.append(np.sign(advantage) * root, np.zeros(3)),
        rcond=None,
    )[0]
    assert regression.weights() == pytest.approx(expected)
    assert (Regression(3, 0.1).weights() == 0).all()


def test_rolling_in_meets_what_was_told():
    like = np.array([[1.0, 0.8, 0.0], [0.8, 1.0, 0.2], [0.0, 0.2, 1.0]])
    static, one = [[1.0], [1.0], [1.0]], [[1.0]] * 3
    told, met = roll_in(static, one, like, [[0.0]] * 4)
    assert told == [True, True, True]
    assert met == pytest.approx(np.array([[0, 0, 1, 1], [0.8, 0.8, 0, 0], [0.2, 0.1, 0, 0]]))
    assert roll_in(static, one, like, [[0.0]] * 4, similarity=0.5)[0] == [True, False, True]
    assert roll_in(static, one, like, [[-2.0], [0.0], [0.0], [0.0]])[0] == [True, False, True]


def test_trees_are_what_the_learner_found():
    pytest.importorskip("sklearn")
    from sklearn.ensemble import GradientBoostingRegressor

    rng = np.random.default_rng(3)
    rows = rng.random((200, 5)).astype(np.float32).astype(float).round(2)
    targets = rows[:, 0] * rows[:, 1] + 0.1 * rng.random(200)
    trees = learn_trees(rows, targets, trees=8, seed=4)
    learner = GradientBoostingRegressor(
        n_estimators=8, max_depth=3, learning_rate=0.1, subsample=0.5, max_features=0.33, min_samples_leaf=20,
        random_state=4,
    ).fit(rows, targets)  # fmt: skip
    assert np.abs(trees.predict(rows) - learner.predict(rows)).max() < 1e-5


@pytest.fixture(scope="module")
def event():
    """The event that comes with tidings."""
    return load_events([ROOT / "src" / "tidings" / "bundled" / "santiago-2013"])[0]


@pytest.fixture(scope="module")
def learned(event):
    pytest.importorskip("sklearn")
    options = {"iterations": "4", "trees": "10", "samples": "4", "sample_size": "60"}
    return trainer_of("l2s")([event, event], [event], Training("l2s", options=options))


def test_learning_lowers_the_loss_on_its_samples(event):
    """From telling nothing (loss 1) towards the oracle (1/2), pass by pass, on samples of one stream."""
    stream = look(event, learn_words([event]), L2S())
    inputs = Inputs(stream, stream.rows.mean(axis=0), 1 / np.maximum(stream.rows.std(axis=0), 1e-3),
                    stream.salience, (0.3, 5.0))  # fmt: skip
    shape = (inputs.base.shape[1] + len(DYNAMIC), 4)
    regression, weights = Regression(shape[0] * 4, 0.01), np.zeros(shape)
    lost = []
    for _ in range(6):
        rng = np.random.default_rng(0)  # the same samples every time
        lost.append(np.mean([learn_sample(inputs, weights, regression, rng, 60, 0.0) for _ in range(8)]))
        weights = regression.weights().reshape(shape)
    assert lost[0] == pytest.approx(1)
    assert min(lost[2:]) < 0.8


def test_kept_pass_is_the_best_on_development(event, learned):
    """The model in the follower tells what the check of the best pass told: same H."""
    best = max(row["H"] for row in learned.curve)
    policy = Policy.read(learned.arrays, learned.settings)
    used = learned.settings["training"]
    follower = L2SFollower(L2S(overlap=used["overlap"], level=used["level"]), event.event, policy, 1.0)
    assert event.score(event.run(follower))["H"] == pytest.approx(best, abs=0.02)
    assert best > 0.05


def test_the_same_seed_learns_the_same(event, learned):
    options = {"iterations": "4", "trees": "10", "samples": "4", "sample_size": "60"}
    again = trainer_of("l2s")([event, event], [event], Training("l2s", options=options))
    assert alike(again.arrays, learned.arrays)
    same_curve(again.curve, learned.curve)


def test_the_oracle_can_roll_in(event):
    pytest.importorskip("sklearn")
    options = {"iterations": "2", "trees": "5", "samples": "2", "sample_size": "40", "mixture": "1"}
    found = trainer_of("l2s-cos")([event], [], Training("l2s-cos", options=options))
    assert found.settings["training"]["similarity"] == 0.4
    assert np.abs(found.arrays["weights"]).max() > 0


def test_words_of_an_event_are_left_out_of_its_own_model(event):
    alone, both = words_without([event, event])[0], learn_words([event, event])
    assert alone.sentences * 2 == both.sentences
    assert (alone.counts * 2 == both.counts).all()
    assert words_without([event])[0].counts.sum() == 0


@pytest.mark.parametrize("options", [{"samples": "0"}, {"speed": "1"}, {"ridge": "much"}])
def test_unknown_or_impossible_options_are_refused(event, options):
    with pytest.raises(UsageError, match=next(iter(options))):
        trainer_of("l2s")([event], [], Training("l2s", options=options))
