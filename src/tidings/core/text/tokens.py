"""From text to tokens and stems, fast enough for a stream.

A token is a run of letters and digits in lower case, after apostrophes inside and around words were dropped
(`Nor'easter` is `noreaster`, `Israel's` is `israels`, whose stem is `israel`). Everything else separates. That is how
English is read; the words of other languages are those of `tidings.core.text.words`.

Light stems of Arabic words: the article and the commonest endings go, whatever stands in the middle stays, as the
stemmer "light10" of Larkey, Ballesteros and Connell (Improving stemming for Arabic information retrieval, SIGIR 2002)
is described there, in code of our own. Snowball's stemmer takes the first letter of words such as فيضان (a flood) for
the conjunction and leaves it on with the article, so that a word does not meet itself.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable
from functools import lru_cache

from tidings.core.files.data import data_beside

_ARTICLES = ("وال", "بال", "كال", "فال", "ال", "لل")
_ENDINGS = ("ها", "ان", "ات", "ون", "ين", "يه", "ه", "ي")


def light_stem(word: str) -> str:
    """The light stem of a word whose letters were made alike (`tidings.core.text.words`).

    >>> light_stem("الفيضان") == light_stem("فيضان"), light_stem("والسد")
    (True, 'سد')
    """
    if word.startswith("و") and len(word) > 3:
        word = word[1:]
    for article in _ARTICLES:
        if word.startswith(article) and len(word) - len(article) >= 2:
            word = word[len(article) :]
            break
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 2:
            word = word[: -len(ending)]
    return word


_DATA = data_beside(__file__)

ENGLISH: frozenset[str] = frozenset(_DATA["english"].split())
"""What `Analyzer` leaves out of its stems unless given others (apostrophes already dropped)."""


ENGLISH_CODE = "en"
ICU = "+icu"
"""Stands behind a code whose words are those of ICU's dictionaries."""

NAMES: dict[str, str] = _DATA["languages"]
"""The languages of which tidings knows stems, stop words or how words stand together."""

_WITHOUT_STEMS = frozenset({"ja", "km", "ko", "lo", "my", "th", "uk", "zh"})
_SNOWBALL = {code: name.lower() for code, name in NAMES.items() if code not in _WITHOUT_STEMS}
_CODES = {name: code for code, name in _SNOWBALL.items()}
_KNOWN = frozenset(
    """
    aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en
    eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja
    jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nd
    ne ng nl no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr
    ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
    """.split()  # noqa: SIM905
)
"""The codes of ISO 639-1."""
_ALSO = {"nb": "no", "nn": "no", "iw": "he", "in": "id"}


def code_of(language: str) -> str:
    """The code of ISO 639-1 of what a system calls a language: a code, or Snowball's name; "" for another name.

    >>> code_of("german"), code_of("zh+icu"), code_of("nb"), code_of("porter")
    ('de', 'zh', 'no', '')
    """
    bare = language.removesuffix(ICU)
    if bare in ("porter", "english"):
        return ENGLISH_CODE if bare == "english" else ""
    code = _CODES.get(bare) or (bare if len(bare) == 2 else "")
    return _ALSO.get(code, code)


def stemmer_of(language: str) -> str:
    """Snowball's name of the stemmer that a language, by code or by such a name, is stemmed by; "" where there is none.

    >>> stemmer_of("de"), stemmer_of("porter"), stemmer_of("ja")
    ('german', 'porter', '')
    """
    code = code_of(language)
    return _SNOWBALL.get(code, "") if code else language


def name_of(code: str) -> str:
    """What a language is called in English; its code where that is not known here.

    >>> name_of("fr"), name_of("sw")
    ('French', 'sw')
    """
    return NAMES.get(code, code)


def check_code(code: str) -> str:
    """The code in lower case, without a region; a UsageError where it is none.

    >>> check_code("pt-BR"), check_code("DE")
    ('pt', 'de')
    """
    bare = code.strip().lower().replace("_", "-").partition("-")[0]
    if bare in _KNOWN or bare in _ALSO:
        return _ALSO.get(bare, bare)
    from tidings.core.errors import UsageError

    raise UsageError(
        f"language {code!r} (expected a code of two letters (ISO 639-1), such as de, es, fr, ar, zh, ja or hi)"
    )


def document_language(code: str) -> str:
    """The code of the language that documents are in: as `check_code` has it, or one of three letters; "" for none.

    >>> document_language(" EN "), document_language("ceb"), document_language("")
    ('en', 'ceb', '')
    """
    bare = code.strip().lower()
    is_long = len(bare) == 3 and bare.isascii() and bare.isalpha()
    return bare if is_long or not bare else check_code(bare)


LONGEST_TOKEN = 64
"""Characters that are looked at of one token; hostile input holds tokens of many thousands."""

_APOSTROPHES = dict.fromkeys(map(ord, "'’ʼ＇"))
_ASCII = bytes(ord(chr(code).lower()) if chr(code).isalnum() else 32 for code in range(128)).ljust(256)
_WORDS = re.compile(r"[^\W_]+").findall


