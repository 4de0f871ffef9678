"""Number mentions: what a sentence counts, of whom, how sure it is, and why it may not be meant of the event.

"At least 45 people were killed in Karachi"  ->  deaths 45, at least, part ("Karachi" is not the event's own word)
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable
from functools import lru_cache

from msgspec import Struct

from tidings.text.tokens import shared_analyzer, tokens
from tidings.values.context import Setting, clean, read_setting
from tidings.values.money import find_sums
from tidings.values.numbers import NUMBER, NUMBER_WORDS, Quantity, find_quantities, number_of
from tidings.values.parts import part_of
from tidings.values.wording import ATTRIBUTES, BEFORE, BEHIND, CORRECTED, COUNTED, CUES, NOT_PEOPLE, ORDINAL

__all__ = ["Mention", "find_mentions"]

_LONGEST = 1_500
"""Characters of a sentence that are looked at; more is hostile."""

_PEOPLE_ATTRIBUTES = ATTRIBUTES[:5]
_MOST_PEOPLE = 8e9
_SENTENCE = 400
"""Characters of a text that is still one sentence: all of its words are close to each other."""
_CLOSE = 110
"""Characters on either side of a number within which words are close to it in a longer text: a page in one piece."""


class Mention(Struct, frozen=True):
    """A number and what it says: so many (`low` to `high`) of an `attribute`.

    `doubts` are the reasons why it may not be the event's number (`tidings.values.claims.DOUBTS`). `toll` says that it
    is named as a total, `official` that somebody answers for it, `revised` that it replaces another, `instead_of` which
    larger one it corrects. `near` counts the event's own words close by. `start` and `end` are characters of the
    cleaned sentence, and `key` a digest of the words next to the number.
    """

    attribute: str
    value: float
    low: float
    high: float
    qualifier: str = ""
    doubts: tuple[str, ...] = ()
    toll: bool = False
    official: bool = False
    revised: bool = False
    instead_of: float | None = None
    near: int = 0
    start: int = 0
    end: int = 0
    key: int = 0


_DIGIT = re.compile(r"\d")
_TOTAL = re.compile(
    r"\btoll\b|\btotal(?:s|ling|led)?\b|\bin all\b|\bso far\b|\boverall\b|\baltogether\b|\bnumber of (?:dead|deaths"
    r"|fatalities|victims|injured|missing|people)|\bconfirmed dead\b|\bdeath count\b|\bbody count\b|\bnow stands\b",
    re.IGNORECASE,
)
_OFFICIAL = re.compile(
    r"\b(?:officials?|police|authorit\w+|ministr?\w*|spokes\w+|governments?|governor|mayor|president|coroner"
    r"|sheriff|coast"
    r" guard|red cross|un|united nations|agenc(?:y|ies)|army|military|fire (?:chief|department|service)"
    r"|civil defen[cs]e"
    r"|hospitals?|prosecutors?|emergency services|disaster|according to|said|says|confirm(?:s|ed)|announced"
    r"|reported)\b",
    re.IGNORECASE,
)
_REVISED = re.compile(
    r"\b(?:revis(?:e|ed|es|ing)|lower(?:s|ed|ing)|down from|correct(?:s|ed|ing)|reduc(?:e|ed|es|ing)|cut(?:s"
    r"|ting)? (?:the"
    r"|its)|up from|rose|risen|rises|climb(?:s|ed)|rais(?:es|ed))\b",
    re.IGNORECASE,
)
_SINCE_THEN = re.compile(
    r"\b(?:deadliest|worst|bloodiest|biggest|largest|highest|most|first|strongest|greatest|heaviest)\b[^.;]*\bsince\b",
    re.IGNORECASE,
)
_LOWERED = re.compile(
    r"\b(?:revis(?:e|ed|es|ing)|lower(?:s|ed|ing)|down|downwards?|correct(?:s|ed|ing|ion)|reduc(?:e|ed|es|ing)"
    r"|cut(?:s|ting)?)\b",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    rf"\b(?:from|not|instead of|rather than|(?:earlier|previous|initial) (?:\w+ ){{0,3}}of) (?P<n>{NUMBER})(?!\w)",
    re.IGNORECASE,
)
_SUPERSEDED = re.compile(
    r"(?:\b(?:down|up|lowered|raised|revised|reduced|rose|risen|increased?|fell|dropped|climbed|changed|jumped"
    r"|compared (?:to|with)"
    r")[^.;\d]{0,30} from|\b(?:earlier|previous|initial|original|preliminary|first)(?:ly)? (?:\w+ ){0,4}(?:of|was"
    r"|were|had|said"
    r"|reported|put|at)|instead of|rather than|not|than the) (?:the |an? )?(?:\w+ ){0,2}$",
    re.IGNORECASE,
)
_STORM = re.compile(
    r"\b(?:Hurricane|Typhoon|Cyclone|Tropical Storm|Super Typhoon|Storm) (?P<name>[A-Z][a-z]{2,})\b"
)
_COMBINED = re.compile(
    r"\b(?:dead|killed|injured|wounded|missing|hurt)(?: or|/| and/or|, or| and) (?:dead|killed|missing|injured"
    r"|wounded|hurt)\b",
    re.IGNORECASE,
)
_NONE = re.compile(
    r"\b(?:no|zero|without(?: any)?|(?:not|n't) (?:been )?any)(?: (?:reports? of|immediate|confirmed|reported"
    r"|known|further"
    r"|other|serious|major|human|civilian|word of|casualties or)){0,4} (?:(?P<deaths>deaths?|fatalities|casualties|dead"
    r"|one (?:was |has been |had been |has )?(?:killed|died)|loss of life)|(?P<injuries>injur(?:ies|y)|injured"
    r"|one (?:was |has been"
    r" )?(?:hurt|injured)))\b|\bnobody (?:was |has been )?(?:(?P<died>killed|died)|(?P<hurt>hurt|injured))\b",
    re.IGNORECASE,
)
_PARTIAL_NONE = re.compile(r"\b(?:further|other|serious|major|immediate|more|word)\b", re.IGNORECASE)
_LOSS = re.compile(
    r"\b(?:damag(?:es?|ed|ing)|loss(?:es)?|costs?|costing|economic (?:impact|toll|loss(?:es)?|damage)|insured"
    r"|destruction|bill)\b",
    re.IGNORECASE,
)
_NO_LOSS = re.compile(
    r"\b(?:compensat\w+|rewards?|donat\w+|aid|funds?|funding|pledg\w+|relief|grants?|fines?|fined|salary|award\w*"
    r"|lawsuits?|sue[sd]?"
    r"|suing|budget|construct\w+|built|build|bail|tickets?|tax(?:es)?|contracts?|profits?|revenues?|market|stocks?"
    r"|per (?:person"
    r"|passenger|family|week|month|barrel|gallon)|each|victims'? famil\w+|excess|deductible|prize|paid|pay|ransom"
    r"|loans?|charity"
    r"|raised?|spend(?:ing)?|spent|settle\w*|cap|liabilit\w+|dividends?|assets?|fight\w*|crops?|agricultur\w*"
    r"|farm\w*|sell|sold|sale|escrow|fell|shares?|seeks?|seeking|complaint|punitive)\b",
    re.IGNORECASE,
)
_COUNTING = re.compile(
    r"kill|claim|death|toll|count|number|total|murder|cost|dead|shot|shoot|bod|drown|slaughter|massac|fatal|injur"
    r"|wound|hurt"
    r"|missing|search|displac|evacu|forc|homeless|make|leav|arrest|detain",
    re.IGNORECASE,
)
"""What `BEFORE` begins with, quickly told."""
_LOSSES_TEXT = (
    "damage damages damaged damaging loss losses cost costs costing economic insured destruction bill"
)
_LOSSES = frozenset(_LOSSES_TEXT.split())
_BODIES_TEXT = "victim body fatality death casualty person"
_BODIES = frozenset(_BODIES_TEXT.split())
_NEGATIONS_TEXT = "no zero without not nobody any"
_NEGATIONS = frozenset(_NEGATIONS_TEXT.split()) | {"nt"}
_CLAUSE_END = re.compile(
    r"(?<!\b[A-Z])(?<!\b(?:Mr|Dr|St|Lt|Mt))(?<!\b(?:Gov|Gen|Sen|Col|Rev|Aug|Oct|Nov|Dec|Jan|Feb|Mrs|Sgt|Maj))[.;!?]"
    r"(?=\s+[\"'“‘(]?[A-Z]|\s*$)"
)


def find_mentions(text: str, year: int = 9999, own: Iterable[str] = (), *, about: int = 0) -> list[Mention]:
    """The numbers that a sentence gives of deaths, injuries and the like, in order, doubtful ones with their doubts.

    Args:
        text: the sentence.
        year: that of publication; earlier years speak of the past.
        own: the stems of the event's title and query: their places and groups are no part of it.
        about: how many of them the document's title holds; with two, they are near wherever the number stands.

    >>> said = "At least 45 died and some 1,200 were injured"
    >>> [(one.attribute, one.low, one.qualifier) for one in find_mentions(said)]
    [('deaths', 45.0, 'at least'), ('injuries', 1200.0, 'about')]
    >>> find_mentions("There were no injuries when the 44 centimetres of snow fell")[0].value
    0.0
    >>> find_mentions("The leak could kill 20,000 birds each year, 12% of them")
    []
    """
    text = text[:_LONGEST]
    if CUES.isdisjoint(shared_analyzer().stems(text)) or not _may_count(text):
        return []
    return list(_mentions(text, year, frozenset(own), about))


def _may_count(text: str) -> bool:
    return bool(_DIGIT.search(text)) or not NUMBER_WORDS.isdisjoint(tokens(text))


@lru_cache(maxsize=4_096)
def _mentions(text: str, year: int, own: frozenset[str], about: int) -> tuple[Mention, ...]:
    # The same sentence comes again and again: outlets copy each other.
    text = clean(text)
    candidates = _candidates(text)
    if not candidates:
        return ()
    setting = read_setting(text, year)
    return tuple(_mention(text, *candidate, setting, own, about) for candidate in candidates)


def _candidates(text: str) -> list[tuple[str, Quantity, tuple[int, int], bool]]:
    """Attribute, quantity, the span of the words that say so, and whether they are a toll's."""
    candidates = []
    for quantity in find_quantities(text):
        start, end = quantity.start, quantity.end
        if (
            quantity.high > _MOST_PEOPLE
            or not float(quantity.low).is_integer()
            or NOT_PEOPLE.match(text, end)
        ):
            continue
        low = max(0, start - 130)
        before = BEFORE.search(text[low:start]) if _COUNTING.search(text[low:start]) else None
        behind = BEHIND.match(text, end, min(len(text), end + 160))
        if before is None and behind is None:
            corrected = CORRECTED.search(text[low:start])
            counted = list(COUNTED.finditer(text, low, start)) if corrected is not None else []
            if counted:
                candidates.append((_kind(counted[-1]), quantity, (start, end), False))
            continue
        one, other = _kind(before), _kind(behind)
        if before is not None and (behind is None or one in ("deaths", "injuries", "arrested")):
            is_toll = bool(before.groupdict().get("toll") or before.groupdict().get("hurt_toll"))
            candidates.append((one, quantity, (low + before.start(), end), is_toll))
        elif behind is not None:
            candidates.append((other, quantity, (start, behind.end()), False))
    words = frozenset(tokens(text))
    for match in ORDINAL.finditer(text) if not _BODIES.isdisjoint(words) else ():
        value = float(match["n"])
        quantity = Quantity(value, value, value, "", match.start(), match.end())
        candidates.append(("deaths", quantity, match.span(), True))
    for match in _NONE.finditer(text) if not _NEGATIONS.isdisjoint(words) else ():
        if not _PARTIAL_NONE.search(match.group()):
            attribute = "deaths" if match["deaths"] or match["died"] else "injuries"
            quantity = Quantity(0.0, 0.0, 0.0, "", match.start(), match.end())
            candidates.append((attribute, quantity, match.span(), False))
    for money in find_sums(text) if not _LOSSES.isdisjoint(words) else ():
        clause = _clause(text, money.start, money.end, 90)
        if _LOSS.search(clause) and not _NO_LOSS.search(clause):
            qualifier = "range" if money.low < money.high else ""
            quantity = Quantity(money.value, money.low, money.high, qualifier, money.start, money.end)
            candidates.append(("financialimpact", quantity, (money.start, money.end), False))
    return sorted(candidates, key=lambda one: (one[1].start, one[0]))


