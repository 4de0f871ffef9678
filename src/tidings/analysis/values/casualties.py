"""Numbers in text, and the casualties of an event: how many were killed, injured, missing, displaced.

Rules, not a model: they know digits with separators, number words, ranges of doubt ("at least", "more than"), and
the usual ways in which news counts casualties in English. What names no number ("dozens of people were killed") is
no count, only vague.
"""

from __future__ import annotations

import re

from msgspec import Struct

__all__ = ["KINDS", "Casualties", "Number", "find_casualties", "find_numbers"]

KINDS = ("deaths", "injuries", "missing", "displaced", "arrested", "rescued", "hostages", "trapped")
"""What is counted."""


class Number(Struct, frozen=True):
    """A number as text: characters start..end of the text say `value`."""

    value: float
    start: int
    end: int


class Casualties(Struct, frozen=True):
    """So many people (`value`) suffered something (`kind`), as characters start..end say.

    `qualifier` is "" for a plain figure, or one of "at least", "at most", "about".
    """

    kind: str
    value: int
    qualifier: str
    start: int
    end: int


_UNIT_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
_TEN_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety"
_UNITS = {word: value for value, word in enumerate(_UNIT_WORDS.split())}
_TENS = {word: 10 * value for value, word in enumerate(_TEN_WORDS.split(), 2)}
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}

_UNIT = "|".join(sorted(_UNITS, key=len, reverse=True))
_TEN = "|".join(_TENS)
_SCALE = "|".join(_SCALES)
_DIGITS = r"\d{1,3}(?:[, ]\d{3}){1,3}(?!\d)|\d{1,12}(?:\.\d{1,6})?(?!\d)"
_WORD = rf"(?:{_TEN})(?:[- ](?:{_UNIT}))?|{_UNIT}|(?:a|one) (?=(?:{_SCALE})\b)"
_ONE = rf"(?:{_DIGITS}|\b(?:{_WORD}))"
_NUMBER = rf"(?<![\w.,$€£-])(?:{_ONE})(?:[ -]?(?:{_SCALE})\b(?: and)?(?: (?:{_ONE}))?){{0,4}}(?![\w%])"
_NUMBERS = re.compile(_NUMBER, re.IGNORECASE)
_PART = re.compile(rf"{_DIGITS}|[a-z]+", re.IGNORECASE)


def find_numbers(text: str) -> list[Number]:
    """The numbers of `text` in order: 1,200 and 1 200, 3.5 million, forty-five, two hundred and six.

    Amounts of money, percentages and numbers inside words are left out.

    >>> [(n.value, text[n.start : n.end]) for text in ["some 1,200 of forty-five thousand"] for n in find_numbers(text)]
    [(1200.0, '1,200'), (45000.0, 'forty-five thousand')]
    """
    numbers = []
    for match in _NUMBERS.finditer(text):
        value = _value(match.group())
        if value is not None:
            numbers.append(Number(value, match.start(), match.start() + len(match.group().rstrip())))
    return numbers


def _value(words: str) -> float | None:
    total, current, has_number = 0.0, 0.0, False
    for part in _PART.findall(words.lower()):
        if part[0].isdigit():
            current += float(part.replace(",", "").replace(" ", ""))
        elif part in _UNITS:
            current += _UNITS[part]
        elif part in _TENS:
            current += _TENS[part]
        elif part == "hundred":
            current = (current or 1.0) * 100
        elif part in _SCALES:
            total += (current or 1.0) * _SCALES[part]
            current = 0.0
        elif part == "a":
            current = 1.0 if not has_number else current
        else:
            continue
        has_number = True
    return total + current if has_number else None


_QUALIFIER = (
    r"(?P<q>at least|no fewer than|not less than|no less than|a minimum of|more than|over|upwards of|as many as|"
    r"up to|at most|fewer than|less than|nearly|almost|close to|about|around|some|roughly|approximately|"
    r"an estimated|an approximate)"
)
_MEANS = {
    "at least": "at least no fewer than|not less than|no less than|a minimum of|more than|over|upwards of",
    "at most": "as many as|up to|at most|fewer than|less than",
    "about": "nearly|almost|close to|about|around|some|roughly|approximately|an estimated|an approximate",
}
_QUALIFIERS = {word: name for name, words in _MEANS.items() for word in words.split("|")} | {
    "at least": "at least",
    "no fewer than": "at least",
}

