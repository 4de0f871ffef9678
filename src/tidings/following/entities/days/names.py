"""What of a recognised name is a name: its borders mended, and what names nobody who matters left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from tidings.analysis import ROLES, TIMES, TITLES, gazetteers, is_name, short_form
from tidings.core import ENGLISH
from tidings.following.entities.days.name_forms import marks_of, words_of
from tidings.following.entities.days.news_sources import NEWS_SOURCES

__all__ = ["DIRECTIONS", "mended_spans", "trimmed"]

Span = tuple[int, int, str]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_EDGES = _words("' ’ \" “ ” ` `` '' . , ; : - -- – — ( ) [ ] / | * & # @ 's ’s > < ! ? _ LRB RRB LSB RSB")
"""Tokens that neither begin nor end a name."""
_BORDERS = _words("| _ / ( ) [ ] ; : , \" “ ” `` '' -- – — * > < ! ? LRB RRB LSB RSB ... •")
"""Tokens that no name has inside."""
_ADDRESS = _words("_ www http https com net html htm php")
"""Tokens of addresses, in which names are no mentions."""
_PARTICLES = _words(
    "al el de la le du da di del der den dos das van von bin ibn ben abu bint y e i zu ter ul ur"
)
_INSIDE = _words("of the and for in on at to des et und d' & by with")
DIRECTIONS = _words(
    "north south east west northern southern eastern western central new upper lower greater great northeast "
    "northwest southeast southwest northeastern northwestern southeastern southwestern middle outer inner mid"
)
"""Words that make another place of a place's name."""
_OFFICES = _words(
    "state secretary special joint envoy attorney press under assistant acting late then mr. mrs. ms."
)
"""Words left of an office before a person's name, where the recogniser took them for part of it."""
_HEADING = _words("""
    breaking update updated live latest photos photo video videos pictures read watch share comments comment
    advertisement story highlights related more click here editor reporting writing copyright subscribe email print
    news topics tags older posts popular login home search archive rss
""")
"""Words of headings and of what stands around articles."""
_LONGEST_PERSON, _LONGEST = 6, 9


def mended_spans(tokens: Sequence[str], spans: Sequence[Span], kept: frozenset[str]) -> list[Span]:
    """The spans of a sentence whose names stand for somebody, without what is no part of the name.

    Marks, articles and titles go from their beginnings, words in small letters too, marks and `'s` from their ends; a
    span that holds a bar, a bracket or the like is several. Left out are months and days, words of headings, stop
    words, and those who only bring the news (Reuters, CNN, Twitter) unless they are `kept`.

    >>> tokens = "The United Nations ' envoy told Reuters in May".split()
    >>> mended_spans(tokens, [(0, 4, "ORG"), (6, 7, "ORG"), (8, 9, "PER")], frozenset())
    [(1, 3, 'ORG')]
    >>> tokens = "Iran 's Foreign Ministry | wayward Tony Hayward".split()
    >>> mended_spans(tokens, [(0, 4, "ORG"), (5, 8, "PER")], frozenset())
    [(0, 1, 'LOC'), (2, 4, 'ORG'), (6, 8, 'PER')]
    >>> mended_spans("Health Minister Roselyne Bachelot".split(), [(0, 4, "PER")], frozenset())
    [(2, 4, 'PER')]
    """
    mended: list[Span] = []
    for begin, stop, kind in spans:
        for start, end, own_kind, name in _names_in(tuple(tokens[begin:stop]), kind):
            if name in kept or _is_somebody(name, " ".join(tokens[begin + start : begin + end])):
                mended.append((begin + start, begin + end, own_kind))
    return mended


@lru_cache(maxsize=1 << 14)
def _names_in(tokens: tuple[str, ...], kind: str) -> tuple[tuple[int, int, str, str], ...]:
    # Of what was recognised as a name: the names in it, each with its words in small letters.
    if not _ADDRESS.isdisjoint(tokens):
        return ()
    pieces = (trimmed(tokens, *piece) for piece in _pieces(tokens, 0, len(tokens), kind))
    return tuple(
        (*piece, " ".join(token.lower().strip(".") for token in tokens[piece[0] : piece[1]]))
        for piece in pieces
        if piece
    )


