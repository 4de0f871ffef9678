"""How far judges agree on which sentences tell of which event."""

from __future__ import annotations

import math
from collections.abc import Iterable, Set

from tidings.core import JudgedLink

__all__ = ["agreements", "event_agreement", "topic_agreement"]


def event_agreement(first: Set[str], second: Set[str], verified: Set[str]) -> float:
    """Sentences that the third judge agreed upon, over those that either of the first two marked.

    1 where nobody marked anything. The paper does not say whether the third judge may add sentences; if one does, the
    ratio can exceed 1. Source: Khandelwal, Gupta and Allan 2001, section 3.2.

    >>> event_agreement({"a", "b"}, {"b", "c"}, {"b", "c"})
    0.6666666666666666
    """
    union = len(first | second)
    return len(verified) / union if union else float(not verified)


def topic_agreement(events: Iterable[float]) -> float:
    """The mean agreement over all events of a topic; of topics, over all of a table.

    >>> topic_agreement([1.0, 0.5])
    0.75
    """
    values = list(events)
    return math.fsum(values) / len(values) if values else 0.0


def agreements(links: Iterable[JudgedLink]) -> dict[str, dict[str, float]]:
    """The agreement of each event of each topic, in order of first appearance.

    >>> links = [JudgedLink("20021", "5", judge, "s1") for judge in (1, 2, 3)]
    >>> agreements([*links, JudgedLink("20021", "5", 2, "s2")])
    {'20021': {'5': 0.5}}
    """
    marked: dict[str, dict[str, tuple[set[str], set[str], set[str]]]] = {}
    for link in links:
        event = marked.setdefault(link.topic_id, {}).setdefault(link.event_id, (set(), set(), set()))
        event[link.judge - 1].add(link.sentence_id)
    return {
        topic: {event: event_agreement(*judged) for event, judged in events.items()}
        for topic, events in marked.items()
    }
