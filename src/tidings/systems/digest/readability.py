"""Whether a sentence can be quoted alone: the one place where a digest asks what kind of sentence it has before it.

Rules of the surface only: words that open a sentence and point back, persons, questions, tables and other languages.
"""

from __future__ import annotations

import re

__all__ = ["begins_comments", "is_readable", "quoted_start"]

SHORTEST_WORDS, LONGEST_WORDS = 6, 40
"""Words between blanks that a sentence of a digest has; captions are shorter, glued headlines and lists longer."""

_POINTS_BACK = re.compile(
    r"(?:he|she|it|they|this|that|these|those|but|and|however|his|her|their|its|there|then|so|also|such|here|some"
    r"|another|one|both|meanwhile|or|nor|yet|because|instead)\b",
    re.IGNORECASE,
)
_PERSONS = re.compile(r"\b(?:I|[Ww]e|[Mm]y|[Oo]ur|me|us|'m|[Yy]ou|[Yy]our)\b")
_FURNITURE = re.compile(
    r"\|\s*Reply|\bclick here\b|\bread more\b|\bjavascript\b|\be-mail\b|\b(?:photo|image|video|source):"
    r"|https?://|\bwww\.|\bsubscribe\b|\bcopyright\b",
    re.IGNORECASE,
)
_OPENING_MARKS = "`\"'“‘«([-*•>"
_DATELINE = re.compile(
    r"\s*(?:[A-Z][\w.'’/-]*(?:,? +[A-Z0-9][\w.'’/-]*){0,6},? *)?"
    r"(?:\(|-LRB- )(?:Reuters|AP|AFP|Xinhua|CNN|BBC|UPI|dpa|PTI|IANS|EFE|ANSA|TASS)(?:\)| -RRB-) *(?:--|[-–—:])+ *"
)
_STAMP = re.compile(
    r"\s*(?:\d{1,2} \w+ \d{4} )?(?:Last )?[Uu]pdated(?: at)? \d{1,2}[:.]\d\d(?: [A-Z]{3,4}\b)?(?: Help\b)?[ ,:-]*"
)
_GLUED = re.compile(
    r"(?<=[a-z0-9] )(?=(?:The|An?|At least|In|On|It|There|After|More than|Some|Many|Thousands|Hundreds|Dozens|Two|Three"
    r"|Four|Five|Officials|Police|People|Rescuers?|Scientists|Experts)\s+[a-z\d])"
)
_COMMENT = re.compile(
    r"\s*(?:\d+\s*\.\s*)?At \d{1,2}[:.]\d\d\b.{6,60}?\bwrote\s*:"
    r"|.{0,80}\|\s*Reply\b|\s*(?:Posted|Comment(?:ed)?) (?:by|at|on) .{0,60}\d",
    re.IGNORECASE,
)


def begins_comments(text: str) -> bool:
    """Whether a sentence is the head of a reader's comment: all that follows in its document is no article.

    >>> begins_comments("At 6:42 pm on 11 Jun 2009 , James wrote : go ahead"), begins_comments("At 6:42 pm it fell.")
    (True, False)
    """
    return _COMMENT.match(text) is not None


def quoted_start(text: str, title: str = "", *, first: bool = False) -> int:
    """Where in a sentence its own words begin: behind its document's title, an agency's dateline, a stamp of time.

    In the `first` sentence of a document without a title also behind a headline or caption that is glued to it.

    >>> quoted_start("MADRID (Reuters) - A train derailed."), quoted_start("A train derailed.")
    (19, 0)
    >>> quoted_start("Train derails A train derailed in Spain.", "Train derails")
    14
    >>> text = "Rescuers at the wreck The death toll has risen to ten ."
    >>> text[quoted_start(text, first=True):], quoted_start(text)
    ('The death toll has risen to ten .', 0)
    """
    start = 0
    if title and text.startswith(title) and len(text) > len(title) + 20:
        start = len(title)
        start += len(text[start:]) - len(text[start:].lstrip(" .:|\n-–—"))
    for pattern in (_STAMP, _DATELINE):
        match = pattern.match(text, start)
        if match and match.end() < len(text):
            start = match.end()
    if first and not title:
        for match in _GLUED.finditer(text, start):
            if len(text[match.start() :].split()) >= SHORTEST_WORDS + 2:
                start = match.start()
    return start


def is_readable(text: str) -> bool:
    """Whether a sentence tells something by itself, as far as its surface shows.

    >>> is_readable("The well was sealed on Sunday, officials said."), is_readable("He said it was sealed on Sunday.")
    (True, False)
    >>> is_readable("What do you think of the sealing of the well?"), is_readable("B m n Sinh ho , H Oxford c tr m")
    (False, False)
    >>> is_readable("")
    False
    """
    words = text.split()
    if not SHORTEST_WORDS <= len(words) <= LONGEST_WORDS:
        return False
    if "?" in text or text.lstrip()[:1] in _OPENING_MARKS or _POINTS_BACK.match(text.lstrip()):
        return False
    if _PERSONS.search(text) or _FURNITURE.search(text):
        return False
    return _is_language(words)


def _is_language(words: list[str]) -> bool:
    """Whether words are words: few single letters (letters lost in conversion leave them), more letters than digits.

    >>> _is_language("a virus of pigs".split()), _is_language("c m # c o b ng".split())
    (True, False)
    """
    letters = sum(1 for word in words if len(word) == 1 and word.isalpha() and word not in "aAI")
    numbers = sum(1 for word in words if word[:1].isdigit())
    return letters <= 0.2 * len(words) and numbers <= 0.4 * len(words)
