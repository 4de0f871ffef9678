"""A collection's events as pairs of distinct texts and nuggets that assessors matched or did not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tidings.core import Judgments, Match, Nugget, PooledUpdate, bare_event_id
from tidings.evaluation.matching.texts import EventTexts

__all__ = ["JudgedEventTexts", "judged_event_texts"]


@dataclass(frozen=True)
class JudgedEventTexts:
    """An event's distinct texts and nuggets, and which are matched.

    Attributes:
        event_id: as the judgments write it.
        texts: the texts and nuggets.
        matched: (texts, nuggets) whether an update of that text is matched to the nugget.
    """

    event_id: str
    texts: EventTexts
    matched: NDArray[np.bool_]


def judged_event_texts(judgments: Judgments, event_id: str = "") -> Iterator[JudgedEventTexts]:
    """Each event that has pooled updates, nuggets and matches; copies of a text are one text, matched as any of them.

    With an `event_id` that event alone. Matches of updates that are not pooled, and of nuggets that are not listed, are
    left out.
    """
    nuggets: defaultdict[str, list[Nugget]] = defaultdict(list)
    updates: defaultdict[str, list[PooledUpdate]] = defaultdict(list)
    matches: defaultdict[str, list[Match]] = defaultdict(list)
    for nugget in judgments.nuggets:
        nuggets[bare_event_id(nugget.event_id)].append(nugget)
    for update in judgments.pool:
        updates[bare_event_id(update.event_id)].append(update)
    for match in judgments.matches:
        matches[bare_event_id(match.event_id)].append(match)
    for bare, own in nuggets.items():
        if not updates[bare] or (event_id and bare != bare_event_id(event_id)):
            continue
        texts = EventTexts(own, updates[bare])
        text_of = {update.id: text for update, text in zip(updates[bare], texts.text_of, strict=True)}
        number = {nugget.id: place for place, nugget in enumerate(own)}
        matched = np.zeros((len(texts.texts), len(own)), dtype=bool)
        for match in matches[bare]:
            if match.update_id in text_of and match.nugget_id in number:
                matched[text_of[match.update_id], number[match.nugget_id]] = True
        if matched.any():
            yield JudgedEventTexts(own[0].event_id, texts, matched)
