"""GUM's documents in CoNLL-U: nested spans of entities, their heads, chains of co-reference; and the names in them.

GUM marks whole noun phrases (`the former president of Peru, Alan Garcia`). A person's name in one is its head, a given
name, with what hangs on it as `flat`; that of a body or place is the run of proper nouns around the head, with what
joins them (`University of York`). A phrase whose head is no proper noun names nothing.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from tidings.analysis import ROLES, TITLES, short_form
from tidings.core import UsageError
from tidings.research.training.entities.labelled import LabelledSentence, Span

__all__ = ["GumDocument", "Phrase", "read_gum"]

_TYPES = {"person": "PER", "organization": "ORG", "place": "LOC"}
_GRADE = re.compile(r"(?<!\d)(\d+) \((\d)\*?\)")
_MARK = re.compile(r"\((\d+)(-[^()]*)(\))?|(?<!\d)(\d+)\)")


class Phrase(Struct, frozen=True):
    """Tokens start..end of a sentence speak of an entity; `head` are its tokens that matter, `chain` its number."""

    sentence: int
    start: int
    end: int
    chain: int
    kind: str
    head: tuple[int, ...]


class _Words(Struct, frozen=True):
    """A sentence: its tokens, their parts of speech, the token each depends on (-1: none), and how."""

    tokens: tuple[str, ...]
    tags: tuple[str, ...]
    heads: tuple[int, ...]
    relations: tuple[str, ...]


class GumDocument(Struct, frozen=True):
    """A document: its sentences with names, for each name the number of its chain, and all its phrases.

    `grades` says of chains in how many of five summaries they are; those that it lacks are in none.
    """

    id: str
    genre: str
    sentences: tuple[LabelledSentence, ...]
    chains: tuple[tuple[int, ...], ...]
    phrases: tuple[Phrase, ...]
    title: str = ""
    grades: Mapping[int, int] = {}


def read_gum(folder: Path) -> Iterator[GumDocument]:
    """All documents of a folder, in the order of their names."""
    paths = sorted(folder.glob("*.conllu.gz"))
    if not paths:
        raise UsageError(f"{folder}: found no *.conllu.gz, expected the documents of GUM")
    for path in paths:
        yield _read(path)


def _read(path: Path) -> GumDocument:
    blocks = gzip.decompress(path.read_bytes()).decode("utf-8").split("\n\n")
    name = path.name.removesuffix(".conllu.gz")
    sentences: list[LabelledSentence] = []
    chains: list[tuple[int, ...]] = []
    phrases: list[Phrase] = []
    opened: dict[int, list[tuple[int, int, str]]] = {}
    for block in blocks:
        rows = [line.split("\t") for line in block.split("\n") if line and not line.startswith("#")]
        rows = [row for row in rows if row[0].isdigit()]
        if not rows:
            continue
        number = len(sentences)
        own: list[Phrase] = []
        for at, row in enumerate(rows):
            match = re.search(r"(?:^|\|)Entity=([^|]*)", row[9])
            if match:
                _marks(match.group(1), number, at, opened, own)
        tokens = tuple(row[1] for row in rows)
        tags = tuple(row[4] for row in rows)
        heads = tuple(int(row[6]) - 1 if row[6].isdigit() else -1 for row in rows)
        phrases += own
        names = _names(_Words(tokens, tags, heads, tuple(row[7] for row in rows)), own)
        sentences.append(LabelledSentence(tokens, tuple(span for span, _ in names), tags))
        chains.append(tuple(chain for _, chain in names))
    head = blocks[0]
    title = re.search(r"^# meta::title = (.*)$", head, re.MULTILINE)
    graded = re.search(r"^# meta::salientEntities = (.*)$", head, re.MULTILINE)
    return GumDocument(
        name,
        name.split("_")[1],
        tuple(sentences),
        tuple(chains),
        tuple(phrases),
        title.group(1).strip() if title else "",
        {int(chain): int(grade) for chain, grade in _GRADE.findall(graded.group(1))} if graded else {},
    )


def _marks(
    text: str, sentence: int, at: int, opened: dict[int, list[tuple[int, int, str]]], own: list[Phrase]
) -> None:
    for match in _MARK.finditer(text):
        if match.group(1):
            chain = int(match.group(1))
            if match.group(3):
                own.append(_phrase(sentence, at, at + 1, chain, match.group(2)))
            else:
                opened.setdefault(chain, []).append((sentence, at, match.group(2)))
        else:
            chain = int(match.group(4))
            begun = opened.get(chain)
            if begun:
                where, start, said = begun.pop()
                if where == sentence:
                    own.append(_phrase(sentence, start, at + 1, chain, said))


def _phrase(sentence: int, start: int, end: int, chain: int, said: str) -> Phrase:
    parts = said.split("-")  # "", type, information status, salience, centering, head, link, ...
    head = parts[5] if len(parts) > 5 else ""
    numbers = [int(one) for one in head.split(",") if one.isdigit()]
    places = tuple(start + one - 1 for one in numbers if start + one - 1 < end) or (end - 1,)
    return Phrase(sentence, start, end, chain, parts[1] if len(parts) > 1 else "", places)


def _names(words: _Words, phrases: list[Phrase]) -> list[tuple[Span, int]]:
    taken = [False] * len(words.tokens)
    names: list[tuple[Span, int]] = []
    for phrase in sorted(phrases, key=lambda one: (one.start - one.end, one.start)):
        kind = _TYPES.get(phrase.kind)
        if kind is None:
            continue
        span = _person(words, phrase) if kind == "PER" else _place_or_body(words, phrase)
        if span and not any(taken[span[0] : span[1]]):
            taken[span[0] : span[1]] = [True] * (span[1] - span[0])
            names.append(((*span, kind), phrase.chain))
    return sorted(names)


def _head(words: _Words, phrase: Phrase) -> int | None:
    # The token that depends on one outside of the phrase, if it is a proper noun.
    for at in range(phrase.start, phrase.end):
        outside = not phrase.start <= words.heads[at] < phrase.end
        if outside and words.relations[at] != "punct":
            return at if words.tags[at] in ("NNP", "NNPS") else None
    return None


def _person(words: _Words, phrase: Phrase) -> tuple[int, int] | None:
    # The given name is the head, the rest of the name its `flat`; titles and degrees hang on it by other relations.
    head = _head(words, phrase)
    if head is None:
        return None
    end = head + 1
    while end < phrase.end and (
        (words.heads[end] == head and words.relations[end] == "flat")
        or (words.relations[end] == "punct" and words.tokens[end] in ("-", ".", "'", '"'))
    ):
        end += 1
    while words.tags[end - 1] not in ("NNP", "NNPS"):
        end -= 1
    start = head
    while start > phrase.start and words.tokens[start - 1] == "-" and words.tags[start - 2] == "NNP":
        start -= 2
    while start < end - 1 and short_form(words.tokens[start]) in TITLES:
        start += 1
    alone = end - start == 1
    if alone and (words.tags[start] == "NNPS" or short_form(words.tokens[start]) in TITLES | ROLES):
        return None  # "Americans", "Members"; "the President"
    return start, end


def _place_or_body(words: _Words, phrase: Phrase) -> tuple[int, int] | None:
    head = _head(words, phrase)
    if head is None:
        return None
    tokens, tags = words.tokens, words.tags
    start, end = head, head + 1
    while start > phrase.start and _inside(tokens, tags, start - 1):
        start -= 1
    while end < phrase.end and _inside(tokens, tags, end):
        end += 1
    end = _joined(tokens, tags, end, phrase.end)
    while tags[end - 1] not in ("NNP", "NNPS", "CD"):
        end -= 1
    while start < head and tags[start] not in ("NNP", "NNPS", "CD", "JJ"):
        start += 1
    return start, end


def _inside(tokens: tuple[str, ...], tags: tuple[str, ...], at: int) -> bool:
    return (
        tags[at] in ("NNP", "NNPS")
        or tokens[at] in ("&", "-", ".")
        or (tags[at] == "HYPH" or (tags[at] in ("CD", "JJ") and tokens[at][:1].isupper()))
    )


def _joined(tokens: tuple[str, ...], tags: tuple[str, ...], end: int, last: int) -> int:
    # "Bank of England", "Department of Health and Human Services", "Museum of the Moving Image".
    while end + 1 < last and tokens[end] in ("of", "for", "de", "and", "'s", "del", "du", "la"):
        joined = end + 1
        if joined + 1 < last and tokens[joined] in ("the", "la", "los"):
            joined += 1
        if tags[joined] not in ("NNP", "NNPS") or (tokens[end] == "and" and "of" not in tokens[:end]):
            break
        end = joined + 1
        while end < last and _inside(tokens, tags, end):
            end += 1
    return end
