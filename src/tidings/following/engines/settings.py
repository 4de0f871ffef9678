"""What every worker of a query needs: its settings, and its events in versions, changed while it runs.

A version is a file that is never changed: the events that are other than in the one before. Which version a batch of
documents was offered to is noted once, by whichever worker asks first, and so it is the same when the batch is done
again.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import msgspec
from msgspec import Struct

from tidings.core import Event, StoreError, UsageError, write_bytes
from tidings.following.stream.loop import LATENESS_S

if TYPE_CHECKING:
    from tidings.following.systems.decider import Decider


class NumberedEvents(Struct, frozen=True):
    """The events of a version, by id, each with its number; `version` counts from 0."""

    version: int
    by_id: dict[str, tuple[int, Event]]

    @property
    def events(self) -> tuple[Event, ...]:
        """The events in the order of their numbers."""
        return tuple(event for _, event in sorted(self.by_id.values(), key=lambda pair: pair[0]))


class VersionedEvents(Protocol):
    """Where workers find the events."""

    def of_batch(self, batch: str | None) -> NumberedEvents:
        """The events that a batch is offered to; None stands for a query that has no batches."""
        ...

    def of_version(self, version: int) -> NumberedEvents:
        """The events of a version."""
        ...


class FixedEvents:
    """Events that stay as they are.

    >>> storm = Event(id="storm", title="Storm", query="storm")
    >>> FixedEvents.of([storm]).of_batch("7").by_id["storm"] == (0, storm)
    True
    """

    def __init__(self, packed: bytes) -> None:
        self.packed = packed

    @staticmethod
    def of(events: Sequence[Event]) -> FixedEvents:
        """These events, numbered from 0."""
        return FixedEvents(msgspec.msgpack.encode(list(events)))

    def of_batch(self, batch: str | None) -> NumberedEvents:
        """The same for all."""
        return _fix(self.packed)

    def of_version(self, version: int) -> NumberedEvents:
        """The same for all."""
        return _fix(self.packed)


@lru_cache(maxsize=2)
def _fix(packed: bytes) -> NumberedEvents:
    events = msgspec.msgpack.decode(packed, type=list[Event])
    return NumberedEvents(0, {event.id: (number, event) for number, event in enumerate(events)})


class _Delta(Struct, frozen=True):
    # What is other than in the version before: None where the event is closed.
    changed: list[tuple[int, str, Event | None]]


class EventVersions:
    """A folder of versions; one process writes, all workers read.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> storm, fire = (Event(id=name, title=name, query=name) for name in ("storm", "fire"))
    >>> versions = EventVersions(folder)
    >>> versions.write([storm]), versions.write([storm]), versions.write([storm, fire]), versions.write([fire])
    (('storm',), (), ('fire',), ('storm',))
    >>> versions.latest, versions.of_version(2).by_id["fire"] == (1, fire), versions.ever == (storm, fire)
    (2, True, True)
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = str(folder)

    @property
    def latest(self) -> int:
        """The number of the last version; -1 where there is none."""
        names = [name for name in os.listdir(self.folder) if name.endswith(".events")]  # noqa: PTH208
        return max((int(name.removesuffix(".events")) for name in names), default=-1)

    def write(self, events: Sequence[Event]) -> tuple[str, ...]:
        """Follow these events from now on; gives the ids of those that are other than before (none: no new version).

        An event that was there keeps its number; one that is not among them any more is closed.
        """
        Path(self.folder).mkdir(parents=True, exist_ok=True)
        latest = self.latest
        before = self.of_version(latest).by_id if latest >= 0 else {}
        number = self._numbers(latest)
        changed: list[tuple[int, str, Event | None]] = []
        for event in events:
            own = before.get(event.id)
            if own is None:
                changed.append((number, event.id, event))
                number += 1
            elif own[1] != event:
                changed.append((own[0], event.id, event))
        there = {event.id for event in events}
        changed += [(own[0], event_id, None) for event_id, own in before.items() if event_id not in there]
        if changed:
            write_bytes(self._path(latest + 1), msgspec.msgpack.encode(_Delta(changed)))
        return tuple(event_id for _, event_id, _ in changed)

    def _numbers(self, latest: int) -> int:
        """The number that the next new event gets: none is given twice."""
        given = [event[0] for version in range(latest + 1) for event in self._delta(version).changed]
        return max(given, default=-1) + 1

    def of_batch(self, batch: str | None) -> NumberedEvents:
        """The events of the version that was the last one when someone first asked for this batch."""
        if batch is None:
            return self.of_version(self.latest)
        folder = Path(self.folder) / "batches"
        folder.mkdir(exist_ok=True)
        note = folder / batch
        while True:
            try:
                return self.of_version(int(note.read_text()))
            except FileNotFoundError:
                pass
            except ValueError:
                raise self._damage_error(note) from None
            part = folder / f".{batch}-{os.getpid()}-{os.urandom(4).hex()}"
            part.write_text(str(self.latest))
            try:
                os.link(part, note)  # which fails where another one was first
            except FileExistsError:
                pass
            finally:
                part.unlink()

    def forget_batches(self, before: int) -> None:
        """Forget which version batches before that one were offered to: they are never done again."""
        folder = Path(self.folder) / "batches"
        for note in folder.iterdir() if folder.is_dir() else ():
            if note.name.isdecimal() and int(note.name) < before:
                note.unlink(missing_ok=True)

    def of_version(self, version: int) -> NumberedEvents:
        """The events of a version; StoreError where it is not there or damaged."""
        try:
            # A folder that was removed and started over has other versions of the same numbers.
            begun = self._path(0).stat().st_mtime_ns
        except OSError:
            raise self._damage_error(self._path(0)) from None
        return _of_version(self.folder, version, begun)

    def changed_in(self, version: int) -> tuple[str, ...]:
        """The ids of the events that a version changed, added or closed."""
        return tuple(event_id for _, event_id, _ in self._delta(version).changed)

    @property
    def ever(self) -> tuple[Event, ...]:
        """All events that were ever followed, each as it was last, in the order of their numbers."""
        found: dict[str, tuple[int, Event]] = {}
        for version in range(self.latest + 1):
            for number, event_id, event in self._delta(version).changed:
                if event is not None:
                    found[event_id] = (number, event)
        return tuple(event for _, event in sorted(found.values(), key=lambda pair: pair[0]))

    def _delta(self, version: int) -> _Delta:
        path = self._path(version)
        try:
            return msgspec.msgpack.decode(path.read_bytes(), type=_Delta)
        except (OSError, msgspec.MsgspecError):
            raise self._damage_error(path) from None

    def _path(self, version: int) -> Path:
        return Path(self.folder) / f"{version:06d}.events"

    def _damage_error(self, path: Path) -> StoreError:
        return StoreError(
            f"{path}: a version of the events that cannot be read (expected one that every worker can read); give "
            "a folder that all machines share, or start a new checkpoint"
        )


