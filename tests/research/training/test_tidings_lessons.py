"""What `tidings` learns from, by hand: relevance, labels, the fit of worth, weights of stems, what each start meets."""

from __future__ import annotations

import math
import random
from types import SimpleNamespace

import numpy as np
import pytest

from tidings.following.systems.tidings.candidates import Limits
from tidings.following.systems.tidings.model import EMITTED, TIDINGS_FEATURES, WEIGHED, AdditiveModel
from tidings.following.systems.tidings.stream_memory import Topic
from tidings.following.systems.tidings.text_features import RARE
from tidings.research.training import tidings as learning
from tidings.research.training.labelled_events import load_events
from tidings.research.training.replays import Followed, Ranges, Relevance, Replay
from tidings.research.training.trainers import Training
from tidings.sources import bundled

COUNT = len(TIDINGS_FEATURES)
SENTENCE_FEATURES = [number for number, name in enumerate(TIDINGS_FEATURES) if name not in EMITTED]


@pytest.fixture(scope="module")
def replay():
    return Replay(load_events([bundled.path()])[0], {}, "english", Limits())


def stream(rows, relevant):
    return SimpleNamespace(
        features=np.asarray(rows, dtype=float), is_relevant=np.asarray(relevant, dtype=bool)
    )


def ridge_by_hand(basis, y, penalties):
    """Curves and bias of least squares with an unpenalised constant, by a system that is wider by rows of penalties."""
    wide = np.vstack([np.column_stack([basis, np.ones(len(basis))]), np.diag([*np.sqrt(penalties), 0.0])])
    solution = np.linalg.lstsq(wide, np.concatenate([y, np.zeros(len(penalties) + 1)]), rcond=None)[0]
    return solution[:-1], solution[-1]


class TestRanges:
    def test_by_hand(self):
        """999 numbers from 0 on and one far out: what lies beyond the quantiles counts as lying on them."""
        column = np.arange(1000.0)
        column[-1] = 1e6
        ranges = Ranges.of(np.column_stack([column, column]))
        kept = column.clip(4.995, 994.005)
        assert (ranges.low[0], ranges.high[1]) == pytest.approx((4.995, 994.005))
        assert ranges.mean == pytest.approx([kept.mean()] * 2)
        assert ranges.deviation == pytest.approx([kept.std()] * 2)

    def test_beyond_the_range_nothing_changes(self):
        ranges = Ranges(*(np.array([one]) for one in (0.0, 10.0, 4.0, 2.0)))
        found = ranges.basis(np.array([[3.0], [10.0], [99.0], [-5.0]]))
        assert found == pytest.approx(np.array([[-0.5, 0.25, 0.5], [3, 9, 3], [3, 9, 3], [-2, 4, 2]]))

    def test_what_was_emitted_and_relevance_have_ranges_of_their_own(self):
        own = Ranges(*(np.full(COUNT, 1.0) for _ in range(4)))
        others = Ranges(*(np.full(COUNT + 1, 2.0) for _ in range(4)))
        wider = own.widen(others)
        for part in (wider.low, wider.high, wider.mean, wider.deviation):
            assert len(part) == COUNT + 1
            assert [TIDINGS_FEATURES[n] for n in np.flatnonzero(part[:-1] == 2)] == list(EMITTED)
            assert part[-1] == 2