def tokens(text: str) -> list[str]:
    """The tokens of `text` in order, in lower case, stop words included.

    >>> tokens("At least 45 killed; the Nor'easter isn't over")
    ['at', 'least', '45', 'killed', 'the', 'noreaster', 'isnt', 'over']
    >>> tokens(" \\x00 -- ")
    []
    """
    if text.isascii():
        return text.encode().translate(_ASCII, b"'").decode().split()
    return _WORDS(text.translate(_APOSTROPHES).lower())


class _Stems(dict[str, str]):
    """Token → stem ("" for a stop word), filled on demand, emptied when it has grown too large."""

    def __init__(self, stemmer: str, stop: frozenset[str], limit: int) -> None:
        super().__init__()
        self._stem_word: Callable[[str], str] = str
        if stemmer == "arabic":
            self._stem_word = light_stem
        elif stemmer:
            import Stemmer

            # No cache of its own: this is the cache.
            self._stem_word = Stemmer.Stemmer(stemmer, 0).stemWord
        self._stop = stop
        self._limit = limit
        self._lock = threading.Lock()  # a stemmer object is not made for several threads

    def __missing__(self, token: str) -> str:
        if len(token) > LONGEST_TOKEN:
            return token[:LONGEST_TOKEN]
        with self._lock:
            stem = "" if token in self._stop else str(self._stem_word(token))
            if len(self) >= self._limit:
                self.clear()
            self[token] = stem
        return stem


class Analyzer:
    """Text → stems without stop words, by the words, the stop words and Snowball's stemmer of one language.

    `language` is a code of ISO 639-1, or Snowball's name of a language. One that has no stemmer is not stemmed, one
    whose words are not known is read by Unicode's rules. `+icu` behind it asks for ICU's dictionaries (`zh+icu`).

    Everything remembered is a cache and bounded: `word_limit` tokens, and the stems of the last texts,
    at most `text_limit` (the same sentence is asked about by every event that it is offered to).
    Texts longer than 2,000 characters are never remembered. The result does not depend on the caches.

    >>> Analyzer().stems("The ferries were burning in the port's harbour")
    ('ferri', 'burn', 'port', 'harbour')
    >>> Analyzer("de").stems("Die Brücken waren gesperrt"), Analyzer("ja").stems("橋が流された")
    (('bruck', 'gesperrt'), ('橋', '流'))
    """

    def __init__(
        self,
        language: str = "english",
        stop: frozenset[str] | None = None,
        *,
        word_limit: int = 200_000,
        text_limit: int = 8_192,
    ) -> None:
        self.language = language
        self._tokens: Callable[[str], Iterable[str]] = tokens
        code = code_of(language)
        if code == "en":
            stop = ENGLISH if stop is None else stop
        else:
            self._tokens, own = _reader_of(code, icu=language.endswith(ICU))
            stop = own if stop is None else stop
        self._word_stems = _Stems(stemmer_of(language), stop, word_limit)
        self._stem_of = self._word_stems.__getitem__
        self._texts: dict[str, tuple[str, ...]] = {}
        self._text_limit = text_limit

    def stems(self, text: str) -> tuple[str, ...]:
        """The stems of `text` in order, repeated as often as they occur, stop words left out."""
        stems = self._texts.get(text)
        if stems is None:
            stems = tuple(filter(None, map(self._stem_of, self._tokens(text))))
            if len(text) <= 2_000 and self._text_limit:
                if len(self._texts) >= self._text_limit:
                    self._texts.clear()
                self._texts[text] = stems
        return stems

    def stem(self, token: str) -> str:
        """The stem of one token in lower case; empty for a stop word.

        >>> Analyzer().stem("bombings"), Analyzer().stem("the")
        ('bomb', '')
        """
        return self._stem_of(token)


def _reader_of(code: str, *, icu: bool) -> tuple[Callable[[str], list[str]], frozenset[str]]:
    """What reads the words of a language, and which of them are stop words, read in the same way."""
    from tidings.core.text.words import STOP_WORDS, word_reader

    read = word_reader(code, icu=icu)
    return read, frozenset(read(" ".join(STOP_WORDS.get(code, "").split())))


@lru_cache(maxsize=64)
def shared_analyzer(language: str = "english") -> Analyzer:
    """One analyzer for everyone who wants `language`, so that its caches serve all followers.

    >>> shared_analyzer("de") is shared_analyzer("german")
    True
    """
    code = code_of(language)
    same = code + (ICU if language.endswith(ICU) else "")
    if same not in ("", language) and stemmer_of(same) == stemmer_of(language):
        return shared_analyzer(same)
    return Analyzer("english" if language == "en" else language)


def analyzer_of(language: str, otherwise: str = "english") -> Analyzer:
    """The shared analyzer of a document's language; of one that nobody has said, that of another.

    >>> analyzer_of("").language, analyzer_of("fr").language
    ('english', 'fr')
    """
    return shared_analyzer(language or otherwise)
