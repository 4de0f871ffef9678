"""Training of `nnrl`: Q-learning over streams that are played as games.

Streams are played ε-greedily, and stretches of them are learned again and again.

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

What one network learns depends on chance more than on anything else; so several learn, each from a seed of its own, and
the mean of their Q decides. How often the streams are played, and the margin, are those of the best mean score on
events left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from msgspec import Meta, Struct

from tidings.core import Model, ModelCard, Sentence, Update, UsageError, Vector, shared_analyzer, unit_vector
from tidings.following import Array, build_gate
from tidings.research.systems.nnrl import (
    EMITTED_INPUTS,
    NNRL,
    STREAM_INPUTS,
    EmittedHistory,
    QNetwork,
    StreamHistory,
    spread,
)
from tidings.research.training.folds import FOLDS, deal, means_left_out, summit
from tidings.research.training.labelled_events import JudgedEvent, score_as_clusters
from tidings.research.training.model_files import need
from tidings.research.training.trainers import Learned, Training, read_options


@dataclass(frozen=True)
class Reward:
    """Gain and pain of one push: at most 1 for what is new, -pain where nothing is."""

    pain: float

    def of(self, gains: Sequence[float]) -> float:
        """The reward of a push whose new nuggets are worth so much each.

        >>> Reward(0.3).of([0.5, 1.0]), Reward(0.3).of([])
        (1.0, -0.3)
        """
        return min(1.0, fsum(gains)) if gains else -self.pain


@dataclass(frozen=True, eq=False)
class Episode:
    """One played stream: inputs (length, inputs), states h and c before each sentence, actions 0 or 1, rewards."""

    inputs: Array
    states: tuple[Array, Array]
    actions: Array
    rewards: Array


class Played:
    """One event's sentences that pass the gate, with all that does not depend on what is emitted.

    Attributes:
        fixed: (length, inputs that do not depend on what was emitted).
        rows: for each sentence (sentence, time, stems, unit vector).
        gains: for each sentence its nuggets with their gains, .5 or 1.
    """

    def __init__(self, event: JudgedEvent, hashed: int, system: NNRL | None = None) -> None:
        system = system or NNRL()
        self.event, self.most = event, system.max_kept
        stems_of, gate = shared_analyzer(system.language).stems, build_gate(system, event.event)
        history = StreamHistory(event.event, system.language)
        self.rows: list[tuple[Sentence, int, tuple[str, ...], Vector]] = []
        self.gains: list[dict[int, float]] = []
        fixed = []
        for sentence, now in event.sentences:
            stems = stems_of(sentence.text)
            if not stems or not gate.admits(sentence.text, stems):
                continue
            vector = unit_vector(stems)
            fixed.append([*history.look(sentence, stems, now), *spread(vector, hashed)])
            self.rows.append((sentence, now, stems, vector))
            # R(n) = e^(importance - 3): above .2 the importance is 2 or 3.
            self.gains.append({n: 1.0 if event.gains[n] > 0.2 else 0.5 for n in event.nuggets_of(sentence)})
        self.fixed = np.array(fixed, dtype=np.float32).reshape(len(fixed), len(STREAM_INPUTS) + hashed)

    @property
    def length(self) -> int:
        """Sentences to decide on."""
        return len(self.rows)

    def updates(self, actions: Sequence[int]) -> list[Update]:
        """What is emitted when these decisions are taken."""
        event_id = self.event.event.id
        return [
            Update(
                event_id,
                sentence.doc_id,
                sentence.index,
                now,
                1.0,
                sentence.text,
                sentence.published_time,
                sentence.source,
            )
            for (sentence, now, _, _), action in zip(self.rows, actions, strict=True)
            if action
        ]


def play(
    network: QNetwork,
    streams: Sequence[Played],
    reward: Reward,
    random: Any = None,
    explore: float = 0.0,
    push: float = 0.5,
    margin: float | Sequence[float] = 0.0,
) -> list[Episode]:
    """Play all streams side by side, each decision random with probability `explore` (a push then with `push`).

    `margin` is one for all streams, or one for each. States are those of the first network of several. The longest
    stream comes first in the batch, so that those that have ended are cut off at its end.
    """
    order = sorted(range(len(streams)), key=lambda number: -streams[number].length)
    chosen = [streams[number] for number in order]
    width = len(EMITTED_INPUTS)
    games = [_Game(stream, network, reward) for stream in chosen]
    state = network.fresh(len(chosen))
    margins = np.broadcast_to(np.array(margin, dtype=float), len(streams))[order]
    for at in range(chosen[0].length if chosen else 0):
        alive = sum(stream.length > at for stream in chosen)
        state = (state[0][:, :alive], state[1][:, :alive])
        for game, h, c in zip(games, state[0][0], state[1][0], strict=False):
            game.look(at, h, c, width)
        inputs = np.stack([game.inputs[at] for game in games[:alive]])
        values, state = network.step(inputs, state)
        actions = values[:, 1] - values[:, 0] > margins[:alive]
        if explore:
            actions = np.where(random.random(alive) < explore, random.random(alive) < push, actions)
        for game, action in zip(games, actions, strict=False):
            game.decide(at, bool(action))
    episodes = {number: game.episode for number, game in zip(order, games, strict=True)}
    return [episodes[number] for number in range(len(streams))]


class _Game:
    """One stream while it is played."""

    def __init__(self, stream: Played, network: QNetwork, reward: Reward) -> None:
        length = stream.length
        self._stream, self._reward = stream, reward
        self._emitted = EmittedHistory(stream.most)
        self._emitted_nuggets: set[int] = set()
        self.inputs = np.zeros((length, network.inputs), dtype=np.float32)
        self.inputs[:, : stream.fixed.shape[1]] = stream.fixed
        states = tuple(np.zeros((length, network.hidden), dtype=np.float32) for _ in range(2))
        self.episode = Episode(
            self.inputs,
            (states[0], states[1]),
            np.zeros(length, dtype=np.int64),
            np.zeros(length, dtype=np.float32),
        )

    def look(self, at: int, h: Array, c: Array, width: int) -> None:
        """Write the inputs of sentence `at`, and the state before it."""
        _, now, _, vector = self._stream.rows[at]
        self.inputs[at, -width:] = self._emitted.look(vector, now)
        self.episode.states[0][at], self.episode.states[1][at] = h, c

    def decide(self, at: int, push: bool) -> None:
        """Take the decision on sentence `at` and its reward."""
        self._emitted.last = push
        if not push:
            return
        _, now, stems, _ = self._stream.rows[at]
        self._emitted.add(stems, now)
        gains = self._stream.gains[at]
        self.episode.actions[at] = 1
        self.episode.rewards[at] = self._reward.of(
            [gain for n, gain in gains.items() if n not in self._emitted_nuggets]
        )
        self._emitted_nuggets.update(gains)


def margin_scores(
    network: QNetwork, streams: Sequence[Played], margins: Sequence[float], measure: str
) -> Array:
    """What the network's updates score on each stream under each margin, without exploring; (margins, streams)."""
    every = [stream for _ in margins for stream in streams]
    episodes = play(network, every, Reward(0.0), margin=[margin for margin in margins for _ in streams])
    scores = []
    for stream, episode in zip(every, episodes, strict=True):
        updates = stream.updates(episode.actions.tolist())
        figures = stream.event.score(updates) if measure == "H" else score_as_clusters(stream.event, updates)
        scores.append(figures[measure])
    return np.array(scores).reshape(len(margins), len(streams))


