"""Learning to search: the oracle, the losses by brute force, and that learning lowers them."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from tests.research.training.alike import alike, same_curve
from tidings.following.systems.features.extractor import NAMES
from tidings.research.systems.l2s import DYNAMIC, L2S, L2SFollower, Policy, dynamic
from tidings.research.training import l2s as trainer
from tidings.research.training.folds import learn_words, words_without
from tidings.research.training.l2s import Inputs, Mixture, learn_sample, look
from tidings.research.training.l2s_search import Regression, Roller, advantages, loss, oracle
from tidings.research.training.trainers import Training, trainer_of
from tidings.research.training.trees import learn_trees

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


LIKE = np.array([[1.0, 0.8, 0.0], [0.8, 1.0, 0.2], [0.0, 0.2, 1.0]])


def test_rolling_in_meets_what_was_emitted():
    always = Roller(np.ones(3), np.zeros((3, 4)), LIKE)
    emitted, met = always.roll_in([0.0, 2.0])
    assert emitted.tolist() == [[True, True, True], [False, False, False]]
    assert met[0] == pytest.approx(np.array([[0, 0, 1, 1], [0.8, 0.8, 0, 0], [0.2, 0.1, 0, 0]]))
    assert met[1].tolist() == [[0, 0, 1, 1]] * 3
    assert always.roll_in([0.0], similarity=0.5)[0][0].tolist() == [True, False, True]
    dislikes = Roller(np.ones(3), np.array([[-2.0, 0.0, 0.0, 0.0]] * 3), LIKE)
    assert dislikes.roll_in([0.0])[0][0].tolist() == [True, False, True]
    decided, met = dislikes.roll_in([0.0], decided=[False, True, True])
    assert decided[0].tolist() == [False, True, True] and met[0, 2].tolist() == [0.2, 0.2, 0, 0]


@given(st.integers(0, 10_000), st.integers(1, 9), st.sampled_from([1.0, 0.5]))
def test_rolling_out_by_brute_force(seed, n, similarity):
    """After the decisions made so far each action is tried, and the policy itself goes on sentence by sentence."""
    rng = np.random.default_rng(seed)
    vectors = rng.random((n, 4)) * (rng.random((n, 4)) < 0.6)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    base, slopes, like = rng.normal(size=n), rng.normal(size=(n, 4)), vectors @ vectors.T
    decisions = (rng.random(n) < 0.5).tolist()
    starts = [at for at in range(n) if rng.random() < 0.7]
    found = Roller(base, slopes, like).roll_out(decisions, starts, similarity)
    assert list(found) == starts
    for start in starts:
        for action in (False, True):
            emitted = [at for at in range(start) if decisions[at]] + [start] * action
            for at in range(start + 1, n):
                cosines = [like[at, other] for other in emitted]
                values = dynamic(max(cosines, default=0.0), sum(cosines), len(emitted))
                if base[at] + slopes[at] @ values > 0 and max(cosines, default=0.0) <= similarity:
                    emitted.append(at)
            assert found[start][action] == set(emitted)


def test_where_the_policy_rolls_out_its_own_summaries_are_compared():
    nuggets = [0b01, 0b10, 0b00]
    given_out = {1: ({0, 2}, {0, 1})}
    found = advantages(nuggets, [True, False, False], given_out)
    assert found[1] == pytest.approx(loss({0, 1}, {0, 2}) - loss({0, 1}, {0, 1}))
    assert found[0] == advantages(nuggets, [True, False, False])[0]


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


OPTIONS = {"iterations": "3", "trees": "10", "samples": "3", "sample_size": "50", "starts": "2"}


@pytest.fixture(scope="module")
def learned(event):
    pytest.importorskip("sklearn")
    return trainer_of("l2s")([event, event], [event], Training("l2s", options=OPTIONS))


@pytest.mark.long
def test_learning_lowers_the_loss_on_its_samples(event):
    """The first pass is the oracle's (loss 1/2), never a policy's without weights; then the policy's, ever lower."""
    stream = look(event, learn_words([event]), L2S())
    inputs = Inputs(stream, stream.rows.mean(axis=0), 1 / np.maximum(stream.rows.std(axis=0), 1e-3),
                    stream.salience, (0.3, 5.0))  # fmt: skip
    shape = (inputs.base.shape[1] + len(DYNAMIC), 4)
    regression, weights = Regression(shape[0] * 4, 0.01), np.zeros(shape)
    lost = []
    for _ in range(6):
        rng = np.random.default_rng(0)  # the same samples every time
        mixture = Mixture(0.0, 0.5) if lost else Mixture(1.0, 1.0)
        lost.append(np.mean([learn_sample(inputs, weights, regression, rng, 60, mixture) for _ in range(8)]))
        weights = regression.weights().reshape(shape)
    assert lost[0] == pytest.approx(0.5)
    assert min(lost[2:]) < 0.8


