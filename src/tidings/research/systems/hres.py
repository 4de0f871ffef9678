"""`hres`: hierarchical encoder, multi-head attention, a policy trained by reinforcement (numpy; no torch).

The trained network is a BiLSTM, structured self-attention, heads, and the policy with its memory; all formulas are
those of the torch modules that train it, to 1e-5.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar
from zlib import crc32

import msgspec
import numpy as np
from msgspec import Meta, Struct

from tidings.core import (
    Event,
    Model,
    ModelCard,
    Sentence,
    Update,
    UsageError,
    check_arrays,
    prepare,
    read_model,
    shared_analyzer,
)
from tidings.following import QuerySystem, StatefulFollower, build_gate
from tidings.research.systems.hres_memory import (
    CONTEXT,
    DYNAMIC,
    MARKS,
    SURFACE,
    WORDS,
    EmittedMemory,
    Reader,
    Reading,
    StreamContext,
    StreamView,
)

Array = np.ndarray[Any, Any]


ARRAYS = {
    "words": "(rows, size)",
    "lstm_in": "(2, 4·units, size+marks+1)",
    "lstm_bias": "(2, 4·units)",
    "lstm_state": "(2, 4·units, units)",
    "attend_1": "(inner, 2·units+size+marks+1)",
    "attend_1_query": "(inner, size)",
    "attend_2": "(hops, inner)",
    "attend_query": "(hops, size, size)",
    "join": "(sentence, hops·2·units+hops·size+hops·marks+hops+size)",
    "join_bias": "(sentence)",
    "likeness": "(likeness, hops·2·units+hops·size+hops·marks+hops)",
    "surface_mean": "(surface)",
    "surface_scale": "(surface)",
    "relevance": "(2, sentence+surface+context)",
    "relevance_bias": "(2)",
    "memory_in": "(3·memory, 2·sentence+1)",
    "memory_in_bias": "(3·memory)",
    "memory_state": "(3·memory, memory)",
    "memory_state_bias": "(3·memory)",
    "decide_1": "(inner_2, sentence+surface+context+3+emitted+memory)",
    "decide_1_bias": "(inner_2)",
    "decide_2": "(1, inner_2)",
    "decide_2_bias": "(1)",
}
"""The arrays of a model with their shapes; `surface`, `context`, `emitted` and `marks` are what is measured."""


class Encoded(Struct, frozen=True):
    """Sentences as vectors.

    Attributes:
        attention: (sentences, hops, words); each row sums to 1, padding has 0.
        sentences: (sentences, size) what the policy reads.
        likeness: (sentences, size) unit vectors; their product says how likely two tell the same.
    """

    attention: Array
    sentences: Array
    likeness: Array


class Network:
    """Inference with the arrays of one model."""

    def __init__(self, model: Model) -> None:
        sizes = {
            "surface": len(SURFACE),
            "context": len(CONTEXT),
            "emitted": len(DYNAMIC),
            "marks": len(MARKS),
        }
        checked = check_arrays(model, ARRAYS, sizes)
        arrays = {name: np.ascontiguousarray(array) for name, array in checked.items()}
        self.rows, self.size = arrays["words"].shape
        units = arrays["lstm_state"].shape[2]
        # sigmoid(x) = (1 + tanh(x/2)) / 2, so one tanh serves all gates; torch's order is i, f, g, o.
        half = np.full(4 * units, 0.5, dtype=np.float32)
        half[2 * units : 3 * units] = 1.0
        self._lstm_in = np.ascontiguousarray((arrays["lstm_in"] * half[None, :, None]).transpose(0, 2, 1))
        self._lstm_bias = (arrays["lstm_bias"] * half)[:, None, None, :]
        self._lstm_state = np.ascontiguousarray(
            (arrays["lstm_state"] * half[None, :, None]).transpose(0, 2, 1)
        )
        self._units = units
        self._arrays = arrays
        self._unit_words = unit(arrays["words"])
        self._decide_1 = np.ascontiguousarray(arrays["decide_1"].T)
        self._memory_in = np.ascontiguousarray(arrays["memory_in"].T)
        self._memory_state = np.ascontiguousarray(arrays["memory_state"].T)
        self.memory_size = arrays["memory_state"].shape[1]
        self.likeness_size = arrays["likeness"].shape[0]
        self.hops = arrays["attend_2"].shape[0]

    def encode(self, ids: Sequence[Array], marks: Sequence[Array], query_ids: Array) -> Encoded:
        """Sentences (rows of words and their marks; each at least one word long) as vectors."""
        arrays = self._arrays
        lengths = np.array([len(row) for row in ids])
        most, count, mark_size = int(lengths.max()), len(ids), marks[0].shape[1]
        rows = np.zeros((count, most), dtype=np.int64)
        x = np.zeros((count, most, self.size + mark_size + 1), dtype=np.float32)
        for n, row in enumerate(ids):
            rows[n, : len(row)] = row
            x[n, : len(row), self.size : -1] = marks[n]
        words = x[:, :, : self.size] = arrays["words"][rows]
        query = np.zeros(self.size, dtype=np.float32)
        if len(query_ids):
            query = arrays["words"][query_ids].mean(axis=0)
            x[:, :, -1] = (self._unit_words[rows] @ self._unit_words[query_ids].T).max(axis=2)
        steps = np.arange(most)
        turned = np.where(steps < lengths[:, None], lengths[:, None] - 1 - steps, steps)
        everyone = np.arange(count)[:, None]
        states = self._lstm(np.stack((x, x[everyone, turned])))
        H = np.concatenate((states[0], states[1][everyone, turned], x), axis=2)
        A = self.attend(H, words, lengths, query)
        M = (A @ H).reshape(count, -1)
        wide = M.shape[1]
        # W [M; q]: the query's part is the same for all sentences.
        inner = M @ arrays["join"][:, :wide].T + (arrays["join"][:, wide:] @ query + arrays["join_bias"])
        return Encoded(A, np.tanh(inner), unit(M @ arrays["likeness"].T))

    def attend(self, H: Array, words: Array, lengths: Array, query: Array) -> Array:
        """A = softmax over the words of w·tanh(W1 h + Wq q) + e·U q / √size, for each hop: (sentences, hops, words)."""
        arrays = self._arrays
        inner = np.tanh(H @ arrays["attend_1"].T + arrays["attend_1_query"] @ query)
        scores = inner @ arrays["attend_2"].T
        scores += words @ (arrays["attend_query"] @ query).T / np.float32(self.size**0.5)
        scores[np.arange(H.shape[1]) >= lengths[:, None]] = -1e9
        scores -= scores.max(axis=1, keepdims=True)
        A = np.exp(scores)
        A /= A.sum(axis=1, keepdims=True)
        return np.ascontiguousarray(A.transpose(0, 2, 1))

    def judge(self, sentences: Array, surfaces: Array, context: Array) -> Array:
        """Logits of matching a nugget, and of its gain per verbosity: (sentences, 2)."""
        inputs = np.concatenate((sentences, surfaces, context), axis=1)
        logits: Array = inputs @ self._arrays["relevance"].T + self._arrays["relevance_bias"]
        return logits

    def standard(self, surfaces: Array) -> Array:
        """Surface numbers with mean 0 and deviation 1 over the training events, within ±4."""
        arrays = self._arrays
        scaled: Array = np.clip((surfaces - arrays["surface_mean"]) * arrays["surface_scale"], -4, 4)
        return scaled

    def _lstm(self, x: Array) -> Array:
        """(2 directions, sentences, words, inputs) → hidden states in the same order."""
        u = self._units
        _, count, most, _ = x.shape
        gates = np.ascontiguousarray((x @ self._lstm_in[:, None] + self._lstm_bias).transpose(2, 0, 1, 3))
        H = np.empty((most, 2, count, u), dtype=np.float32)
        h = np.zeros((2, count, u), dtype=np.float32)
        c = np.zeros((2, count, u), dtype=np.float32)
        for t in range(most):
            g = gates[t]
            if t:
                g += h @ self._lstm_state
            np.tanh(g, out=g)
            c *= 0.5 * (g[..., u : 2 * u] + 1)
            c += 0.5 * (g[..., :u] + 1) * g[..., 2 * u : 3 * u]
            h = H[t]
            np.tanh(c, out=h)
            h *= 0.5 * (g[..., 3 * u :] + 1)
        return H.transpose(1, 2, 0, 3)

    def decide(self, static: Array, dynamic: Array, memory: Array) -> Array:
        """Logits of emitting: (rows,) from each sentence's static and dynamic inputs, and the memory."""
        arrays = self._arrays
        inner = np.concatenate((static, dynamic, memory), axis=1) @ self._decide_1
        inner += arrays["decide_1_bias"]
        np.tanh(inner, out=inner)
        logits: Array = inner @ arrays["decide_2"][0] + arrays["decide_2_bias"][0]
        return logits

    def remember(self, memory: Array, sentences: Array, emitted: Array) -> Array:
        """The memory (a GRU) after these sentences, `emitted` (0 or 1) for each row."""
        arrays, size = self._arrays, self.memory_size
        mark = emitted[:, None].astype(np.float32)
        x = np.concatenate((sentences, sentences * mark, mark), axis=1) @ self._memory_in
        x += arrays["memory_in_bias"]
        s = memory @ self._memory_state
        s += arrays["memory_state_bias"]
        gates = 0.5 * (np.tanh(0.5 * (x[:, : 2 * size] + s[:, : 2 * size])) + 1)
        fresh = np.tanh(x[:, 2 * size :] + gates[:, :size] * s[:, 2 * size :])
        kept = gates[:, size:]
        after: Array = fresh + kept * (memory - fresh)
        return after


