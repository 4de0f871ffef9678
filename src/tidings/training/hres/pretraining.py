"""The encoder's first lessons: what is important, what tells the same, and hops that look at different words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from tidings.training.hres.modules import Encoder, attention_penalty
from tidings.training.hres.options import HresOptions
from tidings.training.hres.streams import Stream, gains_at_first

__all__ = ["pretrain", "set_scales", "tensors_of"]

GAIN = 0.3
"""Gain per verbosity that counts as 1."""


def set_scales(encoder: Encoder, streams: Sequence[Stream]) -> None:
    """Let surface numbers have mean 0 and deviation 1 over these streams."""
    surfaces = np.stack([each.surface for stream in streams for each in stream.sentences])
    encoder.surface_mean.copy_(torch.from_numpy(surfaces.mean(0)))
    encoder.surface_scale.copy_(torch.from_numpy(1 / np.maximum(surfaces.std(0), 1e-2)))


def tensors_of(stream: Stream, chosen: Sequence[int]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Padded ids, marks, lengths and surfaces of some sentences."""
    read_sentences = [stream.sentences[n] for n in chosen]
    lengths = torch.tensor([len(each.reading.ids) for each in read_sentences])
    most = int(lengths.max())
    ids = torch.zeros((len(read_sentences), most), dtype=torch.int64)
    marks = torch.zeros((len(read_sentences), most, read_sentences[0].marks.shape[1]))
    for n, each in enumerate(read_sentences):
        ids[n, : len(each.reading.ids)] = torch.from_numpy(each.reading.ids)
        marks[n, : len(each.reading.ids)] = torch.from_numpy(each.marks)
    return ids, marks, lengths, torch.from_numpy(np.stack([each.surface for each in read_sentences]))


def pretrain(
    encoder: Encoder,
    streams: Sequence[Stream],
    options: HresOptions,
    rng: np.random.Generator,
    progress: Callable[[int, int], None],
) -> list[float]:
    """Learn relevance, gain per verbosity and likeness from the judgments; returns the mean loss of each pass."""
    optimizer = torch.optim.AdamW(encoder.parameters(), lr=options.rate, weight_decay=0.01)
    targets = [_targets(stream) for stream in streams]
    size = 48
    losses = []
    steps = max(1, sum(len(stream) for stream in streams) // (2 * size))
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, max_lr=options.rate, total_steps=max(1, options.passes * steps), pct_start=0.2
    )
    encoder.train()
    for done in range(options.passes):
        total = 0.0
        for _ in range(steps):
            # Two events at a time, so that there are pairs of one event and the gate sees different queries.
            weights = np.array([len(stream) for stream in streams], dtype=float)
            events = rng.choice(len(streams), size=2, p=weights / weights.sum())
            loss = torch.zeros(())
            for e in events:
                chosen = rng.choice(len(streams[e]), size=min(size, len(streams[e])), replace=False)
                loss = loss + _loss(encoder, streams[e], targets[e], chosen, options.penalty) / len(events)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(encoder.parameters(), options.clip)
            optimizer.step()
            schedule.step()
            total += float(loss.detach())
        losses.append(total / steps)
        progress(done + 1, options.passes)
    encoder.eval()
    return losses


def _targets(stream: Stream) -> tuple[Tensor, list[frozenset[int]]]:
    nuggets = [frozenset(span[0] for span in spans) for spans in stream.spans]
    rates = [min(1.0, gain / verbosity / GAIN) for gain, verbosity in gains_at_first(stream)]
    both = [(float(bool(covered)), value) for covered, value in zip(nuggets, rates, strict=True)]
    return torch.tensor(both, dtype=torch.float32), nuggets


def _loss(
    encoder: Encoder,
    stream: Stream,
    targets: tuple[Tensor, list[frozenset[int]]],
    chosen: np.ndarray[tuple[int], np.dtype[np.int64]],
    penalty: float,
) -> Tensor:
    ids, marks, lengths, surfaces = tensors_of(stream, chosen.tolist())
    query = encoder.query([torch.from_numpy(stream.query_ids)]).expand(len(chosen), -1)
    A, _, relevance, likeness = encoder(ids, marks, lengths, surfaces, query)
    loss = binary_cross_entropy_with_logits(relevance, targets[0][torch.from_numpy(chosen)])
    if penalty:
        loss = loss + penalty * attention_penalty(A)
    nuggets_of = [targets[1][n] for n in chosen]
    related = [n for n, nuggets in enumerate(nuggets_of) if nuggets]
    if len(related) > 1:
        rows, columns = np.triu_indices(len(related), 1)
        same = torch.tensor(
            [
                float(not nuggets_of[related[a]].isdisjoint(nuggets_of[related[b]]))
                for a, b in zip(rows, columns, strict=True)
            ]
        )
        kept = likeness[related]
        logits = encoder.pair[0] * (kept[rows] * kept[columns]).sum(1) + encoder.pair[1]
        weight = torch.where(same > 0, 3.0, 1.0)
        loss = loss + 0.5 * binary_cross_entropy_with_logits(logits, same, weight=weight)
    return loss
