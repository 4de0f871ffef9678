"""What of a recognised name is a name, in one form; and whether two of them may be one entity's.

Labels become vectors of their bigrams, and locality-sensitive hashing finds those that may be spelled alike. Planes
have entries of 1 and −1 and bigrams are counted, so that signatures are sums of whole numbers: the same on every
machine.
"""

from __future__ import annotations

import unicodedata
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import takewhile
from math import sqrt
from typing import Any

import numpy as np

from tidings.analysis import (
    BODY_WORDS,
    ROLES,
    TIMES,
    TITLES,
    bare_words,
    gazetteers,
    is_name,
    keys_of,
    same_entity,
    short_form,
)
from tidings.core import ENGLISH, data_beside

Array = np.ndarray[Any, Any]
BANDS = 32
"""Pieces of a signature; labels that share one of them, the first letter and the number of words are looked at."""
BITS = 10
"""Hyperplanes of a band. Labels of cosine .9 share a band in 99 of 100 cases, of .8 in 96, of .3 in 17."""
_BUCKETS = 2_048
_SEED = 2_015
_AT_ONCE = 4_096
_MOST_IN_BUCKET = 32
"""Labels of a bucket that are looked at, the latest."""


@lru_cache(maxsize=1)
def _planes() -> Array:
    generator = np.random.Generator(np.random.PCG64(_SEED))
    drawn: Array = generator.integers(0, 2, (_BUCKETS, BANDS * BITS), dtype=np.int16) * 2 - 1
    return drawn


def bigrams(label: str) -> list[str]:
    """Two letters each, of every word, in lower case; a word of one letter is its own.

    >>> bigrams("Obama B")
    ['ob', 'ba', 'am', 'ma', 'b']
    """
    pairs: list[str] = []
    for word in label.lower().split():
        pairs += [word[at : at + 2] for at in range(max(len(word) - 1, 1))]
    return pairs


def bigram_cosine(one: str, other: str) -> float:
    """The cosine of two labels' counts of bigrams, 0 to 1.

    >>> round(bigram_cosine("Gaddafi", "Gadhafi"), 2), bigram_cosine("Obama", "Putin")
    (0.67, 0.0)
    """
    left, right = Counter(bigrams(one)), Counter(bigrams(other))
    shared = sum(count * right[pair] for pair, count in left.items())
    norms = sum(count * count for count in left.values()) * sum(count * count for count in right.values())
    return shared / sqrt(norms) if norms else 0.0


def signatures(labels: Sequence[str]) -> Array:
    """For each label a number for each band, (labels, BANDS): the signs of its bigrams' sums over the planes."""
    planes = _planes()
    result = np.zeros((len(labels), BANDS), np.int64)
    powers = 1 << np.arange(BITS, dtype=np.int64)
    for begin in range(0, len(labels), _AT_ONCE):
        part = labels[begin : begin + _AT_ONCE]
        rows = [[zlib.crc32(pair.encode()) % _BUCKETS for pair in bigrams(label)] or [0] for label in part]
        starts = np.cumsum([0, *(len(row) for row in rows[:-1])])
        sums = np.add.reduceat(planes[[row for own in rows for row in own]], starts, axis=0, dtype=np.int32)
        signs = (sums >= 0).reshape(len(part), BANDS, BITS)
        result[begin : begin + len(part)] = signs @ powers
    return result


class LabelIndex:
    """Numbers under labels, found again through labels spelt alike: of as many words, with the same first letter.

    >>> index, labels = LabelIndex(), ["dzhokhar tsarnaev", "djokhar tsarnaev", "tsarnaev"]
    >>> known = dict(zip(labels, signatures(labels)))
    >>> index.add(7, labels[0], known[labels[0]])
    >>> [index.near(label, known[label]) for label in labels]
    [[7], [7], []]
    """

    def __init__(self) -> None:
        self._buckets: dict[tuple[int, int, str, int], list[int]] = {}

    def add(self, number: int, label: str, signature: Array) -> None:
        """Keep a number under a label of this signature."""
        first, size = label[:1], label.count(" ")
        for band, value in enumerate(signature.tolist()):
            bucket = self._buckets.setdefault((band, value, first, size), [])
            if number not in bucket[-_MOST_IN_BUCKET:]:
                bucket.append(number)

    def near(self, label: str, signature: Array) -> list[int]:
        """The numbers whose labels share a band with this one, in order; of each bucket the latest."""
        first, size = label[:1], label.count(" ")
        numbers: set[int] = set()
        for band, value in enumerate(signature.tolist()):
            numbers.update(self._buckets.get((band, value, first, size), ())[-_MOST_IN_BUCKET:])
        return sorted(numbers)


