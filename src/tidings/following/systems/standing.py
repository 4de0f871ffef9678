"""Systems of standing events, each decided by one of its own."""

from __future__ import annotations

from collections.abc import Mapping

from tidings.core import AnswerBook, Event, Interest, StandingEvent, UsageError
from tidings.following.systems.assembly import assemble
from tidings.following.systems.decider import Decider, DecidingFollower


class EventSystems:
    """Several deciders as one, each for the event of that id."""

    name = "standing"

    def __init__(self, systems: Mapping[str, Decider]) -> None:
        self._systems = systems

    def interest(self, event: Event) -> Interest | None:
        """What interests the event's decider."""
        return self._systems[event.id].interest(event)

    def interest_in(self, event: Event, language: str) -> Interest | None:
        """What interests the event's decider among documents of a language."""
        return self._systems[event.id].interest_in(event, language)

    def start(self, event: Event) -> DecidingFollower:
        """A fresh follower by the event's decider."""
        return self._systems[event.id].start(event)


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
    decider = assemble(standing.system, about=standing.about, marks=True, support=True, answers=answers)
    event = standing.event
    if decider.needs_period and (event.start_time is None or event.end_time is None):
        raise UsageError(
            f"a pace of {standing.about} updates in all for event {event.id!r}, which has no start and end "
            f"(expected both, or a pace such as 10/day)"
        )
    return decider
