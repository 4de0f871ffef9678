"""The follow loop: many events through one stream, decided interval by interval."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import attrgetter, itemgetter
from time import perf_counter

from tidings.core import (
    Checkpoint,
    Document,
    Event,
    LateDocument,
    Output,
    Position,
    Saved,
    Sentence,
    StoreError,
    Support,
    System,
    UsageError,
    ValueUpdate,
    parse_duration,
)
from tidings.following.stream.followers import FollowerError, Followers
from tidings.following.stream.order import Ordered, merge
from tidings.following.stream.route import DocumentReader, Router
from tidings.following.systems.decider import as_decider
from tidings.following.systems.standing import EventSystems
from tidings.sources import Source, fingerprint


def parse_interval(text: str) -> int:
    """Length of a decision interval in seconds; 0 for `document`, a decision after every document.

    >>> parse_interval("document"), parse_interval("15m")
    (0, 900)
    """
    if text.strip().lower() == "document":
        return 0
    seconds = parse_duration(text, "interval")
    if not seconds:
        raise UsageError(f"interval {text!r} (expected `document` or a time of at least 1s, such as 15m)")
    return seconds


def interval_end(time: int, interval_s: int) -> int:
    """End of the half-open interval [k·N, (k+1)·N) since 1970 in which `time` lies: when it is decided.

    >>> interval_end(1799, 900), interval_end(1800, 900)
    (1800, 2700)
    """
    return (time // interval_s + 1) * interval_s


LATENESS_S = 600
"""How much out of order a source may be unless said otherwise, in seconds."""

_COMMIT_EVERY_S = 0.25
_COMMIT_SHARE = 10
_LATE_KEPT = 1000
_IN_ORDER = attrgetter("published_time", "doc_id", "index")

Decided = tuple[int, list[Output]]
"""A moment of the stream and what was decided at it."""


@dataclass(slots=True)
class Tally:
    """What a run has done so far, for progress and for the summary at its end.

    `documents` and `sentences` count what this attempt decided on, `skipped` the documents that an earlier
    attempt had; `updates` counts outputs by event in this attempt (but for what supports them), `values`
    those of them that are tracked values, `offered` names the events that were given anything to decide on.
    `languages` counts documents by language ("": not known), `read_languages` says which of them each event was given,
    and `unread` counts, by language, the documents in none of the languages of the events in their period.
    `late` holds the first of the `late_count` documents that came too late. `time` is the stream's time;
    `complete` is True once every source has been followed to its end. `commit_s` is the time spent on
    commits. `sources` tell how far each has been read.
    """

    documents: int = 0
    sentences: int = 0
    skipped: int = 0
    updates: dict[str, int] = field(default_factory=dict)
    values: dict[str, int] = field(default_factory=dict)
    offered: set[str] = field(default_factory=set)
    late: list[LateDocument] = field(default_factory=list)
    late_count: int = 0
    languages: dict[str, int] = field(default_factory=dict)
    read_languages: dict[str, set[str]] = field(default_factory=dict)
    unread: dict[str, int] = field(default_factory=dict)
    time: int | None = None
    complete: bool = False
    commits: int = 0
    commit_s: float = 0.0
    sources: Sequence[Ordered] = field(default=(), repr=False)


def follow_stream(
    sources: Iterable[Document] | Sequence[Source],
    events: Sequence[Event],
    system: System | EventSystems,
    checkpoint: Checkpoint | None = None,
    *,
    interval_s: int = 0,
    lateness_s: int = LATENESS_S,
    mixed: bool = False,
    tally: Tally | None = None,
    stop: Callable[[], bool] = lambda: False,
    check_end: Callable[[], None] = lambda: None,
) -> Iterator[Decided]:
    """Follow `events` through a stream and give (now, outputs) for every moment at which something was decided.

    A follower is begun when its event is first offered something. It is asked to finish when the stream has passed its
    event's end, in the same transaction, and at the end of the stream: after that it goes on if the stream has grown.

    Args:
        sources: documents in any order within the lateness, or several `Source`s to be merged in time order.
        events: what to follow; all of them in one pass.
        system: decides, through one follower for each event.
        checkpoint: where to keep the run. With one, the run goes on after what was committed, and an
            interval's outputs are given only after their commit; without, nothing is kept.
        interval_s: length of a decision interval; 0 decides after every document. An output's time is
            the end of its interval, at most its event's end_time (with 0: its document's time).
        lateness_s: how much out of order a source may be.
        mixed: offer every sentence to every event, also those that were pooled for certain events.
        tally: counts are kept up to date here.
        stop: asked after every interval; True ends the iteration there, with what was decided committed.
        check_end: called when every source has been read to its end; what it raises leaves the run unfinished.

    Raises:
        FollowerError: the system failed; StoreError: the checkpoint's; FormatError: a source is damaged.
        What was decided before is committed.

    >>> from tidings.core.records import Sentence
    >>> from tidings.following.systems import make
    >>> storm = Event(id="storm", title="Storm", query="storm", start_time=0, end_time=1000)
    >>> said = Sentence("d1", 0, "A storm is near.", 60)
    >>> stream = [Document(id="d1", published_time=60, sentences=(said,))]
    >>> [(now, [update.text for update in updates]) for now, updates in follow_stream(stream, [storm], make("first"))]
    [(60, ['A storm is near.'])]
    >>> [now for now, _ in follow_stream(stream, [storm], make("first"), interval_s=900)]
    [900]
    """
    own_tally = tally or Tally()
    run = StreamRun(
        _as_sources(sources), events, system, checkpoint, interval_s, lateness_s, mixed, own_tally
    )
    return run.commit_steps(run.steps(), stop, check_end)


def _as_sources(sources: Iterable[Document] | Sequence[Source]) -> list[Source]:
    if isinstance(sources, Sequence) and sources and isinstance(sources[0], Source):
        return [source for source in sources if isinstance(source, Source)]
    return [Source("stream", lambda: sources)]  # type: ignore[arg-type, return-value]


class StreamRun:
    """One attempt at one run: the parts that the loop works with, for hosts that do not own the loop too.

    Iterate over `steps()`: each step is what one document or interval brought, or None where a live source has nothing
    waiting. After the last of them comes `finish_stream()`. `followers.states()` is what to keep between two steps.
    """

    def __init__(
        self,
        sources: list[Source],
        events: Sequence[Event],
        system: System | EventSystems,
        checkpoint: Checkpoint | None,
        interval_s: int,
        lateness_s: int,
        mixed: bool,
        tally: Tally,
    ) -> None:
        self.events, self.checkpoint, self.tally, self.interval_s = events, checkpoint, tally, interval_s
        saved = checkpoint.load() if checkpoint else Saved()
        if saved.positions and len(saved.positions) != len(sources):
            raise StoreError(
                f"{len(sources)} sources (expected the {len(saved.positions)} that this run began with); "
                "give the same ones, or begin a new run"
            )
        self.positions = list(saved.positions) or [Position(source=source.name) for source in sources]
        times = [position.last_time for position in self.positions if position.released]
        self.floor_time = max(times, default=None)
        tally.skipped = sum(position.released for position in self.positions)
        for event in events:
            tally.updates.setdefault(event.id, 0)
        decider = system if isinstance(system, EventSystems) else as_decider(system)
        interests = ((slot, decider.interest(event)) for slot, event in enumerate(events))
        demanding = {slot: interest for slot, interest in interests if interest is not None}
        self.router = Router(events, demanding, mixed=mixed, interest_in=decider.interest_in)
        self.read = DocumentReader(self.router, tally.languages, tally.unread).read
        self.followers = Followers(decider, events, saved.states, keeps=checkpoint is not None)
        # Events by their end; those that the stream had passed before are over and done with.
        passed_time = -(1 << 62) if self.floor_time is None else self.floor_time
        self.ending = [
            (event.end_time, slot)
            for slot, event in enumerate(events)
            if event.end_time is not None and event.end_time >= passed_time
        ]
        self.ending.sort(reverse=True)
        self.over = {
            slot
            for slot, event in enumerate(events)
            if event.end_time is not None and event.end_time < passed_time
        }
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
        tally.sources = self.ordered
        # How far each source has been decided on; only ever at the border between two intervals.
        self.released = [position.released for position in self.positions]
        self.digests = [position.digest for position in self.positions]
        self.last: list[tuple[str, int]] = [
            (position.last_id, position.last_time) for position in self.positions
        ]

    def _note_late(self, late: LateDocument) -> None:
        self.tally.late_count += 1
        if len(self.tally.late) < _LATE_KEPT:
            self.tally.late.append(late)
            self.late.append(late)

    def commit_steps(
        self,
        steps: Iterator[list[Decided] | None],
        stop: Callable[[], bool],
        check_end: Callable[[], None] = lambda: None,
    ) -> Iterator[Decided]:
        """Commit the steps in groups and give what was decided in them after its commit."""
        tally, checkpoint = self.tally, self.checkpoint
        pending: list[Decided] = []
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
                if step:
                    pending += self.count(step)
            if checkpoint is None:
                yield from pending
                pending.clear()
            elif dirty and (step is None or perf_counter() >= next_commit):
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
        if complete:
            check_end()
        if complete and any(source.is_longer for source in self.ordered):
            pending += self.count(self.finish_stream())
        if checkpoint is not None:
            self._commit(pending, finished=complete)
        yield from pending
        tally.complete = complete
        if failure is not None:
            raise failure

    def steps(self) -> Iterator[list[Decided] | None]:
        """What is decided, document by document or interval by interval."""
        return self.by_interval() if self.interval_s else self.by_document()

    def count(self, decided: list[Decided]) -> list[Decided]:
        """The same, counted in the tally."""
        counts, values = self.tally.updates, self.tally.values
        for _, outputs in decided:
            for output in outputs:
                if not isinstance(output, Support):
                    counts[output.event_id] += 1
                if isinstance(output, ValueUpdate):
                    values[output.event_id] = values.get(output.event_id, 0) + 1
        return decided

    def by_document(self) -> Iterator[list[Decided] | None]:
        """Decide after every document."""
        tally, push = self.tally, self._push
        route, wants, read = self.router.route, self.router.wants, self.read
        released, digests, last = self.released, self.digests, self.last
        for step in merge(self.ordered):
            if step is None:
                yield None
                continue
            number, document = step
            now = document.published_time
            sentences = document.sentences
            ended = self._finish_before(now)
            outputs: list[Output] = []
            if wants(document):
                sentences = read(document)
                for slot, routed in route(now, sentences):
                    push(slot, routed, now, outputs)
            tally.sentences += len(sentences)
            tally.documents += 1
            tally.time = now
            released[number] += 1
            digests[number] = fingerprint(document, digests[number])
            last[number] = (document.id, now)
            if outputs:
                ended.append((now, outputs))
            yield ended

    def by_interval(self) -> Iterator[list[Decided] | None]:
        """Decide at the end of every interval in which something was published."""
        tally = self.tally
        route, wants, read = self.router.route, self.router.wants, self.read
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
                end = interval_end(time, self.interval_s)
            passed.append(step)
            if wants(document):
                sentences = read(document)
                tally.sentences += len(sentences)
                for slot, routed in route(time, sentences):
                    waiting.setdefault(slot, []).extend(routed)
        if end is not None:
            yield self._decide(end, waiting, passed)

    def _decide(
        self, end: int, waiting: dict[int, list[Sentence]], passed: list[tuple[int, Document]]
    ) -> list[Decided]:
        ended = self._finish_before(passed[0][1].published_time)
        outputs: list[Output] = []
        for slot in sorted(waiting):
            sentences = waiting[slot]
            sentences.sort(key=_IN_ORDER)
            self._push(slot, sentences, self._within(slot, end), outputs)
        for number, document in passed:
            self.released[number] += 1
            self.digests[number] = fingerprint(document, self.digests[number])
            self.last[number] = (document.id, document.published_time)
        for _, late_outputs in self._finish_before(passed[-1][1].published_time):
            outputs += late_outputs
        self.tally.documents += len(passed)
        self.tally.time = end
        waiting.clear()
        passed.clear()
        if outputs:
            ended.append((end, outputs))
        return ended

    def _push(self, slot: int, sentences: Sequence[Sentence], now: int, outputs: list[Output]) -> None:
        event_id, read = self.events[slot].id, self.tally.read_languages
        self.tally.offered.add(event_id)
        if sentences[0].language not in read.get(event_id, ()):
            read.setdefault(event_id, set()).update(sentence.language for sentence in sentences)
        outputs += self.followers.push(slot, sentences, now)

    def _within(self, slot: int, time: int) -> int:
        """A time of the stream as the event counts it: never after its end."""
        end_time = self.events[slot].end_time
        return time if end_time is None else min(time, end_time)

    def _finish_before(self, time: int) -> list[Decided]:
        """What the followers of the events give whose end the stream has passed at `time`."""
        decided: list[Decided] = []
        while self.ending and self.ending[-1][0] < time:
            end_time, slot = self.ending.pop()
            self.over.add(slot)
            if self.followers.is_begun(slot):
                outputs = self.followers.finish(slot, end_time, for_good=True)
                if outputs:
                    decided.append((end_time, list(outputs)))
        return decided

    def finish_stream(self) -> list[Decided]:
        """What the followers still give when the stream has ended."""
        decided_time = self._decided_time()
        if decided_time is None:
            return []
        now = interval_end(decided_time, self.interval_s) if self.interval_s else decided_time
        decided: list[Decided] = []
        for slot in range(len(self.events)):
            if slot not in self.over and self.followers.is_begun(slot):
                own_now = self._within(slot, now)
                outputs = self.followers.finish(slot, own_now, for_good=False)
                if outputs:
                    decided.append((own_now, list(outputs)))
        return sorted(decided, key=itemgetter(0))

    def _decided_time(self) -> int | None:
        return max((time for last_id, time in self.last if last_id), default=None)

    def _commit(self, pending: list[Decided], *, finished: bool = False) -> float:
        # Called between two intervals only. Returns the seconds it took.
        assert self.checkpoint is not None
        began = perf_counter()
        states = self.followers.states()
        decided_time = self._decided_time() or 0
        self.positions = [
            source.position(released, digest, last, finished=finished, decided_time=decided_time)
            for source, released, digest, last in zip(
                self.ordered, self.released, self.digests, self.last, strict=True
            )
        ]
        outputs = [output for _, decided in pending for output in decided]
        self.checkpoint.commit(self.positions, states, outputs, self.late, finished=finished)
        self.late = []
        # Those before a source's cursor were noted by an earlier attempt.
        self.tally.late_count = max(self.tally.late_count, sum(position.late for position in self.positions))
        self.tally.commits += 1
        spent = perf_counter() - began
        self.tally.commit_s += spent
        return spent
