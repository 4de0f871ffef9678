"""The torch modules that are trained, and their way into the arrays of a model."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

__all__ = ["Encoder", "Policy", "attention_penalty", "export"]


class Encoder(nn.Module):
    """Words → sentence: BiLSTM, A = softmax(W2 tanh(W1 [H; q]ᵀ)), M = A H, then one dense layer with the query."""

    surface_mean: Tensor
    surface_scale: Tensor

    def __init__(
        self,
        rows: int,
        size: int,
        units: int,
        hops: int,
        marks: int,
        surfaces: int,
        out: int = 48,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.words = nn.Embedding(rows, size, padding_idx=0)
        nn.init.normal_(self.words.weight, std=0.1)
        self.lstm = nn.LSTM(size + marks, units, batch_first=True, bidirectional=True)
        self.attend_1 = nn.Linear(2 * units + size, 32, bias=False)
        self.attend_2 = nn.Linear(32, hops, bias=False)
        # Begun small, all words stay alike to all hops: softmax of next to nothing has next to no gradient.
        nn.init.normal_(self.attend_1.weight, std=0.3)
        nn.init.normal_(self.attend_2.weight, std=0.5)
        self.join = nn.Linear(hops * 2 * units + size, out)
        self.relevance = nn.Linear(out + surfaces, 2)
        self.likeness = nn.Linear(out, 32, bias=False)
        self.pair = nn.Parameter(torch.tensor([5.0, -2.0]))
        self.register_buffer("surface_mean", torch.zeros(surfaces))
        self.register_buffer("surface_scale", torch.ones(surfaces))
        self.drop = nn.Dropout(dropout)

    def standard(self, surfaces: Tensor) -> Tensor:
        """Surface numbers with mean 0 and deviation 1, within ±4."""
        return ((surfaces - self.surface_mean) * self.surface_scale).clamp(-4, 4)

    def query(self, ids: list[Tensor]) -> Tensor:
        """Each query's vector: the mean of its words'."""
        zero = self.words.weight.new_zeros(self.words.embedding_dim)
        return torch.stack([self.words(row).mean(0) if len(row) else zero for row in ids])

    def forward(
        self, ids: Tensor, marks: Tensor, lengths: Tensor, surfaces: Tensor, query: Tensor
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Attention (n, hops, words), sentences, relevance logits, likeness; `query` has one row for each sentence."""
        x = torch.cat((self.drop(self.words(ids)), marks), 2)
        packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        H, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True, total_length=ids.shape[1])
        spread = query[:, None].expand(-1, H.shape[1], -1)
        scores = self.attend_2(torch.tanh(self.attend_1(torch.cat((H, spread), 2))))
        padding = torch.arange(H.shape[1])[None] >= lengths[:, None]
        A = torch.softmax(scores.masked_fill(padding[:, :, None], -1e9), 1).transpose(1, 2)
        M = (A @ H).flatten(1)
        sentences = torch.tanh(self.join(self.drop(torch.cat((M, query), 1))))
        relevance = self.relevance(torch.cat((sentences, self.standard(surfaces)), 1))
        likeness = self.likeness(sentences)
        likeness = likeness / ((likeness * likeness).sum(1, keepdim=True).sqrt() + 1e-6)
        return A, sentences, relevance, likeness


def attention_penalty(A: Tensor) -> Tensor:
    """The mean over sentences of |A Aᵀ - I|² (Frobenius): 0 where each hop looks at one word, and each at another."""
    hops = A.shape[1]
    return ((A @ A.transpose(1, 2) - torch.eye(hops)) ** 2).sum((1, 2)).mean()


class Policy(nn.Module):
    """Push or skip: from what is known of a sentence, what was told, and a GRU over all decisions before."""

    def __init__(
        self, static: int, dynamic: int, sentence: int, memory: int, hidden: int = 48, dropout: float = 0.0
    ) -> None:
        super().__init__()
        self.memory = nn.GRU(2 * sentence + 1, memory, batch_first=True)
        self.decide_1 = nn.Linear(static + dynamic + memory, hidden)
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
        "attend_2": encoder.attend_2.weight,
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
    return {name: tensor.detach().to(dtype).contiguous().numpy().copy() for name, tensor in tensors.items()}
