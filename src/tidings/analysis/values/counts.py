"""What a text counts: one reader of casualties, damage and other numbers, for all that ask.

    find_casualties   how many are said to be dead, injured, missing, displaced, arrested
    find_tracked      these and damage, none of them too, as `tidings.analysis.values.mentions` judges them
    find_counts       casualties, sums of money, shares, and plain plurals (3,500 wells), in any language

Rules, not a model. Whether a number is meant of an event, and of all of it, is not asked here
(`tidings.analysis.values.mentions`). Dates, times of day, ages, lengths of time, addresses and a plain "one" count
nothing.
"""

from __future__ import annotations

import re
from itertools import pairwise

from msgspec.structs import replace

from tidings.analysis.values.counts_by_language import find_counts_in
from tidings.analysis.values.happenings import happenings
from tidings.analysis.values.numbers import (
    Mention,
    Quantity,
    doubt_before,
    find_quantities,
    find_sums,
    folded,
    may_number,
    remembered,
)
from tidings.core import CASUALTIES, ENGLISH, data_beside, patterns_beside, shared_analyzer, tokens

_PATTERNS = patterns_beside(__file__)
_NONE = re.compile(_PATTERNS["none"], re.IGNORECASE)
_PARTIAL = re.compile(r"\b(?:further|other|serious|major|immediate|more|word|else)\b", re.IGNORECASE)
_NEGATIONS = frozenset(["no", "zero", "without", "not", "nobody", "none", "any", "anyone", "accounted"]) | {
    "anybody"
}


def find_none(text: str, words: frozenset[str]) -> list[tuple[str, int, int]]:
    """Of what the text says that there is none, with the characters that say so; `words` are its tokens.

    >>> text = "The fire has not killed anyone, and nobody is missing"
    >>> find_none(text, frozenset(text.lower().replace(",", "").split()))
    [('deaths', 13, 30), ('missing', 36, 53)]
    >>> find_none("No further injuries", frozenset(["no", "further", "injuries"]))
    []
    """
    if _NEGATIONS.isdisjoint(words):
        return []
    return [
        (name[:-1], *match.span())
        for match in _NONE.finditer(text)
        if not _PARTIAL.search(match.group())
        for name, group in match.groupdict().items()
        if group is not None
    ]


BEHIND = re.compile(_PATTERNS["behind"], re.IGNORECASE)
"""From the end of a number: who, where, and what happened to them."""

_DOUBT = _PATTERNS["doubt"]
_DOUBTED = re.compile(rf" {_DOUBT}", re.IGNORECASE)
_BEFORE = _PATTERNS["before"]
CORRECTED = re.compile(_PATTERNS["corrected"], re.IGNORECASE)
"""Up to the beginning of a number: it takes the place of another, of what is counted before it."""

COUNTED = re.compile(_PATTERNS["counted"], re.IGNORECASE)
"""What is counted, in a word."""

BEFORE = re.compile(rf"(?:{_BEFORE}){_DOUBT}$", re.IGNORECASE)
"""Up to the beginning of a number: who did it to so many, or which count stands at so many."""

ORDINAL = re.compile(_PATTERNS["ordinal"], re.IGNORECASE)
"""`the 17th body`, `a second person has died`: so many are dead."""

ORDINALS = {word: 2.0 + place for place, word in enumerate(_PATTERNS["ordinals"].split("|"))}

NOT_PEOPLE = re.compile(_PATTERNS["not_people"], re.IGNORECASE)
"""From the end of a number: what is not a person, or a unit."""

_WORDS = data_beside(__file__)
CUES = frozenset(shared_analyzer().stems(_WORDS["cues"]))
"""Stems of which a sentence must hold one to count anything."""


_MOST_PEOPLE = 8e9  # nobody can count more than there are


