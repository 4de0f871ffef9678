"""Texts as people write them, where a tokeniser cut them or their encoding was mistaken."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from html import unescape

from tidings.analysis.articles.hyphens import rejoined
from tidings.analysis.articles.surfaces import plain

_ALONE = {'"': '"', "'": "'", "`": "'"}
_GARBLED = re.compile(
    "â€ ?[˜™œ“”¢¦\ufffd]|â€$|[ÂÃ][¡-¿]|Ã[ŠŒŽšœžŸƒˆ˜‚„†‡•‰‹›€™]|Ã[–—‘“”…](?=[^\\W\\d])"  # but “AMANHÃ” is a word
)
_CUT_UP = re.compile(r"``|-[LR][RSC]B-| [.,](?: |$)| n't\b| 's\b|\w[’'] s\b")
_ENTITY = re.compile(r"&(?:amp|quot|apos|nbsp|#3[49]);")
_APART = re.compile(r"(?<=\bO) ?(['’]) (?=[A-Z])|(?<=\w) ?(['’]) (?=(?:s|re|ve|ll|d|m|t)\b)")
_FEET = re.compile(r"(?<!\S)(\d{1,2}) ' (\d{1,2}) \"(?!\S)")
_INCHES = re.compile(r"[^\"]*\d\"[^\"\w]*")
_CANNOT = re.compile(r"\bcan not (?!only\b)")
_POUNDS = re.compile(r"# (?=\d[\d.,]* ?(?:m|bn|million|billion|trillion)\b|\d{1,3}(?:,\d{3})+\b)")
_UNIT = re.compile(r"(?<=\d) (?=(?:m|bn)\b(?!\.\w))")
_BROKEN_SIGN = re.compile(r"(?<=\w)Ã [¡-¿] ?(?=[^\W\d_])")


_LONGEST_KEPT = 2_000
"""Characters of a text that is remembered as it was written: hostile input holds sentences of a million."""


def as_written(text: str) -> str:
    """The text as people write it, where it was cut into tokens for machines or its encoding mistaken.

    >>> as_written("`` We did n't know , '' he said -LRB- on Friday -RRB- .")
    '"We didn\\'t know," he said (on Friday).'
    >>> as_written("“Yes,” she said."), as_written("Itâ€™s a cafÃ© â€ “ no bar"), as_written("“AMANHÃ”")
    ('“Yes,” she said.', 'It’s a café – no bar', '“AMANHÃ”')
    >>> as_written('The 22-year - old said she can not " feel safe " there , with her ex - husband .')
    'The 22-year-old said she cannot "feel safe" there, with her ex-husband.'
    """
    return _kept(text) if len(text) <= _LONGEST_KEPT else _written(text)


def _written(text: str) -> str:
    text = _GARBLED.sub(_restored, text)
    if "&" in text:
        text = _ENTITY.sub(lambda entity: unescape(entity.group()).replace("\xa0", " "), text)
    if not _CUT_UP.search(text):
        return text
    text = _POUNDS.sub("£", _UNIT.sub("", _BROKEN_SIGN.sub(_restored, text)))
    text = rejoined(text)
    text = _quoted(_FEET.sub("\\1' \\2\"", _APART.sub(lambda mark: mark.group().strip(), text)))
    return _CANNOT.sub("cannot ", plain(text))


_kept = lru_cache(maxsize=1_024)(_written)


def _restored(garbled: re.Match[str]) -> str:
    # Signs whose bytes in UTF-8 were read as those of Windows-1252, also where a tokeniser has cut them; one byte of a
    # closing mark has no sign there.
    own = garbled.group().replace(" ", "")
    if own in ("â€", "â€\ufffd"):
        return "”"
    try:
        return own.encode("cp1252").decode("utf-8")
    except UnicodeError:
        return own


_SAYS = re.compile(r"said|says|added|told|he|she|according|wrote|writes")
_SPOKEN, _SPEAKER = frozenset({",", "?", "!"}), 6


def _quoted(text: str) -> str:
    """The text with each quotation mark that stands alone put to the words it quotes; one left alone at its end goes.

    A single mark behind a word on -s may be a plural's: it begins a quotation only where another one can end it. A mark
    without a partner before "said" ends what was quoted before. One of inches (`6' 2"`) quotes nothing.
    """
    text = text.replace(" “", "“").replace("„ ", "„") if "„" in text else text.replace("“ ", "“")
    text = text.replace(" ”", "”").replace("‘ ", "‘")
    pieces = text.split(" ")
    if _ALONE.keys().isdisjoint(pieces) and "''" not in pieces:
        return text
    places = {mark: [number for number, piece in enumerate(pieces) if piece == mark] for mark in "'\""}
    is_open = {'"': False, "'": False}
    for number, piece in enumerate(pieces):
        if piece == "''" and not is_open['"'] and _is_among_words(pieces, number):
            pieces[number], is_open['"'] = '"\0', True  # as if it were ``
            continue
        if piece not in _ALONE:
            opens_or_closes = sum(map(piece.count, ("``", "''", '"')))
            if is_open['"'] or not _INCHES.fullmatch(piece):
                is_open['"'] ^= opens_or_closes % 2 == 1
            continue
        mark = _ALONE[piece]
        at = bisect_right(places[mark], number)
        later = len(places[mark]) - at
        ends = _is_plural(pieces, number) and (later % 2 == 0 or _is_plural(pieces, places[mark][at]))
        if piece == '"':
            ends = _ends_speech(pieces, number, at_last=not later)
        if is_open[mark] and piece != "`":
            pieces[number], is_open[mark] = f"\0{mark}", False
        elif piece == '"' and number == len(pieces) - 1:
            pieces[number] = ""
        elif piece != "`" and ends:
            pieces[number] = f"\0{mark}"
        elif number < len(pieces) - 1:
            pieces[number], is_open[mark] = f"{mark}\0", True
    return " ".join(pieces).replace(" \0", "").replace("\0 ", "").replace("\0", "").rstrip()


def _is_among_words(pieces: Sequence[str], number: int) -> bool:
    behind = pieces[number + 1] if number + 1 < len(pieces) else ""
    return (
        number > 0
        and pieces[number - 1][-1].isalpha()
        and behind[:1].isalpha()
        and not _SAYS.fullmatch(behind)
    )


def _ends_speech(pieces: Sequence[str], number: int, *, at_last: bool) -> bool:
    """Whether a mark that none opened ends what is quoted: before "said" or, behind a comma, "the court said"."""
    behind = pieces[number + 1 : number + _SPEAKER]
    if at_last and behind and _SAYS.fullmatch(behind[0]):
        return True
    if not number or pieces[number - 1] not in _SPOKEN or not any(map(_SAYS.fullmatch, behind)):
        return False
    return not any(map(_SAYS.fullmatch, pieces[:number]))


def _is_plural(pieces: Sequence[str], number: int) -> bool:
    return number > 0 and pieces[number - 1][-1:] in "sxz"
