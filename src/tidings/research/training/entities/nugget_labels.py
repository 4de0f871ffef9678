"""What entities were worth on a day of a judged event: the nuggets that name them and came to be matched that day.

Nuggets that no sentence of the stream matches are left out, and nothing of a day rests on what came after it: the
names of its nuggets are found in them, in earlier ones and in the stream up to that day.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from tidings.analysis import NameRecogniser, bare_words, gazetteers, is_name, resolve, token_spans
from tidings.core import ENGLISH

__all__ = ["DayNugget", "LabelledEntity", "StreamNames", "day_labels", "is_in_query"]

Words = tuple[str, ...]
_CLEAR = 0.5
"""A word is a name by the stream when at least this share of its occurrences is."""


class DayNugget(Struct, frozen=True):
    """A nugget's text, what it is worth, and the day (YYYY-MM-DD, UTC) on which the stream first matched it."""

    date: str
    text: str
    importance: int


class LabelledEntity(Struct, frozen=True):
    """An entity that nuggets name: what it is worth on this day.

    Attributes:
        name: its fullest name in the nuggets up to this day.
        type: PER, ORG or LOC.
        names: all its names up to this day, as bare words.
        worth: the summed importance of the day's nuggets that name it.
        is_first: no nugget of an earlier day names it.
        in_query: the event's query names it.
    """

    name: str
    type: str
    names: frozenset[Words]
    worth: int
    is_first: bool
    in_query: bool


class StreamNames:
    """The names that a stream has used so far, with how often each stood there as a name and how often at all."""

    def __init__(self) -> None:
        self._types: dict[Words, Counter[str]] = {}
        self._words: Counter[str] = Counter()
        self._longest = 1

    def add(self, tokens: Sequence[str], spans: Iterable[tuple[int, int, str]]) -> None:
        """Count a sentence and the names in it."""
        self._words.update(tokens)
        for start, end, kind in spans:
            words = tuple(tokens[start:end])
            self._types.setdefault(words, Counter())[kind] += 1
            self._longest = max(self._longest, min(len(words), 8))

    def spans(self, tokens: Sequence[str]) -> Iterator[tuple[int, int, str]]:
        """The longest of the names known here, from left to right; those seen once or mostly not as names left out."""
        at = 0
        while at < len(tokens):
            for end in range(min(len(tokens), at + self._longest), at, -1):
                kind = self._kind(tuple(tokens[at:end]))
                if kind:
                    yield at, end, kind
                    at = end
                    break
            else:
                at += 1

    def _kind(self, words: Words) -> str:
        types = self._types.get(words)
        if types is None or types.total() < 2 or not is_name(" ".join(words)) or not _cased(words):
            return ""
        if len(words) == 1:
            word = words[0]
            if word.lower() in ENGLISH or types.total() < _CLEAR * self._words[word]:
                return ""
        return max(types, key=lambda kind: (types[kind], kind))


def _cased(words: Words) -> bool:
    # Its first and last words with a capital, or of a script without.
    return all(not word[0].islower() for word in (words[0], words[-1]))


def is_in_query(names: Iterable[Words], query: str) -> bool:
    """Whether one of these names, or of the places that the query's demonyms speak of, stands in an event's query.

    >>> is_in_query([("egypt",)], "egyptian riots"), is_in_query([("boston", "globe")], "boston marathon bombing")
    (True, False)
    """
    words = [word.lower() for word in re.findall(r"[\w'’-]+", query)]
    demonyms = gazetteers().demonyms
    said = set(words)
    for word in words:
        said.update(bare_words(demonyms.get(word, "")))
    return any(set(name) <= said for name in names if name)


def day_labels(
    nuggets: Iterable[DayNugget], recogniser: NameRecogniser, query: str, streams: Mapping[str, StreamNames]
) -> dict[str, list[LabelledEntity]]:
    """The labelled entities of each day that has any, those worth most first.

    Args:
        nuggets: those that were matched, in any order.
        recogniser: finds names in nuggets.
        query: the event's.
        streams: by day, the names that the stream used up to its end.
    """
    ordered = sorted(nuggets, key=lambda one: (one.date, one.text))
    tokens = [[nugget.text[start:end] for start, end in token_spans(nugget.text)] for nugget in ordered]
    labels = {}
    for date in sorted({one.date for one in ordered}):
        count = sum(one.date <= date for one in ordered)
        spans = _spans(tokens[:count], recogniser, streams.get(date))
        entities = []
        for chain in resolve(tokens[:count], spans, pronouns=False):
            where = {one.sentence for one in chain.references if one.how == "name"}
            spelt = [
                " ".join(tokens[one.sentence][one.start : one.end])
                for one in chain.references
                if one.how == "name"
            ]
            worth = sum(max(ordered[at].importance, 0) for at in where if ordered[at].date == date)
            if worth:
                if not any(map(str.isupper, "".join(spelt))):
                    continue  # what no nugget writes with a capital is hardly a name
                names = frozenset(bare_words(name) for name in spelt)
                first = all(ordered[at].date == date for at in where)
                entities.append(
                    LabelledEntity(chain.name, chain.type, names, worth, first, is_in_query(names, query))
                )
        if entities:
            labels[date] = sorted(entities, key=lambda one: (-one.worth, one.name))
    return labels


def _spans(
    tokens: Sequence[Sequence[str]], recogniser: NameRecogniser, stream: StreamNames | None
) -> list[list[tuple[int, int, str]]]:
    spans = recogniser.spans(tokens)
    if stream is None:
        return spans
    joined = []
    for sentence, own in zip(tokens, spans, strict=True):
        by_stream = [
            one
            for one in stream.spans(sentence)
            # Where both see a name, the longer one stands.
            if all(
                one[1] <= other[0] or other[1] <= one[0] or one[1] - one[0] > other[1] - other[0]
                for other in own
            )
        ]
        kept = [other for other in own if all(one[1] <= other[0] or other[1] <= one[0] for one in by_stream)]
        joined.append(sorted([*kept, *by_stream]))
    return joined
