"""What decides on a standing event."""

from __future__ import annotations

from tidings.core import AnswerBook, StandingEvent, UsageError
from tidings.following.systems.assembly import assemble
from tidings.following.systems.decider import Decider


def standing_system(standing: StandingEvent, answers: AnswerBook | None = None) -> Decider:
    """What decides on a standing event, at its pace, heeding readers' marks, with the outlets that say it again.

    Args:
        standing: the event, its system and its pace.
        answers: where the answers of a judge from outside are kept.

    Raises:
        UsageError: there is no such system, or a pace of updates in all where nobody knows when the event ends.

    >>> from tidings.core.records import Event
    >>> storm = StandingEvent(event=Event(id="storm", title="", query="storm"), system="cosine", about="10/day")
    >>> standing_system(storm).spec
    'cosine:about=10/day'
    """
    decider = assemble(
        standing.system, about=standing.about, marks=True, support=True, ledger=True, answers=answers
    )
    event = standing.event
    if decider.needs_period and (event.start_time is None or event.end_time is None):
        raise UsageError(
            f"a pace of {standing.about} updates in all for event {event.id!r}, which has no start and end "
            f"(expected both, or a pace such as 10/day)"
        )
    return decider
