"""The words of a text in any language: by Unicode's letters and marks, and in pairs of characters without blanks.

- Letters, digits and combining marks that touch are a word (as in Unicode's UAX #29; its rules for points and
  apostrophes within words are left out: both separate). Compatibility forms are made plain (NFKC): full-width digits,
  half-width katakana, ligatures. All digits become 0 to 9.
- Han characters: each pair of neighbours (`洪水警报` gives `洪水`, `水警`, `警报`); one alone stands for itself.
  Function characters of Chinese (的, 了, 在 …) separate. Katakana: a whole run is a word. Hiragana: pairs, but none of
  a run that holds grammar. Thai, Lao, Khmer, Burmese: pairs of letters with their marks.
- Korean: words between blanks, without the commonest particles at their end; digits and letters apart.
- Arabic: without vowel signs and tatweel; أ, إ, آ as ا; ى as ي; ة as ه. Persian and Urdu: ي, ى as ی; ك as ک.
- With `icu`, words of Chinese, Japanese, Thai, Lao, Khmer and Burmese are those of ICU's dictionaries (extra `words`).

Words without a topic in languages other than English stand in `words.toml`.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import pairwise

from tidings.core.files.data import data_beside

_DATA = data_beside(__file__)
STOP_WORDS: dict[str, str] = _DATA["stop_words"]
"""By code of ISO 639-1."""


UNSPACED = frozenset({"zh", "ja", "th", "lo", "km", "my"})
"""Languages that are written without blanks between words."""

_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0900-\u0963\u0966-\u0df3\u0e31\u0e34-\u0e3a\u0e47-\u0e4e"
    "\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u1056-\u1059\u135d-\u135f\u17b4-\u17d3\u200c\u200d"
)
_WORD = re.compile(rf"(?:[^\W_]|[{_MARKS}])+")
_HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_KATAKANA = "\u30a1-\u30fa\u30fc-\u30fe"
_HIRAGANA = "\u3041-\u309f"
_THAI = "\u0e01-\u0e4e"
_LAO = "\u0e81-\u0ece\u0edc-\u0edf"
_KHMER = "\u1780-\u17d3"
_BURMESE = "\u1000-\u103f\u1050-\u109f"
_NO_BLANKS = re.compile(f"[{_HAN}{_KATAKANA}{_HIRAGANA}{_THAI}{_LAO}{_KHMER}{_BURMESE}]")
_RUNS = re.compile(
    f"(?P<han>[{_HAN}]+)|(?P<katakana>[{_KATAKANA}]+)|(?P<hiragana>[{_HIRAGANA}]+)"
    f"|(?P<clusters>[{_THAI}{_LAO}{_KHMER}{_BURMESE}]+)|(?P<digits>[0-9]+)"
    f"|(?P<other>[^0-9{_HAN}{_KATAKANA}{_HIRAGANA}{_THAI}{_LAO}{_KHMER}{_BURMESE}]+)"
)
_HANGUL = re.compile("[\uac00-\ud7a3]")
_HANGUL_RUNS = re.compile("[0-9]+|[^0-9]+")
# A letter with the vowel that stands before it and the marks that stand after it.
_CLUSTER = re.compile(
    "[\u0e40-\u0e44\u0ec0-\u0ec4]?"
    "(?:\u17d2.|\u1039.|[^\u0e30-\u0e3a\u0e45-\u0e4e\u0eb0-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u17b4-\u17d3])"
    "(?:\u17d2.|\u1039.|[\u0e30-\u0e3a\u0e45-\u0e4e\u0eb0-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u17b4-\u17d1\u17d3])*"
)
_NO_HIRAGANA = re.compile(f"[^{_HIRAGANA}]").search
_GRAMMAR = frozenset(_DATA["hiragana_of_grammar"].split())
_LONGEST_RUN = 2_000  # characters of one run without a blank that are looked at

_ARABIC_GONE = "\u0640" + "".join(map(chr, (*range(0x610, 0x61B), *range(0x64B, 0x660), 0x670)))
_ARABIC = dict.fromkeys(map(ord, _ARABIC_GONE)) | str.maketrans("أإآٱىة", "ااااي" + "ه")
_PERSIAN = dict.fromkeys(map(ord, _ARABIC_GONE)) | str.maketrans("أإآٱيىكة", "اااایی" + "که")
_HEBREW = dict.fromkeys(range(0x591, 0x5C8))
_OWN_FORMS = {"ar": _ARABIC, "fa": _PERSIAN, "ur": _PERSIAN, "he": _HEBREW}
_JOINERS = dict.fromkeys((0x200C, 0x200D, 0xAD, 0x200B))
_APOSTROPHES = "'’ʼ＇"
_INSIDE = frozenset({"uk", "be", "br"})  # languages with an apostrophe inside words
# At the end of a Korean word; the longer ones first.
_PARTICLES = re.compile(
    "(?:에서는|에게서|으로는|이라고|라고|에서|에게|으로|까지|부터|보다|처럼|마다|이나|이며|하고|했다|한다|에는|은|는|이|가|을|를|의|에|로|와|과|도|만)$"
)


@lru_cache(maxsize=1)
def digits() -> dict[int, str]:
    """Every digit of another script to its figure, what joins letters to nothing."""
    return {
        code: str(unicodedata.decimal(chr(code)))
        for code in range(0x600, min(0x1E960, sys.maxunicode))
        if unicodedata.decimal(chr(code), None) is not None
    }


def word_reader(language: str, *, icu: bool = False) -> Callable[[str], list[str]]:
    """What gives the words of texts in a language, stop words included.

    Args:
        language: a code of ISO 639-1; others are read by Unicode's rules alone.
        icu: by the dictionaries of ICU where words have no blanks between them; needs the extra `words`.

    >>> word_reader("zh")("洪水造成12人死亡。"), word_reader("ja")("ダムが決壊した")
    (['洪水', '水造', '造成', '12', '人死', '死亡'], ['ダム', '決壊'])
    >>> word_reader("fr")("L'eau monte"), word_reader("hi")("बाढ़ में १२ मृत")
    (['l', 'eau', 'monte'], ['बाढ़', 'में', '12', 'मृत'])
    """
    own = _OWN_FORMS.get(language, {})
    table = {**digits(), **own, **_JOINERS, **dict.fromkeys(map(ord, _APOSTROPHES), " ")}
    if language in _INSIDE:
        table.update(dict.fromkeys(map(ord, _APOSTROPHES)))
    separators = frozenset(_DATA["separators"].get(language, ""))
    find = _WORD.findall
    icu_words = _icu_words(language) if icu and language in UNSPACED else None

    def read(text: str) -> list[str]:
        if not text.isascii():
            # Which takes the Thai and Lao vowel am apart.
            text = unicodedata.normalize("NFKC", text)
            text = text.replace("\u0e4d\u0e32", "\u0e33").replace("\u0ecd\u0eb2", "\u0eb3")
        text = text.translate(table).lower()
        if language == "ko":
            return [word for whole in find(text) for word in _korean(whole)]
        if text.isascii() or not _NO_BLANKS.search(text):
            return find(text)
        if icu_words is not None:
            return [word for word in icu_words(text) if word not in separators and not _is_grammar(word)]
        return [word for whole in find(text) for word in _words_without_blanks(whole, separators)]

    return read


def _korean(whole: str) -> Iterator[str]:
    for part in _HANGUL_RUNS.findall(whole):
        bare = _PARTICLES.sub("", part) if _HANGUL.search(part) else part
        yield bare if len(bare) >= 2 else part


def _words_without_blanks(whole: str, separators: frozenset[str]) -> Iterator[str]:
    for run in _RUNS.finditer(whole):
        kind, text = run.lastgroup, run.group()[:_LONGEST_RUN]
        if kind == "han":
            if separators.isdisjoint(text):
                yield from _pairs(text)
            else:
                for part in "".join(" " if sign in separators else sign for sign in text).split():
                    yield from _pairs(part)
        elif kind == "hiragana":
            pairs = list(_pairs(text))
            if len(text) > 2 and _GRAMMAR.isdisjoint(pairs):
                yield from pairs
        elif kind == "clusters":
            yield from _pairs(_CLUSTER.findall(text))
        else:
            yield text


def _is_grammar(word: str) -> bool:
    if _NO_HIRAGANA(word):
        return False
    return len(word) <= 2 or not _GRAMMAR.isdisjoint(_pairs(word))


def _pairs(parts: str | list[str]) -> Iterator[str]:
    if len(parts) == 1:
        yield parts[0]
    for one, other in pairwise(parts):
        yield one + other


def _icu_words(language: str) -> Callable[[str], list[str]]:
    try:
        from icu4py.breakers import WordBreaker
    except ImportError:
        from tidings.core.errors import UsageError, pip_install

        raise UsageError(f"segmenter=icu needs icu4py. Run: {pip_install('[words]')}") from None

    def words(text: str) -> list[str]:
        return [word for part in WordBreaker(text, language) for word in _WORD.findall(part)]

    return words


def count_words(text: str) -> int:
    """How many words a text has, for limits on length: runs between blanks; two characters without blanks are one.

    >>> count_words("The dam broke on Friday."), count_words("洪水造成十二人死亡。")
    (5, 5)
    """
    if text.isascii() or not _NO_BLANKS.search(text):
        return len(text.split())
    unspaced = len(_NO_BLANKS.findall(text))
    rest = _NO_BLANKS.sub(" ", text).split()
    return sum(any(map(str.isalnum, word)) for word in rest) + (unspaced + 1) // 2