Words = tuple[str, ...]

_STATES = {
    short: state for state, forms in data_beside(__file__)["states"].items() for short in forms.split()
}
"""How papers shorten the names of states."""
_JOINED = tuple(map(str.strip, data_beside(__file__)["joined"].split("|")))
"""Places whose names hold an `and`."""
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
_LEAST_ALIKE = 0.72  # cosine of pairs of letters
_SHORTEST_ALIKE = 6  # letters: shorter names are like too many others
_LONG_WORD = 10  # letters: a longer word may differ in two


@lru_cache(maxsize=1)
def full_forms() -> dict[str, str]:
    """Of given names and their short forms the one that stands for all: `bill` is `william`."""
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
        letters = (char for char in unicodedata.normalize("NFKD", name) if not unicodedata.combining(char))
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
def squeeze(words: Words) -> str:
    """A name's letters and digits alone, so that `Port-au-Prince` is `Port Au Prince`.

    >>> squeeze(words_of("Ja'afari")) == squeeze(words_of("Jaafari"))
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


def fits(words: Words, other: Words, kind: str) -> bool:
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
    longer, shorter = (words, other) if len(words) >= len(other) else (other, words)
    if kind == "ORG" and _bag(words) == _bag(other) != "":
        return True
    if kind == "PER" and len(shorter) > 1 and longer[-1] == shorter[-1]:
        first, second = longer[0], shorter[0]
        if full_forms().get(first, first) == full_forms().get(second, second) or _shortens(first, second):
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


def is_spelt_like(words: Words, other: Words, kind: str) -> bool:
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
    if len(words) != len(other) or min(sum(map(len, words)), sum(map(len, other))) < _SHORTEST_ALIKE:
        return False
    pairs = [(left, right) for left, right in zip(words, other, strict=True) if left != right]
    if not all(_is_word_like(left, right) for left, right in pairs):
        return False
    if bigram_cosine(" ".join(words), " ".join(other)) < _LEAST_ALIKE and len(pairs) != 1:
        return False
    listed = gazetteers().words
    for at, (left, right) in enumerate(zip(words, other, strict=True)):
        if left != right and left in listed and right in listed:
            given = kind == "PER" and at == 0 and len(words) > 1 and words[-1] == other[-1]
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


_LINES = """
    abc news | afp | afp photo | agence france presse | agence france-presse | al jazeera | anadolu agency |
    ansa | ap | ap photo | economist | financial times | independent | the economist | the independent |
    the guardian | times | associated press | associated press writer | bbc | bbc breakfast | bbc news |
    bbc newsnight | bbc one | bbc radio | bbc world service | bloomberg | bloomberg news | cbc | cbc news | cbs |
    cbs news | cnn | cnn.com | ctv news | daily mail | daily telegraph | digg | dpa | efe | epa | facebook |
    flickr | fox news | foxnews.com | getty | getty images | google | google news | google+ | guardian |
    huffington post | instagram | interfax | itar tass | itar-tass | itv | kyodo | kyodo news | linkedin |
    los angeles times | msnbc | nbc | nbc news | new york times | newsnight | npr | nytimes.com | pinterest |
    press association | reddit | reuters | reuters news agency | ria novosti | rss | sky news | stumbleupon |
    the associated press | the huffington post | the times | thomson reuters | tumblr | twitter | upi |
    usa today | voa | voa news | wall street journal | washington post | wikipedia | wordpress | xinhua | yahoo |
    yahoo news | youtube
