"""The encoder in torch: its modules, their way into the arrays of a model, and its first lessons."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy, softplus
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from tidings.following import Array
from tidings.research.systems.hres_memory import CONTEXT, DYNAMIC, MARKS, SURFACE, WINDOW
from tidings.research.training.hres.event_tables import HresOptions, Stream, gains_at_first

SENTENCE, LIKENESS, _INNER = 48, 32, 32  # widths: of a sentence, of what is compared, of the attention


class Encoder(nn.Module):
    """Words → sentence, as `tidings.research.systems.hres.Network` computes it.

    H has for each word the BiLSTM's states, the word's vector, its marks, and its greatest cosine to a word of the
    query. Each hop's A = softmax(w·tanh(W1 h + Wq q) + e·U q / √size) weighs them: M = A H; the sentence is
    tanh(W [M; q]), the likeness a unit vector made of M.
    """

    surface_mean: Tensor
    surface_scale: Tensor

    def __init__(self, options: HresOptions) -> None:
        super().__init__()
        size, hops = options.size, options.hops
        marks = len(MARKS) + 1
        self.words = nn.Embedding(options.words, size, padding_idx=0)
        nn.init.normal_(self.words.weight, std=0.1)
        self.lstm = nn.LSTM(size + marks, options.units, batch_first=True, bidirectional=True)
        wide = 2 * options.units + size + marks
        self.attend_1 = nn.Linear(wide, _INNER, bias=False)
        self.attend_1_query = nn.Linear(size, _INNER, bias=False)
        self.attend_2 = nn.Linear(_INNER, hops, bias=False)
        # Begun small, all words stay alike to all hops: softmax of next to nothing has next to no gradient.
        nn.init.normal_(self.attend_1.weight, std=0.2)
        nn.init.normal_(self.attend_2.weight, std=0.5)
        # The first hop begins by looking at words like the query's, the others at whatever chance has it.
        self.attend_query = nn.Parameter(torch.randn(hops, size, size) * 0.1)
        with torch.no_grad():
            self.attend_query[0] += 8 * torch.eye(size)
        # H holds words, marks and states side by side; seen from the joint layers, hop after hop.
        self.join = nn.Linear(hops * wide + size, SENTENCE)
        self.likeness = nn.Linear(hops * wide, LIKENESS, bias=False)
        self.relevance = nn.Linear(SENTENCE + len(SURFACE) + len(CONTEXT), 2)
        self.pair = nn.Parameter(torch.tensor([5.0, -2.0]))
        self.guess = nn.Linear(2 * options.units, size)
        self.register_buffer("surface_mean", torch.zeros(len(SURFACE)))
        self.register_buffer("surface_scale", torch.ones(len(SURFACE)))
        self.drop = nn.Dropout(options.dropout)
        self.asks = options.query
        self.wide, self.size = wide, size
        if options.attention == "uniform":
            for weight in (self.attend_2.weight, self.attend_query):
                nn.init.zeros_(weight)
                weight.requires_grad_(False)

    def standard(self, surfaces: Tensor) -> Tensor:
        """Surface numbers with mean 0 and deviation 1, within ±4."""
        return ((surfaces - self.surface_mean) * self.surface_scale).clamp(-4, 4)

    def states(self, ids: Tensor, marks: Tensor, lengths: Tensor, query: Tensor) -> tuple[Tensor, Tensor]:
        """The BiLSTM's states, and what it read (words, marks, likeness to the query), for each word."""
        words = self.words(ids)
        alike = words.new_zeros((*ids.shape, 1))
        if not self.asks:
            marks = torch.cat((torch.zeros_like(marks[:, :, :1]), marks[:, :, 1:]), 2)
        elif len(query):
            alike = (_unit(words) @ _unit(self.words(query)).T).amax(2, keepdim=True)
        x = torch.cat((self.drop(words), marks, alike), 2)
        packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        return pad_packed_sequence(self.lstm(packed)[0], batch_first=True, total_length=ids.shape[1])[0], x

    def forward(
        self, ids: Tensor, marks: Tensor, lengths: Tensor, query: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Attention (n, hops, words), sentences and likeness of one event's sentences; `query` has its words' rows."""
        states, x = self.states(ids, marks, lengths, query)
        q = self.words.weight.new_zeros(self.size)
        if self.asks and len(query):
            q = self.words(query).mean(0)
        H = torch.cat((states, x), 2)
        A = self.attend(H, x[:, :, : self.size], lengths, q)
        M = (A @ H).flatten(1)
        sentences = torch.tanh(self.join(torch.cat((self.drop(M), q.expand(len(M), -1)), 1)))
        return A, sentences, _unit(self.likeness(M))

    def attend(self, H: Tensor, words: Tensor, lengths: Tensor, query: Tensor) -> Tensor:
        """A: for each hop the weights of the words, which sum to 1; 0 for padding."""
        scores = self.attend_2(torch.tanh(self.attend_1(H) + self.attend_1_query(query)))
        scores = scores + words @ (self.attend_query @ query).T / self.size**0.5
        padding = torch.arange(H.shape[1])[None] >= lengths[:, None]
        return torch.softmax(scores.masked_fill(padding[:, :, None], -1e9), 1).transpose(1, 2)

    def judge(self, sentences: Tensor, surfaces: Tensor, likeness: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Standard surfaces, context and logits of the consecutive sentences of one stream."""
        standard, context = self.standard(surfaces), context_of(likeness)
        return standard, context, self.relevance(torch.cat((sentences, standard, context), 1))


def _unit(vectors: Tensor) -> Tensor:
    return vectors / ((vectors * vectors).sum(-1, keepdim=True).sqrt() + 1e-6)


def context_of(likeness: Tensor) -> Tensor:
    """`StreamContext.look` for each of consecutive sentences: (n, 3)."""
    count = len(likeness)
    place = torch.arange(count)
    before = place[:, None] - place[None]
    there = ((before > 0) & (before <= WINDOW)).float()
    products = likeness @ likeness.T
    size = there.sum(1).clamp(min=1)
    mean = (products * there).sum(1) / size
    greatest = products.masked_fill(there == 0, -2).amax(1).masked_fill(there.sum(1) == 0, 0)
    share = (torch.sigmoid(10 * (products - 0.5)) * there).sum(1) / size
    return torch.stack((mean, greatest, share), 1)


def attention_penalty(A: Tensor) -> Tensor:
    """The mean over sentences of |A Aᵀ - I|² (Frobenius): 0 where each hop looks at one word, and each at another."""
    hops = A.shape[1]
    return ((A @ A.transpose(1, 2) - torch.eye(hops)) ** 2).sum((1, 2)).mean()


class Policy(nn.Module):
    """Push or skip: from what is known of a sentence, what was emitted, and a GRU over all decisions before."""

    def __init__(self, memory: int, hidden: int = 48, dropout: float = 0.0) -> None:
        super().__init__()
        known = SENTENCE + len(SURFACE) + len(CONTEXT) + 3
        self.memory = nn.GRU(2 * SENTENCE + 1, memory, batch_first=True)
        self.decide_1 = nn.Linear(known + len(DYNAMIC) + memory, hidden)
        self.decide_2 = nn.Linear(hidden, 1)
        self.drop = nn.Dropout(dropout)

    def forward(
        self,
        static: Tensor,
        dynamic: Tensor,
        sentences: Tensor,
        actions: Tensor,
        memory: Tensor | None = None,
    ) -> Tensor:
        """Logits (rows, steps) given the decisions that were made (rows, steps) of 0 and 1, and the memory before."""
        if memory is None:
            memory = static.new_zeros(len(static), self.memory.hidden_size)
        static, sentences, mark = self.drop(static), self.drop(sentences), actions[:, :, None]
        after, _ = self.memory(torch.cat((sentences, sentences * mark, mark), 2), memory[None])
        before = torch.cat((memory[:, None], after[:, :-1]), 1)
        inner = torch.tanh(self.decide_1(torch.cat((static, dynamic, before), 2)))
        logits: Tensor = self.decide_2(inner)[:, :, 0]
        return logits


def export(encoder: Encoder, policy: Policy, dtype: torch.dtype = torch.float32) -> dict[str, Any]:
    """The arrays of a model as the numpy network wants them."""
    lstm = encoder.lstm
    both = ("", "_reverse")
    gru = dict(policy.memory.named_parameters())

    def stacked(name: str) -> Tensor:
        return torch.stack([getattr(lstm, f"{name}_l0{end}") for end in both])

    tensors: dict[str, Tensor] = {
        "words": encoder.words.weight,
        "lstm_in": stacked("weight_ih"),
        "lstm_state": stacked("weight_hh"),
        "lstm_bias": stacked("bias_ih") + stacked("bias_hh"),
        "attend_1": encoder.attend_1.weight,
        "attend_1_query": encoder.attend_1_query.weight,
        "attend_2": encoder.attend_2.weight,
        "attend_query": encoder.attend_query,
        "join": encoder.join.weight,
        "join_bias": encoder.join.bias,
        "surface_mean": encoder.surface_mean,
        "surface_scale": encoder.surface_scale,
        "relevance": encoder.relevance.weight,
        "relevance_bias": encoder.relevance.bias,
        "likeness": encoder.likeness.weight,
        "memory_in": gru["weight_ih_l0"],
        "memory_in_bias": gru["bias_ih_l0"],
        "memory_state": gru["weight_hh_l0"],
        "memory_state_bias": gru["bias_hh_l0"],
        "decide_1": policy.decide_1.weight,
        "decide_1_bias": policy.decide_1.bias,
        "decide_2": policy.decide_2.weight,
        "decide_2_bias": policy.decide_2.bias,
    }
    found = {name: tensor.detach().to(dtype).contiguous().numpy().copy() for name, tensor in tensors.items()}
    if not encoder.asks:
        _forget_query(found, encoder)
    return found


def _forget_query(arrays: dict[str, Any], encoder: Encoder) -> None:
    # What training never saw has weights that it never touched: the query's vector, mark and likeness count 0.
    asked, alike = encoder.size, encoder.size + len(MARKS)
    units = encoder.wide - alike - 1
    arrays["lstm_in"][:, :, [asked, alike]] = 0
    arrays["attend_1"][:, [units + asked, units + alike]] = 0
    arrays["attend_1_query"][:] = 0
    arrays["attend_query"][:] = 0
    for name in ("join", "likeness"):
        for start in range(0, arrays["likeness"].shape[1], encoder.wide):
            arrays[name][:, [start + units + asked, start + units + alike]] = 0
    arrays["join"][:, arrays["likeness"].shape[1] :] = 0


_NEAR = 4  # words apart: these stand together
_LENGTH = 0.6  # of each vector of a word before training


def word_vectors(texts: Iterable[Array], rows: int, size: int) -> Tensor:
    """(rows, size): the factors U √S of the positive pointwise mutual information of words at most 4 apart.

    PPMI(a, b) = max(0, ln(n(a, b) n / (n(a) n(b)^.75))), once for b after a and once for b before a, and added: word
    order counts. n(a, b) = sum over the places of 1 / distance, n(a) = the same of a with every word in both orders,
    and n(b)^.75 is scaled to add up to n. Every vector gets the length .6; a row that no word uses, and row 0, is 0.
    """
    near: list[Array] = []
    weights: list[Array] = []
    for ids in texts:
        for distance in range(1, min(_NEAR, len(ids) - 1) + 1):
            near.append(ids[:-distance] * rows + ids[distance:])
            weights.append(np.full(len(ids) - distance, 1 / distance))
    vectors = torch.zeros((rows, size))
    if not near:
        return vectors
    names, place = np.unique(np.concatenate(near), return_inverse=True)
    counts = np.bincount(place, weights=np.concatenate(weights))
    left = np.concatenate((names // rows, names % rows))
    right = np.concatenate((names % rows, names // rows))
    counts = np.concatenate((counts, counts))
    often = np.bincount(left, weights=counts, minlength=rows)
    smooth = often**0.75
    smooth *= often.sum() / smooth.sum()
    values = np.log(counts * often.sum() / (often[left] * smooth[right]))
    some = values > 0
    table = torch.sparse_coo_tensor(
        torch.from_numpy(np.stack((left[some], right[some]))),
        torch.from_numpy(values[some].astype(np.float32)),
        (rows, rows),
        check_invariants=True,
    ).coalesce()
    wide = min(size, int(np.count_nonzero(often)))
    U, S, _ = torch.svd_lowrank(table, q=wide, niter=4)
    found = U * S.sqrt()
    lengths = found.norm(dim=1, keepdim=True)
    vectors[:, :wide] = torch.where(lengths > 1e-6, _LENGTH * found / lengths.clamp(min=1e-6), 0.0)
    vectors[0] = 0
    return vectors


GAIN = 0.3
"""Gain per verbosity that counts as 1."""

_BATCH, _TEXTS = 64, 96  # sentences of a stream in one step: learning from judgments, from texts
_HIDDEN = 0.2  # the share of words left out in training
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
    rows: Sequence[Array],
    marks: Sequence[Array],
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
    optimizer = torch.optim.AdamW(_trainable(encoder), lr=options.rate / 2, weight_decay=0.01)
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
    optimizer = torch.optim.AdamW(_trainable(encoder), lr=options.rate, weight_decay=0.03)
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


def _draw(count: int, rng: np.random.Generator) -> Array:
    """Sentences of one stream in their order: now a stretch of it, now some of all, so that contexts differ."""
    size = min(_BATCH, count)
    if rng.random() < 0.5:
        first = int(rng.integers(count - size + 1))
        return np.arange(first, first + size)
    return np.sort(rng.choice(count, size=size, replace=False))


def _trainable(encoder: Encoder) -> list[Tensor]:
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
    chosen: Array,
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
        held = nuggets[relevant]
        same = ((held[rows] * held[columns]).sum(1) > 0).float()
        kept = likeness[relevant]
        alike = encoder.pair[0] * (kept[rows] * kept[columns]).sum(1) + encoder.pair[1]
        loss = loss + 0.5 * binary_cross_entropy_with_logits(alike, same, weight=1 + 2 * same)
    return loss
