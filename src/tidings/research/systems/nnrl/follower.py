"""`nnrl` as a system: one decision for each sentence that passes the gate."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta, Struct

from tidings.core import (
    Event,
    Model,
    ModelCard,
    Sentence,
    Update,
    UsageError,
    prepared,
    read_model,
    shared_analyzer,
    unit_vector,
)
from tidings.following import QuerySystem, StatefulFollower, build_gate
from tidings.research.systems.nnrl.inputs import (
    EMITTED_INPUTS,
    STREAM_INPUTS,
    EmittedHistory,
    StreamHistory,
    spread,
)
from tidings.research.systems.nnrl.network import QNetwork

__all__ = ["NNRL", "NNRLFollower"]


class NNRL(QuerySystem, frozen=True, kw_only=True):
    """Tells a sentence when a Q-network with a memory (LSTM) values telling it over skipping it.

    Published: sequential push-or-skip decisions, a Q-network of one LSTM layer and three fully connected layers,
    Q-learning. Reconstructed: inputs, sizes and reward, which the accessible text does not give. Ours: the mean of
    several networks, and the margin, chosen by leaving events out.
    """

    name: ClassVar[str] = "nnrl"
    any_language: ClassVar[bool] = False
    source: ClassVar[str] = (
        "Tan, Lu and Li, Neural network based reinforcement learning for real-time pushing on text stream, SIGIR 2017"
    )

    model: Annotated[str, Meta(description="model file; empty: the one that comes with tidings")] = ""
    margin: Annotated[
        float,
        Meta(description="added to the margin of Q(push) - Q(skip) chosen in training: higher tells less"),
    ] = 0.0
    max_kept: Annotated[int, Meta(ge=1, description="updates remembered; the oldest go first")] = 1_000

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


class NNRLFollower(StatefulFollower):
    """Keeps the LSTM's state, the counts of stems that have passed, and what was told."""

    def __init__(self, system: NNRL, event: Event, model: Model) -> None:
        super().__init__(event)
        self._system = system
        self._analyzer = shared_analyzer(system.language)
        self._gate = build_gate(system, event)
        self._network = prepared(model, QNetwork)
        self._margin = prepared(model, _margin) + system.margin
        self._hashed = self._network.inputs - len(STREAM_INPUTS) - len(EMITTED_INPUTS)
        if self._hashed < 0:
            raise UsageError(
                f"model of system {system.name!r}: found {self._network.inputs} inputs, expected "
                f"{len(STREAM_INPUTS) + len(EMITTED_INPUTS)} or more; was it trained by another version?"
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
        import numpy as np

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
        import numpy as np

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
    """The advantage of telling, squeezed into 0..1."""
    return 1.0 / (1.0 + exp(-max(-700.0, min(700.0, advantage))))
