"""Kinds of happenings: words by which news calls the same one, such as `storm` and `superstorm` of a hurricane."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from tidings.core import shared_analyzer

__all__ = ["KINDS", "happenings", "is_another_disease", "synonyms"]

KINDS = (
    "hurricane storm superstorm typhoon cyclone",
    "blizzard snowstorm nor'easter storm",
    "cold freeze frost snow",
    "heatwave heat drought",
    "flood floods flooding deluge inundation",
    "landslide mudslide avalanche",
    "earthquake quake tremor aftershock",
    "tsunami wave",
    "eruption volcano",
    "tornado twister storm",
    "fire blaze inferno wildfire bushfire",
    "explosion blast",
    "bombing blast explosion bomb attack",
    "shooting gunman massacre rampage shooter",
    "attack raid assault",
    "hostage siege kidnapping captive",
    "crash accident wreck collision derailment disaster",
    "sinking shipwreck capsizing disaster",
    "collapse disaster",
    "spill leak slick",
    "epidemic outbreak pandemic virus disease",
    "flu influenza virus pandemic",
    "meteor meteorite asteroid",
    "protest demonstration rally unrest riot clash",
    "riot unrest violence clash",
    "war conflict fighting uprising",
)
"""Groups of words; the words of a group may stand for each other."""

_OF_ANY = (
    "disaster crisis catastrophe tragedy event incident season clean cleanup response recovery repair damage"
)


@lru_cache(maxsize=1)
def _groups() -> tuple[tuple[str, ...], ...]:
    stem = shared_analyzer().stem
    return tuple(tuple(stem(word) for word in words.split()) for words in KINDS)


def synonyms(own: Iterable[str]) -> dict[str, str]:
    """Stem → which of an event's own stems it may stand for.

    >>> synonyms(["hurrican", "isaac"])["storm"]
    'hurrican'
    >>> synonyms(["isaac"])
    {}
    """
    stems = frozenset(own)
    found: dict[str, str] = {}
    for group in _groups():
        bases = [stem for stem in group if stem in stems]
        for stem in group if bases else ():
            if stem not in stems:
                found.setdefault(stem, bases[0])
    return found


@lru_cache(maxsize=1)
def happenings() -> frozenset[str]:
    """The stems of all words for something that happens.

    >>> "storm" in happenings(), "ferri" in happenings()
    (True, False)
    """
    stem = shared_analyzer().stem
    return frozenset(stem(word) for words in (*KINDS, _OF_ANY) for word in words.split())


_DISEASES = (
    "flu influenza h1n1 h5n1",
    "covid coronavirus",
    "hiv",
    "ebola",
    "marburg",
    "measles",
    "cholera",
    "malaria",
    "dengue",
    "tuberculosis",
    "typhoid",
    "polio",
    "zika",
    "sars",
    "meningitis",
    "diphtheria",
    "smallpox",
    "mpox",
)
_DISEASE = re.compile(rf"\b(?:{'|'.join(' '.join(_DISEASES).split())})\b", re.IGNORECASE)


@lru_cache(maxsize=1)
def _diseases() -> dict[str, int]:
    stem = shared_analyzer().stem
    return {stem(word): kind for kind, words in enumerate(_DISEASES) for word in words.split()}


def is_another_disease(text: str, low: int, end: int, high: int, own: frozenset[str]) -> bool:
    """Whether the clause text[low:high] counts, up to `end`, the victims of another disease than an event's own one.

    >>> said = "The measles outbreak has killed 6,045 people, far more than Ebola"
    >>> is_another_disease(said, 0, 46, len(said), frozenset(["ebola"]))
    True
    >>> is_another_disease(said, 0, 46, len(said), frozenset(["flood"]))
    False
    """
    kinds, stem = _diseases(), shared_analyzer().stem
    of_event = {kinds[one] for one in own if one in kinds}
    if not of_event:
        return False
    before = [match.group() for match in _DISEASE.finditer(text, low, end)]
    behind = _DISEASE.search(text, end, high)
    named = before[-1] if before else behind.group() if behind else ""
    return bool(named) and kinds[stem(named.lower())] not in of_event
