"""Imitation of the oracle, then REINFORCE with the delayed reward; both reach the encoder and its attention."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from tidings.core import Model, ModelCard
from tidings.following import Array
from tidings.research.systems.hres import Hres, Network
from tidings.research.training.hres.encoder import (
    Encoder,
    Policy,
    begin_words,
    export,
    pretrain,
    read_texts,
    set_scales,
    tensors_of,
)
from tidings.research.training.hres.event_tables import (
    HresOptions,
    Outcome,
    Stream,
    oracle,
    outcome,
    read_stream_of,
    reward_of,
)
from tidings.research.training.hres.rollouts import (
    PIECE,
    Encoding,
    Played,
    Tables,
    make_tables,
    play,
    rank_of,
)
from tidings.research.training.labelled_events import JudgedEvent
from tidings.research.training.trainers import Learned, Training, read_options

_PIECES = 256
"""Pieces of streams that go through torch at once in REINFORCE; all of a round make one step."""

_TEACHING_ROLLOUTS, _TEACHING_PIECES, _TEACHING_PASSES = 3, 48, 4
_STEEPER = 2.0
"""The policy that REINFORCE begins with errs less from its likelier action than the imitator's odds would."""

Pieces = tuple[Array, Array]
"""Row and first step of each."""


def advantages(rewards: Array, baseline: str, greedy: Array | None = None) -> Any:
    """R - b for rewards (events, rollouts): b is the mean of the event's other rollouts, the greedy one's, or 0.

    >>> advantages(np.array([[1.0, 0.0, 0.5]]), "rollouts").tolist()
    [[0.75, -0.75, 0.0]]
    """
    if baseline == "self-critical" and greedy is not None:
        return rewards - greedy[:, None]
    if baseline == "rollouts":
        others = rewards.shape[1] - 1
        return rewards - (rewards.sum(1, keepdims=True) - rewards) / others
    return rewards


def encode(encoder: Encoder, stream: Stream) -> tuple[Tensor, Tensor, Tensor]:
    """Static inputs of the policy, sentences and likeness of a whole stream, with their way back to the encoder."""
    read = stream.sentences
    _, sentences, likeness = encoder(
        *tensors_of([each.reading.ids for each in read], [each.marks for each in read]),
        torch.from_numpy(stream.query_ids),
    )
    surfaces = torch.from_numpy(np.stack([each.surface for each in read]))
    standard, context, logits = encoder.judge(sentences, surfaces, likeness)
    rank = torch.from_numpy(rank_of(logits.detach().numpy()))
    return torch.cat((sentences, standard, context, logits, rank), 1), sentences, likeness


@dataclass(frozen=True, eq=False)
class Batch:
    """Streams laid out to be played, and the two inputs of the policy through which gradients reach the encoder."""

    tables: Tables
    parts: list[tuple[Tensor, Tensor, Tensor]]
    static: Tensor
    sentences: Tensor

    def to_encoder(self) -> None:
        """Carry what gradients `static` and `sentences` gathered on to the encoder's weights."""
        if self.static.grad is None or self.sentences.grad is None:
            return
        outputs: list[Tensor] = []
        gradients: list[Tensor] = []
        for place, n in enumerate(self.tables.order):
            static, sentences, _ = self.parts[n]
            outputs += [static, sentences]
            gradients += [
                self.static.grad[place, : len(static)],
                self.sentences.grad[place, : len(sentences)],
            ]
        torch.autograd.backward(outputs, gradients)


