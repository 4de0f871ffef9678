"""Whether a sentence of an article claims what has changed: news, even where all its words were emitted before.

    78 dead … 80 dead                            another value of what an update like it has counted
    the fire broke out … the fire has killed 12  the first toll, or one above the last one
    the driver was arrested … was charged        what no update like it has said of people

What a sentence claims is read as for support (`claims`).

What an update has given is not news a second time, and no number is in a sentence about an earlier year. Pooled
sentences are not asked: there a number is what any other word is.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from math import sqrt
from typing import Any

from msgspec import Struct

from tidings.analysis import Mention, find_counts
from tidings.core import CASUALTIES, Sentence
from tidings.following.systems.claims import Claim

MOST = 500
"""Updates whose numbers are remembered at most."""

_SAME_WORDS = 0.5  # of the words: then two sentences count the same thing
_YEAR = re.compile(r"\b(1[89]\d\d|20\d\d)\b")


class _Given(Struct):
    """What an update gave: the numbers, each by what it counts, its stems without digits, and what became of people."""

    numbers: tuple[tuple[str, float], ...]
    stems: frozenset[str]
    states: frozenset[str]


class EmittedNumbers:
    """The numbers of the latest updates from whole articles, each with the words around it.

    Args:
        most: updates remembered at most; the oldest go first, and never more than 500 are.

    >>> emitted = EmittedNumbers(100)
    >>> def sentence(text):
    ...     return Sentence("d", 0, text, 1374840000)
    >>> first, second = sentence("The fire has killed 78 people"), sentence("The fire has killed 80 people")
    >>> emitted.add(first, ["fire", "kill", "78", "peopl"])
    >>> emitted.has_change(first, ["fire", "kill", "78", "peopl"])
    False
    >>> emitted.has_change(second, ["fire", "kill", "80", "peopl"])
    True
    """

    def __init__(self, most: int) -> None:
        self._most = min(most, MOST)
        self.restore(())

    def add(self, sentence: Sentence, stems: Iterable[str]) -> None:
        """Note what was emitted."""
        if sentence.events is None:
            numbers, states = (
                _numbers(sentence.text, sentence.language),
                _states(sentence.text, sentence.language),
            )
            if numbers or states:
                pairs = tuple((number.attribute, number.value) for number in numbers)
                self._keep(_Given(pairs, _words(stems), states))

    def has_change(self, sentence: Sentence, stems: Sequence[str]) -> bool:
        """Whether the sentence, which is like an update, gives a number or tells an outcome that has changed since."""
        if sentence.events is not None:
            return False
        if _is_of_earlier_year(sentence):
            return False
        states, numbers = _states(sentence.text, sentence.language), self._new_numbers(sentence)
        if not states and not numbers:
            return False
        words = _words(stems)
        if self._is_other_outcome(states, words) or any(map(self._is_higher_toll, numbers)):
            return True
        return any(
            counted == number.attribute
            and _is_other(value, number)
            and _likeness(words, given.stems) >= _SAME_WORDS
            for given in self._given
            for counted, value in given.numbers
            for number in numbers
        )

    def _is_other_outcome(self, states: frozenset[str], words: frozenset[str]) -> bool:
        # Whether it tells of people what no update like it has said of them: that the missing are alive, say.
        if not states:
            return False
        like = [given.states for given in self._given if _likeness(words, given.stems) >= _SAME_WORDS]
        return bool(like) and not states <= frozenset().union(*like)

    def has_new(self, sentence: Sentence) -> bool:
        """Whether the sentence counts something in a number that no update has given, be there one like it or not."""
        return bool(self._new_numbers(sentence))

    def _new_numbers(self, sentence: Sentence) -> list[Mention]:
        return [
            number
            for number in _numbers(sentence.text, sentence.language)
            if (number.attribute, number.value) not in self._pairs
        ]

    def _is_higher_toll(self, mention: Mention) -> bool:
        is_higher = mention.value > self._highest.get(mention.attribute, 0.0)
        return mention.attribute in CASUALTIES and mention.quantity.qualifier != "at most" and is_higher

    def _keep(self, given: _Given) -> None:
        self._given.append(given)
        for pair in given.numbers:
            self._pairs[pair] = self._pairs.get(pair, 0) + 1
        if len(self._given) > self._most:
            for pair in self._given.popleft().numbers:
                self._pairs[pair] -= 1
                if not self._pairs[pair]:
                    del self._pairs[pair]
        self._highest.clear()
        for counted, value in self._pairs:
            self._highest[counted] = max(value, self._highest.get(counted, 0.0))

    def state(self) -> Any:
        """What is remembered, as plain values."""
        return [(given.numbers, " ".join(sorted(given.stems)), sorted(given.states)) for given in self._given]

    def restore(self, state: Any) -> None:
        """Become what gave `state`."""
        self._given: deque[_Given] = deque()
        self._pairs: dict[tuple[str, float], int] = {}
        self._highest: dict[str, float] = {}
        for numbers, stems, *states in state:  # without states from before they were kept
            pairs = tuple((str(counted), float(value)) for counted, value in numbers)
            self._keep(_Given(pairs, frozenset(stems.split()), frozenset(*states)))


@lru_cache(maxsize=2_048)
def _numbers(text: str, language: str) -> tuple[Mention, ...]:
    return tuple(find_counts(text, language))


@lru_cache(maxsize=2_048)
def _states(text: str, language: str) -> frozenset[str]:
    return Claim(text, language).states


def _words(stems: Iterable[str]) -> frozenset[str]:
    return frozenset(stem for stem in stems if not stem[0].isdigit())


def _is_other(value: float, mention: Mention) -> bool:
    """Whether a number says something else than the value that was given: "at least 70" does not contradict 78."""
    if mention.quantity.qualifier == "at least":
        return value < mention.value
    if mention.quantity.qualifier == "at most":
        return value > mention.value
    if mention.quantity.qualifier == "about":
        return abs(value - mention.value) > 0.1 * value
    return value != mention.value


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / sqrt(len(one) * len(other)) if one and other else 0.0


def _is_of_earlier_year(sentence: Sentence) -> bool:
    published = datetime.fromtimestamp(sentence.published_time, UTC).year
    return any(int(year) < published for year in _YEAR.findall(sentence.text))
