"""Lists of places, people's names and organizations, and what words of them are in a token or a run of tokens.

The long ones are plain text in `gazetteers/`, a name a line in lower case; their first line says where they come from.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import resources

from msgspec import Struct

from tidings.core import data_beside

_LARGE = 2_500
"""How many of the cities, most populous first, are marked `city`; the others are marked `town`."""
_LONGEST = 5
"""Words of the longest name that is looked for."""


class Gazetteers(Struct, frozen=True):
    """The lists: single words with the marks of the lists that they stand in, and longer names by their first word.

    `demonyms` leads from what people are called to their place (`afghans` to `afghanistan`), `genders` from given names
    that nearly all their bearers share a gender by to `m` or `f`.
    """

    words: dict[str, tuple[str, ...]]
    phrases: dict[str, tuple[tuple[tuple[str, ...], str], ...]]
    demonyms: dict[str, str]
    genders: dict[str, str]

    def phrase_marks(self, words: list[str]) -> list[str]:
        """For each word in lower case the mark of the longest listed name of two words or more it is part of.

        The first word of a name is marked `B` and the list, the others `I` and the list; "" where there is none.

        >>> gazetteers().phrase_marks(["in", "new", "york", "city"])
        ['', 'B-city', 'I-city', 'I-city']
        """
        marks = [""] * len(words)
        at = 0
        while at < len(words):
            for phrase, kind in self.phrases.get(words[at], ()):
                if tuple(words[at : at + len(phrase)]) == phrase:
                    marks[at : at + len(phrase)] = [f"B-{kind}"] + [f"I-{kind}"] * (len(phrase) - 1)
                    at += len(phrase) - 1
                    break
            at += 1
        return marks


@lru_cache(maxsize=1)
def demonyms() -> dict[str, str]:
    """From what people are called to their place, read without the other lists.

    >>> demonyms()["afghans"]
    'afghanistan'
    """
    places: dict[str, str] = {}
    for line in _lines("demonyms"):
        place, _, people = line.partition(": ")
        places |= dict.fromkeys(people.split(", "), place)
    return places


@lru_cache(maxsize=1)
def gazetteers() -> Gazetteers:
    """The lists that come with tidings, read once."""
    first_names = [line.partition(" ") for line in _lines("first_names")]
    cities = _lines("cities")
    lists = [
        ("demonym", list(demonyms())),
        ("first", [name for name, _, _ in first_names]),
        *((kind, _lines(file)) for kind, file in _FILES),
        ("city", cities[:_LARGE]),
        ("town", cities[_LARGE:]),
    ]
    words: dict[str, tuple[str, ...]] = {}
    phrases: dict[str, dict[tuple[str, ...], str]] = {}
    for kind, names in lists:
        alone = (kind,)
        for name in names:
            if " " not in name:
                kinds = words.setdefault(name, alone)
                if kind not in kinds:
                    words[name] = (*kinds, kind)
            elif len(parts := tuple(name.split())) <= _LONGEST:
                phrases.setdefault(parts[0], {}).setdefault(parts, kind)
    longest_first = {
        first: tuple(sorted(names.items(), key=lambda item: (-len(item[0]), item[0])))
        for first, names in phrases.items()
    }
    return Gazetteers(
        words, longest_first, demonyms(), {name: gender for name, _, gender in first_names if gender}
    )


_FILES = (
    ("place", "places"),
    ("country", "countries"),
    ("place", "states"),
    ("org", "organizations"),
    ("last", "surnames"),
    ("given", "world_first_names"),
    ("family", "world_surnames"),
)


def _lines(file: str) -> list[str]:
    text = resources.files("tidings.analysis.names").joinpath("gazetteers", f"{file}.txt").read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def word_set(words: str) -> frozenset[str]:
    """The words of a text, each once."""
    return frozenset(words.split())


_DATA = data_beside(__file__)

TITLES = word_set(_DATA["titles"])
"""Words in lower case, without full stops, that stand before a person's name and are no part of it."""

ROLES = word_set(_DATA["roles"])
"""Titles that also stand for a person alone, as in `the president`."""

BODY_WORDS = word_set(_DATA["body_words"])
"""Words in lower case that the names of bodies hold."""

PLACE_WORDS = word_set(_DATA["place_words"])
"""Words in lower case that the names of places hold."""

MAKES = word_set(_DATA["makes"])
"""Words in lower case for kinds of trains, aircraft and rockets: no people, places or bodies."""

RELIGIONS = word_set(_DATA["religions"])
"""Faiths, creeds and peoples: groups, but no organizations."""

TIMES = word_set(_DATA["times"])
"""Months, days and the like."""

PRONOUNS: dict[str, str] = {word: kind for kind, words in _DATA["pronouns"].items() for word in words.split()}
"""Pronouns of the third person: of a man, a woman, a thing, of several."""


@lru_cache(maxsize=1 << 15)
def short_form(token: str) -> str:
    """A token in lower case without its full stops, as the sets of words here hold it.

    >>> short_form("Mr."), short_form("U.S.")
    ('mr', 'us')
    """
    return token.lower().replace(".", "")
