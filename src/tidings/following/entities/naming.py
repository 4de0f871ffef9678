"""Who is named in a day's documents: names found, mended, joined in each document, as the documents of the day agree.

A recogniser looks at one sentence after another; that `Isaac` is a body in one of a hundred, or `Sandy Romney` a
person, is seen only where all are counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tidings.analysis import (
    BODY_WORDS,
    PLACE_WORDS,
    Reference,
    gazetteers,
    gender_of,
    is_caseless,
    resolve,
    token_spans,
)
from tidings.core import Analyzer, Sentence
from tidings.following.entities.book import EntityBook, Named
from tidings.following.entities.event_days import EntityMention
from tidings.following.entities.name_forms import (
    DIRECTIONS,
    NEWS_SOURCES,
    Words,
    marks_of,
    mended_spans,
    trim,
    words_of,
)

if TYPE_CHECKING:
    from tidings.analysis import Recogniser

Span = tuple[int, int, str]
_SHARE = 0.7
_LEAST = 4
_PARTS = 5
"""How many times as often as two names in one each of the two must stand alone."""
_PERSON_PARTS = 12
"""The same for what looks like a person's given name and surname."""
_RARER = 10
_BODY_FACTOR = 3
"""How many times as often as `Parliament` may `parliament` be said."""
_LISTED = frozenset(("country", "city", "place", "org"))
_BODY_OR_PLACE = BODY_WORDS | PLACE_WORDS | DIRECTIONS


class Agreement:
    """The names of a day, counted in its documents and in those before.

    Args:
        sentences: the different sentences of the day as tokens.
        spans: the names in each.
        times: how many of the day's documents hold each.
        history: what the days before said of names.

    >>> sentences = [["Isaac", "hits", "Haiti"], ["Isaac", "BP"], ["The", "long", "cruise"], ["Cruise", "fun"]]
    >>> spans = [[(0, 1, "PER"), (2, 3, "LOC")], [(0, 1, "ORG")], [], [(0, 1, "ORG")]]
    >>> agreement = Agreement(sentences, spans, [9, 1, 1, 1], EntityBook())
    >>> agreement.spans(sentences[1], spans[1]), agreement.spans(sentences[3], spans[3])
    ([(0, 1, 'PER')], [])
    """

    def __init__(
        self,
        sentences: Sequence[Sequence[str]],
        spans: Sequence[Sequence[Span]],
        times: Sequence[int],
        history: EntityBook,
    ) -> None:
        self._history = history
        self._types: dict[Words, Counter[str]] = {}
        self._surnames: set[str] = set()
        self._forms: dict[tuple[str, ...], Words] = {}
        for tokens, own, count in zip(sentences, spans, times, strict=True):
            for start, end, kind in own:
                words = self._words(tokens[start:end])
                if words:
                    self._types.setdefault(words, Counter())[kind] += count
                    if kind == "PER" and len(words) > 1:
                        self._surnames.add(words[-1])
        for words, types in self._types.items():
            for kind, count in history.types_of(words).items():
                types[kind] += count
        self._counts = {words: sum(types.values()) for words, types in self._types.items()}
        self._small = _small_letters(sentences, spans, times, self._forms)
        self._cuts: dict[tuple[tuple[str, ...], str], tuple[tuple[int, int], ...]] = {}

    def _words(self, tokens: Sequence[str]) -> Words:
        key = tuple(tokens)
        words = self._forms.get(key)
        if words is None:
            words = self._forms[key] = words_of(" ".join(key))
        return words

    def spans(self, tokens: Sequence[str], spans: Sequence[Span]) -> list[Span]:
        """The spans of a sentence as the day agrees on them."""
        agreed: list[Span] = []
        for start, end, kind in spans:
            key = (tuple(tokens[start:end]), kind)
            cuts = self._cuts.get(key)
            if cuts is None:
                cuts = self._cuts[key] = self._cut(key[0], kind)
            for begin, stop in cuts:
                words = self._words(tokens[start + begin : start + stop])
                own_kind = self._type(words, kind)
                piece: Span | None = (start + begin, start + stop, own_kind)
                if own_kind != kind or len(cuts) > 1 or begin:
                    piece = trim(tokens, start + begin, start + stop, own_kind)
                if piece and words and not self._is_common(words, tokens[piece[0] : piece[1]]):
                    agreed.append(piece)
        return agreed

    def _count(self, words: Words) -> int:
        count = self._counts.get(words)
        if count is None:
            count = self._counts[words] = sum(self._history.types_of(words).values())
        return count

    def _type(self, words: Words, kind: str) -> str:
        if kind != "PER" and self._is_persons(words):
            return "PER"
        types = self._types.get(words)
        if types is None:
            types = self._types[words] = Counter(self._history.types_of(words))
        total = sum(types.values())
        if total < _LEAST or len(types) == 1 == (kind in types):
            return kind
        best = max(sorted(types), key=lambda one: types[one])
        return best if types[best] >= _SHARE * total else kind

    def _is_persons(self, words: Words) -> bool:
        # A single word that is no listed place or body, and the surname of someone.
        if len(words) != 1 or marks_of(words) & _LISTED:
            return False
        return words[0] in self._surnames or self._history.is_surname(words[0])

    def _is_common(self, words: Words, tokens: Sequence[str]) -> bool:
        # Said in lower case at least as often as with capitals: a word, not a name.
        if not any(token[:1].isupper() for token in tokens):
            return False
        low = tuple(token.lower() for token in tokens)
        small = self._small.get(low, 0)
        often = self._counts.get(words, 0) * (_BODY_FACTOR if len(low) == 1 and low[0] in BODY_WORDS else 1)
        if not small or small < often:
            return False
        return not (marks_of(words) & _LISTED or (len(words) == 1 and words[0] in self._surnames))

    def _cut(self, tokens: tuple[str, ...], kind: str) -> tuple[tuple[int, int], ...]:
        """The pieces of a name that are names: itself, two that are often named alone, or one behind a heading."""
        size = len(tokens)
        words = self._words(tokens)
        whole = ((0, size),)
        if size < 2 or len(words) < 2 or marks_of(words):
            return whole
        count = self._count(words)
        given = kind == "PER" and size == 2 and "first" in gazetteers().words.get(words[0], ())
        for at in range(1, size):
            one, other = self._words(tokens[:at]), self._words(tokens[at:])
            if not one or not other or _only_common_parts(one) or _only_common_parts(other):
                continue
            need = count * (_PERSON_PARTS if given else _PARTS)
            if min(self._count(one), self._count(other)) >= max(need, _LEAST):
                return ((0, at), (at, size))
        for at in range(1, size - 1):
            before, name = tokens[:at], self._words(tokens[at:])
            often = self._count(name)
            if len(name) > 1 and often >= max(count * _RARER, _LEAST) and _is_heading(before):
                return ((at, size),)
        for at in range(1, size):
            is_source = " ".join(tokens[:at]).lower() in NEWS_SOURCES
            if is_source and self._count(self._words(tokens[at:])) >= _LEAST:
                return ((at, size),)
        return whole


