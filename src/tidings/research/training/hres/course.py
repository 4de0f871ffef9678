"""The whole course: read streams, teach the encoder, imitate, reinforce, export."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np
import torch

from tidings.research.systems.hres import Hres
from tidings.research.training.hres.modules import Encoder, Policy, export
from tidings.research.training.hres.options import HresOptions
from tidings.research.training.hres.oracle import oracle
from tidings.research.training.hres.pretraining import begin_words, pretrain, read_texts, set_scales
from tidings.research.training.hres.reinforcement import Learner
from tidings.research.training.hres.streams import Stream, read_stream_of
from tidings.research.training.labelled_events import JudgedEvent
from tidings.research.training.options import read_options
from tidings.research.training.trainers import Learned, Training

__all__ = ["Begun", "end", "imitated", "learn", "streams_of", "taught"]


@dataclass(eq=False)
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
    return end(imitated(taught(streams, options, training), held_out, training), training)


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


def imitated(begun: Begun, development: Sequence[Stream], training: Training) -> Begun:
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
