"""What a document is: a report, a live blog, readers' comments …, and where the entries of a live blog begin.

Rules over shares of its sentences. They are coarse on purpose: what a sentence does is told sentence by sentence, by a
model that knows these shares; the kind is for readers, and for live blogs, whose entries are documents of their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal

from tidings.analysis.articles.surfaces import Surfaces

__all__ = ["KINDS", "DocumentKind", "entry_start", "find_entries", "find_kind"]

DocumentKind = Literal[
    "report", "live blog", "transcript", "opinion", "interview", "explainer", "gallery", "comments", "other"
]
KINDS: tuple[DocumentKind, ...] = (
    *(
        "report",
        "live blog",
        "transcript",
        "opinion",
        "interview",
        "explainer",
        "gallery",
        "comments",
        "other",
    ),
)
"""What a document can be; `other` is no article in English: a listing, a page of links, another language, debris."""

_CLOCK = re.compile(
    r"\[?(?:[01]?\d|2[0-3])(?:[:.h][0-5]\d(?:[:.][0-5]\d)?|(?<=\d\d)[0-5]\d)\]?\s*(?:[aApP]\.?[mM]\.?|GMT|BST|UTC|E[SD]?T|"
    r"C[SE]S?T|hrs)?\s*[:|–—-]?\s+(?=[\"'“‘`A-Z@#])"
)
_SPEAKER = re.compile(r"(?:[A-Z][A-Z.'-]+(?: [A-Z][A-Z.'-]+){0,3}|[A-Z][a-z]+(?: [A-Z][a-z]+){0,2}) ?: ")
_CONTACT = re.compile(r"\| ?Reply|, [A-Z][\w ]+(?:, [A-Z]\w+)?\s*$|\bwrites ?:|Posted by|\bRecommended by\b")
_FEWEST_ENTRIES = 4


def entry_start(text: str) -> int:
    """The length of the time of day with which an entry of a live blog begins; 0 where there is none.

    >>> entry_start("1142: Police say the road is closed."), entry_start("11:42 GMT - Police say so.")
    (6, 12)
    >>> entry_start("2000 people fled."), entry_start("Police say the road is closed at 11:42.")
    (0, 0)
    """
    match = _CLOCK.match(text)
    return match.end() if match else 0


def find_entries(texts: Sequence[str]) -> list[int]:
    """The numbers of the sentences with which the entries of a live blog begin, 0 first; [0] for any other document.

    A live blog has at least four sentences that begin with a time of day, and one in twenty of all.

    >>> find_entries(["It goes on.", "10:05 A road is closed.", "10:10 It is open.", "So they say."])
    [0]
    >>> times = [f"10:{minute} Police say so." for minute in range(10, 16)]
    >>> find_entries(["It goes on.", *times])
    [0, 1, 2, 3, 4, 5, 6]
    """
    starts = [
        number for number, text in enumerate(texts) if text[:2].strip("[")[:1].isdigit() and entry_start(text)
    ]
    if len(starts) < _FEWEST_ENTRIES or 20 * len(starts) < len(texts):
        return [0]
    return sorted({0, *starts})


def find_kind(surfaces: Surfaces, entries: Sequence[int] = (0,)) -> DocumentKind:
    """The kind of a document by what its sentences look like; `entries` are those of `find_entries`.

    >>> find_kind(Surfaces(["A ferry burnt off the coast on Friday, officials said."] * 5))
    'report'
    >>> find_kind(Surfaces(["I think you are all quite wrong about this!"] * 30))
    'comments'
    """
    count = len(surfaces)
    if not count:
        return "other"
    if len(entries) > 1:
        return "live blog"
    first, furniture, foreign, saying, opinion, asks, quotes = (
        sum(map(bool, each)) / count
        for each in (
            *(surfaces.first, surfaces.furniture, surfaces.foreign, surfaces.saying, surfaces.opinion),
            *(surfaces.asks, surfaces.quotes),
        )
    )
    words = sum(surfaces.words) / count
    if foreign > 0.5 or words < 4 or furniture > 0.7:
        return "other"
    if count >= 8 and _share(_SPEAKER.match, surfaces) > 0.15:
        return "interview" if asks > 0.15 else "transcript"
    if count >= 15 and first > 0.2 and _share(_CONTACT.search, surfaces) > 0.12:
        return "comments"
    if count >= 25 and first > 0.4 and quotes < 0.4:
        return "comments"
    if count >= 6 and asks > 0.2:
        return "explainer" if first < 0.2 else "interview"
    if count >= 6 and saying < 0.25 and (first > 0.3 or opinion > 0.35) and quotes < 0.4:
        return "opinion"
    if count >= 4 and saying < 0.1 and quotes == 0 and words < 16 and furniture > 0.2:
        return "gallery"
    return "report"


def _share(finds: Callable[[str], object], surfaces: Surfaces) -> float:
    return sum(1 for text in surfaces.texts if finds(text)) / len(surfaces)
