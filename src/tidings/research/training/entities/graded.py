"""Documents whose entities people graded by salience, as days of one document.

GUM: of each entity in how many of five summaries it is (0 to 5); the entities are the chains that have a name, their
mentions the given names and what co-reference finds to speak of them. Wikinews: what a crowd said of entities that were
linked to Wikipedia (0 to 3); their mentions are where their words stand, and the chains of names that they are in.
"""

from __future__ import annotations

import gzip
import html
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from tidings.analysis import Chain, NameRecogniser, resolve, token_spans
from tidings.core import Sentence, UsageError, split
from tidings.following import DayDocument, DayEntity, EntityMention, EventDay
from tidings.research.training.entities.gum import GumDocument, read_gum

__all__ = ["GradedDocument", "read_graded_gum", "read_graded_wikinews"]

Place = tuple[int, int, int]
"""(sentence, start, end) of a mention."""


class GradedDocument(Struct, frozen=True):
    """A document as a day of its own; `grades` by entities' ids; one is salient from the grade `salient` on."""

    id: str
    genre: str
    title: str
    day: EventDay
    grades: Mapping[int, float]
    salient: float


def read_graded_gum(folder: Path) -> Iterator[GradedDocument]:
    """GUM's documents, in the order of their names, those with two graded names or more."""
    for document in read_gum(folder):
        graded = _of_gum(document)
        if len(graded.grades) > 1:
            yield graded


def _of_gum(document: GumDocument) -> GradedDocument:
    sentences = [sentence.tokens for sentence in document.sentences]
    spans = [sentence.spans for sentence in document.sentences]
    owner: dict[tuple[int, int], int] = {}
    places: dict[int, dict[Place, str]] = defaultdict(dict)
    types: dict[int, Counter[str]] = defaultdict(Counter)
    for number, (own, chains) in enumerate(zip(spans, document.chains, strict=True)):
        for (start, end, kind), chain in zip(own, chains, strict=True):
            owner[number, start] = chain
            places[chain][number, start, end] = "name"
            types[chain][kind] += 1
    for found in resolve(sentences, spans):
        named = Counter(owner[one.sentence, one.start] for one in found.references if one.how == "name")
        [(chain, _)] = named.most_common(1)
        for one in found.references:
            if one.how != "name":
                places[chain].setdefault((one.sentence, one.start, one.end), one.how)
    kinds = {chain: own.most_common(1)[0][0] for chain, own in types.items()}
    day = _day(document.id, document.title, sentences, places, kinds)
    grades = {chain: float(document.grades.get(chain, 0)) for chain in places}
    return GradedDocument(document.id, document.genre, document.title, day, grades, 1.0)


class _Field(Struct):
    name: str
    value: str = ""


class _Graded(Struct):
    entityid: int
    score: float


class _Article(Struct):
    docId: int  # noqa: N815 - the file's own names
    title: str
    saliency: list[_Graded]
    document: list[_Field]


def read_graded_wikinews(folder: Path, recogniser: NameRecogniser) -> Iterator[GradedDocument]:
    """Wikinews' documents with crowd grades, in the order of the file."""
    words: dict[int, dict[int, list[str]]] = defaultdict(dict)
    try:
        listed = gzip.decompress((folder / "entity-titles.tsv.gz").read_bytes()).decode("utf-8")
        articles = gzip.decompress((folder / "wikinews.jsonl.gz").read_bytes()).splitlines()
    except OSError as error:
        raise UsageError(f"{folder}: found no readable file ({error}), expected graded documents") from None
    for row in listed.splitlines():
        document, entity, _, grade, forms = row.split("\t")
        if float(grade) >= 0:
            words[int(document)][int(entity)] = [form.strip() for form in forms.split(",") if form.strip()]
    decoder = msgspec.json.Decoder(_Article)
    for line in articles:
        article = decoder.decode(line)
        graded = _of_wikinews(article, words[article.docId], recogniser)
        if len(graded.grades) > 1:
            yield graded


