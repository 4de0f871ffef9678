"""`nnrl`: push or skip by a Q-network with a memory; Tan, Lu and Li, SIGIR 2017.

The stream of one event is a sequence of decisions. x_t says what is known of the sentence t and of what was emitted
before it, a ∈ {skip, push}, and

    h_t     = LSTM(x_t, h_{t-1})
    Q(t, a) = W₃ relu(W₂ relu(W₁ h_t))         emitted if Q(t, push) - Q(t, skip) > margin

is learned such that Q(t, a) = r(t, a) + γ max_a' Q(t+1, a').

True to the paper: the decision of one sentence at a time as it arrives, the two actions, a Q-network of one LSTM layer
and three fully connected layers, learned by Q-learning with a replay memory, a target network and ε-greedy
exploration so that both the past and the future of the stream count. Its full text could not be had; reconstructed
are the inputs (listed below; the paper will have had word vectors of tweets), all sizes, the discount, and the
reward, for which see tidings.research.training.nnrl. The gate before it is that of the other systems here.

The network is in numpy, equal to that of torch to 1e-5. A model holds several networks that learned from other seeds;
what is asked of it is the mean of what they answer.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from functools import lru_cache
from math import exp, log1p
from typing import Annotated, Any, ClassVar
from zlib import crc32

import msgspec
import numpy as np
from msgspec import Meta, Struct

from tidings.analysis import find_casualties
from tidings.core import (
    Event,
    LanguageModel,
    Model,
    ModelCard,
    Sentence,
    Update,
    UsageError,
    Vector,
    VectorIndex,
    check_arrays,
    prepare,
    read_model,
    shared_analyzer,
    unit_vector,
)
from tidings.following import GatedFollower, QuerySystem

Array = np.ndarray[Any, Any]


STREAM_INPUTS = (
    "share of the query's stems that it holds",
    "share of its stems that are the query's",
    "share of the title's stems that it holds",
    "words / 40",
    "numbers / 5",
    "states a toll",
    "share of words that begin with a capital",
    "1 / (1 + number in its document)",
    "log(1 + hours since the event's start) / 6",
    "log(1 + hours since the sentence before) / 3",
    "share of its stems that the stream has had",
    "mean share of the sentences so far that hold its stems",
    "log(1 + sentences so far) / 8",
)
"""What does not depend on what was emitted; the hashed words follow."""

EMITTED_INPUTS = (
    "greatest cosine to an update",
    "share of its stems that no update holds",
    "share of its numbers that no update holds",
    "log(1 + updates) / 5",
    "updates of this day / 10, at most 3",
    "log(1 + hours since the last update) / 3; 2 before the first",
    "the sentence before was told",
)
"""What does."""


@lru_cache(maxsize=100_000)
def _place(stem: str, size: int) -> tuple[int, float]:
    code = crc32(stem.encode("utf-8", "surrogatepass"))
    return (code >> 1) % size, 1.0 if code & 1 else -1.0


def spread(vector: Vector, size: int) -> list[float]:
    """Hashed words: each stem adds its weight, with a sign of its own, to one of `size` numbers.

    >>> spread({"fire": 1.0}, 4) != spread({"port": 1.0}, 4), spread({}, 2), spread({"fire": 1.0}, 0)
    (True, [0.0, 0.0], [])
    """
    hashed = [0.0] * size
    for stem, weight in vector.items() if size else ():
        at, sign = _place(stem, size)
        hashed[at] += sign * weight
    return hashed


class StreamHistory:
    """What has passed of one event's stream, emitted or not."""

    def __init__(self, event: Event, language: str = "english") -> None:
        stems_of = shared_analyzer(language).stems
        self._title = frozenset(stems_of(event.title))
        self._query = frozenset(stems_of(event.query)) or self._title
        self._start = event.start_time or 0
        self.restart({}, 0, 0)

    def restart(self, counts: dict[str, float], number: int, latest: int) -> None:
        """Begin again after `number` sentences with these counts of stems, the last of them at `latest`."""
        self.words = LanguageModel(counts, max_terms=4_000)
        self.number = number
        self.latest = latest

    def look(self, sentence: Sentence, stems: Sequence[str], now: int) -> list[float]:
        """The inputs of STREAM_INPUTS for a sentence, which is taken for seen from now on."""
        distinct, counts, number = set(stems), self.words.counts, self.number
        size = len(distinct) or 1
        words = sentence.text.split()
        digits = sum(stem.isdigit() for stem in distinct)
        inputs = [
            len(distinct & self._query) / (len(self._query) or 1),
            len(distinct & self._query) / size,
            len(distinct & self._title) / (len(self._title) or 1),
            min(len(words), 120) / 40,
            min(digits, 5) / 5,
            1.0 if find_casualties(sentence.text) else 0.0,
            sum(word[:1].isupper() for word in words) / (len(words) or 1),
            1.0 / (1 + max(0, sentence.index)),
            _hours(now - self._start) / 6,
            _hours(now - self.latest) / 3 if number else 1.0,
            sum(stem in counts for stem in distinct) / size,
            sum(sorted(counts.get(stem, 0.0) for stem in distinct)) / (size * (number or 1)),
            log1p(number) / 8,
        ]
        self.words.add(sorted(distinct))
        self.number, self.latest = number + 1, now
        return inputs


