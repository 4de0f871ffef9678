"""The encoder's first lessons: the language of the streams, what is important, what tells the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy, softplus

from tidings.research.training.hres.modules import Encoder, attention_penalty
from tidings.research.training.hres.options import HresOptions
from tidings.research.training.hres.streams import Stream, gains_at_first
from tidings.research.training.hres.vectors import word_vectors

__all__ = ["begin_words", "pretrain", "read_texts", "set_scales", "tensors_of"]

GAIN = 0.3
"""Gain per verbosity that counts as 1."""

_BATCH, _TEXTS = 64, 96
_HIDDEN = 0.2
Progress = Callable[[int, int], None]


def set_scales(encoder: Encoder, streams: Sequence[Stream]) -> None:
    """Let surface numbers have mean 0 and deviation 1 over these streams."""
    surfaces = np.stack([each.surface for stream in streams for each in stream.sentences])
    encoder.surface_mean.copy_(torch.from_numpy(surfaces.mean(0)))
    encoder.surface_scale.copy_(torch.from_numpy(1 / np.maximum(surfaces.std(0), 1e-2)))


def begin_words(encoder: Encoder, streams: Sequence[Stream]) -> None:
    """Give each word the vector that its company in these streams gives it (`word_vectors`)."""
    texts = (text.ids for stream in streams for text in stream.texts)
    with torch.no_grad():
        encoder.words.weight.copy_(word_vectors(texts, *encoder.words.weight.shape))


def tensors_of(
    rows: Sequence[np.ndarray[tuple[int], np.dtype[np.int64]]],
    marks: Sequence[np.ndarray[tuple[int, int], np.dtype[np.float32]]],
) -> tuple[Tensor, Tensor, Tensor]:
    """Padded ids and marks of some sentences, and their lengths."""
    lengths = torch.tensor([len(row) for row in rows])
    most = int(lengths.max())
    ids = torch.zeros((len(rows), most), dtype=torch.int64)
    seen = torch.zeros((len(rows), most, marks[0].shape[1]))
    for n, (row, mark) in enumerate(zip(rows, marks, strict=True)):
        ids[n, : len(row)] = torch.from_numpy(row)
        seen[n, : len(row)] = torch.from_numpy(mark)
    return ids, seen, lengths


def read_texts(
    encoder: Encoder,
    streams: Sequence[Stream],
    options: HresOptions,
    rng: np.random.Generator,
    progress: Progress,
) -> list[float]:
    """Learn from all sentences, without any judgment; returns the mean loss of each round.

    A round has 96 neighbouring sentences of each stream. Of each a fifth of the words is hidden: the BiLSTM guesses
    them among the words of the 96, and the likeness of what is left must be greatest to the whole sentence, and
    greater to those of its document than to others.
    """
    optimizer = torch.optim.AdamW(_learning(encoder), lr=options.rate / 2, weight_decay=0.01)
    losses = []
    encoder.train()
    for done in range(options.texts):
        total, steps = 0.0, 0
        for e in rng.permutation(len(streams)):
            texts = streams[e].texts
            # Neighbours in the stream, so that there are sentences of one document.
            first = int(rng.integers(max(1, len(texts) - _TEXTS + 1)))
            chosen = [n for n in range(first, min(len(texts), first + _TEXTS)) if len(texts[n].ids) > 3]
            if len(chosen) > 1:
                loss = _text_loss(encoder, streams[e], chosen)
                _step(encoder, optimizer, loss, options.clip)
                total, steps = total + float(loss.detach()), steps + 1
        losses.append(total / max(1, steps))
        progress(done + 1, options.texts)
    encoder.eval()
    return losses


def _text_loss(encoder: Encoder, stream: Stream, chosen: Sequence[int]) -> Tensor:
    texts = [stream.texts[n] for n in chosen]
    ids, marks, lengths = tensors_of([text.ids for text in texts], [text.marks for text in texts])
    query = torch.from_numpy(stream.query_ids)
    hidden = (torch.rand(ids.shape) < _HIDDEN) & (ids > 0)
    without = ids.masked_fill(hidden, 0)
    states, _ = encoder.states(without, marks, lengths, query)
    words, names = torch.unique(ids[ids > 0], return_inverse=True)
    there = torch.zeros_like(ids)
    there[ids > 0] = names
    guesses = encoder.guess(states[hidden]) @ encoder.words(words).T * 4
    loss = cross_entropy(guesses, there[hidden]) if len(guesses) else guesses.sum()
    whole = encoder(ids, marks, lengths, query)[2]
    part = encoder(without, marks, lengths, query)[2]
    products = part @ whole.T
    loss = loss + cross_entropy(10 * products, torch.arange(len(texts)))
    documents = np.array([text.document for text in texts])
    same = torch.from_numpy(documents[:, None] == documents[None]) & ~torch.eye(len(texts), dtype=torch.bool)
    if same.any():
        loss = loss + 0.2 * softplus(-5 * (products[same].mean() - products[~same].mean()))
    return loss


def pretrain(
    encoder: Encoder,
    streams: Sequence[Stream],
    options: HresOptions,
    rng: np.random.Generator,
    progress: Progress,
) -> list[float]:
    """Learn relevance, gain per verbosity and likeness from the judgments; returns the mean loss of each pass."""
    optimizer = torch.optim.AdamW(_learning(encoder), lr=options.rate, weight_decay=0.03)
    targets = [_targets(stream) for stream in streams]
    losses = []
    steps = max(1, sum(len(stream) for stream in streams) // (2 * _BATCH))
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, max_lr=options.rate, total_steps=max(1, options.passes * steps), pct_start=0.2
    )
    # Long streams are drawn more often, but not as much more as they are longer.
    weights = np.sqrt([len(stream) for stream in streams])
    encoder.train()
    for done in range(options.passes):
        total = 0.0
        for _ in range(steps):
            loss = torch.zeros(())
            events = rng.choice(len(streams), size=2, p=weights / weights.sum())
            for e in events:
                chosen = _draw(len(streams[e]), rng)
                loss = loss + _loss(encoder, streams[e], targets[e], chosen, options.penalty) / len(events)
            _step(encoder, optimizer, loss, options.clip)
            schedule.step()
            total += float(loss.detach())
        losses.append(total / steps)
        progress(done + 1, options.passes)
    encoder.eval()
    return losses


def _draw(count: int, rng: np.random.Generator) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Sentences of one stream in their order: now a stretch of it, now some of all, so that contexts differ."""
    size = min(_BATCH, count)
    if rng.random() < 0.5:
        first = int(rng.integers(count - size + 1))
        return np.arange(first, first + size)
    return np.sort(rng.choice(count, size=size, replace=False))


