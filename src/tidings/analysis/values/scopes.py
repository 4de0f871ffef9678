"""What a number counts: all of something that runs on or a day of it, and who is no longer missing."""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec import Struct

from tidings.analysis.names.gazetteers import gazetteers
from tidings.analysis.values.cleaning import clean
from tidings.analysis.values.numbers import NUMBER, Mention, number_of
from tidings.core import Event, data_beside, patterns_beside, shared_analyzer

_DATA = data_beside(__file__)
_PATTERNS = patterns_beside(__file__)
_WHOLE = re.compile(_PATTERNS["whole"], re.IGNORECASE)
_GOING = re.compile(_PATTERNS["going"], re.IGNORECASE)
_PERFECT = re.compile(_PATTERNS["perfect"], re.IGNORECASE)
_OF_A_DAY = re.compile(_PATTERNS["of_a_day"], re.IGNORECASE)
_OF_WAR = re.compile(_PATTERNS["of_war"], re.IGNORECASE)
_ATTACK = re.compile(r"\battack(?:s|ed|ers?)?\b", re.IGNORECASE)
_DISASTER = re.compile(_PATTERNS["disaster"], re.IGNORECASE)
_ONGOING = frozenset(shared_analyzer().stems(_DATA["ongoing"]))
_LASTING = frozenset(shared_analyzer().stems(_DATA["lasting"]))
_LASTING_S = 7 * 86_400  # an event this long may be one of the kinds that run on
_THINGS = frozenset(_DATA["things"].split())


def is_of_ongoing(event: Event, seconds: int = 0, said: str = "") -> bool:
    """Whether an event runs on for weeks, so that news counts single days of it: a war, an epidemic.

    Protests, riots and the like do where numbers were reported for a week: `seconds` since the first. Places
    alone do where what is `said` of them counts the fighting of a war, and no disaster or accident; of a country or a
    region any attack is one of many.

    >>> queries = ("libya war", "ferry fire", "gaza", "gaza flood")
    >>> said = "Air strikes killed 24 people on Sunday."
    >>> [is_of_ongoing(Event(id="e", title="", query=words), said=said) for words in queries]
    [True, False, True, False]
    >>> said = "An attack killed 24 people on Sunday."
    >>> [is_of_ongoing(Event(id="e", title="", query=words), said=said) for words in ("gaza", "bern", "bern attack")]
    [True, False, False]
    >>> is_of_ongoing(Event(id="e", title="", query="beirut"), said="The toll of the explosion is 78.")
    False
    """
    words = f"{event.query} {event.title}"
    stems = shared_analyzer().stems(words)
    if not _ONGOING.isdisjoint(stems) or (seconds >= _LASTING_S and not _LASTING.isdisjoint(stems)):
        return True
    if _DISASTER.search(said):
        return False
    is_of_war, is_attack = _OF_WAR.search(said), _ATTACK.search(said)
    kinds = _PLACES if is_of_war else _REGIONS
    return bool(is_of_war or is_attack) and _are_places(tuple(words.lower().split()), kinds)


@lru_cache(maxsize=1 << 10)
def _are_places(words: tuple[str, ...], kinds: frozenset[str]) -> bool:
    listed = gazetteers()
    return bool(words) and all(
        "country" in marks or not (marks.isdisjoint(kinds) or "first" in marks)
        for marks in (frozenset(listed.words.get(word, ())) for word in words)
    )


_REGIONS = frozenset(("place",))
_PLACES = _REGIONS | {"city"}


def is_of_whole(text: str, mention: Mention) -> bool:
    """Whether a number of a text counts all of what runs on, and not a day, a place or an attack of it.

    >>> from tidings.analysis.values.mentions import find_mentions
    >>> texts = ["The UN says 9,000 people were killed since last March.", "On Sunday 16 people were killed."]
    >>> [is_of_whole(text, find_mentions(text)[0]) for text in texts]
    [True, False]
    """
    text = clean(text)
    low = max((match.end() for match in _SENTENCE_END.finditer(text, 0, mention.start)), default=0)
    stop = _SENTENCE_END.search(text, mention.end)
    sentence = text[low : stop.start() if stop else len(text)]
    if _WHOLE.search(sentence):
        return True
    return bool(_GOING.search(sentence) and _PERFECT.search(sentence) and not _OF_A_DAY.search(sentence))


_PATIENTS = re.compile(
    r"\b(?:(?:in|from) (?:an? |the )?(?:hospitals?|intensive)|critical\w*|serious condition)\b"
)


_SOME_OF_THEM = re.compile(r"\b\w{1,20} of (?:them|whom)\b[^,.;]{0,60}")


def counts_patients(text: str) -> bool:
    """Whether a text speaks of those in hospital or in a critical state, who are some of the injured.

    >>> texts = ("Nine are in hospital.", "Nine people were wounded, three of them critically.")
    >>> [counts_patients(text) for text in texts]
    [True, False]
    """
    return bool(_PATIENTS.search(_SOME_OF_THEM.sub("", text)))


