"""The torch modules that are trained, and their way into the arrays of a model."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from tidings.research.systems.hres_memory import CONTEXT, DYNAMIC, MARKS, SURFACE, WINDOW
from tidings.research.training.hres.options import HresOptions

__all__ = ["SENTENCE", "Encoder", "Policy", "attention_penalty", "context_of", "export"]

SENTENCE, LIKENESS, _INNER = 48, 32, 32


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
    """Push or skip: from what is known of a sentence, what was told, and a GRU over all decisions before."""

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
