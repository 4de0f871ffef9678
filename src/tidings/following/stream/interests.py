"""Which of many events a sentence interests: an index over the stems that they ask for.

A sentence that holds `need` >= 2 stems of an event holds a pair of those that are left when any `need` - 2 are put
aside; the commonest are. Each pair stands by its rarer stem, so that a sentence costs one look at each of its stems
that some event asks for, and a meeting of two sets: its stems, and the partners of that one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from tidings.core import Interest, shared_analyzer

if TYPE_CHECKING:
    from tidings.core import Analyzer

__all__ = ["InterestIndex"]

_MOST_PAIRED = 64


class InterestIndex:
    """Interests by number; `matches` gives the numbers of those that a text meets, each with the places of these texts.

    >>> index = InterestIndex({
    ...     7: Interest(stems=frozenset({"ferri", "fire", "port"}), need=2),
    ...     9: Interest(stems=frozenset({"storm"})),
    ... })
    >>> texts = ["A storm.", "Fires on the ferry in the storm"]
    >>> index.matches(texts) == {7: [1], 9: [0, 1]}, index.matches(["A port."])
    (True, {})
    """

    def __init__(self, interests: Mapping[int, Interest]) -> None:
        by_language: dict[str, dict[int, Interest]] = {}
        for number, interest in interests.items():
            by_language.setdefault(interest.language, {})[number] = interest
        self._indices = [_OneLanguage(language, own) for language, own in by_language.items()]

    @property
    def pairs(self) -> int:
        """How many pairs of stems the index holds."""
        return sum(len(others) for index in self._indices for others in index.partners.values())

    def matches(self, texts: Iterable[str]) -> dict[int, list[int]]:
        """The interests of which one of these texts holds enough, and which of the texts do."""
        places: dict[int, list[int]] = {}
        texts = list(texts)
        for index in self._indices:
            index.add_matches(texts, places)
        return places

    def places(self, number: int, texts: Sequence[str]) -> list[int]:
        """Which of these texts hold enough for this one interest."""
        own = next(index for index in self._indices if number in index.interests)
        return own.places(number, texts)


class _OneLanguage:
    """The interests whose stems one stemmer made."""

    def __init__(self, language: str, interests: dict[int, Interest]) -> None:
        self.interests = interests
        self._analyzer: Analyzer = shared_analyzer(language)
        asked = Counter(stem for interest in interests.values() for stem in interest.stems)
        self._alone: dict[str, list[int]] = {}
        self.partners: dict[str, dict[str, list[int]]] = {}
        self._long: list[int] = []
        for number, interest in interests.items():
            self._add(number, interest, asked)
        self._stems = frozenset(self._alone) | frozenset(
            stem for first, partners in self.partners.items() for stem in (first, *partners)
        )

    def _add(self, number: int, interest: Interest, asked: Mapping[str, int]) -> None:
        enough = interest.stems if interest.need <= 1 else interest.stems & interest.alone
        for stem in enough:
            self._alone.setdefault(stem, []).append(number)
        if interest.need <= 1 or interest.need > len(interest.stems):
            return
        rarest = sorted(interest.stems, key=lambda stem: (asked[stem], stem))
        paired = rarest[: len(rarest) - interest.need + 2]
        if len(paired) > _MOST_PAIRED:
            self._long.append(number)
            return
        for first, second in combinations(paired, 2):
            # A pair with a stem that is enough by itself says nothing more.
            if first not in interest.alone and second not in interest.alone:
                self.partners.setdefault(first, {}).setdefault(second, []).append(number)

    def add_matches(self, texts: Iterable[str], places: dict[int, list[int]]) -> None:
        stems_of, asked = self._analyzer.stems, self._stems
        alone, partners, long = self._alone, self.partners, self._long
        for place, text in enumerate(texts):
            stems = stems_of(text)
            numbers = {number for number in long if self._holds(number, stems)} if long else set()
            own = asked.intersection(stems)
            if not own and not numbers:
                continue
            for stem in own:
                if stem in alone:
                    numbers.update(alone[stem])
                others = partners.get(stem)
                if others is not None:
                    for other in others.keys() & own:
                        self._add_pair(others[other], stems, numbers)
            for number in numbers:
                earlier = places.get(number)
                if earlier is None:
                    places[number] = [place]
                else:
                    earlier.append(place)

    def _add_pair(self, found: Sequence[int], stems: Sequence[str], numbers: set[int]) -> None:
        interests = self.interests
        for number in found:
            if number not in numbers and (interests[number].need == 2 or self._holds(number, stems)):
                numbers.add(number)

    def places(self, number: int, texts: Iterable[str]) -> list[int]:
        stems_of = self._analyzer.stems
        return [place for place, text in enumerate(texts) if self._holds(number, stems_of(text))]

    def _holds(self, number: int, stems: Sequence[str]) -> bool:
        return self.interests[number].met_by(stems)
