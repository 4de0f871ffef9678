"""Whether a sentence can be quoted alone: the one place where a digest asks what kind of sentence it has before it.

Rules of the surface (words that open a sentence and point back, persons, questions, tables, other languages), and what
the article model answers: whether the sentence states something, and whether it can be understood alone.
"""

from __future__ import annotations

import re

from tidings.analysis import ArticleSentence

__all__ = ["LONGEST_WORDS", "SHORTEST_WORDS", "begins_comments", "can_be_quoted", "is_readable"]

SHORTEST_WORDS, LONGEST_WORDS = 6, 40
"""Words between blanks that a sentence of a digest has; captions are shorter, glued headlines and lists longer."""

_LEAST_ALONE = _LEAST_STATES = 0.3
"""Probabilities below which a sentence is left out; higher ones cost what references tell."""

_POINTS_BACK = re.compile(
    r"(?:he|she|it|they|this|that|these|those|but|and|however|his|her|their|its|there|then|so|also|such|here|some"
    r"|another|one|both|meanwhile|or|nor|yet|because|instead)\b",
    re.IGNORECASE,
)
_PERSONS = re.compile(r"\b(?:I|[Ww]e|[Mm]y|[Oo]ur|me|us|'m|[Yy]ou|[Yy]our)\b")
_FURNITURE = re.compile(
    r"^\d{1,2} \w+ \d{2,4} \d\d:\d\d |"
    r"\|\s*Reply|\bclick here\b|\bread more\b|\bjavascript\b|\be-mail\b|\b(?:photo|image|video|source):"
    r"|https?://|\bwww\.|\bsubscribe\b|\bcopyright\b",
    re.IGNORECASE,
)
_OPENING_MARKS = "`\"'“‘«([-*•>"
_COMMENT = re.compile(
    r"\s*(?:\d+\s*\.\s*)?At \d{1,2}[:.]\d\d\b.{6,60}?\bwrote\s*:"
    r"|\s*\d{1,2}(?:st|nd|rd|th) \w+ \d{4} ?[-–] ?\d{1,2}:\d\d\b|\s*Added ?: \w+day\b"
    r"|.{0,80}\|\s*Reply\b|\s*(?:Posted|Comment(?:ed)?) (?:by|at|on) .{0,60}\d",
    re.IGNORECASE,
)


def begins_comments(text: str) -> bool:
    """Whether a sentence is the head of a reader's comment: all that follows in its document is no article.

    >>> begins_comments("At 6:42 pm on 11 Jun 2009 , James wrote : go ahead"), begins_comments("At 6:42 pm it fell.")
    (True, False)
    """
    return _COMMENT.match(text) is not None


_LABEL = re.compile(
    r"(?:Related|Watch|Listen|Read (?:more|also)|See also|(?:Image|Media|Photo) caption|RT @|Video|Gallery|In pictures"
    r"|Live)\b ?[:@]?|(?:[A-Z][A-Z.'-]+(?:,? [A-Z][A-Z.'-]+){0,4}) ?: ",
)
"""What labels a line as a link, a caption, a retweet or somebody's turn to speak."""


def can_be_quoted(one: ArticleSentence) -> bool:
    """Whether a sentence tells something by itself, by its surface and by the article model."""
    return one.alone >= _LEAST_ALONE and one.states >= _LEAST_STATES and is_readable(one.sentence.text)


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
    if _PERSONS.search(text) or _FURNITURE.search(text) or _LABEL.match(text.lstrip()):
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
