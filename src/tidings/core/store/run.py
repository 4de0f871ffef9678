"""One run: begun or taken up (its settings compared in words), and followed, as the checkpoint of the follow loop."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

import msgspec
from sqlalchemy import Connection, delete, func, insert, select

from tidings.core.errors import StoreError, UsageError
from tidings.core.protocols import Saved
from tidings.core.records import Event, LateDocument, ModelCard, Output, Position, RunCard, Update
from tidings.core.store.connect import RunLock, explain_errors
from tidings.core.store.rows import (
    RunRow,
    card_from_text,
    card_text,
    event_row,
    insert_run,
    kind_of,
    late_row,
    output_values,
    position_from_row,
    position_row,
    read_events,
    read_run,
    run_row,
    state_row,
    update_run,
)
from tidings.core.store.schema import events, follower_states, late_documents, outputs, positions, runs
from tidings.core.store.table_rows import bind_row, check_row, damage_error, insert_rows, replace_rows

if TYPE_CHECKING:
    from tidings.core.store.store import Store

_NAMED = 5  # differences that a message lists
_SHOWN_CHARS = 120
_AT_ONCE = 5000
"""Rows of one statement: no signal is heard while it runs."""


def enter_run(
    connection: Connection,
    where: str,
    name: str,
    settings: Mapping[str, str],
    followed: Sequence[Event],
    card: RunCard | None,
    *,
    restart: bool = False,
) -> RunRow:
    """The row of run `name` for a process that follows it from now on; see `Store.begin`."""
    row = connection.execute(select(runs).where(runs.c.name == name)).one_or_none()
    fence = 1
    if row is not None:
        if not restart:
            run = run_row(row, where)
            taken = _take_up(connection, where, run, settings, followed, card)
            if taken is not None:
                return taken
        # The number goes on: whoever follows the run that is removed here must not take the new one for it.
        fence = row.fence + 1 if isinstance(row.fence, int) and row.fence < 1 << 62 else 1
        connection.execute(delete(runs).where(runs.c.id == row.id))
    elif not restart:
        for other in connection.execute(select(runs)).all():
            run_row(other, where)  # a damaged name would hide the run that is asked for
    now = int(time.time())
    run = insert_run(
        connection,
        {
            "name": name,
            "settings": json.dumps(dict(settings)),
            "created_time": now,
            "changed_time": now,
            "card": None if card is None else card_text(card),
            "fence": fence,
            "events": len(followed),
        },
    )
    _write_events(connection, run.id, followed)
    return run


def has_begun(connection: Connection, run_id: int) -> bool:
    """Whether any document was decided on, or anything kept."""
    kept = (
        select(positions.c.run_id).where(positions.c.run_id == run_id, positions.c.released > 0),
        select(outputs.c.run_id).where(outputs.c.run_id == run_id),
        select(follower_states.c.run_id).where(follower_states.c.run_id == run_id),
    )
    return any(connection.execute(query.limit(1)).first() is not None for query in kept)


def _take_up(
    connection: Connection,
    where: str,
    run: RunRow,
    settings: Mapping[str, str],
    followed: Sequence[Event],
    card: RunCard | None,
) -> RunRow | None:
    """The run as it goes on; None where it is to be started over, since nothing of it is worth keeping."""
    begun_events = read_events(connection, run, where)
    begun_card = None if run.card is None else card_from_text(run.card, begun_events)
    differing = _differing_settings(run.settings_by_name, settings)
    if begun_events and followed and not any(setting.startswith("event ") for setting in differing):
        words = _differing_events(begun_events, followed)
        # Said field by field, instead of a digest of many events that a setting may hold.
        differing = [
            setting for setting in differing if not words or not setting.startswith("events ")
        ] + words
    if begun_card is not None and card is not None:
        differing += _differing_cards(begun_card, card)
    if differing:
        if not has_begun(connection, run.id):
            return None  # such as a run whose stream could not be read: there is nothing to protect
        raise UsageError(
            f"run {run.name}: it was started with other settings: {'; '.join(differing)}; "
            "give the same ones to continue, --restart to start over, or another --out"
        )
    values = msgspec.structs.asdict(run)
    values["settings"] = json.dumps(dict(settings))
    if begun_card is None and card is not None:
        values["card"] = card_text(card)
    if not begun_events and followed:
        values["events"] = len(followed)
        _write_events(connection, run.id, followed)
    values["fence"] = run.fence + 1
    taken = RunRow(**values)
    update_run(connection, taken, run.fence)
    return taken


def replace_events(connection: Connection, run_id: int, followed: Sequence[Event]) -> None:
    """Let a run follow these events; the count in its row is the caller's."""
    connection.execute(delete(events).where(events.c.run_id == run_id))
    _write_events(connection, run_id, followed)


