"""What `tidings assess simulate --suggestions` prints: how often suggested nuggets are right."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tidings.core import Judgments, Table
    from tidings.evaluation.selection.simulation import JudgedTopic

__all__ = ["suggestion_table"]

_HEADS = ("suggested by", "matches", "first right", "one of 3", "of 5", "F of spans", "F of the text")


def suggestion_table(judgments: Judgments, topics: tuple[JudgedTopic, ...], model: str) -> Table:
    """A row for likeness and for matcher, where nothing is ever matched and where what came before is."""
    from tidings.core import Table, bare_event_id
    from tidings.evaluation.matching import match_events
    from tidings.evaluation.selection import likeliest
    from tidings.evaluation.selection.suggestion_figures import mean_figures, suggestion_figures
    from tidings.evaluation.verbs.automatic_matches import matcher_of
    from tidings.following import steps_progress

    matcher = matcher_of(model)
    with steps_progress("matching") as progress:
        pairs = list(match_events(matcher, judgments, None, progress))
    first = {
        bare: likeliest(pair for pair in pairs if bare_event_id(pair.event_id) == bare)
        for bare in {bare_event_id(topic.event.id) for topic in topics}
    }
    rows = []
    for learning in (False, True):
        for name, asked in (("likeness", False), ("matcher first", True)):
            figures = mean_figures(
                [
                    suggestion_figures(
                        topic,
                        judgments.matches,
                        first[bare_event_id(topic.event.id)] if asked else None,
                        learning,
                    )
                    for topic in topics
                ]
            )
            values = (figures.first, figures.three, figures.five, figures.spans, figures.whole)
            rows.append((name, "known" if learning else "none", *(f"{value:.3f}" for value in values)))
    return Table(_HEADS, tuple(rows), right=tuple(range(2, len(_HEADS))))
