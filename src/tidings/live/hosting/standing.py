"""Hosting a store's standing events: followed forever, and changed while they are.

What people change or say of updates stands in the store's log. It takes effect between two commits of the follower, in
a transaction of its own, which notes after how many documents of the stream that was. So a process that is killed
anywhere goes on as if it had not been, and nothing that was emitted is taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from time import monotonic, sleep

from msgspec import Struct
from sqlalchemy import Connection

from tidings.core import (
    Document,
    EventLogEntry,
    Output,
    Position,
    Saved,
    StandingEvent,
    StoredAnswers,
    StoredRun,
    TidingsError,
    UsageError,
)
from tidings.following import (
    FollowedEvent,
    FollowerError,
    StreamRun,
    Tally,
    follow_stream,
    standing_system,
)
from tidings.live.store import LiveStore
from tidings.live.store.events import REFUSED
from tidings.sources import Source, StoredInbox

_LOOK_EVERY_S = 0.3  # for changes by people: they take effect within a second
_PAGE = 200


class ReplayEndedError(TidingsError):
    """A replay was stopped before its last document."""


class Replayed(Struct, frozen=True):
    """What would have been emitted for an event from documents that are there, and what its follower then remembers."""

    outputs: tuple[Output, ...]
    state: bytes | None
    documents: int


class StandingRun:
    """A run over an inbox that follows a store's standing events; iterate over it to follow them.

    Args:
        live: the store's standing events, and their log.
        run: where it is kept.
        inbox: what is followed.
        source: the inbox as a source.
        stop: asked often; True ends the iteration with what was decided kept.
        say: called for changes that cannot take effect.
    """

    def __init__(
        self,
        live: LiveStore,
        run: StoredRun,
        inbox: StoredInbox,
        source: Source,
        *,
        stop: Callable[[], bool] = lambda: False,
        say: Callable[[str], None] = lambda line: None,
    ) -> None:
        self._live, self._run, self._inbox, self._source = live, run, inbox, source
        self._stop, self._say = stop, say
        self._answers = StoredAnswers(live.store, run.created_time)
        self._next_look = 0.0
        self.tally = Tally()
        """Of the round that goes on now."""
        self._documents = self._followed = self._followed_time = 0
        self.is_over = False
        """Whether all there is was followed, and nothing more will come."""

    @property
    def documents(self) -> int:
        """How many documents were followed since the process began."""
        return self._documents + self.tally.documents

    @property
    def followed(self) -> int:
        """How many documents were followed since the run began."""
        self._followed = max(self._followed, self.tally.skipped + self.tally.documents)
        return self._followed

    @property
    def followed_time(self) -> int:
        """When the last document that was followed was first seen (seconds UTC); 0 where there was none."""
        self._followed_time = self.tally.time or self._followed_time
        return self._followed_time

    def __iter__(self) -> Iterator[tuple[int, Sequence[Output]]]:
        """Each step is (now, outputs), given when it is kept."""
        while True:
            yield from self.apply()
            if self._stop():
                return
            followed = [
                standing for standing in self._live.events.in_effect() if standing.state == "followed"
            ]
            systems = {standing.event.id: standing_system(standing, self._answers) for standing in followed}
            self._documents, self.tally = self.documents, Tally()
            yield from follow_stream(
                [self._source],
                [standing.event for standing in followed],
                systems,
                self._run,
                interval_s=0,
                lateness_s=0,
                mixed=True,
                tally=self.tally,
                stop=self._ends_round,
            )
            # What is followed has ended: what people change still takes effect.
            while self.tally.complete and not self._stop() and not self._live.events.has_waiting():
                self.is_over = True
                sleep(_LOOK_EVERY_S)
            if self._stop():
                return
            self.is_over = False

    def _ends_round(self) -> bool:
        if self._stop():
            return True
        now = monotonic()
        if now < self._next_look:
            return False
        self._next_look = now + _LOOK_EVERY_S
        return self._live.events.has_waiting()

    def apply(self) -> list[tuple[int, Sequence[Output]]]:
        """Let what waits in the log take effect; gives what that emitted."""
        entries = self._live.events.waiting()
        if not entries:
            return []
        saved = self._run.load()
        position = saved.positions[0] if saved.positions else Position(source=self._source.name)
        states, changed = dict(saved.states), dict[str, bytes]()
        standing = {standing.event.id: standing for standing in self._live.events.in_effect()}
        past: list[Output] = []
        outputs: list[Output] = []
        refused: list[EventLogEntry] = []
        for entry in entries:
            before = standing.get(entry.event_id)
            try:
                emitted, state = self._effect(entry, before, states.get(entry.event_id), position)
            except ReplayEndedError:
                return []  # it was stopped: nothing of this was kept, and all of it still waits
            except Exception as error:  # noqa: BLE001 - a system's own, which must not end all other events
                self._say(f"event {entry.event_id}: the change was not applied: {_words(error)}")
                refused.append(entry)
                continue
            if entry.event is not None:
                standing[entry.event_id] = entry.event
            (past if entry.kind == "added" else outputs).extend(emitted)
            if state is not None:
                states[entry.event_id] = changed[entry.event_id] = state
        events = [
            standing.event for standing in sorted(standing.values(), key=lambda standing: standing.number)
        ]

        def note(connection: Connection) -> None:
            effective = [entry for entry in entries if entry not in refused]
            self._live.events.note_applied(connection, effective, position.released)
            self._live.events.note_applied(connection, refused, REFUSED)

        # An event's past comes before what ended in the meantime, and is no news to anyone.
        outputs = [*past, *outputs]
        self._run.commit(saved.positions, changed, outputs, (), events=events, past=len(past), also=note)
        return [(output.time, [output]) for output in outputs]

    def _effect(
        self, entry: EventLogEntry, before: StandingEvent | None, state: bytes | None, position: Position
    ) -> tuple[Sequence[Output], bytes | None]:
        """What an entry emits at once, and the state that the event's follower has after it (None: as it was)."""
        if entry.mark is not None:
            if before is None or state is None:
                return (), None
            followed = self._taken_up(before, state)
            followed.follower.mark(entry.mark)
            return (), followed.state()
        now = entry.event
        assert now is not None
        if entry.kind == "added":
            return self._add(now, position)
        if before is None:  # what added it was refused
            raise UsageError("This story was never followed. Close it and follow it again.")
        if state is None:
            standing_system(now)  # as it will be begun
            return (), None
        followed = self._taken_up(now, state)
        ends = before.state != "closed" and now.state == "closed"
        if ends or (_is_over(now, position) and not _is_over(before, position)):
            # What waited for better words, or for the end of its hour, is emitted now.
            return followed.finish(position.last_time), followed.state()
        return (), followed.state()

    def _add(self, now: StandingEvent, position: Position) -> tuple[Sequence[Output], bytes | None]:
        standing_system(now).start(now.event)
        if now.since is None or not position.released:
            return (), None
        past = replay(
            self._inbox,
            now,
            since=now.since,
            until_seq=self._inbox.number_at(position),
            answers=self._answers,
            stop=self._stop,
        )
        return past.outputs, past.state

    def _taken_up(self, standing: StandingEvent, state: bytes) -> FollowedEvent:
        return FollowedEvent(standing_system(standing, self._answers), standing.event, state)


