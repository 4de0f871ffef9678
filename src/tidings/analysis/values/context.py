"""What the words around a number say of it: another time, another event, what might be, a rate, a part, who says so."""

from __future__ import annotations

import re

from msgspec import Struct

from tidings.analysis.values.numbers import Quantity
from tidings.core import data_beside, patterns_beside, shared_analyzer


class Setting(Struct, frozen=True):
    """How a sentence speaks of its numbers; spans are characters of the cleaned text.

    `past`: of another time ("in 1972", "last year"; not "the worst since 1972"); `modal`: of what might be; `rate`: of
    each year or day; `personal`: the writer speaks of himself, as readers' comments do.
    """

    past: tuple[tuple[int, int], ...] = ()
    modal: tuple[tuple[int, int], ...] = ()
    rate: tuple[tuple[int, int], ...] = ()
    personal: bool = False


_PATTERNS = patterns_beside(__file__)
_YEAR = re.compile(_PATTERNS["year"])
_SHORT_YEAR = re.compile(r"\b(?:in|of) (?:the )?['’](?P<short>\d\d)s?\b", re.IGNORECASE)
_SINCE = re.compile(_PATTERNS["since"], re.IGNORECASE)
_OF_THEN = re.compile(_PATTERNS["of_then"], re.IGNORECASE)
_PAST = re.compile(_PATTERNS["past"], re.IGNORECASE)
_MODAL = re.compile(_PATTERNS["modal"], re.IGNORECASE)
_RATE = re.compile(_PATTERNS["rate"], re.IGNORECASE)
_PERSONAL = re.compile(r"(?<![\w.'])(?:I|I'm|I've|I'd|my|My|me|Me|myself|our own)(?![\w.'])")
_QUOTED = re.compile(r"[\"“”]")


def read_setting(text: str, year: int) -> Setting:
    """How the sentence `text`, published in `year`, speaks of its numbers.

    >>> bool(read_setting("In Seville 70 died in 1972", 2013).past), bool(read_setting("80 died in 2013", 2013).past)
    (True, False)
    >>> bool(read_setting("80 died, the worst crash since 1944", 2013).past)
    False
    """
    past = [match.span() for match in _PAST.finditer(text)]
    comparisons = [match.span() for match in _SINCE.finditer(text)]
    for start, end, spoken in years_spoken_of(text):
        if spoken < year:
            compared = any(low <= start < high for low, high in comparisons)
            if not compared or _OF_THEN.match(text, end):
                past.append((start, end))
    past += [
        match.span() for match in _SHORT_YEAR.finditer(text) if int(match["short"]) not in (year % 100, 0)
    ]
    modal = tuple(match.span() for match in _MODAL.finditer(text))
    rate = tuple(match.span() for match in _RATE.finditer(text))
    return Setting(tuple(past), modal, rate, is_personal(text))


def is_personal(text: str) -> bool:
    """Whether the writer speaks of himself, and nobody is quoted.

    >>> is_personal("I read that 500 died"), is_personal('"I saw 5 die," he said')
    (True, False)
    """
    return bool(_PERSONAL.search(text)) and not _QUOTED.search(text)


def years_spoken_of(text: str) -> list[tuple[int, int, int]]:
    """The years that the text names: where each begins and ends, and which it is."""
    return [(match.start(), match.end(), int(match["year"])) for match in _YEAR.finditer(text)]


_NAMES = data_beside(__file__)
PLACES = frozenset(" ".join(_NAMES[kind] for kind in ("countries", "states", "cities")).split())
"""Those of one word."""

_WORDS = "|".join(sorted(sorted(PLACES), key=len, reverse=True))
PLACE = re.compile(rf"(?<![\w-])(?:{_PATTERNS['two_words']}|{_WORDS})(?![\w-])(?!'s capital)")
"""The name of a place, as it is written."""


_GROUPS = re.compile(_PATTERNS["groups"], re.IGNORECASE)
_INCLUDING = re.compile(_PATTERNS["including"], re.IGNORECASE)
_CASES = re.compile(r"\b(?:cases?|infect\w+|patients|sick|ill)\b|\)", re.IGNORECASE)
_BARE = re.compile(r" (?:are|were|is|was|remain|have|had|still|more|reported)\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[.;!?] ")
_MORE_BEFORE = re.compile(_PATTERNS["more_before"], re.IGNORECASE)
_MORE_BEHIND = re.compile(r" (?:more|additional|further|new|extra)\b", re.IGNORECASE)
_OTHERS_BEHIND = re.compile(r" (?:\w+ )?others?\b", re.IGNORECASE)
_OF_THE = re.compile(_PATTERNS["of_the"], re.IGNORECASE)
_DEAD = re.compile(r"\b(?:dead|kill\w*|died|deaths?)\b", re.IGNORECASE)
_SEVERE = re.compile(_PATTERNS["severe"], re.IGNORECASE)
_PLACE_BEHIND = re.compile(_PATTERNS["place_behind"])
_PLACE_BEFORE = re.compile(_PATTERNS["place_before"])
_WHERE = re.compile(_PATTERNS["where"])
_DEMONYM = re.compile(_PATTERNS["demonym"])
_ALONE = re.compile(r"\balone\b", re.IGNORECASE)
_RAISED_BY = re.compile(
    r"\btoll\b[^.;]{0,60}\b(?:ris|rose|climb|increas|jump|go(?:ne|es)|went)\w* to [\w,]+(?: dead)?"
    r"(?: (?:on|late|early|by|overnight)\b[^.;,]{0,30}?)?,? (?:after|when|as) $",
    re.IGNORECASE,
)
"""What makes those that follow the last of a toll: `has risen to five after ` two died."""
_POSSESSIVE = re.compile(r"['’]s$")
_NO_PLACE = frozenset(_NAMES["no_place"].split())


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
    is_more = _RAISED_BY.search(text[max(0, quantity.start - 110) : quantity.start]) or (
        _MORE_BEFORE.search(before) or _MORE_BEHIND.match(behind) or _OTHERS_BEHIND.match(behind)
    )
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
        words = [_POSSESSIVE.sub("", word) for word in re.findall(r"[\w'’]+", place.lower())]
        named = [word for word in words if word not in _NO_PLACE]
        if named and not any(_is_own(word, own) for word in named):
            return True
    return bool(_ALONE.search(_CLAUSE.split(text[stop : stop + 80])[0]))
