"""What a recogniser sees of a single token: its letters, shape, clusters, and the lists that it stands in.

A token is looked at *cased* or *caseless*: where a whole sentence is in capitals or in lower case, capitals say
nothing, and the token is seen in lower case, without a shape.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from tidings.analysis.names.gazetteers import (
    BODY_WORDS,
    PLACE_WORDS,
    PRONOUNS,
    RELIGIONS,
    TIMES,
    TITLES,
    gazetteers,
)
from tidings.core import ENGLISH

LONGEST_TOKEN = 40
"""Characters of a token that are looked at."""
CASELESS_WORDS, CASELESS_LETTERS = 2, 6
"""Words and letters that a sentence must have at least before its capitals may say nothing."""

_ALIKE = {"given": "first", "family": "last", "city": "place", "town": "place", "country": "place"}
_I = ("I",)
_CAMEL = re.compile(r"[a-z][A-Z]")
_PIECES = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+")
_DIGITS = re.compile(r"\d")
_RUNS = (
    (re.compile(r"(?<![A-Z])[A-Z](?![A-Z])"), "X"),
    (re.compile(r"[A-Z]{2,}"), "W"),
    (re.compile(r"[a-z]+"), "x"),
    (re.compile(r"0+"), "0"),
)
_ADDRESS = re.compile(r"(?:https?:|www\.)|\.(?:com|org|net|co|ly)\b|\S@\S", re.IGNORECASE)
_LISTS: tuple[tuple[str, frozenset[str]], ...] = (
    ("title", TITLES),
    ("body", BODY_WORDS),
    ("place", PLACE_WORDS),
    ("faith", RELIGIONS),
    ("time", TIMES),
    ("stop", ENGLISH),
    ("pronoun", frozenset(PRONOUNS)),
)


class Lexicon(Struct, frozen=True):
    """Words of unlabelled text: the clusters of each, coarse to fine, and how often it stands in capitals (0 to 4)."""

    clusters: Mapping[str, tuple[int, ...]]
    capitals: Mapping[str, int]


class WordFacts(Struct, frozen=True):
    """What is to be seen of a token: `own` at its place, `near` from beside it, `far` from two places away.

    `low`, `shape`, `coarse` (its coarse cluster) and `kind` (the lists that it stands in) go into pairs of tokens.
    """

    own: tuple[str, ...]
    low: str
    shape: str
    coarse: str
    kind: str
    capital: bool

    @property
    def near(self) -> tuple[str, ...]:
        """What of it is seen from beside it."""
        return tuple(fact for fact in self.own if fact[:2] in _NEAR)

    @property
    def far(self) -> tuple[str, ...]:
        """What of it is seen from two places away."""
        return tuple(fact for fact in self.own if fact[:2] in _FAR)


_FAR = frozenset(("l=", "s=", "c0", "c1", "g="))
_NEAR = _FAR | {"c2", "r=", "j=", "x2", "x3", "p3"}


def shape_of(token: str) -> str:
    """The shape of a token: runs of small letters as `x`, of capitals as `W`, one capital as `X`, digits as `0`.

    >>> [shape_of(token) for token in ("Obama", "NATO", "U.S.", "iPad", "G-20", "O'Neill", "York")]
    ['Xx', 'W', 'X.X.', 'xXx', 'X-0', "X'Xx", 'Xx']
    """
    if token.isascii() and token.isalpha():
        if token.islower():
            return "x"
        if token[0].isupper() and token[1:].islower():
            return "Xx"
    shape = _DIGITS.sub("0", token)
    if not shape.isascii():
        shape = "".join("A" if char.isupper() else "a" if char.isalpha() else char for char in shape)
    for run, letter in _RUNS:
        shape = run.sub(letter, shape)
    return shape[:8]


def is_caseless(tokens: list[str]) -> bool:
    """Whether the capitals of a sentence say nothing: all letters are capitals, or none is.

    >>> is_caseless("PRESIDENT OBAMA VISITS".split()), is_caseless("i love justin".split())
    (True, True)
    >>> is_caseless("He saw it .".split()), is_caseless(["NATO"])
    (False, False)
    """
    cases = [case_of(token) for token in tokens]
    letters = [size for size, _, _ in cases if size]
    if len(letters) < CASELESS_WORDS or sum(letters) < CASELESS_LETTERS:
        return False
    if all(capitals for size, capitals, _ in cases if size):
        return True
    return not any(shows for _, _, shows in cases)


def case_of(token: str) -> tuple[int, bool, bool]:
    """What a token says of the capitals of its sentence.

    Returns:
        Its length if it is a word of an alphabet with capitals and small letters, else 0; whether it is in capitals
        only; whether it shows that capitals are used at all (`I`, handles and addresses do not).

    >>> case_of("Paris"), case_of("I"), case_of("@Ann")
    ((5, False, True), (1, True, False), (0, False, False))
    """
    letters = len(token) if token.isalpha() and token.lower() != token.upper() else 0
    shows = token not in _I and token[:1] not in "#@h" and any(map(str.isupper, token))
    return letters, token.isupper(), shows


def look_at(token: str, caseless: bool, lexicon: Lexicon) -> WordFacts:
    """What is to be seen of a token.

    >>> facts = look_at("Paris", False, Lexicon({"paris": (3, 17)}, {"paris": 4}))
    >>> facts.low, facts.shape, facts.coarse, [fact for fact in facts.own if fact[0] in "cg"][:4]
    ('paris', 'Xx', '3', ['c0=3', 'c1=17', 'g=first', 'g=last'])
    """
    token = token[:LONGEST_TOKEN]
    bare = token[1:] if len(token) > 1 and token[0] in "#@" else token
    low = _DIGITS.sub("0", bare.lower())
    clusters = lexicon.clusters.get(low) or ()
    rate = lexicon.capitals.get(low, -1)
    groups = [f"c{level}={number}" for level, number in enumerate(clusters)]
    lists = _lists_of(low)
    shared = [*groups, f"r={rate}", *(f"g={name}" for name in lists)]
    if caseless:
        shape, looks = "~", ["s=~"]
        if bare != token:
            looks.append(f"#{token[0]}")
    else:
        shape = shape_of(token)
        looks = [f"w={_DIGITS.sub('0', token)}", f"s={shape}", f"n={shape}{min(len(token), 12)}"]
        if rate >= 0:
            looks.append(f"rs={rate}{shape}")
    if len(lists) > 1:
        shared.append(f"j={'+'.join(lists)}")
    kind = "+".join(dict.fromkeys(_ALIKE.get(name, name) for name in lists)) if lists else ""
    if len(low) > 4:
        parts = [
            *(f"p1={low[0]}", f"p2={low[:2]}", f"p3={low[:3]}", f"p4={low[:4]}"),
            *(f"x1={low[-1]}", f"x2={low[-2:]}", f"x3={low[-3:]}", f"x4={low[-4:]}"),
        ]
    else:
        parts = [f"p{size}={low[:size]}" for size in range(1, len(low))]
        parts += [f"x{size}={low[-size:]}" for size in range(1, len(low))]
    if "-" in low[1:-1]:
        parts += [f"h={piece}" for piece in low.split("-")[:4] if piece]
    if token != bare or (not caseless and _CAMEL.search(bare)) or "_" in bare:
        pieces = [piece.lower() for piece in _PIECES.findall(bare)][:5]
        if len(pieces) > 1 or bare != token:
            parts += [f"h={piece}" for piece in pieces]
            parts += [f"hg={name}" for piece in pieces for name in _lists_of(piece)]
    if _ADDRESS.search(token):
        parts.append("url")
        low = "<url>"
    own = (f"l={low}", *looks, *shared, *parts)
    coarse = str(clusters[0]) if clusters else "-"
    return WordFacts(own, low, shape, coarse, kind, not caseless and token[:1].isupper())


@lru_cache(maxsize=1 << 16)
def _lists_of(low: str) -> tuple[str, ...]:
    bare = low.replace(".", "") if len(low) > 1 else low
    names = [name for name, words in _LISTS if low in words or bare in words]
    return (*names, *gazetteers().words.get(low, ()))


def context_features(sentence: Sequence[WordFacts]) -> list[list[str]]:
    """For each token of a sentence, what is to be seen of it and others together.

    A run is tokens in capitals side by side; its last word tells a body (`... Party`) or a place (`... River`) from a
    person, its first one a person by the given name.
    """
    size = len(sentence)
    lows = [facts.low for facts in sentence]
    runs = _runs(sentence)
    marks = gazetteers().phrase_marks(lows)
    capitals = sum(facts.capital for facts in sentence)
    heavy = "H" if size > 4 and capitals * 10 > size * 6 else ""
    result: list[list[str]] = []
    before, shape_before, coarse_before, kind_before = "<s>", "<", "<", "<"
    for at, facts in enumerate(sentence):
        shape = facts.shape
        if at + 1 < size:
            after = sentence[at + 1]
            low_after, shape_after, coarse_after, kind_after = (
                after.low,
                after.shape,
                after.coarse,
                after.kind,
            )
        else:
            low_after, shape_after, coarse_after, kind_after = "</s>", ">", ">", ">"
        low = facts.low
        features = [
            "bias",
            f"b-={before}|{low}",
            f"b+={low}|{low_after}",
            f"t={shape_before}|{shape}|{shape_after}",
            f"q-={coarse_before}|{shape}",
            f"q+={coarse_after}|{shape}",
            f"v-={before}|{shape}",
            f"v+={low_after}|{shape}",
            f"k-={kind_before}|{facts.kind}|{shape}",
            f"k+={kind_after}|{facts.kind}|{shape}",
        ]
        if heavy:
            features.append(f"H={shape}")
        if not at:
            features.append(f"S={shape}")
        if marks[at]:
            features += (f"m={marks[at]}", f"m={marks[at]}|{shape}")
        start, end = runs[at]
        if end > start:
            length = min(end - start, 5)
            place = "B" if at == start else "E" if at == end - 1 else "M"
            features.append(f"y={length}{place}{'S' if start == 0 else ''}")
            if length > 1:
                first, last = sentence[start], sentence[end - 1]
                features += (
                    f"e={last.low}|{place}",
                    f"f={first.low}|{place}",
                    f"ek={last.kind}|{place}",
                    f"fk={first.kind}|{place}",
                    f"ec={last.coarse}|{place}",
                    f"z={lows[start - 1] if start else '<s>'}|{place}",
                    f"a={lows[end] if end < size else '</s>'}|{place}",
                )
        result.append(features)
        before, shape_before, coarse_before, kind_before = low, shape, facts.coarse, facts.kind
    return result


def _runs(sentence: Sequence[WordFacts]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    start = 0
    size = len(sentence)
    while start < size:
        end = start
        while end < size and sentence[end].capital:
            end += 1
        if end == start:
            runs.append((start, start))
            start += 1
        else:
            runs += [(start, end)] * (end - start)
            start = end
    return runs
