"""What a sentence of a digest can do without: words whose leaving changes nothing in what the rest says.

Cut are, by rules of the surface in English: what leads over from another sentence ("In other developments,"), who said
so where that is an authority or an agency and nothing is doubted or quoted, brackets that convert or abbreviate, and
clauses between two commas that say who or what the subject is. What is left are pieces of the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

Piece = tuple[int, int]
"""The first character of a piece of a text, and the one after its last."""

_FEWEST_WORDS = 6
"""A cut that leaves fewer words is not made."""

_LEADS_OVER = re.compile(
    r"(?:In (?:other|another|related|separate) (?:developments?|news)|Meanwhile|In addition|Separately"
    r"|In the meantime|At the same time|Around the same time) ?, ?(?=\S)"
)
_WHO = (
    r"(?:(?:the|local|state|federal|health|city|county|rescue|hospital|medical|police|fire|emergency|news|and|'s) ?)*"
    r"(?:officials|police|authorities|health ministry|agency|prosecutors|investigators|firefighters|rescuers|medics"
    r"|doctors|AFP|AP|Reuters|Associated Press)"
)
_SOURCE = re.compile(
    rf" ?, {_WHO} (?:(?:has|have) )?(?:say|says|said|reports?|reported)"
    r"(?: (?:on (?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|today|yesterday))?(?= ?\.?\s*\Z)"
    rf"| ?,? according to {_WHO}(?= ?\.?\s*\Z)"
)
_DOUBT = re.compile(
    r"\b(?:may|might|could|would|should|will|possibl[ey]|probabl[ey]|likely|apparent|appear|seem|alleg|suspect|claim"
    r"|accus|blam|believ|fear|expect|estimat|threat|den(?:y|ie)|not?\b|never|responsib|guilty|deliberate|because|cause"
    r"|due to|carried out|attack|kill|shot"
    r"|whether|if\b|about|around|nearly|up to|I\b|we\b|our\b)|n['’]t\b|[\"“”]|``|''",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r" ?(?:\(|-LRB-)(?P<inside>[^()]{1,40}?)(?:\)|-RRB-)")
_UNIT = (
    r"(?: ?(?:m|km|kg|cm|mm|ft|mi|bn|mph|kph|lbs?|miles?|kilomet(?:er|re)s?|met(?:er|re)s?|feet|million|billion|acres?"
    r"|hectares?|lit(?:er|re)s?|gallons?|tonnes?|tons?|°?[CF]|GMT|[BE][SD]T|[ap]m|local time|euros?|pounds?"
    r"|dollars?)\b)"
)
_CONVERTS = re.compile(
    rf"\s*(?:(?:about|around|roughly|or|some) )?(?:[$£€#¬]+ ?[\d.,]+{_UNIT}{{0,2}}|[\d.,]+{_UNIT}{{1,2}})\s*"
    r"|\s*[A-Z][A-Za-z&-]{1,7}[A-Z]\s*"
)
_WHO_IS = re.compile(
    r" ?, (?:who|which) (?:was|were|had|has|is|are|began|opened|started|took|owns|runs|operates|covers|leads)\b"
    r"(?P<clause>[^,.;:\"“”`â()\d]{5,80}?) ?,(?= (?:is|are|was|were|has|have|had|will|would|can|could"
    r"|announced|died|killed|began|left|hit|struck)\b)"
)
_SUBJECT = re.compile(
    r"(?:(?:In|On|At|After|Before|Since|For|During|With|By|Last)\b[^,]{1,60}, ?)?[^,\"“”`â]{3,120}"
)
_DENIES = re.compile(
    r"\b(?:only|not|never|no|except|unless|but|although|though|if)\b|n['’]t\b", re.IGNORECASE
)


_NAME = re.compile(r" [A-Z]")
_PRONOUN = re.compile(r"\b(?:he|him|his|she|hers?|it|its|they|them|theirs?)\b")


def without_ballast(text: str) -> list[Piece]:
    """The pieces of a sentence that say what it says, in their order; one of the whole text where nothing is cut.

    >>> text = "Meanwhile, the leak (found in 1999) 2 km (1.2 miles) off the coast was sealed, officials said."
    >>> [text[start:end] for start, end in without_ballast(text)]
    ['the leak (found in 1999) 2 km', ' off the coast was sealed', '.']
    >>> len(without_ballast("A quake, which has killed 500 people, has left thousands homeless."))
    1
    """
    cuts = [one.span() for one in _BRACKETS.finditer(text) if _CONVERTS.fullmatch(one["inside"])]
    cuts += [
        one.span()
        for one in _WHO_IS.finditer(text)
        if _SUBJECT.fullmatch(text[: one.start()])
        and not _DENIES.search(one["clause"])
        and not (
            _NAME.search(one["clause"]) and _PRONOUN.search(text, one.end())
        )  # which the name may explain
    ]
    if lead := _LEADS_OVER.match(text):
        cuts.append(lead.span())
    source = _SOURCE.search(text)
    if source and not _DOUBT.search(text[: source.start()]):
        cuts.append(source.span())
    pieces = _between(cuts, len(text))
    words = sum(len(text[start:end].split()) for start, end in pieces)
    return pieces if words >= _FEWEST_WORDS else [(0, len(text))]


def _between(cuts: Sequence[Piece], length: int) -> list[Piece]:
    pieces: list[Piece] = []
    kept = 0
    for start, end in [*sorted(cuts), (length, length)]:
        if start > kept:
            pieces.append((kept, start))
        kept = max(kept, end)
    return pieces


def joined(text: str, pieces: Sequence[Piece]) -> str:
    """The words of some pieces, beginning with a capital.

    >>> joined("Meanwhile, it was sealed.", [(11, 25)])
    'It was sealed.'
    """
    words = "".join(text[start:end] for start, end in pieces).lstrip()
    return words[:1].upper() + words[1:]
