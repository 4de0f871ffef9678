"""Who says what a sentence tells: the words by which it names its source."""

from __future__ import annotations

import re

from tidings.analysis.articles.plain_text import plain

__all__ = ["find_speaker"]

_VERB = (
    r"(?:said|says|told|tells|announced|announces|confirmed|confirms|reported|reports|warned|warns|added|adds|claimed|"
    r"claims|insisted|insists|admitted|admits|estimated|estimates|declared|declares|stated|states|denied|denies)"
)
_NAME = r"(?:[A-Z][\w.'-]{0,60}|\d+|of|the|for|and|de|la|al|in|'s)"
# One or several of these without a blank between, told apart in one way only: else digits could be split in many.
_SMALL = r"(?:\d|of|the|for|and|de|la|al|in|'s)"
_NAMES = rf"(?:{_SMALL}*[A-Z][\w.'-]{{0,60}}|{_SMALL}+)"
_COMMON = (
    r"(?:officials?|police|authorities|witnesses|activists|rescuers|doctors|sources?|reports?|experts|scientists|"
    r"spokes(?:man|woman|person|people)|ministers?|ministry|government|army|military|agency|company|prosecutors|"
    r"lawyers|residents|investigators|president|mayor|governor|court|department|group|media|television|radio|"
    r"observers|analysts|researchers|relatives|owners?|they|he|she)"
)
_NOUN = (
    rf"(?:(?:an?|the|one|two|some|several|his|her|its|their)\s+)?(?:[\w'-]{{1,60}}\s+){{0,4}}?{_COMMON}"
    rf"(?:\s+of\s+{_NAMES})?"
)
_SOURCE = rf"(?:{_NOUN}(?:\s+{_NAME}){{0,5}}|(?:[Tt]he\s+)?[A-Z][\w.'-]{{0,60}}(?:\s+{_NAME}){{0,7}})"
_ACCORDING = re.compile(rf"\b[Aa]ccording to ({_SOURCE})")
_AFTER = re.compile(rf"[,\"]\s+(?:{_VERB})\s+({_SOURCE})\s*[.,\"]")
_BEFORE = re.compile(
    rf"(?:^|[,;\"–-]\s*)({_SOURCE})(?:,[^,]{{1,60}},)?\s+(?:has\s+|have\s+|also\s+)?{_VERB}\b"
)


def find_speaker(text: str) -> str:
    """The source that a sentence names for what it tells, as it names it; empty where it names none.

    >>> find_speaker("Twelve people died in the fire, according to the coast guard's spokesman.")
    "the coast guard's spokesman"
    >>> find_speaker("Officials in Bilbao said the ferry had been checked in May.")
    'Officials in Bilbao'
    >>> find_speaker("A ferry burnt off the coast on Friday.")
    ''
    """
    shown = plain(text)[:1_000]
    for pattern in (_ACCORDING, _AFTER, _BEFORE):
        match = pattern.search(shown)
        if match:
            return match[1].strip(" .,")
    return ""
