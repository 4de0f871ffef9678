"""What tells one deed from another like it: who suffered it, in which part of a place, on which charge, for how long.

Two crew members killed are not two rescuers, a strike in the north of a city is none in its south, and who was arrested
for fraud is arrested anew for murder. What one of two sentences leaves unsaid tells nothing apart.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from tidings.analysis import find_quantities
from tidings.core import data_beside, shared_analyzer, tokens

__all__ = ["find_charge", "find_parts", "find_people", "find_terms", "is_apart"]

_TABLES = data_beside(__file__)
_KINDS: dict[str, frozenset[str]] = {}
for _table in ("roles", "sex"):
    for _number, _line in enumerate(_TABLES[_table].strip().split("\n")):
        for _word in _line.split():
            for _form in (_word, f"{_word}s"):
                _KINDS[_form] = _KINDS.get(_form, frozenset()) | {f"{_table} {_number}"}
"""The lines on which each word for people stands, in the singular and in the plural."""

_BE, _COUNTS, _OF_THEMSELVES = (frozenset(_TABLES[name].split()) for name in ("be", "counts", "intransitive"))
_AROUND, _STOPS = _BE.union(_TABLES["around"].split()), frozenset(_TABLES["stops"].split())
_NOT_BEYOND, _BEGINS = (_COUNTS.union(_TABLES[name].split()) for name in ("sayings", "begins"))
_BLOWS, _SOME_OF = (frozenset(_TABLES[name].split()) for name in ("blows", "some_of"))
_REACH = 5
_DIRECTION = re.compile(
    r"(?<![\w-])(?<!km )(?<!miles )(?<!meters )(?<!metres )"
    r"(?:(?P<one>north|south)[- ]?)?(?P<other>north|south|east|west)"
    r"(?:ern(?:most)?|ward|wards|(?! (?:Korea|Sudan|Africa|China|Wales|Bank|Timor|Virginia|Carolina|Dakota)))(?![\w-])",
    re.IGNORECASE,
)
"""Neither how far south of a city, nor part of a name: South Korea."""
_CHARGE = re.compile(
    r"\b(?:on (?:\w+ ){0,2}?(?:suspicion|charges?|counts?|accusations?|allegations?) of|suspected of|accused of"
    r"|charged with|(?:arrested|detained|held) for)"
    r"(?P<what>(?: (?!(?:in|at|on|after|over|by|from)\b)[\w'’-]+){1,6})",
    re.IGNORECASE,
)
_TERM = re.compile(
    r"\b(?:sentence[sd]?|jail(?:s|ed)?|prison|imprison(?:ed|ment)|ban(?:s|ned)?|suspended)\b", re.IGNORECASE
)
_LENGTH = re.compile(r"[ -](?P<unit>year|month|week|day)s?\b", re.IGNORECASE)


@lru_cache(maxsize=2_048)
def find_people(text: str, states: tuple[tuple[str, str], ...]) -> Mapping[str, frozenset[str]]:
    """Of each state in which people are, the kinds of people that are said to be in it.

    Args:
        text: the sentence.
        states: the words for states, each with its state.

    >>> killed = (("killed", "died"),)
    >>> policeman, = find_people("Protesters killed a policeman.", killed).values()
    >>> protester, = find_people("A protester was killed by policemen.", killed).values()
    >>> is_apart(policeman, protester)
    True
    """
    words, states_of = tokens(text), dict(states)
    found: dict[str, frozenset[str]] = {}
    for place, word in enumerate(words):
        state = states_of.get(word)
        if state is None:
            continue
        kinds = _people_at(words, place)
        if kinds:
            found[state] = found.get(state, frozenset()) | kinds
    return found


def _people_at(words: list[str], place: int) -> frozenset[str]:
    last, behind = place - 1, words[place + 1 : place + 1 + _REACH]
    while last >= 0 and words[last] in _AROUND:
        last -= 1
    is_blow = words[place] == "dead" and place > 0 and words[place - 1] in _BLOWS  # shot dead a policeman
    is_done_to = not _BE.isdisjoint(words[last + 1 : place]) or (
        words[place] in _OF_THEMSELVES and not is_blow
    )
    if not is_done_to and behind and (behind[0] in _BEGINS or behind[0].isdigit() or behind[0] in _KINDS):
        return _first_kind(behind, _STOPS)
    before = words[max(0, last + 1 - _REACH) : last + 1]
    return _first_kind(before[::-1], _NOT_BEYOND) if _SOME_OF.isdisjoint(before) else frozenset()


def _first_kind(words: list[str], ends: frozenset[str]) -> frozenset[str]:
    for word in words:
        if word in _KINDS:
            return _KINDS[word]
        if word in ends or (ends is _NOT_BEYOND and word.isdigit()):
            break
    return frozenset()


def is_apart(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether kinds of people cannot be said of the same ones: of one table both name some, and none is in common."""
    tables = {kind.split()[0] for kind in one} & {kind.split()[0] for kind in other}
    return any(
        not {kind for kind in one if kind.startswith(table)}
        & {kind for kind in other if kind.startswith(table)}
        for table in tables
    )


@lru_cache(maxsize=2_048)
def find_parts(text: str) -> frozenset[str]:
    """The directions that a sentence gives: `north`, `south`, `east`, `west`.

    >>> sorted(find_parts("A strike in north-western Khartoum")), find_parts("Northgate is closed")
    (['north', 'west'], frozenset())
    """
    return frozenset(part.lower() for match in _DIRECTION.finditer(text) for part in match.groups() if part)


@lru_cache(maxsize=2_048)
def find_charge(text: str) -> frozenset[str]:
    """The stems of what somebody is suspected of.

    >>> sorted(find_charge("The captain was arrested on suspicion of tax fraud in Nador."))
    ['fraud', 'tax']
    """
    return frozenset(
        stem for match in _CHARGE.finditer(text) for stem in shared_analyzer().stems(match["what"])
    )


@lru_cache(maxsize=2_048)
def find_terms(text: str) -> frozenset[tuple[float, str]]:
    """For how long somebody is jailed, banned or suspended: numbers with their units.

    >>> find_terms("He was jailed for four years."), find_terms("He ran for four years.")
    (frozenset({(4.0, 'year')}), frozenset())
    """
    if _TERM.search(text) is None:
        return frozenset()
    lengths = ((number.value, _LENGTH.match(text, number.end)) for number in find_quantities(text))
    return frozenset((value, length["unit"].lower()) for value, length in lengths if length is not None)
