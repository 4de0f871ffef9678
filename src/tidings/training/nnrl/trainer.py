"""Trains `nnrl` by Q-learning: streams are played ε-greedily, and stretches of them are learned again and again.

    r(t, skip) = 0
    r(t, push) = min(1, Σ gain(n) over nuggets n of the sentence that nothing told before tells)      if there are any
                 -pain                                                                                  otherwise
    y_t        = r_t + γ Q'(t+1, argmax_a Q(t+1, a))          0 beyond the end of the stream

with gain .5 for a nugget of importance 1 and 1 for 2 and 3. Q' is a copy of Q that lags behind (double Q-learning); the
loss is Huber's. The paper's reward is not in the accessible text: this one is the gain and pain of its evaluation
(real-time summarization 2016), whose GMP weighs gain by α and needless pushes by 1 - α, so pain = (1-α)/α.

A played stream is kept with the LSTM's state before each sentence; learning takes stretches of `stretch` sentences
from the streams played last, begins with the state that was kept, and lets a few sentences pass (`warm_up`)
to bring it up to date before they count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from tidings.errors import UsageError
from tidings.models.files import Model
from tidings.records import ModelCard
from tidings.systems.nnrl import EMITTED_INPUTS, QNetwork
from tidings.training.labelled_events import JudgedEvent
from tidings.training.nnrl.rollouts import Episode, Played, Reward, mean_scores, play
from tidings.training.options import read_options
from tidings.training.trainers import Learned, Training

if TYPE_CHECKING:
    from numpy import ndarray

    Array = ndarray[Any, Any]

__all__ = ["Learner", "NnrlOptions", "build", "export", "stretches", "train"]

Count = Annotated[int, Meta(ge=0, le=100_000)]
Size = Annotated[int, Meta(ge=1, le=1024)]


class NnrlOptions(Struct, frozen=True, kw_only=True):
    """How to train `nnrl`; given as texts by `--set name=value`.

    Attributes:
        hashed: numbers that the words are hashed into.
        hidden, first, second: sizes of the LSTM and of the first two fully connected layers.
        pain: what a push that tells nothing new costs; gains are .5 and 1.
        discount: γ, what the next sentence's value is worth now.
        rounds: how often all streams are played.
        steps: steps of learning after each round.
        batch: stretches in one step.
        stretch, warm_up: sentences of a stretch, and how many of them only bring the state up to date.
        memory: rounds that are remembered.
        explore, explore_last: ε in the first round and in the last; it falls in a line.
        push: the chance that an exploring decision is a push.
        rate: learning rate (Adam); it falls to a tenth in a line.
        target: steps after which Q' becomes Q.
        decay: weight decay.
        average: the weights taken are a running mean that keeps this share of itself at each step; 0: the last.
        select: the measure by which the development events choose the round; GMP is by nuggets taken as clusters.
        check: rounds between checks.
    """

    hashed: Size = 24
    hidden: Size = 32
    first: Size = 64
    second: Size = 32
    pain: Annotated[float, Meta(ge=0, le=10)] = 0.3
    discount: Annotated[float, Meta(ge=0, lt=1)] = 0.8
    rounds: Annotated[int, Meta(ge=1, le=10_000)] = 24
    steps: Count = 60
    batch: Size = 32
    stretch: Size = 24
    warm_up: Count = 4
    memory: Size = 4
    explore: Annotated[float, Meta(ge=0, le=1)] = 0.3
    explore_last: Annotated[float, Meta(ge=0, le=1)] = 0.05
    push: Annotated[float, Meta(ge=0, le=1)] = 0.3
    rate: Annotated[float, Meta(gt=0, le=1)] = 0.002
    target: Annotated[int, Meta(ge=1)] = 100
    decay: Annotated[float, Meta(ge=0, le=1)] = 0.0001
    average: Annotated[float, Meta(ge=0, lt=1)] = 0.995
    select: Literal["H", "GMP@.5", "EG-1", "nCG-1"] = "H"
    check: Annotated[int, Meta(ge=1)] = 2

    @property
    def reward(self) -> Reward:
        """The reward of one decision."""
        return Reward(self.pain)


def train(events: Sequence[JudgedEvent], development: Sequence[JudgedEvent], training: Training) -> Learned:
    """Learn from `events`; `development` chooses the round whose weights are taken (the last where there is none)."""
    import numpy as np

    options = read_options(NnrlOptions, training.options, training.system)
    random = np.random.default_rng(training.seed)
    streams = [Played(event, options.hashed) for event in events]
    checks = [Played(event, options.hashed) for event in development]
    streams = [stream for stream in streams if stream.length]
    if not streams:
        raise UsageError(
            "training of nnrl: found no sentence that passes the gate, expected some to learn from"
        )
    inputs = np.concatenate([stream.fixed for stream in streams])
    curve: list[dict[str, float]] = []
    best: tuple[float, dict[str, Any]] = (float("-inf"), {})
    learner = Learner(
        options, training, mean=_padded(inputs.mean(0), 0.0), scale=_padded(inputs.std(0) + 0.05, 1.0)
    )
    for number in range(options.rounds):
        share = number / max(1, options.rounds - 1)
        explore = options.explore + (options.explore_last - options.explore) * share
        network = QNetwork(_model(learner.arrays()))
        earned = learner.remember(play(network, streams, options.reward, random, explore, options.push))
        loss = learner.learn(random, share)
        last = number + 1 == options.rounds
        row = {"step": number + 1.0, "explore": explore, "reward": earned, "loss": loss}
        if checks and (last or (number + 1) % options.check == 0):
            row |= mean_scores(QNetwork(_model(learner.arrays())), checks)
            if row[options.select] > best[0]:
                best = (row[options.select], learner.arrays())
        curve.append(row)
        training.progress(number + 1, options.rounds, f"reward {earned:.2f} a stream, loss {loss:.4f}")
    arrays = best[1] or learner.arrays()
    return Learned(arrays, {"options": msgspec.to_builtins(options)}, curve)


def _padded(fixed: Array, fill: float) -> Array:
    """Means or scales for all inputs: those that depend on what was told keep their own scale."""
    import numpy as np

    return np.concatenate([fixed, np.full(len(EMITTED_INPUTS), fill)]).astype(np.float32)


def _model(arrays: Mapping[str, Any]) -> Model:
    return Model(card=ModelCard(system="nnrl"), arrays=dict(arrays))


class Learner:
    """The Q-network in torch, its lagging copy Q', the running mean of its weights, and what it remembers."""

    def __init__(self, options: NnrlOptions, training: Training, mean: Array, scale: Array) -> None:
        torch = _torch()
        torch.set_num_threads(training.threads)
        torch.manual_seed(training.seed)
        self.options = options
        self.network = build(len(mean), options)
        self.network.mean.copy_(torch.from_numpy(mean))
        self.network.scale.copy_(torch.from_numpy(scale))
        self.lagging = build(len(mean), options)
        self.lagging.load_state_dict(self.network.state_dict())
        self.steady = build(len(mean), options)
        self.steady.load_state_dict(self.network.state_dict())
        self._optimizer = torch.optim.AdamW(
            self.network.parameters(), lr=options.rate, weight_decay=options.decay
        )
        self._memory: list[list[Episode]] = []
        self._steps = 0

    def arrays(self) -> dict[str, Any]:
        """The weights, averaged over the latest steps, as the numpy network takes them."""
        return export(self.steady)

    def remember(self, episodes: list[Episode]) -> float:
        """Keep a round of played streams, forget the oldest; returns the mean sum of rewards of a stream."""
        self._memory = [*self._memory, episodes][-self.options.memory :]
        return float(sum(episode.rewards.sum() for episode in episodes) / len(episodes))

    def learn(self, random: Any, share: float) -> float:
        """Some steps of learning from what is remembered; returns the mean loss."""
        torch = _torch()
        options = self.options
        for group in self._optimizer.param_groups:
            group["lr"] = options.rate * (1.0 - 0.9 * share)
        episodes = [episode for played in self._memory for episode in played]
        total = 0.0
        for _ in range(options.steps):
            batch = stretches(episodes, options, random)
            loss = self._loss(*(torch.from_numpy(part) for part in batch))
            self._optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
            self._optimizer.step()
            total += float(loss.detach())
            self._steps += 1
            keep = min(options.average, self._steps / (10 + self._steps))
            with torch.no_grad():
                for mean, latest in zip(self.steady.parameters(), self.network.parameters(), strict=True):
                    mean.lerp_(latest, 1.0 - keep)
            if self._steps % options.target == 0:
                self.lagging.load_state_dict(self.network.state_dict())
        return total / max(1, options.steps)

    def _loss(self, inputs: Any, h: Any, c: Any, actions: Any, rewards: Any, counts: Any, ends: Any) -> Any:
        torch = _torch()
        values = self.network(inputs, h, c)
        with torch.no_grad():
            choices = values[:, 1:].argmax(-1, keepdim=True)
            later = self.lagging(inputs, h, c)[:, 1:].gather(-1, choices)[..., 0]
            aims = rewards + self.options.discount * later * (1.0 - ends)
        chosen = values[:, :-1].gather(-1, actions[..., None])[..., 0]
        losses = torch.nn.functional.smooth_l1_loss(chosen, aims, reduction="none", beta=0.25)
        return (losses * counts).sum() / counts.sum().clamp(min=1.0)