def _write_events(connection: Connection, run_id: int, followed: Sequence[Event]) -> None:
    rows = (event_row(run_id, number, event) for number, event in enumerate(followed))
    while piece := list(islice(rows, _AT_ONCE)):
        connection.execute(insert(events), piece)


def _differing_settings(begun: Mapping[str, str], settings: Mapping[str, str]) -> list[str]:
    return [
        f"{key} (started with {begun.get(key, 'none')}, now {settings.get(key, 'none')})"
        for key in {**begun, **settings}
        if begun.get(key) != settings.get(key)
    ]


def _differing_events(begun: Sequence[Event], followed: Sequence[Event]) -> list[str]:
    if [event.id for event in begun] != [event.id for event in followed]:
        return [f"events (started with {_ids(begun)}, now {_ids(followed)})"]
    differing = [
        f"{field} of event {old.id}{words}"
        for old, new in zip(begun, followed, strict=True)
        for field, words in _differing_fields(old, new)
    ]
    more = len(differing) - _NAMED
    return differing if more <= 0 else [*differing[:_NAMED], f"and {more} more of its events' fields"]


def _ids(followed: Sequence[Event]) -> str:
    more = len(followed) - _NAMED
    return " ".join(event.id for event in followed[:_NAMED]) + (f" and {more} more" if more > 0 else "")


def _differing_cards(begun: RunCard, card: RunCard) -> list[str]:
    differing = [] if begun.choice == card.choice else [f"choice{_begun_and_now(begun.choice, card.choice)}"]
    if begun.model is None or card.model is None:
        if begun.model is not card.model:
            differing.append(f"model (started with {_model(begun.model)}, now {_model(card.model)})")
    else:
        differing += [
            f"the model's {field}{words}" for field, words in _differing_fields(begun.model, card.model)
        ]
    return differing


def _model(model: ModelCard | None) -> str:
    return (
        "none"
        if model is None
        else " ".join(filter(None, ("one of", model.system, model.version, model.date)))
    )


def _differing_fields(old: Event | ModelCard, new: Event | ModelCard) -> Iterator[tuple[str, str]]:
    for field in old.__struct_fields__:
        before, now = getattr(old, field), getattr(new, field)
        if before != now:
            yield field, _begun_and_now(before, now)


def _begun_and_now(before: object, now: object) -> str:
    return f" (started with {_words(before)}, now {_words(now)})"


def _words(value: object) -> str:
    words = "none" if value is None else repr(value)
    return words if len(words) <= _SHOWN_CHARS else f"{words[:_SHOWN_CHARS]}…"


Beside: TypeAlias = Callable[[Connection, Sequence[tuple[int, Output]]], None]


