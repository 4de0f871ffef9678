"""Imitation of the oracle, then REINFORCE with the delayed reward of whole streams."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from tidings.models.files import Model
from tidings.records import ModelCard
from tidings.systems.hres.network import Network
from tidings.training.hres.modules import Encoder, Policy, export
from tidings.training.hres.options import HresOptions
from tidings.training.hres.rewards import Outcome, outcome, reward_of
from tidings.training.hres.rollouts import PIECE, Played, Tables, play

__all__ = ["Learner", "advantages", "network_of", "outcomes"]

_PIECES = 256
"""Pieces of streams in one step of REINFORCE."""

_TEACHING_ROLLOUTS, _TEACHING_PIECES, _TEACHING_PASSES = 3, 48, 3
_STEEPER = 2.0
"""The policy that REINFORCE begins with errs less from its likelier action than the imitator's odds would."""

Pieces = tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]
"""Row and first step of each."""


def advantages(
    rewards: np.ndarray[Any, Any], baseline: str, greedy: np.ndarray[Any, Any] | None = None
) -> Any:
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


@dataclass(eq=False)
class Learner:
    """A policy, the streams it learns on, and how good it is on them and on the development events.

    The encoder is no longer changed: what it makes of the sentences stands in the tables.
    """

    policy: Policy
    encoder: Encoder
    tables: Tables
    development: Tables | None
    options: HresOptions
    rng: np.random.Generator
    curve: list[Mapping[str, float]] = field(default_factory=list)

    def imitate(self, progress: Callable[[int, int], None]) -> None:
        """Learn the oracle's decisions in streams that oracle and policy play together, ever more the policy alone.

        At the end the policy's log odds are shifted, and made steeper, so that its likelier actions earn the best
        mean H on the training events: the odds of single decisions know nothing of how many there are.
        """
        rounds = self.options.imitation
        optimizer = torch.optim.AdamW(self.policy.parameters(), lr=0.01, weight_decay=0.003)
        schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, max(1, rounds))
        for done in range(rounds):
            teacher = max(0.0, 1 - 2 * done / rounds)
            played = play(
                self.tables,
                network_of(self.encoder, self.policy),
                _TEACHING_ROLLOUTS,
                self.rng,
                teacher=teacher,
            )
            self.policy.train()
            for pieces in self._minibatches(played, _TEACHING_PIECES, _TEACHING_PASSES):
                logits, _, mask = self._logits(played, pieces)
                margin = _cut(played.margin, pieces)
                level = torch.from_numpy(self.tables.level[pieces[0] // _TEACHING_ROLLOUTS])[:, None]
                # What a wrong decision costs, in units of the level from which telling pays.
                weight = (margin.abs() / level).clamp(0.1, 3.0) * mask
                loss = binary_cross_entropy_with_logits(logits, (margin >= 0).float(), reduction="none")
                self._step(optimizer, (loss * weight).sum() / weight.sum())
            schedule.step()
            progress(done + 1, rounds)
        self.policy.eval()
        self._settle()

    def _settle(self) -> None:
        network = network_of(self.encoder, self.policy)
        shifts = np.arange(-2.0, 3.01, 0.25)
        values = [
            np.mean(
                [each.H for each in outcomes(self.tables, play(self.tables, network, 1, None, shift=shift))]
            )
            for shift in shifts
        ]
        shift = float(shifts[int(np.argmax(values))])
        with torch.no_grad():
            self.policy.decide_2.bias.add_(shift).mul_(_STEEPER)
            self.policy.decide_2.weight.mul_(_STEEPER)

    def reinforce(self, progress: Callable[[int, int], None]) -> None:
        """REINFORCE; keeps the weights of the check with the best development reward (the last where there is none)."""
        options = self.options
        optimizer = torch.optim.Adam(self.policy.parameters(), lr=options.policy_rate)
        best, kept, bad = self.check(0), _copy(self.policy), 0
        for done in range(1, options.steps + 1):
            network = network_of(self.encoder, self.policy)
            played = play(self.tables, network, options.rollouts, self.rng)
            gained = self._advantages(played, network)
            for pieces in self._minibatches(played, _PIECES, 1):
                logits, actions, mask = self._logits(played, pieces)
                surprise = binary_cross_entropy_with_logits(logits, actions, reduction="none") * mask
                chance = torch.sigmoid(logits)
                doubt = binary_cross_entropy_with_logits(logits, chance, reduction="none") * mask
                advantage = torch.from_numpy(gained[pieces[0]])[:, None]
                loss = (surprise * advantage).sum() / len(mask) - options.entropy * doubt.sum() / len(mask)
                self._step(optimizer, loss)
            progress(done, options.steps)
            if done % options.check == 0 or done == options.steps:
                reward = self.check(done)
                if self.development is None or reward > best:
                    best, kept, bad = reward, _copy(self.policy), 0
                else:
                    bad += 1
                    if bad >= options.patience:
                        break
        self.policy.load_state_dict(kept)

    def check(self, step: int) -> float:
        """Add a row to the curve; returns the mean development reward (the training reward where there is none)."""
        network = network_of(self.encoder, self.policy)
        row: dict[str, float] = {"step": float(step)}
        value = 0.0
        for name, tables in (("", self.tables), ("development ", self.development)):
            if tables is None:
                continue
            results = outcomes(tables, play(tables, network, 1, None))
            value = float(np.mean([reward_of(each, self.options) for each in results]))
            row[f"{name}reward"] = value
            row[f"{name}H"] = float(np.mean([each.H for each in results]))
            row[f"{name}updates"] = float(np.mean([each.updates for each in results]))
            if tables is self.tables:
                sampled = outcomes(tables, play(tables, network, 2, np.random.default_rng(step)))
                row["sampled reward"] = float(np.mean([reward_of(each, self.options) for each in sampled]))
        self.curve.append(row)
        return value

    def _advantages(self, played: Played, network: Network) -> Any:
        count = len(self.tables.streams)
        rewards = np.array([reward_of(each, self.options) for each in outcomes(self.tables, played)])
        greedy = None
        if self.options.baseline == "self-critical":
            alone = outcomes(self.tables, play(self.tables, network, 1, None))
            greedy = np.array([reward_of(each, self.options) for each in alone])
        standardised = advantages(rewards.reshape(count, -1), self.options.baseline, greedy)
        # Events differ in how much can be earned; each counts the same.
        standardised = standardised / (standardised.std(axis=1, keepdims=True) + 0.01)
        return standardised.reshape(-1).astype(np.float32)

    def _minibatches(self, played: Played, size: int, passes: int) -> Iterator[Pieces]:
        """Pieces of the played rows, all of them `passes` times, mixed, `size` at a time."""
        rollouts = len(played.actions) // len(self.tables.lengths)
        rows, starts = [], []
        for row in range(len(played.actions)):
            for start in range(0, int(self.tables.lengths[row // rollouts]), PIECE):
                rows.append(row)
                starts.append(start)
        every = np.array(rows), np.array(starts)
        for _ in range(passes):
            mixed = self.rng.permutation(len(rows))
            for first in range(0, len(mixed), size):
                chosen = mixed[first : first + size]
                yield every[0][chosen], every[1][chosen]

    def _logits(self, played: Played, pieces: Pieces) -> tuple[Tensor, Tensor, Tensor]:
        """Logits, actions and mask (pieces, steps)."""
        events = pieces[0] // (len(played.actions) // len(self.tables.lengths))
        actions = _cut(played.actions, pieces)
        there = pieces[1][:, None] + np.arange(PIECE) < self.tables.lengths[events][:, None]
        of_event = events, pieces[1]
        logits = self.policy(
            _cut(self.tables.static, of_event),
            _cut(played.dynamic, pieces),
            _cut(self.tables.sentences, of_event),
            actions,
            torch.from_numpy(played.memories[pieces[0], pieces[1] // PIECE]),
        )
        return logits, actions, torch.from_numpy(there.astype(np.float32))

    def _step(self, optimizer: torch.optim.Optimizer, loss: Tensor) -> None:
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.policy.parameters(), self.options.clip)
        optimizer.step()


def network_of(encoder: Encoder, policy: Policy, dtype: torch.dtype = torch.float32) -> Network:
    """The numpy network with the present weights."""
    return Network(Model(card=ModelCard(system="hres"), arrays=export(encoder, policy, dtype)))


def outcomes(tables: Tables, played: Played) -> list[Outcome]:
    """What each played row came to."""
    rollouts = len(played.chosen) // len(tables.streams)
    return [outcome(tables.streams[n // rollouts], chosen) for n, chosen in enumerate(played.chosen)]


def _cut(table: np.ndarray[Any, Any], pieces: Pieces) -> Tensor:
    """Rows of a (rows, steps, …) table from a step on; past the end the last step stands for padding."""
    steps = np.minimum(pieces[1][:, None] + np.arange(PIECE), table.shape[1] - 1)
    return torch.from_numpy(table[pieces[0][:, None], steps])


def _copy(policy: Policy) -> dict[str, Tensor]:
    return {name: tensor.clone() for name, tensor in policy.state_dict().items()}
