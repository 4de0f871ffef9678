"""Systems of standing events, each decided by one of its own, whose readers may say what of an update is wrong.

What resembles a marked update from then on never reaches the system inside, unless it resembles as much what was told
and not marked. Likeness is the cosine of the stems of two texts, rare ones weighing more, without the words that the
event is followed by:

    resemblance(s) = max over marked m of cos(s, m) - c max over other updates u of cos(s, u)

A sentence is held back where that is at least the level of m's mark. Where nothing is marked, nothing is remembered:
what is decided, and the state, are those of the system inside.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import fsum, log, sqrt
from typing import Any, cast

import msgspec
from msgspec import Struct

from tidings.core import (
    Budget,
    Event,
    Follower,
    Interest,
    MarkKind,
    ModelCard,
    Output,
    ReaderMark,
    Sentence,
    StandingEvent,
    System,
    Update,
    UsageError,
    analyzer_of,
    detect,
)
from tidings.following.systems.base import SilentSystem, WrappedSystem
from tidings.following.systems.budget import BudgetedSystem
from tidings.following.systems.languages import with_languages
from tidings.following.systems.pace.system import PacedSystem, needs_period, with_pace
from tidings.following.systems.registry import make
from tidings.following.systems.support import WithSupport

MOST_MARKED = 200
"""Marked updates that are remembered, and so many that are not marked; the oldest go first."""

MOST_UPDATES = 200

_LONGEST_TEXT = 1_000
_LONGEST = 60
_MARKED = b"\xc1marks"  # \xc1 begins no msgpack, and no state of another follower goes on like this

_Vector = dict[str, float]


class Likeness(Struct, frozen=True):
    """From which resemblance on a sentence is held back, by the kind of mark, and the weight c of other updates."""

    not_about: float = 0.15
    known: float = 0.3
    contrast: float = 0.5


LEVELS = Likeness()
"""Those that are used; see docs/live/live-pages.md for how they were chosen."""


class WithMarks(SilentSystem, frozen=True):
    """A system that heeds marks of readers: without any, it has the decisions, the spec and the state of the inner."""

    likeness: Likeness = LEVELS

    def start(self, event: Event) -> Follower:
        """A fresh follower of `event`."""
        return FollowerWithMarks(self.system.start(event), event, self.likeness)


class _Memory(Struct, array_like=True):
    """What was marked, as (update, mark, text), and what was told since the first mark, as (update, text)."""

    marked: list[tuple[str, MarkKind, str]]
    updates: list[tuple[str, str]]


class FollowerWithMarks:
    """Holds back from the follower inside what resembles an update that a reader marked."""

    def __init__(self, inner: Follower, event: Event, likeness: Likeness = LEVELS) -> None:
        self._inner, self._likeness = inner, likeness
        self._query_text = f"{event.query} {event.title}"[:_LONGEST_TEXT]
        self._queries: dict[str, frozenset[str]] = {}
        self._marked: dict[str, tuple[MarkKind, str]] = {}
        self._updates: dict[str, str] = {}
        self._weights: _Vector | None = None
        self._rarest = 1.0
        self._marked_vectors: list[tuple[float, _Vector]] = []
        self._update_vectors: list[_Vector] = []

    def mark(self, mark: ReaderMark) -> None:
        """Hold back from now on what resembles an update; or no longer, where that is withdrawn."""
        self._marked.pop(mark.update_id, None)
        if not mark.withdrawn:
            self._updates.pop(mark.update_id, None)
            self._marked[mark.update_id] = (mark.mark, mark.text[:_LONGEST_TEXT])
            _bound(self._marked, MOST_MARKED)
        elif self._marked:
            self._remember(mark.update_id, mark.text)
        if not self._marked:
            self._updates.clear()
        self._weights = None

    def push(self, sentences: Sequence[Sentence], now: int) -> Sequence[Output]:
        """What the follower inside tells of what resembles no marked update."""
        if not self._marked:
            return self._inner.push(sentences, now)
        return self._noted(self._inner.push([one for one in sentences if not self.resembles(one.text)], now))

    def finish(self, now: int) -> Sequence[Output]:
        """What the follower inside still tells."""
        outputs = self._inner.finish(now)
        return self._noted(outputs) if self._marked else outputs

    def _noted(self, outputs: Sequence[Output]) -> Sequence[Output]:
        # What waited inside since before it was marked comes out unasked: it is held back here.
        kept = [one for one in outputs if not (isinstance(one, Update) and self.resembles(one.text))]
        for output in kept:
            if isinstance(output, Update) and output.text:
                self._remember(output.id, output.text)
        return kept

    def _remember(self, update_id: str, text: str) -> None:
        self._updates[update_id] = text[:_LONGEST_TEXT]
        _bound(self._updates, MOST_UPDATES)
        self._weights = None

    def resembles(self, text: str) -> bool:
        """Whether a text resembles what was marked, more than what was not."""
        if self._weights is None:
            self._weigh()
        own = self._vector(self._stems_of(text))
        best = max((_dot(own, vector) - level for level, vector in self._marked_vectors), default=-1.0)
        if best < 0.0:
            return False
        other = max((_dot(own, vector) for vector in self._update_vectors), default=0.0)
        return best - self._likeness.contrast * other >= 0.0

    def _stems_of(self, text: str) -> frozenset[str]:
        text = text[:_LONGEST_TEXT]
        code = "" if text.isascii() else detect(text)
        code = "" if code == "en" else code
        stems_of = analyzer_of(code, "english").stems
        query = self._queries.get(code)
        if query is None:
            query = self._queries[code] = frozenset(stems_of(self._query_text))
        return frozenset(stems_of(text)[:_LONGEST]) - query

    def _weigh(self) -> None:
        levels = {"not-about": self._likeness.not_about, "known": self._likeness.known}
        marked = [(levels[kind], self._stems_of(text)) for kind, text in self._marked.values()]
        updates = [self._stems_of(text) for text in self._updates.values()]
        texts = [*(stems for _, stems in marked), *updates]
        counts = Counter(stem for stems in texts for stem in stems)
        self._rarest = 1.0 + log(1 + len(texts))
        self._weights = {stem: 1.0 + log((1 + len(texts)) / (1 + count)) for stem, count in counts.items()}
        self._marked_vectors = [(level, self._vector(stems)) for level, stems in marked]
        self._update_vectors = [self._vector(stems) for stems in updates]

    def _vector(self, stems: frozenset[str]) -> _Vector:
        weights = self._weights or {}
        vector = {stem: weights.get(stem, self._rarest) for stem in stems}
        norm = sqrt(fsum(weight * weight for weight in vector.values()))
        return {stem: weight / norm for stem, weight in vector.items()}

    def state(self) -> bytes:
        """The state of the follower inside, and what was marked, where anything was."""
        inner = self._inner.state()
        if not self._marked:
            return inner
        marked = [(update_id, kind, text) for update_id, (kind, text) in self._marked.items()]
        return together(inner, msgspec.msgpack.encode(_Memory(marked, list(self._updates.items()))))

    def restore(self, data: bytes) -> None:
        """Become the follower whose `state()` gave `data`."""
        inner, remembered = apart(data)
        self._inner.restore(inner)
        memory = msgspec.msgpack.decode(remembered, type=_Memory) if remembered else _Memory([], [])
        self._marked = {update_id: (kind, text) for update_id, kind, text in memory.marked}
        self._updates = dict(memory.updates)
        self._weights = None


def apart(state: bytes) -> tuple[bytes, bytes]:
    """The state of the follower inside, and what is remembered of marks (b"" where nothing is marked)."""
    if not state.startswith(_MARKED):
        return state, b""
    inner, remembered = msgspec.msgpack.decode(state[len(_MARKED) :], type=tuple[bytes, bytes])
    return inner, remembered


def together(inner: bytes, remembered: bytes) -> bytes:
    """The state of which `apart` gives the two parts."""
    return _MARKED + msgspec.msgpack.encode((inner, remembered)) if remembered else inner


def _bound(remembered: dict[str, Any], most: int) -> None:
    while len(remembered) > most:
        del remembered[next(iter(remembered))]


def _dot(vector: _Vector, other: _Vector) -> float:
    small, large = (vector, other) if len(vector) < len(other) else (other, vector)
    return fsum(weight * large[stem] for stem, weight in small.items() if stem in large)


_PARTS = tuple[bytes, bytes]
_LIMITED = tuple[msgspec.Raw, bytes]


class EventSystems:
    """Several systems as one, each for the event of that id."""

    name = "standing"
    spec = "standing"
    card: ModelCard | None = None
    budget = Budget()

    def __init__(self, systems: Mapping[str, System]) -> None:
        self._systems = systems

    def interest(self, event: Event) -> Interest | None:
        """What interests the event's system."""
        return self._systems[event.id].interest(event)

    def interest_in(self, event: Event, language: str) -> Interest | None:
        """What interests the event's system among documents of a language."""
        system = self._systems[event.id]
        if isinstance(system, WrappedSystem):
            return system.interest_in(event, language)
        return system.interest(event)

    def start(self, event: Event) -> Follower:
        """A fresh follower by the event's system."""
        return self._systems[event.id].start(event)


