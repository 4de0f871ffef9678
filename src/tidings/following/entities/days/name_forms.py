"""Names brought to one form, and whether two of them may be one entity's: as `alike` allows, or by spelling."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from tidings.analysis import BODY_WORDS, bare_words, gazetteers, keys_of, same_entity
from tidings.following.entities.days.signatures import bigram_cosine

__all__ = ["Words", "fits", "is_spelt_like", "lookup_keys", "marks_of", "squeezed", "words_of"]

Words = tuple[str, ...]

_STATES = {
    short: state
    for state, forms in {
        "florida": "fla",
        "california": "calif",
        "colorado": "colo",
        "arizona": "ariz",
        "connecticut": "conn",
        "michigan": "mich",
        "minnesota": "minn",
        "oklahoma": "okla",
        "tennessee": "tenn",
        "wisconsin": "wis",
        "wyoming": "wyo",
        "nevada": "nev",
        "nebraska": "neb",
        "alabama": "ala",
        "new jersey": "n.j nj",
        "new york": "n.y ny",
        "north carolina": "n.c",
        "south carolina": "s.c",
        "new mexico": "n.m",
        "new hampshire": "n.h nh",
        "north dakota": "n.d",
        "south dakota": "s.d",
        "rhode island": "r.i",
        "west virginia": "w.va",
        "louisiana": "la",
    }.items()
    for short in forms.split()
}
"""How papers shorten the names of states."""
_REALMS = frozenset(("republic", "kingdom", "state", "commonwealth", "government"))
_JOINING = frozenset(("of", "for", "and", "on", "the", "&", "in"))
_ARTICLES = ("al", "el")
_NICKNAMES = (
    "robert bob rob bobby|william bill will billy|richard dick rick|james jim jimmy|michael mike|thomas tom|edward ed "
    "ted|anthony tony|joseph joe|david dave|daniel dan|benjamin ben|samuel sam|kenneth ken|ronald ron|donald don|"
    "steven steve stephen|matthew matt|gregory greg|timothy tim|andrew andy|patrick pat|margaret peggy maggie|"
    "elizabeth liz beth|katherine kate kathy|charles charlie chuck|john jack|nicholas nick|vladimir volodya"
)
_ANY_BODYS = BODY_WORDS | {"house", "union", "republican", "liberal", "national"}
_OWN_BODIES = frozenset(("committee", "commission", "academy", "council", "hospital", "school", "college"))
_OWN_BODIES |= {"university", "museum", "court", "foundation", "fund"}
"""Words that make another body of a body's name: the Senate Committee is not the Senate."""
_PLACES = frozenset(("country", "city", "place", "town"))
_LEAST_ALIKE = 0.72
_SHORTEST_ALIKE = 6
_LONG_WORD = 10


@lru_cache(maxsize=1)
def _full_forms() -> dict[str, str]:
    return {name: line.split()[0] for line in _NICKNAMES.split("|") for name in line.split()}


@lru_cache(maxsize=1 << 15)
def words_of(name: str) -> Words:
    """The words of a name in one form: as `bare_words`, without accents, `al-`, and with short forms written out.

    >>> words_of("Bashar al-Assad"), words_of("U . S"), words_of("Republic of Haiti"), words_of("Traian Băsescu")
    (('bashar', 'assad'), ('united', 'states'), ('haiti',), ('traian', 'basescu'))
    >>> words_of("N.J."), words_of("El Salvador"), words_of("the White House")
    (('new', 'jersey'), ('el', 'salvador'), ('white', 'house'))
    """
    if not name.isascii():
        letters = (one for one in unicodedata.normalize("NFKD", name) if not unicodedata.combining(one))
        name = unicodedata.normalize("NFC", "".join(letters)) or name
    words = bare_words(name.replace(" - ", "-").replace("_", " "))
    if len(words) > 1 and all(len(word) == 1 for word in words):
        words = bare_words("".join(words))
    if len(words) == 1 and words[0] in _STATES:
        return tuple(_STATES[words[0]].split())
    if len(words) > 2 and words[1] == "of" and words[0] in _REALMS and marks_of(words[2:]) & _REALM_MARKS:
        words = words[2:]
    plain = [
        word[3:] if word[:3] in ("al-", "el-") and len(word) > 4 else word
        for at, word in enumerate(words)
        if not (at and word in _ARTICLES)
    ]
    return tuple(plain)


@lru_cache(maxsize=1 << 15)
def squeezed(words: Words) -> str:
    """A name's letters and digits alone, so that `Port-au-Prince` is `Port Au Prince`.

    >>> squeezed(words_of("Ja'afari")) == squeezed(words_of("Jaafari"))
    True
    """
    return "".join(filter(str.isalnum, "".join(words))) or " ".join(words)


_REALM_MARKS = frozenset(("country", "place"))


def marks_of(words: Words) -> frozenset[str]:
    """The lists that a name stands in as a whole: `country`, `city`, `place`, `org`, and those of people's names.

    >>> sorted(marks_of(("iraq",))), sorted(marks_of(("new", "york"))), sorted(marks_of(("no", "such", "place")))
    (['country'], ['place'], [])
    """
    if len(words) == 1:
        return frozenset(gazetteers().words.get(words[0], ()))
    if not words:
        return frozenset()
    return frozenset(kind for phrase, kind in gazetteers().phrases.get(words[0], ()) if phrase == words)