def unit(vectors: Array) -> Array:
    """Each row by its length, to which 1e-6 is added."""
    scaled: Array = vectors / (np.sqrt((vectors * vectors).sum(axis=-1, keepdims=True)) + 1e-6)
    return scaled


class Attention(Struct, frozen=True):
    """A sentence as the encoder reads it.

    Attributes:
        words: the sentence's words as written, at most 40.
        weights: for each hop one weight per word, 0 to 1; they sum to 1 (words without letters and digits have 0).
        relevance: probability that the sentence matches a nugget, by the encoder alone, with nothing known of a stream.
        gain: what it expects the sentence to earn per verbosity, as a share of .3; 0 to 1.
    """

    words: tuple[str, ...]
    weights: tuple[tuple[float, ...], ...]
    relevance: float
    gain: float


def attend(text: str, query: str, model: str | Path = "") -> Attention:
    """The attention of one sentence (`Network.attend`), as the first of a stream about `query`.

    Raises:
        UsageError: no word in the sentence, or no such model.
    """
    network = prepare(read_model("hres", model), Network)
    reader = Reader(query, "english", network.rows)
    reading = reader.read(text)
    if not len(reading.ids):
        raise UsageError(f"no word in {text[:60]!r} (expected a sentence); give some words to look at")
    view = StreamView(0)
    marks = np.concatenate((reading.marks, view.familiarity(reading)), axis=1)
    surface = network.standard(view.look(reading, Sentence("", 0, text, 0), 0)[None])
    encoded = network.encode([reading.ids], [marks], reader.query_ids(query))
    logits = network.judge(encoded.sentences, surface, np.zeros((1, len(CONTEXT)), dtype=np.float32))
    words = tuple(text.split(maxsplit=WORDS)[:WORDS])
    rows = []
    for hop in encoded.attention[0]:
        row = [0.0] * len(words)
        for place, weight in zip(reading.places, hop.tolist(), strict=True):
            row[place] = weight
        rows.append(tuple(row))
    relevance, gain = (1 / (1 + np.exp(-np.clip(logits[0], -30, 30)))).tolist()
    return Attention(words, tuple(rows), relevance, gain)


