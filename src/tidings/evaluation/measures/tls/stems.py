"""Words as ROUGE 1.5.5 counts them with `-m -s`: in small letters, without stop words, stemmed.

A word is a run of ASCII letters and digits; every other byte separates. Stop words are left out before stemming. Words
of up to three letters stay as they are; an irregular form becomes its base form, which is *not* stemmed in turn
(`studied` gives `study`, while `study` gives `studi`); all others go through Porter's rules as `porter` has them.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

__all__ = ["STOP", "porter", "stems", "words_of"]


_STOP_WORDS = """
    a able about above according accordingly across actually after afterwards again against all allow allows
    almost alone along already also although always am amid among amongst an and another any anybody anyhow
    anyone anything anyway anyways anywhere ap apart appear appreciate appropriate apr are around as aside ask
    asking associated at aug available away awfully b be became because become becomes becoming been before
    beforehand behind being believe below beside besides best better between beyond both brief but by c came can
    cannot cant cause causes certain certainly changes clearly co com come comes concerning consequently
    consider considering contain containing contains corresponding could course currently d dec definitely
    described despite did different do does doing done down downwards during e each edu eg eight either else
    elsewhere enough entirely especially et etc even ever every everybody everyone everything everywhere ex
    exactly example except f far feb few fifth five followed following follows for former formerly forth four
    fri from further furthermore g get gets getting given gives go goes going gone got gotten greetings h had
    happens hardly has have having he hello help hence her here hereafter hereby herein hereupon hers herself hi
    him himself his hither hopefully how howbeit however i ie if ignored immediate in inasmuch inc indeed index
    indicate indicated indicates inner insofar instead into inward is it its itself j jan jul jun just k keep
    keeps kept know known knows l lately later latter latterly least less lest let like liked likely little look
    looking looks ltd m mainly many mar may maybe me mean meanwhile merely might mon more moreover most mostly
    much must my myself n namely nd near nearly necessary need needs neither never nevertheless new news next
    nine no nobody non none noone nor normally not nothing nov novel now nowhere o obviously oct of off often oh
    ok okay old on once one ones only onto or other others otherwise ought our ours ourselves out outside over
    overall own p particular particularly per perhaps placed please plus possible presumably probably provides q
    que quite qv r rather rd re really reasonably regarding regardless regards relatively respectively reuters
    right s said same sat saw say saying says second secondly see seeing seem seemed seeming seems seen self
    selves sensible sent sep serious seriously seven several shall she should since six so some somebody somehow
    someone something sometime sometimes somewhat somewhere soon sorry specified specify specifying still sub
    such sup sure t take taken tech tell tends th than thank thanks thanx that thats the their theirs them
    themselves then thence there thereafter thereby therefore therein theres thereupon these they think third
    this thorough thoroughly those though three through throughout thru thu thus to together too took toward
    towards tried tries truly try trying tue twice two u un under unfortunately unless unlikely until unto up
    upon us use used useful uses using usually uucp v value various very via viz vs w want wants was way we wed
    welcome well went were what whatever when whence whenever where whereafter whereas whereby wherein whereupon
    wherever whether which while whither who whoever whole whom whose why will willing wish with within without
    wonder would x y yes yet you your yours yourself yourselves z zero
"""

STOP: frozenset[str] = frozenset(_STOP_WORDS.split())
"""Left out before stemming. The names of months and days are the shortened ones that date lines of news have."""


_WORDS = re.compile(r"[a-z0-9]+").findall
_WORDS_ANY = re.compile(r"[^\W_]+").findall
_LOWER = {code: code + 32 for code in range(65, 91)}
_LONGEST = 64  # longer words are kept as they are; hostile input holds words of many thousands of letters


def words_of(text: str, *, ascii_only: bool = True) -> list[str]:
    """The words of a text in order, in small letters, stop words included.

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
    from importlib.resources import files

    text = (files(__package__) / "irregular.txt").read_text(encoding="ascii")
    rows = (line.split() for line in text.splitlines() if not line.startswith("#"))
    return {form: row[0] for row in rows for form in row[1:]}


# Porter (1980): a word is [C](VC)^m[V]. A y is a vowel after a consonant; at the start of a word it is none, and is
# written Y meanwhile. What is no vowel is a consonant, digits too.
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
    """The stem of a word in small letters, by Porter (1980) as ROUGE 1.5.5 has it.

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
            word = _mended(rest)
    if word.endswith("y") and _HAS_VOWEL(word[:-1]):
        word = word[:-1] + "i"
    return word


def _mended(rest: str) -> str:
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