class EmittedHistory:
    """What was emitted about one event, at most `most` updates of it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.restart([], 0, False)

    def restart(self, kept: Sequence[tuple[int, str]], number: int, last: bool) -> None:
        """Begin again after `number` updates, the latest of them (time, stems); `last`: the last was emitted."""
        self._index = VectorIndex(most=self._most)  # lets its oldest go when we do
        self._stems: Counter[str] = Counter()
        self.kept: deque[tuple[int, str]] = deque()
        self.number = 0
        for time, stems in kept:
            self.add(stems.split(), time)
        self.number, self.last = number, last

    def look(self, vector: Vector, now: int) -> list[float]:
        """The inputs of EMITTED_INPUTS for a sentence with the unit vector `vector`."""
        kept, stems = self.kept, self._stems
        numbers = [stem for stem in vector if stem.isdigit()]
        today = now // 86_400
        of_today = 0
        for time, _ in reversed(kept):
            if time // 86_400 != today or of_today == 30:
                break
            of_today += 1
        return [
            self._index.nearest(vector)[0],
            sum(stem not in stems for stem in vector) / (len(vector) or 1),
            sum(stem not in stems for stem in numbers) / (len(numbers) or 1),
            log1p(self.number) / 5,
            of_today / 10,
            _hours(now - kept[-1][0]) / 3 if kept else 2.0,
            1.0 if self.last else 0.0,
        ]

    def add(self, stems: Sequence[str], now: int) -> None:
        """Take a sentence for emitted at `now`."""
        if len(self.kept) == self._most:
            _, oldest = self.kept.popleft()
            for stem in set(oldest.split()):
                self._stems[stem] -= 1
                if not self._stems[stem]:
                    del self._stems[stem]
        self._index.add(unit_vector(stems), now)
        self._stems.update(set(stems))
        self.kept.append((now, " ".join(stems)))
        self.number += 1


def _hours(seconds: int) -> float:
    return log1p(min(max(0, seconds), 10**9) / 3600)


ARRAYS = {
    "input_mean": "(inputs)",
    "input_scale": "(inputs)",
    "lstm_in": "(members, 4·hidden, inputs)",
    "lstm_state": "(members, 4·hidden, hidden)",
    "lstm_bias": "(members, 4·hidden)",
    "dense_1": "(members, first, hidden)",
    "dense_1_bias": "(members, first)",
    "dense_2": "(members, second, first)",
    "dense_2_bias": "(members, second)",
    "dense_3": "(members, 2, second)",
    "dense_3_bias": "(members, 2)",
}
"""The arrays of a model with their shapes, its networks one after the other.

