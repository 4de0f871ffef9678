"""Corpora with labelled names, read as sentences of tokens with spans, documents kept apart.

Readers give what a corpus says, with types mapped to PER, ORG and LOC, which is then brought to the project's own
notion of a name.

GUM's documents in CoNLL-U: nested spans of entities, their heads, chains of co-reference; and the names in them.

GUM marks whole noun phrases (`the former president of Peru, Alan Garcia`). A person's name in one is its head, a given
name, with what depends on it as `flat`; that of a body or place is the run of proper nouns around the head, with what
joins them (`University of York`). A phrase whose head is no proper noun names nothing.

What counts as a name, and how each corpus is brought to it.

A name is written as one: persons without title or role (`Obama`, not `President Obama`), organizations and places
without an article in lower case, whole (`University of York` is one name, `York` in it none). Facilities and
countries are locations. No names: what people are called after a place, a faith or a creed (`Iraqi`, `Muslims`),
nominal phrases (`the president`), works, products and events, the sign of a handle alone.
"""

from __future__ import annotations

import gzip
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from tidings.analysis.names.gazetteers import RELIGIONS, ROLES, TITLES, gazetteers, short_form
from tidings.analysis.names.mentions import is_name, spans_of_labels
from tidings.core.errors import FormatError, Problem, UsageError

Span = tuple[int, int, str]
"""Tokens start..end (half-open) are a name of a type."""


class LabelledSentence(Struct, frozen=True):
    """Tokens and the spans of tokens that are names; `tags` are parts of speech, where the corpus has them."""

    tokens: tuple[str, ...]
    spans: tuple[Span, ...]
    tags: tuple[str, ...] = ()


class LabelledDocument(Struct, frozen=True):
    """Sentences that belong together; `part` is `train` or `dev`, `genre` what kind of text it is."""

    id: str
    corpus: str
    genre: str
    part: str
    sentences: tuple[LabelledSentence, ...]


_GUM_TYPES = {"person": "PER", "organization": "ORG", "place": "LOC"}
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
        raise UsageError(f"{folder}: no *.conllu.gz (expected the documents of GUM)")
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


def _phrase(sentence: int, start: int, end: int, chain: int, marks: str) -> Phrase:
    parts = marks.split("-")  # "", type, information status, salience, centering, head, link, ...
    head = parts[5] if len(parts) > 5 else ""
    numbers = [int(number) for number in head.split(",") if number.isdigit()]
    places = tuple(start + number - 1 for number in numbers if start + number - 1 < end) or (end - 1,)
    return Phrase(sentence, start, end, chain, parts[1] if len(parts) > 1 else "", places)


def _names(words: _Words, phrases: list[Phrase]) -> list[tuple[Span, int]]:
    taken = [False] * len(words.tokens)
    names: list[tuple[Span, int]] = []
    for phrase in sorted(phrases, key=lambda one: (one.start - one.end, one.start)):
        kind = _GUM_TYPES.get(phrase.kind)
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
    # The given name is the head, the rest of the name its `flat`; titles and degrees depend on it by other relations.
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
    end = _join(tokens, tags, end, phrase.end)
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


def _join(tokens: tuple[str, ...], tags: tuple[str, ...], end: int, last: int) -> int:
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


_NEVER_ALONE = RELIGIONS | {"web", "internet", "mr", "mrs", "ms", "dr"}


def brought_to_convention(documents: Iterable[LabelledDocument]) -> list[LabelledDocument]:
    """The same documents with their names as this project counts them."""
    documents = list(documents)
    usual = _usual_types(documents)
    return [
        replace(
            document,
            sentences=tuple(_mended(sentence, document.corpus, usual) for sentence in document.sentences),
        )
        for document in documents
    ]


def _mended(sentence: LabelledSentence, corpus: str, usual: dict[str, str]) -> LabelledSentence:
    spans = []
    for span in sentence.spans:
        mended = _name(sentence, span, corpus, usual)
        if mended:
            spans.append(mended)
    return replace(sentence, spans=tuple(spans))


def _name(sentence: LabelledSentence, span: Span, corpus: str, usual: dict[str, str]) -> Span | None:
    start, end, kind = span
    tokens = sentence.tokens
    if tokens[start] == "the" and end - start > 1:
        start += 1
    if kind == "PER":
        while end - start > 1 and short_form(tokens[start]) in TITLES:
            start += 1
    while corpus in ("gmb", "btc") and end - start > 1 and tokens[end - 1] in ("'s", "’s", "'", ",", "."):
        if tokens[end - 1] == "." and len(tokens[end - 2]) <= 2:
            break
        end -= 1
    low = " ".join(tokens[start:end]).lower()
    demonym = low in gazetteers().demonyms
    tag = sentence.tags[start] if corpus == "gmb" else ""
    if demonym and not (tag.startswith("NNP") and kind in ("PER", "ORG") and end - start > 1):
        return None
    if kind == "GPE":
        kind = "LOC"
        if tag.startswith(("JJ", "NNS")) and end - start == 1 and not _place(low):
            return None
    if end - start == 1:
        word = short_form(tokens[start])
        if word in _NEVER_ALONE or (kind == "PER" and word in TITLES | ROLES):
            return None
    if not is_name(" ".join(tokens[start:end])):
        return None
    if corpus == "gmb":
        kind = usual.get(low, kind)
    return start, end, kind