def _of_wikinews(
    article: _Article, words: Mapping[int, list[str]], recogniser: NameRecogniser
) -> GradedDocument:
    title = html.unescape(article.title)
    sentences = [_tokens(title)]
    for part in article.document:
        if part.name.startswith("body"):
            text = html.unescape(part.value)
            sentences += [_tokens(text[begin:stop]) for begin, stop in split(text)]
    spans = recogniser.spans(sentences)
    chains = resolve(sentences, spans)
    occurrences = {entity: _occurrences(sentences, forms) for entity, forms in words.items()}
    places: dict[int, dict[Place, str]] = {}
    types: dict[int, str] = {}
    claimed = _claims(chains, occurrences)
    for entity, own in occurrences.items():
        found: dict[Place, str] = dict.fromkeys(own, "name")
        taken = {(sentence, at) for sentence, start, end in own for at in range(start, end)}
        for number in claimed.get(entity, ()):
            types[entity] = chains[number].type
            for one in chains[number].references:
                if not any((one.sentence, at) in taken for at in range(one.start, one.end)):
                    found[one.sentence, one.start, one.end] = one.how
        if found:
            places[entity] = found
    day = _day(str(article.docId), title, sentences, places, types, first=-1)
    grades = {one.entityid: one.score for one in article.saliency if one.entityid in places}
    kept = tuple(entity for entity in day.entities if entity.id in grades)
    day = msgspec.structs.replace(day, entities=kept)
    return GradedDocument(f"wikinews-{article.docId}", "news", title, day, grades, 2.0)


def _tokens(text: str) -> tuple[str, ...]:
    return tuple(text[start:end] for start, end in token_spans(text))


def _occurrences(sentences: Sequence[Sequence[str]], forms: Sequence[str]) -> list[Place]:
    """Where one of an entity's forms stands, the longest first, without overlap."""
    wanted = sorted({tuple(form.lower().split()) for form in forms}, key=lambda form: (-len(form), form))
    places = []
    for number, tokens in enumerate(sentences):
        low = [token.lower().rstrip(".") for token in tokens]
        taken = [False] * len(low)
        for form in wanted:
            size = len(form)
            for start in range(len(low) - size + 1):
                if tuple(low[start : start + size]) == form and not any(taken[start : start + size]):
                    taken[start : start + size] = [True] * size
                    places.append((number, start, start + size))
    return sorted(places)


def _claims(chains: Sequence[Chain], occurrences: Mapping[int, Sequence[Place]]) -> dict[int, list[int]]:
    """For each entity the chains whose names it shares more of than any other entity does, at least half of them."""
    at: dict[tuple[int, int], set[int]] = defaultdict(set)
    for entity, places in occurrences.items():
        for sentence, start, end in places:
            for token in range(start, end):
                at[sentence, token].add(entity)
    claims: dict[int, list[int]] = defaultdict(list)
    for number, chain in enumerate(chains):
        names = [one for one in chain.references if one.how == "name"]
        shared = Counter(
            entity for one in names for entity in sorted(at.get((one.sentence, one.end - 1), ()))
        )
        if shared:
            entity, count = max(shared.items(), key=lambda one: (one[1], -one[0]))
            if 2 * count >= len(names):
                claims[entity].append(number)
    return claims


def _day(
    name: str,
    title: str,
    sentences: Sequence[Sequence[str]],
    places: Mapping[int, Mapping[Place, str]],
    types: Mapping[int, str],
    first: int = 0,
) -> EventDay:
    # A title that is a sentence has the number -1.
    tokens = tuple(tuple(own) for own in sentences)
    texts = tuple(
        Sentence(name, number, " ".join(own), 0, title=title) for number, own in enumerate(tokens, first)
    )
    entities = []
    for entity in sorted(places):
        mentions = tuple(
            EntityMention(0, sentence, start, end, " ".join(tokens[sentence][start:end]), how)
            for (sentence, start, end), how in sorted(places[entity].items())
        )
        labels = [one.label for one in mentions if one.how == "name"]
        fullest = max(labels, key=lambda label: (len(label.split()), label))
        entities.append(DayEntity(entity, fullest, types.get(entity, ""), mentions))
    return EventDay("1970-01-01", 86_400, (DayDocument(texts, tokens, 1.0),), tuple(entities), 1)