_SENTENCE_END = re.compile(r"[.;!?](?=\s)")
_CLAUSE = re.compile(r"[.;:!?](?=\s|$)|, ")
_MISSING = re.compile(_PATTERNS["missing"], re.IGNORECASE)
_CUT_OFF = re.compile(_PATTERNS["cut_off"], re.IGNORECASE)
_FOUND = re.compile(_PATTERNS["found"], re.IGNORECASE)
_STILL = re.compile(_PATTERNS["still"], re.IGNORECASE)
_NO_LONGER = re.compile(_PATTERNS["no_longer"], re.IGNORECASE)
_CLOSED = re.compile(_PATTERNS["closed"], re.IGNORECASE)
_LEFT_OPEN = re.compile(_PATTERNS["left_open"], re.IGNORECASE)
_DEAD = re.compile(_PATTERNS["dead"], re.IGNORECASE)
_BODY = re.compile(_PATTERNS["body"], re.IGNORECASE)
_COUNT = re.compile(
    rf"\b(?P<both>both|couple|pair)\b|\b(?P<all>all|the last)\b|(?<![\w.,]){NUMBER}(?![\w%.])|\b(?:an?|one)\b",
    re.IGNORECASE,
)
_OTHERS = re.compile(r"\b(?:others?|more|were|are|was|is|still)\b|,", re.IGNORECASE)
_MOST_WORDS = 6  # before "of" in a share
_QUICKLY = ("missing", "Missing", "unaccounted", "body of", "trapped", "stranded", "buried", "cut off")
_LONGEST = 1_500  # characters of a sentence that are looked at
_SMALL = 10.0  # of more, only an ending that itself says "missing" takes any off
_ALL = re.compile(r"\b(?:all|the last)\b", re.IGNORECASE)
_SEVERAL = re.compile(r"(?!\w+(?:ss|us)\b)(?:\w+s|people|children|men|women|crew)\b", re.IGNORECASE)
"""The word for those who are missing, of whom no number is said: all of few, some of many."""


class Ending(Struct, frozen=True):
    """That missing people were found: how many (None: all), of how many (None: not said), and whether they are dead."""

    count: float | None
    of: float | None
    is_dead: bool
    words: str
    attribute: str = "missing"

    def left(self, number: float) -> float:
        """Who is still missing of so many; a body of which nothing is said but whose it is counts among few alone.

        Those who were trapped or buried are the missing where they are as many.

        >>> Ending(1.0, 2.0, False, "One of the two").left(5.0), Ending(None, None, False, "All").left(5.0)
        (1.0, 0.0)
        """
        if _CUT_OFF.search(self.words) and number not in (self.count, self.of):
            return number
        if self.count is None:
            return number if number > _SMALL and not _ALL.search(self.words) else 0.0
        if not _MISSING.search(self.words) and number > _SMALL:
            return number
        return max(0.0, min(number, (self.of if self.of is not None else number) - self.count))


def may_end(text: str) -> bool:
    """Whether a text holds the words by which `find_endings` begins: a quick test."""
    return any(words in text for words in _QUICKLY)


def find_endings(text: str) -> list[Ending]:
    """Who is said to be no longer missing, in order.

    >>> [(one.count, one.is_dead) for one in find_endings("Two people missing in the flood have been found alive.")]
    [(2.0, False)]
    >>> [(one.count, one.of) for one in find_endings("One of the two missing sailors was found at dawn.")]
    [(1.0, 2.0)]
    >>> [(one.count, one.is_dead) for one in find_endings("Divers found the body of the second engineer.")]
    [(1.0, True)]
    >>> find_endings("Six skiers were found alive and 10 others were missing; two have not been found.")
    []
    """
    text = text[:_LONGEST]
    endings = []
    start = 0
    for end in (*(match.start() for match in _CLAUSE.finditer(text)), len(text)):
        ending = _ending(text[start:end])
        if ending is not None:
            endings.append(ending)
        start = end
    return endings


def tells_an_end(text: str) -> bool:
    """Whether a text says that something is over: a fire is out, a ban lifted, someone who was missing is found.

    >>> [tells_an_end(text) for text in ("The fire was put out at dawn.", "The fire has not been put out yet.")]
    [True, False]
    >>> tells_an_end("A sailor missing after the fire was found alive in a life raft.")
    True
    """
    text = text[:_LONGEST]
    is_closed = _CLOSED.search(text) is not None and not _LEFT_OPEN.search(text)
    return is_closed or (may_end(text) and bool(find_endings(text)))


def _ending(clause: str) -> Ending | None:
    missing = _MISSING.search(clause) or _CUT_OFF.search(clause)
    if missing is None:
        return Ending(1.0, None, True, clause.strip(",.;: ")) if _BODY.search(clause) else None
    behind = clause[missing.end() :].split()
    if behind and behind[0].strip("'’").lower() in _THINGS:
        return None
    after, before = _FOUND.search(clause, missing.end()), _FOUND.search(clause, 0, missing.start())
    counted = clause[: missing.start()]
    if after is not None:
        if _COUNT.search(clause, missing.end(), after.start()):
            return None
    elif before is not None:
        counted = clause[before.end() : missing.start()]
        if _OTHERS.search(counted):
            return None
    else:
        return None
    if _STILL.search(_NO_LONGER.sub("", clause)):
        return None
    count, of = _parse_share(" ".join(counted.split()[-_MOST_WORDS:]))
    if _CUT_OFF.match(missing.group()) and count == 1.0 and of is None:
        return None
    if after is not None and not _COUNT.search(counted):
        between = clause[missing.end() : after.start()].strip()
        if not between:
            return None  # "Last missing found": how many the text will say
        count = None if _SEVERAL.match(between) else count
    return Ending(count, of, bool(_DEAD.search(clause)), clause.strip(",.;: "))


def _parse_share(words: str) -> tuple[float | None, float | None]:
    """How many of how many: `one of the two`, `both`, `all 12`; one where nothing is said."""
    matches = list(_COUNT.finditer(words))
    numbers = []
    for match in matches:
        if match["all"]:
            continue
        number = 2.0 if match["both"] else number_of(match.group()) or 1.0
        numbers.append(number)
    if any(match["all"] for match in matches):
        return None, numbers[-1] if numbers else None
    if not numbers:
        return 1.0, None
    if len(numbers) > 1 and re.search(r"\bof (?:the )?", words):
        return numbers[0], numbers[-1]
    return numbers[-1], None
