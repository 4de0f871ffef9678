"""Trains `matcher`: what pairs of updates and nuggets that assessors matched have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct

from tidings.core import UsageError
from tidings.research.training.labelled_events import JudgedEvent
from tidings.research.training.trainers import Learned, Training, read_options

if TYPE_CHECKING:
    from tidings.evaluation import Encode, JudgedRows


class MatcherOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of the trainer."""

    steps: Annotated[int, Meta(ge=1)] = 300
    """Steps of the regression."""
    encoder: str = ""
    """The encoder whose cosines count too: use, or module:function; empty for none."""


def train(events: Sequence[JudgedEvent], development: Sequence[JudgedEvent], training: Training) -> Learned:
    """Learn from `events`; the `development` events join them, since nothing here is stopped early.

    The figures of what is learned are those of events left out, each third by what was learned from the others.

    Raises:
        UsageError: an option is unknown, or no event has a matched text.
    """
    from tidings.analysis import unit_encoder
    from tidings.evaluation import figures, learn_matcher

    options = read_options(MatcherOptions, training.options, training.system)
    encode = unit_encoder(options.encoder) if options.encoder else None
    every = [*events, *development]
    rows: list[JudgedRows] = []
    for number, event in enumerate(every):
        training.progress(number, len(every), f"reading {event.event.id}")
        rows += _rows(event, encode)
    if not rows:
        raise UsageError(
            "training matcher: no update that is matched to a nugget (expected some to learn from)"
        )
    training.progress(len(every), len(every), "learning")
    weights = learn_matcher(rows, steps=options.steps)
    arrays, settings = replace(weights, encoder=options.encoder).export()
    scores = figures(rows, steps=options.steps) if len(rows) > 1 else {}
    matched = sum(row.total for row in rows)
    return Learned(
        arrays,
        settings,
        scores=scores,
        about_scores="mean average precision and the best F1 of events left out, by thirds of the events"
        if scores
        else "",
        notes=f"Learned from {matched:,} matched pairs of distinct texts and nuggets.",
    )


def _rows(event: JudgedEvent, encode: Encode | None) -> list[JudgedRows]:
    """What is learned from an event: its pooled texts with its nuggets; none where nothing is matched."""
    from tidings.evaluation import judged_event_texts, judged_rows

    if event.judgments is None:
        return []
    return [judged_rows(text, encode) for text in judged_event_texts(event.judgments, event.event.id)]
