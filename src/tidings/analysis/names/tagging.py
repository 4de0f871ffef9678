"""Names in lines of text: each line is tagged by itself, and neighboring lines are one document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tidings.analysis.names.coreference import resolve
from tidings.analysis.names.mentions import NameMention, Recogniser
from tidings.core import split

TOGETHER = 60
"""Lines that are looked at as one document, unless a blank line ends it before."""
_MOST_CHARACTERS = 200_000
"""Characters of a document; a longer line is looked at in parts."""

_WORD = r"[^\W_]+(?:[\u0300-\u036f]+[^\W_]*)*"  # letters and figures, with marks that are written onto them
_TOKEN = re.compile(
    r"[^\W\d_]{2,}(?=\s)"  # most are; what is below would find the same, later
    r"|(?:https?://|www\.)\S+"
    r"|[#@]\w+"
    r"|(?:[^\W\d_]\.){2,}"
    r"|(?:Mr|Mrs|Ms|Dr|Prof|Gen|Lt|Col|Sgt|Capt|Sen|Rep|Gov|St|Mt|Inc|Corp|Ltd|Co|Jr|Sr|No|vs)\."
    r"|[^\W\d_](?=\.(?!\.))\.(?=\s+[^\W\d_a-z])"
    r"|\d+(?:[.,:]\d+)*"
    r"|['’](?:s|S|re|ve|ll|d|m|t)\b"
    rf"|{_WORD}(?:[-&]{_WORD}|['’](?!(?:s|S|re|ve|ll|d|m|t)\b){_WORD})*"
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
    lines: Iterable[str],
    recogniser: Recogniser,
    *,
    tokenised: bool = False,
    entities: bool = False,
    ahead: int = 0,
) -> Iterator[TaggedLine]:
    """The names of each line, in order; every line gives one result, also an empty one.

    Args:
        lines: text without line ends. Up to 60 lines that follow each other without an empty one between are one
            document: a name clear in one of them helps in the others.
        recogniser: who finds names.
        tokenised: a line is one sentence whose tokens stand between single blanks; else it is cut into sentences and
            tokens. Mentions begin and end at borders of tokens.
        entities: also say of each mention the fullest name that its entity has in the document.
        ahead: lines that may be read ahead: documents are then handled together, twice as fast, with the same result.

    >>> from tidings.analysis.names.weights import shipped_recogniser
    >>> lines = ["Angela Merkel flew to Paris.", "", "Nothing else."]
    >>> for line in tag_lines(lines, shipped_recogniser()):
    ...     print([(line.text[m.start : m.end], m.type) for m in line.mentions])
    [('Angela Merkel', 'PER'), ('Paris', 'LOC')]
    []
    []
    """
    waiting: list[list[str]] = []
    size = 0
    for document in _documents(lines):
        if len(document[0]) > _MOST_CHARACTERS:
            yield from _tag(waiting, recogniser, tokenised, entities)
            waiting, size = [], 0
            yield _long_line(document[0], recogniser, tokenised, entities)
            continue
        waiting.append(document)
        size += len(document)
        if size >= ahead:
            yield from _tag(waiting, recogniser, tokenised, entities)
            waiting, size = [], 0
    yield from _tag(waiting, recogniser, tokenised, entities)


def _documents(lines: Iterable[str]) -> Iterator[list[str]]:
    document: list[str] = []
    size = 0
    for line in lines:
        if document and size + len(line) > _MOST_CHARACTERS:
            yield document
            document, size = [], 0
        document.append(line)
        size += len(line)
        if len(document) >= TOGETHER or size > _MOST_CHARACTERS or not line.strip():
            yield document
            document, size = [], 0
    if document:
        yield document


def _long_line(line: str, recogniser: Recogniser, tokenised: bool, entities: bool) -> TaggedLine:
    # In parts, cut at blanks, each a document of its own: so memory is that of the line and its names.
    mentions: list[NameMention] = []
    begin = 0
    while begin < len(line):
        cut = line.find(" ", begin + _MOST_CHARACTERS)
        end = len(line) if cut < 0 else cut
        for part in _tag([[line[begin:end]]], recogniser, tokenised, entities):
            mentions += [
                replace(mention, start=mention.start + begin, end=mention.end + begin)
                for mention in part.mentions
            ]
        begin = end
    return TaggedLine(line, tuple(mentions))


def _tag(
    documents: Sequence[Sequence[str]], recogniser: Recogniser, tokenised: bool, entities: bool
) -> Iterator[TaggedLine]:
    cut = [[_pieces(line, tokenised) for line in document] for document in documents]
    sentences = [
        [
            [line[start:end] for start, end in spans]
            for line, pieces in zip(document, lines, strict=True)
            for spans in pieces
        ]
        for document, lines in zip(documents, cut, strict=True)
    ]
    for document, lines, own, spans_of in zip(
        documents, cut, sentences, recogniser.spans_of(sentences), strict=True
    ):
        full_names: dict[tuple[int, int], str] = {}
        if entities:
            for chain in resolve(own, spans_of, pronouns=False):
                full_names |= {
                    (reference.sentence, reference.start): chain.name
                    for reference in chain.references
                    if reference.how == "name"
                }
        number = 0
        for line, pieces in zip(document, lines, strict=True):
            mentions: list[NameMention] = []
            for spans in pieces:
                mentions += [
                    NameMention(spans[start][0], spans[end - 1][1], kind, full_names.get((number, start), ""))
                    for start, end, kind in spans_of[number]
                ]
                number += 1
            yield TaggedLine(line, tuple(mentions))


def _pieces(line: str, tokenised: bool) -> list[list[tuple[int, int]]]:
    # The tokens of each of a line's sentences.
    if tokenised:
        return [[match.span() for match in _BLANKS.finditer(line)]]
    return [
        [(start + begin, start + end) for begin, end in token_spans(line[start:stop])]
        for start, stop in split(line)
    ]
