"""What a story is followed by: its thirty heaviest stems with their weights, written as text, and what is like them.

A profile stays as it was when the story was chosen. Profiles that grew with what they let in lost precision in trials.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from math import fsum, log, sqrt

from tidings.core import UsageError, analyzer_of
from tidings.following.background import background
from tidings.following.grouping.document_features import BODY_SENTENCES, position_weight
from tidings.following.grouping.summaries import StorySummary

__all__ = [
    "PROFILE_TERMS",
    "document_weights",
    "nearest_stories",
    "parse_profile",
    "profile_likeness",
    "write_profile",
]

PROFILE_TERMS = 30  # of a profile
_DOCUMENT_TERMS = 80  # the heaviest, which are compared with a profile
_MOST_STORIES, _LEAST_LIKENESS = 3, 0.15  # what is found for an article
_WRITTEN = re.compile(r"\S+ [0-9]{1,4}(?: \S+ [0-9]{1,4}){0,199}")


def write_profile(weights: Mapping[str, float]) -> str:
    """The heaviest stems with their weights in hundredths of the heaviest one's, heaviest first.

    Stems with a comma are left out: the text is an option of a system.

    >>> write_profile({"ferri": 2.0, "fire": 1.0})
    'ferri 100 fire 50'
    """
    heaviest = sorted(weights.items(), key=lambda item: (-item[1], item[0]))
    kept = [(stem, weight) for stem, weight in heaviest if "," not in stem and weight > 0][:PROFILE_TERMS]
    return " ".join(f"{stem} {max(1, round(100 * weight / kept[0][1]))}" for stem, weight in kept)


def parse_profile(text: str) -> dict[str, float]:
    """The stems of a profile with their weights, at length 1; UsageError for what is none.

    >>> parse_profile("ferri 4 fire 3")
    {'ferri': 0.8, 'fire': 0.6}
    """
    if not _WRITTEN.fullmatch(text):
        raise UsageError(
            f"profile {text[:60]!r} (expected stems, each with its weight after it, such as `ferri 100 fire 50`)"
        )
    words = text.split(" ")
    weights = {stem: float(weight) for stem, weight in zip(words[::2], words[1::2], strict=True)}
    length = sqrt(fsum(weight * weight for weight in weights.values())) or 1.0
    return {stem: weight / length for stem, weight in weights.items()}


def document_weights(title: str, sentences: Sequence[str], language: str) -> dict[str, float]:
    """The vector of a document at length 1, with the rarity of stems in news, whatever came before.

    Args:
        title: its title; "" for none.
        sentences: its sentences without the title, of which the first 25 count.
        language: a code of ISO 639-1; "" for English.
    """
    stems_of = analyzer_of(language).stems
    counts: dict[str, float] = {}
    for index, text in enumerate((title, *sentences[:BODY_SENTENCES])):
        for stem in stems_of(text):
            counts[stem] = counts.get(stem, 0.0) + position_weight(index)
    shares = background()
    weighed = (
        (stem, (1.0 + log(count)) * log(1_001 / (shares.get(stem, 0.0) + 0.5)))
        for stem, count in counts.items()
    )
    heaviest = sorted(weighed, key=lambda item: (-item[1], item[0]))[:_DOCUMENT_TERMS]
    length = sqrt(fsum(weight * weight for _, weight in heaviest)) or 1.0
    return {stem: weight / length for stem, weight in heaviest}


def profile_likeness(profile: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """The cosine of a profile and a document, both at length 1; 0 to 1."""
    return fsum(_products(profile.items(), weights))


def nearest_stories(
    stories: Iterable[StorySummary], query: str, terms: Sequence[str] = ()
) -> list[StorySummary]:
    """Up to three stories whose titles and keywords are most like a query and its terms, the nearest first."""
    asked = document_weights(query, terms, "en")
    found = [
        (profile_likeness(document_weights(story.title, story.keywords, "en"), asked), story)
        for story in stories
        if story.title
    ]
    near = [(likeness, story) for likeness, story in found if likeness >= _LEAST_LIKENESS]
    return [story for _, story in sorted(near, key=lambda pair: -pair[0])[:_MOST_STORIES]]


def _products(profile: Iterable[tuple[str, float]], weights: Mapping[str, float]) -> Iterable[float]:
    return (weight * weights[stem] for stem, weight in profile if stem in weights)
