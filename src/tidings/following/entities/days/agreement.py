"""What the documents of a day agree on: of which type a name is, which are two names in one, which are no names at all.

A recogniser looks at one sentence after another; that `Isaac` is a body in one of a hundred, or `Sandy Romney` a
person, is seen only where all are counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Protocol

from tidings.analysis import BODY_WORDS, PLACE_WORDS, gazetteers, is_caseless
from tidings.following.entities.days.name_forms import Words, marks_of, words_of
from tidings.following.entities.days.names import DIRECTIONS, trimmed
from tidings.following.entities.days.news_sources import NEWS_SOURCES

__all__ = ["Agreement", "History"]

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


class History(Protocol):
    """What the days before said of names."""

    def types_of(self, words: Words) -> Mapping[str, int]:
        """How often a name was named, by type."""
        ...

    def is_surname(self, word: str) -> bool:
        """Whether a person was named by this last name with another before it."""
        ...


class Agreement:
    """The names of a day, counted in its documents and in those before.

    Args:
        sentences: the different sentences of the day as tokens.
        spans: the names in each.
        times: how many of the day's documents hold each.
        history: what the days before said of names.

    >>> from tidings.following.entities.days.book import EntityBook
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
        history: History,
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
                    piece = trimmed(tokens, start + begin, start + stop, own_kind)
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
        # A single word that is no listed place or body, and the surname of somebody.
        if len(words) != 1 or marks_of(words) & _LISTED:
            return False
        return words[0] in self._surnames or self._history.is_surname(words[0])

    def _is_common(self, words: Words, tokens: Sequence[str]) -> bool:
        # Said in small letters at least as often as with capitals: a word, not a name.
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
    """How often what names are made of stands in small letters, sentences of one case apart."""
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
