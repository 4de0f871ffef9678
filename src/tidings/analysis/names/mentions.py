"""Where a text names a person, an organization or a location."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

from msgspec import Struct

from tidings.core import ENGLISH

Span = tuple[int, int, str]
"""Tokens start..end, half-open, with the type of the name that they are."""


class Recogniser(Protocol):
    """Who finds names in documents: the recogniser of tidings, or a pipeline of a user's own."""

    def spans(self, sentences: Sequence[Sequence[str]]) -> list[list[Span]]:
        """For each sentence of a document, its tokens given, the spans that are names."""

    def spans_of(self, documents: Sequence[Sequence[Sequence[str]]]) -> list[list[list[Span]]]:
        """The same for several documents, one after the other."""


class NameMention(Struct, frozen=True, omit_defaults=True):
    """Characters start..end of a text name an entity of a type: PER, ORG or LOC.

    `entity` is the fullest name of that entity in the document, where names were joined to entities.
    """

    start: int
    end: int
    type: str
    entity: str = ""


@lru_cache(maxsize=1 << 14)
def is_name(text: str) -> bool:
    """Whether this can be a name: it holds a letter, and something beside stop words.

    A word in capitals may be an acronym (`IT`, `US`), and is none of the stop words.

    >>> is_name("IT"), is_name("Of The"), is_name("@ 12"), is_name("北京")
    (True, False, False, True)
    """
    if not any(map(str.isalpha, text)):
        return False
    if len(text) > 1 and text.isupper() and " " not in text:
        return True
    return any(word.strip(".,'’\"").lower() not in _STOP for word in text.split())


_STOP = (ENGLISH | {"i", "i'm", "'s", "’s", ""}) - {"us", "may", "will"}


def spans_of_labels(labels: Sequence[str]) -> list[Span]:
    """The half-open spans of tokens that labels in BIO form say, with their types.

    A label that goes on with what did not begin begins it.

    >>> spans_of_labels(["B-PER", "I-PER", "O", "I-LOC", "B-LOC"])
    [(0, 2, 'PER'), (3, 4, 'LOC'), (4, 5, 'LOC')]
    """
    spans: list[Span] = []
    begin, kind = 0, ""
    for at, label in enumerate((*labels, "O")):
        mark, _, type_ = label.partition("-")
        if kind and (mark != "I" or type_ != kind):
            spans.append((begin, at, kind))
            kind = ""
        if type_ and not kind:
            begin, kind = at, type_
    return spans
