"""Whether a number counts the whole event, or a part of it: a group, a place, one hospital, what came on top."""

from __future__ import annotations

import re

from tidings.analysis.values.numbers import Quantity
from tidings.analysis.values.place_names import PLACE
from tidings.core import shared_analyzer

__all__ = ["part_of"]

_GROUPS = re.compile(
    r"\b(?:children|kids|women|men|boys?|girls?|babies|infants|youths|teenagers|soldiers|troops|servicemen"
    r"|officers?|policemen"
    r"|police|cops|crew|sailors|firefighters|militants|rebels|gunm[ae]n|terrorists|attackers|insurgents|fighters"
    r"|foreigners"
    r"|foreign|americans?|italians?|britons?|germans?|french|british|japanese|chinese|nationals|tourists|journalists"
    r"|peacekeepers|doctors|nurses|guards?|pilots|teachers|staff|elderly|pregnant|un|nato|us|u\.s\.)\b",
    re.IGNORECASE,
)
_INCLUDING = re.compile(
    r"\b(?:including|includes?|included|among (?:them|whom|those)|of (?:them|whom|which|those)|at least one of)"
    r"(?: (?:at least|about|some|around|nearly|more than|the|all))?,? $",
    re.IGNORECASE,
)
_CASES = re.compile(r"\b(?:cases?|infect\w+|patients|sick|ill)\b|\)", re.IGNORECASE)
_BARE = re.compile(r" (?:are|were|is|was|remain|have|had|still|more|reported)\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[.;!?] ")
_MORE_BEFORE = re.compile(
    r"\b(?:another|a further|further|an additional|additional|plus|other|the other) $", re.IGNORECASE
)
_MORE_BEHIND = re.compile(r" (?:more|additional|further|new|extra)\b", re.IGNORECASE)
_OTHERS_BEHIND = re.compile(r" (?:\w+ )?others?\b", re.IGNORECASE)
_OF_THE = re.compile(
    r" (?:\w+ )?of (?:the|those) (?:\d[\d,]* )?(?:dead|killed|deaths|fatalities|victims|injured|wounded|missing"
    r"|arrested|detained|displaced|evacuees|casualties|bodies|toll)\b",
    re.IGNORECASE,
)
_DEAD = re.compile(r"\b(?:dead|kill\w*|died|deaths?)\b", re.IGNORECASE)
_SEVERE = re.compile(
    r"\b(?:critical(?:ly)?|serious(?:ly)?|severe(?:ly)?|grave(?:ly)?|bad(?:ly)|unidentified|identified"
    r"|at the scene|on the spot|in"
    r" (?:the |an? |local )?hospitals?|(?:inside|outside|within) (?:the|an?) \w+|city of|town of|village of"
    r"|intensive care|surgery|amputat\w+)\b",
    re.IGNORECASE,
)
_PLACE_BEHIND = re.compile(
    r"[^.;]{0,24}?\b(?:in|at|near|around|outside|inside|from) (?:the |an? |nearby |neighbou?ring |central "
    r"|northern |southern |eastern"
    r" |western )*(?P<place>[A-Z][\w'’-]+(?: (?:of |de |del |la |al-|el-)?[A-Z][\w'’-]+){0,3})"
)
_PLACE_BEFORE = re.compile(
    r"\b[Ii]n (?:the |nearby |neighbou?ring |central |northern |southern |eastern |western )*"
    r"(?P<place>[A-Z][\w'’-]+(?: [A-Z][\w'’-]+){0,3})(?: alone)?,? [^,.;]{0,40}$"
)
_WHERE = re.compile(
    r"\b(?:across|over|through|hit|struck|in|near|at) (?:the |nearby |central |northern |southern |eastern |western )*"
    r"(?P<place>[A-Z][\w'’-]+)[^.;\d]{0,40}, where [^.;\d]{0,60}$"
)
_DEMONYM = re.compile(
    r"\b(?:[A-Z][a-z]{2,}(?:[aei]an|ese|ish|ine)|French|Dutch|Greek|German|Welsh|Scots|Czech|Thai|Iraqi|Israeli"
    r"|Pakistani|Saudi"
    r"|Mexican|American|US|UK|U\.S\.)\b(?= (?:\w+ ){0,2}(?:deaths?|death toll|toll|fatalities|casualties|dead))"
)
_ALONE = re.compile(r"\balone\b", re.IGNORECASE)
_NO_PLACE = frozenset(
    [
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "the",
        "a",
        "an",
        "this",
        "it",
        "he",
        "she",
        "we",
        "they",
        "mr",
        "mrs",
        "ms",
        "dr",
        "at",
        "on",
        "in",
    ]
)
_SOME = re.compile(
    r" (?:states?|province|district|city|town|village|county|region|suburb|neighbou?rhood|hospital|building|house|home"
    r"|(?:\w+ ){0,2}(?:hospital|clinic|university|school))\b",
    re.IGNORECASE,
)


