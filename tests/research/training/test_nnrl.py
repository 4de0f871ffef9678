"""Q-learning with a memory: torch and numpy agree, the future counts, and a small stream's best policy is found."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.research.training.alike import alike, same_curve
from tidings.core.models.files import Model, write_model_bytes
from tidings.core.records import Event, Judgments, Match, ModelCard, Nugget, PooledUpdate, Sentence
from tidings.evaluation.measures.trec_ts import RULES, prepare
from tidings.following.systems import make
from tidings.research.systems.nnrl import EMITTED_INPUTS, STREAM_INPUTS, QNetwork
from tidings.research.training import nnrl as trainer
from tidings.research.training.labelled_events import JudgedEvent
from tidings.research.training.nnrl import (
    MARGINS,
    Episode,
    Learner,
    NnrlOptions,
    Played,
    Reward,
    build,
    export,
    margin_scores,
    play,
    stack,
    stretches,
    train,
)
from tidings.research.training.trainers import Training

np = pytest.importorskip("numpy")


def toy(number: int, length: int = 60) -> JudgedEvent:
    """A stream in which sentences of three words of the query tell a fact, each fact three times, others nothing.

    The best policy: push what has all three words, when it is said for the first time.
    """
    rng = random.Random(number)
    event = Event(id=f"T{number}", title="", query="ferry fire port", start_time=0, end_time=10**6)
    facts = [f"fact{number}x{n} piece{number}x{n}" for n in range(length // 6)]
    told = [(f"ferry fire port {fact}", n) for n, fact in enumerate(facts) for _ in range(3)]
    idle = [
        (f"ferry fire talk{rng.randrange(10**6)} chat{rng.randrange(10**6)}", -1) for _ in range(length // 2)
    ]
    said = rng.sample(told + idle, length)
    rows = [Sentence(f"{at}-d", 0, text, 60 * at) for at, (text, _) in enumerate(said)]
    matches = tuple(
        Match(event.id, row.id, f"n{fact}", 0, 4)
        for row, (_, fact) in zip(rows, said, strict=True)
        if fact >= 0
    )
    judgments = Judgments(
        name="toy",
        events=(event,),
        nuggets=tuple(Nugget(event.id, f"n{n}", 0, 3, fact) for n, fact in enumerate(facts)),
        matches=matches,
        pool=tuple(PooledUpdate(event.id, row.doc_id, 0, row.text) for row in rows),
    )
    pushes = [([row], row.published_time) for row in rows]
    return JudgedEvent(event, "toy", pushes, prepare(judgments, RULES["trec-2014"]), "")


class TestPlayed:
    """Streams as games."""

    def network(self, seed: int = 1) -> QNetwork:
        rng = np.random.default_rng(seed)
        inputs = len(STREAM_INPUTS) + 8 + len(EMITTED_INPUTS)
        shapes = {
            "input_mean": inputs, "input_scale": inputs, "lstm_in": (1, 16, inputs), "lstm_state": (1, 16, 4),
            "lstm_bias": (1, 16), "dense_1": (1, 5, 4), "dense_1_bias": (1, 5), "dense_2": (1, 3, 5),
            "dense_2_bias": (1, 3), "dense_3": (1, 2, 3), "dense_3_bias": (1, 2),
        }  # fmt: skip
        arrays = {name: rng.normal(size=shape) for name, shape in shapes.items()}
        arrays["input_scale"] = np.ones(inputs)
        return QNetwork(Model(card=ModelCard(system="nnrl"), arrays=arrays))

    def test_rewards_are_gain_and_pain(self) -> None:
        """Every sentence pushed: ten facts earn 1 each, their twenty copies and thirty others cost."""
        (episode,) = play(
            self.network(), [Played(toy(1), 8)], Reward(0.3), np.random.default_rng(0), 1.0, 1.0
        )
        assert episode.actions.all()
        assert episode.rewards.sum() == pytest.approx(10 - 50 * 0.3)
        assert sorted(set(episode.rewards.round(3).tolist())) == [pytest.approx(-0.3), 1.0]

    def test_streams_side_by_side_are_as_each_alone(self) -> None:
        network = self.network()
        streams = [Played(toy(1, 30), 8), Played(toy(2, 60), 8), Played(toy(3, 48), 8)]
        together = play(network, streams, Reward(0.3), margin=-0.1)
        for stream, episode in zip(streams, together, strict=True):
            (alone,) = play(network, [stream], Reward(0.3), margin=-0.1)
            assert (episode.actions == alone.actions).all()
            assert np.allclose(episode.inputs, alone.inputs)
            assert np.allclose(episode.states[1], alone.states[1], atol=1e-5)
        assert 0 < sum(episode.actions.sum() for episode in together) < 138

    def test_scores_under_margins_are_those_of_each_alone(self) -> None:
        network = self.network()
        streams = [Played(toy(1, 30), 8), Played(toy(2, 60), 8)]
        margins = (-9.0, -0.1, 9.0)
        found = margin_scores(network, streams, margins, "H")
        for row, margin in enumerate(margins):
            for column, stream in enumerate(streams):
                (episode,) = play(network, [stream], Reward(0.0), margin=margin)
                wanted = stream.event.score(stream.updates(episode.actions.tolist()))["H"]
                assert found[row, column] == pytest.approx(wanted)
        assert found[0].min() > 0 and (found[2] == 0).all()
        gains = margin_scores(network, streams, margins[:1], "EG-1")
        assert gains.shape == (1, 2) and not np.allclose(gains, found[:1])

    def test_played_is_as_followed(self, tmp_path: Path) -> None:
        """What is learned from is what the system will do."""
        pytest.importorskip("torch")
        network = build(
            len(STREAM_INPUTS) + 8 + len(EMITTED_INPUTS), NnrlOptions(hashed=8, hidden=4, first=6, second=3)
        )
        arrays = stack([export(network)])
        model = Model(card=ModelCard(system="nnrl"), arrays=arrays, settings={"margin": 0.0})
        path = tmp_path / "m.safetensors"
        path.write_bytes(write_model_bytes(model))
        event = toy(4)
        stream = Played(event, 8)
        (episode,) = play(QNetwork(model), [stream], Reward(0.3), margin=-0.05)
        told = event.run(make(f"nnrl:model={path},margin=-0.05"))
        assert [(u.id, u.time) for u in told] == [
            (u.id, u.time) for u in stream.updates(episode.actions.tolist())
        ]


def test_numpy_is_torch() -> None:
    """To 1e-5, over a long stream, with inputs far outside of what is usual."""
    torch = pytest.importorskip("torch")
    torch.manual_seed(3)
    network = build(30, NnrlOptions())
    with torch.no_grad():
        network.mean.uniform_(-1, 1)
        network.scale.uniform_(0.1, 2)
    rows = torch.randn(4, 200, 30) * 3
    expected = network(rows, torch.zeros(4, 12), torch.zeros(4, 12)).detach().numpy()
    ours = QNetwork(Model(card=ModelCard(system="nnrl"), arrays=stack([export(network)])))
    state = ours.fresh(4)
    for at in range(200):
        values, state = ours.step(rows[:, at].numpy(), state)
        assert np.abs(values - expected[:, at]).max() < 1e-5


class TestLearning:
    """Learning by itself."""

    def test_stretches_hold_what_was_played(self) -> None:
        """Rewards, actions and inputs stay together, ends are marked, nothing beyond the end counts."""
        length = 7
        inputs = np.arange(length, dtype=np.float32)[:, None].repeat(2, 1) + 1
        states = (inputs.copy(), -inputs)
        episode = Episode(inputs, states, np.arange(length) % 2, np.arange(length, dtype=np.float32) / 10)
        options = NnrlOptions(hidden=2, stretch=4, warm_up=1, batch=200)
        found, h, c, actions, rewards, counts, ends = stretches([episode], options, np.random.default_rng(0))
        assert found.shape == (200, 5, 2)
        for row in range(200):
            start = int(found[row, 0, 0]) - 1
            size = min(4, length - start)
            assert h[row, 0] == start + 1 == -c[row, 0]
            assert rewards[row, :size] == pytest.approx(episode.rewards[start : start + size])
            assert (actions[row, :size] == episode.actions[start : start + size]).all()
            assert not counts[row, size:].any() and counts[row, size - 1] == 1
            assert ends[row].sum() == (start + size == length)
            assert counts[row, 0] == (start == 0 or size == 1)

    def test_the_future_counts(self) -> None:
        """A push earns .2 now but forbids the 1.0 of the next sentence: Q(skip) = .8 · 1, Q(push) = .2 at the first."""
        pytest.importorskip("torch")
        options = NnrlOptions(hidden=8, first=16, second=8, discount=0.8, batch=32, stretch=2, warm_up=0, steps=120,
                          target=50, rate=0.01, decay=0.0001)  # fmt: skip
        learner = Learner(options, Training("nnrl"), np.zeros(2, np.float32), np.ones(2, np.float32))
        episodes = []
        for first in (0, 1):
            for second in (0, 1):
                rewards = [0.2 * first, second * (1.0 if not first else -0.3)]
                inputs = np.array([[0, 0], [1, first]], dtype=np.float32)
                states = (np.zeros((2, 8), np.float32), np.zeros((2, 8), np.float32))
                episodes.append(
                    Episode(inputs, states, np.array([first, second]), np.array(rewards, np.float32))
                )
        learner.remember(episodes)
        random_ = np.random.default_rng(1)
        for _ in range(2):
            learner.learn(random_, 0.0)
        network = QNetwork(Model(card=ModelCard(system="nnrl"), arrays=stack([learner.arrays()])))
        values, state = network.step(np.array([[0, 0]], np.float32), network.fresh())
        assert values[0] == pytest.approx([0.8, 0.2], abs=0.06)
        later, _ = network.step(np.array([[1, 0]], np.float32), state)
        assert later[0] == pytest.approx([0.0, 1.0], abs=0.06)

    def test_finds_the_best_policy_of_a_small_stream(self) -> None:
        """On events never seen: the first telling of each fact, no copy, no talk, give or take a few."""
        pytest.importorskip("torch")
        options = {"rounds": "14", "steps": "40", "hidden": "12", "hashed": "4", "first": "16", "second": "8",
                   "rate": "0.01", "batch": "16", "discount": "0.5", "decay": "0.0001", "pain": "0.3", "explore": "0.3",
                   "push": "0.3", "members": "1", "trials": "1"}  # fmt: skip
        learned = train([toy(n) for n in range(6)], [toy(7)], Training("nnrl", options=options))
        network = QNetwork(Model(card=ModelCard(system="nnrl"), arrays=learned.arrays))
        streams = [Played(toy(n), 4) for n in (20, 21, 22)]
        earned = [
            episode.rewards.sum()
            for episode in play(network, streams, Reward(0.3), margin=learned.settings["margin"])
        ]
        assert np.mean(earned) > 8.5  # of 10; pushing all of the query's words earns 10 - 20 · .3 = 4

    def test_the_same_seed_learns_the_same(self) -> None:
        pytest.importorskip("torch")
        options = {"rounds": "2", "steps": "3", "check": "1", "members": "2", "trials": "1"}
        one, two, other = (
            train([toy(1)], [toy(2)], Training("nnrl", options=options, seed=seed)) for seed in (5, 5, 6)
        )
        assert alike(one.arrays, two.arrays)
        same_curve(one.curve, two.curve)
        assert not alike(one.arrays, other.arrays)
        assert [row["step"] for row in one.curve] == [1.0, 2.0] and "H" in one.curve[-1]
        networks = one.arrays["lstm_in"]
        assert len(networks) == 2 and not np.allclose(networks[0], networks[1])

    def test_round_and_margin_are_the_best_on_events_left_out(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Three folds of three events, never an event that was learned from; then all learn for so many rounds."""
        pytest.importorskip("torch")
        asked = []

        def scores(
            network: QNetwork, streams: list[Played], margins: tuple[float, ...], measure: str
        ) -> object:
            asked.append((network.members, [stream.event.event.id for stream in streams], measure))
            found = np.full((len(margins), len(streams)), 0.1)
            found[4:] = (
                0.3 if len(asked) % 2 else 0.2
            )  # two checks in each fold, of which the first is better
            return found

        monkeypatch.setattr(trainer, "margin_scores", scores)
        options = {"rounds": "3", "steps": "1", "check": "1", "members": "3", "trials": "2", "select": "EG-1"}
        events = [toy(n, 12) for n in range(3)]
        learned = train(events, [], Training("nnrl", options=options))
        assert asked == [(2, [event.event.id], "EG-1") for event in events for _ in range(2)]
        assert learned.settings["options"]["round"] == 2
        assert learned.settings["margin"] == MARGINS[5]
        assert learned.arrays["lstm_in"].shape[0] == 3
        assert [(row["step"], row["EG-1"]) for row in learned.curve] == [
            (2, pytest.approx(0.3)),
            (3, pytest.approx(0.2)),
        ]