class TestRelevance:
    def test_by_hand(self):
        """The whole is ridge regression of matching less the event's share, its penalty by the number of events."""
        rng = np.random.default_rng(5)
        streams = [
            stream(rng.exponential(size=(50, COUNT)), rng.random(50) < 0.3 + 0.1 * n) for n in range(3)
        ]
        relevance = Relevance(streams, 16.0)
        basis = relevance.ranges.basis(np.concatenate([one.features for one in streams]))
        own = [n + COUNT * part for part in range(3) for n in SENTENCE_FEATURES]
        y = np.concatenate([one.is_relevant - one.is_relevant.mean() for one in streams])
        curves, bias = ridge_by_hand(basis[:, own], y, [16.0 * 3 / 24] * len(own))
        assert relevance.curves[own] == pytest.approx(curves, abs=1e-8)
        assert relevance.bias == pytest.approx(bias, abs=1e-8)
        # Three streams are three groups: the second is told by first and third.
        left = [0, 2]
        rows = np.concatenate([relevance.ranges.basis(streams[n].features)[:, own] for n in left])
        known = np.concatenate([streams[n].is_relevant - streams[n].is_relevant.mean() for n in left])
        curves, bias = ridge_by_hand(rows, known, [16.0 * 2 / 24] * len(own))
        expected = relevance.ranges.basis(streams[1].features)[:, own] @ curves + bias
        assert relevance.held_out[1] == pytest.approx(expected, abs=1e-8)

    def test_the_share_of_an_event_is_not_learned(self):
        """A feature that only tells one event from another is worth nothing, however much matches in one of them."""
        rng = np.random.default_rng(3)
        streams = []
        for n in range(6):
            rows = rng.normal(size=(80, COUNT))
            rows[:, 4] = n % 2
            streams.append(stream(rows, rng.random(80) < (0.8 if n % 2 else 0.2)))
        curves = Relevance(streams, 1.0).curves.reshape(3, -1)
        assert np.abs(curves[:, 4]).max() < 0.02

    def test_two_streams_tell_each_other(self):
        rng = np.random.default_rng(6)
        streams = [stream(rng.normal(size=(40, COUNT)), rng.random(40) < 0.5) for _ in range(2)]
        first = Relevance(streams, 10.0).held_out
        streams[0].is_relevant = ~streams[0].is_relevant
        second = Relevance(streams, 10.0).held_out
        assert np.allclose(first[0], second[0])
        assert not np.allclose(first[1], second[1])

    def test_one_stream_must_tell_itself(self):
        rng = np.random.default_rng(7)
        alone = stream(rng.normal(size=(40, COUNT)), rng.random(40) < 0.5)
        relevance = Relevance([alone], 10.0)
        basis = relevance.ranges.basis(alone.features)
        assert relevance.held_out[0] == pytest.approx(basis @ relevance.curves + relevance.bias)


def test_told_is_only_what_is_above_the_level(replay):
    assert replay.follow(lambda rows, begin, end: np.zeros(end - begin), 0.0).updates == []
    assert len(replay.follow(lambda rows, begin, end: np.full(end - begin, 1e-9), 0.0).updates) == len(
        replay.features
    )


class TestExamples:
    def followed(self, h, cost, z, gains, costs, updates=(0,)):
        return Followed(
            h, list(updates), cost, z, np.zeros((len(gains), COUNT)), np.array(gains), np.array(costs)
        )

    def examples(self, *followed):
        """What a start made of these follows, of an event with nuggets of 7 words and a total gain of 40."""
        event = SimpleNamespace(best_mean=lambda count: 0.5 * 30 / count, mean_words=7.0)
        judged = SimpleNamespace(judged=event)
        each = iter(followed)
        fake = SimpleNamespace(judged_event=judged, total_gain=40.0, follow=lambda worth, level: next(each))
        examples = learning._Examples(fake)
        scores = [examples.meet(lambda rows, begin, end: np.zeros(0), 0.0) for _ in followed]
        assert scores == [one.h for one in followed]
        return examples

    def test_labels_by_hand(self):
        """Half of what was believed, half of what came; gains as large as their mean in the follow; h at least .08."""
        examples = self.examples(
            self.followed(0.35, 70.0, 0.7, [0.0, 1.0, 3.0], [2.0, 3.0, 4.0]),
            self.followed(0.0, 999.0, 999.0, [0.0], [1.0], updates=()),
        )
        h, cost, z = (0.25 + 0.35) / 2, (30 * 3 + 70) / 2, (0.5 + 0.7) / 2
        gains, costs = np.array([0, 2, 2, 0]), np.array([2, 3, 4, 1])
        assert examples.labels() == pytest.approx(2 * (gains - h / 2 * z * costs) / (z * cost + 40))

    def test_h_is_never_taken_for_nothing(self):
        nothing = self.followed(0.0, 10.0, 0.1, [1.0], [1.0])
        examples = self.examples(*[nothing] * 6)
        assert examples.h == 0.08