def _kind(match: re.Match[str] | None) -> str:
    if match is None:
        return ""
    groups = match.groupdict()
    return next((kind for kind in _PEOPLE_ATTRIBUTES if groups.get(kind)), "deaths")


def _clause(text: str, start: int, end: int, width: int) -> str:
    """The words around a span that belong to its sentence (pools hold whole pages as one)."""
    low, high = max(0, start - width), min(len(text), end + width)
    for match in _CLAUSE_END.finditer(text, low, start):
        low = match.end()
    stop = _CLAUSE_END.search(text, end, high)
    return text[low : stop.start() if stop else high]


def _mention(
    text: str,
    attribute: str,
    quantity: Quantity,
    span: tuple[int, int],
    toll: bool,
    setting: Setting,
    own: frozenset[str],
    about: int,
) -> Mention:
    start, end = span
    doubts = []
    clause_start, clause_end = _bounds(text, start, end)
    if any(clause_start <= low < clause_end and not _is_behind(text, low, end) for low, _ in setting.past):
        doubts.append("past")
    if any(max(clause_start, start - 60) <= low < end for low, _ in setting.modal):
        doubts.append("modal")
    if any(max(clause_start, start - 60) <= low < min(clause_end, end + 60) for low, _ in setting.rate):
        doubts.append("rate")
    if setting.personal:
        doubts.append("comment")
    if setting.question:
        doubts.append("question")
    if any(
        clause_start <= match.start() < clause_end
        and shared_analyzer().stem(match["name"].lower()) not in own
        for match in _STORM.finditer(text)
    ):
        doubts.append("other")
    if quantity.vague:
        doubts.append("vague")
    if text[quantity.end : end].lower().endswith("casualties"):
        doubts.append("casualties")
    if _SUPERSEDED.search(text[max(0, quantity.start - 60) : quantity.start]):
        doubts.append("superseded")
    if _COMBINED.search(text[max(start, end - 12) : end + 24]):
        doubts.append("combined")
    doubts += part_of(text, attribute, quantity, span, own)
    clause = text[clause_start:clause_end]
    return Mention(
        attribute,
        quantity.value,
        quantity.low,
        quantity.high,
        quantity.qualifier,
        tuple(dict.fromkeys(doubts)),
        toll or bool(_TOTAL.search(clause)),
        bool(_OFFICIAL.search(clause)),
        bool(_REVISED.search(clause)),
        _corrected(text, quantity, (clause_start, clause_end)),
        max(_near(text, quantity, own), about if about > 1 else 0),
        quantity.start,
        quantity.end,
        _key(text, quantity),
    )