_DAMAGE = re.compile(_PATTERNS["damage"], re.IGNORECASE)
_COST = re.compile(r"\b(?:costs?|costing|bill)\b", re.IGNORECASE)
_NO_LOSS = re.compile(_PATTERNS["no_loss"], re.IGNORECASE)
_DECIMAL = re.compile(r"\d+\.\d{1,2}")
_FROM = re.compile(r"\bfrom $", re.IGNORECASE)
_NO_COUNT_ONE = re.compile(_PATTERNS["no_count_one"], re.IGNORECASE)
_KEPT = re.compile(_PATTERNS["kept"], re.IGNORECASE)
_LIVES = re.compile(r" (?:[\w'’-]{1,20} ){0,2}lives\b", re.IGNORECASE)
"""Behind a number, lives; they are no deaths where `_KEPT` stands before it: "saved 500 lives", "with nine lives"."""
_NEXT_COUNT = re.compile(r"\band (?:[a-z]+ ){0,4}$", re.IGNORECASE)
"""What stands between one count and the next: `50 were killed and more than ` 700 injured."""
_BE = re.compile(r"\b(?:was|were|is|are|been|being)\b", re.IGNORECASE)
"""What says that it was done to those who are counted before."""
_DEED = re.compile(
    r"(?:kill(?:s|ed|ing)?|shot dead|injured|wounded|hurt|arrested|detained) (?!.*\band )", re.IGNORECASE
)
_OF_THEM = re.compile(
    r" of (?:them|those|whom)\b| (?:critically|seriously|badly|severely|fatally)\b", re.IGNORECASE
)
"""`12 hurt, 3 of them seriously`: the twelve hurt nobody."""
_WORD_BEHIND = re.compile(r" [^\W\d]")
_DEEDS = "killed", "shot dead", "injured", "wounded", "arrested", "detained"
_TO_SOMEONE = re.compile(
    r" (?:an?|the|his|her|their|dozens|scores|several|hundreds|thousands)\b"
    r"(?! (?:(?:same|previous|next|other|last|first|second|third|few|couple|total)\b"
    r"|(?:minute|hour|morning|day|night|week|month|year|decade)|of them\b))"
    r"(?!(?: (?!and\b)[\w'’-]{1,30}){0,3} (?:injured|wounded|hurt|missing|dead|killed|arrested|detained)\b)",
)
"""`two men killed ` a guard; not `killed ` a day before, nor `killed ` several injured."""
_PARTS_OF_ORDINALS = "second", "third", "fifth", "ninth", "twelfth"
"""And of the other ordinals all hold a number in words."""
_COUNTING = _WORDS["counting"].split()
_PARTS_OF_HAPPENED = [part.replace("_", " ") for part in _WORDS["parts"].split()]
_LOSSES = frozenset(_WORDS["losses"].split())
_BODIES = frozenset(_WORDS["bodies"].split())
CLAUSE_END = re.compile(_PATTERNS["clause_end"])
"""Where a sentence ends within a text: pools hold whole pages in one piece."""


def find_casualties(text: str) -> list[Mention]:
    """The people that a text counts, in order and none within another; what is vague or names nobody is no count.

    >>> text = "At least 45 people were killed and more than 1,200 injured."
    >>> [(one.attribute, one.value, text[one.start : one.end]) for one in find_casualties(text)]
    [('deaths', 45.0, 'At least 45 people were killed'), ('injuries', 1200.0, 'more than 1,200 injured')]
    >>> find_casualties("Dozens of people were killed, police said")
    []
    """
    text = text[:_MOST_OF_CASUALTIES]
    if not _may_count_people(text):
        return []
    return _casualties(text)


@remembered
def _casualties(text: str) -> list[Mention]:
    mentions = []
    for mention in [*_people(text), *_bodies(text, frozenset(tokens(text)))]:
        number = mention.quantity
        if not number.vague and number.value and not text[number.end : mention.end].endswith("casualties"):
            doubt = doubt_before(text, number.start)
            mentions.append(
                replace(mention, start=min(mention.start, number.start if doubt is None else doubt))
            )
    mentions.sort(key=lambda mention: (mention.start, -mention.end))
    apart: list[Mention] = []
    for mention in mentions:
        if (
            not apart or mention.quantity.start >= apart[-1].end
        ):  # "40 people, 3 children among them, died": 40
            apart.append(mention)
    return apart


def find_tracked(text: str) -> list[Mention]:
    """The quantities of a text that count people or damage, vague ones and none of them too, in order.

    >>> [(one.attribute, one.value) for one in find_tracked("50 were killed and more than 700 injured")]
    [('deaths', 50.0), ('injuries', 700.0)]
    >>> find_tracked("three ferries")
    []
    """
    words = frozenset(tokens(text))
    mentions = [*_people(text), *_bodies(text, words)] if _may_count_people(text) else []
    for attribute, start, end in find_none(text, words):
        mentions.append(Mention(attribute, Quantity.exact(0.0, start, end), start, end))
    mentions += _losses(text, words)
    return sorted(mentions, key=lambda mention: (mention.quantity.start, mention.attribute))


def _may_count_people(text: str) -> bool:
    """Whether a text may say to how many people something happened, or to which; cheap, for most do not."""
    low = folded(text)
    return (may_number(low) or any(map(low.__contains__, _PARTS_OF_ORDINALS))) and any(
        map(low.__contains__, _PARTS_OF_HAPPENED)
    )