def _learning(encoder: Encoder) -> list[Tensor]:
    return [weight for weight in encoder.parameters() if weight.requires_grad]


def _step(encoder: Encoder, optimizer: torch.optim.Optimizer, loss: Tensor, clip: float) -> None:
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(encoder.parameters(), clip)
    optimizer.step()


def _targets(stream: Stream) -> tuple[Tensor, Tensor]:
    """What each sentence is worth, (sentences, 2), and which nuggets it matches, (sentences, nuggets)."""
    rates = [min(1.0, gain / verbosity / GAIN) for gain, verbosity in gains_at_first(stream)]
    both = [(float(bool(spans)), value) for spans, value in zip(stream.spans, rates, strict=True)]
    nuggets = torch.zeros((len(stream), len(stream.gains)))
    for n, spans in enumerate(stream.spans):
        for nugget, _, _ in spans:
            nuggets[n, nugget] = 1
    return torch.tensor(both, dtype=torch.float32), nuggets


def _loss(
    encoder: Encoder,
    stream: Stream,
    targets: tuple[Tensor, Tensor],
    chosen: np.ndarray[tuple[int], np.dtype[np.int64]],
    penalty: float,
) -> Tensor:
    read = [stream.sentences[n] for n in chosen]
    A, sentences, likeness = encoder(
        *tensors_of([each.reading.ids for each in read], [each.marks for each in read]),
        torch.from_numpy(stream.query_ids),
    )
    surfaces = torch.from_numpy(np.stack([each.surface for each in read]))
    logits = encoder.judge(sentences, surfaces, likeness)[2]
    places = torch.from_numpy(chosen)
    wanted, nuggets = targets[0][places], targets[1][places]
    loss = binary_cross_entropy_with_logits(logits, wanted)
    # Events differ in how much is relevant; within one, what is must stand above what is not.
    relevant = wanted[:, 0] > 0
    margins = logits[relevant, 0][:, None] - logits[~relevant, 0][None]
    if margins.numel():
        loss = loss + softplus(-margins).mean()
    if penalty:
        loss = loss + penalty * attention_penalty(A)
    if int(relevant.sum()) > 1:
        rows, columns = torch.triu_indices(int(relevant.sum()), int(relevant.sum()), 1)
        told = nuggets[relevant]
        same = ((told[rows] * told[columns]).sum(1) > 0).float()
        kept = likeness[relevant]
        alike = encoder.pair[0] * (kept[rows] * kept[columns]).sum(1) + encoder.pair[1]
        loss = loss + 0.5 * binary_cross_entropy_with_logits(alike, same, weight=1 + 2 * same)
    return loss