_COPIES = 4_096  # texts remembered, to know one that comes again


class Hres(QuerySystem, frozen=True, kw_only=True):
    """Emits what a network with multi-head attention, trained by reinforcement, decides to push.

    Stated in the appendix, which is all that is known of it: multi-head attention "with respect to the query" with b
    hops, the matrix A of their weights (section 1); push or skip by policy gradient with a delayed reward, EG + nCG +
    latency with λ .15, .8 and .05 (section 3, formula (1)). Reconstructed: the BiLSTM, the penalty |AAᵀ - I|² (both of
    Lin and others, ICLR 2017), how the query enters, the stream level (likeness to the latest sentences), the memory (a
    GRU over the stream and what was pushed), the few measured numbers beside the encoder, the imitation start, that the
    gradient reaches the attention, and that the gate comes first. An exact copy of a sentence that was already judged
    is passed over. docs/appendix/hres.md has both in two columns.
    """

    name: ClassVar[str] = "hres"
    any_language: ClassVar[bool] = False
    source: ClassVar[str] = (
        "HRES (appendix of an anonymous submission); published near it: Yang, Li, Sun, Zhao and Shen, AAAI 2020; "
        "self-attention: Lin and others, ICLR 2017"
    )

    overlap: Annotated[int, Meta(ge=0)] = 1
    model: str = ""
    eagerness: Annotated[float, Meta(ge=-20, le=20)] = 0.0
    daily: Annotated[int, Meta(ge=0)] = 10
    max_kept: Annotated[int, Meta(ge=1)] = 512

    @property
    def card(self) -> ModelCard:
        """The card of its model."""
        return read_model("hres", self.model).card

    def start(self, event: Event) -> HresFollower:
        """A fresh follower of `event`."""
        return HresFollower(self, event, read_model("hres", self.model))


@dataclass(frozen=True, slots=True)
class ReadSentence:
    """A sentence that passed the gate, with what is known of it before anything is decided."""

    sentence: Sentence
    reading: Reading
    marks: Array
    surface: Array


