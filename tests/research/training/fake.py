"""A system that learns one number, and its trainer: small enough to test the bench with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from tidings.core.errors import UsageError
from tidings.core.models.files import read_model
from tidings.core.records import Event, ModelCard, Sentence, Update
from tidings.following.systems.base import SystemBase
from tidings.research.training.labelled_events import JudgedEvent
from tidings.research.training.trainers import Learned, Training


class Fake(SystemBase, frozen=True, kw_only=True):
    """Tells every n-th sentence, n being learned."""

    name: ClassVar[str] = "fake"
    source: ClassVar[str] = "nowhere"
    model: str = ""

    @property
    def card(self) -> ModelCard:
        return read_model("fake", self.model).card

    def start(self, event: Event) -> FakeFollower:
        return FakeFollower(event, int(read_model("fake", self.model).array("every")[0]))


class FakeFollower:
    def __init__(self, event: Event, every: int) -> None:
        self.event, self.every, self.seen = event, every, 0

    def push(self, sentences: Sequence[Sentence], now: int) -> list[Update]:
        told = []
        for one in sentences:
            self.seen += 1
            if self.seen % self.every == 0:
                told.append(Update(self.event.id, one.doc_id, one.index, now, 1.0, one.text))
        return told

    def finish(self, now: int) -> list[Update]:
        return []

    def state(self) -> bytes:
        return str(self.seen).encode()

    def restore(self, data: bytes) -> None:
        self.seen = int(data)


def train(events: Sequence[JudgedEvent], development: Sequence[JudgedEvent], training: Training) -> Learned:
    """n is the number of events learned from, plus the seed; `fail=EVENT` fails where that event is learned from."""
    import numpy as np

    ids = [event.event.id for event in events]
    if training.options.get("fail") in ids:
        raise UsageError(f"{training.options['fail']} (expected another event)")
    if training.options.get("crash") in ids:
        raise ZeroDivisionError("crashed as asked")
    training.progress(1, 1, "counted")
    every = len(events) + training.seed + 1
    curve = [{"step": step, "H": step / 10} for step in range(3)]
    return Learned({"every": np.array([every], dtype=np.int32)}, {"events": ids}, curve, "counts events")