"""

NEWS_SOURCES = frozenset(map(str.strip, _LINES.split("|")))
"""Names in lower case."""
_PAPERS = NEWS_SOURCES | {"time", "atlantic", "national review", "new yorker", "spectator"}
"""Where people write that are quoted."""


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
_CALLINGS = _words("""
    pm pastor billionaire millionaire tycoon actor actress singer rapper author skier bobsledder snowboarder skater
    coach activist lawyer journalist
""")
"""Words before a person's name that say what the person does."""
_BEFORE_NAMES = TITLES | _CALLINGS
_NO_NAMES = _words("""
    party nation state strip hall kingdom organisation organization post dept earth east western midwestern nordic jr sr
""")
"""Words that alone name nobody."""
_SHIPS = _words("USS HMS MV SS RMS")
_PORTFOLIO = frozenset(("secretary", "secretaries", "minister", "ministers", "undersecretary"))
_TELLS = _words("said says wrote writes by argued argues")
_HEADING = _words("""
    breaking update updated live latest photos photo video videos pictures read watch share comments comment
    advertisement story highlights related more click here editor reporting writing copyright subscribe email print
    news topics tags older posts popular login home search archive rss
""")
"""Words of headings and of what stands around articles."""
_LONGEST_PERSON, _LONGEST = 6, 9
_SAINTS = frozenset(("St", "St.", "Saint"))
"""Words that belong to the name after them, even if the recogniser begins it later."""


def mended_spans(tokens: Sequence[str], spans: Sequence[Span], kept: frozenset[str]) -> list[Span]:
    """The spans of a sentence whose names stand for someone, without what is no part of the name.

    Marks, articles and titles go from their beginnings, words in lower case too, marks and `'s` from their ends; a
    name after "St" begins with it, as that of a place or a feast; a span that holds a bar, a bracket or the like is
    several. Left out are months and days, words of headings, stop words, and those who only bring the news (Reuters,
    CNN, Twitter) unless they are `kept`.

    >>> tokens = "The United Nations ' envoy told Reuters in May".split()
    >>> mended_spans(tokens, [(0, 4, "ORG"), (6, 7, "ORG"), (8, 9, "PER")], frozenset())
    [(1, 3, 'ORG')]
    >>> tokens = "Iran 's Foreign Ministry | wayward Tony Hayward".split()
    >>> mended_spans(tokens, [(0, 4, "ORG"), (5, 8, "PER")], frozenset())
    [(0, 1, 'LOC'), (2, 4, 'ORG'), (6, 8, 'PER')]
    >>> mended_spans("Health Minister Roselyne Bachelot".split(), [(0, 4, "PER")], frozenset())
    [(2, 4, 'PER')]
    >>> mended_spans("Secretary of State Marco Rubio".split(), [(2, 3, "ORG"), (3, 5, "PER")], frozenset())
    [(3, 5, 'PER')]
    >>> mended_spans("the saddest St James 's day".split(), [(3, 4, "PER")], frozenset())
    [(2, 4, 'LOC')]
    """
    mended: list[Span] = []
    is_cased = sum(token[:1].isupper() for token in tokens) > 1
    for begin, stop, kind in spans:
        if _is_beside_names(tokens, begin, stop, kind):
            continue
        if begin and tokens[begin - 1] in _SAINTS:
            begin, kind = begin - 1, "LOC"  # noqa: PLW2901
        for start, end, own_kind, name in _names_in(tuple(tokens[begin:stop]), kind):
            if is_cased and " ".join(tokens[begin + start : begin + end]).islower():
                continue
            if name in kept or _is_somebody(name, " ".join(tokens[begin + start : begin + end])):
                mended.append((begin + start, begin + end, own_kind))
    return mended


