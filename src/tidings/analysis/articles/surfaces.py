"""What sentences look like, each by itself: their words counted by kind, their signs, how they begin and end.

The words of all sentences stand in one row of numbers, their facts (`tidings.analysis.articles.word_facts`), over
which each sentence is counted in the same few steps.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import log1p
from typing import Any

from tidings.analysis.articles import word_facts as facts
from tidings.analysis.articles.plain_text import plain
from tidings.analysis.articles.time_cues import CUE_BITS, PAIR_BITS
from tidings.analysis.articles.word_kinds import WordKind

__all__ = ["SENTENCE_FEATURES", "Surfaces"]

SENTENCE_FEATURES = (
    "words",
    "log_words",
    "short",
    "long",
    "ends_well",
    "asks",
    "exclaims",
    "begins_quote",
    "quote_marks",
    "closed_opener",
    "definite_opener",
    "connective_opener",
    "asking_opener",
    "third_person_early",
    "first_person",
    "first_person_share",
    "second_person",
    "modal",
    "future",
    "saying",
    "past_share",
    "perfect",
    "opinion_share",
    "opinion",
    "furniture",
    "furniture_words",
    "negation",
    "present_share",
    "deed",
    "capitals",
    "capitals_inside",
    "upper_case",
    "not_ascii",
    "single_letters",
    "numbers",
    "any_number",
    "money",
    "colon",
    "dash",
    "bracket",
    "bar",
    "name_opener",
)
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
_FURNITURE_PARTS = (
    *(
        "have your say",
        "send us",
        "your comments",
        "your views",
        "read more",
        "more on this",
        "related ",
        "external ",
    ),
    *(
        "not responsible",
        "all rights",
        "continue reading",
        "see also",
        "live text",
        "on javascript",
        "uk time",
    ),
    *(
        "programme",
        "on radio",
        "on bbc",
        "tune in",
        "this page",
        "top stories",
        "most popular",
        "to play this",
    ),
    *("reports from ", "photo", "image", "picture", "end quote", ".co", ".org", ".gov", ".uk"),
)
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
    "capitals": facts.CAPITAL,
    "numbers": facts.DIGIT,
    "single_letters": facts.LONE_LETTER,
}
_COLUMN = {name: column for column, name in enumerate(SENTENCE_FEATURES)}
_HOLD_COLUMNS, _SHARE_COLUMNS = ([_COLUMN[name] for name in names] for names in (_HOLDS, _SHARES))
_MODAL, _SAYING = (list(_HOLDS).index(name) for name in ("modal", "saying"))
_ED_BIT = facts.ED.bit_length() - 1
_HELD_BITS = [int(fact).bit_length() - 1 for fact in _HOLDS.values()]
_COUNTED_BITS = [int(fact).bit_length() - 1 for fact in (*_SHARES.values(), facts.ED, facts.ENGLISH)]
_PAGE, _MONEY, _CONNECTIVE, _ASKING, _THIRD = map(
    int, (WordKind.PAGE, WordKind.MONEY, WordKind.CONNECTIVE, WordKind.ASKING, WordKind.THIRD)
)


class Surfaces:
    """What the sentences of a document look like, each by itself: one entry for each in every attribute.

    `texts` are in plain form. `rows` holds the features of the sentences themselves, `cues` what the words of each can
    be of a time expression (`tidings.analysis.articles.time_cues`); the others are what the neighbours, the document
    and the mode need of a sentence.

    >>> surfaces = Surfaces(["`` He is gone , '' she said ."])
    >>> surfaces.texts[0], bool(surfaces.saying[0]), surfaces.quotes
    ('"He is gone," she said.', True, [2])
    """

    def __init__(self, texts: Sequence[str]) -> None:
        import numpy as np

        self.texts = texts = [plain(text) for text in texts]
        words = [facts.find_facts(text) for text in texts]
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
        self.terse = (sizes <= _HEADLINE) & np.array(ascii_only, dtype=bool) & (union & facts.OTHER == 0)
        self.not_ascii = [0.0 if text.isascii() else _share_beyond_ascii(text) for text in texts]
        kinds, openers = union.tolist(), opener.tolist()
        self.furniture = [
            count > 0
            or (kind & _PAGE > 0 and _has_furniture(text.lower()))
            or (begin & facts.BY > 0 and _BYLINE.match(text) is not None)
            for count, kind, begin, text in zip(furniture.tolist(), kinds, openers, texts, strict=True)
        ]
        upper = [_count_capitals(text) / (len(text) or 1) for text in texts]
        opens_capital = opener & facts.CAPITAL > 0
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
            "closed_opener": after & facts.CLOSED_OPENER > 0,
            "definite_opener": [
                begin & facts.THE > 0 and _DEFINITE.match(text.lower()) is not None
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
            "name_opener": opens_capital & (second & facts.CAPITAL > 0),
        }
        rows = np.empty((len(SENTENCE_FEATURES), len(texts)))
        rows[_HOLD_COLUMNS] = has
        rows[_SHARE_COLUMNS] = counts[: len(_SHARES)] / count
        for name, column in columns.items():
            rows[_COLUMN[name]] = column
        self.rows = rows.T

    def __len__(self) -> int:
        return len(self.texts)


_FIRST_OF_PAIR = facts.CUE_SHIFT + CUE_BITS
_SECOND_OF_PAIR = _FIRST_OF_PAIR + PAIR_BITS
_PAIR, _CUE = (1 << PAIR_BITS) - 1, (1 << CUE_BITS) - 1


def _cues(known: Any, union: Any, starts: Any) -> list[int]:
    # As `tidings.analysis.articles.time_cues.find_cues` of each sentence.
    import numpy as np

    pairs = np.zeros_like(known)
    pairs[:-1] = (known[:-1] >> _FIRST_OF_PAIR) & (known[1:] >> _SECOND_OF_PAIR) & _PAIR
    paired = np.bitwise_or.reduceat(pairs, starts)
    cues: list[int] = ((union >> facts.CUE_SHIFT & _CUE) | paired << CUE_BITS).tolist()
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
    names = early & facts.CAPITAL > 0
    names[:, 0] = False
    return (third & (np.cumsum(names, axis=1) - names == 0)).any(axis=1)
