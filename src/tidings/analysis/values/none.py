"""What is said of nobody: no deaths, nobody missing, `has not killed anyone`."""

from __future__ import annotations

import re

__all__ = ["find_none"]

_BE = r"(?:(?:was|were|is|are|has been|had been|have been|has|remains?|to be|being|left) (?:still |now |any longer )?)"
_WHO = r"(?:one|people|persons?|passengers|residents|workers|crew(?: members)?|students|civilians)"
_HAPPENED = (
    r"(?:(?P<deaths{0}>killed|died|dead|dies)|(?P<injuries{0}>hurt|injured|wounded)"
    r"|(?P<missing{0}>missing|unaccounted for)|(?P<arrested{0}>arrested|detained))"
)
_SAID = (
    r"(?: (?:reports? of|immediate|confirmed|reported|known|further|other|serious|major|human|civilian|word of"
    r"|casualties or)){0,4}"
)
_NOBODY = rf"(?:no[ -]?(?:one|body)|none(?: of the [\w ]{{1,30}}?)?|no {_WHO})"
_ALL = (
    r"(?:everyone|everybody|all (?:of )?(?:the )?(?:missing|passengers|crew(?: members)?|residents|workers|students"
    r"|people)(?: and crew)?)(?: (?:on board|aboard|missing))?"
)
_NONE = re.compile(
    rf"(?:\b(?:no|zero|without(?: any)?|not (?:been )?any)|n['’]t (?:been )?any){_SAID} "
    r"(?:(?P<deaths0>deaths?|fatalities|casualties|dead|loss of life)(?: (?:or|and) (?P<injuries5>injur(?:ies|y)))?"
    r"|(?P<injuries0>injur(?:ies|y)|injured)|(?P<arrested0>arrests?))\b"
    rf"|\b{_NOBODY} (?:else )?{_BE}{{0,2}}{_HAPPENED.format(1)}\b"
    r"|(?:\b(?:not|never)|n['’]t) (?:yet |actually )?(?:kill(?:ed)?(?P<deaths2>)|(?:injured?|hurt|wound(?:ed)?)"
    r"(?P<injuries2>))(?: (?:or|and) (?:injured?|hurt|wound(?:ed)?|kill(?:ed)?))? any(?:one|body| people| person)\b"
    r"|\b(?:kill(?:ed|ing|s)?(?P<deaths3>)|(?:injur(?:ed|ing|es)|hurt(?:ing|s)?)(?P<injuries3>))"
    r" (?:no[ -]?one|nobody)\b"
    r"|\bclaim(?:ed|ing|s) no lives(?P<deaths4>)"
    rf"|\b(?P<missing4>{_ALL} (?:has|have|had|was|were)(?: now| since)?(?: been)? accounted for)\b",
    re.IGNORECASE,
)
_PARTIAL = re.compile(r"\b(?:further|other|serious|major|immediate|more|word|else)\b", re.IGNORECASE)
_NEGATIONS = frozenset(["no", "zero", "without", "not", "nobody", "none", "any", "anyone", "accounted"]) | {
    "anybody"
}


def find_none(text: str, words: frozenset[str]) -> list[tuple[str, int, int]]:
    """Of what the text says that there is none, with the characters that say so; `words` are its tokens.

    >>> text = "The fire has not killed anyone, and nobody is missing"
    >>> find_none(text, frozenset(text.lower().replace(",", "").split()))
    [('deaths', 13, 30), ('missing', 36, 53)]
    >>> find_none("No further injuries", frozenset(["no", "further", "injuries"]))
    []
    """
    if _NEGATIONS.isdisjoint(words):
        return []
    return [
        (name[:-1], *match.span())
        for match in _NONE.finditer(text)
        if not _PARTIAL.search(match.group())
        for name, group in match.groupdict().items()
        if group is not None
    ]
