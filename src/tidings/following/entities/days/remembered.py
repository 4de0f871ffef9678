"""An entity in one document, and an entity of the event so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from msgspec import Struct

from tidings.following.entities.days.name_forms import Words, marks_of, squeezed, words_of

__all__ = ["Named", "Remembered"]

_GIVEN = frozenset(("first", "given"))
_MAIN_SHARE = 25
_RARE = 20
_LONG_CAPITALS = 5


class Named(Struct):
    """An entity of one document: how its names are spelt there, how often, and the stems around it."""

    type: str
    spelt: dict[str, int]
    context: dict[str, int]
    gender: str = ""

    @property
    def count(self) -> int:
        """How often it is named."""
        return sum(self.spelt.values())

    def full_names(self) -> list[str]:
        """Of its names that are not rare (a twentieth of all) those of most words, the most frequent first."""
        least = self.count / _RARE
        sizes = {name: len(words_of(name)) for name, count in self.spelt.items() if count >= least}
        most = max(sizes.values())
        full = [name for name, size in sizes.items() if size == most]
        return sorted(full, key=lambda name: (-self.spelt[name], name))


class Remembered(Struct):
    """An entity of the event so far: its types and spellings with their counts, and the stems around it."""

    id: int
    types: dict[str, int]
    spelt: dict[str, int]
    context: dict[str, int]
    gender: str = ""
    day: str = ""

    @property
    def type(self) -> str:
        """What it is called most often."""
        return max(self.types, key=lambda kind: (self.types[kind], kind))

    @property
    def count(self) -> int:
        """How often it was named."""
        return sum(self.types.values())

    def times(self, words: Words) -> int:
        """How often it was named by this name, however spelt."""
        letters = squeezed(words)
        return sum(count for name, count in self.spelt.items() if squeezed(words_of(name)) == letters)

    def gender_fits(self, one: Named) -> bool:
        """Whether both are men or both women, as far as is known."""
        return one.type != "PER" or not (self.gender and one.gender and self.gender != one.gender)

    def main_names(self) -> list[Words]:
        """Its names that are not rare (a twenty-fifth of all): a person's fullest ones, others' longer ones.

        >>> Remembered(1, {"ORG": 9}, {"Red Crescent": 5, "Syrian Red Crescent": 3, "Crescent": 1}, {}).main_names()
        [('red', 'crescent'), ('syrian', 'red', 'crescent')]
        """
        forms = self._forms()
        total = sum(forms.values())
        main = [words for words, count in forms.items() if count * _MAIN_SHARE >= total]
        most = max(map(len, main))
        least = most if self.type == "PER" else min(most, 2)
        return [words for words in main if len(words) >= least]

    def _forms(self) -> Counter[Words]:
        forms: Counter[Words] = Counter()
        for name, count in self.spelt.items():
            forms[words_of(name)] += count
        return forms

    def add_context(self, stems: Mapping[str, int], most: int) -> None:
        """Add stems of its contexts; where there are twice too many, keep the most frequent."""
        for stem, count in stems.items():
            self.context[stem] = self.context.get(stem, 0) + count
        if len(self.context) > 2 * most:
            self.context = dict(sorted(self.context.items(), key=lambda item: (-item[1], item[0]))[:most])

    def best_name(self) -> str:
        """The name to show: a person's full one, an acronym written out, else the most frequent.

        A full name must not be rare: a twenty-fifth of all.

        >>> Remembered(1, {"PER": 70}, {"Obama": 60, "Barack Obama": 9, "Feudal Libya Obama": 1}, {}).best_name()
        'Barack Obama'
        >>> Remembered(2, {"ORG": 18}, {"WHO": 16, "World Health Organization": 2}, {}).best_name()
        'World Health Organization'
        >>> Remembered(3, {"ORG": 60}, {"BP": 50, "BP PR": 10}, {}).best_name()
        'BP'
        """
        forms = self._forms()
        top = max(forms, key=lambda words: (forms[words], len(words), words))
        if self.type == "PER":
            least = sum(forms.values()) / _MAIN_SHARE
            full = [words for words, count in forms.items() if len(words) > 1 and count >= least]
            given = [
                words
                for words in forms
                if len(words) == 2 and words[1:] == top and _GIVEN & marks_of(words[:1])
            ]
            top = max(full or given, key=lambda words: (forms[words], words), default=top)
        elif len(top) == 1:
            short = top[0].replace(".", "")
            written = [words for words in forms if top[0] not in words and _initials(words) == short]
            top = max(written, key=lambda words: (forms[words], words), default=top)
        spellings = [name for name in self.spelt if words_of(name) == top]
        return max(
            spellings,
            key=lambda name: (_cased(name, self.type), len(top) == len(name.split()), self.spelt[name], name),
        )


def _initials(words: Words) -> str:
    return "".join(word[0] for word in words if word not in ("of", "the", "for", "and"))


def _cased(name: str, kind: str) -> bool:
    # Capitals alone are a heading's, but for what may be an acronym.
    longest = _LONG_CAPITALS if kind == "ORG" else 3
    return not (name.islower() or (name.isupper() and len(name) > longest))