_VERBS = {
    "deaths": r"killed|dead|died|dies|deaths?|fatalities|fatally|perished|drowned|slain|lost their lives|"
    r"lives (?:were )?lost|bodies|corpses|massacred|shot dead|burned to death|(?:have )?lost (?:his|her) life",
    "injuries": r"injured|wounded|hurt|injuries|casualties taken to hospital|hospitali[sz]ed|"
    r"(?:were |was )?(?:taken|rushed|sent) to (?:the )?hospitals?",
    "missing": r"missing|unaccounted(?: for)?",
    "displaced": r"displaced|evacuated|homeless|evacuees|fled their homes|(?:were )?forced (?:from|to (?:flee|leave))"
    r"(?: their homes)?|left homeless|told to leave",
    "arrested": r"arrested|detained|arrests|(?:taken|held) (?:into|in) custody",
    "rescued": r"rescued|saved|freed|released|pulled (?:alive )?from|pulled out alive",
    "hostages": r"hostages|(?:held|taken) hostage|kidnapped|abducted",
    "trapped": r"trapped|stranded|buried",
}
_KIND_OF = "|".join(f"(?P<{kind}>{words})" for kind, words in _VERBS.items())
_PEOPLE = (
    r"(?:people|persons?|others?|passengers|workers|miners|civilians|residents|protesters|protestors|demonstrators|"
    r"men|women|children|students|pupils|soldiers|troops|officers|policemen|police|victims|villagers|"
    r"crew(?: members)?|tourists|fans|worshipp?ers|sailors|firefighters|militants|rebels|gunmen|hostages|foreigners|"
    r"employees|survivors|families|households|homes|americans|italians|nationals|citizens|bystanders|spectators|"
    r"individuals|members|sikhs|muslims|refugees|migrants|patients|inmates|prisoners|bodies|drivers|customers)"
)
_FILL = r"(?:of (?:them|whom|the|those)|were|was|are|is|have|has|had|been|be|being|also|reportedly|now|still|"
_FILL += r"confirmed|feared|believed|reported|presumed|left|officially|already|to|and|more|other|another|"
_FILL += r"adults?|young|local|foreign|people|seriously|critically|slightly|badly|in|on board|who|"
_FILL += r"died and|got|as|known|thought|remain|remains|remained|went|gone|listed as)"
# NUMBER [adjective] [people] [were ...] VERB
_FORWARD = re.compile(
    rf"(?:\b{_QUALIFIER} )?(?P<n>{_NUMBER})(?: (?:\w+ )?{_PEOPLE})?"
    rf"(?: ?, including [^,.]{{1,60}}?,)?(?: ?,? {_FILL}){{0,4}} (?:{_KIND_OF})\b",
    re.IGNORECASE,
)
# killed [at least] NUMBER; killing NUMBER; death toll rose to NUMBER; the number of missing rose to NUMBER
_ACTIVE = {
    "deaths": r"kill(?:s|ed|ing)|claim(?:s|ed|ing)(?: the lives of)?|deaths? of|leaving dead|"
    r"(?:death )?toll(?: \w+){0,6}?(?: to| at| of| is| was| stands at|:)|dead:|dead at|number of (?:dead|deaths)"
    r"(?: \w+){0,4}? (?:to|at|is)",
    "injuries": r"injur(?:es|ed|ing)|wound(?:s|ed|ing)|hurt(?:s|ing)?|number of (?:injured|wounded)"
    r"(?: \w+){0,4}? (?:to|at|is)",
    "missing": r"number of missing(?: \w+){0,4}? (?:to|at|is)",
    "displaced": r"displac(?:es|ed|ing)|evacuat(?:es|ed|ing)|forc(?:es|ed|ing)",
    "arrested": r"arrest(?:s|ed|ing)|detain(?:s|ed|ing)",
    "rescued": r"rescu(?:es|ed|ing)",
    "hostages": r"kidnap(?:s|ped|ping)|abduct(?:s|ed|ing)",
    "trapped": r"trap(?:s|ped|ping)|strand(?:s|ed|ing)|bur(?:ies|ied|ying)",
}
_ACTIVE_OF = "|".join(f"(?P<{kind}>{words})" for kind, words in _ACTIVE.items())
_BACKWARD = re.compile(
    rf"\b(?:{_ACTIVE_OF}) (?:another |a further )?(?:\b{_QUALIFIER} )?(?P<n>{_NUMBER})"
    rf"(?=(?: (?:more |other )?(?:\w+ )?{_PEOPLE}\b)?(?P<rest>.?))",
    re.IGNORECASE,
)
_NOT_PEOPLE = re.compile(
    r" (?:(?:\w+ )?(?:hours?|days?|weeks?|months?|years?|minutes?|miles?|kilomet(?:er|re)s?|km|feet|met(?:er|re)s?|"
    r"percent|per cent|pounds?|dollars|a\.?m|p\.?m|times|floors|stor(?:ies|eys)))\b",
    re.IGNORECASE,
)
_AND = re.compile(r"\band $", re.IGNORECASE)
_MONTHS = r"jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_DATE = re.compile(rf"(?:{_MONTHS})[a-z]*\.? $", re.IGNORECASE)
_ANY = re.compile(
    r"kill|dead|die|death|fatal|perish|drown|slain|lives|life|bod|corps|massac|toll|claim|injur|wound|hurt|hospital|"
    r"missing|unaccount|displac|evacu|homeless|fled|forc|leave|arrest|detain|custody|rescu|saved|pulled|hostage|"
    r"kidnap|abduct|freed|released|trap|strand|bur[iy]",
    re.IGNORECASE,
)