@pytest.mark.long
def test_kept_pass_is_the_best_on_development(event, learned):
    """The model in the follower tells what the check of the best pass told: same H."""
    best = max(row["H"] for row in learned.curve)
    policy = Policy.read(learned.arrays, learned.settings)
    assert policy.level == learned.settings["level"] and policy.level in trainer.LEVELS
    assert np.abs(policy.weights[len(NAMES) : len(NAMES) + 2]).max() > 0  # it has a memory of what it emitted
    found = event.score(event.run(L2SFollower(L2S(), event.event, policy, 1.0)))["H"]
    assert found == pytest.approx(best, abs=0.05)  # the best after its neighbours are looked at, too
    assert best > 0.05
    assert [row["step"] for row in learned.curve] == [2.0, 3.0]


@pytest.mark.long
def test_pass_and_level_are_the_best_on_events_left_out(event, monkeypatch):
    """Without development events: three folds, none checked by what it taught; the first pass is never kept."""
    pytest.importorskip("sklearn")
    checked = []

    def scores(self, weights, levels, similarity):
        checked.append((np.abs(weights).max() > 0, similarity))
        third = (len(checked) - 1) % 3  # one event in each fold: passes 1, 2, 3
        return [0.9 if third == 0 else 0.1 * third + (0.2 if level >= 0.3 else 0.0) for level in levels]

    monkeypatch.setattr(Inputs, "scores", scores)
    found = trainer_of("l2s")([event] * 3, [], Training("l2s", options=OPTIONS | {"iterations": "3"}))
    assert len(checked) == 9 and all(one == (True, 1.0) for one in checked)
    assert found.settings["training"]["pass"] == 3
    assert found.settings["level"] == trainer.LEVELS[-1]
    assert [row["H"] for row in found.curve] == pytest.approx([0.3, 0.4])
    streams = [
        look(one, words, L2S()) for one, words in zip([event] * 3, words_without([event] * 3), strict=True)
    ]
    options = msgspec.convert(OPTIONS | {"similarity": 1.0}, trainer.L2sOptions, strict=False)
    passes = [weights for weights, _ in trainer._Learner(streams, options, 0).passes()]
    assert found.arrays["weights"] == pytest.approx(
        passes[2], abs=1e-4
    )  # of all events, after the third pass
    assert not np.allclose(passes[1], passes[2], atol=1e-3)


def test_the_first_pass_is_the_oracles(event, monkeypatch):
    """No policy without weights rolls in or out: the oracle does in the first pass, the policy from the second on."""
    pytest.importorskip("sklearn")
    asked = []

    def sample(given, weights, regression, rng, size, mixture):
        asked.append((mixture.roll_in, mixture.roll_out, bool(np.abs(weights).max() > 0)))
        return learn_sample(given, weights, regression, rng, size, mixture)

    monkeypatch.setattr(trainer, "learn_sample", sample)
    stream = look(event, learn_words([event]), L2S())
    options = trainer.L2sOptions(
        iterations=2, trees=5, samples=1, sample_size=40, starts=1, mixture=0.25, similarity=1.0
    )
    lost = [of_pass for _, of_pass in trainer._Learner([stream], options, 0).passes()]
    assert lost[0] == 0.5 < lost[1]
    assert asked == [(1.0, 1.0, False), (0.0, 0.25, True)]


def test_starts_are_averaged(event):
    """The mean weights of two searches are not those of the first, which a single start repeats."""
    stream = look(event, learn_words([event]), L2S())
    options = trainer.L2sOptions(iterations=2, trees=5, samples=2, sample_size=40, similarity=1.0)
    one, two = (
        list(trainer._Learner([stream], replace(options, starts=starts), 0).passes())[-1][0]
        for starts in (1, 2)
    )
    other = 2 * two - one
    assert not np.allclose(one, two) and not np.allclose(other, two)
    regression = np.abs(other).max()
    assert 0 < regression < 10


def test_the_same_seed_learns_the_same(event, learned):
    again = trainer_of("l2s")([event, event], [event], Training("l2s", options=OPTIONS))
    assert alike(again.arrays, learned.arrays)
    same_curve(again.curve, learned.curve)


def test_the_oracle_alone_can_roll_out(event):
    pytest.importorskip("sklearn")
    options = {"iterations": "2", "trees": "5", "samples": "2", "sample_size": "40", "starts": "1"}
    mixed, alone = (
        trainer_of("l2s-cos")([event], [], Training("l2s-cos", options=options | {"mixture": beta}))
        for beta in ("0", "1")
    )
    assert mixed.settings["training"]["similarity"] == 0.4
    assert not np.allclose(mixed.arrays["weights"], alone.arrays["weights"])


def test_words_of_an_event_are_left_out_of_its_own_model(event):
    alone, both = words_without([event, event])[0], learn_words([event, event])
    assert alone.sentences * 2 == both.sentences
    assert (alone.counts * 2 == both.counts).all()
    assert words_without([event])[0].counts.sum() == 0
