"""Beginning a run, or taking one up: its settings are compared in words, and its fencing number is taken."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from tidings.core.errors import UsageError
from tidings.core.records import Event, ModelCard, RunCard
from tidings.core.store.rows import card_from_text, card_text, event_row
from tidings.core.store.run_row import RunRow, insert_run, read_events, run_row, update_run
from tidings.core.store.schema import events, follower_states, outputs, positions, runs

__all__ = ["enter_run", "has_begun", "replace_events"]

_NAMED = 5
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
    former: Sequence[Mapping[str, str]] = (),
) -> RunRow:
    """The row of run `name` for a process that follows it from now on; see `Store.begin`."""
    row = connection.execute(select(runs).where(runs.c.name == name)).one_or_none()
    fence = 1
    if row is not None:
        if not restart:
            run = run_row(row, where)
            taken = _take_up(connection, where, run, settings, followed, card, former)
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
    former: Sequence[Mapping[str, str]],
) -> RunRow | None:
    """The run as it goes on; None where it is to be begun anew, since nothing of it is worth keeping."""
    begun_events = read_events(connection, run, where)
    begun_card = None if run.card is None else card_from_text(run.card, begun_events)
    changed = run.settings_by_name not in [dict(one) for one in former]
    differing = _differing_settings(run.settings_by_name, settings) if changed else []
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
            f"run {run.name}: it was begun with other settings: {'; '.join(differing)}; "
            "give the same ones to go on, --restart to begin anew, or another --out"
        )
    values: dict[str, Any] = {name: getattr(run, name) for name in RunRow.__struct_fields__}
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
        f"{key} (begun with {begun.get(key, 'none')}, now {settings.get(key, 'none')})"
        for key in {**begun, **settings}
        if begun.get(key) != settings.get(key)
    ]


def _differing_events(begun: Sequence[Event], followed: Sequence[Event]) -> list[str]:
    if [event.id for event in begun] != [event.id for event in followed]:
        return [f"events (begun with {_ids(begun)}, now {_ids(followed)})"]
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
            differing.append(f"model (begun with {_model(begun.model)}, now {_model(card.model)})")
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
    return f" (begun with {_words(before)}, now {_words(now)})"


def _words(value: object) -> str:
    words = "none" if value is None else repr(value)
    return words if len(words) <= _SHOWN_CHARS else f"{words[:_SHOWN_CHARS]}…"