def _is_over(standing: StandingEvent, position: Position) -> bool:
    end = standing.event.end_time
    return end is not None and end < position.last_time


def _words(error: BaseException) -> str:
    if isinstance(error, FollowerError) and error.__cause__ is not None:
        return _words(error.__cause__)
    return str(error) if isinstance(error, TidingsError) else f"{type(error).__name__}: {error}"


def replay(
    inbox: StoredInbox,
    standing: StandingEvent,
    *,
    since: int,
    until_seq: int | None = None,
    answers: StoredAnswers | None = None,
    stop: Callable[[], bool] = lambda: False,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> Replayed:
    """Follow an event through what an inbox has, from a time on, and keep nothing.

    What it gives is what a run gives that begins with the first of these documents and stands behind the last one.

    Args:
        inbox: that has the documents.
        standing: the event, its system and its pace.
        since: what was first seen before that time (seconds UTC) is passed over.
        until_seq: the number of the last document; None for all that are there.
        answers: where the answers of a judge from outside are kept.
        stop: asked often; True ends it with ReplayEndedError.
        progress: called with how many of how many documents were read.
    """
    last = inbox.last_seq if until_seq is None else until_seq
    first = inbox.first_seq(since)
    if first is None:
        first = last + 1

    def documents() -> Iterator[Document]:
        after = first - 1
        while after < last:
            page = inbox.documents(after, min(_PAGE, last - after))
            if not page:
                return
            for seq, document in page:
                if seq > last:
                    return
                if stop():
                    raise ReplayEndedError("the replay was asked to end")
                yield document
                after = seq
            progress(after - first + 1, last - first + 1)

    system = standing_system(standing, answers)
    tally = Tally()
    run = StreamRun(
        [Source("inbox", documents)],
        [standing.event],
        system,
        Saved(),
        0,
        0,
        True,
        tally,
    )
    outputs = [output for step in run.steps() for _, decided in step or () for output in decided]
    return Replayed(tuple(outputs), run.followed.states().get(standing.event.id), tally.documents)
