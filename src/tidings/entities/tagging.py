"""Names in lines of text: each line is told of by itself, and neighbouring lines are one document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from tidings.entities.coreference import resolve
from tidings.entities.mentions import NameMention
from tidings.entities.recogniser import NameRecogniser
from tidings.text.sentences import split

__all__ = ["TaggedLine", "tag_lines", "token_spans"]

TOGETHER = 60
"""Lines that are looked at as one document, unless a blank line ends it before."""
_MOST_CHARACTERS = 200_000

_TOKEN = re.compile(
    r"(?:https?://|www\.)\S+"
    r"|[#@]\w+"
    r"|(?:[^\W\d_]\.){2,}"
    r"|(?:Mr|Mrs|Ms|Dr|Prof|Gen|Lt|Col|Sgt|Capt|Sen|Rep|Gov|St|Mt|Inc|Corp|Ltd|Co|Jr|Sr|No|vs)\."
    r"|[^\W\d_](?=\.(?!\.))\.(?=\s+[^\W\d_a-z])"
    r"|\d+(?:[.,:]\d+)*"
    r"|['’](?:s|S|re|ve|ll|d|m|t)\b"
    r"|[^\W_]+(?:[-&][^\W_]+|['’](?!(?:s|S|re|ve|ll|d|m|t)\b)[^\W_]+)*"
    r"|\.{2,}|-{2,}|[^\w\s]|_+"
)
_BLANKS = re.compile(r"[^ ]+")


class TaggedLine(Struct, frozen=True):
    """A line as it was given, and its mentions in order."""

    text: str
    mentions: tuple[NameMention, ...]


def token_spans(text: str) -> list[tuple[int, int]]:
    """The tokens of a text as half-open character spans: words, figures, marks; `'s` is one of its own.

    >>> text = "Mr. O'Neill's U.S. trip: $5.2m"
    >>> [text[start:end] for start, end in token_spans(text)]
    ['Mr.', "O'Neill", "'s", 'U.S.', 'trip', ':', '$', '5.2', 'm']
    """
    return [match.span() for match in _TOKEN.finditer(text)]


def tag_lines(
    lines: Iterable[str], recogniser: NameRecogniser, *, tokenised: bool = False, entities: bool = False
) -> Iterator[TaggedLine]:
    """The names of each line, in order; every line gives one result, also an empty one.

    Args:
        lines: text without line ends. Up to 60 lines that follow each other without an empty one between are one
            document: a name clear in one of them helps in the others.
        recogniser: who finds names.
        tokenised: a line is one sentence whose tokens stand between single blanks; else it is cut into sentences and
            tokens. Mentions begin and end at borders of tokens.
        entities: also say of each mention the fullest name that its entity has in the document.

    >>> from tidings.entities.weights import shipped_recogniser
    >>> lines = ["Angela Merkel flew to Paris.", "", "Nothing else."]
    >>> for line in tag_lines(lines, shipped_recogniser()):
    ...     print([(line.text[m.start : m.end], m.type) for m in line.mentions])
    [('Angela Merkel', 'PER'), ('Paris', 'LOC')]
    []
    []
    """
    waiting: list[str] = []
    size = 0
    for line in lines:
        waiting.append(line)
        size += len(line)
        if len(waiting) >= TOGETHER or size > _MOST_CHARACTERS or not line.strip():
            yield from _tagged(waiting, recogniser, tokenised, entities)
            waiting, size = [], 0
    yield from _tagged(waiting, recogniser, tokenised, entities)


def _tagged(
    lines: Sequence[str], recogniser: NameRecogniser, tokenised: bool, entities: bool
) -> Iterator[TaggedLine]:
    owners: list[int] = []
    places: list[list[tuple[int, int]]] = []
    for number, line in enumerate(lines):
        if tokenised:
            pieces = [[match.span() for match in _BLANKS.finditer(line)]]
        else:
            pieces = [
                [(start + begin, start + end) for begin, end in token_spans(line[start:stop])]
                for start, stop in split(line)
            ]
        owners += [number] * len(pieces)
        places += pieces
    sentences = [
        [lines[owner][start:end] for start, end in spans] for owner, spans in zip(owners, places, strict=True)
    ]
    mentions: list[list[NameMention]] = [[] for _ in lines]
    spans_of = recogniser.spans(sentences)
    full_names: dict[tuple[int, int], str] = {}
    if entities:
        for chain in resolve(sentences, spans_of, pronouns=False):
            full_names |= {
                (one.sentence, one.start): chain.name for one in chain.references if one.how == "name"
            }
    for number, (owner, spans, names) in enumerate(zip(owners, places, spans_of, strict=True)):
        mentions[owner] += [
            NameMention(spans[start][0], spans[end - 1][1], kind, full_names.get((number, start), ""))
            for start, end, kind in names
        ]
    for line, own in zip(lines, mentions, strict=True):
        yield TaggedLine(line, tuple(own))