@dataclass(eq=False)
class Learner:
    """A policy with its encoder, the streams they learn on, and how good they are on these and on the development's."""

    policy: Policy
    encoder: Encoder
    streams: list[Stream]
    levels: list[float]
    development: list[Stream]
    options: HresOptions
    rng: np.random.Generator
    curve: list[Mapping[str, float]] = field(default_factory=list)

    def batch(self, streams: Sequence[Stream], levels: Sequence[float]) -> Batch:
        """Encode these streams with the present weights."""
        with torch.set_grad_enabled(self.options.encoder_rate > 0):
            parts = [encode(self.encoder, stream) for stream in streams]
        tables = make_tables(
            streams,
            [Encoding(*(part.detach().numpy() for part in each)) for each in parts],
            levels,
        )
        learns = self.options.encoder_rate > 0
        static, sentences = (
            torch.from_numpy(table).requires_grad_(learns) for table in (tables.static, tables.sentences)
        )
        return Batch(tables, parts, static, sentences)

    def tables(self, streams: Sequence[Stream]) -> Tables:
        """The same, only to be played."""
        with torch.no_grad():
            parts = [encode(self.encoder, stream) for stream in streams]
        return make_tables(
            streams, [Encoding(*(part.numpy() for part in each)) for each in parts], [1.0] * len(streams)
        )

    def imitate(self, progress: Callable[[int, int], None]) -> None:
        """Learn the oracle's decisions in streams that oracle and policy play together, ever more the policy alone.

        At the end the policy's log odds are shifted, and made steeper, so that its likelier actions earn the best
        mean H on the training events: the odds of single decisions know nothing of how many there are.
        """
        rounds = self.options.imitation
        optimizer = torch.optim.AdamW(self.policy.parameters(), lr=0.01, weight_decay=0.003)
        optimizers = [optimizer, *self._of_encoder()]
        schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, max(1, rounds))
        for done in range(rounds):
            teacher = max(0.0, 1 - 2 * done / rounds)
            batch = self._draw()
            played = play(
                batch.tables,
                network_of(self.encoder, self.policy),
                _TEACHING_ROLLOUTS,
                self.rng,
                teacher=teacher,
            )
            self.policy.train()
            level = batch.tables.level
            for pieces in self._minibatches(batch, played, _TEACHING_PIECES, _TEACHING_PASSES):
                logits, _, mask = self._logits(batch, played, pieces)
                margin = _cut(played.margin, pieces)
                # What a wrong decision costs, in units of the level from which emitting pays.
                least = torch.from_numpy(level[pieces[0] // _TEACHING_ROLLOUTS])[:, None]
                weight = (margin.abs() / least).clamp(0.1, 3.0) * mask
                loss = binary_cross_entropy_with_logits(logits, (margin >= 0).float(), reduction="none")
                optimizer.zero_grad()
                ((loss * weight).sum() / weight.sum()).backward()
                torch.nn.utils.clip_grad_norm_(self.policy.parameters(), self.options.clip)
                optimizer.step()
            self._teach_encoder(batch, optimizers[1:])
            schedule.step()
            progress(done + 1, rounds)
        self.policy.eval()
        self._settle()

    def _settle(self) -> None:
        network = network_of(self.encoder, self.policy)
        tables = self.tables(self.streams)
        shifts = np.arange(-2.0, 3.01, 0.5)
        values = [
            np.mean([each.H for each in outcomes(tables, play(tables, network, 1, None, shift=shift))])
            for shift in shifts
        ]
        shift = float(shifts[int(np.argmax(values))])
        with torch.no_grad():
            self.policy.decide_2.bias.add_(shift).mul_(_STEEPER)
            self.policy.decide_2.weight.mul_(_STEEPER)

    def reinforce(self, progress: Callable[[int, int], None]) -> None:
        """REINFORCE, one step for each round of rollouts, so that every gradient is of the policy that played.

        Keeps the weights of the check with the best development reward (the last where there is none).
        """
        options = self.options
        optimizer = torch.optim.Adam(self.policy.parameters(), lr=options.policy_rate)
        optimizers = [optimizer, *self._of_encoder()]
        best, kept, bad = self.check(0), self._copy(), 0
        for done in range(1, options.steps + 1):
            batch = self._draw()
            network = network_of(self.encoder, self.policy)
            played = play(batch.tables, network, options.rollouts, self.rng)
            gained = self._advantages(batch.tables, played, network)
            optimizer.zero_grad()
            for pieces in self._minibatches(batch, played, _PIECES, 1):
                logits, actions, mask = self._logits(batch, played, pieces)
                surprise = binary_cross_entropy_with_logits(logits, actions, reduction="none") * mask
                chance = torch.sigmoid(logits)
                doubt = binary_cross_entropy_with_logits(logits, chance, reduction="none") * mask
                advantage = torch.from_numpy(gained[pieces[0]])[:, None]
                loss = (surprise * advantage).sum() - options.entropy * doubt.sum()
                (loss / len(played.actions)).backward()
            torch.nn.utils.clip_grad_norm_(self.policy.parameters(), options.clip)
            optimizer.step()
            self._teach_encoder(batch, optimizers[1:])
            progress(done, options.steps)
            if done % options.check == 0 or done == options.steps:
                reward = self.check(done)
                if not self.development or reward > best:
                    best, kept, bad = reward, self._copy(), 0
                else:
                    bad += 1
                    if bad >= options.patience:
                        break
        self.encoder.load_state_dict(kept[0])
        self.policy.load_state_dict(kept[1])

    def check(self, step: int) -> float:
        """Add a row to the curve; returns the mean development reward (the training reward where there is none)."""
        network = network_of(self.encoder, self.policy)
        row: dict[str, float] = {"step": float(step)}
        value = 0.0
        for name, streams in (("", self.streams), ("development ", self.development)):
            if not streams:
                continue
            tables = self.tables(streams)
            results = outcomes(tables, play(tables, network, 1, None))
            value = float(np.mean([reward_of(each, self.options) for each in results]))
            row[f"{name}reward"] = value
            row[f"{name}EG-1"] = float(np.mean([each.eg for each in results]))
            row[f"{name}H"] = float(np.mean([each.H for each in results]))
            row[f"{name}updates"] = float(np.mean([each.updates for each in results]))
        self.curve.append(row)
        return value

    def _draw(self) -> Batch:
        count = min(self.options.events, len(self.streams))
        chosen = np.sort(self.rng.choice(len(self.streams), size=count, replace=False))
        return self.batch([self.streams[n] for n in chosen], [self.levels[n] for n in chosen])

    def _of_encoder(self) -> list[torch.optim.Optimizer]:
        if not self.options.encoder_rate:
            return []
        learning = [weight for weight in self.encoder.parameters() if weight.requires_grad]
        return [torch.optim.Adam(learning, lr=self.options.encoder_rate)]

    def _teach_encoder(self, batch: Batch, optimizers: Sequence[torch.optim.Optimizer]) -> None:
        for optimizer in optimizers:
            optimizer.zero_grad()
            batch.to_encoder()
            torch.nn.utils.clip_grad_norm_(self.encoder.parameters(), self.options.clip)
            optimizer.step()

    def _advantages(self, tables: Tables, played: Played, network: Network) -> Any:
        count = len(tables.streams)
        rewards = np.array([reward_of(each, self.options) for each in outcomes(tables, played)])
        greedy = None
        if self.options.baseline == "self-critical":
            alone = outcomes(tables, play(tables, network, 1, None))
            greedy = np.array([reward_of(each, self.options) for each in alone])
        standardised = advantages(rewards.reshape(count, -1), self.options.baseline, greedy)
        # Events differ in how much can be earned; each counts the same.
        standardised = standardised / (standardised.std(axis=1, keepdims=True) + 0.01)
        return standardised.reshape(-1).astype(np.float32)

    def _minibatches(self, batch: Batch, played: Played, size: int, passes: int) -> Iterator[Pieces]:
        """Pieces of the played rows, all of them `passes` times, mixed, `size` at a time."""
        lengths = batch.tables.lengths
        rollouts = len(played.actions) // len(lengths)
        rows, starts = [], []
        for row in range(len(played.actions)):
            for start in range(0, int(lengths[row // rollouts]), PIECE):
                rows.append(row)
                starts.append(start)
        every = np.array(rows), np.array(starts)
        for _ in range(passes):
            mixed = self.rng.permutation(len(rows))
            for first in range(0, len(mixed), size):
                chosen = mixed[first : first + size]
                yield every[0][chosen], every[1][chosen]

    def _logits(self, batch: Batch, played: Played, pieces: Pieces) -> tuple[Tensor, Tensor, Tensor]:
        """Logits, actions and mask (pieces, steps); masked are padding and what could not be decided."""
        lengths = batch.tables.lengths
        events = pieces[0] // (len(played.actions) // len(lengths))
        actions = _cut(played.actions, pieces)
        there = pieces[1][:, None] + np.arange(PIECE) < lengths[events][:, None]
        rows, steps = _places((events, pieces[1]), batch.static.shape[1])
        logits = self.policy(
            batch.static[rows, steps],
            _cut(played.dynamic, pieces),
            batch.sentences[rows, steps],
            actions,
            torch.from_numpy(played.memories[pieces[0], pieces[1] // PIECE]),
        )
        return logits, actions, torch.from_numpy(there.astype(np.float32)) * _cut(played.free, pieces)

    def _copy(self) -> list[dict[str, Tensor]]:
        return [
            {name: tensor.clone() for name, tensor in module.state_dict().items()}
            for module in (self.encoder, self.policy)
        ]


def network_of(encoder: Encoder, policy: Policy, dtype: torch.dtype = torch.float32) -> Network:
    """The numpy network with the present weights."""
    return Network(Model(card=ModelCard(system="hres"), arrays=export(encoder, policy, dtype)))


def outcomes(tables: Tables, played: Played) -> list[Outcome]:
    """What each played row came to."""
    rollouts = len(played.chosen) // len(tables.streams)
    return [outcome(tables.streams[n // rollouts], chosen) for n, chosen in enumerate(played.chosen)]


def _places(pieces: Pieces, most: int) -> tuple[Tensor, Tensor]:
    """Rows and steps of each piece; past the end the last step stands for padding."""
    steps = np.minimum(pieces[1][:, None] + np.arange(PIECE), most - 1)
    return torch.from_numpy(pieces[0][:, None]), torch.from_numpy(steps)


def _cut(table: Array, pieces: Pieces) -> Tensor:
    """Pieces of a (rows, steps, …) table."""
    rows, steps = _places(pieces, table.shape[1])
    return torch.from_numpy(table)[rows, steps]


@dataclass(frozen=True, eq=False)
class Begun:
    """What is learned before the reward is asked: a learner with its encoder taught, and the losses of that."""

    learner: Learner
    losses: dict[str, list[float]]


def learn(events: Sequence[JudgedEvent], development: Sequence[JudgedEvent], training: Training) -> Learned:
    """Everything from judged events to arrays; the same seed and thread count give the same arrays."""
    options = read_options(HresOptions, training.options, training.system)
    torch.set_num_threads(training.threads)
    streams, held_out = streams_of(events, options), streams_of(development, options)
    training.progress(1, _total(options), "streams read")
    return end(imitate(taught(streams, options, training), held_out, training), training)


def taught(streams: Sequence[Stream], options: HresOptions, training: Training) -> Begun:
    """Word vectors, texts and judgments: an encoder, beside a policy that has learned nothing."""
    torch.manual_seed(training.seed)
    rng = np.random.default_rng(training.seed)
    total = _total(options)
    encoder = Encoder(options)
    set_scales(encoder, streams)
    begin_words(encoder, streams)
    losses = {
        "texts": read_texts(
            encoder,
            streams,
            options,
            rng,
            lambda done, _: training.progress(1 + done, total, "texts read"),
        ),
        "relevance": pretrain(
            encoder,
            streams,
            options,
            rng,
            lambda done, _: training.progress(1 + options.texts + done, total, "encoder taught"),
        ),
    }
    levels = [options.level or oracle(stream)[0] for stream in streams]
    policy = Policy(options.memory, dropout=options.dropout)
    return Begun(Learner(policy, encoder, list(streams), levels, [], options, rng), losses)


def imitate(begun: Begun, development: Sequence[Stream], training: Training) -> Begun:
    """The same, its policy (and encoder) having imitated the oracle; `development` will stop REINFORCE."""
    options = begun.learner.options
    begun.learner.development = list(development)
    before = 1 + options.texts + options.passes
    begun.learner.imitate(
        lambda done, _: training.progress(before + done, _total(options), "oracle imitated")
    )
    return begun


def end(begun: Begun, training: Training) -> Learned:
    """Reinforce, and export."""
    options = read_options(HresOptions, training.options, training.system)
    learner = begun.learner
    learner.options = options
    before, total = 1 + options.texts + options.passes + options.imitation, _total(options)
    learner.reinforce(lambda done, _: training.progress(before + done, total, "reinforced"))
    settings: dict[str, Any] = {"training": msgspec.to_builtins(options), "encoder_loss": begun.losses}
    return Learned(export(learner.encoder, learner.policy, torch.float16), settings, learner.curve)


def streams_of(events: Sequence[JudgedEvent], options: HresOptions) -> list[Stream]:
    """What a follower with these options reads of the events; those of which it reads something."""
    system = Hres(overlap=options.overlap, max_words=options.max_words)
    streams = [read_stream_of(event, system, options.words) for event in events]
    return [stream for stream in streams if len(stream)]


def _total(options: HresOptions) -> int:
    return 1 + options.texts + options.passes + options.imitation + options.steps
