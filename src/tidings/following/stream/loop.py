"""The follow loop: many events through one stream, decided interval by interval."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from time import perf_counter
from typing import TYPE_CHECKING

from tidings.core import (
    Document,
    EntityRanking,
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
from tidings.following.stream.kernel import FollowedEvents, FollowerError, gather, moment_of
from tidings.following.stream.order import Ordered, merge
from tidings.following.stream.route import DocumentReader, Router
from tidings.following.systems.decider import Decider, as_decider
from tidings.sources import Source, fingerprint

if TYPE_CHECKING:
    from tidings.core import StoredRun


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


LATENESS_S = 600
"""How much out of order a source may be unless said otherwise, in seconds."""

_COMMIT_EVERY_S = 0.25  # at least so far apart
_COMMIT_SHARE = 10  # a commit is followed by ten times its own time of work
_LATE_KEPT = 1000  # late documents that are kept; all are counted

Decided = tuple[int, list[Output]]
"""A moment of the stream and what was decided at it."""


@dataclass(slots=True)
class Tally:
    """What a run has done so far, for progress and for the summary at its end.

    `documents` and `sentences` count what this attempt decided on, `skipped` the documents that an earlier
    attempt had; `updates` counts outputs by event in this attempt (but for what supports them), `beside`
    those of them that are values or rankings of entities.
    `languages` counts documents by language ("": not known), `read_languages` says which of them each event was given
    (those that were given nothing to decide on are not in it), and `unread` counts, by language, the documents in none
    of the languages of the events in their period.
    `late` holds the first of the `late_count` documents that came too late. `time` is the stream's time;
    `complete` is True once every source has been followed to its end. `commit_s` is the time spent on
    commits. `sources` tell how far each has been read.
    """

    documents: int = 0
    sentences: int = 0
    skipped: int = 0
    updates: dict[str, int] = field(default_factory=dict)
    beside: dict[str, int] = field(default_factory=dict)
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
    system: System | Mapping[str, Decider],
    checkpoint: StoredRun | None = None,
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
        system: decides, through one follower for each event; or, by its id, what decides on each event.
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
    saved = checkpoint.load() if checkpoint else None
    run = StreamRun(_as_sources(sources), events, system, saved, interval_s, lateness_s, mixed, own_tally)
    return run.commit_steps(checkpoint, stop, check_end)


def _as_sources(sources: Iterable[Document] | Sequence[Source]) -> list[Source]:
    if isinstance(sources, Sequence) and sources and isinstance(sources[0], Source):
        return [source for source in sources if isinstance(source, Source)]
    return [Source("stream", lambda: sources)]  # type: ignore[arg-type, return-value]


def _system_of(system: System | Mapping[str, Decider]) -> Callable[[Event], Decider]:
    """What decides on an event: one system on all of them, or on each its own."""
    if isinstance(system, Mapping):
        return lambda event: system[event.id]
    decider = as_decider(system)
    return lambda event: decider


class StreamRun:
    """One attempt at one run: the parts that the loop works with, for hosts that do not own the loop too.

    Iterate over `steps()`: each step is what one document or interval brought, or None where a live source has nothing
    waiting. After the last of them comes `finish_stream()`. `followed.states()` is what to keep between two steps, for
    a run that goes on from what was `saved`; where that is None nothing is kept.
    """

    def __init__(
        self,
        sources: list[Source],
        events: Sequence[Event],
        system: System | Mapping[str, Decider],
        saved: Saved | None,
        interval_s: int,
        lateness_s: int,
        mixed: bool,
        tally: Tally,
    ) -> None:
        self.events, self.tally, self.interval_s = events, tally, interval_s
        keeps, saved = saved is not None, saved or Saved()
        if saved.positions and len(saved.positions) != len(sources):
            raise StoreError(
                f"{len(sources)} sources (expected the {len(saved.positions)} that this run started with); "
                "give the same ones, or start a new run"
            )
        self.positions = list(saved.positions) or [Position(source=source.name) for source in sources]
        times = [position.last_time for position in self.positions if position.released]
        self.floor_time = max(times, default=None)
        tally.skipped = sum(position.released for position in self.positions)
        for event in events:
            tally.updates.setdefault(event.id, 0)
        system_of = _system_of(system)
        interests = ((slot, system_of(event).interest(event)) for slot, event in enumerate(events))
        demanding = {slot: interest for slot, interest in interests if interest is not None}
        self.router = Router(
            events,
            demanding,
            mixed=mixed,
            interest_in=lambda event, language: system_of(event).interest_in(event, language),
        )
        self.read = DocumentReader(self.router, tally.languages, tally.unread).read
        self.followed = FollowedEvents(system_of, events, saved.states, keeps=keeps)
        if self.floor_time is not None:
            self.followed.pass_over(self.floor_time)
        self.learning = frozenset(self.router.learning)
        for slot in sorted(self.learning):
            if events[slot].id in saved.states:
                self.router.learn(slot, self.followed.learned(slot))
        self._noted: set[tuple[int, str]] = set()
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
        checkpoint: StoredRun | None,
        stop: Callable[[], bool],
        check_end: Callable[[], None] = lambda: None,
    ) -> Iterator[Decided]:
        """Commit the steps in groups and give what was decided in them after its commit."""
        steps, pending = self.steps(), list[Decided]()
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
                spent = self._commit(checkpoint, pending)
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
            self._commit(checkpoint, pending, finished=complete)
        yield from pending
        self.tally.complete = complete
        if failure is not None:
            raise failure

    def steps(self) -> Iterator[list[Decided] | None]:
        """What is decided after each document, or at the end of each interval in which something was published."""
        passed: list[tuple[int, Document]] = []
        moment = 0
        for step in merge(self.ordered):
            if step is None:
                yield None
                continue
            if passed and step[1].published_time >= moment:
                yield self._decide(moment, passed)
                passed.clear()
            moment = moment_of(step[1].published_time, self.interval_s)
            passed.append(step)
            if not self.interval_s:
                yield self._decide(moment, passed)
                passed.clear()
        if passed:
            yield self._decide(moment, passed)

    def count(self, decided: list[Decided]) -> list[Decided]:
        """The same, counted in the tally."""
        counts, beside = self.tally.updates, self.tally.beside
        for _, outputs in decided:
            for output in outputs:
                if not isinstance(output, Support):
                    counts[output.event_id] += 1
                if isinstance(output, ValueUpdate | EntityRanking):
                    beside[output.event_id] = beside.get(output.event_id, 0) + 1
        return decided

    def _decide(self, moment: int, passed: Sequence[tuple[int, Document]]) -> list[Decided]:
        ended = [
            (now, list(outputs)) for now, outputs in self.followed.end_before(passed[0][1].published_time)
        ]
        outputs: list[Output] = []
        offered = (pair for _, document in passed for pair in self._offer(document))
        for slot, sentences in gather(offered, self.interval_s):
            outputs += self.followed.decide(slot, sentences, moment)
            if slot in self.learning:
                self.router.learn(slot, self.followed.learned(slot))
        for number, document in passed:
            self.released[number] += 1
            self.digests[number] = fingerprint(document, self.digests[number])
            self.last[number] = (document.id, document.published_time)
        for _, late_outputs in self.followed.end_before(passed[-1][1].published_time):
            outputs += late_outputs
        self.tally.documents += len(passed)
        self.tally.time = moment
        if outputs:
            ended.append((moment, outputs))
        return ended

    def _offer(self, document: Document) -> Iterator[tuple[int, Sequence[Sentence]]]:
        """What a document offers, event by event; counted in the tally."""
        tally = self.tally
        sentences = document.sentences
        if self.router.wants(document):
            sentences = self.read(document)
            noted = self._noted
            for slot, own in self.router.route(document.published_time, sentences):
                if (slot, own[0].language) not in noted:
                    read = {sentence.language for sentence in own}
                    tally.read_languages.setdefault(self.events[slot].id, set()).update(read)
                    noted.update((slot, language) for language in read)
                yield slot, own
        tally.sentences += len(sentences)

    def finish_stream(self) -> list[Decided]:
        """What the followers still give when the stream has ended."""
        decided_time = self._decided_time()
        if decided_time is None:
            return []
        ended = self.followed.end_stream(moment_of(decided_time, self.interval_s))
        return sorted(((now, list(outputs)) for now, outputs in ended), key=itemgetter(0))

    def _decided_time(self) -> int | None:
        return max((time for last_id, time in self.last if last_id), default=None)

    def _commit(self, checkpoint: StoredRun, pending: list[Decided], *, finished: bool = False) -> float:
        # Called between two intervals only. Returns the seconds it took.
        began = perf_counter()
        states = self.followed.states()
        decided_time = self._decided_time() or 0
        self.positions = [
            source.position(released, digest, last, finished=finished, decided_time=decided_time)
            for source, released, digest, last in zip(
                self.ordered, self.released, self.digests, self.last, strict=True
            )
        ]
        outputs = [output for _, decided in pending for output in decided]
        checkpoint.commit(self.positions, states, outputs, self.late, finished=finished)
        self.late = []
        # Those before a source's cursor were noted by an earlier attempt.
        self.tally.late_count = max(self.tally.late_count, sum(position.late for position in self.positions))
        self.tally.commits += 1
        spent = perf_counter() - began
        self.tally.commit_s += spent
        return spent