_newest: dict[str, tuple[int, NumberedEvents]] = {}
"""By folder, when its first version was written, and the latest version that was read: the next ones go on from it."""


@lru_cache(maxsize=4)
def _of_version(folder: str, version: int, begun: int) -> NumberedEvents:
    known = _newest.get(folder)
    base = known[1] if known is not None and known[0] == begun and known[1].version < version else None
    by_id = {} if base is None else dict(base.by_id)
    versions = EventVersions(folder)
    for step in range(0 if base is None else base.version + 1, version + 1):
        for number, event_id, event in versions._delta(step).changed:
            if event is None:
                by_id.pop(event_id, None)
            else:
                by_id[event_id] = (number, event)
    numbered = NumberedEvents(version, by_id)
    if known is None or known[0] != begun or known[1].version < version:
        _newest.clear()
        _newest[folder] = begun, numbered
    return numbered


SHARDS_EACH = 2
"""Shards in each partition: few, since an engine asks something for each, and a text goes to many events at once."""


class EngineSettings(Struct, frozen=True, kw_only=True):
    """How events are followed by an engine; the options are those of `tidings follow`.

    Args:
        system: name and options.
        about: the pace, "" for none.
        period: first and last time of all documents, where a pace of updates in all needs them.
        support: count beside the system which outlets say its updates again.
        interval_s: of decisions; 0 after each document.
        lateness_s: how much out of order documents may be.
        mixed: offer pooled sentences to every event.
        shards: into how many the events are dealt; each is kept as one.
        partitions: among which the shards are dealt evenly; 0 where nobody knows.
        modules: loaded by each worker first, for systems that they register.
        model: the digest of the model that the driver found; a worker that finds another one says so.
    """

    system: str
    about: str = ""
    period: tuple[int, int] | None = None
    support: bool = False
    interval_s: int = 0
    lateness_s: int = LATENESS_S
    mixed: bool = False
    shards: int = 64
    partitions: int = 0
    modules: tuple[str, ...] = ()
    model: str = ""

    def packed(self) -> bytes:
        """These settings as bytes for a worker."""
        return msgspec.msgpack.encode(self)

    @staticmethod
    def unpacked(packed: bytes) -> EngineSettings:
        """The settings that `packed` gave."""
        return msgspec.msgpack.decode(packed, type=EngineSettings)

    @property
    def identity(self) -> bytes:
        """Eight bytes that are others wherever a follower could not go on from what one of these settings kept."""
        deciding = msgspec.structs.replace(self, modules=(), lateness_s=0)
        return blake2b(deciding.packed(), digest_size=8).digest()

    def decider(self) -> Decider:
        """The system, made once in each process.

        Raises:
            UsageError: it is not registered here, has another model than the driver's, or cannot be hosted so.

        >>> EngineSettings(system="cosine", about="10/day").decider().spec
        'cosine:about=10/day'
        """
        return _make(self.packed())


@lru_cache(maxsize=8)
def _make(packed: bytes) -> Decider:
    from tidings.following.systems.assembly import assemble
    from tidings.following.systems.base import SystemBase
    from tidings.following.systems.registry import UnknownSystemError

    settings = EngineSettings.unpacked(packed)
    for module in settings.modules:
        importlib.import_module(module)
    try:
        decider = assemble(settings.system, about=settings.about, support=settings.support)
    except UnknownSystemError:
        raise UsageError(
            f"no system {settings.system.partition(':')[0]!r} here; a system must be registered on the driver and on "
            "each worker: name the module that registers it in `modules`, or install its package on all machines"
        ) from None
    system = decider.system
    if isinstance(system, SystemBase) and system.judge_with(None) is not None:
        raise UsageError(
            f"system {settings.system!r} asks a judge outside, whose answers every worker would have to keep; "
            "use it on one machine"
        )
    if isinstance(system, SystemBase) and system.shares_events:
        raise UsageError(
            f"followers of system {settings.system!r} share what they know of other events; use it on one machine"
        )
    card = decider.card
    if settings.model and (card is None or card.digest != settings.model):
        raise UsageError(
            f"a worker has another model of system {settings.system!r} than the machine where the query started; "
            "install the same version of tidings, and the same model file, on all machines"
        )
    if decider.needs_period:
        if settings.period is None:
            raise UsageError(
                f"a pace of {settings.about} updates in all (expected one such as 10/day): the period of "
                "documents that are still to come is not known"
            )
        return decider.within(*settings.period)
    return decider