_SOME = r"people|persons|men|women|children|passengers|others|victims|bodies"
_NOT = re.compile(rf"(?: (?:{_SOME}))?(,? (?:and |but )?)not ")
_BEHIND_NOT = re.compile(
    rf",?(?= (?:{_SOME}|were|was|are|have|had|died|dead|killed|injured|wounded|hurt|missing|arrested)\b)"
)


def _people(text: str) -> list[Mention]:
    """The people that a text counts; "six, not seven, died" counts six."""
    low, high = _aside(text) if " not " in text else (0, 0)
    if not high:
        return _people_in(text)
    size = high - low
    mentions = []
    for mention in _people_in(text[:low] + text[high:]):
        quantity = mention.quantity
        if quantity.start >= low:
            quantity = replace(quantity, start=quantity.start + size, end=quantity.end + size)
        start, end = (at + size if at >= low else at for at in (mention.start, mention.end))
        mentions.append(replace(mention, quantity=quantity, start=start, end=end))
    return mentions


def _aside(text: str) -> tuple[int, int]:
    """From where to where a text says which number is wrong between the right one and what it counts."""
    for one, other in pairwise(find_quantities(text)):
        between = _NOT.fullmatch(text, one.end, other.start)
        behind = _BEHIND_NOT.match(text, other.end)
        if between is not None and behind is not None:
            return between.start(1), behind.end()
    return 0, 0


def _people_in(text: str) -> list[Mention]:
    mentions: list[Mention] = []
    quantities = find_quantities(text)
    for place, quantity in enumerate(quantities):
        start, end = quantity.start, quantity.end
        low = max(0, start - 130)
        if (
            quantity.high > _MOST_PEOPLE
            or not float(quantity.low).is_integer()
            or _DECIMAL.fullmatch(text[start:end])
            or NOT_PEOPLE.match(text, end)
            or (_LIVES.match(text, end) and _KEPT.search(text[low:start]))
            or (text[start:end].lower() == "one" and _NO_COUNT_ONE.search(text[low:start]))
        ):
            continue
        quick = folded(text[low:start])
        before = BEFORE.search(text[low:start]) if any(map(quick.__contains__, _COUNTING)) else None
        behind = BEHIND.match(text, end, min(len(text), end + 160))
        if before is None and behind is None:
            corrected = CORRECTED.search(text[low:start])
            counted = list(COUNTED.finditer(text, low, start)) if corrected is not None else []
            if counted:
                mentions.append(Mention(_kind(counted[-1]), quantity, start, end))
            continue
        one, other = _kind(before), _kind(behind)
        if before is not None and _FROM.search(before.group()) and " to " not in text[start:end]:
            before = None  # the toll from the 7 attacks; but: rose from 12 to 14
        if before is not None and not _is_toll(before) and " by " in before.group().lower():
            before = None  # shot dead by two men
        if behind is not None and _is_by_them(text, behind):
            behind = None
        if before is None and behind is None:
            continue
        if before is not None and behind is not None and one != other and _NEXT_COUNT.search(before.group()):
            before = None
        if (
            before is not None
            and mentions
            and _DEED.match(before.group())
            and low + before.start() < mentions[-1].end
        ):
            # One word for both: "12 killed 30 injured" counts each before its own, of "two men killed 12" two did it.
            if behind is not None and _is_of_next(text, behind, quantities[place + 1 : place + 3]):
                behind = None  # two bombs that killed three people injured 170
            if behind is not None and not _BE.search(behind.group()):
                before = None
            elif _OF_THEM.match(text, end) or (one != "deaths" and not _WORD_BEHIND.match(text, end)):
                continue
            elif not _BE.search(text, mentions[-1].quantity.end, mentions[-1].end):
                mentions.pop()
        if before is not None and (behind is None or one in ("deaths", "injuries", "arrested")):
            mentions.append(Mention(one, quantity, low + before.start(), end, _is_toll(before)))
        elif behind is not None:
            mentions.append(Mention(other, quantity, start, behind.end()))
    return mentions


def _is_toll(before: re.Match[str]) -> bool:
    return bool(before["toll"] or before["hurt_toll"])


def _is_by_them(text: str, behind: re.Match[str]) -> bool:
    """Whether those who are counted did it to someone else: `two men killed a guard`."""
    deed = behind.group().lower()
    return (
        deed.endswith(_DEEDS) and not _BE.search(deed) and _TO_SOMEONE.match(text, behind.end()) is not None
    )


def _is_of_next(text: str, behind: re.Match[str], quantities: list[Quantity]) -> bool:
    """Whether what is said behind a number counts the next one, of which nothing else is said."""
    number = next((one for one in quantities if one.start > behind.end()), None)
    return (
        number is not None
        and _DOUBTED.fullmatch(text, behind.end(), number.start) is not None
        and BEHIND.match(text, number.end, min(len(text), number.end + 160)) is None
        and not NOT_PEOPLE.match(text, number.end)
    )


