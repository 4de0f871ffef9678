"""Where the sentences of a news text begin and end, as character offsets; and documents cut into them.

Rules over candidates: closing punctuation, blank lines. A full stop is no end after an abbreviation that wants a name
or number behind it, an initial, or inside a number or address; after one that may end a sentence (`U.S.`, `p.m.`,
`Inc.`) the next word decides. Text that arrives already split is never split again.
"""

from __future__ import annotations

import re

from msgspec.structs import replace

from tidings.core.records import Document, Sentence
from tidings.core.text.languages import detect

__all__ = ["cut", "is_headline", "split"]

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
_TITLES = (
    "mr mrs ms dr prof rev fr sr sra mme mlle msgr hon pres gen lt col maj capt cmdr adm sgt cpl pvt brig "
    "pte det supt gov sen rep reps sens atty insp amb st ste mt ft vs v no nos fig figs p pp vol ch sec "
    "art approx ca cf eg e.g i.e al op viz bros messrs spc spec comdr ed asst dep sig"
)
_BEFORE_NAMES = frozenset(_TITLES.split())
# After these it may: the next word decides.
_OTHERS = (
    "u.s u.k u.n e.u u.s.a d.c p.m a.m pm am b.c a.d l.a n.y inc corp ltd co llc plc jr ph.d m.d b.a m.a "
    "etc est dept ave blvd rd hwy ct univ assn bldg mo ft lb lbs oz mph jan feb mar apr jun jul aug sept "
    "sep oct nov dec mon tue tues wed thu thur thurs fri sat sun ariz calif conn fla ill ind mass mich "
    "minn miss nev okla ore penn tenn tex va wash wis ala ark colo del ga kan ky la md n.c s.c n.d s.d "
    "n.h n.j n.m r.i w.va vt wyo mont neb ont"
)
_EITHER = frozenset(_OTHERS.split())
_MONTH_WORDS = "jan feb mar apr jun jul aug sept sep oct nov dec"
_MONTHS = frozenset(_MONTH_WORDS.split())
# Words that begin a sentence far more often than they continue a name.
_OPENING_WORDS = (
    "The A An He She It They We I You This That These Those There Here But And Or So Yet If When While "
    "After Before As At In On For From With Although Though However Meanwhile Also Then Now Since Because "
    "His Her Its Their Our My Your Some Many Most Several All Both Each No Not One Two Three Four Five "
    "Six Seven Eight Nine Ten Dozens Hundreds Thousands Police Officials Authorities Witnesses What Who "
    "Why How Where Which Analysts Residents Rescue Rescuers Earlier Later Last Another Other Others By To "
    "Under Until Of People Investigators Firefighters Emergency More Nobody Nothing Everyone Yes Shares "
    "Prosecutors"
)
_OPENERS = frozenset(_OPENING_WORDS.split())
_SUFFIXES = ("Inc.", "Corp.", "Ltd.")  # of a company whose name ends in a mark
_ABBREVIATION = re.compile(r"(?:[a-z]\.)+[a-z]$")


def split(text: str, language: str = "") -> list[tuple[int, int]]:
    """The sentences of `text` as half-open character spans, in order.

    The rules of this module are for English, and for a text whose language is not known (""); those of other languages
    (codes of ISO 639-1) are in `tidings.core.text.sentences_by_language`.

    The spans do not overlap, neither begin nor end with white space, and leave out nothing but white space.

    >>> text = "Gen. Ruiz spoke at 5 p.m. Tuesday. Nobody was hurt!"
    >>> [text[start:end] for start, end in split(text)]
    ['Gen. Ruiz spoke at 5 p.m. Tuesday.', 'Nobody was hurt!']
    >>> split("  ")
    []
    """
    if language and language != "en":
        from tidings.core.text.sentences_by_language import split_by_language

        return split_by_language(text, language)
    spans = []
    start = len(text) - len(text.lstrip())
    for match in _CANDIDATE.finditer(text, start):
        at, end = match.span()
        if at < start:
            continue
        mark = text[at]
        if mark == "." and not _ends(text, start, at, end):
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
    if len(word) > 6 and "." not in word:
        return True
    match = _LAST_WORD.search(word)
    word = match.group() if match else word
    low = word.lower()
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
    return match is None or match.group(1) in _OPENERS or match.start(1) > at


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
