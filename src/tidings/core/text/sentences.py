"""Where the sentences of a news text begin and end, as character offsets; and documents cut into them.

Rules over candidates: closing punctuation, blank lines. A full stop is no end after an abbreviation that wants a name
or number behind it, an initial, or inside a number or address; after one that may end a sentence (`U.S.`, `p.m.`,
`Inc.`) the next word decides. Text that arrives already split is never split again.

In languages other than English it is sentencex that cuts, and a few rules over its borders. It knows the closing marks
of all scripts (。！？ । ؟ ។), quotes and brackets, and abbreviations of the larger languages. A border that it sets is
taken back after an initial or a title of its language, and in Japanese before what goes on after a quotation
(`…」と話した`), and after the number of a day in languages that write `3. Mai`. One is added at a blank line. What is
quoted stays whole.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from tidings.core.files.data import data_beside
from tidings.core.records import Document, Sentence
from tidings.core.text.languages import detect

if TYPE_CHECKING:
    from collections.abc import Iterator

_BLANK_LINE = re.compile(r"\n[ \t\r]*\n\s*|\r\n[ \t]*\r\n\s*")
_LONGEST_PART = 20_000  # characters that expressions see at once; longer parts are cut at a blank
_INITIAL = re.compile(r"(?:^|[\s(«„“\"'-])[^\W\d_]\.$")
_WORD_BEFORE_STOP = re.compile(r"(?<![^\s(\[\"'«„“])([^\s(\[\"'«„“]+)\.$")
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
_DATA = data_beside(__file__)


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
    word = _WORD_BEFORE_STOP.search(bare)
    if word is not None and word.group(1).lower() in titles:
        return True
    return _INITIAL.search(bare[-4:]) is not None and language not in ("ru", "hi")


@lru_cache(maxsize=64)
def _titles(language: str) -> frozenset[str]:
    return frozenset(_DATA["titles"].get(language, "").split())


@lru_cache(maxsize=1)
def _sentencex() -> Any:
    import sentencex

    return sentencex


# One candidate: closing marks, then closing quotes and brackets, then space not followed by a small letter.
_CANDIDATE = re.compile(
    r"[.!?…。！？\n]"
    r"(?:(?<=[.!?…])(?<![.!?…][.!?…])[.!?…]*+"
    r"(?:[\"'”’»)\]]*+\s++(?:''\s++)?+(?![a-z,;:])|(?=[A-Z][a-z])(?<=[a-z][a-z][.!?]))"
    r"|(?<=[。！？])[”’」』)]*+\s*+|(?<=\n)[ \t\r]*+\n\s*+)"
)
_LAST_WORD = re.compile(r"(?<![^\s(\[\"'“‘«—–])[^\s(\[\"'“‘«—–]*+$")
_LONGEST = 24  # characters before a full stop in which its word is looked for
_NEXT_WORD = re.compile(r"[\"'“‘«(\[`]*([^\W_]+(?:['’][^\W_]+)?)")

# A full stop after these does not end a sentence: a name or a number follows.
_BEFORE_NAMES = frozenset(_DATA["before_names"].split())
# After these it may: the next word decides.
_EITHER = frozenset(_DATA["either"].split())
_MONTHS = frozenset(_DATA["months"].split())
# Words that begin a sentence far more often than they continue a name.
_OPENERS = frozenset(_DATA["openers"].split())
_SUFFIXES = ("Inc.", "Corp.", "Ltd.")  # of a company whose name ends in a mark
_ABBREVIATION = re.compile(r"(?:[a-z]\.)+[a-z]$")


def split(text: str, language: str = "") -> list[tuple[int, int]]:
    """The sentences of `text` as half-open character spans, in order.

    The rules of this module are for English, and for a text whose language is not known (""); those of other languages
    (codes of ISO 639-1) are in `tidings.core.text.sentences`.

    The spans do not overlap, neither begin nor end with white space, and leave out nothing but white space.

    >>> text = "Gen. Ruiz spoke at 5 p.m. Tuesday. Nobody was hurt!"
    >>> [text[start:end] for start, end in split(text)]
    ['Gen. Ruiz spoke at 5 p.m. Tuesday.', 'Nobody was hurt!']
    >>> split("  ")
    []
    """
    if language and language != "en":
        return split_by_language(text, language)
    spans = []
    start = len(text) - len(text.lstrip())
    for match in _CANDIDATE.finditer(text, start):
        at, end = match.span()
        if at < start:
            continue
        mark = text[at]
        if mark == "." and not _ends(text, start, at, end) and not _BLANK_LINE.search(match.group()):
            continue
        if mark == "!" and text.startswith(_SUFFIXES, end):
            continue
        stop = at + len(match.group().rstrip())
        if stop > start:
            spans.append((start, stop))
            start = end
    stop = len(text.rstrip())
    if stop > start:
        spans.append((start, stop))
    return spans


def _ends(text: str, start: int, at: int, end: int) -> bool:
    # Whether the full stop at `at` ends a sentence; the next one would begin at `end`.
    if end < len(text) and text[end].islower():
        return False
    near = max(start, at - _LONGEST)
    word = text[max(near, text.rfind(" ", near, at) + 1) : at]
    if len(word) > 6 and "." not in word and "-" not in word:
        return True
    match = _LAST_WORD.search(word)
    word = match.group() if match else word
    low = word.lower().rpartition("-")[2]  # of the then-Gov.
    if not low or text[at + 1 : at + 2] == ".":
        return True
    if low in _BEFORE_NAMES:
        # A capital stands behind nearly always; before an opener it was a word of its own ("He said no. The").
        return low in ("no", "art", "al", "sig") and not text[end].isdigit() and _opens(text, end)
    if low in _EITHER or _ABBREVIATION.search(low):
        return not (low in _MONTHS and text[end].isdigit()) and _opens(text, end)
    if len(word) == 1 and word.isalpha():
        return not word.isupper() or (word == "I" and _opens(text, end))
    return not (low.isdigit() and len(low) <= 2 and at - len(low) == start)


def _opens(text: str, at: int) -> bool:
    match = _NEXT_WORD.match(text, at)
    if match is None or match.group(1) in _OPENERS:
        return True
    return match.start(1) > at and not match.group(1)[0].islower()  # he said the U.S. "cannot rely" on it


def cut(document: Document) -> Document:
    """The document with its text cut into sentences; one that has sentences is returned as it is.

    The title is the first sentence, at 0 of the text, unless the text begins with its words. A document whose language
    nobody has said is cut as, and its sentences are said to be of, the one that `detect` makes out.

    >>> document = Document(id="a", published_time=60, text="A ferry burnt. All were saved.")
    >>> [(s.index, s.start, s.text) for s in cut(document).sentences]
    [(0, 0, 'A ferry burnt.'), (1, 15, 'All were saved.')]
    >>> [(s.index, s.start, s.text) for s in cut(replace(document, title="Ferry burns in port")).sentences]
    [(0, 0, 'Ferry burns in port'), (1, 0, 'A ferry burnt.'), (2, 15, 'All were saved.')]
    >>> [s.text for s in cut(Document(id="b", published_time=60, title="Ferry burns")).sentences]
    ['Ferry burns']
    """
    if document.sentences:
        return document
    text, title, url = document.text, document.title, document.url
    doc_id, time, source = document.id, document.published_time, document.source
    headline = " ".join(title.split())
    has_text = bool(text.strip())
    if not has_text and not headline:
        return document
    language = document.language or detect(text if has_text else title)
    sentences = []
    if headline and not _begins_with(text, headline):
        sentences.append(Sentence(doc_id, 0, headline, time, source, 0, None, title, url, language))
    sentences += [
        Sentence(doc_id, index, text[start:end], time, source, start, None, title, url, language)
        for index, (start, end) in enumerate(split(text, language) if has_text else (), len(sentences))
    ]
    return replace(document, sentences=tuple(sentences))


def _begins_with(text: str, headline: str) -> bool:
    """Whether a text begins with the words of its headline, be they written in other letters and with other marks."""
    words = "".join(char for char in headline.casefold() if char.isalnum())
    if not words:
        return True
    opening = text[: 3 * len(headline) + 40].casefold()
    return "".join(char for char in opening if char.isalnum()).startswith(words)


def is_headline(sentence: Sentence) -> bool:
    """Whether a sentence is the title of its document, read as its first sentence."""
    return sentence.index == 0 and bool(sentence.title) and sentence.text == " ".join(sentence.title.split())
