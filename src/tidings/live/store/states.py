"""What the followers of a run remember, asked for while another process follows it."""

from __future__ import annotations

from sqlalchemy import select

from tidings.core import Store, check_row, follower_states, positions, runs

__all__ = ["follower_state", "stream_of"]


def follower_state(store: Store, run: str, event_id: str) -> bytes | None:
    """What the follower of an event remembered at the last commit; None where it was offered nothing yet."""
    query = (
        select(follower_states)
        .join(runs, runs.c.id == follower_states.c.run_id)
        .where(runs.c.name == run, follower_states.c.event_id == event_id)
    )
    with store.asking() as connection:
        row = connection.execute(query).one_or_none()
    if row is None:
        return None
    check_row(follower_states, row, str(store), f"the state of event {event_id!r} of run {run!r}")
    return bytes(row.state)


def stream_of(store: Store, run: str) -> tuple[str, int] | None:
    """The first source of a run and the time that it was followed up to; None where nothing was followed yet."""
    query = (
        select(positions.c.source, positions.c.last_time)
        .join(runs, runs.c.id == positions.c.run_id)
        .where(runs.c.name == run)
        .order_by(positions.c.number)
    )
    with store.asking() as connection:
        row = connection.execute(query.limit(1)).one_or_none()
    return None if row is None else (str(row.source), int(row.last_time))
