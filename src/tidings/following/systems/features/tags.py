"""Who, where, when and how much, by lists and shapes alone; and what a sentence looks like, whatever its event.

It stands where the published systems run a named-entity tagger. It reads some hundred thousand words a second and
errs often on names; the shares and streams of names that are computed from it need no more.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import log1p

from msgspec import Struct

from tidings.core import ENGLISH, data_beside, shared_analyzer

TAGS = (
    "person",
    "location",
    "organization",
    "date",
    "time",
    "duration",
    "number",
    "ordinal",
    "percent",
    "money",
)
"""What a word can be."""

MOST_WORDS = 400
"""Words of a text that are looked at; what is longer is no sentence."""


class Tagged(Struct, frozen=True):
    """A text's words by kind: how many of each of `TAGS`, and the names and numbers themselves in lower case."""

    words: int
    counts: tuple[int, ...]
    persons: tuple[str, ...]
    locations: tuple[str, ...]
    organizations: tuple[str, ...]
    numbers: tuple[str, ...]


_PERSON, _LOCATION, _BODY, _DATE, _TIME, _SPAN, _NUMBER, _ORDINAL, _PERCENT, _CASH = range(10)
_WORDS = {key: frozenset(words.split()) for key, words in data_beside(__file__).items()}
_FIRST_NAMES, _TITLES, _PLACES, _BODIES = (
    _WORDS[key] for key in ("first_names", "titles", "places", "bodies")
)
_PLAIN, _CAPITAL_DATES = _WORDS["plain"], _WORDS["capital_dates"]
_KINDS = (
    ("numbers", _NUMBER),
    ("durations", _SPAN),
    ("ordinals", _ORDINAL),
    ("dates", _DATE),
    ("times", _TIME),
)
_FIXED: dict[str, int] = {
    word: kind for key, kind in (*_KINDS, ("percents", _PERCENT), ("money", _CASH)) for word in _WORDS[key]
}
_EDGES = ".,;:!?\"'()[]{}«»“”‘’`-–—…*|<>"
_CLOCK = re.compile(r"\d{1,2}[:.]\d{2}(?::\d{2})?(?:[ap]\.?m)?|\d{1,2}[ap]\.?m", re.IGNORECASE)
_DAY = re.compile(r"\d{1,4}[/-]\d{1,2}[/-]\d{1,4}|(?:19|20)\d\d")
_NTH = re.compile(r"\d+(?:st|nd|rd|th)", re.IGNORECASE)
_FIGURE = re.compile(r"\d[\d,.]*")


@lru_cache(maxsize=8_192)
def tag(text: str) -> Tagged:
    """The words of `text` by kind.

    >>> found = tag("President Barack Obama said 45 people died in Texas on Friday.")
    >>> found.persons, found.locations, found.numbers
    (('barack', 'obama'), ('texas',), ('45',))
    >>> dict(zip(TAGS, found.counts))["date"]
    1
    """
    if not text.isascii():
        text = text.encode("utf-8", "replace").decode()  # halves of characters cannot be kept in a state
    words = text.split(None, MOST_WORDS)[:MOST_WORDS]
    counts = [0] * len(TAGS)
    numbers: list[str] = []
    names: tuple[list[str], list[str], list[str]] = ([], [], [])
    run: list[str] = []
    titled = opening = True
    titled = False
    for word in words:
        bare = word.strip(_EDGES)[:40]
        if not bare:
            continue
        low = bare.lower()
        first = bare[0]
        kind = _FIXED.get(low)
        if kind is None and (first.isdigit() or first in "$€£"):
            kind = _figure(bare, first)
        if kind is None and low in _CAPITAL_DATES and first.isupper() and not opening:
            kind = _DATE
        if kind is not None:
            counts[kind] += 1
            if kind == _NUMBER:
                numbers.append(low)
        if kind is None and first.isupper() and low.removesuffix("'s").removesuffix("’s") not in _PLAIN:
            if low in _TITLES:
                _close(run, titled, names)
                titled = True
            else:
                run.append(bare)
                if word[-1] in ",.;:)":
                    _close(run, titled, names)
                    titled = False
        elif run:
            _close(run, titled, names)
            titled = False
        else:
            titled = titled and kind is None and low in _TITLES
        opening = False
    _close(run, titled, names)
    for kind in (_PERSON, _LOCATION, _BODY):
        counts[kind] = len(names[kind])
    return Tagged(
        len(words), tuple(counts), tuple(names[0]), tuple(names[1]), tuple(names[2]), tuple(numbers)
    )


