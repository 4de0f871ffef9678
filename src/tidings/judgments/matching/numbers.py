"""The numbers that a text states and what stands beside them, as far as a match of two texts asks for them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tidings.text.tokens import Analyzer

__all__ = ["number_agreement", "stated_numbers"]

_WORDS = tuple(
    re.findall(
        r"\w+",
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty",
    )
)
_VALUES = {word: float(value) for value, word in enumerate(_WORDS)} | {
    "dozen": 12.0,
    "thirty": 30.0,
    "forty": 40.0,
    "fifty": 50.0,
    "sixty": 60.0,
    "seventy": 70.0,
    "eighty": 80.0,
    "ninety": 90.0,
}
_SCALES = {"hundred": 100.0, "thousand": 1e3, "million": 1e6, "billion": 1e9}
_TOKEN = re.compile(r"\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|[^\W\d_]+")
_TOLLS = {
    **dict.fromkeys(("kill", "dead", "die", "death", "toll", "fatal", "victim", "life", "live"), "dead"),
    **dict.fromkeys(("injur", "wound", "hurt", "hospit"), "hurt"),
    **dict.fromkeys(("miss", "unaccount"), "miss"),
}
_NEAR = 4


def stated_numbers(text: str, analyzer: Analyzer) -> list[tuple[float, frozenset[str]]]:
    """Each number of a text with the stems of the four words behind it and the toll word nearby, in order.

    >>> from tidings.text.tokens import shared_analyzer
    >>> [(value, sorted(units)) for value, units in stated_numbers("12 people died; two ferries", shared_analyzer())]
    [(12.0, ['dead', 'die', 'ferri', 'peopl', 'two']), (2.0, ['dead', 'ferri'])]
    """
    words = _TOKEN.findall(text[:2000])
    found: list[tuple[float, frozenset[str]]] = []
    for place, word in enumerate(words):
        value = (
            float(word.replace(",", ""))
            if word[0].isdigit() and word.isascii()
            else _VALUES.get(word.lower())
        )
        if value is None or (word.lower() == "one"):
            continue
        behind = words[place + 1 : place + 1 + _NEAR]
        if behind and behind[0].lower() in _SCALES:
            value *= _SCALES[behind[0].lower()]
        stems = {analyzer.stem(one.lower()) for one in behind if not one[0].isdigit()} - {""}
        around = words[max(0, place - _NEAR) : place + 1 + _NEAR]
        tolls = {_TOLLS.get(analyzer.stem(one.lower()), "") for one in around} - {""}
        found.append((value, frozenset(stems | tolls)))
    return found


def number_agreement(
    nuggets: Sequence[str], texts: Sequence[str], analyzer: Analyzer
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """(agree, conflict), each (texts, nuggets): shares of a nugget's numbers that a text states, or states otherwise.

    A number conflicts where the text lacks it and states another one of the same thing: words behind, or a toll.
    A nugget without numbers agrees and conflicts with none (0).
    """
    of_value: defaultdict[float, set[int]] = defaultdict(set)
    of_unit: defaultdict[str, set[int]] = defaultdict(set)
    for row, text in enumerate(texts):
        for value, units in stated_numbers(text, analyzer):
            of_value[value].add(row)
            for unit in units:
                of_unit[unit].add(row)
    shape = (len(texts), len(nuggets))
    agree, conflict = np.zeros(shape, dtype=np.float32), np.zeros(shape, dtype=np.float32)
    for column, text in enumerate(nuggets):
        stated = stated_numbers(text, analyzer)
        for value, units in stated:
            same = of_value.get(value, set())
            other = set().union(*(of_unit.get(unit, set()) for unit in units)) - same
            agree[sorted(same), column] += 1 / len(stated)
            conflict[sorted(other), column] += 1 / len(stated)
    return agree, conflict
