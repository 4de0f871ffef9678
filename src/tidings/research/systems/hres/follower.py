"""`hres`: reads with multi-head attention, and has learned by reinforcement when to push."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple

import msgspec
from msgspec import Meta

from tidings.core import Event, Model, ModelCard, Sentence, Update, prepared, read_model, shared_analyzer
from tidings.following import QuerySystem, StatefulFollower, build_gate

if TYPE_CHECKING:
    from numpy import ndarray

    from tidings.research.systems.hres.words import Reading

    Array = ndarray[Any, Any]

__all__ = ["Hres", "HresFollower", "ReadSentence", "SentenceReader"]

_COPIES = 4_096


class Hres(QuerySystem, frozen=True, kw_only=True):
    """Tells what a network with multi-head attention, trained by reinforcement, decides to push.

    True to the paper: words → sentence by a BiLSTM with structured self-attention that sees the query (b hops,
    penalty |AAᵀ - I|²), push or skip for each sentence by a policy with memory, REINFORCE with the delayed reward
    .15 EG + .8 nCG + .05 latency, whose gradient reaches the attention. Reconstructed: how the query enters, the
    stream level (likeness to the latest sentences), the memory (a GRU over the stream and what was pushed), the
    few measured numbers beside the encoder, the imitation start, and that the gate comes first.
    An exact copy of a sentence that was already judged is passed over.
    """

    name: ClassVar[str] = "hres"
    any_language: ClassVar[bool] = False
    source: ClassVar[str] = (
        "HRES (appendix of an anonymous submission); published near it: Yang, Li, Sun, Zhao and Shen, AAAI 2020; "
        "self-attention: Lin and others, ICLR 2017"
    )

    overlap: Annotated[
        int,
        Meta(
            ge=0,
            description="stems of the query that a sentence must hold (all where the query has fewer); 0: any",
        ),
    ] = 1
    model: Annotated[str, Meta(description="model file; empty: the one that comes with tidings")] = ""
    eagerness: Annotated[
        float,
        Meta(
            ge=-20, le=20, description="added to the policy's log odds of telling: > 0 tells more, < 0 less"
        ),
    ] = 0.0
    daily: Annotated[
        int, Meta(ge=0, description="updates of a day (UTC) at most, as the track has it; 0: any")
    ] = 10
    max_kept: Annotated[int, Meta(ge=1, description="updates remembered; the oldest go first")] = 512

    @property
    def card(self) -> ModelCard:
        """The card of its model."""
        return read_model("hres", self.model).card

    def start(self, event: Event) -> HresFollower:
        """A fresh follower of `event`."""
        return HresFollower(self, event, read_model("hres", self.model))


class ReadSentence(NamedTuple):
    """A sentence that passed the gate, with what is known of it before anything is decided."""

    sentence: Sentence
    reading: Reading
    marks: Array
    surface: Array


class SentenceReader:
    """The part of a follower that does not depend on what was told: gate, copies, and view of the stream."""

    def __init__(self, system: QuerySystem, event: Event, rows: int) -> None:
        from tidings.research.systems.hres.words import Reader

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
        from tidings.research.systems.hres.surface import StreamView

        self.view = StreamView(self._event.start_time or 0)
        self._order: deque[int] = deque()
        self._texts: set[int] = set()

    def see(self, sentence: Sentence, now: int) -> ReadSentence | None:
        """The sentence as read, or None where it does not pass the gate or was here before."""
        import numpy as np

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
        from zlib import crc32

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
    """Remembers a window of the stream, what it told, and the policy's memory."""

    def __init__(self, system: Hres, event: Event, model: Model) -> None:
        super().__init__(event)
        self._system = system
        from tidings.research.systems.hres.network import Network

        self._network = prepared(model, Network)
        self._reader = SentenceReader(system, event, self._network.rows)
        self._forget()

    def _forget(self) -> None:
        import numpy as np

        from tidings.research.systems.hres.memory import EmittedMemory, StreamContext

        self._reader.forget()
        self._context = StreamContext(self._network.likeness_size)
        self._emitted = EmittedMemory(self._system.max_kept, self._network.likeness_size)
        self._memory = np.zeros((1, self._network.memory_size), dtype=np.float32)

    def push(self, sentences: Sequence[Sentence], now: int) -> list[Update]:
        """Read what passes the gate at once, then decide one by one."""
        import numpy as np

        see = self._reader.see
        read_sentences = [one for sentence in sentences if (one := see(sentence, now)) is not None]
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
        import numpy as np

        self._forget()
        reader, context, emitted, memory = msgspec.msgpack.decode(data)
        self._reader.restore(reader)
        self._context.restore(context)
        self._emitted.restore(emitted)
        self._memory = np.frombuffer(memory, dtype="<f4").reshape(1, -1).copy()
