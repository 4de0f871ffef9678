"""Candidates: the numbers of a sentence that count people or damage, and the words that say so.

Whether they are meant of the event, and of all of it, is not asked here (`tidings.analysis.values.mentions`).
"""

from __future__ import annotations

import re

from msgspec import Struct

from tidings.analysis.values.happenings import happenings
from tidings.analysis.values.money import find_sums
from tidings.analysis.values.none import find_none
from tidings.analysis.values.numbers import Quantity, find_quantities
from tidings.analysis.values.wording import (
    ATTRIBUTES,
    BEFORE,
    BEHIND,
    CORRECTED,
    COUNTED,
    NOT_PEOPLE,
    ORDINAL,
)
from tidings.core import shared_analyzer, tokens

__all__ = ["CLAUSE_END", "Candidate", "find_candidates"]

_PEOPLE_ATTRIBUTES = ATTRIBUTES[:5]
_MOST_PEOPLE = 8e9


class Candidate(Struct, frozen=True):
    """A quantity of an attribute; characters start..end of the text say so, `toll` as a count that is kept."""

    attribute: str
    quantity: Quantity
    start: int
    end: int
    toll: bool = False


_DAMAGE = re.compile(
    r"\b(?:damag(?:es?|ed|ing)|loss(?:es)?|economic (?:impact|toll|loss(?:es)?|damage)|insured|destruction)\b",
    re.IGNORECASE,
)
_COST = re.compile(r"\b(?:costs?|costing|bill)\b", re.IGNORECASE)
_NO_LOSS = re.compile(
    r"\b(?:compensat\w+|rewards?|donat\w+|aid|funds?|funding|pledg\w+|relief|grants?|fines?|fined|salary|award\w*"
    r"|lawsuits?|sue[sd]?"
    r"|suing|budget|construct\w+|built|build|bail|tickets?|tax(?:es)?|contracts?|profits?|revenues?|market|stocks?"
    r"|per (?:person"
    r"|passenger|family|week|month|barrel|gallon)|each|victims'? famil\w+|excess|deductible|prize|paid|pay|ransom"
    r"|loans?|charity"
    r"|raised?|spend(?:ing)?|spent|settle\w*|cap|liabilit\w+|dividends?|assets?|fight\w*|crops?|agricultur\w*"
    r"|farm\w*|sell|sold|sale|escrow|fell|shares?|seeks?|seeking|complaint|punitive"
    r"|report(?:s|ed|ing)? an? (?:record|huge|first|net)|quarter(?:s|ly)?|pre-?tax|net loss(?:es)?)\b",
    re.IGNORECASE,
)
_COUNTING = re.compile(
    r"kill|claim|death|toll|count|number|total|murder|cost|dead|shot|shoot|bod|drown|slaughter|massac|fatal|injur"
    r"|wound|hurt"
    r"|missing|search|displac|evacu|forc|homeless|make|leav|arrest|detain",
    re.IGNORECASE,
)
"""What `BEFORE` begins with, quickly told."""
_DECIMAL = re.compile(r"\d+\.\d{1,2}")
_FROM = re.compile(r"\bfrom $", re.IGNORECASE)
_NO_COUNT_ONE = re.compile(
    r"\b(?:loved|this|that|any|every|each|which|another|the|last|first) $", re.IGNORECASE
)
_NEXT_COUNT = re.compile(r"\band (?:[a-z]+ ){0,4}$", re.IGNORECASE)
"""What stands between one count and the next: `50 were killed and more than ` 700 injured."""
_LOSSES_TEXT = (
    "damage damages damaged damaging loss losses cost costs costing economic insured destruction bill"
)
_LOSSES = frozenset(_LOSSES_TEXT.split())
_BODIES_TEXT = "victim body fatality death casualty person"
_BODIES = frozenset(_BODIES_TEXT.split())
CLAUSE_END = re.compile(
    r"(?<!\b[A-Z])(?<!\b(?:Mr|Dr|St|Lt|Mt))(?<!\b(?:Gov|Gen|Sen|Col|Rev|Aug|Oct|Nov|Dec|Jan|Feb|Mrs|Sgt|Maj))[.;!?]"
    r"(?=\s+[\"'“‘(]?[A-Z]|\s*$)"
)
"""Where a sentence ends within a text: pools hold whole pages in one piece."""