Count = Annotated[int, Meta(ge=0, le=100_000)]
Size = Annotated[int, Meta(ge=1, le=1024)]

MARGINS = (-0.15, -0.1, -0.05, 0.0, 0.05, 0.1, 0.15)
"""Differences of Q(push) and Q(skip) above which a sentence may come to be emitted."""


class NnrlOptions(Struct, frozen=True, kw_only=True):
    """How to train `nnrl`; given as texts by `--set name=value`.

    Attributes:
        members: networks whose mean decides.
        trials: networks whose mean decides where the events left out choose.
        hashed: numbers that the words are hashed into; none are as good as 24 on events to come.
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
        select: the measure by which round and margin are chosen; GMP is by nuggets taken as clusters.
        check: rounds between checks, in the second half.
    """

    members: Annotated[int, Meta(ge=1, le=100)] = 5
    trials: Annotated[int, Meta(ge=1, le=100)] = 2
    hashed: Annotated[int, Meta(ge=0, le=1024)] = 0
    hidden: Size = 12
    first: Size = 16
    second: Size = 8
    pain: Annotated[float, Meta(ge=0, le=10)] = 0.2
    discount: Annotated[float, Meta(ge=0, lt=1)] = 0.8
    rounds: Annotated[int, Meta(ge=1, le=10_000)] = 12
    steps: Count = 60
    batch: Size = 32
    stretch: Size = 24
    warm_up: Count = 4
    memory: Size = 4
    explore: Annotated[float, Meta(ge=0, le=1)] = 0.6
    explore_last: Annotated[float, Meta(ge=0, le=1)] = 0.05
    push: Annotated[float, Meta(ge=0, le=1)] = 0.4
    rate: Annotated[float, Meta(gt=0, le=1)] = 0.006
    target: Annotated[int, Meta(ge=1)] = 100
    decay: Annotated[float, Meta(ge=0, le=1)] = 0.01
    average: Annotated[float, Meta(ge=0, lt=1)] = 0.995
    select: Literal["H", "GMP@.5", "EG-1", "nCG-1"] = "H"
    check: Annotated[int, Meta(ge=1)] = 2

    @property
    def reward(self) -> Reward:
        """The reward of one decision."""
        return Reward(self.pain)


