"""The whole course: read streams, teach the encoder, imitate, reinforce, export."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np
import torch

from tidings.systems.hres import Hres
from tidings.systems.hres.surface import DYNAMIC, SURFACE
from tidings.systems.hres.words import MARKS
from tidings.training.hres.modules import Encoder, Policy, export
from tidings.training.hres.options import HresOptions
from tidings.training.hres.oracle import oracle
from tidings.training.hres.pretraining import pretrain, set_scales
from tidings.training.hres.reinforcement import Learner, network_of
from tidings.training.hres.rollouts import make_tables
from tidings.training.hres.streams import Stream, read_stream_of
from tidings.training.labelled_events import JudgedEvent
from tidings.training.options import read_options
from tidings.training.trainers import Learned, Training

__all__ = ["Begun", "begin", "end", "learn"]

_SENTENCE = 48


@dataclass(eq=False)
class Begun:
    """What is learned before the reward is asked: an encoder, and a learner whose policy imitates the oracle."""

    encoder: Encoder
    learner: Learner
    losses: list[float]


def learn(events: Sequence[JudgedEvent], development: Sequence[JudgedEvent], training: Training) -> Learned:
    """Everything from judged events to arrays; the same seed and thread count give the same arrays."""
    return end(begin(events, development, training), training)


def begin(events: Sequence[JudgedEvent], development: Sequence[JudgedEvent], training: Training) -> Begun:
    """Read the streams, teach the encoder, imitate the oracle; none of it depends on the options of the reward."""
    options = read_options(HresOptions, training.options, training.system)
    torch.set_num_threads(training.threads)
    torch.manual_seed(training.seed)
    rng = np.random.default_rng(training.seed)
    system = Hres(overlap=options.overlap, max_words=options.max_words)
    total = _total(options)

    streams = _streams(events, system, options.words)
    held_out = _streams(development, system, options.words)
    training.progress(1, total, "streams read")
    encoder = Encoder(
        options.words,
        options.size,
        options.units,
        options.hops,
        len(MARKS),
        len(SURFACE),
        _SENTENCE,
        options.dropout,
    )
    set_scales(encoder, streams)
    losses = pretrain(
        encoder, streams, options, rng, lambda done, _: training.progress(1 + done, total, "encoder taught")
    )
    policy = Policy(
        _SENTENCE + len(SURFACE) + 3, len(DYNAMIC), _SENTENCE, options.memory, dropout=options.dropout
    )
    first = network_of(encoder, policy, torch.float16)
    learner = Learner(
        policy,
        encoder,
        make_tables(streams, first, [options.level or oracle(stream)[0] for stream in streams]),
        make_tables(held_out, first, [1.0] * len(held_out)) if held_out else None,
        options,
        rng,
    )
    before = 1 + options.passes
    learner.imitate(lambda done, _: training.progress(before + done, total, "oracle imitated"))
    return Begun(encoder, learner, losses)


def end(begun: Begun, training: Training) -> Learned:
    """Reinforce, and export."""
    options = read_options(HresOptions, training.options, training.system)
    learner = begun.learner
    learner.options = options
    before, total = 1 + options.passes + options.imitation, _total(options)
    learner.reinforce(lambda done, _: training.progress(before + done, total, "reinforced"))
    settings: dict[str, Any] = {"training": msgspec.to_builtins(options), "encoder_loss": begun.losses}
    return Learned(export(begun.encoder, learner.policy, torch.float16), settings, learner.curve)


def _total(options: HresOptions) -> int:
    return 1 + options.passes + options.imitation + options.steps


def _streams(events: Sequence[JudgedEvent], system: Hres, rows: int) -> list[Stream]:
    streams = [read_stream_of(event, system, rows) for event in events]
    return [stream for stream in streams if len(stream)]
