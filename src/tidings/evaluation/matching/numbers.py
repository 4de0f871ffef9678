"""The numbers that a text states and what stands beside them, as far as a match of two texts asks for them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tidings.analysis import find_numbers
from tidings.core import Analyzer

__all__ = ["number_agreement", "stated_numbers"]

_WORD = re.compile(r"[^\W\d_]+")
_TOLLS = {
    **dict.fromkeys(("kill", "dead", "die", "death", "toll", "fatal", "victim", "life", "live"), "dead"),
    **dict.fromkeys(("injur", "wound", "hurt", "hospit"), "hurt"),
    **dict.fromkeys(("miss", "unaccount"), "miss"),
}
_NEAR = 4
_MOST_CHARACTERS = 2_000


def stated_numbers(text: str, analyzer: Analyzer) -> list[tuple[float, frozenset[str]]]:
    """Each number of a text with the stems of the four words behind it and the toll word nearby, in order.

    Numbers are those of `tidings.analysis.values.casualties.find_numbers`, but for a plain "one".

    >>> from tidings.core.text.tokens import shared_analyzer
    >>> [(value, sorted(units)) for value, units in stated_numbers("12 people died; two ferries", shared_analyzer())]
    [(12.0, ['dead', 'die', 'ferri', 'peopl', 'two']), (2.0, ['dead', 'ferri'])]
    """
    text = text[:_MOST_CHARACTERS]
    found: list[tuple[float, frozenset[str]]] = []
    for number in find_numbers(text):
        if text[number.start : number.end].lower() == "one":
            continue
        behind = [analyzer.stem(word.lower()) for word in _WORD.findall(text[number.end :])[:_NEAR]]
        before = [analyzer.stem(word.lower()) for word in _WORD.findall(text[: number.start])[-_NEAR:]]
        tolls = {_TOLLS.get(stem, "") for stem in (*before, *behind)}
        found.append((number.value, frozenset({*behind, *tolls} - {""})))
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