def _figure(bare: str, first: str) -> int | None:
    if first in "$€£":
        return _CASH
    if _CLOCK.fullmatch(bare):
        return _TIME
    if _DAY.fullmatch(bare):
        return _DATE
    if _NTH.fullmatch(bare):
        return _ORDINAL
    if bare[-1] == "%":
        return _PERCENT
    return _NUMBER if _FIGURE.fullmatch(bare) else None


def _close(run: list[str], titled: bool, names: tuple[list[str], list[str], list[str]]) -> None:
    # A run of capitalised words is one name: of a body if a word of bodies is in it, else a place, else a person.
    if not run:
        return
    low = [word.lower().removesuffix("'s").removesuffix("’s") for word in run]
    if titled or low[0] in _FIRST_NAMES:
        kind = _PERSON
    elif not _BODIES.isdisjoint(low) or (len(run) == 1 and 1 < len(run[0]) <= 5 and run[0].isupper()):
        kind = _LOCATION if low[0] in ("us", "uk") else _BODY
    elif not _PLACES.isdisjoint(low):
        kind = _LOCATION
    else:
        kind = _PERSON if 2 <= len(run) <= 3 else _LOCATION if len(run) == 1 else _BODY
    names[kind].extend(low)
    run.clear()


LONGEST_TEXT = 4_000
"""Characters of a sentence that are looked at; a longer one is a page, or hostile."""

MOST_STEMS = 300
"""Stems of a sentence that are looked at."""

SURFACE = (
    "length",
    "short",
    "long",
    "alphabetic",
    "capitals",
    "capitalised",
    "shouted",
    "digits",
    "marks",
    "quoted",
    "asked",
    "stop_words",
    "mean_word",
    "different",
    "first_person",
    *(f"tag_{name}" for name in TAGS),
)
"""The names of what `surface` gives; all within 0..1."""

_UPPER = re.compile(r"[A-Z]")
_LETTERS = re.compile(r"[^\W\d_]")
_DIGIT = re.compile(r"\d")
_MARK = re.compile(r"[^\w\s]")
_ALPHABETIC = re.compile(r"[^\W\d_]+")
_FIRST_PERSON = frozenset(("i", "me", "my", "mine", "we", "us", "our", "ours", "you", "your"))


@lru_cache(maxsize=8_192)
def surface(text: str) -> tuple[float, ...]:
    """The figures named by `SURFACE` for one text, each within 0..1.

    `length` is log(1 + words) / log(401), `short` and `long` are 1 for fewer than 10 and more than 40 words; the rest
    are shares of characters (capitals, digits, marks) or of words.

    >>> dict(zip(SURFACE, surface("Nobody was hurt?")))["asked"]
    1.0
    """
    text = text[:LONGEST_TEXT]
    tagged = tag(text)
    n = tagged.words
    if not n:
        return (0.0,) * len(SURFACE)
    size = len(text)
    words = text.split(None, 400)[:400]
    plain = [word.lower() for word in _ALPHABETIC.findall(text)[:600]]
    letters = len(_LETTERS.findall(text)) or 1
    lower = [word.lower() for word in words]
    return (
        min(1.0, log1p(n) / log1p(400)),
        float(n < 10),
        float(n > 40),
        min(1.0, len(plain) / n),
        min(1.0, len(_UPPER.findall(text)) / letters),
        sum(1 for word in words if word[0].isupper()) / n,
        sum(1 for word in words if len(word) > 1 and word.isupper()) / n,
        len(_DIGIT.findall(text)) / size,
        len(_MARK.findall(text)) / size,
        float('"' in text or "``" in text or "“" in text),
        float("?" in text),
        sum(1 for word in plain if word in ENGLISH) / (len(plain) or 1),
        min(1.0, size / n / 12.0),
        len(set(lower)) / n,
        sum(1 for word in plain if word in _FIRST_PERSON) / (len(plain) or 1),
        *(min(1.0, count / n) for count in tagged.counts),
    )


def stems_of(text: str, language: str = "english") -> tuple[str, ...]:
    """The stems of a sentence in order, at most `MOST_STEMS` of them."""
    return shared_analyzer(language).stems(text)[:MOST_STEMS]
