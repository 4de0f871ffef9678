"""Who is named in a day's documents: names found, mended, joined in each document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from tidings.entities.alike import gender_of
from tidings.entities.coreference import Chain, Reference, resolve
from tidings.entities.days.book import Named
from tidings.entities.days.names import mended_spans
from tidings.entities.event_days import EntityMention
from tidings.entities.tagging import token_spans
from tidings.records import Sentence
from tidings.text.tokens import Analyzer

__all__ = ["NameFinder", "named_in", "tokens_of"]

Span = tuple[int, int, str]
Tokens = tuple[str, ...]


class NameFinder(Protocol):
    """Whoever finds names: `tidings.entities.recogniser.NameRecogniser`, or another with the same method."""

    def spans(self, sentences: Sequence[Sequence[str]]) -> list[list[Span]]:
        """For each sentence of a document, the spans of tokens that are names, with their types."""
        ...


def tokens_of(text: str) -> Tokens:
    """The tokens of a sentence as the recogniser wants them."""
    return tuple(text[start:end] for start, end in token_spans(text))


def named_in(
    documents: Sequence[Sequence[Sentence]], finder: NameFinder, analyzer: Analyzer, kept: frozenset[str]
) -> tuple[list[tuple[Tokens, ...]], list[tuple[Named, list[EntityMention]]]]:
    """The tokens of each document, and who is named in each with the mentions, documents in order.

    Each different sentence is looked at once, all together: a name that is clear in one helps in the others.
    """
    texts = list(dict.fromkeys(sentence.text for document in documents for sentence in document))
    tokens = {text: tokens_of(text) for text in texts}
    found = finder.spans([tokens[text] for text in texts])
    spans = {text: mended_spans(tokens[text], own, kept) for text, own in zip(texts, found, strict=True)}
    entities: list[tuple[Named, list[EntityMention]]] = []
    for number, document in enumerate(documents):
        own_tokens = [tokens[sentence.text] for sentence in document]
        for chain in resolve(own_tokens, [spans[sentence.text] for sentence in document]):
            mentions = [_mention(number, own_tokens, one) for one in chain.references]
            spelt = Counter(mention.label for mention in mentions if mention.how == "name")
            places = dict.fromkeys(mention.sentence for mention in mentions)
            context = Counter(stem for place in places for stem in analyzer.stems(document[place].text))
            gender = _gender(chain, own_tokens, spelt)
            entities.append((Named(chain.type, dict(spelt), dict(context), gender), mentions))
    return [tuple(tokens[sentence.text] for sentence in document) for document in documents], entities


def _mention(document: int, tokens: Sequence[Tokens], one: Reference) -> EntityMention:
    label = " ".join(tokens[one.sentence][one.start : one.end])
    return EntityMention(document, one.sentence, one.start, one.end, label, one.how)


def _gender(chain: Chain, tokens: Sequence[Tokens], spelt: Counter[str]) -> str:
    if chain.type != "PER":
        return ""
    for one in chain.references:
        if one.how != "name":
            continue
        before = tokens[one.sentence][one.start - 1] if one.start else ""
        gender = gender_of(" ".join(tokens[one.sentence][one.start : one.end]), before)
        if gender:
            return gender
    return ""