class SentenceReader:
    """The part of a follower that does not depend on what was emitted: gate, copies, and view of the stream."""

    def __init__(self, system: QuerySystem, event: Event, rows: int) -> None:
        self._analyzer = shared_analyzer(system.language)
        self._gate = build_gate(system, event)
        self._event = event
        text = {"query": event.query, "title": event.title}.get(system.terms, f"{event.query} {event.title}")
        self._reader = Reader(text, system.language, rows)
        self.query_ids = self._reader.query_ids(text)
        self.forget()

    def read(self, text: str) -> Reading:
        """The text's words, with nothing known of the stream."""
        return self._reader.read(text)

    def forget(self) -> None:
        """Begin afresh."""
        self.view = StreamView(self._event.start_time or 0)
        self._order: deque[int] = deque()
        self._texts: set[int] = set()

    def see(self, sentence: Sentence, now: int) -> ReadSentence | None:
        """The sentence as read, or None where it does not pass the gate or was here before."""
        text = sentence.text
        if not self._gate.admits(text, self._analyzer.stems(text)) or self._is_copy(text):
            return None
        reading = self._reader.read(text)
        if not len(reading.ids):
            return None
        marks = np.concatenate((reading.marks, self.view.familiarity(reading)), axis=1)
        surface = self.view.look(reading, sentence, now)
        self.view.add(reading, now)
        return ReadSentence(sentence, reading, marks, surface)

    def _is_copy(self, text: str) -> bool:
        data = text.encode("utf-8", "surrogatepass")
        name = crc32(data) << 32 | crc32(data[::-1])
        if name in self._texts:
            return True
        self._texts.add(name)
        self._order.append(name)
        if len(self._order) > _COPIES:
            self._texts.discard(self._order.popleft())
        return False

    def state(self) -> list[Any]:
        """What is remembered, as msgpack can hold it."""
        return [self.view.state(), b"".join(name.to_bytes(8, "big") for name in self._order)]

    def restore(self, data: list[Any]) -> None:
        """Become the reader whose `state()` gave `data`."""
        self.forget()
        self.view.restore(data[0])
        names = data[1]
        self._order.extend(int.from_bytes(names[n : n + 8], "big") for n in range(0, len(names), 8))
        self._texts.update(self._order)


class HresFollower(StatefulFollower):
    """Remembers a window of the stream, what it emitted, and the policy's memory."""

    def __init__(self, system: Hres, event: Event, model: Model) -> None:
        super().__init__(event)
        self._system = system

        self._network = prepare(model, Network)
        self._reader = SentenceReader(system, event, self._network.rows)
        self._forget()

    def _forget(self) -> None:
        self._reader.forget()
        self._context = StreamContext(self._network.likeness_size)
        self._emitted = EmittedMemory(self._system.max_kept, self._network.likeness_size)
        self._memory = np.zeros((1, self._network.memory_size), dtype=np.float32)

    def push(self, sentences: Sequence[Sentence], now: int) -> list[Update]:
        """Read what passes the gate at once, then decide one by one."""
        see = self._reader.see
        read_sentences = [read for sentence in sentences if (read := see(sentence, now)) is not None]
        if not read_sentences:
            return []
        self._changed()
        network, emitted, daily = self._network, self._emitted, self._system.daily
        encoded = network.encode(
            [each.reading.ids for each in read_sentences],
            [each.marks for each in read_sentences],
            self._reader.query_ids,
        )
        standard = network.standard(np.stack([each.surface for each in read_sentences]))
        context = np.stack([self._see(likeness) for likeness in encoded.likeness])
        relevance = network.judge(encoded.sentences, standard, context)
        static = np.concatenate((encoded.sentences, standard, context, relevance), axis=1)
        updates = []
        for n, each in enumerate(read_sentences):
            rank = self._reader.view.ranks.add(float(relevance[n, 1]))
            known = np.append(static[n], rank).astype(np.float32)
            likeness = encoded.likeness[n]
            past = emitted.look(each.reading, likeness, now)
            logit = float(network.decide(known[None], past[None], self._memory)[0]) + self._system.eagerness
            allowed = not daily or emitted.today(now) < daily
            tell = logit > 0 and allowed and self._room(each.sentence.text)
            if tell:
                emitted.add(each.reading, likeness, now)
                confidence = 1 / (1 + float(np.exp(-min(30.0, logit))))
                updates.append(self._tell(each.sentence, now, confidence))
            self._memory = network.remember(
                self._memory, encoded.sentences[n : n + 1], np.array([tell], dtype=np.float32)
            )
        return updates

    def _see(self, likeness: Array) -> Array:
        context = self._context.look(likeness)
        self._context.add(likeness)
        return context

    def _encode(self) -> bytes:
        memory = self._memory.astype("<f4").tobytes()
        return msgspec.msgpack.encode(
            [self._reader.state(), self._context.state(), self._emitted.state(), memory]
        )

    def _decode(self, data: bytes) -> None:
        self._forget()
        reader, context, emitted, memory = msgspec.msgpack.decode(data)
        self._reader.restore(reader)
        self._context.restore(context)
        self._emitted.restore(emitted)
        self._memory = np.frombuffer(memory, dtype="<f4").reshape(1, -1).copy()