def stretches(episodes: Sequence[Episode], options: NnrlOptions, random: Any) -> tuple[Array, ...]:
    """Random stretches of played streams, long streams more often.

    Returns inputs (batch, stretch+1, inputs), h and c (batch, hidden), actions, rewards, which of the sentences count,
    and which of them are the last of their stream, each (batch, stretch).
    """
    import numpy as np

    lengths = np.array([len(episode.actions) for episode in episodes])
    long, width = options.stretch, episodes[0].inputs.shape[1]
    inputs = np.zeros((options.batch, long + 1, width), dtype=np.float32)
    h, c = (np.zeros((options.batch, options.hidden), dtype=np.float32) for _ in range(2))
    actions = np.zeros((options.batch, long), dtype=np.int64)
    rewards, counts, ends = (np.zeros((options.batch, long), dtype=np.float32) for _ in range(3))
    for row, which in enumerate(random.choice(len(episodes), options.batch, p=lengths / lengths.sum())):
        episode, length = episodes[which], lengths[which]
        start = int(random.integers(-options.warm_up, length))
        warm, start = (options.warm_up if start > 0 else 0), max(0, start)
        size = min(long, length - start)
        stretch = episode.inputs[start : start + size + 1]
        inputs[row, : len(stretch)] = stretch
        h[row], c[row] = episode.states[0][start], episode.states[1][start]
        actions[row, :size] = episode.actions[start : start + size]
        rewards[row, :size] = episode.rewards[start : start + size]
        counts[row, min(warm, size - 1) : size] = 1.0
        ends[row, size - 1] = float(start + size == length)
    return inputs, h, c, actions, rewards, counts, ends