def train(events: Sequence[JudgedEvent], development: Sequence[JudgedEvent], training: Training) -> Learned:
    """Learn from `events`, for so many rounds and with the margin that are best on events left out.

    Those are the `development` events where there are some, and else the events learned from, fold by fold
    (`tidings.research.training.folds`). The curve has a row for each round that could be the last: the mean score on
    events left out under the best margin.

    Raises:
        UsageError: an unknown or impossible option, nothing to learn from, or no torch.
    """
    options = read_options(NnrlOptions, training.options, training.system)
    streams = [stream for stream in (Played(event, options.hashed) for event in events) if stream.length]
    unseen = [stream for stream in (Played(event, options.hashed) for event in development) if stream.length]
    if not streams:
        raise UsageError("training of nnrl: no sentence that passes the gate (expected some to learn from)")
    rounds = [number for number in range(1, options.rounds + 1) if _is_check(number, options)]
    folds = 1 if unseen else len(deal(len(streams), FOLDS))
    steps, done = folds * options.trials + options.members, 0

    def learn(learned: Sequence[Played], member: int, words: str) -> list[dict[str, Any]]:
        nonlocal done
        arrays = list(_rounds(learned, options, training, member))
        done += 1
        training.progress(done, steps, words)
        return arrays

    def scores(learned: Sequence[Played], checked: Sequence[Played]) -> Array:
        trials = [learn(learned, trial, "round and margin") for trial in range(options.trials)]
        return np.array(
            [
                margin_scores(QNetwork(_model(stack(kept))), checked, MARGINS, options.select)
                for kept in zip(*trials, strict=True)
            ]
        )

    means = means_left_out(streams, unseen, scores)
    best, margin = summit(means)
    arrays = stack([learn(streams, member, "networks")[best] for member in range(options.members)])
    curve = [
        {"step": float(number), options.select: float(row.max())}
        for number, row in zip(rounds, means, strict=True)
    ]
    settings = {
        "margin": MARGINS[margin],
        "options": msgspec.to_builtins(options) | {"round": rounds[best]},
    }
    return Learned(arrays, settings, curve)


def _is_check(number: int, options: NnrlOptions) -> bool:
    last = options.rounds
    return number == last or (2 * number >= last and number % options.check == 0)


def _rounds(
    streams: Sequence[Played], options: NnrlOptions, training: Training, member: int
) -> Iterator[dict[str, Any]]:
    """Teach one network; its arrays after each round that is checked."""
    inputs = np.concatenate([stream.fixed for stream in streams])
    random = np.random.default_rng([training.seed, member])
    learner = Learner(
        options,
        replace(training, seed=int(random.integers(2**31))),
        mean=_pad(inputs.mean(0), 0.0),
        scale=_pad(inputs.std(0) + 0.05, 1.0),
    )
    for number in range(1, options.rounds + 1):
        share = (number - 1) / max(1, options.rounds - 1)
        explore = options.explore + (options.explore_last - options.explore) * share
        network = QNetwork(_model(stack([learner.arrays()])))
        learner.remember(play(network, streams, options.reward, random, explore, options.push))
        learner.learn(random, share)
        if _is_check(number, options):
            yield learner.arrays()


def stack(networks: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The arrays of a model from those of its networks, which share mean and scale of their inputs."""
    shared = ("input_mean", "input_scale")
    return {
        name: networks[0][name] if name in shared else np.stack([network[name] for network in networks])
        for name in networks[0]
    }


def _pad(fixed: Array, fill: float) -> Array:
    """Means or scales for all inputs: those that depend on what was emitted keep their own scale."""
    return np.concatenate([fixed, np.full(len(EMITTED_INPUTS), fill)]).astype(np.float32)


def _model(arrays: Mapping[str, Any]) -> Model:
    return Model(card=ModelCard(system="nnrl"), arrays=dict(arrays))


class Learner:
    """The Q-network in torch, its lagging copy Q', the running mean of its weights, and what it remembers."""

    def __init__(self, options: NnrlOptions, training: Training, mean: Array, scale: Array) -> None:
        torch = need("torch", "torch")
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
        torch = need("torch", "torch")
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
        torch = need("torch", "torch")
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


def build(inputs: int, options: NnrlOptions) -> Any:
    """The Q-network as a torch module: (batch, time, inputs) and a state to (batch, time, 2)."""
    torch = need("torch", "torch")

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
