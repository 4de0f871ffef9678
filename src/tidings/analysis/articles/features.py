"""What an article and its sentences look like: the kind of document, and features that tell what each sentence does.

    sentences ──▶ words of each, one by one ──▶ with the document's shares and the neighbours ──▶ one row each

Nothing here knows an event; every feature is a number that a reader of the sentence could count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from math import log1p
from typing import TYPE_CHECKING, Any, Literal, get_args

from tidings.analysis.articles.furniture import label_end
from tidings.analysis.articles.surfaces import SENTENCE_FEATURES, Surfaces
from tidings.core import data_beside

if TYPE_CHECKING:
    from numpy import ndarray

    from tidings.analysis.articles.time_expressions import TimeExpression


DocumentKind = Literal[
    "report", "live blog", "transcript", "opinion", "interview", "explainer", "gallery", "comments", "other"
]
KINDS: tuple[DocumentKind, ...] = get_args(DocumentKind)
"""What a document can be; `other` is no article in English: a listing, a page of links, another language, debris."""

_CLOCK = re.compile(
    r"\[?(?:[01]?\d|2[0-3])(?:[:.h][0-5]\d(?:[:.][0-5]\d)?|(?<=\d\d)[0-5]\d)\]?\s*(?:[aApP]\.?[mM]\.?|GMT|BST|UTC|E[SD]?T|"
    r"C[SE]S?T|hrs)?\s*[:|–—-]?\s+(?=[\"'“‘`A-Z@#])"
)
_SPEAKER = re.compile(r"(?:[A-Z][A-Z.'-]+(?: [A-Z][A-Z.'-]+){0,3}|[A-Z][a-z]+(?: [A-Z][a-z]+){0,2}) ?: ")
_CONTACT = re.compile(r"\| ?Reply|, [A-Z][\w ]+(?:, [A-Z]\w+)?\s*$|\bwrites ?:|Posted by|\bRecommended by\b")
_FEWEST_ENTRIES = 4
_EXPLAINING = re.compile(
    r"(?:How|Why|What|Where|Who|Inside|All [Aa]bout|Everything|Meet|Photos|In [Pp]ictures) |.*\?[\"'”’]?$"
    r"|(?:The )?(?:\d+|Two|Three|Four|Five|Six|Seven|Ten) (?:[Ww]ays|[Tt]hings|[Qq]uestions|[Tt]akeaways|[Rr]easons) "
    r"|(?i:opinion|analysis|comment|editorial|review|letters?|podcast|column|explainer|explained|profile|watch|listen|"
    r"(?:photo )?gallery|videos?|audio|photos?|(?:in )?pictures|quiz)(?: ?[:|–—] ?| - )"
    r"|(?:Opinion|Analysis|Comment|Explainer|Factbox)-(?=[A-Z])"
    r"|.*[,:;|–—-] (?i:(?:photo )?gallery|videos?|(?:in )?(?:pictures|photos))$"
    r"|.* [Ii]n (?:[Pp]ictures|[Pp]hotos)$"
    r"|.*(?:\b(?:[Hh]ere['’]s|What (?:[Ww]e|[Tt]o) [Kk]now|[Ee]xplained$)"
    r"|[:;–—-] (?:[Hh]ow|[Ww]hy|Inside|What) |, (?:How|Why) )"
    r"|.*\w{3}[.!][\"'”’]? (?:(?:(?:Yes|No|So),|But) .*|(?:.* )?[Ii]t(?:['’]s| Is| Was| Won['’]t)\b.*"
    r"|(?:That|This)(?:['’]s| Is| Was) .*|.* [Nn]ot)[.!][\"'”’]?$|\w{3,}[.!] \w{3,}[.!] "
    r"|[A-Z][\w'’.-]*(?: (?:[A-Z][\w'’.-]*|al|bin|da|de|der|la|van|von)){0,4}, "
    r"(?:the |an? |(?:[A-Z]\w+ )?[A-Z]\w+['’]s )[^,]* who [^,]*$"
)
_SECTION = re.compile(
    r"/(?:opinions?|comment|commentisfree|editorials?|letters|columns?|columnists?|ideas|lifestyle|podcasts?|"
    r"reviews?|analysis|explainers?|blogs?(?!/[^?#]{0,200}\blive\b))/"
)


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


def explains(title: str, url: str = "") -> bool:
    """Whether an article explains, comments, describes or only shows, by its title or by the section in its address.

    Of a title with a label such as "BREAKING:" what follows tells.

    >>> explains("How the ferry fire was put out"), explains("Was the ferry safe?"), explains("WHO sends help to Nador")
    (True, True, False)
    >>> explains("Watch: Ferry burns off Nador"), explains("BREAKING: Ferry burns off Nador")
    (True, False)
    >>> explains("The ferry that burnt", "https://example.org/opinion/2013/the-ferry")
    True
    """
    return _EXPLAINING.match(title, label_end(title)) is not None or _SECTION.search(url) is not None


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


_DATA = data_beside(__file__)
_TIMES, _PLACE, _DOCUMENT = (_DATA[name].split() for name in ("times", "place", "document"))

FEATURES = (*SENTENCE_FEATURES, *_TIMES, *_PLACE, *_DOCUMENT)
"""The features by name, in the order of the columns.