Gates stand in torch's order (input, forget, cell, output).
"""


class QNetwork:
    """The trained networks, asked together.

    Row by row: nothing depends on how many sequences are asked about at once beyond the last bit.
    """

    def __init__(self, model: Model) -> None:
        checked = check_arrays(model, ARRAYS, nonzero=("input_scale",))
        arrays = {name: array.astype(np.float32) for name, array in checked.items()}
        self.members, _, self.inputs = arrays["lstm_in"].shape
        self.hidden = hidden = arrays["lstm_state"].shape[2]
        # sigmoid(x) = (1 + tanh(x/2)) / 2, so that one tanh serves all four gates and nothing overflows.
        half = np.full(4 * hidden, 0.5, dtype=np.float32)
        half[2 * hidden : 3 * hidden] = 1.0
        scaled = arrays["lstm_in"] * half[:, None] / arrays["input_scale"]
        both = np.concatenate([scaled, arrays["lstm_state"] * half[:, None]], axis=2)
        self._joined = np.ascontiguousarray(both.transpose(0, 2, 1))
        self._bias = (arrays["lstm_bias"] * half - scaled @ arrays["input_mean"])[:, None]
        self._dense = [
            (
                np.ascontiguousarray(arrays[f"dense_{number}"].transpose(0, 2, 1)),
                arrays[f"dense_{number}_bias"][:, None],
            )
            for number in (1, 2, 3)
        ]

    def fresh(self, sequences: int = 1) -> tuple[Array, Array]:
        """The state (h, c) before anything was read: zeros of shape (members, sequences, hidden)."""
        shape = (self.members, sequences, self.hidden)
        return np.zeros(shape, dtype=np.float32), np.zeros(shape, dtype=np.float32)

    def step(self, inputs: Array, state: tuple[Array, Array]) -> tuple[Array, tuple[Array, Array]]:
        """Read one sentence of each sequence.

        `inputs` has shape (sequences, inputs). Returns Q of shape (sequences, 2), skip and push, the mean over the
        networks, and the new state.
        """
        h, c = state
        size = self.hidden
        read = np.broadcast_to(inputs, (self.members, *inputs.shape))
        gates = np.tanh(np.concatenate([read, h], axis=2) @ self._joined + self._bias)
        opened = gates * np.float32(0.5) + np.float32(0.5)
        c = opened[..., size : 2 * size] * c + opened[..., :size] * gates[..., 2 * size : 3 * size]
        h = opened[..., 3 * size :] * np.tanh(c)
        values = h
        for number, (weights, bias) in enumerate(self._dense):
            values = values @ weights + bias
            if number < 2:
                values = np.maximum(values, np.float32(0.0))
        return values.mean(axis=0), (h, c)


class NNRL(QuerySystem, frozen=True, kw_only=True):
    """Emits a sentence if a Q-network with a memory (LSTM) values emitting it over skipping it.

    Published: sequential push-or-skip decisions, a Q-network of one LSTM layer and three fully connected layers,
    Q-learning. Reconstructed: inputs, sizes and reward, which the accessible text does not give. Ours: the mean of
    several networks, and the margin, chosen by leaving events out.
    """

    name: ClassVar[str] = "nnrl"
    any_language: ClassVar[bool] = False
    source: ClassVar[str] = (
        "Tan, Lu and Li, Neural network based reinforcement learning for real-time pushing on text stream, SIGIR 2017"
    )

    model: str = ""
    margin: float = 0.0
    max_kept: Annotated[int, Meta(ge=1)] = 1_000

    @property
    def card(self) -> ModelCard:
        """The card of its model."""
        return read_model(self.name, self.model).card

    def start(self, event: Event) -> NNRLFollower:
        """A fresh follower of `event`."""
        return NNRLFollower(self, event, read_model(self.name, self.model))


class _State(Struct, array_like=True):
    words: dict[str, float]
    number: int
    latest: int
    kept: list[tuple[int, str]]
    emitted: int
    last: bool
    memory: bytes


class NNRLFollower(GatedFollower[NNRL]):
    """Keeps the LSTM's state, the counts of stems that have passed, and what was emitted."""

    def __init__(self, system: NNRL, event: Event, model: Model) -> None:
        super().__init__(system, event)
        self._network = prepare(model, QNetwork)
        self._margin = prepare(model, _margin) + system.margin
        self._hashed = self._network.inputs - len(STREAM_INPUTS) - len(EMITTED_INPUTS)
        if self._hashed < 0:
            raise UsageError(
                f"model of system {system.name!r}: {self._network.inputs} inputs (expected "
                f"{len(STREAM_INPUTS) + len(EMITTED_INPUTS)} or more); was it trained by another version?"
            )
        self._history = StreamHistory(event, system.language)
        self._emitted = EmittedHistory(system.max_kept)
        self._memory = self._network.fresh()

    def push(self, sentences: Sequence[Sentence], now: int) -> list[Update]:
        """Decide, in order, on each sentence that passes the gate."""
        stems_of, admits = self._analyzer.stems, self._gate.admits
        updates = []
        for sentence in sentences:
            stems = stems_of(sentence.text)
            if not stems or not admits(sentence.text, stems):
                continue
            advantage = self._value(sentence, stems, now)
            emitted = advantage > self._margin and self._room(sentence.text)
            if emitted:
                updates.append(self._tell(sentence, now, _confidence(advantage)))
                self._emitted.add(stems, now)
            self._emitted.last = emitted
            self._changed()
        return updates

    def _value(self, sentence: Sentence, stems: Sequence[str], now: int) -> float:
        vector = unit_vector(stems)
        row = [
            *self._history.look(sentence, stems, now),
            *spread(vector, self._hashed),
            *self._emitted.look(vector, now),
        ]
        values, self._memory = self._network.step(np.array([row], dtype=np.float32), self._memory)
        return float(values[0, 1] - values[0, 0])

    def _encode(self) -> bytes:
        history, emitted = self._history, self._emitted
        memory = b"".join(part.astype("<f4").tobytes() for part in self._memory)
        return msgspec.msgpack.encode(
            _State(
                history.words.counts,
                history.number,
                history.latest,
                list(emitted.kept),
                emitted.number,
                emitted.last,
                memory,
            )
        )

    def _decode(self, data: bytes) -> None:
        state = msgspec.msgpack.decode(data, type=_State)
        self._history.restart(state.words, state.number, state.latest)
        self._emitted.restart(state.kept, state.emitted, state.last)
        h, c = (
            np.frombuffer(state.memory, dtype="<f4")
            .astype(np.float32)
            .reshape(2, self._network.members, 1, self._network.hidden)
        )
        self._memory = (h, c)


def _margin(model: Model) -> float:
    """The margin that was chosen with the networks."""
    return float(model.settings["margin"])


def _confidence(advantage: float) -> float:
    """The advantage of emitting, squeezed into 0..1."""
    return 1.0 / (1.0 + exp(-max(-700.0, min(700.0, advantage))))
