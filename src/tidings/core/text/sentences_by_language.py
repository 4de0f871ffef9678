"""Where sentences of languages other than English begin and end: by sentencex, and a few rules over its borders.

sentencex knows the closing marks of all scripts (。！？ । ؟ ។), quotes and brackets, and abbreviations of the larger
languages. A border that it sets is taken back after an initial or one of `_TITLES`, and in Japanese before what goes on
after a quotation (`…」と話した`), and after the number of a day in languages that write `3. Mai`. One is added at a
blank line. What is quoted stays whole.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["split_by_language"]

_BLANK_LINE = re.compile(r"\n[ \t\r]*\n\s*|\r\n[ \t]*\r\n\s*")
_LONGEST_PART = 20_000
_INITIAL = re.compile(r"(?:^|[\s(«„“\"'-])[^\W\d_]\.$")
_LAST_WORD = re.compile(r"(?<![^\s(\[\"'«„“])([^\s(\[\"'«„“]+)\.$")
# The third of May: a number with a full stop, after a word that a sentence does not end with, or before a month.
_ORDINAL = re.compile(
    r"\b(?:am|vom|zum|der|den|dem|des|bis|und|ab|seit|dem|im|ihr|sein|beim) \d{1,2}\.$", re.IGNORECASE
)
_NUMBERED = re.compile(r"\b\d{1,2}\.$")
_MONTH = re.compile(
    "(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|mar|maj|okt|dec|ledna|júl)", re.IGNORECASE
)
_ORDINALS = frozenset(("de", "da", "no", "fi", "cs", "hu", "et", "pl"))
_GOES_ON = re.compile("(?:と(?!ころ)|って|などと|との|という|は、|が、|を|に)")
_CLOSED_QUOTE = ("」", "』", "）", "”", "）。")
_TITLES = {
    "fr": "m mm mme mmes mlle dr pr st ste av bd cf env art no",
    "de": "dr prof hr fr st bzw ca evtl ggf inkl vgl nr str abs usw sog geb jh tel art",
    "es": "sr sra srta dr dra d dña prof gral cnel ing lic av avda núm pág ee uu art",
    "it": "sig sigg dott prof ing avv on gen col art pag sen",
    "pt": "sr sra dr dra prof gen av núm pág art eng dep",
    "nl": "dhr mevr dr prof mr drs ir ing st nr blz bijv ca",
    "ar": "د أ م ص هـ",
    "hi": "डॉ श्री प्रो",
    "ru": "г гг ул им тыс млн млрд руб др проф см рис стр обл р",
}


def split_by_language(text: str, language: str) -> list[tuple[int, int]]:
    """The sentences of `text` as half-open character spans, in order, for any language.

    As of `tidings.core.text.sentences.split`: the spans do not overlap and leave out nothing but white space.

    >>> text = "ダムが決壊した。「水が来た。逃げろ！」と住民は話した。"
    >>> [text[start:end] for start, end in split_by_language(text, "ja")]
    ['ダムが決壊した。', '「水が来た。逃げろ！」と住民は話した。']
    """
    spans: list[tuple[int, int]] = []
    for start, end in _parts(text):
        spans += _sentences(text[start:end], start, language)
    return spans


def _parts(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for blank in _BLANK_LINE.finditer(text):
        yield from _short_parts(text, start, blank.start())
        start = blank.end()
    yield from _short_parts(text, start, len(text))


def _short_parts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    # Text from strangers holds lines of megabytes; what is cut at a blank is no worse for it.
    while end - start > _LONGEST_PART:
        cut = text.rfind(" ", start + _LONGEST_PART // 2, start + _LONGEST_PART)
        cut = start + _LONGEST_PART if cut < 0 else cut
        yield start, cut
        start = cut
    if end > start:
        yield start, end


def _sentences(text: str, offset: int, language: str) -> Iterator[tuple[int, int]]:
    start = at = 0
    titles = _titles(language)
    pieces = _segment(text, language)
    for number, piece in enumerate(pieces):
        at += len(piece)
        if number + 1 < len(pieces) and _joins(piece, pieces[number + 1], titles, language):
            continue
        whole = text[start:at]
        left = len(whole) - len(whole.lstrip())
        bare = whole.strip()
        if bare:
            yield offset + start + left, offset + start + left + len(bare)
        start = at


def _segment(text: str, language: str) -> list[str]:
    if not text.strip():
        return []
    try:
        # Lone surrogates and NULs are no text to it.
        pieces: list[str] = _sentencex().segment(language, text.replace("\0", " "))
    except (UnicodeError, ValueError):
        pieces = [text]
    return pieces if sum(map(len, pieces)) == len(text) else [text]


def _joins(piece: str, following: str, titles: frozenset[str], language: str) -> bool:
    bare = piece.rstrip()
    if language == "ja":
        return bare.endswith(_CLOSED_QUOTE) and _GOES_ON.match(following) is not None
    if not bare.endswith(".") or "\n" in piece[len(bare) :]:
        return False
    if following[:1].islower():
        return True
    if language in _ORDINALS and _NUMBERED.search(bare):
        return _ORDINAL.search(bare) is not None or _MONTH.match(following) is not None
    word = _LAST_WORD.search(bare)
    if word is not None and word.group(1).lower() in titles:
        return True
    return _INITIAL.search(bare[-4:]) is not None and language not in ("ru", "hi")


@lru_cache(maxsize=64)
def _titles(language: str) -> frozenset[str]:
    return frozenset(_TITLES.get(language, "").split())


@lru_cache(maxsize=1)
def _sentencex() -> Any:
    import sentencex

    return sentencex
