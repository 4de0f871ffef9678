"""Learning `apsal`: the marginal likelihood, its slope, the fit, and the factorization."""

from __future__ import annotations

import numpy as np
import pytest

from tests.research.training.alike import alike
from tidings.core import shared_analyzer
from tidings.core.models.files import read_model
from tidings.research.systems.apsal import Apsal, ApsalFollower
from tidings.research.systems.apsal_knowledge import Knowledge, LatentSpace
from tidings.research.training import apsal as trainer
from tidings.research.training.apsal import (
    SIMILARITIES,
    factorize,
    fit_process,
    limit_scores,
    log_marginal_likelihood,
    salience_targets,
    train,
)
from tidings.research.training.trainers import Training

GROUPS = np.array([0, 0, 1])


def problem(n: int = 40) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(4)
    inputs = rng.normal(size=(n, 3))
    return inputs, np.sin(2 * inputs[:, 0]) + 0.5 * inputs[:, 2] + 0.1 * rng.normal(size=n)


def test_slope_of_the_likelihood_by_differences():
    inputs, targets = problem()
    at = np.random.default_rng(5).normal(0, 0.5, 6)
    _, slope = log_marginal_likelihood(at, inputs, targets, GROUPS)
    for place in range(6):
        step = np.zeros(6)
        step[place] = 1e-5
        above = log_marginal_likelihood(at + step, inputs, targets, GROUPS)[0]
        below = log_marginal_likelihood(at - step, inputs, targets, GROUPS)[0]
        assert slope[place] == pytest.approx((above - below) / 2e-5, rel=1e-4, abs=1e-6)


def test_likelihood_and_prediction_are_scikit_learns():
    """With the same amplitudes, lengths and noise; groups there are long lengths for the features outside."""
    kernels = pytest.importorskip("sklearn.gaussian_process.kernels")
    from sklearn.gaussian_process import GaussianProcessRegressor

    inputs, targets = problem()
    fitted = fit_process(
        inputs, targets, GROUPS, np.random.default_rng(0), restarts=1, iterations=15, jitter=0.0
    )
    spread = targets.std()
    far = 1e9
    parts = [
        kernels.ConstantKernel(fitted.amplitudes[group], "fixed")
        * kernels.RBF(np.where(group == GROUPS, fitted.lengths, far), "fixed")
        for group in (0, 1)
    ]
    kernel = parts[0] + parts[1] + kernels.WhiteKernel(fitted.noise, "fixed")
    theirs = GaussianProcessRegressor(kernel, alpha=0.0, optimizer=None)
    theirs.fit(fitted.points, (targets - targets.mean()) / spread)
    unseen = np.random.default_rng(6).normal(size=(20, 3))
    wanted = theirs.predict((unseen - fitted.centre) / fitted.scale) * spread + targets.mean()
    assert fitted.predict(unseen) == pytest.approx(wanted, abs=1e-6)
    parameters = np.log(np.concatenate([fitted.amplitudes, fitted.lengths, [fitted.noise]]))
    value, _ = log_marginal_likelihood(parameters, fitted.points, (targets - targets.mean()) / spread, GROUPS)
    assert value == pytest.approx(theirs.log_marginal_likelihood_value_, rel=1e-6)


@pytest.mark.long
def test_fitting_finds_what_matters():
    """The feature that says nothing gets a long length; unseen targets are predicted."""
    inputs, targets = problem(120)
    fitted = fit_process(inputs, targets, GROUPS, np.random.default_rng(0), restarts=2, iterations=40)
    assert fitted.lengths[1] > 3 * fitted.lengths[0]
    unseen = np.random.default_rng(7).normal(size=(200, 3)).clip(-2, 2)
    wanted = np.sin(2 * unseen[:, 0]) + 0.5 * unseen[:, 2]
    assert ((fitted.predict(unseen) - wanted) ** 2).mean() < 0.1 * wanted.var()


def test_targets_that_are_all_the_same():
    fitted = fit_process(np.ones((5, 3)), np.full(5, 0.7), GROUPS, np.random.default_rng(0), iterations=3)
    assert fitted.predict(np.zeros((2, 3))) == pytest.approx([0.7, 0.7])