- words … name_opener: of the sentence itself. `*_share`, capitals, numbers, furniture_words per word; closed, definite,
  connective, asking, name: what its first words are; third_person_early: he, she, it … within six words and no name
  before; furniture: words of the page, not of the article; deed: killed, sealed, charged …; the others 0 or 1;
- time_*: it holds a time expression; one of the day of publication or the day before, of the week before, of 7 to 20
  days before, of longer ago, of later; one with its year;
- place …: log(1 + number) in the document, among the first 1, 3, 8, number per sentences; inside a quotation that
  began before; after a question; after furniture;
- document_*: log(1 + sentences), more than 100; shares of its sentences that hold first person, questions, furniture,
  saying, quotation marks, opinion; mean words; mean share of characters beyond ASCII.
"""


def read_features(
    surfaces: Surfaces,
    times: Sequence[Sequence[TimeExpression]],
    published: Any,
    part: slice = slice(None),
) -> ndarray[Any, Any]:
    """One row for each sentence of a document, float32 of shape [sentences, features].

    `times` are the time expressions of each sentence, `published` the day of publication, `part` which of the
    sentences are this document.
    """
    import numpy as np

    count = len(surfaces.texts[part])
    rows = np.zeros((count, len(FEATURES)), dtype=np.float32)
    if not count:
        return rows
    rows[:, : len(SENTENCE_FEATURES)] = surfaces.rows[part]
    at = len(SENTENCE_FEATURES)
    ordinal = published.toordinal()
    for number, expressions in enumerate(times):
        if expressions:
            rows[number, at : at + len(_TIMES)] = _time_row(expressions, ordinal)
    at += len(_TIMES)
    numbers = np.arange(count, dtype=np.float32)
    quotes, asks, furniture = surfaces.quotes[part], surfaces.asks[part], surfaces.furniture[part]
    before = np.concatenate(([0], np.cumsum(quotes)[:-1]))
    rows[:, at] = np.log1p(numbers)
    rows[:, at + 1] = numbers < 1
    rows[:, at + 2] = numbers < 3
    rows[:, at + 3] = numbers < 8
    rows[:, at + 4] = numbers / count
    rows[:, at + 5] = before % 2
    rows[1:, at + 6] = asks[:-1]
    rows[1:, at + 7] = furniture[:-1]
    at += len(_PLACE)
    rows[:, at:] = (
        log1p(count),
        count > 100,
        np.count_nonzero(surfaces.first[part]) / count,
        sum(asks) / count,
        sum(furniture) / count,
        np.count_nonzero(surfaces.saying[part]) / count,
        sum(number > 0 for number in quotes) / count,
        np.count_nonzero(surfaces.opinion[part]) / count,
        sum(surfaces.words[part]) / count,
        sum(surfaces.not_ascii[part]) / count,
    )
    return rows


def _time_row(expressions: Sequence[TimeExpression], published: int) -> tuple[bool, ...]:
    now = days = weeks = past = ahead = year = False
    for expression in expressions:
        last, first = (
            expression.last_day.toordinal() - published,
            expression.first_day.toordinal() - published,
        )
        year = year or expression.explicit
        if first > 0:
            ahead = True
        elif last < -20:
            past = True
        elif last - first <= 1:
            if last >= -1:
                now = True
            elif last >= -6:
                days = True
            else:
                weeks = True
    return True, now, days, weeks, past, ahead, year
