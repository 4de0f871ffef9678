"""What the words around a number say of it: another time, another event, what might be, a rate, a part, who says so."""

from __future__ import annotations

import re

from msgspec import Struct

__all__ = ["Setting", "clean", "is_personal", "read_setting", "years_spoken_of"]


class Setting(Struct, frozen=True):
    """How a sentence speaks of its numbers; spans are characters of the cleaned text.

    `past`: of another time ("in 1972", "last year"; not "the worst since 1972"); `modal`: of what might be; `rate`: of
    each year or day; `personal`: the writer speaks of himself, as readers' comments do.
    """

    past: tuple[tuple[int, int], ...] = ()
    modal: tuple[tuple[int, int], ...] = ()
    rate: tuple[tuple[int, int], ...] = ()
    personal: bool = False


_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "``": '"', "''": '"'}
_TOKENISED = re.compile(r"-[LR][RS]B-|``|''")
_GLUE_BEFORE = re.compile(r"(?<!\s)\s++([,.;:!?%)\]])(?!\d)")
_GLUE_AFTER = re.compile(r"([(\[$£€])\s+")
_CONTRACTED = re.compile(r"(\w) (n't|'s|'re|'ve|'ll|'d|'m)\b")
_BLANKS = re.compile(r"\s+")


def clean(text: str) -> str:
    """The text with single blanks, and as people write it where it was cut into tokens for machines.

    >>> clean("It cost $ 75m -LRB- # 50m -RRB- , they said .")
    'It cost $75m (£50m), they said.'
    """
    if " ," in text or " ." in text or "-LRB-" in text or "``" in text:
        text = _TOKENISED.sub(lambda match: _BRACKETS[match.group()], text)
        text = text.replace("# ", "£") if "$ " in text or "# " in text else text
        text = _GLUE_BEFORE.sub(r"\1", _GLUE_AFTER.sub(r"\1", _CONTRACTED.sub(r"\1\2", text)))
    return _BLANKS.sub(" ", text).strip()


_YEAR = re.compile(
    r"(?<![\d,.$€£-])(?P<year>1[5-9]\d\d|20\d\d)(?:s\b|(?![\d%]|[.,]\d)"
    r"(?:(?<=\b(?:in|of) \d{4})|(?! (?:people|persons|dead|killed|injured|passengers|others))))"
)
_SHORT_YEAR = re.compile(r"\b(?:in|of) (?:the )?['’](?P<short>\d\d)s?\b", re.IGNORECASE)
_SINCE = re.compile(
    r"\b(?:deadliest|worst|bloodiest|biggest|largest|highest|most|first|strongest|heaviest|lowest|coldest|greatest"
    r"|severest|powerful|serious|recover(?:s|ed|ing)?|rebuil[dt]|rebuilding)\b[^.;]{0,60}?\b(?:since|from|after)\b"
    r"[^.;,\d]{0,24}\d{4}",
    re.IGNORECASE,
)
_OF_THEN = re.compile(
    r"(?:[^.;]|\.(?=\d)){0,60}?\b(?:when|in which|which|that|where|with|killed|left|claimed)\b", re.IGNORECASE
)
_PAST = re.compile(
    r"\b(?:(?:last|previous|past) (?:year|decade|century|january|february|march|april|june|july|august|september"
    r"|october"
    r"|november|december)|(?:the|each of the) (?:last|previous) (?:one|two|three|four|five|pandemics?|outbreaks?"
    r"|wars?|earthquakes?)|(?:an? |one |two |three |four |five |six |seven |eight |nine |ten |\d{1,3} |several "
    r"|many |few )?(?:"
    r"years?|decades?|centur(?:y|ies)|months?) (?:ago|earlier|before|back|later)|anniversary|in history|historically|"
    r"(?:an earlier|a previous|the previous) (?:disaster|record|accident|attack|storm|earthquake|crash|fire|pandemic"
    r"|epidemic|outbreak|spill|flood|war|riot|shooting|bombing)|years ago|world war|civil war|9/11|september 11"
    r"|(?:hurricane|typhoon) katrina|holocaust|chernobyl|bhopal|titanic|columbine|hiroshima|piper alpha"
    r"|exxon valdez)\b",
    re.IGNORECASE,
)
_MODAL = re.compile(
    r"\b(?:could|would|might|should|can|cannot|if|unless|may(?! \d)|will|shall|expected|expects?|potential(?:ly)?"
    r"|project(?:ed|s"
    r"|ions?|ing)|predict(?:ed|s|ing|ions?)|forecasts?|threaten(?:s|ed|ing)?|risks?|at risk|capable|capacity"
    r"|plan(?:s|ned|ning)?"
    r"|intend(?:s|ed)?|aims?|likely|worst-case|scenario|simulat\w+|exercise|drill|hypothetical\w*|hoax|rumou?rs?"
    r"|model(?:s|led"
    r"|ling)?|targets?|quota|warn(?:s|ed|ing)?|fears?(?= (?:of|that|for)))\b",
    re.IGNORECASE,
)
_RATE = re.compile(
    r"\b(?:(?:each|every|per|a|an) (?:year|month|week|day|hour|season|winter|night|minute)|annual(?:ly)?|yearly"
    r"|monthly|weekly"
    r"|daily|on average|an average|average of|in a (?:typical|normal|average) (?:year|season))\b",
    re.IGNORECASE,
)
_PERSONAL = re.compile(r"(?<![\w.'])(?:I|I'm|I've|I'd|my|My|me|Me|myself|our own)(?![\w.'])")
_ADDRESS = re.compile(r"\b(?:you|your|yours)\b", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“”]")


def read_setting(text: str, year: int) -> Setting:
    """How the sentence `text`, published in `year`, speaks of its numbers.

    >>> bool(read_setting("In Seville 70 died in 1972", 2013).past), bool(read_setting("80 died in 2013", 2013).past)
    (True, False)
    >>> bool(read_setting("80 died, the worst crash since 1944", 2013).past)
    False
    """
    past = [match.span() for match in _PAST.finditer(text)]
    comparisons = [match.span() for match in _SINCE.finditer(text)]
    for start, end, spoken in years_spoken_of(text):
        if spoken < year:
            compared = any(low <= start < high for low, high in comparisons)
            if not compared or _OF_THEN.match(text, end):
                past.append((start, end))
    past += [
        match.span() for match in _SHORT_YEAR.finditer(text) if int(match["short"]) not in (year % 100, 0)
    ]
    modal = tuple(match.span() for match in _MODAL.finditer(text))
    rate = tuple(match.span() for match in _RATE.finditer(text))
    return Setting(tuple(past), modal, rate, is_personal(text))


def is_personal(text: str) -> bool:
    """Whether the writer speaks of himself, and nobody is quoted.

    >>> is_personal("I read that 500 died"), is_personal('"I saw 5 die," he said')
    (True, False)
    """
    return bool(_PERSONAL.search(text)) and not _QUOTED.search(text)


def years_spoken_of(text: str) -> list[tuple[int, int, int]]:
    """The years that the text names: where each begins and ends, and which it is."""
    return [(match.start(), match.end(), int(match["year"])) for match in _YEAR.finditer(text)]