def _only_common_parts(words: Words) -> bool:
    return all(word in _BODY_OR_PLACE for word in words)


def _is_heading(tokens: Sequence[str]) -> bool:
    words = [token.lower() for token in tokens]
    demonyms = gazetteers().demonyms
    return not any(word in _BODY_OR_PLACE or word in demonyms or word in ("of", "de") for word in words)


def _small_letters(
    sentences: Sequence[Sequence[str]],
    spans: Sequence[Sequence[Span]],
    times: Sequence[int],
    names: Mapping[tuple[str, ...], Words],
) -> Counter[tuple[str, ...]]:
    """How often what names are made of stands in lower case, sentences of one case apart."""
    by_first: dict[str, set[tuple[str, ...]]] = {}
    for tokens in names:
        low = tuple(token.lower() for token in tokens)
        by_first.setdefault(low[0], set()).add(low)
    counts: Counter[tuple[str, ...]] = Counter()
    for sentence, own, count in zip(sentences, spans, times, strict=True):
        tokens = tuple(sentence)
        if not any(token in by_first for token in tokens) or is_caseless(list(tokens)):
            continue
        inside = {at for start, end, _ in own for at in range(start, end)}
        for at, token in enumerate(tokens):
            if at not in inside:
                for name in by_first.get(token, ()):
                    if tokens[at : at + len(name)] == name:
                        counts[name] += count
    return counts


Tokens = tuple[str, ...]


_CONTEXTS = 6
"""Sentences of a document that are an entity's contexts, the first that speak of it."""


def tokens_of(text: str) -> Tokens:
    """The tokens of a sentence as the recogniser wants them."""
    return tuple(text[start:end] for start, end in token_spans(text))


def named_in(
    documents: Sequence[Sequence[Sentence]],
    finder: Recogniser,
    analyzer: Analyzer,
    kept: frozenset[str],
    history: EntityBook,
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
            for mentions in part([_mention(number, own_tokens, reference) for reference in chain.references]):
                spelt = Counter(mention.label for mention in mentions if mention.how == "name")
                places = list(dict.fromkeys(mention.sentence for mention in mentions))[:_CONTEXTS]
                context = Counter(stem for place in places for stem in analyzer.stems(document[place].text))
                gender = _gender(mentions, own_tokens) if chain.type == "PER" else ""
                entities.append((Named(chain.type, dict(spelt), dict(context), gender), mentions))
    return [tuple(tokens[sentence.text] for sentence in document) for document in documents], entities


def _mention(document: int, tokens: Sequence[Tokens], reference: Reference) -> EntityMention:
    label = " ".join(tokens[reference.sentence][reference.start : reference.end])
    return EntityMention(document, reference.sentence, reference.start, reference.end, label, reference.how)


def part(mentions: list[EntityMention]) -> list[list[EntityMention]]:
    """The mentions of a document's entity, in parts where a rare name alone joined two that are often named.

    `Sandy Romney`, once, makes no one of Sandy and Romney.

    >>> said = [EntityMention(0, at, 0, 1, name) for at, name in enumerate(["Sandy"] * 9 + ["Romney"] * 9)]
    >>> [len(part) for part in part([*said, EntityMention(0, 18, 0, 2, "Sandy Romney")])]
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


_OFTEN, _SELDOM = 6, 10  # one in so many: a name used often alone, a full one that hardly is used


def _gender(mentions: Sequence[EntityMention], tokens: Sequence[Tokens]) -> str:
    for mention in mentions:
        if mention.how == "name":
            before = tokens[mention.sentence][mention.start - 1] if mention.start else ""
            gender = gender_of(mention.label, before)
            if gender:
                return gender
    return ""
