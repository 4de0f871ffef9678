"""Made-up streams, and what the follow loop gives for them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import Random

from tests.sweeps import cases
from tidings.core.records import Document, Event, Output, Sentence
from tidings.following.engines.offers import Offer, OfferReader, shard_of
from tidings.following.engines.settings import EngineSettings, FixedEvents
from tidings.following.engines.shard_host import Arrivals, Order, ShardHost
from tidings.following.engines.shards import Shard, ShardHead, pack_head, unpack_head
from tidings.following.stream.loop import follow_stream
from tidings.sources import Source

WORDS = tuple(cases(__file__, "words"))

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
    decided = follow_stream([Source("all", lambda: stream)], events, system, interval_s=settings.interval_s)
    return [output for _, outputs in decided for output in outputs]


class Kept:
    """What an engine keeps of a shard."""

    def __init__(self, host: ShardHost) -> None:
        self.host = host
        self.head, self.parts, self.snapshots = ShardHead(), [], 0

    def keep(self, shard: Shard) -> None:
        """Keep a shard as it is now."""
        kept = shard.keep(self.head, self.host.due)
        self.snapshots += kept.is_snapshot
        self.parts = list(kept.parts) if kept.is_snapshot else [*self.parts, *kept.parts]
        self.head, _ = unpack_head(pack_head(kept.head, self.host.identity), self.host.identity)

    def again(self) -> Shard:
        """The shard as it was kept."""
        return Shard.of(self.parts, self.head)


class Batches:
    """An engine of nothing but a loop: it keeps shards, tells how far time has come, and has a host for each shard.

    Where it `forgets`, each batch begins with the shards that were kept, and where that is so for hosts, too, those are
    new ones.
    """

    def __init__(
        self,
        settings: EngineSettings,
        events: Sequence[Event] = EVENTS,
        *,
        shards: int = 1,
        forgets: bool = False,
        with_hosts: bool = False,
    ) -> None:
        self.settings, self.events = settings, FixedEvents.of(events)
        home = partial(shard_of, shards=shards)
        self.reader = OfferReader(events, settings.decider(), mixed=settings.mixed, home=home)
        self.hosts = [ShardHost(settings) for _ in range(shards)]
        self.shards = [Shard() for _ in range(shards)]
        self.kept = [Kept(host) for host in self.hosts]
        self.forgets, self.with_hosts = forgets, with_hosts
        self.watermark = 0
        self.latest = 0
        self.outputs: list[Output] = []
        self.late: list[tuple[str, Offer]] = []

    def take(self, batch: Sequence[Document], *, last_time: int | None = None) -> None:
        """A batch, whatever the order of its documents."""
        came = [Arrivals(last_time=last_time) for _ in self.shards]
        for document in batch:
            for number, offer in self.reader.offers(document):
                came[number].offers.append(offer)
        emitted: list[tuple[Order, Output]] = []
        for number, arrivals in enumerate(came):
            kept = self.kept[number]
            if self.forgets:
                self.shards[number] = kept.again()
                if self.with_hosts:
                    self.hosts[number] = ShardHost(self.settings)
            elif not arrivals.offers and last_time is None and not _is_due(kept.head, self.watermark):
                continue
            decisions = self.hosts[number].take(
                self.shards[number], arrivals, events=self.events, watermark=self.watermark
            )
            kept.keep(self.shards[number])
            emitted += decisions.outputs
            self.late += decisions.late
        self.outputs += [output for _, output in sorted(emitted, key=lambda one: one[0])]
        self.latest = max([self.latest, *(document.published_time for document in batch)])
        self.watermark = max(self.watermark, self.latest - self.settings.lateness_s)

    def end(self) -> list[Output]:
        """The outputs, after the end of the stream."""
        self.take([], last_time=self.latest)
        return self.outputs


def _is_due(head: ShardHead, watermark: int) -> bool:
    return head.wakes is not None and head.wakes <= watermark