def find_casualties(text: str) -> list[Casualties]:
    """The casualties that `text` counts, in order of their numbers; one for each number and kind.

    >>> find_casualties("At least 45 people were killed and more than 1,200 injured.")[0]
    Casualties(kind='deaths', value=45, qualifier='at least', start=0, end=30)
    >>> [(t.kind, t.value, t.qualifier) for t in find_casualties("The blast killed twelve and injured some 30")]
    [('deaths', 12, ''), ('injuries', 30, 'about')]
    >>> find_casualties("Dozens of people were killed, police said")
    []
    """
    if not _ANY.search(text):
        return []
    text = text[:10_000]  # a sentence; more is hostile
    candidates: dict[tuple[int, str], Casualties] = {}
    for pattern in (_FORWARD, _BACKWARD):
        for match in pattern.finditer(text):
            counted = _casualties(text, match)
            if counted is not None:
                candidates.setdefault((match.start("n"), counted.kind), counted)
    kinds: dict[int, str] = {}
    casualties = []
    for (number_start, kind), counted in sorted(candidates.items(), key=lambda item: item[0][0]):
        if kinds.setdefault(number_start, kind) == kind:
            casualties.append(counted)
    return casualties


def _casualties(text: str, match: re.Match[str]) -> Casualties | None:
    start, end = match.span("n")
    value = _value(match.group("n"))
    if value is None or value != int(value) or value > 10**8:
        return None
    kind = next(kind for kind in KINDS if match.groupdict().get(kind))
    if _AND.search(text, end, match.start(kind)):
        return None  # "killed six people and wounded three": the second verb speaks of its own number
    if _NOT_PEOPLE.match(text, end) or _DATE.search(text, 0, start):
        return None
    if 1900 <= value <= 2100 and re.search(r"\b(?:in|since|of|by|from) $", text[:start], re.IGNORECASE):
        return None
    qualifier = _QUALIFIERS.get((match.group("q") or "").lower(), "")
    stop = match.start() + len(match.group().rstrip())
    return Casualties(kind, int(value), qualifier, match.start(), stop)