class StoredRun:
    """One run that this process follows: the checkpoint of the follow loop. Close it when done.

    It holds the run's fencing number. A process that takes the run up raises that number in the run's row, and each
    commit checks it in its own transaction: whoever lost the run, however that came about, can write nothing more.
    """

    def __init__(self, store: Store, row: RunRow, lock: RunLock) -> None:
        self.name = row.name
        self._store, self._row, self._lock = store, row, lock
        self._emitted = sum(row.counts_by_kind.values())
        self._late_noted: dict[str, int] = {}
        self._written: dict[int, Position] = {}
        self._digests: dict[int | str, int] = {}
        self.beside: list[Beside] = []
        """Called in the transaction of each commit that has news among its outputs, with these and their numbers."""
        self._loaded = False

    def __enter__(self) -> StoredRun:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let other processes have the run."""
        self._lock.release()

    @property
    def emitted(self) -> int:
        """How many outputs of any kind were committed in all, as of `begin` and the last `load` or `commit`."""
        return self._emitted

    @property
    def counts(self) -> dict[str, int]:
        """The same by kind: update, value, entities."""
        return self._row.counts_by_kind

    @property
    def created_time(self) -> int:
        """When the run was begun (seconds UTC)."""
        return self._row.created_time

    @property
    def settings(self) -> dict[str, str]:
        """What the run was begun with, in words."""
        return self._row.settings_by_name

    @property
    def card(self) -> RunCard | None:
        """Where the run comes from, with its events."""
        return self._row.card_with(self.events())

    def load(self) -> Saved:
        """Where the run stands; StoreError where anything of that is damaged."""
        where = str(self._store)
        with explain_errors(self._store.url), self._store.reader.begin() as connection:
            row = read_run(connection, self._row.id, where)
            if row is None or row.fence != self._row.fence:
                raise self._loss()
            noted = select(
                late_documents.c.source, func.max(late_documents.c.ordinal).label("ordinal")
            ).where(late_documents.c.run_id == row.id)
            latest = connection.execute(noted.group_by(late_documents.c.source)).all()
            places = read_positions(connection, row, where)
            query = select(follower_states).where(follower_states.c.run_id == row.id)
            states = connection.execute(query.order_by(follower_states.c.event_id)).all()
            last = connection.execute(
                select(func.max(outputs.c.seq)).where(outputs.c.run_id == row.id)
            ).scalar_one()
        digests: dict[int | str, int] = {number: digest for number, (_, digest) in enumerate(places)}
        for state in states:
            check_row(
                follower_states, state, where, f"the state of event {state.event_id!r} of run {self.name!r}"
            )
            digests[state.event_id] = state.digest
        if _join_digests(digests) != row.contents or len(digests) != len(places) + len(states):
            raise damage_error(
                where, f"what run {self.name!r} goes on from (a position or a state is missing)"
            )
        emitted = sum(row.counts_by_kind.values())
        if (last or 0) != emitted:
            raise damage_error(
                where, f"the list of the outputs of run {self.name!r} (they end at {last}, not {emitted})"
            )
        self._row, self._emitted, self._digests, self._loaded = row, emitted, digests, True
        self._late_noted = {late.source: late.ordinal for late in latest}
        return Saved(
            positions=tuple(position for position, _ in places),
            states={state.event_id: state.state for state in states},
            finished=row.finished_time is not None,
        )

    def commit(
        self,
        positions: Sequence[Position],
        states: Mapping[str, bytes],
        outputs: Sequence[Output],
        late: Sequence[LateDocument],
        *,
        finished: bool = False,
        events: Sequence[Event] | None = None,
        past: int = 0,
        also: Callable[[Connection], None] | None = None,
    ) -> None:
        """Keep all of this in one transaction, or none of it.

        With `events` the run follows these from now on; the first `past` outputs are no news, for they tell what was
        there before their event was followed; `also` is called in the transaction. Raises StoreError where another
        process has taken the run over.
        """
        if not self._loaded:
            self.load()  # what there is of the run's digests
        run_id, now = self._row.id, int(time.time())
        changed_positions = {
            number: position_row(run_id, number, position)
            for number, position in enumerate(positions)
            if self._written.get(number) != position
        }
        changed_states = {event_id: state_row(run_id, event_id, state) for event_id, state in states.items()}
        digests: dict[int | str, int] = {}
        digests.update({number: place["digest"] for number, place in changed_positions.items()})
        digests.update({event_id: state["digest"] for event_id, state in changed_states.items()})
        counts = Counter(self._row.counts_by_kind)
        counts.update(kind_of(output) for output in outputs)
        numbered = [(seq, output) for seq, output in enumerate(outputs, self._emitted + 1)]
        row = msgspec.structs.replace(
            self._row if events is None else self._row_with(events),
            changed_time=now,
            finished_time=now if finished else None,
            counts=json.dumps(counts),
            contents=self._row.contents
            ^ _join_digests(digests)
            ^ _join_digests({key: self._digests.get(key, 0) for key in digests}),
        )
        rows = [output_values(run_id, seq, output) for seq, output in numbered]
        fresh = [document for document in late if document.ordinal > self._late_noted.get(document.source, 0)]
        with explain_errors(self._store.url), self._store.engine.begin() as connection:
            # The run's row first: in PostgreSQL that keeps others from it until this commit is done.
            if not update_run(connection, row, self._row.fence):
                raise self._loss()
            self._store.check_in_place()
            replace_rows(connection, _POSITIONS, [bind_row(place) for place in changed_positions.values()])
            replace_rows(connection, _STATES, [bind_row(state) for state in changed_states.values()])
            insert_rows(connection, _OUTPUTS, rows)
            replace_rows(connection, _LATE, [bind_row(late_row(run_id, document)) for document in fresh])
            if events is not None:
                replace_events(connection, run_id, events)
            if also is not None:
                also(connection)
            for call in self.beside if numbered[past:] else ():
                call(connection, numbered[past:])
        self._row = row
        self._emitted += len(outputs)
        self._digests.update(digests)
        self._written = dict(enumerate(positions))

    def outputs(self, *, after: int = 0, event_id: str | None = None) -> Iterator[tuple[int, Output]]:
        """(number, output) for all that was committed after number `after`, in the order in which it was decided."""
        return self._store.outputs_of(self._row, after=after, event_id=event_id)

    def updates(self, *, after: int = 0, event_id: str | None = None) -> Iterator[Update]:
        """The outputs that are sentences, in the order in which they were decided."""
        for _, output in self.outputs(after=after, event_id=event_id):
            if isinstance(output, Update):
                yield output

    def events(self) -> tuple[Event, ...]:
        """What the run follows, as it was begun."""
        return self._store.events_of(self._row)

    def _row_with(self, events: Sequence[Event]) -> RunRow:
        """The run's row, with these events."""
        card = self._row.card_with(tuple(events)) or RunCard()
        return msgspec.structs.replace(
            self._row,
            events=len(events),
            card=card_text(msgspec.structs.replace(card, events=tuple(events))),
        )

    def _loss(self) -> StoreError:
        return StoreError(
            f"run {self.name}: the lock on it was lost and another process has taken over; this commit was "
            "discarded, and the other process continues: wait until it is done"
        )


_POSITIONS, _STATES, _OUTPUTS, _LATE = positions, follower_states, outputs, late_documents


def read_positions(connection: Connection, run: RunRow, where: str) -> list[tuple[Position, int]]:
    """Where a run stands in each source, checked, each with its row's digest."""
    query = select(positions).where(positions.c.run_id == run.id).order_by(positions.c.number)
    places = []
    for number, row in enumerate(connection.execute(query).all()):
        check_row(positions, row, where, f"position {number + 1} of run {run.name!r}")
        if row.number != number:
            raise damage_error(where, f"position {number + 1} of run {run.name!r}")
        places.append((position_from_row(row), row.digest))
    return places


def _join_digests(digests: Mapping[int | str, int]) -> int:
    joined = 0
    for digest in digests.values():
        joined ^= digest
    return joined
