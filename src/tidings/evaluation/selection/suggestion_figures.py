"""How often suggested nuggets are right, where a finished collection is judged again by time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

from msgspec import Struct

from tidings.core import Match, bare_event_id
from tidings.evaluation.selection.pool_texts import PoolTexts
from tidings.evaluation.selection.simulation import JudgedTopic
from tidings.evaluation.selection.suggestions import NuggetSuggester, SuggestedNugget

__all__ = ["SuggestionFigures", "mean_figures", "suggestion_figures"]


class SuggestionFigures(Struct, frozen=True):
    """What suggestions for the matched updates of a topic were worth, each 0..1.

    Args:
        first: the share of updates whose first suggestion is right.
        three: the share with a right one among three.
        five: the share of an update's nuggets that are among five, in the mean over updates.
        spans: F of characters, 2 · shared / (both lengths), of right suggestions and the assessor's spans.
        whole: the same of the whole text in place of the suggested span.
    """

    first: float
    three: float
    five: float
    spans: float
    whole: float


def suggestion_figures(
    topic: JudgedTopic,
    matches: Sequence[Match],
    first: Mapping[str, Sequence[SuggestedNugget]] | None = None,
    learning: bool = True,
) -> SuggestionFigures:
    """Ask about each matched update of a topic, in the order of time, before its own matches are known.

    Args:
        topic: with its pool and nuggets.
        matches: of the collection; those of other topics are let be.
        first: what stands before the cosines as long as nothing is matched, by update.
        learning: whether the matches of the updates before are known, or none ever.
    """
    texts = PoolTexts(topic.pool)
    suggester = NuggetSuggester(texts.terms, topic.nuggets)
    bare = bare_event_id(topic.event.id)
    placed: dict[str, dict[str, list[tuple[int, int]]]] = {}
    for match in matches:
        if bare_event_id(match.event_id) == bare:
            of_update = placed.setdefault(match.update_id, {})
            of_update.setdefault(match.nugget_id, []).append((match.start, match.end))
    right: list[tuple[float, float, float]] = []
    spans: list[tuple[float, float]] = []
    for candidate in texts.candidates:
        update = next((copy for copy in candidate.copies if copy in placed), None)
        if update is None:
            continue
        own, text = placed[update], texts.text_of(update)
        suggested = suggester.suggest(text, first=(first or {}).get(update, ()))
        ids = [one.nugget_id for one in suggested]
        hits = [sum(name in own for name in ids[:count]) for count in (1, 3, 5)]
        right.append((float(hits[0] > 0), float(hits[1] > 0), hits[2] / len(own)))
        for one in suggested:
            if one.nugget_id in own:
                ends = own[one.nugget_id]
                spans.append((_best((one.start, one.end), ends), _best((0, len(text)), ends)))
        if learning:
            for nugget, places in own.items():
                for start, end in places:
                    suggester.add(update, nugget, text[start:end])
    means = [fmean(column) for column in zip(*right, strict=True)] or [0.0] * 3
    fitting = [fmean(column) for column in zip(*spans, strict=True)] or [0.0] * 2
    return SuggestionFigures(*means, *fitting)


def mean_figures(figures: Sequence[SuggestionFigures]) -> SuggestionFigures:
    """The means over topics.

    >>> mean_figures([SuggestionFigures(0, 0.5, 0, 1, 1), SuggestionFigures(1, 0.5, 0, 1, 0)]).first
    0.5
    """
    names = SuggestionFigures.__struct_fields__
    return SuggestionFigures(*(fmean(getattr(one, name) for one in figures) for name in names))


def _best(one: tuple[int, int], others: Sequence[tuple[int, int]]) -> float:
    """The highest F of characters of a span and some others."""
    shared = [(max(0, min(one[1], end) - max(one[0], start)), end - start) for start, end in others]
    return max(2 * both / max(1, one[1] - one[0] + length) for both, length in shared)