def _pieces(tokens: Sequence[str], begin: int, stop: int, kind: str) -> Iterator[Span]:
    start = begin
    for at in range(begin, stop):
        token = tokens[at]
        if (token in _BORDERS and not _is_listing(tokens, start, at, kind)) or (
            kind == "PER" and at > start and _ends_person(tokens, start, at, stop)
        ):
            if at > start:
                yield start, at, kind
            start = at + 1
        elif _ends_owner(tokens, start, at, kind):
            yield start, at, "LOC" if kind != "PER" else kind
            start = at + 1
    if start < stop:
        yield start, stop, kind


def _is_listing(tokens: Sequence[str], start: int, at: int, kind: str) -> bool:
    # The comma in `Ministry of Economy, Energy and Tourism`.
    return kind == "ORG" and tokens[at] == "," and "of" in tokens[start:at]


def _ends_owner(tokens: Sequence[str], start: int, at: int, kind: str) -> bool:
    if tokens[at] not in ("'s", "’s") or at == start:
        return False
    owner = " ".join(tokens[start:at])
    return kind == "PER" or owner.lower() in NEWS_SOURCES or "country" in marks_of(words_of(owner))


def _ends_person(tokens: Sequence[str], start: int, at: int, stop: int) -> bool:
    # A dash between two names, or a word in small letters that no name of a person has.
    word = tokens[at]
    if word == "-":
        return at + 1 < stop and len(tokens[at - 1]) > 2 and len(tokens[at + 1]) > 2
    cased = any(one[:1].isupper() for one in tokens[start:at]) and any(
        one[:1].isupper() for one in tokens[at + 1 : stop]
    )
    return cased and word.islower() and word.isalpha() and word not in _PARTICLES


def trimmed(tokens: Sequence[str], start: int, end: int, kind: str) -> Span | None:
    """The name in tokens start..end without what stands at its edges and what it repeats; None where none is left."""
    while start < end and (tokens[start] in _EDGES or tokens[start].lower() in ("the", "a", "an")):
        start += 1
    while start < end and (tokens[end - 1] in _EDGES or tokens[end - 1].lower() in _INSIDE):
        end -= 1
    cased = any(token[:1].isupper() for token in tokens[start:end])
    while cased and end - start > 1 and _is_small(tokens[start]):
        start += 1
    if kind == "PER":
        while end - start > 1 and (
            short_form(tokens[start]) in TITLES or (end - start > 2 and tokens[start].lower() in _OFFICES)
        ):
            start += 1
        start = next((at + 1 for at in range(end - 2, start, -1) if short_form(tokens[at]) in ROLES), start)
    seen: set[str] = set()
    for at in range(start, end):
        low = tokens[at].lower()
        if low in seen and len(low) > 2 and low not in _INSIDE:
            return trimmed(tokens, start, at, kind)
        seen.add(low)
    if start == end or end - start > (_LONGEST_PERSON if kind == "PER" else _LONGEST):
        return None
    return start, end, _type_of(tokens, start, end, kind)


def _is_small(token: str) -> bool:
    return token.islower() and token not in _PARTICLES and token not in DIRECTIONS


@lru_cache(maxsize=1 << 14)
def _is_somebody(name: str, spelt: str) -> bool:
    if name in NEWS_SOURCES or len(name) < 2 or not is_name(spelt):
        return False
    words = name.split()
    if all(word in TIMES or word in _HEADING or word in _STOP or word.isdigit() for word in words):
        return False
    return not (len(words) == 1 and words[0] in gazetteers().demonyms)


_STOP = ENGLISH - {"us"}


def _type_of(tokens: Sequence[str], start: int, end: int, kind: str) -> str:
    if kind == "LOC":
        return kind
    marks = marks_of(words_of(" ".join(tokens[start:end])))
    return "LOC" if "country" in marks or (end - start > 1 and "city" in marks) else kind
