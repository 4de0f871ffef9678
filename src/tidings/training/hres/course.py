"""The whole course: read streams, teach the encoder, imitate, reinforce, export."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
import torch

from tidings.systems.hres import Hres
from tidings.systems.hres.network import Network
from tidings.systems.hres.surface import SURFACE, TOLD
from tidings.systems.hres.words import MARKS
from tidings.systems.models import Card, Model
from tidings.training.hres.modules import Encoder, Policy, export
from tidings.training.hres.options import read_options
from tidings.training.hres.oracle import oracle
from tidings.training.hres.pretraining import pretrain, set_scales
from tidings.training.hres.reinforcement import Learner
from tidings.training.hres.rollouts import make_tables
from tidings.training.hres.streams import Stream, read_stream_of
from tidings.training.judged import JudgedEvent
from tidings.training.trainers import Learned, Training

__all__ = ["learn"]

_SENTENCE = 48


def learn(events: Sequence[JudgedEvent], development: Sequence[JudgedEvent], training: Training) -> Learned:
    """Everything from judged events to arrays; the same seed and thread count give the same arrays."""
    options = read_options(training.options)
    torch.set_num_threads(training.threads)
    torch.manual_seed(training.seed)
    rng = np.random.default_rng(training.seed)
    system = Hres(overlap=options.overlap, max_words=options.max_words)
    total = 2 + options.passes + options.imitation + options.steps

    streams = _streams(events, system, options.words)
    held_out = _streams(development, system, options.words)
    training.progress(1, total, "streams read")
    encoder = Encoder(
        options.words, options.size, options.units, options.hops, len(MARKS), len(SURFACE), _SENTENCE
    )
    set_scales(encoder, streams)
    losses = pretrain(
        encoder, streams, options, rng, lambda done, _: training.progress(1 + done, total, "encoder taught")
    )
    policy = Policy(_SENTENCE + len(SURFACE) + 3, len(TOLD), _SENTENCE, options.memory)

    def network(dtype: torch.dtype = torch.float32) -> Network:
        return Network(Model(card=Card(system="hres"), arrays=export(encoder, policy, dtype)))

    first = network(torch.float16)
    learner = Learner(
        policy,
        network,
        make_tables(streams, first, [options.level or oracle(stream)[0] for stream in streams]),
        make_tables(held_out, first, [1.0] * len(held_out)) if held_out else None,
        options,
        rng,
    )
    before = 2 + options.passes
    learner.imitate(lambda done, _: training.progress(before + done, total, "oracle imitated"))
    before += options.imitation
    learner.reinforce(lambda done, _: training.progress(before + done, total, "reinforced"))
    settings: dict[str, Any] = {"training": msgspec.to_builtins(options), "encoder_loss": losses}
    return Learned(export(encoder, policy, torch.float16), settings, learner.curve)


def _streams(events: Sequence[JudgedEvent], system: Hres, rows: int) -> list[Stream]:
    found = [read_stream_of(event, system, rows) for event in events]
    return [stream for stream in found if len(stream)]