def _bodies(text: str, words: frozenset[str]) -> list[Mention]:
    """`the 17th body`, `a second person has died`."""
    mentions = []
    for match in ORDINAL.finditer(text) if not _BODIES.isdisjoint(words) else ():
        value = float(match["n"]) if match["n"] else ORDINALS[folded(match["word"])]
        quantity = Quantity.exact(value, *match.span())
        mentions.append(Mention("deaths", quantity, match.start(), match.end(), toll=True))
    return mentions


def _losses(text: str, words: frozenset[str]) -> list[Mention]:
    mentions = []
    for money in find_sums(text) if not _LOSSES.isdisjoint(words) else ():
        if _is_loss(_clause(text, money.start, money.end, 90)):
            mentions.append(Mention("financialimpact", money, money.start, money.end))
    return mentions


def _is_loss(clause: str) -> bool:
    """Whether a clause speaks of damage, or of what something that happened costs; a ferry's price is no damage."""
    if _NO_LOSS.search(clause):
        return False
    if _DAMAGE.search(clause):
        return True
    return bool(_COST.search(clause)) and not happenings().isdisjoint(shared_analyzer().stems(clause))


def _kind(match: re.Match[str] | None) -> str:
    if match is None:
        return ""
    groups = match.groupdict()
    return next((kind for kind in CASUALTIES if groups.get(kind)), "deaths")


def _clause(text: str, start: int, end: int, width: int) -> str:
    """The words around a span that belong to its sentence."""
    low, high = max(0, start - width), min(len(text), end + width)
    for match in CLAUSE_END.finditer(text, low, start):
        low = match.end()
    stop = CLAUSE_END.search(text, end, high)
    return text[low : stop.start() if stop else high]


_MOST_OF_CASUALTIES = 10_000
_MOST_OF_COUNTS = 2_000
"""Characters of a text that are read; more is hostile."""
_MOST_COUNTS = 20  # of a sentence; more are a table
_SHARE = re.compile(r"(?<![\w.,$£€])(?P<n>\d[\d,]{0,15}(?:\.\d{1,6})?)\s?(?:%|per ?cent\b)")
_COUNTED = re.compile(
    r" (?:(?!(?:and|or|to|in|on|at|for|from|with|by|after|before|when|is|are|was|were|has|have|as|but|that|who)\b)"
    r"[a-z][a-z-]{1,20} ){0,2}?([a-z]{2,27}(?!s)[a-z]s|people|men|women|children|staff|police|dead)\b"
)
_DATE_OR_TIME = re.compile(r"\s?[:.]\d|-|['’]|\s?(?:a\.?m|p\.?m|GMT|BST|UK)\b|/\d")
_NUMBERED = re.compile(_PATTERNS["numbered"], re.IGNORECASE)
_NOT_COUNTED = ENGLISH.union(_WORDS["never_counted"].split())


def find_counts(text: str, language: str = "") -> list[Mention]:
    """The numbers of a text with what they count: casualties first, then money and shares, then other things, in order.

    The rules here are for English, and for texts whose language is not known; those of others (codes of ISO 639-1) are
    in `tidings.analysis.values.counts_by_language`.

    >>> [(one.attribute, one.value) for one in find_counts("At least 80 dead; BP paid $20bn for 3,500 wells.")]
    [('deaths', 80.0), ('USD', 20000000000.0), ('wells', 3500.0)]
    >>> find_counts("At 10:30 on 26 July 2013, three days later, a man aged 45 came to 12 High Street.")
    []
    """
    if language and language != "en":
        return find_counts_in(text, language)
    text = text[:_MOST_OF_COUNTS]
    quantities = find_quantities(text)
    mentions = find_casualties(text) if quantities else []
    mentions += [Mention(money.currency, money, money.start, money.end) for money in find_sums(text)]
    for match in _SHARE.finditer(text):
        share = Quantity.exact(float(match["n"].replace(",", "")), *match.span())
        mentions.append(Mention("%", share, share.start, share.end))
    taken = [(mention.start, mention.end) for mention in mentions]
    for quantity in quantities:
        start, end = quantity.start, quantity.end
        counted = _COUNTED.match(text, end)
        if (
            counted is not None
            and quantity.value != 1
            and not quantity.vague
            and counted[1] not in _NOT_COUNTED
            and not _DATE_OR_TIME.match(text, end)
            and not _NUMBERED.search(text[max(0, start - 12) : start])
            and not any(low <= start < high for low, high in taken)
        ):
            mentions.append(Mention(counted[1], quantity, start, counted.end(1)))
    return mentions[:_MOST_COUNTS]
