"""The forms in which the news gives the words of a query: parts, abbreviations, people, words used for them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from tidings.analysis import demonyms
from tidings.core import data_beside, shared_analyzer
from tidings.following.background import usual

_ABOUT = re.compile(
    r"(?:(?:the |any )?(?:(?:latest|breaking|live|recent|more) )?"
    r"(?:latest|news|updates?|developments|headlines|coverage|information) (?:on|about|from)"
    r"|what(?:'s| is| are| was)? (?:happening|going on|new|happened) (?:in|with|to|at|on|about)"
    r"|tell me (?:more )?about|everything about|who (?:is|was)|what (?:is|was)|how did|why did) (?=\w)",
    re.IGNORECASE,
)
_HUMPS = re.compile(r"(?<=[a-z])(?=[A-Z])")
_TOKEN = re.compile(r"[\w'.&-]+")
_LONG_WORD, _SHORTEST_PART, _USED_PART = 7, 3, 10.0


def query_words(query: str) -> str:
    """A query as words of the news: without "latest on", hashtags and words that nobody writes together taken apart.

    >>> query_words("Latest news on the oilspill"), query_words("#MichaelJackson trial")
    ('the oil spill', 'Michael Jackson trial')
    """
    query = " ".join(query[:_MOST_LETTERS].split())
    about = _ABOUT.match(query)
    asked = query[about.end() :] if about else query
    return " ".join(_apart(token) for token in _TOKEN.findall(asked)) or query


_MOST_LETTERS = 10_000


def _apart(word: str) -> str:
    if _HUMPS.search(word) and word[0].isupper() and "." not in word:
        parts = _HUMPS.split(word)
        if min(map(len, parts)) > _SHORTEST_PART:
            return " ".join(parts)
    stems_of = shared_analyzer("english").stems
    if len(word) < _LONG_WORD or not word.isalpha() or any(usual(stem).share for stem in stems_of(word)):
        return word
    best = (_USED_PART, word)
    for place in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
        first, second = stems_of(word[:place]), stems_of(word[place:])
        if len(first) == len(second) == 1:
            used = min(usual(first[0]).share, usual(second[0]).share)
            best = max(best, (used, f"{word[:place]} {word[place:]}"))
    return best[1]


def other_forms(stems: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """For these English stems of a query the pairs (other stem, stem): people of countries, abbreviations of names.

    >>> other_forms(["european", "central", "bank"])
    (('ecb', 'bank'), ('ecb', 'central'), ('ecb', 'european'), ('europ', 'european'))
    """
    stems = frozenset(stems)
    short = [(form, stem) for form, parts in _abbreviations().items() if parts <= stems for stem in parts]
    return tuple(sorted({*people_forms(stems), *short}))


@lru_cache(maxsize=1 << 10)
def compounds(query: str) -> tuple[tuple[str, tuple[str, str]], ...]:
    """The stems of an English query's words that may be written in two parts, each with the stems of these.

    >>> compounds("gaza ceasefire uk")
    (('ceasefir', ('ceas', 'fire')), ('uk', ('u', 'k')))
    """
    stems_of, found = shared_analyzer("english").stems, dict[str, tuple[str, str]]()
    for word in filter(str.isalpha, query_words(query).lower().split()):
        places = range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1) if len(word) > 2 else (1,)
        for place in places:
            parts = (*stems_of(word[:place]), *stems_of(word[place:]))
            used = min((usual(stem).share for stem in parts), default=0.0)
            if len(parts) == 2 and (used > _USED_PART or len(word) == 2):
                found |= {stem: (parts[0], parts[1]) for stem in stems_of(word) if stem not in parts}
    return tuple(found.items())


@lru_cache(maxsize=1)
def _abbreviations() -> dict[str, frozenset[str]]:
    stems_of = shared_analyzer("english").stems
    return {
        stems_of(short)[0]: frozenset(stems_of(words))
        for short, words in data_beside(__file__)["short"].items()
    }


@lru_cache(maxsize=1)
def alike_words() -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
    """For stems of queries those of the words that headlines use instead.

    Apart, those that are too common to tell what an article is about: they say what happened in one that is.
    """
    stems_of = shared_analyzer("english").stems
    alike, told = (
        {stems_of(word)[0]: frozenset(stems_of(words)) for word, words in data_beside(__file__)[name].items()}
        for name in ("alike", "told_alike")
    )
    return alike, told


def people_forms(stems: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """For these English stems the pairs (other stem, stem) of countries and the people and things of them.

    >>> people_forms(["libya", "dutch"])
    (('libyan', 'libya'), ('netherland', 'dutch'))
    """
    people = _people()
    return tuple(sorted({(form, stem) for stem in stems for form in people.get(stem, ())}))


@lru_cache(maxsize=1)
def _people() -> dict[str, set[str]]:
    stems_of = shared_analyzer("english").stems
    forms: dict[str, set[str]] = {}
    for people, place in demonyms().items():
        pair = (*stems_of(people), *stems_of(place))
        if len(pair) == 2 and pair[0] != pair[1]:
            forms.setdefault(pair[0], set()).add(pair[1])
            forms.setdefault(pair[1], set()).add(pair[0])
    return forms