def fits(one: Words, other: Words, kind: str) -> bool:
    """Whether two names of a type, as `words_of` gives them, may be one entity's, whichever is the longer.

    An acronym of two letters says too little, and so does the last word of a body that any body may have.

    >>> fits(("obama",), ("barack", "obama"), "PER"), fits(("bob", "dudley"), ("robert", "dudley"), "PER")
    (True, True)
    >>> fits(("justice", "department"), ("department", "of", "justice"), "ORG")
    True
    >>> fits(("anadarko", "petroleum"), ("anadarko",), "ORG"), fits(("senate", "committee"), ("senate",), "ORG")
    (True, False)
    >>> fits(("supreme", "court"), ("sc",), "ORG"), fits(("paris", "police"), ("police",), "ORG")
    (False, False)
    """
    longer, shorter = (one, other) if len(one) >= len(other) else (other, one)
    if kind == "ORG" and _bag(one) == _bag(other) != "":
        return True
    if kind == "PER" and len(shorter) > 1 and longer[-1] == shorter[-1]:
        first, second = longer[0], shorter[0]
        if _full_forms().get(first, first) == _full_forms().get(second, second) or _shortens(first, second):
            return True
    if (
        kind != "PER"
        and len(shorter) == 1 < len(longer)
        and (len(shorter[0].replace(".", "")) < 3 or shorter[0] in _ANY_BODYS)
    ):
        return False
    if kind == "ORG" and longer[: len(shorter)] == shorter and longer != shorter:
        rest = longer[len(shorter) :]
        if not _OWN_BODIES.isdisjoint(rest) or marks_of(rest) & _PLACES:
            return False
    return same_entity(longer, shorter, kind)


@lru_cache(maxsize=1 << 15)
def lookup_keys(words: Words) -> tuple[str, ...]:
    """What two names that `fits` allows have in common, in order.

    >>> "justice ministry" in lookup_keys(("ministry", "of", "justice")) and lookup_keys(("justice", "ministry"))
    ('jm', 'justice', 'justice ministry', 'ministry')
    """
    bag = _bag(words)
    return tuple(sorted(keys_of(words) | ({bag} if bag else set())))


def _bag(words: Words) -> str:
    # The words of a body in whatever order: `Department of Justice`, `Justice Department`.
    content = sorted(word for word in words if word not in _JOINING)
    return " ".join(content) if len(content) > 1 else ""


def _shortens(one: str, other: str) -> bool:
    return min(len(one), len(other)) >= 3 and (one.startswith(other) or other.startswith(one))


def is_spelt_like(one: Words, other: Words, kind: str) -> bool:
    """Whether two names differ in spelling alone: as many words, each pair alike, bigrams of cosine .72.

    Two different words that are both listed are two names, but for given names before one surname, unless they are a
    man's and a woman's.

    >>> is_spelt_like(("dzhokhar", "tsarnaev"), ("dzokhar", "tsarnaev"), "PER")
    True
    >>> is_spelt_like(("mohamed", "morsi"), ("mohammed", "morsi"), "PER")
    True
    >>> is_spelt_like(("austria",), ("australia",), "LOC"), is_spelt_like(("homs",), ("hama",), "LOC")
    (False, False)
    """
    if len(one) != len(other) or min(sum(map(len, one)), sum(map(len, other))) < _SHORTEST_ALIKE:
        return False
    pairs = [(left, right) for left, right in zip(one, other, strict=True) if left != right]
    if not all(_is_word_like(left, right) for left, right in pairs):
        return False
    if bigram_cosine(" ".join(one), " ".join(other)) < _LEAST_ALIKE and len(pairs) != 1:
        return False
    listed = gazetteers().words
    for at, (left, right) in enumerate(zip(one, other, strict=True)):
        if left != right and left in listed and right in listed:
            given = kind == "PER" and at == 0 and len(one) > 1 and one[-1] == other[-1]
            genders = gazetteers().genders
            if not given or {genders.get(left, ""), genders.get(right, "")} == {"m", "f"}:
                return False
    return True


def _is_word_like(one: str, other: str) -> bool:
    # The same first letter; letters changed, left out or put in: one of four to nine, two of a longer word.
    longest = max(len(one), len(other))
    if one[0] != other[0] or min(len(one), len(other)) < 4 or any(map(str.isdigit, one + other)):
        return False
    return _within(one, other, 1 if longest < _LONG_WORD else 2)


def _within(one: str, other: str, most: int) -> bool:
    """Whether so many letters changed, left out or put in make one word the other."""
    if abs(len(one) - len(other)) > most:
        return False
    start, size = 0, min(len(one), len(other))
    while start < size and one[start] == other[start]:
        start += 1
    end = 0
    while end < size - start and one[-1 - end] == other[-1 - end]:
        end += 1
    left, right = one[start : len(one) - end], other[start : len(other) - end]
    if max(len(left), len(right)) <= most:
        return True
    if most < 2:
        return False
    # Two changes apart: the first of them at the first letters that differ.
    return any(
        _within(*pair, most - 1) for pair in ((left[1:], right[1:]), (left[1:], right), (left, right[1:]))
    )