def standing_system(standing: StandingEvent) -> System:
    """What decides on a standing event, at its pace, heeding readers' marks, with the outlets that say it again.

    Raises:
        UsageError: there is no such system, or a pace of updates in all where nobody knows when the event ends.

    >>> from tidings.core.records import Event
    >>> storm = StandingEvent(event=Event(id="storm", title="", query="storm"), system="cosine", about="10/day")
    >>> standing_system(storm).spec
    'cosine:about=10/day'
    """
    paced = with_pace(with_languages(make(standing.system)), standing.about)
    event = standing.event
    if needs_period(paced) and (event.start_time is None or event.end_time is None):
        raise UsageError(
            f"a pace of {standing.about} updates in all for event {event.id!r}, which has no start and end "
            f"(expected both, or a pace such as 10/day)"
        )
    return WithSupport(WithMarks(paced))


def carried_state(before: StandingEvent, now: StandingEvent, state: bytes) -> bytes:
    """The state of a follower of `before` as one of `now` takes it up: its memory stays, a new pace begins anew."""
    if before.about == now.about:
        return state
    system = make(before.system)
    is_budgeted = isinstance(system, BudgetedSystem)
    if isinstance(system.system if isinstance(system, BudgetedSystem) else system, PacedSystem):
        return state  # its own pace, and that alone: another one beside it is refused
    inner, counter = msgspec.msgpack.decode(state, type=_PARTS)
    inner, marks = apart(inner)
    room = msgspec.Raw()
    if is_budgeted:
        room, inner = msgspec.msgpack.decode(inner, type=_LIMITED)
    if before.about:
        _, inner = msgspec.msgpack.decode(inner, type=_LIMITED)
    if now.about:
        fresh = cast("WrappedSystem", standing_system(now)).system.start(now.event).state()
        if is_budgeted:
            _, fresh = msgspec.msgpack.decode(fresh, type=_LIMITED)
        limit, _ = msgspec.msgpack.decode(fresh, type=_LIMITED)
        inner = msgspec.msgpack.encode((limit, inner))
    if is_budgeted:
        inner = msgspec.msgpack.encode((room, inner))
    return msgspec.msgpack.encode((together(inner, marks), counter))
