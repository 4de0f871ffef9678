"""The tracker: documents of one event in, the values that are current after each of them out."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter

from msgspec.structs import replace

from tidings.analysis import Mention, Relevance, Surfaces, find_kind, find_mentions
from tidings.core import Event, Evidence, Sentence, ValueUpdate, shared_analyzer
from tidings.following.values.claims import Claim, claim_of
from tidings.following.values.series import Rules, Series, decode_states, encode_states

__all__ = ["STARTS", "ValueTracker", "mentions_of"]

STARTS = {
    "deaths": 30.0,
    "injuries": 100.0,
    "missing": 50.0,
    "displaced": 3_000.0,
    "arrested": 100.0,
    "financialimpact": 3e8,
}
"""What is no surprise as the first value of each attribute: admission measures by it."""

_FALLING = frozenset({"missing"})
"""Counts that fall as news comes in: who was missing is found."""

_ARTICLE = 15
"""Sentences from which on a document shows what kind of article it is."""

_KINDS = {"comments": "comment", "opinion": "opinion"}
"""Kinds of articles of which no number is believed, or not much: what doubt it raises."""

_FIRST_PERSON = re.compile(r"\b(?:I|me|my|we|our|us)\b")
_PERSONAL = 0.2
"""Words of the first person a sentence, below which an article is no page of comments and no opinion."""

_EVIDENCE = 5
_WROTE = re.compile(r"\b\w+ wrote ?:|\b(?:[Aa]dd your comment|Your comments|Have your say)\b")


def mentions_of(relevance: Relevance, sentences: Iterable[Sentence]) -> list[tuple[Sentence, list[Mention]]]:
    """The sentences of one document that give numbers of the event, each with its mentions.

    What stands behind the first sign of readers' comments is passed over, and a long document is asked what kind of
    article it is.
    """
    document = list(sentences)
    relevant = relevance.relevant(document)
    if not relevant:
        return []
    titled = len(relevance.stems.intersection(shared_analyzer().stems(document[0].title)))
    synonyms = tuple(relevance.synonyms.items())
    year = time.gmtime(max(0, min(document[0].published_time, 1 << 37))).tm_year
    begun = next(((one.index, at) for one in document if (at := _comments_start(one.text)) is not None), None)
    read = []
    for sentence in relevant:
        if begun is not None and sentence.index > begun[0]:
            break
        text = sentence.text if begun is None or sentence.index < begun[0] else sentence.text[: begun[1]]
        mentions = find_mentions(text, year, relevance.stems, about=titled, synonyms=synonyms)
        if mentions:
            read.append((sentence, mentions))
    doubt = _doubt_of_kind(document) if read and len(document) >= _ARTICLE else None
    if doubt is None:
        return read
    return [(one, [replace(each, doubts=(*each.doubts, doubt)) for each in found]) for one, found in read]


def _doubt_of_kind(document: Sequence[Sentence]) -> str | None:
    """The doubt that the kind of an article raises; asked only where people speak of themselves."""
    if sum(len(_FIRST_PERSON.findall(one.text)) for one in document) < _PERSONAL * len(document):
        return None
    return _KINDS.get(find_kind(Surfaces([one.text for one in document])))


def _comments_start(text: str) -> int | None:
    """Where in the text readers' comments begin."""
    if "wrote" not in text and "our comment" not in text and "Have your" not in text:
        return None
    match = _WROTE.search(text[:4_000])
    return match.start() if match is not None else None


class ValueTracker:
    """Follows the values of one event; `read` gives those that have changed.

    >>> tracker = ValueTracker(Event(id="e", title="Ferry fire", query="ferry fire"))
    >>> said = Sentence("d1", 0, "The fire on the ferry killed at least 12 people.", 60, "Post")
    >>> [(one.attribute, one.value, one.evidence[0].source) for one in tracker.read([said], 60)]
    [('deaths', (12.0,), 'Post')]
    """

    def __init__(self, event: Event, rules: Rules | None = None) -> None:
        self.event = event
        self.relevance = Relevance(event)
        self._rules = rules or Rules()
        self._series: dict[str, Series] = {}
        self.has_changed = False

    def read(self, sentences: Sequence[Sentence], now: int) -> list[ValueUpdate]:
        """What these sentences, in the order of time and document, change of the event's values at `now`."""
        documents = groupby(sentences, key=attrgetter("doc_id"))
        return self.note(
            (each for _, document in documents for each in mentions_of(self.relevance, document)), now
        )

    def note(self, mentions: Iterable[tuple[Sentence, list[Mention]]], now: int) -> list[ValueUpdate]:
        """What the mentions of these sentences, as `mentions_of` gives them, change of the event's values at `now`."""
        touched: set[str] = set()
        for sentence, stated in mentions:
            for mention in stated:
                claim = claim_of(mention, sentence)
                if "retracted" in mention.doubts and mention.attribute in self._series:
                    self._series[mention.attribute].revoke(mention.value, sentence.published_time)
                    touched.add(mention.attribute)
                if claim is not None:
                    self._series_of(mention.attribute).add(claim)
                    touched.add(mention.attribute)
        if not touched:
            return []
        self.has_changed = True
        return [
            self._update(attribute, now)
            for attribute in sorted(touched)
            if self._series[attribute].settle(now)
        ]

    def _series_of(self, attribute: str) -> Series:
        series = self._series.get(attribute)
        if series is None:
            series = self._series[attribute] = Series(self._rules_of(attribute))
        return series

    def _rules_of(self, attribute: str) -> Rules:
        rules = replace(self._rules, start=STARTS[attribute], placed=attribute == "deaths")
        return replace(rules, fall=0.0) if attribute in _FALLING else rules

    def _update(self, attribute: str, now: int) -> ValueUpdate:
        series = self._series[attribute]
        value = series.current
        assert value is not None
        support = series.supports(series.weights(now))
        claims = series.supporters(value)
        exact = [claim for claim in claims if claim.value == value]
        evidence = _evidence(exact)
        outlets = len({claim.source or claim.doc_id for claim in claims})
        against = sum(weight for other, weight in support.items() if not _alike(other, value))
        share = support[value] / max(support[value] + against, 1e-9)
        newest = evidence[-1]
        return ValueUpdate(
            self.event.id,
            now,
            attribute,
            (value,),
            round(max(share * (1.0 - 0.5**outlets), 0.001), 4),
            newest.doc_id,
            newest.sentence_index,
            evidence,
            series.disputed(now),
        )

    def state(self) -> bytes:
        """Everything remembered, as msgpack."""
        return encode_states(
            {attribute: series.state() for attribute, series in sorted(self._series.items())}
        )

    def restore(self, data: bytes) -> None:
        """Become the tracker whose `state()` gave `data`."""
        self._series = {
            attribute: Series.of(self._rules_of(attribute), state)
            for attribute, state in decode_states(data).items()
        }


def _alike(one: float, other: float) -> bool:
    return abs(one - other) <= 0.1 * max(one, other, 1.0)


def _evidence(claims: Sequence[Claim]) -> tuple[Evidence, ...]:
    """The first sentence that says so and the last ones of other documents, in the order of their times."""
    chosen = [claims[0]]
    for claim in reversed(claims[1:]):
        if len(chosen) == _EVIDENCE:
            break
        if all((claim.doc_id, claim.sentence) != (one.doc_id, one.sentence) for one in chosen):
            chosen.insert(1, claim)
    return tuple(claim.evidence() for claim in chosen)