def _place(low: str) -> bool:
    return any(mark in ("country", "place") for mark in gazetteers().words.get(low, ()))


def _usual_types(documents: list[LabelledDocument]) -> dict[str, str]:
    # GMB was tagged by machine: what it calls a name nearly always it means everywhere.
    counts: dict[str, Counter[str]] = {}
    for document in documents:
        if document.corpus != "gmb":
            continue
        for sentence in document.sentences:
            for start, end, kind in sentence.spans:
                low = " ".join(sentence.tokens[start:end]).lower()
                counts.setdefault(low, Counter())["LOC" if kind == "GPE" else kind] += 1
    usual = {}
    for low, kinds in counts.items():
        if "country" in gazetteers().words.get(low, ()):
            usual[low] = "LOC"
        elif sum(kinds.values()) >= 8:
            usual[low] = kinds.most_common(1)[0][0]
    return usual | {"u.n.": "ORG", "united nations": "ORG", "west bank": "LOC"}


_TYPES = {
    "per": "PER",
    "person": "PER",
    "org": "ORG",
    "group": "ORG",
    "corporation": "ORG",
    "geo": "LOC",
    "loc": "LOC",
    "location": "LOC",
    "gpe": "GPE",
}

DEVELOPMENT = frozenset(
    (
        *("exposure", "librarians", "byron", "emperor", "loan", "negligence", "cyclone", "gaming"),
        *("homeopathic", "iodine", "impeachment", "inauguration", "athens", "coron"),
    )
)
"""The documents of GUM that are kept for measuring."""

_FILES: dict[str, tuple[tuple[str, str], ...]] = {
    "gmb": (("gmb/gmb-part.conll.gz", "train"),),
    "btc": (
        ("btc/btc-a.conll.gz", "train"),
        ("btc/btc-b.conll.gz", "train"),
        ("btc/btc-e.conll.gz", "train"),
        ("btc/btc-f.conll.gz", "train"),
        ("btc/btc-g.conll.gz", "train"),
        ("btc/btc-h.conll.gz", "dev"),
    ),
    "wikigold": (("wikigold/wikigold.conll.gz", "train"),),
    "wnut": (("wnut17/wnut17train.conll.gz", "train"), ("wnut17/emerging.dev.conll.gz", "dev")),
    "ewt": (("ewt/uner-en-ewt-dev.iob2.gz", "dev"),),
}
_SINGLE = {"btc", "wnut", "gmb"}
"""Corpora whose sentences stand alone: each is a document."""


def read_corpus(folder: str | Path, name: str) -> list[LabelledDocument]:
    """The documents of one corpus: gmb, gum, btc, wikigold, wnut or ewt.

    Raises:
        UsageError: no such corpus or no such file.
        FormatError: a line that is none of the corpus.
    """
    folder = Path(folder)
    if name == "gum":
        return [
            LabelledDocument(
                document.id,
                "gum",
                document.genre,
                "dev" if document.id.rsplit("_", 1)[-1] in DEVELOPMENT else "train",
                document.sentences,
            )
            for document in read_gum(folder / "gum")
        ]
    if name not in _FILES:
        raise UsageError(f"corpus {name!r} (expected one of gum, {', '.join(_FILES)})")
    documents = []
    for file, part in _FILES[name]:
        for number, sentences in enumerate(_documents(folder / file, name)):
            documents.append(LabelledDocument(f"{file}:{number}", name, name, part, tuple(sentences)))
    return documents


def _documents(path: Path, name: str) -> Iterator[list[LabelledSentence]]:
    held: list[LabelledSentence] = []
    for rows in _blocks(path):
        begins = rows[0][0] == "-DOCSTART-" or any(row[0].startswith("# newdoc") for row in rows)
        if held and (name in _SINGLE or begins):
            yield held
            held = []
        words = [row for row in rows if not row[0].startswith("# ") and row[0] != "-DOCSTART-"]
        if words:
            held.append(_sentence(words, name, path))
    if held:
        yield held


def _sentence(rows: list[list[str]], name: str, path: Path) -> LabelledSentence:
    word, label = (1, 2) if name == "ewt" else (0, -1)
    labels = []
    for row in rows:
        if len(row) <= word + (name == "ewt"):
            raise FormatError([Problem(str(path), 0, f"{row!r}", "a token and its label")])
        mark, dash, kind = row[label].partition("-")
        known = _TYPES.get(kind.lower()) if dash and len(row) > 1 else None
        labels.append(f"{mark}-{known}" if known else "O")
    tags = tuple(row[1] for row in rows) if name == "gmb" else ()
    return LabelledSentence(tuple(row[word] for row in rows), tuple(spans_of_labels(labels)), tags)


def _blocks(path: Path) -> Iterator[list[list[str]]]:
    try:
        text = gzip.decompress(path.read_bytes()).decode("utf-8", "replace")
    except OSError as error:
        raise UsageError(f"{path}: no readable file ({error}) (expected a corpus)") from None
    block: list[list[str]] = []
    for line in text.replace("\r\n", "\n").split("\n"):
        if not line.strip():
            if block:
                yield block
            block = []
        elif line.startswith("# "):
            block.append([line])
        elif "\t" in line:
            block.append(line.split("\t"))
        else:
            block.append(line.split())
    if block:
        yield block