def find_candidates(text: str) -> list[Candidate]:
    """The quantities of the cleaned text that count people or damage, in order.

    >>> [(one.attribute, one.quantity.value) for one in find_candidates("50 were killed and more than 700 injured")]
    [('deaths', 50.0), ('injuries', 700.0)]
    >>> find_candidates("three ferries")
    []
    """
    words = frozenset(tokens(text))
    candidates = [*_people(text), *_bodies(text, words)]
    for attribute, start, end in find_none(text, words):
        candidates.append(Candidate(attribute, Quantity(0.0, 0.0, 0.0, "", start, end), start, end))
    candidates += _sums(text, words)
    return sorted(candidates, key=lambda one: (one.quantity.start, one.attribute))


def _people(text: str) -> list[Candidate]:
    candidates = []
    for quantity in find_quantities(text):
        start, end = quantity.start, quantity.end
        low = max(0, start - 130)
        if (
            quantity.high > _MOST_PEOPLE
            or not float(quantity.low).is_integer()
            or _DECIMAL.fullmatch(text[start:end])
            or NOT_PEOPLE.match(text, end)
            or (text[start:end].lower() == "one" and _NO_COUNT_ONE.search(text[low:start]))
        ):
            continue
        before = BEFORE.search(text[low:start]) if _COUNTING.search(text[low:start]) else None
        behind = BEHIND.match(text, end, min(len(text), end + 160))
        if before is None and behind is None:
            corrected = CORRECTED.search(text[low:start])
            counted = list(COUNTED.finditer(text, low, start)) if corrected is not None else []
            if counted:
                candidates.append(Candidate(_kind(counted[-1]), quantity, start, end))
            continue
        one, other = _kind(before), _kind(behind)
        if before is not None and _FROM.search(before.group()) and " to " not in text[start:end]:
            before = None  # the toll from the 7 attacks; but: rose from 12 to 14
        if before is None and behind is None:
            continue
        if before is not None and behind is not None and one != other and _NEXT_COUNT.search(before.group()):
            before = None
        if before is not None and (behind is None or one in ("deaths", "injuries", "arrested")):
            is_toll = bool(before.groupdict().get("toll") or before.groupdict().get("hurt_toll"))
            candidates.append(Candidate(one, quantity, low + before.start(), end, is_toll))
        elif behind is not None:
            candidates.append(Candidate(other, quantity, start, behind.end()))
    return candidates


def _bodies(text: str, words: frozenset[str]) -> list[Candidate]:
    """`the 17th body`."""
    candidates = []
    for match in ORDINAL.finditer(text) if not _BODIES.isdisjoint(words) else ():
        value = float(match["n"])
        quantity = Quantity(value, value, value, "", match.start(), match.end())
        candidates.append(Candidate("deaths", quantity, match.start(), match.end(), toll=True))
    return candidates


def _sums(text: str, words: frozenset[str]) -> list[Candidate]:
    candidates = []
    for money in find_sums(text) if not _LOSSES.isdisjoint(words) else ():
        if _is_loss(_clause(text, money.start, money.end, 90)):
            qualifier = "range" if money.low < money.high else ""
            quantity = Quantity(money.value, money.low, money.high, qualifier, money.start, money.end)
            candidates.append(Candidate("financialimpact", quantity, money.start, money.end))
    return candidates


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
    return next((kind for kind in _PEOPLE_ATTRIBUTES if groups.get(kind)), "deaths")


def _clause(text: str, start: int, end: int, width: int) -> str:
    """The words around a span that belong to its sentence."""
    low, high = max(0, start - width), min(len(text), end + width)
    for match in CLAUSE_END.finditer(text, low, start):
        low = match.end()
    stop = CLAUSE_END.search(text, end, high)
    return text[low : stop.start() if stop else high]
