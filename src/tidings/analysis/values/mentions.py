"""Number mentions: what a sentence counts, of whom, how sure it is, and why it may not be meant of the event.

"At least 45 people were killed in Karachi"  ->  deaths 45, at least, part ("Karachi" is not the event's own word)
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Mapping
from functools import lru_cache

from msgspec.structs import replace

from tidings.analysis.values.cleaning import clean
from tidings.analysis.values.context import Setting, is_personal, part_of, read_setting
from tidings.analysis.values.counts import CLAUSE_END, CUES, ORDINALS, find_tracked
from tidings.analysis.values.happenings import is_another_disease, is_of_another_sort
from tidings.analysis.values.numbers import NUMBER, NUMBER_WORDS, Mention, Quantity, number_of
from tidings.core import CASUALTIES, patterns_beside, shared_analyzer, tokens

_LONGEST = 1_500
"""Characters of a sentence that are looked at; more is hostile."""

_SENTENCE = 400
"""Characters of a text that is still one sentence: all of its words are close to each other."""
_CLOSE = 110
"""Characters on either side of a number within which words are close to it in a longer text: a page in one piece."""


_DIGIT = re.compile(r"\d")
_PATTERNS = patterns_beside(__file__, number=NUMBER)
_TOTAL = re.compile(_PATTERNS["total"], re.IGNORECASE)
_OFFICIAL = re.compile(_PATTERNS["official"], re.IGNORECASE)
_REVISED = re.compile(_PATTERNS["revised"], re.IGNORECASE)
_SINCE_THEN = re.compile(_PATTERNS["since_then"], re.IGNORECASE)
_LOWERED = re.compile(_PATTERNS["lowered"], re.IGNORECASE)
_INSTEAD = re.compile(_PATTERNS["instead"], re.IGNORECASE)
_NOT_INSTEAD = re.compile(_PATTERNS["not_instead"], re.IGNORECASE)
_SUPERSEDED = re.compile(_PATTERNS["superseded"], re.IGNORECASE)
_PRELIMINARY = re.compile(_PATTERNS["preliminary"], re.IGNORECASE)
_NUMBER = re.compile(rf"(?<![\w.,]){NUMBER}(?![\w%])", re.IGNORECASE)
_STORM = re.compile(_PATTERNS["storm"])
_DATED = re.compile(_PATTERNS["dated"], re.IGNORECASE)
_UNTRUE_BEFORE = re.compile(_PATTERNS["untrue_before"], re.IGNORECASE)
_UNTRUE_BEHIND = re.compile(_PATTERNS["untrue_behind"], re.IGNORECASE)
_DENIED_BEFORE = re.compile(_PATTERNS["denied_before"], re.IGNORECASE)
_DENIED_BEHIND = re.compile(r",? (?:\w+ ){1,5}den(?:y|ies|ied)\b", re.IGNORECASE)
_ENDED = {
    attribute: [
        re.compile(_PATTERNS[f"{attribute}_ended_{side}"], re.IGNORECASE) for side in ("before", "behind")
    ]
    for attribute in ("arrested", "missing", "displaced")
}
"""What is no longer so of the arrested, missing and displaced: before the number, and behind its words."""
_REACH_OF_ENDS = 120  # characters behind a number in which it may be said to have ended
_COMBINED = re.compile(_PATTERNS["combined"], re.IGNORECASE)


def find_mentions(
    text: str,
    year: int = 9999,
    own: Iterable[str] = (),
    *,
    about: int = 0,
    synonyms: tuple[tuple[str, str], ...] = (),
    title: str = "",
) -> list[Mention]:
    """The numbers that a sentence gives of deaths, injuries and the like, in order, doubtful ones with their doubts.

    Args:
        text: the sentence.
        year: that of publication; earlier years speak of the past.
        own: the stems of the event's title and query: their places and groups are no part of it.
        about: how many of them the document's title holds; with two, they are near wherever the number stands.
        synonyms: other stems, each with the one of these that it stands for when what is near is counted.
        title: that of the document, which says what harmed people where the sentence does not.

    >>> said = "At least 45 died and some 1,200 were injured"
    >>> [(one.attribute, one.value, one.quantity.qualifier) for one in find_mentions(said)]
    [('deaths', 45.0, 'at least'), ('injuries', 1200.0, 'about')]
    >>> find_mentions("There were no injuries when the 44 centimetres of snow fell")[0].value
    0.0
    >>> find_mentions("The leak could kill 20,000 birds each year, 12% of them")
    []
    """
    text = text[:_LONGEST]
    if CUES.isdisjoint(shared_analyzer().stems(text)) or not _may_count(text):
        return []
    return list(_mentions(text, year, frozenset(own), about, synonyms, title[:_LONGEST]))


def _may_count(text: str) -> bool:
    if _DIGIT.search(text):
        return True
    words = tokens(text)
    return not (NUMBER_WORDS.isdisjoint(words) and ORDINALS.keys().isdisjoint(words))


@lru_cache(maxsize=4_096)
def _mentions(
    text: str, year: int, own: frozenset[str], about: int, synonyms: tuple[tuple[str, str], ...], title: str
) -> tuple[Mention, ...]:
    # The same sentence comes again and again: outlets copy each other.
    text = clean(text)
    mentions = find_tracked(text)
    if not mentions:
        return ()
    setting = read_setting(text, year)
    words = {stem: stem for stem in own} | dict(synonyms)
    found = [_mention(text, mention, setting, own, about, words, title) for mention in mentions]
    old = {one.attribute: one.value for one in found if "superseded" in one.doubts}
    return tuple(
        replace(one, instead_of=old[one.attribute])
        if one.instead_of is None and 0 < one.value < old.get(one.attribute, 0.0) <= 3 * one.value
        else one
        for one in found
    )


def _mention(
    text: str,
    mention: Mention,
    setting: Setting,
    own: frozenset[str],
    about: int,
    words: Mapping[str, str],
    title: str,
) -> Mention:
    quantity, start, end = mention.quantity, mention.start, mention.end
    clause_start, clause_end = _bounds(text, start, end)
    clause = text[clause_start:clause_end]
    is_other = _of_another_event(text, (clause_start, clause_end), end, own) or (
        mention.attribute in CASUALTIES and is_of_another_sort(clause, title, own)
    )
    doubts = [
        *_of_setting(text, mention, (clause_start, clause_end), setting),
        *_of_words(text, mention, clause),
        *(["other"] if is_other else []),
        *part_of(text, mention.attribute, quantity, (start, end), own),
    ]
    return replace(
        mention,
        toll=mention.toll or bool(_TOTAL.search(clause)),
        doubts=tuple(dict.fromkeys(doubts)),
        official=bool(_OFFICIAL.search(clause)),
        revised=bool(_REVISED.search(clause)),
        instead_of=_corrected_number(text, quantity, (clause_start, clause_end)),
        near=max(_near(text, quantity, words, 2 if len(own) == 1 else 1), about if about > 1 else 0),
        key=_key(text, quantity),
    )


def _of_setting(text: str, mention: Mention, clause: tuple[int, int], setting: Setting) -> list[str]:
    """Another time, what might be, what happens each day, readers and questions."""
    (low, high), start, end = clause, mention.start, mention.end
    doubts = []
    if any(low <= begin < high and not _is_behind(text, begin, end) for begin, _ in setting.past):
        doubts.append("past")
    if any(max(low, start - 60) <= begin < end for begin, _ in setting.modal):
        doubts.append("modal")
    if any(max(low, start - 60) <= begin < min(high, end + 60) for begin, _ in setting.rate):
        doubts.append("rate")
    if setting.personal and (len(text) <= _SENTENCE or is_personal(text[low:high])):
        doubts.append("comment")
    if text[high : high + 1] == "?":
        doubts.append("question")
    return doubts


def _of_words(text: str, mention: Mention, clause: str) -> list[str]:
    """What the words around a number take back, or add to it."""
    quantity, start, end = mention.quantity, mention.start, mention.end
    before, behind = text[max(0, quantity.start - 60) : quantity.start], text[quantity.end : end + 60]
    doubts = []
    if quantity.vague:
        doubts.append("vague")
    if text[quantity.end : end].lower().endswith("casualties"):
        doubts.append("casualties")
    from_to = not quantity.qualifier and " to " in text[quantity.start : quantity.end]  # the second holds
    if (_SUPERSEDED.search(before) and not from_to) or (
        _PRELIMINARY.search(before) and _has_another(clause, quantity)
    ):
        doubts.append("superseded")
    if _COMBINED.search(text[max(start, end - 12) : end + 24]):
        doubts.append("combined")
    if _UNTRUE_BEFORE.search(before) or _UNTRUE_BEHIND.match(behind):
        doubts.append("retracted")
    elif _DENIED_BEFORE.search(before) or _DENIED_BEHIND.match(text[end : end + 60]):
        doubts.append("denied")
    ended = _ENDED.get(mention.attribute)
    if ended is not None and (
        ended[0].search(text[max(0, start - 40) : quantity.start])
        or ended[1].search(text[end : end + _REACH_OF_ENDS])
    ):
        doubts.append("ended")
    return doubts


def _has_another(clause: str, quantity: Quantity) -> bool:
    """Whether a clause names another number."""
    values = [number_of(match.group()) for match in _NUMBER.finditer(clause)]
    return any(value not in (None, quantity.value, quantity.high) for value in values)


def _of_another_event(text: str, clause: tuple[int, int], end: int, own: frozenset[str]) -> bool:
    """A storm of another name, another disease, or what is called by its date (`the 7/7 bombings`)."""
    low, high = clause
    stem = shared_analyzer().stem
    if is_another_disease(text, low, end, high, own):
        return True
    if any(stem(match["what"].lower()) not in own for match in _DATED.finditer(text, low, end)):
        return True
    for match in _STORM.finditer(text, low, min(len(text), high)):
        names = [match["name"], *([match["alias"]] if match["alias"] else [])]
        if not any(stem(name.lower()) in own for name in names):
            return True
    return False


def _key(text: str, quantity: Quantity) -> int:
    """A digest of the words next to a number, by which repeats are known wherever they stand."""
    before = tokens(text[max(0, quantity.start - 60) : quantity.start])[-5:]
    behind = tokens(text[quantity.end : quantity.end + 30])[:1]
    return zlib.crc32(" ".join([*before, text[quantity.start : quantity.end].lower(), *behind]).encode())


def _is_behind(text: str, past: int, end: int) -> bool:
    """Whether a time of the past stands behind a number of now: `80 died, the worst since 1972, when …`."""
    return past > end and bool(_SINCE_THEN.search(text[end:past]))


def _corrected_number(text: str, quantity: Quantity, clause: tuple[int, int]) -> float | None:
    """The larger number that the clause says this one corrects: `lowered from 80 to 78`, `78, not 80`."""
    low, high = clause
    words = text[low:high]
    pattern = _INSTEAD if _LOWERED.search(words) else _NOT_INSTEAD
    numbers = [number_of(match["n"]) for match in pattern.finditer(words)]
    return next(
        (
            number
            for number in numbers
            if number is not None
            and quantity.value < number
            and (number <= 3 * quantity.value or not quantity.high)
        ),
        None,
    )


def _near(text: str, quantity: Quantity, words: Mapping[str, str], each: int) -> int:
    # An event of one word can have no more near, so that it counts twice.
    close = text if len(text) <= _SENTENCE else text[max(0, quantity.start - _CLOSE) : quantity.end + _CLOSE]
    stem = shared_analyzer().stem
    return each * len({words[word] for word in map(stem, tokens(close)) if word in words})


def _bounds(text: str, start: int, end: int) -> tuple[int, int]:
    low, high = max(0, start - 140), min(len(text), end + 140)
    for match in CLAUSE_END.finditer(text, low, start):
        low = match.end()
    stop = CLAUSE_END.search(text, end, high)
    return low, stop.start() if stop else high