def _torch() -> Any:
    try:
        import torch
    except ImportError:
        raise UsageError(
            "training of nnrl: found no torch, expected it to learn with; pip install 'tidings[torch]'"
        ) from None
    return torch


def build(inputs: int, options: NnrlOptions) -> Any:
    """The Q-network as a torch module: (batch, time, inputs) and a state to (batch, time, 2)."""
    torch = _torch()

    class Network(torch.nn.Module):  # type: ignore[name-defined]
        """Standardised inputs, LSTM, three fully connected layers."""

        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("mean", torch.zeros(inputs))
            self.register_buffer("scale", torch.ones(inputs))
            self.lstm = torch.nn.LSTM(inputs, options.hidden, batch_first=True)
            self.dense_1 = torch.nn.Linear(options.hidden, options.first)
            self.dense_2 = torch.nn.Linear(options.first, options.second)
            self.dense_3 = torch.nn.Linear(options.second, 2)

        def forward(self, sentences: Any, h: Any, c: Any) -> Any:
            """Q of skip and of push for each sentence."""
            hidden, _ = self.lstm((sentences - self.mean) / self.scale, (h[None], c[None]))
            hidden = torch.relu(self.dense_1(hidden))
            return self.dense_3(torch.relu(self.dense_2(hidden)))

    return Network()


def export(network: Any) -> dict[str, Any]:
    """The arrays of a model from the torch module."""
    tensors = {name: value.detach().cpu().numpy().copy() for name, value in network.state_dict().items()}
    arrays = {
        "input_mean": tensors["mean"],
        "input_scale": tensors["scale"],
        "lstm_in": tensors["lstm.weight_ih_l0"],
        "lstm_state": tensors["lstm.weight_hh_l0"],
        "lstm_bias": tensors["lstm.bias_ih_l0"] + tensors["lstm.bias_hh_l0"],
    }
    for number in (1, 2, 3):
        arrays[f"dense_{number}"] = tensors[f"dense_{number}.weight"]
        arrays[f"dense_{number}_bias"] = tensors[f"dense_{number}.bias"]
    return arrays
