"""What sentences look like, each by itself: their words counted by kind, their signs, how they begin and end.

Each word, as it is written, has one number whose bits are facts: its kinds, how it is written, whether it can be part
of a time. The words of all sentences stand in one row of such numbers, over which each sentence is counted in the
same few steps.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import IntFlag
from functools import lru_cache
from math import log1p
from typing import Any

from tidings.analysis.articles.time_words import CUE_BITS, PAIR_BITS, word_cues
from tidings.core import data_beside


class WordKind(IntFlag):
    """Kinds of words; one word can be of several."""

    FIRST = 1
    SECOND = 2
    THIRD = 4
    THIS = 8
    MODAL = 16
    FUTURE = 32
    SAYING = 64
    PAST = 128
    PERFECT = 256
    OPINION = 512
    FURNITURE = 1024
    CONNECTIVE = 2048
    ASKING = 4096
    NEGATION = 8192
    PRESENT = 16384
    DEED = 32768
    PAGE = 65536
    MONEY = 131072


_DATA = data_beside(__file__)

WORD_KINDS: dict[str, int] = {}
"""The kinds of a word in lower case, as flags."""

for _kind, _kind_words in _DATA["kinds"].items():
    for _kind_word in _kind_words.split():
        WORD_KINDS[_kind_word] = WORD_KINDS.get(_kind_word, 0) | int(WordKind[_kind])

_VERBS = int(
    WordKind.PAST | WordKind.PERFECT | WordKind.PRESENT | WordKind.MODAL | WordKind.FUTURE | WordKind.SAYING
)


@lru_cache(maxsize=8192)
def is_verb(token: str) -> bool:
    """Whether a word is, or looks like, a verb of news: one that the lists of kinds know, or one on -ed.

    >>> is_verb("said"), is_verb("walked"), is_verb("ferry")
    (True, True, False)
    """
    low = token.lower()
    return bool(WORD_KINDS.get(low, 0) & _VERBS) or (low.endswith("ed") and len(low) > 4)


CLOSED_OPENERS = frozenset(_DATA["closed_openers"].split())
"""Words at the beginning of a sentence that point back to one before it."""


_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
_TOKENISED = re.compile(r"-[LR][RSC]B-")
_SPACE_BEFORE = re.compile(r"(?<! ) ++(?=[,.;:!?%)\]]|n't\b|'(?:s|re|ve|ll|d|m)\b|'(?: |$))")
_SPACE_AFTER = re.compile(r"(?<=[(\[$£€#]) +")
_SPACE_BEFORE_QUOTE = re.compile(r" (?=n't\b|'(?:s|re|ve|ll|d|m)\b|'(?: |$))")
_CLOSING_MARKS = [(f" {mark}", mark) for mark in ",.;:!?%)]"]
_OPENING_MARKS = [(f"{mark} ", mark) for mark in "([$£€#"]
_CURLY = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "`": "'"})


def plain(text: str) -> str:
    """The text with straight quotation marks and without the blanks that a tokeniser puts in.

    >>> plain("`` We did n't know , '' he said -LRB- on Friday -RRB- .")
    '"We didn\\'t know," he said (on Friday).'
    >>> plain("“Yes,” she said.")
    '"Yes," she said.'
    """
    if "``" in text or "''" in text:
        text = text.replace("`` ", '"').replace(" ''", '"').replace("``", '"').replace("''", '"')
    if "RB-" in text or "SB-" in text or "CB-" in text:
        text = _TOKENISED.sub(lambda match: _BRACKETS.get(match.group(), match.group()), text)
    if not text.isascii() or "`" in text:
        text = text.translate(_CURLY)
    if " ," in text or " ." in text or " '" in text or " n't" in text or "( " in text or " )" in text:
        text = _join_marks(text)
    return text


def _join_marks(text: str) -> str:
    if "  " in text:
        return _SPACE_AFTER.sub("", _SPACE_BEFORE.sub("", text))
    if " '" in text or " n't" in text:
        text = _SPACE_BEFORE_QUOTE.sub("", text)
    for apart, mark in _CLOSING_MARKS:
        text = text.replace(apart, mark)
    for apart, mark in _OPENING_MARKS:
        text = text.replace(apart, mark)
    return text


ENGLISH, CAPITAL, DIGIT, LONE_LETTER, ED, CLOSED_OPENER, THE, BY, OTHER = (
    1 << place for place in range(18, 27)
)
"""A common word; begins with a capital, a digit; is one letter; ends in `ed`; points back; `the`; `by`; is foreign."""

CUE_SHIFT = 27
"""Above so many bits are the cues of time expressions; below are the kinds of `WordKind` and what is named here."""

_ENGLISH = frozenset(_DATA["english"].split())
_OTHERS = frozenset(_DATA["others"].split())
"""Little words of other languages that are none of English: a headline without them may be English without its own."""

_ONE_LETTER = frozenset("ai0123456789")
_LONGEST, _MOST = 64, 100_000


_WORD = re.compile(r"\w+(?:['.-]\w+)*")
_INSIDE = "'.-"
_BETWEEN = bytes(
    code if chr(code).isalnum() or chr(code) == "_" or chr(code) in _INSIDE else 32 for code in range(128)
).ljust(256)
_NO_WORD = -1


def find_facts(text: str) -> list[int]:
    """The facts of each word of a text in plain form: letters and digits, with `'`, `.` or `-` between them.

    >>> [bool(facts & CAPITAL) for facts in find_facts("The U.S. - which didn't - left.")]
    [True, True, False, False, False]
    """
    if not text.isascii():
        return [_FACTS[word] for word in _WORD.findall(text)]
    pieces = text.encode().translate(_BETWEEN).decode().rstrip(" '.-").split()
    words = list(map(_FACTS_OF, pieces))
    if _NO_WORD in words:
        return [_FACTS[word] for piece in pieces for word in _WORD.findall(piece)]
    return words


class _Facts(dict[str, int]):
    """Piece of text → the facts of the one word that it holds, or none; filled on demand, emptied when too large."""

    def __missing__(self, piece: str) -> int:
        words = _WORD.findall(piece)
        facts = _facts(words[0]) if len(words) == 1 else _NO_WORD
        if len(piece) <= _LONGEST:
            if len(self) >= _MOST:
                self.clear()
            self[piece] = facts
        return facts


_SINGLE_WORDS: dict[str, int] = {}
for _bit, _words in (
    (ENGLISH, _ENGLISH),
    (CLOSED_OPENER, CLOSED_OPENERS),
    (THE, ("the",)),
    (BY, ("by",)),
    (OTHER, _OTHERS),
):
    for _word in _words:
        _SINGLE_WORDS[_word] = _SINGLE_WORDS.get(_word, 0) | _bit
for _word, _kinds in WORD_KINDS.items():
    _SINGLE_WORDS[_word] = _SINGLE_WORDS.get(_word, 0) | _kinds


def _facts(word: str) -> int:
    low, initial = word.lower(), word[0]
    facts = _SINGLE_WORDS.get(low, 0)
    if initial.isupper():
        facts |= CAPITAL
    elif initial.isdigit():
        facts |= DIGIT
    if len(low) == 1 and low not in _ONE_LETTER:
        facts |= LONE_LETTER
    if low.endswith("ed"):
        facts |= ED
    return facts | word_cues(word) << CUE_SHIFT


_FACTS = _Facts()
_FACTS_OF = _FACTS.__getitem__


SENTENCE_FEATURES: tuple[str, ...] = tuple(_DATA["features"].split())
"""The features of a sentence itself; see `tidings.analysis.articles.features.FEATURES`."""

_DEFINITE = re.compile(
    r"[\"']?the (?:\w+ )?(?:company|firm|group|man|woman|government|team|report|move|attack|"
    r"country|city|official|singer|star|trial|jury|number|plan|announcement|two|doctor|agency|visit|meeting|decision|"
    r"incident|pair|couple|news|figure|figures|operation|deal|case|child|boy|girl|ship|vessel|ministry|suspect)\b"
)
_FURNITURE = re.compile(
    r"have your say|send us|your (?:comments|views)|read more|more on this|related (?:links|internet|stories)|"
    r"external (?:links|internet)|not responsible for|all rights|continue reading|see also|live text|"
    r"on javascript|uk time|programme|on (?:radio|bbc)|tune in|this page|top stories|most popular|"
    r"to play this|reports from \w+\s*\.?$|(?:photo|image|picture)s?:|end quote|\.(?:com|co|org|gov|uk)\b"
)
_FURNITURE_PARTS: list[str] = _DATA["furniture_parts"]
_BYLINE = re.compile(r"\s*By [A-Z]\w+ [A-Z]")
_CLOSING = frozenset(".!?\"'")
_CAPITALS = bytes(range(ord("A"), ord("Z") + 1))
_EARLY = 6
_HEADLINE = 12
_HOLDS = {
    "second_person": WordKind.SECOND,
    "modal": WordKind.MODAL,
    "future": WordKind.FUTURE,
    "saying": WordKind.SAYING,
    "perfect": WordKind.PERFECT,
    "negation": WordKind.NEGATION,
    "deed": WordKind.DEED,
}
_SHARES = {
    "first_person_share": WordKind.FIRST,
    "past_share": WordKind.PAST,
    "opinion_share": WordKind.OPINION,
    "furniture_words": WordKind.FURNITURE,
    "present_share": WordKind.PRESENT,
    "capitals": CAPITAL,
    "numbers": DIGIT,
    "single_letters": LONE_LETTER,
}
_COLUMN = {name: column for column, name in enumerate(SENTENCE_FEATURES)}
_HOLD_COLUMNS, _SHARE_COLUMNS = ([_COLUMN[name] for name in names] for names in (_HOLDS, _SHARES))
_MODAL, _SAYING = (list(_HOLDS).index(name) for name in ("modal", "saying"))
_ED_BIT = ED.bit_length() - 1
_HELD_BITS = [int(fact).bit_length() - 1 for fact in _HOLDS.values()]
_COUNTED_BITS = [int(fact).bit_length() - 1 for fact in (*_SHARES.values(), ED, ENGLISH)]
_PAGE, _MONEY, _CONNECTIVE, _ASKING, _THIRD = map(
    int, (WordKind.PAGE, WordKind.MONEY, WordKind.CONNECTIVE, WordKind.ASKING, WordKind.THIRD)
)


class Surfaces:
    """What the sentences of a document look like, each by itself: one entry for each in every attribute.

    `texts` are in plain form. `rows` holds the features of the sentences themselves, `cues` what the words of each can
    be of a time expression (`tidings.analysis.articles.time_words`); the others are what the neighbours, the document
    and the mode need of a sentence.

    >>> surfaces = Surfaces(["`` He is gone , '' she said ."])
    >>> surfaces.texts[0], bool(surfaces.saying[0]), surfaces.quotes
    ('"He is gone," she said.', True, [2])
    """

    def __init__(self, texts: Sequence[str]) -> None:
        import numpy as np

        self.texts = texts = [plain(text) for text in texts]
        words = [find_facts(text) for text in texts]
        self.words = [len(own) for own in words]
        flat: list[int] = []
        for own in words:
            flat += own
            flat.append(0)  # so that no sentence is empty
        known, sizes = np.array(flat, dtype=np.int64), np.array(self.words, dtype=np.int64)
        ends = np.cumsum(sizes + 1) - 1
        starts = ends - sizes
        union = np.bitwise_or.reduceat(known, starts)
        has = (union >> np.array(_HELD_BITS)[:, None] & 1).astype(bool)
        counts = np.add.reduceat(known >> np.array(_COUNTED_BITS)[:, None] & 1, starts, axis=1)
        *counted, ed, english = counts
        first, past, opinion, furniture, _, capitals, numbers, _ = counted
        past += ed - (known[ends - 1] >> _ED_BIT & 1)
        opener, second = known[starts], known[np.minimum(starts + 1, ends)]
        after = np.where((opener & _CONNECTIVE > 0) & (sizes > 1), second, opener)
        self.cues = _cues(known, union, starts)
        self.quotes = [text.count('"') for text in texts]
        self.begins_quote = [text[:1] == '"' for text in texts]
        self.asks = ["?" in text for text in texts]
        self.first, self.opinion = first > 0, opinion > 0
        self.modal, self.saying = has[_MODAL], has[_SAYING]
        self.foreign = (sizes > 5) & (sizes > 12 * english)
        ascii_only = [text.isascii() for text in texts]
        self.terse = (sizes <= _HEADLINE) & np.array(ascii_only, dtype=bool) & (union & OTHER == 0)
        self.not_ascii = [0.0 if text.isascii() else _share_beyond_ascii(text) for text in texts]
        kinds, openers = union.tolist(), opener.tolist()
        self.furniture = [
            count > 0
            or (kind & _PAGE > 0 and _has_furniture(text.lower()))
            or (begin & BY > 0 and _BYLINE.match(text) is not None)
            for count, kind, begin, text in zip(furniture.tolist(), kinds, openers, texts, strict=True)
        ]
        upper = [_count_capitals(text) / (len(text) or 1) for text in texts]
        opens_capital = opener & CAPITAL > 0
        count = np.maximum(sizes, 1)
        columns = {
            "words": sizes,
            "log_words": [log1p(size) for size in self.words],
            "short": sizes < 7,
            "long": sizes > 45,
            "ends_well": [text.rstrip()[-1:] in _CLOSING for text in texts],
            "asks": self.asks,
            "exclaims": ["!" in text for text in texts],
            "begins_quote": self.begins_quote,
            "quote_marks": [min(quotes, 4) for quotes in self.quotes],
            "closed_opener": after & CLOSED_OPENER > 0,
            "definite_opener": [
                begin & THE > 0 and _DEFINITE.match(text.lower()) is not None
                for begin, text in zip(openers, texts, strict=True)
            ],
            "connective_opener": opener & _CONNECTIVE > 0,
            "asking_opener": opener & _ASKING > 0,
            "third_person_early": _point_back(known, starts, sizes),
            "first_person": self.first,
            "opinion": self.opinion,
            "furniture": self.furniture,
            "capitals_inside": (capitals - opens_capital) / count,
            "upper_case": upper,
            "not_ascii": self.not_ascii,
            "any_number": numbers > 0,
            "money": [
                kind & _MONEY > 0 or "$" in text or "£" in text or "€" in text
                for kind, text in zip(kinds, texts, strict=True)
            ],
            "colon": [":" in text for text in texts],
            "dash": [" - " in text or "–" in text for text in texts],
            "bracket": ["(" in text for text in texts],
            "bar": ["|" in text for text in texts],
            "name_opener": opens_capital & (second & CAPITAL > 0),
        }
        rows = np.empty((len(SENTENCE_FEATURES), len(texts)))
        rows[_HOLD_COLUMNS] = has
        rows[_SHARE_COLUMNS] = counts[: len(_SHARES)] / count
        for name, column in columns.items():
            rows[_COLUMN[name]] = column
        self.rows = rows.T

    def __len__(self) -> int:
        return len(self.texts)


_FIRST_OF_PAIR = CUE_SHIFT + CUE_BITS
_SECOND_OF_PAIR = _FIRST_OF_PAIR + PAIR_BITS
_PAIR, _CUE = (1 << PAIR_BITS) - 1, (1 << CUE_BITS) - 1


def _cues(known: Any, union: Any, starts: Any) -> list[int]:
    # As `tidings.analysis.articles.time_words.find_cues` of each sentence.
    import numpy as np

    pairs = np.zeros_like(known)
    pairs[:-1] = (known[:-1] >> _FIRST_OF_PAIR) & (known[1:] >> _SECOND_OF_PAIR) & _PAIR
    paired = np.bitwise_or.reduceat(pairs, starts)
    cues: list[int] = ((union >> CUE_SHIFT & _CUE) | paired << CUE_BITS).tolist()
    return cues


def _count_capitals(text: str) -> int:
    signs = text.encode("utf-8", "surrogatepass")
    return len(signs) - len(signs.translate(None, _CAPITALS))


def _has_furniture(low: str) -> bool:
    return any(map(low.__contains__, _FURNITURE_PARTS)) and _FURNITURE.search(low) is not None


def _share_beyond_ascii(text: str) -> float:
    return (len(text) - len(text.encode("ascii", "ignore"))) / len(text)


def _point_back(known: Any, starts: Any, sizes: Any) -> Any:
    # He, she, it … among the first words, with no name before.
    import numpy as np

    places = np.arange(_EARLY)
    early = np.where(places < sizes[:, None], known[np.minimum(starts[:, None] + places, len(known) - 1)], 0)
    third = early & _THIRD > 0
    names = early & CAPITAL > 0
    names[:, 0] = False
    return (third & (np.cumsum(names, axis=1) - names == 0)).any(axis=1)
