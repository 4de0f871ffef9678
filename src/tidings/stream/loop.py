"""The follow loop: many events through one stream, decided interval by interval."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from time import perf_counter

from tidings.errors import StoreError, TidingsError
from tidings.protocols import Checkpoint, Follower, Saved, System
from tidings.records import Document, Event, LateDocument, Position, Sentence, Update
from tidings.stream.intervals import interval_end
from tidings.stream.order import Ordered, Source, fingerprint, merge
from tidings.stream.route import Router

__all__ = ["LATENESS_S", "FollowerError", "Tally", "follow"]

LATENESS_S = 600
"""How much out of order a source may be unless said otherwise, in seconds."""

_COMMIT_EVERY_S = 0.25
_COMMIT_SHARE = 10
_LATE_KEPT = 1000
_IN_ORDER = attrgetter("published_time", "doc_id", "index")


class FollowerError(TidingsError):
    """A system failed while deciding; what was committed before is kept."""


@dataclass(slots=True)
class Tally:
    """What a run has done so far, for progress and for the summary at its end.

    `documents` and `sentences` count what this attempt decided on, `skipped` the documents that an earlier
    attempt had; `updates` counts by event in this attempt, `offered` names the events that were given anything
    to decide on. `late` holds the first of the `late_count`
    documents that came too late. `time` is the stream's time; `complete` is True once every source has
    been followed to its end. `commit_s` is the time spent on commits.
    """

    documents: int = 0
    sentences: int = 0
    skipped: int = 0
    updates: dict[str, int] = field(default_factory=dict)
    offered: set[str] = field(default_factory=set)
    late: list[LateDocument] = field(default_factory=list)
    late_count: int = 0
    time: int | None = None
    complete: bool = False
    commits: int = 0
    commit_s: float = 0.0


def follow(
    sources: Iterable[Document] | Sequence[Source],
    events: Sequence[Event],
    system: System,
    checkpoint: Checkpoint | None = None,
    *,
    interval_s: int = 0,
    lateness_s: int = LATENESS_S,
    mixed: bool = False,
    tally: Tally | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Iterator[tuple[int, list[Update]]]:
    """Follow `events` through a stream and give (now, updates) for every interval that told something.

    Args:
        sources: documents in any order within the lateness, or several `Source`s to be merged in time order.
        events: what to follow; all of them in one pass.
        system: decides, through one follower for each event.
        checkpoint: where to keep the run. With one, the run goes on after what was committed, and an
            interval's updates are given only after their commit; without, nothing is kept.
        interval_s: length of a decision interval; 0 decides after every document. An update's time is
            the end of its interval, at most its event's end_time (with 0: its document's time).
        lateness_s: how much out of order a source may be.
        mixed: offer every sentence to every event, also those that were pooled for certain events.
        tally: counts are kept up to date here.
        stop: asked after every interval; True ends the iteration there, with what was decided committed.

    Raises:
        FollowerError: the system failed; StoreError: the checkpoint's; FormatError: a source is damaged.
        What was decided before is committed.

    >>> from tidings.records import Sentence
    >>> from tidings.systems import make
    >>> storm = Event(id="storm", title="Storm", query="storm", start_time=0, end_time=1000)
    >>> said = Sentence("d1", 0, "A storm is near.", 60)
    >>> stream = [Document(id="d1", published_time=60, sentences=(said,))]
    >>> [(now, [update.text for update in updates]) for now, updates in follow(stream, [storm], make("first"))]
    [(60, ['A storm is near.'])]
    >>> [now for now, _ in follow(stream, [storm], make("first"), interval_s=900)]
    [900]
    """
    run = _Run(_as_sources(sources), events, system, checkpoint, lateness_s, mixed, tally or Tally())
    steps = run.by_document() if not interval_s else run.by_interval(interval_s)
    return run.told(steps, stop)


def _start(system: System, event: Event) -> Follower:
    try:
        return system.start(event)
    except TidingsError:
        raise
    except Exception as error:
        raise FollowerError(
            f"system {system.name!r} cannot begin on event {event.id} ({type(error).__name__}: {error}); "
            "where it was given a model, train that anew with this version: it may be damaged"
        ) from error


def _as_sources(sources: Iterable[Document] | Sequence[Source]) -> list[Source]:
    if isinstance(sources, Sequence) and sources and isinstance(sources[0], Source):
        return [source for source in sources if isinstance(source, Source)]
    return [Source("stream", lambda: sources)]  # type: ignore[arg-type, return-value]


class _Run:
    """One attempt at one run: the parts that the loop works with."""

    def __init__(
        self,
        sources: list[Source],
        events: Sequence[Event],
        system: System,
        checkpoint: Checkpoint | None,
        lateness_s: int,
        mixed: bool,
        tally: Tally,
    ) -> None:
        self.events, self.system, self.checkpoint, self.tally = events, system, checkpoint, tally
        saved = checkpoint.load() if checkpoint else Saved()
        if saved.positions and len(saved.positions) != len(sources):
            raise StoreError(
                f"found {len(sources)} sources, expected the {len(saved.positions)} that this run began with; "
                "give the same ones, or begin a new run"
            )
        self.positions = list(saved.positions) or [Position(source=source.name) for source in sources]
        times = [position.last_time for position in self.positions if position.released]
        self.floor_time = max(times, default=None)
        tally.skipped = sum(position.released for position in self.positions)
        self.router = Router(events, mixed=mixed)
        self.followers: list[Follower] = []
        for event in events:
            follower = _start(system, event)
            if event.id in saved.states:
                try:
                    follower.restore(saved.states[event.id])
                except Exception as error:
                    raise FollowerError(
                        f"system {system.name!r} cannot take up what it remembered of event {event.id} "
                        f"({type(error).__name__}: {error}); was the run begun with another version of it? "
                        "Start anew with --restart"
                    ) from error
            self.followers.append(follower)
        self.late: list[LateDocument] = []
        self.ordered = [
            Ordered(
                source,
                lateness_s=lateness_s,
                note_late=self._note_late,
                position=position,
                floor_time=self.floor_time,
            )
            for source, position in zip(sources, self.positions, strict=True)
        ]
        # How far each source has been decided on; only ever at the border between two intervals.
        self.released = [position.released for position in self.positions]
        self.digests = [position.digest for position in self.positions]
        self.last: list[tuple[str, int]] = [
            (position.last_id, position.last_time) for position in self.positions
        ]
        self.changed: set[int] = set()
        self.written: list[bytes | None] = [None] * len(events)

    def _note_late(self, late: LateDocument) -> None:
        self.tally.late_count += 1
        if len(self.tally.late) < _LATE_KEPT:
            self.tally.late.append(late)
            self.late.append(late)

    def told(
        self, steps: Iterator[tuple[int, list[Update]] | None], stop: Callable[[], bool]
    ) -> Iterator[tuple[int, list[Update]]]:
        """Commit the steps in groups and give what they told after its commit."""
        tally, checkpoint = self.tally, self.checkpoint
        counts = tally.updates
        for event in self.events:
            counts.setdefault(event.id, 0)
        pending: list[tuple[int, list[Update]]] = []
        wait_s, next_commit, dirty = _COMMIT_EVERY_S, perf_counter() + _COMMIT_EVERY_S, False
        failure: Exception | None = None
        stopped = False
        while True:
            try:
                step = next(steps)
            except StopIteration:
                break
            except FollowerError:
                raise
            except Exception as error:  # noqa: BLE001 - a source failed: raised below, after the commit
                failure = error
                break
            if step is not None:
                dirty = True
                if step[1]:
                    for update in step[1]:
                        counts[update.event_id] += 1
                    if checkpoint is None:
                        yield step
                    else:
                        pending.append(step)
            if checkpoint is not None and dirty and (step is None or perf_counter() >= next_commit):
                spent = self._commit(pending)
                dirty = False
                yield from pending
                pending.clear()
                wait_s = max(_COMMIT_EVERY_S, spent * _COMMIT_SHARE)
                next_commit = perf_counter() + wait_s
            if stop():
                stopped = True
                break
        complete = failure is None and not stopped
        tally.offered.update(self.events[slot].id for slot in self.changed)
        if checkpoint is not None:
            self._commit(pending, finished=complete)
            yield from pending
        tally.complete = complete
        if failure is not None:
            raise failure

    def by_document(self) -> Iterator[tuple[int, list[Update]] | None]:
        """Decide after every document."""
        tally, push = self.tally, self._push
        route, wants = self.router.route, self.router.wants
        released, digests, last = self.released, self.digests, self.last
        for step in merge(self.ordered):
            if step is None:
                yield None
                continue
            number, document = step
            now = document.published_time
            sentences = document.sentences
            updates: list[Update] = []
            if wants(document):
                sentences = sentences or _cut(document)
                for slot, routed in route(now, sentences):
                    push(slot, routed, now, updates)
            tally.sentences += len(sentences)
            tally.documents += 1
            tally.time = now
            released[number] += 1
            digests[number] = fingerprint(document, digests[number])
            last[number] = (document.id, now)
            yield now, updates

    def by_interval(self, interval_s: int) -> Iterator[tuple[int, list[Update]] | None]:
        """Decide at the end of every interval in which something was published."""
        tally = self.tally
        route, wants = self.router.route, self.router.wants
        waiting: dict[int, list[Sentence]] = {}
        passed: list[tuple[int, Document]] = []
        end: int | None = None
        for step in merge(self.ordered):
            if step is None:
                yield None
                continue
            document = step[1]
            time = document.published_time
            if end is None or time >= end:
                if end is not None:
                    yield self._decide(end, waiting, passed)
                end = interval_end(time, interval_s)
            passed.append(step)
            if wants(document):
                sentences = document.sentences or _cut(document)
                tally.sentences += len(sentences)
                for slot, routed in route(time, sentences):
                    waiting.setdefault(slot, []).extend(routed)
        if end is not None:
            yield self._decide(end, waiting, passed)

    def _decide(
        self, end: int, waiting: dict[int, list[Sentence]], passed: list[tuple[int, Document]]
    ) -> tuple[int, list[Update]]:
        updates: list[Update] = []
        for slot in sorted(waiting):
            sentences = waiting[slot]
            sentences.sort(key=_IN_ORDER)
            last = self.events[slot].end_time
            self._push(slot, sentences, end if last is None else min(end, last), updates)
        for number, document in passed:
            self.released[number] += 1
            self.digests[number] = fingerprint(document, self.digests[number])
            self.last[number] = (document.id, document.published_time)
        self.tally.documents += len(passed)
        self.tally.time = end
        waiting.clear()
        passed.clear()
        return end, updates

    def _push(self, slot: int, sentences: Sequence[Sentence], now: int, updates: list[Update]) -> None:
        self.changed.add(slot)
        try:
            told = self.followers[slot].push(sentences, now)
        except Exception as error:
            raise self._failed(slot, sentences, now, f"{type(error).__name__}: {error}") from error
        if told:
            event_id = self.events[slot].id
            for update in told:
                if update.time != now or update.event_id != event_id:
                    raise self._failed(
                        slot,
                        sentences,
                        now,
                        f"it gave an update of event {update.event_id} at {update.time}, expected this event and now",
                    )
            updates += told  # type: ignore[arg-type]

    def _failed(self, slot: int, sentences: Sequence[Sentence], now: int, how: str) -> FollowerError:
        return FollowerError(
            f"system {self.system.name!r} failed on event {self.events[slot].id} at stream time {now}, "
            f"at document {sentences[0].doc_id}: {how}; what was committed before is kept, and the same "
            "command goes on from there once the system is mended"
        )

    def _commit(self, pending: list[tuple[int, list[Update]]], *, finished: bool = False) -> float:
        # Called between two intervals only. Returns the seconds it took.
        assert self.checkpoint is not None
        began = perf_counter()
        states = {}
        for slot in self.changed:
            try:
                state = self.followers[slot].state()
            except Exception as error:
                raise FollowerError(
                    f"system {self.system.name!r} failed to give what it remembers of event "
                    f"{self.events[slot].id} ({type(error).__name__}: {error}); what was committed before is kept"
                ) from error
            if state is not self.written[slot] and state != self.written[slot]:
                states[self.events[slot].id] = state
                self.written[slot] = state
        self.tally.offered.update(self.events[slot].id for slot in self.changed)
        self.changed.clear()
        decided = max((time for last_id, time in self.last if last_id), default=0)
        for number, (source, old) in enumerate(zip(self.ordered, self.positions, strict=True)):
            ends = source.ends
            if finished and source.read > (ends[-1][0] if ends else 0):
                ends = (*ends, (source.read, decided))
            self.positions[number] = Position(
                source=old.source,
                released=self.released[number],
                read=max(source.read, old.read),
                late=max(source.late, old.late),
                first_id=source.first_id or old.first_id,
                last_id=self.last[number][0],
                last_time=self.last[number][1],
                digest=self.digests[number],
                ends=ends,
            )
        updates = [update for _, told in pending for update in told]
        self.checkpoint.commit(self.positions, states, updates, self.late, finished=finished)
        self.late = []
        self.tally.commits += 1
        spent = perf_counter() - began
        self.tally.commit_s += spent
        return spent


def _cut(document: Document) -> tuple[Sentence, ...]:
    if not document.text:
        return ()
    from tidings.text.sentences import cut

    return cut(document).sentences
