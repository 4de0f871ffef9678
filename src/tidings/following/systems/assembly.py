"""The one place where it is put together what decides; command line, library, live service and engines call it."""

from __future__ import annotations

from msgspec.structs import replace

from tidings.core import AnswerBook, StandingEvent, System, UsageError
from tidings.following.systems.beside import EntitiesBeside, ValuesBeside
from tidings.following.systems.decider import Decider, as_decider, in_order
from tidings.following.systems.languages import Segmentation
from tidings.following.systems.ledger import LedgerKeeping
from tidings.following.systems.marks import Marks
from tidings.following.systems.pace.stage import AtPace
from tidings.following.systems.registry import make
from tidings.following.systems.stages import Period, Stage
from tidings.following.systems.support import SupportCounting


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


def assemble(
    system: str | System,
    *,
    about: str = "",
    period: Period = (None, None),
    values: bool = False,
    entities: bool = False,
    marks: bool = False,
    support: bool = False,
    ledger: bool = False,
    answers: AnswerBook | None = None,
) -> Decider:
    """What decides: a system with the stages that its options ask for and these, reading documents in their languages.

    Args:
        system: a name with options, or a system.
        about: the pace; "" leaves it as it is.
        period: first and last time of the stream, for a pace of updates in all.
        values, entities: track them beside the system.
        marks: heed readers' marks.
        support: count which outlets say an update again.
        ledger: note what is left out, and why.
        answers: where the answers of a judge from outside are kept.

    Raises:
        UsageError: no such system, no pace, or the system has another one already.

    >>> assemble("cosine:updates_per_hour=6", about="10/day").spec
    'cosine:about=10/day,updates_per_hour=6'
    """
    decider = as_decider(make(system) if isinstance(system, str) else system)
    pace = AtPace(about=about)
    if pace.about and decider.pace not in (None, pace):
        raise UsageError(
            f"a pace of {pace.about} for {decider.spec}, which has one of its own (expected one of the two)"
        )
    added: list[Stage] = [pace] if pace.about else []
    added += [ValuesBeside(values=True)] if values else []
    added += [EntitiesBeside(entities=True)] if entities else []
    added += [Marks()] if marks else []
    added += [SupportCounting()] if support else []
    added += [LedgerKeeping()] if ledger else []
    stages = {type(stage): stage for stage in (*decider.stages, *added)}
    return replace(
        decider,
        stages=in_order(stages.values()),
        segmentation=decider.segmentation or Segmentation(),
        period=period if period != (None, None) else decider.period,
    ).answering(answers)
