"""Scores an event's updates with its nuggets taken as clusters, for trainers and experiments."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from tidings.core import Update
from tidings.evaluation import MeasureInfo, Mode, every_measure, prepare_event, published_time, score_days
from tidings.research.training.labelled_events import JudgedEvent

if TYPE_CHECKING:
    from tidings.evaluation import PreparedTweets

__all__ = ["FIGURES", "prepared_clusters", "score_as_clusters"]

FIGURES: dict[str, MeasureInfo] = every_measure("trec_ts", "nuggets_as_clusters")
"""What experiments can measure: by nuggets, as the track did, and by nuggets taken as clusters."""


@lru_cache(maxsize=512)
def prepared_clusters(event: JudgedEvent, mode: Mode = "guideline") -> PreparedTweets:
    """The event's judgments as clusters, made once for each event and mode.

    A sentence's time of publishing is that of the stream; of judged sentences that the stream leaves out, the seconds
    with which TREC's ids begin.
    """
    published = {sentence.id: sentence.published_time for sentence, _ in event.sentences}
    judged = event.prepared.events[event.event.id]
    return prepare_event(
        judged, lambda one: published[one] if one in published else published_time(one), mode
    )


def score_as_clusters(
    event: JudgedEvent, updates: Sequence[Update], mode: Mode = "guideline"
) -> dict[str, float]:
    """The figures of these updates on this event by the measures of real-time summarization, by name.

    EG, nCG and GMP as `tidings.evaluation.measures.rts` computes them over the event's days, with all their
    variants; latencies in seconds, nan where no update earned anything, since silence is not early; `pushes` that
    count; `updates` and `words` told. By the guidelines days are silent whatever the run told, every needless update
    is a pain, and ten updates a day count.
    """
    scored = score_days(prepared_clusters(event, mode), updates)
    figures = dict(scored.values)
    if not scored.latencies:
        figures["latency_mean"] = figures["latency_median"] = float("nan")
    figures["updates"] = float(len(updates))
    figures["words"] = float(sum(len(update.text.split()) for update in updates))
    return figures
