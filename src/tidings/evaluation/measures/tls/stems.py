"""Words as ROUGE 1.5.5 counts them with `-m -s`: in lower case, without stop words, stemmed.

A word is a run of ASCII letters and digits; every other byte separates. Stop words are left out before stemming. Words
of up to three letters stay as they are; an irregular form becomes its base form, which is *not* stemmed in turn
(`studied` gives `study`, while `study` gives `studi`); all others go through Porter's rules as `porter` has them.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files


def _read(name: str) -> list[str]:
    text = (files(__package__) / name).read_text(encoding="ascii")
    return [line for line in text.splitlines() if not line.startswith("#")]


STOP = frozenset(word for line in _read("stop.txt") for word in line.split())
"""Left out before stemming. The names of months and days are the shortened ones that date lines of news have."""


_WORDS = re.compile(r"[a-z0-9]+").findall
_WORDS_ANY = re.compile(r"[^\W_]+").findall
_LOWER = {code: code + 32 for code in range(65, 91)}
_LONGEST = 64  # longer words are kept as they are; hostile input holds words of many thousands of letters


def words_of(text: str, *, ascii_only: bool = True) -> list[str]:
    """The words of a text in order, in lower case, stop words included.

    >>> words_of("A café in Saint-Denis, £20m")
    ['a', 'caf', 'in', 'saint', 'denis', '20m']
    >>> words_of("A café", ascii_only=False)
    ['a', 'café']
    """
    return _WORDS(text.translate(_LOWER)) if ascii_only else _WORDS_ANY(text.lower())


def stems(text: str, *, ascii_only: bool = True) -> list[str]:
    """What is counted of a text: its words without stop words, each by its base form or stem.

    >>> stems("The oil was leaking; children were killed, who studied")
    ['oil', 'leak', 'child', 'kill', 'study']
    """
    return [stem for word in words_of(text, ascii_only=ascii_only) if (stem := _stem(word))]


@lru_cache(maxsize=1 << 16)
def _stem(word: str) -> str:
    # "" for a stop word.
    if word in STOP:
        return ""
    if not 3 < len(word) <= _LONGEST:
        return word
    return _irregular().get(word) or porter(word)


@cache
def _irregular() -> dict[str, str]:
    rows = map(str.split, _read("irregular.txt"))
    return {form: row[0] for row in rows for form in row[1:]}


# Porter (1980): a word is [C](VC)^m[V]. A y is a vowel after a consonant; at the start of a word it is none, and is
# written Y in the meantime. What is no vowel is a consonant, digits too.
_CONSONANTS = "[^aeiou][^aeiouy]*"
_VOWELS = "[aeiouy][aeiou]*"
_M_OVER_0 = re.compile(f"(?:{_CONSONANTS})?{_VOWELS}{_CONSONANTS}").match
_M_OVER_1 = re.compile(f"(?:{_CONSONANTS})?{_VOWELS}{_CONSONANTS}{_VOWELS}{_CONSONANTS}").match
_M_IS_1 = re.compile(f"(?:{_CONSONANTS})?{_VOWELS}{_CONSONANTS}(?:{_VOWELS})?").fullmatch
_HAS_VOWEL = re.compile(f"(?:{_CONSONANTS})?[aeiouy]").match
_SHORT = re.compile(f"{_CONSONANTS}[aeiouy][^aeiouwxy]").fullmatch
_DOUBLE = re.compile(r"([^aeiouylsz])\1").fullmatch

_STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "bli": "ble", "alli": "al",
    "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al",
    "iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble", "logi": "log",
}  # fmt: skip
_STEP_3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_STEP_4 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ou", "ism", "ate", "iti", "ous", "ive", "ize",
)  # fmt: skip


def porter(word: str) -> str:
    """The stem of a word in lower case, by Porter (1980) as ROUGE 1.5.5 has it.

    Step 4 differs from the paper: the endings -ment and -ent are tried on what the other endings left over, not instead
    of them; and words under three letters stay as they are.

    >>> [porter(word) for word in ("fundamental", "relational", "yielding", "sky", "1990s")]
    ['fundam', 'relat', 'yield', 'sky', '1990']
    """
    if len(word) < 3:
        return word
    leading = word[0]
    if leading == "y":
        word = "Y" + word[1:]
    word = _without_e(_step_4(_replace(_replace(_inflection(word), _STEP_2), _STEP_3)))
    return "y" + word[1:] if leading == "y" and word else word


def _inflection(word: str) -> str:
    # Steps 1a to 1c: plurals, -ed and -ing, final y.
    if word.endswith(("sses", "ies")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith("ss") and len(word) > 1:
        word = word[:-1]
    if word.endswith("eed"):
        if _M_OVER_0(word[:-3]):
            word = word[:-1]
    elif word.endswith(("ed", "ing")):
        rest = word[: -2 if word.endswith("ed") else -3]
        if _HAS_VOWEL(rest):
            word = _mend(rest)
    if word.endswith("y") and _HAS_VOWEL(word[:-1]):
        word = word[:-1] + "i"
    return word


def _mend(rest: str) -> str:
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    if _DOUBLE(rest[-2:]):
        return rest[:-1]
    return rest + "e" if _SHORT(rest) else rest


def _replace(word: str, table: dict[str, str]) -> str:
    # Only the longest ending counts, whether or not it may be replaced.
    for length in range(7, 2, -1):
        ending = word[-length:]
        if len(ending) == length and ending in table:
            rest = word[:-length]
            return rest + table[ending] if _M_OVER_0(rest) else word
    return word


def _step_4(word: str) -> str:
    ending = max((ending for ending in _STEP_4 if word.endswith(ending)), key=len, default="")
    word = _cut(word, ending)
    if word.endswith("ment"):
        word = _cut(word, "ment")
    if word.endswith("ent"):
        return _cut(word, "ent")
    return _cut(word, "ion") if word.endswith(("sion", "tion")) else word


def _cut(word: str, ending: str) -> str:
    rest = word[: len(word) - len(ending)]
    return rest if ending and _M_OVER_1(rest) else word


def _without_e(word: str) -> str:
    # Step 5: final e, and one of two l.
    if word.endswith("e"):
        rest = word[:-1]
        if _M_OVER_1(rest) or (_M_IS_1(rest) and not _SHORT(rest)):
            word = rest
    return word[:-1] if word.endswith("ll") and _M_OVER_1(word) else word
