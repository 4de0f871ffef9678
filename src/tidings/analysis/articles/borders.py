"""Where a headline, caption or byline ends and the sentence proper begins, in a text that lost the line between them.

    "Swine flu 'shows drug resistance' | The drug was offered to those nearby | Experts have reported the first case"

Pages turned into text put the headline, the caption of the picture and the lead behind one another with no full stop. A
border can only stand before a capital, a digit or a quotation mark. Whether it does is told by a linear model over the
words and shapes around it, learned from pairs of whole sentences put together in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from zlib import crc32

from tidings.analysis.articles.surfaces import WORD_KINDS, WordKind

if TYPE_CHECKING:
    from numpy import ndarray


PLACES = 8192
"""Weights of the linear model, by hashed feature."""

_TOKEN = re.compile(r"\S+")
_DATE = r"(?:\w+day)?\s?,?\s?\d{1,2}\s[A-Za-z]+\s?,?\s(?:19|20)\d\d"
_CLOCK = r"\d\d:\d\d\s(?:GMT|BST|UTC|ET|UK)"
_FURNITURE = re.compile(
    rf"(?:(?:\d{{1,2}} [A-Z][a-z]+ (?:19|20)\d\d )?(?:[Pp]age )?[Ll]ast updated(?: at)?(?:\s?:)?\s"
    rf"(?:{_CLOCK}(?:\s?,\s{_DATE})?(?:\s{_CLOCK})?|{_DATE}(?:\s-\s{_CLOCK})?)"
    r"(?: (?:Help|Share this page|E-mail this to a friend|Printable version))*\s+"
    r"|(?:Media|Image) (?:caption|copyright|playback is unsupported on your device)\s+"
    r"|(?:Photograph|Photo|Picture|Image)(?: ?: | by )"
    r"(?:[A-Z][\w.'-]* ){0,4}(?:[A-Z][\w.'-]* ?\\?/ ?){0,2}"
    r"(?:PA|AP|AFP|EPA|Rex|Reuters|Corbis|Getty(?: Images)?)\s+(?=[A-Z])"
    r"|(?:\(|-LRB- )?(?:AP|AFP|EPA|ESA|Reuters)(?: Photo)?(?:\\?/[A-Z]\w+(?: [A-Z]\w+| \d{4})?)?(?:\)| -RRB-)?\s"
    r"(?=(?:[A-Z]+ ){2}|[A-Z][a-z']+ [a-z'0-9]|(?:An?|As|The|In|On|At|Rep\.|Sen\.|Gov\.) [A-Za-z])"
    rf"|[A-Z][\w.' -]{{2,40}}\|\s{_CLOCK}(?: time)?\s?,\s{_DATE}\s+)"
)
_STAMP = re.compile(
    r"\b(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6}\s?,?\s)?"
    r"(?:\d{1,2}\s[A-Z][a-z]{2,8}\s(?:19|20)\d\d|[A-Z][a-z]{2,8}\.?\s\d{1,2}\s?,\s(?:19|20)\d\d)"
    r"(?:(?:\s?,)?\s\d{1,2}[.:]\d\d\s?(?:[ap]\.?m\.?\s)?(?:GMT|BST|UTC|CET|[ECMP][DS]?T)|\s?\|)\s+(?=[A-Z\"'“‘`\d])"
)
_STAMPED = 400
_BYLINE = re.compile(
    r"By (?:the )?(?:(?:[A-Z][\w'.-]+(?: and)? ){1,6}(?:[A-Za-z-]+ ){0,6}?(?:[Cc]orrespondent|[Rr]eporter|[Ee]ditor|"
    r"[Aa]nalyst|BBC News|Magazine|Press|Reuters|Wire Staff)|(?:[A-Z][\w'.-]+(?: and| ,)? ){1,8}(?:CNN|AFP|Fox News))"
    r"(?: , (?:BBC News|[A-Z]\w+)){0,3}(?: (?:, |in )[A-Z]\w+)?\s+(?=[A-Z])"
    r"|From (?:[A-Z][\w'.-]+(?: and| ,)? ){1,8}CNN\s+(?=[A-Z])"
)
_BY_STAFF = re.compile(r"By the (?:CNN|AP|Reuters|Fox News)? ?(?:Wire )?Staff\s+(?=[A-Z\"“‘`\d])")
_DATELINE = re.compile(
    r"(?:[A-Z][A-Z.'-]+(?:[ -][A-Z.'-]+){0,3}(?:\s?,\s(?:[A-Z][a-z.]+\s?){1,3})?"
    r"(?:\s?,?\s(?:[A-Z][a-z]{2,8}\.?\s\d{1,2}(?:\s?,\s\d{4})?))?\s?)?"
    r"(?:(?:\(|-LRB-\s?)(?:[A-Z][\w./ ]{1,24})(?:\)|\s?-RRB-)\s?[-–—]{1,2}\s+)"
    r"|(?:(?:[A-Z]+ )?(?:OF|ON|OFF|IN|NEAR|ABOARD) (?:THE )?)?"
    r"[A-Z][A-Z.'-]+(?:[ -][A-Z.'-]+){0,3}(?:\s?,\s[A-Z][a-z.]+(?:\s[A-Z][a-z.]+)?)?(?:\s?,\s[A-Z][a-z]{2,8}\.?\s"
    r"\d{1,2})?\s?(?:[—–]|--)\s+(?=[\"'“`A-Z\d])"
)
_AGENCIES = (
    r"A[FN]?P|CNN|[Rr]euters|REUTERS|Xinhua|XINHUA|[Dd]pa|DPA|UPI|PTI|IANS|ANI|EFE|ANSA|[Kk]yodo|Bloomberg|Interfax|TASS|"
    r"VOA|IRIN|AAP|BBC|CBS|NBC|ABC|[Tt]he [Gg]uardian|allAfrica|AllAfrica"
)
_INNER_DATELINE = re.compile(
    rf"(?:\(|-LRB-\s?)(?:{_AGENCIES})(?:[ /][A-Z][\w.]*){{0,2}}(?:\)|\s?-RRB-)\s?(?:--|[-–—])\s+(?=[\"'“‘`$£A-Z\d])"
)
_CREDIT = re.compile(
    r"(?:Photograph|Photo|Picture) ?: |\(?(?:AP|AFP|EPA|Reuters) Photo\b|(?:AP|AFP|EPA|Reuters)\\?/[A-Z]"
)
_DATELINE_SENTENCES, _DATELINE_CHARACTERS = 8, 1_200
_FEWEST_WORDS = 6
_OPENING_MARKS = frozenset({"``", "`", "“", "‘", '"'})
_MOST_WORDS_BEFORE = 40
_VERBS = int(
    WordKind.PAST | WordKind.PERFECT | WordKind.PRESENT | WordKind.MODAL | WordKind.FUTURE | WordKind.SAYING
)


_DAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_CAPTION = re.compile(
    r"[A-Z][a-z]{2,8}\.?\s\d{1,2}\s?(?:,\s(?:19|20)\d\d\s?)?:\s"
    r"|(?:Shown|Seen|Pictured)(?: here)? (?:is|are)\b|(?:Image|Photo|Picture) caption\b"
    r"|(?:File|Handout) (?:photo|picture|image)\b"
    r"|This (?:[A-Z]\w+\.? )?(?:\d{1,2} ?, )?(?:\d{4} )?(?:file |handout )?(?:photo|image)\b"
)
_CAPTION_INSIDE = re.compile(
    r"(?:-LRB-|\() ?(?:pictured|(?:(?:top|bottom|second|third) )?(?:left|right|centre|center)) ?(?:-RRB-|\)|,)"
    rf"|{_DAY} ?, [A-Z][a-z]{{2,8}}\.? \d{{1,2}} ?, (?:19|20)\d\d\b"
    r"|[Ii]n this (?:(?:file|handout|undated|combination|aerial|video|[A-Z][a-z]+\.?|\d\d?|,|\d{4}) ?){0,5}"
    r"(?:photo(?:graph)?|image|picture|frame grab)\b"
)
_IN_CAPTION_INSIDE = ("-LRB-", "(", "day", "n this ")
"""Whatever `_CAPTION_INSIDE` finds holds one of these."""
_CAPTION_CHARACTERS, _LONGEST_STAMP = 400, 20
_IN_CAPTIONS = frozenset({"is", "are", "was", "were", "has", "have", "had"})


def is_caption(text: str) -> bool:
    """Whether a sentence describes the picture beside an article and is no sentence of it.

    It begins with a date and a colon, says who is on the left, speaks of "this photo", gives weekday and date with the
    year, or follows "By the Staff" and says in the present what is to be seen.

    >>> is_caption("April 29 , 2010 : Workers in Orange Beach lay booms to protect the beach .")
    True
    >>> is_caption("By the CNN Wire Staff Libyan Muslims perform their prayer Tuesday in Benghazi .")
    True
    >>> is_caption("By the CNN Wire Staff Rebels said they had taken the town .")
    False
    """
    if _CAPTION.match(text) or (
        any(map(text.__contains__, _IN_CAPTION_INSIDE))
        and _CAPTION_INSIDE.search(text, _LONGEST_STAMP, _CAPTION_CHARACTERS)
    ):
        return True
    match = _BY_STAFF.match(text)
    return match is not None and not any(
        token in _IN_CAPTIONS or _is_verb(token) for token in text[match.end() :].split()
    )


def dateline_end(texts: Sequence[str]) -> tuple[int, int]:
    """Where an agency's dateline ends among the first sentences of an article: (sentence, character); (0, 0) for none.

    Pages put caption, byline and a list of highlights before it, often without a full stop: what stands there is no
    sentence of the article.

    >>> texts = ["Rebels walk past a tank.", "Rebels take town NATO denies -LRB- CNN -RRB- -- Rebels fought on."]
    >>> number, end = dateline_end(texts)
    >>> number, texts[number][end:]
    (1, 'Rebels fought on.')
    """
    for number, text in enumerate(texts[:_DATELINE_SENTENCES]):
        match = _INNER_DATELINE.search(text, 0, _DATELINE_CHARACTERS)
        if match and len(text) - match.end() > 10:
            return number, match.end()
    return 0, 0


def is_credited(text: str) -> bool:
    """Whether a sentence begins with the credit of a photo, so that the one before it is the caption.

    >>> is_credited("Photograph : PA Two Britons have now contracted swine flu ."), is_credited("Photographs show it.")
    (True, False)
    """
    return _CREDIT.match(text) is not None


def border_places(tokens: Sequence[str]) -> list[int]:
    """The numbers of the tokens before which a border can stand: not the first, and begun like a sentence.

    >>> border_places("Oil well sealed The leaking well of BP has been sealed .".split())
    [3, 7]
    """
    return [number for number in range(1, len(tokens)) if _can_begin(tokens, number)]


def _can_begin(tokens: Sequence[str], number: int) -> bool:
    token = tokens[number]
    if token in _OPENING_MARKS:
        return number + 1 < len(tokens) and tokens[number + 1][0].isupper()
    if tokens[number - 1] in _OPENING_MARKS or token in ("-LRB-", "-RRB-"):
        return False
    first = token.lstrip("\"'“‘`$£€#")[:1]
    return first.isupper() or first.isdigit()


def border_features(tokens: Sequence[str], number: int) -> list[int]:
    """The places, in the table of weights, of the features of a border before token `number`."""
    return _places(tokens, number, [_is_verb(token) for token in tokens])


def _places(tokens: Sequence[str], number: int, verbs: Sequence[bool]) -> list[int]:
    return [crc32(name.encode("utf-8", "surrogatepass")) % PLACES for name in _names(tokens, number, verbs)]


def _names(tokens: Sequence[str], number: int, verbs: Sequence[bool]) -> list[str]:
    before = tokens[number - 1]
    earlier = tokens[number - 2] if number > 1 else "<"
    here = tokens[number]
    behind = tokens[number + 1] if number + 1 < len(tokens) else ">"
    beyond = tokens[number + 2] if number + 2 < len(tokens) else ">"
    verb = _first_verb(verbs, number)
    shapes = f"{_shape(earlier)}{_shape(before)}|{_shape(here)}{_shape(behind)}{_shape(beyond)}"
    return [
        "bias",
        f"before={before.lower()}",
        f"earlier={earlier.lower()}",
        f"here={here}",
        f"behind={behind.lower()}",
        f"beyond={beyond.lower()}",
        f"ends={before[-3:].lower()}|{_shape(before)}",
        f"shapes={shapes}",
        f"near={_shape(before)}|{_shape(here)}",
        f"verb={verb}",
        f"verb={verb}|{_shape(before)}|{_shape(here)}",
        f"verbs={min(sum(verbs[:number]), 2)}",
        f"words={min(number, 12)}",
        f"left={min((len(tokens) - number) // 4, 6)}",
    ]


def _shape(token: str) -> str:
    if token.isdigit() or token[0].isdigit():
        return "9"
    if token.isupper() and len(token) > 1:
        return "U"
    if token[0].isupper():
        return "f" if token.lower() in _FUNCTION else "C"
    if token.isalpha():
        return "w" if token in _FUNCTION else "a"
    return "q" if token[0] in "\"'`“”‘’" else "."


_FUNCTION_WORDS = (
    "the a an of in on at to for by with and or from as but his her their its our my this that these "
    "those it he she they we i you there here some many most more at least about after before into "
    "over under against between during since until while when if who which what how why not no all "
    "both each other one two"
)
_FUNCTION = frozenset(_FUNCTION_WORDS.split())


@lru_cache(maxsize=8192)
def _is_verb(token: str) -> bool:
    low = token.lower()
    return bool(WORD_KINDS.get(low, 0) & _VERBS) or (low.endswith("ed") and len(low) > 4)


def _first_verb(verbs: Sequence[bool], number: int) -> str:
    for distance in range(1, min(12, len(verbs) - number)):
        if verbs[number + distance]:
            return "1" if distance == 1 else "2" if distance == 2 else "3" if distance < 6 else "6"
    return "-"


def lead_start(text: str, weights: ndarray[Any, Any], *, level: float = 0.0, opening: bool = True) -> int:
    """The character at which the sentence proper begins: behind time stamp, furniture, byline, headline and dateline.

    `weights` is the table of the linear model, of shape [PLACES]; a border stands where its sum exceeds `level`. Only
    the first sentence of a document (`opening`) has byline and headline before it; time stamps, the credit of a photo
    and a dateline are cut from any.

    >>> import numpy as np
    >>> text = "PARIS (Reuters) - A train derailed near the city on Friday."
    >>> text[lead_start(text, np.zeros(PLACES)):]
    'A train derailed near the city on Friday.'
    >>> lead_start("A train derailed near the city on Friday.", np.zeros(PLACES))
    0
    """
    start = 0
    for stamp in _STAMP.finditer(text, 0, _STAMPED):
        if len(text) - stamp.end() > 20:
            start = stamp.end()
    match = _FURNITURE.match(text, start)
    if match and len(text) - match.end() > 20:
        start = match.end()
    if opening:
        for pattern in (_BY_STAFF, _BYLINE):
            match = pattern.match(text, start)
            if match and len(text) - match.end() > 20:
                start = match.end()
                break
        start = _behind_headline(text, start, weights, level)
    match = _DATELINE.match(text, start)
    if match and len(text) - match.end() > 20:
        start = match.end()
    return start


def _behind_headline(text: str, start: int, weights: ndarray[Any, Any], level: float) -> int:
    spans = [match.span() for match in _TOKEN.finditer(text, start)]
    tokens = [text[first:last] for first, last in spans]
    most = min(_MOST_WORDS_BEFORE, len(tokens) - _FEWEST_WORDS)
    borders = [number for number in border_places(tokens[: most + 2]) if number <= most] if most > 0 else []
    verbs = [_is_verb(token) for token in tokens] if borders else []
    best = start
    for number in borders:
        if float(weights[_places(tokens, number, verbs)].sum()) > level:
            best = spans[number][0]
    return best
