"""Who is named in a day's documents: names found, mended, joined in each document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from tidings.analysis import Reference, gender_of, resolve, token_spans
from tidings.core import Analyzer, Sentence
from tidings.following.entities.days.agreement import Agreement, History
from tidings.following.entities.days.name_forms import Words, words_of
from tidings.following.entities.days.names import mended_spans
from tidings.following.entities.days.remembered import Named
from tidings.following.entities.event_days import EntityMention

__all__ = ["NameFinder", "named_in", "tokens_of"]

Span = tuple[int, int, str]
Tokens = tuple[str, ...]


_CONTEXTS = 6
"""Sentences of a document that are an entity's contexts, the first that speak of it."""


class NameFinder(Protocol):
    """Whoever finds names: `tidings.analysis.names.recogniser.NameRecogniser`, or another with the same method."""

    def spans(self, sentences: Sequence[Sequence[str]]) -> list[list[Span]]:
        """For each sentence of a document, the spans of tokens that are names, with their types."""
        ...


def tokens_of(text: str) -> Tokens:
    """The tokens of a sentence as the recogniser wants them."""
    return tuple(text[start:end] for start, end in token_spans(text))


def named_in(
    documents: Sequence[Sequence[Sentence]],
    finder: NameFinder,
    analyzer: Analyzer,
    kept: frozenset[str],
    history: History,
) -> tuple[list[tuple[Tokens, ...]], list[tuple[Named, list[EntityMention]]]]:
    """The tokens of each document, and who is named in each with the mentions, documents in order.

    Each different sentence is looked at once, all together: a name that is clear in one helps in the others. `history`
    says what the days before said of names.
    """
    texts = list(dict.fromkeys(sentence.text for document in documents for sentence in document))
    tokens = {text: tokens_of(text) for text in texts}
    found = finder.spans([tokens[text] for text in texts])
    mended = [mended_spans(tokens[text], own, kept) for text, own in zip(texts, found, strict=True)]
    times = Counter(text for document in documents for text in {sentence.text for sentence in document})
    agreement = Agreement([tokens[text] for text in texts], mended, [times[text] for text in texts], history)
    spans = {text: agreement.spans(tokens[text], own) for text, own in zip(texts, mended, strict=True)}
    entities: list[tuple[Named, list[EntityMention]]] = []
    for number, document in enumerate(documents):
        own_tokens = [tokens[sentence.text] for sentence in document]
        for chain in resolve(own_tokens, [spans[sentence.text] for sentence in document]):
            for mentions in parted([_mention(number, own_tokens, one) for one in chain.references]):
                spelt = Counter(mention.label for mention in mentions if mention.how == "name")
                places = list(dict.fromkeys(mention.sentence for mention in mentions))[:_CONTEXTS]
                context = Counter(stem for place in places for stem in analyzer.stems(document[place].text))
                gender = _gender(mentions, own_tokens) if chain.type == "PER" else ""
                entities.append((Named(chain.type, dict(spelt), dict(context), gender), mentions))
    return [tuple(tokens[sentence.text] for sentence in document) for document in documents], entities


def _mention(document: int, tokens: Sequence[Tokens], one: Reference) -> EntityMention:
    label = " ".join(tokens[one.sentence][one.start : one.end])
    return EntityMention(document, one.sentence, one.start, one.end, label, one.how)


def parted(mentions: list[EntityMention]) -> list[list[EntityMention]]:
    """The mentions of a document's entity, in parts where a rare name alone joined two that are often named.

    `Sandy Romney`, once, makes no one of Sandy and Romney.

    >>> said = [EntityMention(0, at, 0, 1, name) for at, name in enumerate(["Sandy"] * 9 + ["Romney"] * 9)]
    >>> [len(part) for part in parted([*said, EntityMention(0, 18, 0, 2, "Sandy Romney")])]
    [10, 9]
    """
    counts = Counter(words_of(mention.label) for mention in mentions if mention.how == "name")
    total = sum(counts.values())
    often = [words for words, count in counts.items() if len(words) == 1 and count * _OFTEN >= total]
    full = sum(count for words, count in counts.items() if len(words) > 1)
    if len(often) < 2 or full * _SELDOM >= total:
        return [mentions]
    parts: dict[Words, list[EntityMention]] = {words: [] for words in often}
    latest: Words = often[0]
    for mention in mentions:
        if mention.how == "name":
            words = words_of(mention.label)
            latest = words if words in parts else next((one for one in often if one[0] in words), often[0])
        parts[latest].append(mention)
    return list(parts.values())


_OFTEN, _SELDOM = 6, 10


def _gender(mentions: Sequence[EntityMention], tokens: Sequence[Tokens]) -> str:
    for one in mentions:
        if one.how == "name":
            before = tokens[one.sentence][one.start - 1] if one.start else ""
            gender = gender_of(one.label, before)
            if gender:
                return gender
    return ""