def _is_beside_names(tokens: Sequence[str], begin: int, stop: int, kind: str) -> bool:
    # What an office is of (`Secretary of State`), a ship's name, and who writes in a paper that is quoted.
    before = [token.lower() for token in tokens[max(begin - 2, 0) : begin]]
    if kind == "ORG" and len(before) == 2 and before[1] == "of":
        name = " ".join(tokens[begin:stop]).lower()
        return before[0] in _PORTFOLIO or (before[0] == "director" and name == "national intelligence")
    if kind != "PER" or not before:
        return False
    if tokens[begin - 1] in _SHIPS:
        return True
    if before[-1] not in _TELLS or tokens[stop : stop + 1] not in (["in"], ["for"]):
        return False
    paper = list(takewhile(lambda word: word[:1].isupper() or word == "the", tokens[stop + 1 :]))
    return " ".join(paper).lower().removeprefix("the ") in _PAPERS


@lru_cache(maxsize=1 << 14)
def _names_in(tokens: tuple[str, ...], kind: str) -> tuple[tuple[int, int, str, str], ...]:
    # Of what was recognised as a name: the names in it, each with its words in lower case.
    if not _ADDRESS.isdisjoint(tokens):
        return ()
    pieces = (trim(tokens, *piece) for piece in _pieces(tokens, 0, len(tokens), kind))
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
        elif (
            kind == "LOC" and token.lower() == "and" and at > start and not _is_one_place(tokens[start:stop])
        ):
            yield start, at, kind
            start = at + 1
        elif _ends_owner(tokens, start, at, kind):
            yield start, at, "LOC" if kind != "PER" else kind
            start = at + 1
    if start < stop:
        yield start, stop, kind


def _is_one_place(tokens: Sequence[str]) -> bool:
    # `Trinidad and Tobago`; of two places at least one is listed.
    name = " ".join(tokens)
    if marks_of(words_of(name)) or any(whole in name.lower() for whole in _JOINED):
        return True
    at = [token.lower() for token in tokens].index("and")
    return not any(marks_of(words_of(" ".join(part))) for part in (tokens[:at], tokens[at + 1 :]))


def _is_listing(tokens: Sequence[str], start: int, at: int, kind: str) -> bool:
    # The comma in `Ministry of Economy, Energy and Tourism`.
    return kind == "ORG" and tokens[at] == "," and "of" in tokens[start:at]


def _ends_owner(tokens: Sequence[str], start: int, at: int, kind: str) -> bool:
    if tokens[at] not in ("'s", "’s") or at == start:
        return False
    owner = " ".join(tokens[start:at])
    return kind == "PER" or owner.lower() in NEWS_SOURCES or "country" in marks_of(words_of(owner))


def _ends_person(tokens: Sequence[str], start: int, at: int, stop: int) -> bool:
    # A dash between two names, or a word in lower case that no name of a person has.
    word = tokens[at]
    if word == "-":
        return at + 1 < stop and len(tokens[at - 1]) > 2 and len(tokens[at + 1]) > 2
    cased = any(token[:1].isupper() for token in tokens[start:at]) and any(
        token[:1].isupper() for token in tokens[at + 1 : stop]
    )
    return cased and word.islower() and word.isalpha() and word not in _PARTICLES


def trim(tokens: Sequence[str], start: int, end: int, kind: str) -> Span | None:
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
            short_form(tokens[start]) in _BEFORE_NAMES
            or (end - start > 2 and tokens[start].lower() in _OFFICES)
        ):
            start += 1
        start = next((at + 1 for at in range(end - 2, start, -1) if short_form(tokens[at]) in ROLES), start)
    seen: set[str] = set()
    for at in range(start, end):
        low = tokens[at].lower()
        if low in seen and len(low) > 2 and low not in _INSIDE:
            return trim(tokens, start, at, kind)
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
    if len(words) == 1 and words[0].strip(".") in _NO_NAMES:
        return False
    is_peoples = words[-1] in gazetteers().demonyms and DIRECTIONS.issuperset(words[:-1])
    return not is_peoples


_STOP = ENGLISH - {"us"}


def _type_of(tokens: Sequence[str], start: int, end: int, kind: str) -> str:
    if kind == "LOC":
        return kind
    marks = marks_of(words_of(" ".join(tokens[start:end])))
    return "LOC" if "country" in marks or (end - start > 1 and "city" in marks) else kind