def part_of(
    text: str, attribute: str, quantity: Quantity, span: tuple[int, int], own: frozenset[str]
) -> list[str]:
    """`part`, `place` and `more`, as they hold of what a span of the text counts."""
    doubts = []
    start, end = span
    before, behind = (
        text[max(0, quantity.start - 48) : quantity.start],
        text[quantity.end : quantity.end + 60],
    )
    counted = re.sub(
        r",? (?:mostly|including|among them)[^,.;]{1,60},", "", text[quantity.end : max(end, quantity.end)]
    )
    who = counted or behind[:24]
    group = _GROUPS.search(who if end > quantity.end else _noun(behind))
    if group is None and _BARE.match(behind):
        group = _GROUPS.search(_CLAUSE.split(text[max(0, quantity.start - 110) : quantity.start])[-1])
    if (
        (group is not None and not _is_own(group.group(), own))
        or (_INCLUDING.search(before) and not (attribute == "deaths" and _CASES.search(before)))
        or _SEVERE.search(text[start:end] + re.split(r",| and ", text[end : end + 24], maxsplit=1)[0])
        or counted.lower().startswith((" of them", " of whom", " of those"))
        or _OF_THE.match(behind)
    ):
        doubts.append("part")
    is_more = _MORE_BEFORE.search(before) or _MORE_BEHIND.match(behind) or _OTHERS_BEHIND.match(behind)
    if is_more and (
        attribute == "deaths" or not _DEAD.search(text[max(0, quantity.start - 70) : quantity.start])
    ):
        doubts.append("more")  # "12 dead and another 30 injured" counts all of the injured
    demonym = _DEMONYM.search(text[max(0, start - 14) : quantity.start])
    if (demonym is not None and not _is_own(demonym.group(), own)) or _is_elsewhere(text, quantity, end, own):
        doubts.append("place")
    return doubts


def _here(before: str) -> str:
    """What stands before a number in its own sentence."""
    return re.split(r"(?<!U\.S)[.;!?](?=\s)", before)[-1]


def _noun(behind: str) -> str:
    # Behind a number after its verb ("killed 12 Afghan soldiers in …"): the words before a preposition or comma.
    return re.split(
        r"[,.;:()]| (?:in|on|at|and|as|when|after|during|near|by|who|from|with|of)\b", behind, maxsplit=1
    )[0]


def _is_own(word: str, own: frozenset[str]) -> bool:
    word = word.lower()
    if shared_analyzer().stem(word) in own:
        return True
    return any(
        len(stem) > 3 and word.startswith(stem[: max(4, len(stem) - 1)]) for stem in own
    )  # Haitian of Haiti


def _is_elsewhere(text: str, quantity: Quantity, end: int, own: frozenset[str]) -> bool:
    stop = max(end, quantity.end)
    places = [
        match["place"]
        for match in (
            _PLACE_BEHIND.match(text[stop : stop + 80]),
            _PLACE_BEHIND.match(text[quantity.end : stop]),
            _PLACE_BEFORE.search(text[max(0, quantity.start - 90) : quantity.start]),
            _WHERE.search(text[max(0, quantity.start - 140) : quantity.start]),
        )
        if match is not None
    ]
    near = _here(text[max(0, quantity.start - 60) : quantity.start]), text[stop : stop + 32]
    places += [
        match.group()
        for part in (near[0], text[quantity.end : stop], near[1])
        for match in PLACE.finditer(part)
    ]
    for place in places:
        words = [word for word in re.findall(r"[\w'’]+", place.lower()) if word not in _NO_PLACE]
        if words and not any(_is_own(word.removesuffix("'s").removesuffix("’s"), own) for word in words):
            return True
    return bool(_ALONE.search(_CLAUSE.split(text[stop : stop + 80])[0]))