def _key(text: str, quantity: Quantity) -> int:
    """A digest of the words next to a number, by which repeats are known wherever they stand."""
    before = tokens(text[max(0, quantity.start - 60) : quantity.start])[-5:]
    behind = tokens(text[quantity.end : quantity.end + 30])[:1]
    return zlib.crc32(" ".join([*before, text[quantity.start : quantity.end].lower(), *behind]).encode())


def _is_behind(text: str, past: int, end: int) -> bool:
    """Whether a time of the past stands behind a number of now: `80 died, the worst since 1972, when …`."""
    return past > end and bool(_SINCE_THEN.search(text[end:past]))


def _corrected(text: str, quantity: Quantity, clause: tuple[int, int]) -> float | None:
    """The larger number that the clause says this one corrects: `lowered from 80 to 78`, `78, not 80`."""
    low, high = clause
    words = text[low:high]
    if not _LOWERED.search(words):
        return None
    numbers = [number_of(match["n"]) for match in _INSTEAD.finditer(words)]
    return next(
        (one for one in numbers if one is not None and quantity.value < one <= 3 * quantity.value), None
    )


def _near(text: str, quantity: Quantity, own: frozenset[str]) -> int:
    words = tokens(
        text if len(text) <= _SENTENCE else text[max(0, quantity.start - _CLOSE) : quantity.end + _CLOSE]
    )
    stem = shared_analyzer().stem
    near = len({stem(word) for word in words} & own)
    return 2 * near if len(own) == 1 else near  # an event of one word can have no more


def _bounds(text: str, start: int, end: int) -> tuple[int, int]:
    low, high = max(0, start - 140), min(len(text), end + 140)
    for match in _CLAUSE_END.finditer(text, low, start):
        low = match.end()
    stop = _CLAUSE_END.search(text, end, high)
    return low, stop.start() if stop else high
