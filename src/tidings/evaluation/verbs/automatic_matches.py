"""Possible matches for verbs that take a program's judgments: from a file, or from the learned matcher."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tidings.core import Judgments, Matcher, PossibleMatch

__all__ = ["learned_words", "matcher_of", "read_matches"]


def matcher_of(model: str) -> Matcher:
    """The learned matcher, with pairs that are hardly likely left out."""
    from tidings.evaluation.matching import NuggetMatcher

    return NuggetMatcher(model, least=0.01)


def read_matches(path: Path, judged: Judgments) -> Sequence[PossibleMatch]:
    """The pairs of a file that was made for these judgments.

    Raises:
        UsageError: none of them is of a judged event and its nuggets.
    """
    from tidings.core import UsageError, bare_event_id
    from tidings.evaluation.formats.possible_matches import read_possible_matches

    matches = read_possible_matches(path)
    nuggets = {(bare_event_id(one.event_id), one.id) for one in judged.nuggets}
    if not any((bare_event_id(one.event_id), one.nugget_id) in nuggets for one in matches):
        raise UsageError(
            f"{path}: found no pair of a judged event and one of its nuggets, expected what `tidings match` wrote with "
            "these judgments"
        )
    return matches


def learned_words(judged: Judgments, model: str) -> list[str]:
    """A line where the matcher learned from events that are judged here, else nothing."""
    from tidings.core import read_model

    events = {event for used in read_model("matcher", model).card.data for event in used.events}
    learned = {one.event_id for one in judged.nuggets} & events
    if not learned:
        return []
    return [
        f"the matcher learned from {len(learned)} of the judged events: how it does on them is no test of it; --model "
        "takes other weights"
    ]