def test_words_that_never_meet_but_keep_the_same_company_are_alike():
    """Quake and tremor are never in one text, yet both stand beside the same words."""
    rng = np.random.default_rng(8)
    company = [[f"ground{i}" for i in range(8)], [f"poll{i}" for i in range(8)]]
    heads = [("quake", "tremor"), ("vote", "ballot")]
    texts = [
        [heads[i % 2][(i // 2) % 2], *map(str, rng.choice(company[i % 2], 3, replace=False))]
        for i in range(400)
    ]
    terms, idf, factors = factorize(texts, size=3, least=1, rounds=8, ridge=0.5)
    quake, tremor, vote = LatentSpace(terms, idf, factors, 0.01, 0.5).vectors(
        [["quake"], ["tremor"], ["vote"]]
    )
    assert quake @ tremor > 0.8
    assert abs(quake @ vote) < 0.4


def test_targets_are_the_highest_likeness_to_a_nugget(event):
    terms, idf, factors = factorize(
        [tuple(text.lower().split()) for text in event.nugget_texts], size=5, least=1
    )
    space = LatentSpace(terms, idf, factors, 0.01, 20.0)
    stems = [("train", "driver"), ("judg", "court")]
    targets = salience_targets(space, stems, event, "english")
    nuggets = space.vectors([shared_analyzer().stems(text) for text in event.nugget_texts])
    wanted = [max(float(v @ n) for n in nuggets) for v in space.vectors(stems)]
    assert targets.tolist() == pytest.approx(
        wanted, abs=1e-9
    )  # one product of matrices rounds unlike many of vectors


def test_a_trained_model_has_a_process_for_each_event(event):
    options = {"samples": "30", "restarts": "1", "iterations": "3", "size": "6"}
    learned = train([event, event], [], Training("apsal", options=options))
    assert learned.arrays["process_points"].shape[:2] == (2, 30)
    assert learned.arrays["factors"].shape == (len(learned.settings["terms"].split()), 6)
    again = train([event, event], [], Training("apsal", options=options))
    assert alike(again.arrays, learned.arrays)


class TestLimits:
    """How many sentences an update stands for and how like another it may be, chosen on events left out."""

    def test_scores_are_those_of_following_under_each_pair(self, event):
        """What is recorded once and chosen from again is what a follower with these options tells."""
        read = read_model("apsal")
        knowledge = Knowledge.of(read)
        scores = limit_scores(event, knowledge, Apsal())
        assert scores.shape == (len(trainer.GROUPS), len(SIMILARITIES))
        for group, similarity in ((1, 0.2264), (2, 0.5)):
            follower = ApsalFollower(Apsal(group=group, similarity=similarity), event.event, knowledge)
            wanted = event.score(event.run(follower))["H"]
            assert scores[trainer.GROUPS.index(group), SIMILARITIES.index(similarity)] == pytest.approx(
                wanted
            )
        assert len(set(scores.ravel().round(6).tolist())) > 2

    def test_pair_of_the_best_mean_on_events_left_out_is_taken(self, event, monkeypatch):
        """Each event is followed with the processes of the others; the means decide, each with its neighbours."""
        asked = []

        def score(one, knowledge, system):
            asked.append((one.event.id, len(knowledge._salience._alphas[0])))
            means = np.array([[0.1, 0.1, 0.1, 0.3], [0.1, 0.28, 0.28, 0.28]])
            return means + (0.2 if len(asked) == 1 else 0.0)

        monkeypatch.setattr(trainer, "limit_scores", score)
        options = {"samples": "30", "restarts": "1", "iterations": "1", "size": "4"}
        learned = train([event, event, event], [], Training("apsal", options=options))
        assert asked == [(event.event.id, 60)] * 3
        assert (learned.settings["group"], learned.settings["similarity"]) == (2, 0.4)
        assert [row["step"] for row in learned.curve] == list(SIMILARITIES)
        assert learned.curve[3]["H-1"] == pytest.approx(0.3 + 0.2 / 3)
        assert learned.curve[1]["H-2"] == pytest.approx(0.28 + 0.2 / 3)