class TestFit:
    def test_by_hand(self):
        """Ridge regression of labels (extremes cut off, of deviation 1) on what is weighed and on relevance."""
        rng = np.random.default_rng(8)
        fitted, made = [], []
        for n in range(3):
            rows = [rng.exponential(size=(150, COUNT)) for _ in range(2)]
            made.append(stream(rows[0], rng.random(150) < 0.3))
            labels = rng.normal(0.3, 2.0, size=300)
            labels[:1] = 500.0
            fitted.append(SimpleNamespace(features=rows, labels=lambda labels=labels: labels, number=n))
        relevance = Relevance(made, 10.0)
        model = learning._fit(fitted, relevance, 48.0)
        features = np.concatenate(
            [
                np.column_stack([rows, relevance.held_out[one.number]])
                for one in fitted
                for rows in one.features
            ]
        )
        y = np.concatenate([one.labels() for one in fitted])
        y = y.clip(*np.quantile(y, (0.002, 0.998)))
        y = y / y.std()
        weighed = [*(TIDINGS_FEATURES.index(name) for name in WEIGHED), COUNT]
        own = [n + (COUNT + 1) * part for part in range(3) for n in weighed]
        basis = relevance.ranges.widen(Ranges.of(features)).basis(features)
        curves, bias = ridge_by_hand(basis[:, own], y, [48.0 * 3 / 24] * len(own))
        found = np.asarray(model.curves).reshape(-1)
        others = np.delete(found, own)
        assert found[own] == pytest.approx(curves, abs=1e-7)
        assert not others.any()
        assert model.bias == pytest.approx(bias, abs=1e-7)
        assert np.asarray(model.relevance_curves).reshape(-1) == pytest.approx(relevance.curves)
        assert model.relevance_bias == relevance.bias != 0

    def test_the_weights_are_the_mean_of_the_last_rounds_of_all_starts(self, replay, monkeypatch):
        fits, levels = [], []

        def fit(examples, relevance, ridge):
            number = float(len(fits))
            ones = [np.full(COUNT + 1, number)] * 4
            fits.append(
                AdditiveModel(
                    *ones[:3],
                    ones[3] + 1,
                    np.full((3, COUNT + 1), number),
                    number,
                    np.zeros((3, COUNT)),
                    2 * number,
                )
            )
            return fits[-1]

        def meet(self, worth, level):
            levels.append(level)
            return 0.0

        monkeypatch.setattr(learning, "_fit", fit)
        monkeypatch.setattr(learning._Examples, "meet", meet)
        for rounds, expected in ((4, np.mean([2, 3, 6, 7])), (6, np.mean([3, 4, 5, 9, 10, 11]))):
            fits.clear()
            options = learning.TidingsOptions(starts=2, rounds=rounds)
            mean = learning.learn_worth([replay], options, Training("tidings"))
            assert mean.bias == mean.curves[1, 2] == mean.low[0] == mean.deviation[0] - 1 == expected
            assert mean.relevance_bias == 2 * expected
        assert len(levels) == 20
        assert 0 <= min(levels) < 0.08
        assert 0.17 < max(levels) <= 0.25


def test_weights_of_stems_by_hand():
    """-log of the mean share of different sentences, .3 at most; a stem of one sentence alone does not count."""

    def event(*texts):
        return SimpleNamespace(sentences=[(SimpleNamespace(text=text), 0) for text in texts])

    long = " ".join(f"word{n}" for n in range(130))
    first = event(
        "ferry fire",
        "ferry fire",
        "ferry fire fire crew",
        "ferry port",
        "calm sea",
        f"{long} sea",
        f"{long} calm",
    )
    second = event("storm fire", "storm fire fire sea", "a", "a", "b", "c", "d", "e", "f")
    weights = learning.stem_weights_of([first, second], "english")
    least = math.exp(-RARE)
    shares = {"ferri": (0.3, 0), "fire": (0.3, 2 / 8), "storm": (0, 2 / 8), "word50": (0.3, 0)}
    for stem, (one, other) in shares.items():
        assert weights[stem] == pytest.approx(-math.log((one + other) / 2 + least)), stem
    # Once in all, or a second time behind the 120th word of a sentence.
    assert not {"crew", "port", "calm", "word125", "sea"} & set(weights)


def test_a_start_begins_with_a_rule_of_thumb():
    rows = np.zeros((3, COUNT))
    rows[:, TIDINGS_FEATURES.index("query_share")] = (1.0, 0.5, 0.0)
    rows[:, TIDINGS_FEATURES.index("stream_mean")] = (0.2, 0.0, 0.1)
    rows[:, TIDINGS_FEATURES.index("emitted_nearest")] = (0.3, 0.45, 0.0)
    noise = random.Random(4)
    expected = [value + noise.gauss(0, 0.3) for value in (0.7, -0.8, -0.5)]
    worth = learning.first_worth(3, random.Random(4))
    assert worth(rows, 0, 3) == pytest.approx(expected)
    assert worth(rows, 1, 3) == pytest.approx(expected[1:])


def test_a_topic_is_what_a_twentieth_holds_and_two_at_least():
    topic = Topic()
    topic.add(["port", "crew"], 1)
    assert topic.common == set()
    topic.add(["port", "fire"], 2)
    assert topic.common == {"port"}
    topic.add(["sea"], 59)
    assert topic.common == {"port"}
    topic.add(["sea"], 60)
    assert topic.common == set()
    topic.add(["port"], 61)
    assert topic.common == {"port"}
    topic.remove(["port", "crew"])
    assert topic.common == set()
    assert topic.holds("port")
    assert not topic.holds("crew")
    topic.add(["fire"], 59)
    assert topic.common == {"port", "sea", "fire"}
    topic.add(["fire"], 59)
    topic.remove(["fire"])
    assert "fire" in topic.common
