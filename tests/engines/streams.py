"""Made-up streams, and what the follow loop gives for them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tidings.engines import EngineSettings, EventHost, Pairing, Place
from tidings.engines.event_host import Order
from tidings.engines.pairs import Pair
from tidings.records import Document, Event, Output, Sentence
from tidings.stream import Source, follow

WORDS = (
    "ferry",
    "fire",
    "port",
    "rescue",
    "crew",
    "storm",
    "sea",
    "night",
    "coast",
    "smoke",
    "twelve",
    "dead",
)

FERRY = Event(id="ferry", title="Ferry fire", query="ferry fire", start_time=1000, end_time=9000)
STORM = Event(id="storm", title="Storm", query="storm coast", start_time=2000)
SHORT = Event(id="short", title="Crew", query="crew rescue", end_time=4000)
EVENTS = (FERRY, STORM, SHORT)


def documents(count: int, seed: int = 1, *, step: int = 90) -> list[Document]:
    """Documents in the order of their times, then of their ids; some of the same second."""
    random, time = Random(seed), 900
    made = []
    for number in range(count):
        time += random.choice((0, 1, step, 2 * step))
        doc_id = f"d{random.randrange(10**6):06d}-{number}"
        outlet = random.choice(("Wire", "Post"))
        sentences = tuple(
            Sentence(doc_id, at, " ".join(random.choices(WORDS, k=9)) + ".", time, outlet)
            for at in range(random.randint(1, 4))
        )
        made.append(Document(id=doc_id, published_time=time, sentences=sentences))
    return sorted(made, key=lambda one: (one.published_time, one.id))


def locally(
    stream: Sequence[Document], settings: EngineSettings, events: Sequence[Event] = EVENTS
) -> list[Output]:
    """What the follow loop gives."""
    system = settings.decider()
    decided = follow([Source("all", lambda: stream)], events, system, interval_s=settings.interval_s)
    return [output for _, outputs in decided for output in outputs]


class Batches:
    """An engine of nothing but a loop: it keeps states, tells how far time has come, and has `shards` hosts."""

    def __init__(
        self, settings: EngineSettings, events: Sequence[Event] = EVENTS, *, shards: int = 1
    ) -> None:
        self.settings, self.events = settings, events
        self.pairing = Pairing(events, settings.decider(), mixed=settings.mixed)
        self.hosts = [EventHost(settings) for _ in range(shards)]
        self.states: dict[str, bytes] = {}
        self.wakes: dict[str, int] = {}
        self.watermark = 0
        self.latest = 0
        self.outputs: list[Output] = []
        self.late: list[Pair] = []

    def host(self, event: str) -> EventHost:
        return self.hosts[sum(event.encode()) % len(self.hosts)]

    def take(self, batch: Sequence[Document], *, last_time: int | None = None) -> None:
        """A batch, whatever the order of its documents."""
        waiting: dict[int, list[Pair]] = {}
        for document in batch:
            for number, pair in self.pairing.pairs(document):
                waiting.setdefault(number, []).append(pair)
        emitted: list[tuple[Order, Output]] = []
        for number, event in enumerate(self.events):
            pairs = waiting.get(number, [])
            state = self.states.get(event.id)
            due = event.id in self.wakes and self.wakes[event.id] <= self.watermark
            if not pairs and not due and last_time is None:
                continue
            decision = self.host(event.id).take(
                state, pairs, place=Place(number, event), watermark=self.watermark, last_time=last_time
            )
            emitted += decision.outputs
            self.late += decision.late
            self.states.pop(event.id, None)
            self.wakes.pop(event.id, None)
            if decision.state is not None:
                self.states[event.id] = decision.state
            if decision.wakes is not None:
                self.wakes[event.id] = decision.wakes
        self.outputs += [output for _, output in sorted(emitted, key=lambda one: one[0])]
        self.latest = max([self.latest, *(document.published_time for document in batch)])
        self.watermark = max(self.watermark, self.latest - self.settings.lateness_s)

    def end(self) -> list[Output]:
        """The outputs, after the end of the stream."""
        self.take([], last_time=self.latest)
        return self.outputs
